#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that packages can be made again: builds the same commit in another folder, and compares byte by byte.

    reproduce.py --packages FOLDER --scratch FOLDER [--kind deb|tarball|all] [--preset package] [--cached]

The commit is cloned below --scratch, whose name is longer than that of the checkout, at another time, with another umask, time zone and
locale, and compiled without a compiler's cache (--cached allows one: then only linking and packing are proven). Prints a
line for each package, and exits 1 when one differs, with where.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*command, cwd, env):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"reproduce.py: {' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def first_difference(one, other):
    """Where two files begin to differ, in bytes."""
    a, b = one.read_bytes(), other.read_bytes()
    return next((at for at, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def compare(first, second):
    """A line for each package of either folder, and whether all are the same."""
    same, lines = True, []
    names = sorted({path.name for folder in (first, second) for path in folder.iterdir()})
    for name in names:
        one, other = first / name, second / name
        if not (one.exists() and other.exists()):
            lines.append(f"{name}: only in {first if one.exists() else second}")
            same = False
        elif one.read_bytes() == other.read_bytes():
            lines.append(f"{name}: the same, {hashlib.sha256(one.read_bytes()).hexdigest()}")
        else:
            lines.append(f"{name}: differs from byte {first_difference(one, other)} on")
            same = False
    return same and bool(names), lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=pathlib.Path, required=True)
    parser.add_argument("--scratch", type=pathlib.Path, required=True)
    parser.add_argument("--kind", choices=("deb", "tarball", "all"), default="all")
    parser.add_argument("--preset", default="package")
    parser.add_argument("--cached", action="store_true")
    given = parser.parse_args()
    clone = given.scratch.resolve() / "a-clone-in-a-folder-with-another-name"
    shutil.rmtree(given.scratch, ignore_errors=True)
    clone.parent.mkdir(parents=True)
    os.umask(0o027)
    env = {**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    if not given.cached:
        env["CCACHE_DISABLE"] = "1"
    run("git", "clone", "--quiet", "--no-local", ROOT, clone, cwd=ROOT, env=env)
    env["SOURCE_DATE_EPOCH"] = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=clone, capture_output=True, text=True,
                                              check=True).stdout.strip()
    if subprocess.run(["git", "status", "--porcelain", "--untracked-files=no"], cwd=ROOT, capture_output=True, text=True).stdout:
        sys.exit("reproduce.py: there are changes that are in no commit, so a clone cannot be the same.")
    run("cmake", "--preset", given.preset, cwd=clone, env=env)
    run("cmake", "--build", "--preset", given.preset, "--target", "plumbline", "plumbline-cli", "--parallel",
        str(os.cpu_count()), cwd=clone, env=env)
    again = clone / "build" / "packages"
    run(sys.executable, "-B", "cmake/package/make.py", "--build", f"build/{given.preset}", "--kind", given.kind, "--out", again, cwd=clone,
        env=env)
    same, lines = compare(given.packages.resolve(), again)
    print("\n".join(lines))
    if not same:
        sys.exit("reproduce.py: two builds of one commit differ; both are kept.")
    shutil.rmtree(given.scratch)


if __name__ == "__main__":
    main()
