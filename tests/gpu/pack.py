#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what a proof on a GPU needs into one folder that travels: the programs, stripped, with the libraries that a bare
machine lacks, test data, this folder's scripts and the commit. Nothing is built, installed or fetched where it is run.

    pack.py --build BUILD --source SOURCE --out FOLDER --arch 90 [--glibc 2.34]

Not in it are the C library, the compiler's run-time libraries (libstdc++, libgcc_s), which every machine with PyTorch or a
compiler has and which are newer than the rest on the systems that this is built on, and everything of NVIDIA, which a
comparison has to take from the machine itself.
"""

import argparse
import hashlib
import io
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from datetime import datetime, timezone

HERE = pathlib.Path(__file__).resolve().parent
MOST_BYTES = 40_000_000
# Of whoever runs the pack: the C library, the compiler's and NVIDIA's.
OF_THE_MACHINE = re.compile(r"(ld-linux-.*|libc|libm|libdl|librt|libpthread|libutil|libresolv|libstdc\+\+|libgcc_s|"
                            r"libcu.*|libnv.*)\.so(\..*)?$")
SCRIPTS = ("proof.py", "plan.py", "items.py", "record.py", "machine.py", "measurements.py", "gtest_programs.py", "counted.py",
           "goals.py", "peers/step_time.py")
VERSION_NEED = re.compile(r"\*UND\*.*?\(?\b(GLIBC|GLIBCXX|CXXABI)_([0-9.]+)\)?\s+(\S+)$")


class Unfit(Exception):
    """What was built cannot be packed."""


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        raise Unfit(f"{command[0]} failed on {command[-1]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def needed_libraries(program):
    """{name: file} of the libraries that a program needs and that go with it, those of its libraries included."""
    found = {}
    for line in run("ldd", program).splitlines():
        name, arrow, place = line.strip().partition(" => ")
        if not arrow or OF_THE_MACHINE.match(name):
            continue
        if "not found" in place:
            raise Unfit(f"{name}, which {pathlib.Path(program).name} needs, is not installed here.")
        found[name] = pathlib.Path(place.rpartition(" (")[0]).resolve()
    return found


def number(version):
    return [int(part) for part in version.split(".")]


def needs_of(file):
    """{"GLIBC": ("2.34", [symbols]), ...}: the newest version of each interface that a file asks for."""
    found = {}
    for line in run("objdump", "-T", file).splitlines():
        match = VERSION_NEED.search(line)
        if match:
            interface, version, symbol = match.groups()
            newest = found.setdefault(interface, (version, []))
            if number(version) > number(newest[0]):
                newest = found[interface] = (version, [])
            if version == newest[0]:
                newest[1].append(symbol)
    return found


def newest_needs(files, most_glibc):
    """{"GLIBC": "2.34", ...} of all files together. Raises where one needs a newer C library than it is to run on."""
    newest = {}
    for file in files:
        for interface, (version, symbols) in needs_of(file).items():
            if interface == "GLIBC" and number(version) > number(most_glibc):
                raise Unfit(f"{pathlib.Path(file).name} needs GLIBC {version} ({', '.join(symbols[:4])}), and the pack is to "
                            f"run with {most_glibc}: build it on an older system, or say --glibc {version}.")
            if number(version) > number(newest.get(interface, "0")):
                newest[interface] = version
    return newest


def git(source, *arguments):
    try:
        return run("git", "-C", source, *arguments).strip()
    except (Unfit, OSError):
        return ""


def programs_of(build):
    """The files of a build that are run, and which of them are tests."""
    build = pathlib.Path(build)
    tests = [path for path in sorted((build / "tests" / "gpu").glob("gpu_*_tests")) if os.access(path, os.X_OK)]
    programs = [build / "app" / "cli" / "plumbline-cli", build / "app" / "cli" / "libplumbline_cuda.so", *tests]
    for path in programs[:2]:
        if not path.exists():
            raise Unfit(f"{path} was not built.")
    if not tests:
        raise Unfit("the tests for a GPU were not built.")
    return programs, tests


def stage(programs, data, folder, most_glibc):
    """bin, lib and data as they are on the machine. Returns the versions that all of them need."""
    for name in ("bin", "lib"):
        (folder / name).mkdir(parents=True)
    libraries = {}
    for program in programs:
        libraries.update(needed_libraries(program))
    copies = [(file, folder / "bin" / file.name) for file in programs]
    copies += [(file, folder / "lib" / name) for name, file in sorted(libraries.items())]
    for file, copy in copies:
        shutil.copyfile(file, copy)
        run("strip", "--strip-unneeded", copy)
        copy.chmod(0o755)
    shutil.copytree(data, folder / "data" / data.name)
    return newest_needs([copy for _, copy in copies], most_glibc)


def archived(folder):
    """The folder as .tar.xz, the same for the same files."""
    def plain(member):
        member.uid = member.gid = member.mtime = 0
        member.uname = member.gname = ""
        return member
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for path in sorted(folder.iterdir()):
            archive.add(path, path.name, filter=plain)
    # A quarter smaller than the best of gzip, in half of its time.
    return lzma.compress(content.getvalue(), preset=1)


def build_name(commit, changes, content):
    """What results belong to: the commit, and where that says not all of it, the programs themselves."""
    if commit and not changes:
        return commit
    return f"{commit or 'unknown'}+{hashlib.sha256(content).hexdigest()[:12]}"


def make(build, source, out, arch, most_glibc="2.34", programs=None):
    """Makes the folder anew; what pack.json says of it."""
    out, source = pathlib.Path(out).resolve(), pathlib.Path(source).resolve()
    chosen, tests = programs or programs_of(build)
    with tempfile.TemporaryDirectory() as scratch:
        staged = pathlib.Path(scratch) / "staged"
        needs = stage(chosen, source / "resources" / "samples" / "digits", staged, most_glibc)
        content = archived(staged)
        files = {path.relative_to(staged).as_posix(): path.stat().st_size for path in sorted(staged.rglob("*"))
                 if path.is_file()}
    commit, changes = git(source, "rev-parse", "HEAD"), git(source, "status", "--porcelain")
    pack = {"build": build_name(commit, changes, content), "commit": commit, "changed_files": changes.splitlines(),
            "arch": arch, "made": datetime.now(timezone.utc).isoformat(timespec="seconds"), "needs": needs,
            "tests": [path.name for path in tests], "programs_sha256": hashlib.sha256(content).hexdigest(), "files": files}
    beside = out.with_name(out.name + ".new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    for script in SCRIPTS:
        (beside / script).parent.mkdir(exist_ok=True)
        shutil.copyfile(HERE / script, beside / script)
    (beside / "programs.tar.xz").write_bytes(content)
    (beside / "pack.json").write_text(json.dumps(pack, indent=1), encoding="utf-8")
    size = size_of(beside)
    if size > MOST_BYTES:
        raise Unfit(f"the pack has {size / 1e6:.1f} MB and may have {MOST_BYTES / 1e6:.0f}: build it for fewer architectures.")
    shutil.rmtree(out, ignore_errors=True)
    beside.rename(out)
    return pack


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--arch", required=True)
    parser.add_argument("--glibc", default="2.34", help="version of the C library that the pack is to run with (2.34)")
    options = parser.parse_args()
    if not re.fullmatch(r"\d+(\.\d+)+", options.glibc):
        parser.error(f"no version of a C library ({options.glibc}): give one such as 2.34")
    try:
        pack = make(options.build, options.source, options.out, options.arch, options.glibc)
    except Unfit as error:
        print(f"pack: {error}", file=sys.stderr)
        return 1
    needs = ", ".join(f"{interface} {version}" for interface, version in sorted(pack["needs"].items()))
    print(f"{options.out}: {size_of(pathlib.Path(options.out)) / 1e6:.1f} MB, build {pack['build']}, for sm_{options.arch}, "
          f"needs {needs}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
