#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an object that is compiled for a wide instruction set holds a weak or shared symbol.

    check_weak_symbols.py NM OBJECT...

The linker keeps one copy of every inline function of a program. Were it the one from such an object, the
baseline program would run AVX-512 code on machines without it. Prints each finding; exits 1 when there is one.
"""

import subprocess
import sys


def main() -> int:
    nm, objects = sys.argv[1], sys.argv[2:]
    if len(objects) < 3:
        print(f"expected one object for each of three instruction sets, got {len(objects)}")
        return 1
    bad = 0
    for path in objects:
        lines = subprocess.run([nm, "--defined-only", path], check=True, capture_output=True, text=True).stdout
        names = [line.split()[-2:] for line in lines.splitlines() if line.strip()]
        if not any("kKernels" in name or "kGemm" in name for _, name in names):
            print(f"{path}: no kernel table in it")
            bad += 1
        for kind, name in names:
            # W, V: weak; u: unique over the whole process. Sanitizers and the unwinder bring some of their own.
            if kind in "WVwvu" and not name.startswith(("DW.ref.", "__odr_asan", "_ZTI", "_ZTS")):
                print(f"{path}: weak symbol {name}")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
