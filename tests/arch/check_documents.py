#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documents: links lead somewhere, files and functions that they name exist, the README is short.

    check_documents.py [--root FOLDER]
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from check_tree import report, root_argument  # noqa: E402

README_LINES = 120
SOURCE_FOLDERS = ("core", "kernels", "ui", "app")
# A name in backticks that begins with a folder of ours is a path; one that ends with () is a function of ours.
PATH = re.compile(r"`((?:app|core|kernels|ui|resources|tests|docs|cmake)/[\w./-]+)`")
FUNCTION = re.compile(r"`(?:\w+::)?(\w+)\(\)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Stands for a folder that is there only once there is something to put into it.
MAY_BE_MISSING = {"tests/gpu/results"}


def documents(root):
    tops = [os.path.join(root, name) for name in ("README.md", "CONTRIBUTING.md")]
    return [path for path in tops if os.path.isfile(path)] + sorted(glob.glob(os.path.join(root, "docs", "*.md")))


def words_of_sources(root):
    found = set()
    for top in SOURCE_FOLDERS:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in files:
                if name.endswith((".h", ".cuh")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        found.update(re.findall(r"\w+", file.read()))
    return found


def anchors(text):
    """The names that GitHub gives to headings."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_link(root, path, link):
    if re.match(r"[a-z]+:", link):
        return None
    target, _, anchor = link.partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
    if not os.path.exists(file) or os.path.relpath(file, root).startswith(".."):
        return f"the link {link} leads nowhere"
    if anchor:
        with open(file, encoding="utf-8") as other:
            if anchor not in anchors(other.read()):
                return f"the link {link} names a heading that is not there"
    return None


def check_documents(root):
    known = words_of_sources(root)
    linked = set()
    for path in documents(root):
        name = os.path.relpath(path, root)
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        if name == "README.md" and len(lines) - 1 > README_LINES:
            yield f"{name}:{README_LINES + 1}: has {len(lines) - 1} lines; what is above {README_LINES} belongs in docs"
        for number, line in enumerate(lines, 1):
            for link in LINK.findall(line):
                linked.add(os.path.normpath(os.path.join(os.path.dirname(path), link.partition("#")[0])))
                problem = check_link(root, path, link)
                if problem:
                    yield f"{name}:{number}: {problem}"
            for file in PATH.findall(line):
                if file.rstrip("/") not in MAY_BE_MISSING and not os.path.exists(os.path.join(root, file)):
                    yield f"{name}:{number}: {file} does not exist"
            for function in FUNCTION.findall(line):
                if function not in known:
                    yield f"{name}:{number}: no header has {function}()"
    for path in documents(root):
        if os.path.dirname(path).endswith("docs") and path not in linked:
            yield f"{os.path.relpath(path, root)}:1: no other document leads here"


def main():
    root = root_argument(__doc__)
    return report(f"{len(documents(root))} documents", check_documents(root), bool(documents(root)))


if __name__ == "__main__":
    sys.exit(main())
