#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what every program and library of ours must be, by reading the ELF files of a build folder.

    check_binaries.py [--guarded] BUILD_FOLDER

No empty and no relative entry in RUNPATH or RPATH: the loader takes either for the current folder, so that a
file libcuda.so.1 that lies there would be run. No library is asked for by a relative path. Everything is bound
when it is loaded (-z now) and read-only from then on (relro), the stack is not executable, and programs are
position-independent. With --guarded (builds that users get), stacks are guarded, and the C library is asked to
check the sizes that the compiler knows (FORTIFY_SOURCE), as is seen by the functions that always are replaced then.

Prints one line for each finding and exits 1 when there is one, or when there was nothing to look at.
Held by: check_binaries_test.py, which plants every mistake and expects it to be found.
"""

import argparse
import os
import struct
import sys

DT_NEEDED, DT_STRTAB, DT_RPATH, DT_RUNPATH, DT_BIND_NOW, DT_FLAGS, DT_FLAGS_1 = 1, 5, 15, 29, 24, 30, 0x6FFFFFFB
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 3, 0x6474E551, 0x6474E552
SHT_DYNSYM = 11
ET_EXEC, ET_DYN = 2, 3
PF_X = 1
# With FORTIFY_SOURCE each of them becomes __NAME_chk. Libraries that are linked in may bring the plain ones.
PRINTS = {prefix + "printf" for prefix in ("", "f", "d", "s", "sn", "as", "v", "vf", "vd", "vs", "vsn", "vas")}


class Elf:
    """Of a 64-bit little-endian ELF file what matters here."""

    def __init__(self, data):
        self.kind = struct.unpack_from("<H", data, 16)[0]
        offset, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        self.segments = []
        for i in range(count):
            kind, flags, start, address, _, length = struct.unpack_from("<IIQQQQ", data, offset + i * size)
            self.segments.append((kind, flags, start, address, length))
        self.dynamic = []
        for kind, _, start, _, length in self.segments:
            if kind != PT_DYNAMIC:
                continue
            for at in range(start, start + length, 16):
                tag, value = struct.unpack_from("<QQ", data, at)
                if tag == 0:
                    break
                self.dynamic.append((tag, value))
        table = next((value for tag, value in self.dynamic if tag == DT_STRTAB), 0)
        names = next((start + table - address for kind, _, start, address, length in self.segments
                      if kind == PT_LOAD and address <= table < address + length), 0)
        self.text = lambda value: data[names + value:data.index(b"\0", names + value)].decode()
        self.symbols = set(self.read_symbols(data))

    def read_symbols(self, data):
        """Names of what is taken from other libraries or offered to them."""
        offset, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        for section in range(offset, offset + size * count, size):
            _, kind, _, _, start, length = struct.unpack_from("<IIQQQQ", data, section)
            for at in range(start, start + length, 24) if kind == SHT_DYNSYM else ():
                yield self.text(struct.unpack_from("<I", data, at)[0])

    def has(self, segment):
        return any(kind == segment for kind, *_ in self.segments)

    def texts(self, *tags):
        return [self.text(value) for tag, value in self.dynamic if tag in tags]

    def value(self, tag):
        return next((value for known, value in self.dynamic if known == tag), 0)


def missing_guards(symbols):
    found = []
    if "__stack_chk_fail" not in symbols:
        found.append("does not guard its stack (-fstack-protector-strong)")
    checked = any(name.startswith("__") and name.endswith("_chk") for name in symbols)
    plain = sorted(symbols & PRINTS)
    if plain and not checked:
        found.append(f"does not check sizes that are known ({', '.join(plain)}; -D_FORTIFY_SOURCE=2)")
    return found


def findings(data, guarded):
    elf = Elf(data)
    if not elf.dynamic:
        return ["is linked statically: nothing of it can be looked at"]
    found = []
    for path in elf.texts(DT_RPATH, DT_RUNPATH):
        for entry in path.split(":"):
            if not entry.startswith(("/", "$ORIGIN")):
                found.append(f"searches the current folder for libraries (entry '{entry}' of RUNPATH '{path}')")
    found += [f"asks for a library by a relative path ('{name}')" for name in elf.texts(DT_NEEDED)
              if "/" in name and not name.startswith("/")]
    now = elf.value(DT_FLAGS) & 8 or elf.value(DT_FLAGS_1) & 1 or any(tag == DT_BIND_NOW for tag, _ in elf.dynamic)
    if not now:
        found.append("is not bound when it is loaded (-z now)")
    if not elf.has(PT_GNU_RELRO):
        found.append("leaves its tables writable (-z relro)")
    stacks = [flags for kind, flags, *_ in elf.segments if kind == PT_GNU_STACK]
    if not stacks or any(flags & PF_X for flags in stacks):
        found.append("has an executable stack")
    if elf.kind == ET_EXEC:
        found.append("is not position-independent (-pie)")
    return found + (missing_guards(elf.symbols) if guarded else [])


def binaries(folder):
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("CMakeFiles", "_deps", "Testing")]
        for name in sorted(files):
            path = os.path.join(root, name)
            if os.path.islink(path) or name.endswith((".o", ".a")):
                continue
            with open(path, "rb") as file:
                if file.read(5) != b"\x7fELF\x02":
                    continue
                file.seek(0)
                data = file.read()
            if struct.unpack_from("<H", data, 16)[0] in (ET_EXEC, ET_DYN):
                yield path, data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--guarded", action="store_true")
    parser.add_argument("folder")
    arguments = parser.parse_args()
    count = bad = 0
    for path, data in binaries(arguments.folder):
        count += 1
        for finding in findings(data, arguments.guarded):
            print(f"{os.path.relpath(path, arguments.folder)}: {finding}")
            bad += 1
    if count == 0:
        print(f"{arguments.folder}: there is no program to look at")
    print(f"{count} programs and libraries, {bad} findings")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
