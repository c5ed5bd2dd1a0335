#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the packages of a build folder, and says what came of it.

    make.py --build FOLDER --out FOLDER [--kind deb|tarball|all] [--epoch SECONDS]

FOLDER was built: this only installs and packs. The same build gives the same bytes whenever it is packed: times are those
of the commit (SOURCE_DATE_EPOCH, where it is not given), and permissions do not depend on the user's.
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def said(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout.strip()


def run(*command, env):
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"make.py: {' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def cached(build, name):
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found.group(1) if found else ""


def make_debs(build, out, env):
    with tempfile.TemporaryDirectory() as scratch:
        run("cpack", "--config", build / "CPackConfig.cmake", "-B", scratch, "-G", "DEB", env=env)
        for package in sorted(pathlib.Path(scratch).glob("*.deb")):
            shutil.move(package, out / package.name)
            yield out / package.name


def make_tarball(build, out, env):
    version = cached(build, "CMAKE_PROJECT_VERSION")
    name = f"plumbline-{version}-linux-{os.uname().machine}"
    with tempfile.TemporaryDirectory() as scratch:
        for component in ("cli", "gui", "cuda"):  # not "mpi": its library is that of the machine's MPI
            run("cmake", "--install", build, "--prefix", scratch, "--component", component, "--strip", env=env)
        doc = pathlib.Path(scratch, "share", "doc", "plumbline")
        doc.mkdir(parents=True, exist_ok=True)
        for source, target in (("README.md", "README.md"), ("CHANGELOG.md", "CHANGELOG.md"), ("LICENSE", "LICENSE.Apache-2.0"),
                               ("app/gui/LICENSE", "LICENSE.GPL-3.0"), ("cmake/package/copyright", "copyright")):
            shutil.copyfile(ROOT / source, doc / target)
        print(run(sys.executable, "-B", HERE / "portable.py", "--prefix", scratch, "--qt-plugins", cached(build, "PLUMBLINE_QT_PLUGINS"), "--name", name,
                  "--out", out / f"{name}.tar.xz", "--epoch", env["SOURCE_DATE_EPOCH"], env=env), end="")
    yield out / f"{name}.tar.xz"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--kind", choices=("deb", "tarball", "all"), default="all")
    parser.add_argument("--epoch")
    given = parser.parse_args()
    os.umask(0o022)
    epoch = given.epoch or os.environ.get("SOURCE_DATE_EPOCH") or said("git", "-C", ROOT, "log", "-1", "--format=%ct")
    env = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    shutil.rmtree(given.out, ignore_errors=True)
    given.out.mkdir(parents=True)
    made = []
    if given.kind != "tarball":
        made += make_debs(given.build.resolve(), given.out, env)
    if given.kind != "deb":
        made += make_tarball(given.build.resolve(), given.out, env)
    for file in made:
        print(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}")


if __name__ == "__main__":
    main()
