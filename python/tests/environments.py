#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the virtual environments that tests run in: one for each torch that the Python package is held to, and two with
the programs that exports are written for.

    python3 python/tests/environments.py FOLDER [NAME...]            NAME: clients, 2.4, newest, hta (default: all)
    python3 python/tests/environments.py --run PLACE SCRIPT ARGS     SCRIPT in the environment FOLDER/NAME

FOLDER/NAME is made once and kept. Exits 0 where all are there, 77 where one cannot be made here, with the reason: no
Python that this torch has wheels for, or nobody to get them from; --run exits with 77 where there is none. Nothing
outside of FOLDER is touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

SKIPPED = 77
PYPI = ["--retries", "2"]
CPU_WHEELS = ["--index-url", "https://download.pytorch.org/whl/cpu", "--retries", "0"]  # a tenth of those with CUDA


class Kind(NamedTuple):
    """What an environment is."""
    wanted: list[str]  # that is installed
    module: str  # that can be imported then
    least: tuple[int, int]  # the Pythons that it has wheels for
    most: tuple[int, int]
    room: int  # bytes that it and what pip unpacks take for a while, where torch brings CUDA
    sources: list[list[str]]


# In the order in which they are begun. HolisticTraceAnalysis is apart since it brings all of Jupyter (400 MB).
KINDS = {
    "clients": Kind(["numpy", "pyarrow", "tensorboard"], "tensorboard", (3, 10), (3, 99), 1_000_000_000, [PYPI]),
    "2.4": Kind(["torch==2.4.0", "numpy<2.3"], "torch", (3, 9), (3, 12), 12_000_000_000, [CPU_WHEELS, PYPI]),
    "newest": Kind(["torch", "numpy", "transformers", "accelerate", "lightning", "setuptools"], "torch", (3, 10), (3, 99),
                   12_000_000_000, [CPU_WHEELS, PYPI]),
    "hta": Kind(["HolisticTraceAnalysis"], "hta", (3, 10), (3, 99), 2_000_000_000, [PYPI]),
}
COMPLETE = "plumbline-complete"  # written last: what was asked for


def python_of(folder: str) -> str:
    """The interpreter of an environment."""
    return os.path.join(folder, "bin", "python")


def is_complete(folder: str) -> bool:
    """Whether an environment was made to the end."""
    return os.path.isfile(os.path.join(folder, COMPLETE)) and os.path.isfile(python_of(folder))


def holds(folder: str) -> list[str]:
    """What was asked for when an environment was made."""
    with open(os.path.join(folder, COMPLETE), encoding="utf-8") as file:
        return file.read().split("\n")


def version_of(python: str) -> tuple[int, int] | None:
    """The version of an interpreter that can make environments; None for another."""
    asked = subprocess.run([python, "-c", "import sys, ensurepip, venv; print(*sys.version_info[:2])"],
                           capture_output=True, text=True)
    return tuple(int(part) for part in asked.stdout.split()) if asked.returncode == 0 else None


def interpreter(least: tuple[int, int], most: tuple[int, int]) -> str | None:
    """A Python between two versions, that which runs this first."""
    names = ["python3", "/usr/bin/python3", *(f"python3.{minor}" for minor in range(13, 8, -1))]
    for python in [sys.executable, *filter(None, map(shutil.which, names))]:
        version = version_of(python)
        if version is not None and least <= version <= most:
            return python
    return None


def install(python: str, kind: Kind) -> str:
    """Installs from whoever is reached; returns why it could not, or ""."""
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "--prefer-binary"]
    said = ""
    scratch = os.path.dirname(os.path.dirname(python)) + "-scratch"
    os.makedirs(scratch, exist_ok=True)
    for source in kind.sources:
        done = subprocess.run([*pip, *source, "--timeout", "30", *kind.wanted], capture_output=True, text=True,
                              env={**os.environ, "TMPDIR": scratch})
        if done.returncode == 0:
            said = ""
            break
        said = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
    shutil.rmtree(scratch, ignore_errors=True)
    return said


def make(folder: str, name: str) -> str:
    """Makes FOLDER/NAME; returns why it could not, or ""."""
    kind = KINDS[name]
    place = os.path.join(folder, name)
    if is_complete(place) and holds(place) == kind.wanted:
        return ""
    python = interpreter(kind.least, kind.most)
    if python is None:
        return (f"no Python from {'.'.join(map(str, kind.least))} to {'.'.join(map(str, kind.most))} that can make "
                "virtual environments is here (python3-venv)")
    began = time.monotonic()
    os.makedirs(folder, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < kind.room:
        return f"{folder} has {free / 1e9:.0f} GB free and this may take {kind.room / 1e9:.0f} while it is made"
    if not is_complete(place):  # else something is added to it
        shutil.rmtree(place, ignore_errors=True)
    made = subprocess.run([python, "-m", "venv", place], capture_output=True, text=True)
    said = install(python_of(place), kind) if made.returncode == 0 else made.stderr.strip() or made.stdout.strip()
    if said:
        if not is_complete(place):
            shutil.rmtree(place, ignore_errors=True)
        return said
    asked = subprocess.run([python_of(place), "-c", f"import {kind.module} as it; print(getattr(it, '__version__', ''))"],
                           capture_output=True, text=True)
    if asked.returncode != 0:
        return f"{kind.module} was installed and cannot be imported: {asked.stderr.strip().splitlines()[-1]}"
    with open(os.path.join(place, COMPLETE), "w", encoding="utf-8") as file:
        file.write("\n".join(kind.wanted))
    print(f"{name}: {kind.module} {asked.stdout.strip()} in {place}, in {time.monotonic() - began:.0f} s", file=sys.stderr)
    return ""


def run_in(place: str, script: list[str]) -> int:
    """Becomes the script in an environment; returns where there is none."""
    if not is_complete(place):
        print(f"skipped: {place} is not there: ./dev python makes it")
        return SKIPPED
    os.execv(python_of(place), [python_of(place), "-B", *script])


def main() -> int:
    """Returns the exit status."""
    if sys.argv[1:2] == ["--run"] and len(sys.argv) > 3:
        return run_in(sys.argv[2], sys.argv[3:])
    if len(sys.argv) < 2 or any(name not in KINDS for name in sys.argv[2:]):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for name in sys.argv[2:] or KINDS:
        absent = make(sys.argv[1], name)
        if absent:
            print(f"{name}: no environment: {absent}", file=sys.stderr)
            status = SKIPPED
    return status


if __name__ == "__main__":
    sys.exit(main())
