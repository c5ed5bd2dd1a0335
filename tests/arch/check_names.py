#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds comments and documents to the tree: the files, macros and functions that they name exist.

    check_names.py [--root FOLDER]

Read are the `//` comments of C++ sources and every .md file but CHANGELOG.md, which tells of earlier versions.
A name with () must stand in some source outside of a comment, so must a PLUMB_ or PLUMBLINE_ name (also in CMake,
a script or a text); a file must be in the tree, under the path that is given.
Held by: check_names_test.py, which plants each mistake.
"""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from check_tree import report, root_argument  # noqa: E402

FOLDERS = ("app", "cmake", "core", "docs", "kernels", "python", "resources", "tests", "ui")
CPP = (".h", ".cpp", ".cu", ".cuh")
TEXTS = CPP + (".cmake", ".in", ".json", ".py", ".sh", ".txt")
# Seeds and reference data are files that comments name, not sources that define names.
DATA = ("tests/data/", "tests/fuzz/seeds/")

FILE = re.compile(r"(?<![\w./<-])((?:[\w-]+/)*[\w-]+\.(?:h|cpp|cu|cuh|py|cmake|sh|md))\b(?!\.)")
MACRO = re.compile(r"\b(?:PLUMB|PLUMBLINE)_[A-Z][A-Z_]*\b")
FUNCTION = re.compile(r"\b([A-Za-z_]\w*)\(\)")
# Of other software, and what the build makes.
FOREIGN_FILES = {"cuda.h", "nvml.h", "summary.md", "generated/version.h", "generated/plumbline_version.h"}
FOREIGN_FUNCTIONS = {"arange", "mkstemp", "reorder_dimensions"}


def files_of(root):
    """Paths below the root, with /; top files and the folders of the project only."""
    for name in sorted(os.listdir(root)):
        if os.path.isfile(os.path.join(root, name)):
            yield name
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def split(line):
    """Code and comment of a C++ line; // inside a text is no comment."""
    for match in re.finditer(r"(?<!:)//", line):
        if line[:match.start()].count('"') % 2 == 0:
            return line[:match.start()], line[match.end():].lstrip("/<")
    return line, ""


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read().split("\n")


def check_names(root):
    paths = set(files_of(root))
    ends = {"/".join(path.split("/")[i:]) for path in paths for i in range(path.count("/") + 1)}
    words, said = set(), []
    for path in sorted(paths):
        if path.startswith(DATA):
            continue
        if path.endswith(CPP):
            for number, line in enumerate(read(root, path), 1):
                code, comment = split(line)
                words.update(re.findall(r"\w+", code))
                if comment:
                    said.append((path, number, comment))
        elif path.endswith(".md"):
            if path != "CHANGELOG.md":
                said.extend((path, number, line) for number, line in enumerate(read(root, path), 1))
        elif path.endswith(TEXTS) or path == "dev":
            for line in read(root, path):
                words.update(re.findall(r"\w+", line))
    for path, number, text in said:
        for name in FILE.findall(text):
            if name not in ends and name not in FOREIGN_FILES and not name.startswith("_"):
                yield f"{path}:{number}: there is no file {name}"
        for name in MACRO.findall(text):
            if name not in words:
                yield f"{path}:{number}: nothing is called {name}"
        for name in FUNCTION.findall(text):
            if name not in words and name not in FOREIGN_FUNCTIONS:
                yield f"{path}:{number}: nothing has {name}()"


def main():
    return report("names of comments and documents", check_names(root_argument(__doc__)), True)


if __name__ == "__main__":
    sys.exit(main())
