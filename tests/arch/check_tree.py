#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the layering of Plumbline: reads the #include lines and fails on an edge that must not exist.

    check_tree.py [--root DIR]

Prints one line for each finding (`path:line: what is wrong`) and exits 1 when there is one.
The rules stand in the tables below; CONTRIBUTING.md gives their reasons.
Held by: check_tree_test.py, which plants every forbidden edge and expects it to be found.
"""

import argparse
import functools
import os
import posixpath
import re
import subprocess
import sys
from dataclasses import dataclass

TOP_FOLDERS = ("app", "core", "kernels", "ui", "resources", "tests", "docs", "python", "cmake")
TOP_FILES = {
    "CMakeLists.txt", "README.md", "CMakePresets.json", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "dev",
}

# Who may include whom. The first entry whose folder holds the file decides. Before these come the floors of core,
# each of which may include itself and those below it, and the rooms of the window (ui/CMakeLists.txt).
MAY_INCLUDE = (
    ("core/", ()),
    ("kernels/common/", ("kernels/common/", "core/")),
    ("kernels/cpu/", ("kernels/cpu/", "kernels/common/", "core/")),
    ("kernels/cupti/", ("kernels/cupti/", "core/")),
    ("kernels/mpi/", ("kernels/mpi/", "core/")),
    ("kernels/cuda/", ("kernels/cuda/", "kernels/cupti/", "kernels/common/", "core/")),
    ("kernels/", ()),
    ("ui/", ()),
    ("app/gui/", ("app/gui/", "ui/", "core/")),
    ("app/cli/", ("app/cli/", "core/", "kernels/")),
    ("app/", ()),
    ("tests/fuzz/", ("tests/", "core/", "app/cli/arguments.h")),
    ("tests/ui/", ("tests/", "core/", "kernels/", "ui/", "app/gui/program_options.h")),
    ("tests/", ("tests/", "core/", "kernels/", "ui/")),
)

WITHOUT_QT = ("core/", "kernels/", "app/cli/", "tests/core/", "tests/kernels/")
WITH_CUDA = ("kernels/cuda/", "kernels/cupti/", "tests/kernels/simulated/")

# Targets that a folder's CMakeLists.txt must not name: the same rule, seen from the linker.
MUST_NOT_LINK = (
    ("core/", r"Qt6::|plumb::(ui|kernels)|plumb_(ui|kernels)|CUDA::|dnnl"),
    ("kernels/", r"Qt6::|plumb::ui|plumb_ui"),
    ("ui/", r"plumb::kernels|plumb_kernels|CUDA::|dnnl"),
    ("app/gui/", r"plumb::kernels|plumb_kernels|CUDA::|dnnl"),
    ("app/cli/", r"Qt6::|plumb::ui|plumb_ui"),
)

APACHE = "Apache-2.0"
GPL = "GPL-3.0-or-later"  # because Qt Charts is
LICENCES = (
    ("ui/", {GPL}),
    ("app/gui/", {GPL}),
    ("tests/", {APACHE, GPL}),  # a test that links ui/ is under its licence
    ("", {APACHE}),
)

LOOK_HARD_LINES = 400
MOST_LINES = 600

CPP = {".h", ".hpp", ".cpp", ".cc", ".c", ".cu", ".cuh"}
OTHER_SOURCE = {".py", ".sh", ".cmake"}

QT_HEADER = re.compile(r"^(Q[A-Z]\w*|Qt[A-Z]\w*(/.*)?|q[a-z0-9_]+\.h)$")
CUDA_HEADER = re.compile(
    r"^((cuda|cublas|cupti|curand|cufft|cusparse|cusolver|cudnn|nvrtc|nvml|nvToolsExt|nvperf)\w*\.h(pp)?"
    r"|(cuda|cub|thrust|cooperative_groups|nvtx3|cute|cutlass)/.*"
    r"|cooperative_groups\.h|mma\.h|device_launch_parameters\.h|vector_types\.h)$")
QTEST_ASSERTION = re.compile(
    r"\b(QVERIFY\w*|QCOMPARE\w*|QTRY_\w+|QFAIL|QSKIP|QEXPECT_FAIL|QBENCHMARK\w*)\s*(?=\(|\{)")

# What reads or writes numbers as the locale of the process has them (Qt sets that of the desktop): under a decimal
# comma strtod("38.8") is 38. from_chars, to_chars and fmt know no locale.
LOCALE_CALL = re.compile(
    r"\b(strto(?:f|d|ld|imax)|ato(?:f|i|l|ll)|sto(?:f|d|ld|i|l|ll|ul|ull)|(?:f|s|vf|vs|v)?scanf)(?=\s*\()")
PRINTF_CALL = re.compile(r"\bv?(?:f|d|s|sn|as)?printf\s*\([^;]*;")
PRINTF_FLOAT = re.compile(r"%[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d+))?L?[fFeEgGaA]")

# What shows a step takes it as a Step, whoever ran it: only what has sliders asks for the deep linear model's.
# So do the curves of a training (the scales by layer are those of our model), exports, and comparisons.
SHOWS_ANY_STEP = (
    "ui/memory/", "ui/modules/", "ui/operations/", "ui/roofline/", "ui/timeline/", "ui/overview/",
    "ui/training/device_", "ui/training/loss_chart", "ui/training/shown_runs", "ui/training/training_",
    "core/export/", "ui/shell/export_actions", "ui/shell/picture_exporter",
    "core/compare/aligned_memory", "core/compare/budget", "core/compare/change", "core/compare/comparison",
    "core/compare/difference", "core/compare/shift", "core/measure/counter_comparison", "ui/compare/",
    "core/measure/module_tree", "core/findings/recorded_rules",
    "core/recorded/", "core/trace/", "ui/workbench/prediction_difference",
)
OF_OUR_MODEL = re.compile(r"\b(StepPlan|RunConfig|OpKind|TensorRole)\b")

# The window shows the name of a device in its own words: "Xeon, 2 cores" is counted in Chinese.
NAME_OF_DEVICE = re.compile(
    r"\b(?:toText|coreText)\([\w\[\]().>*-]*(?:machine|device)(?:\(\))?(?:\.|->)name\)", re.IGNORECASE)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
# Comments, and literals that may hold what looks like one. A quote between digits is a separator.
TOKENS = re.compile(
    r'(?P<raw>R"(?P<tag>[^\s()\\]{0,16})\(.*?\)(?P=tag)")|(?P<text>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')|(?P<comment>//[^\n]*|/\*.*?\*/)", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    message: str
    fatal: bool = True

    def __str__(self):
        kind = "" if self.fatal else "note: "
        return f"{self.path}:{self.line}: {kind}{self.message}"


def blank(text):
    """Spaces in place of text, so that every line keeps its number."""
    return re.sub(r"[^\n]", " ", text)


def without(text, *kinds):
    """The source with tokens of these kinds (comment, text, char, raw) blanked out."""
    return TOKENS.sub(lambda match: blank(match[0]) if any(match[kind] for kind in kinds) else match[0], text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def first_match(table, path):
    for folder, value in table:
        if path.startswith(folder):
            return value
    return None


def project_path(root, path, included, quoted):
    """The path from the root of an included file of ours, or None for a foreign header."""
    if included.split("/", 1)[0] in TOP_FOLDERS and "/" in included:
        return posixpath.normpath(included)
    if quoted:
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), included))
        if os.path.isfile(os.path.join(root, beside)):
            return beside
    return None


def names(root, path, variable):
    """The folders beside the CMake file `path` that its variable lists."""
    with open(os.path.join(root, path), encoding="utf-8") as source:
        match = re.search(rf"set\({variable} ([^)]*)\)", source.read())
    return tuple(f"{os.path.dirname(path)}/{name}/" for name in match[1].split())


def ladder(folders, below=()):
    """Each of the folders with itself and those before it."""
    return tuple((folder, below + folders[:place + 1]) for place, folder in enumerate(folders))


@functools.cache
def may_include(root):
    floors = names(root, "core/CMakeLists.txt", "plumb_floors")
    shared, views, house = (names(root, "ui/CMakeLists.txt", f"plumb_{kind}_rooms")
                            for kind in ("shared", "view", "house"))
    return (ladder(floors) + ladder(shared, ("core/",)) +
            tuple((view, ("core/",) + shared + (view,)) for view in views) +
            ladder(house, ("core/",) + shared + views) + MAY_INCLUDE)


def check_includes(root, path, code):
    allowed = first_match(may_include(root), path)
    for match in INCLUDE.finditer(code):
        quoted, included = match[1] == '"', match[2]
        line = line_of(code, match.start())
        ours = project_path(root, path, included, quoted)
        if ours is not None:
            if ours != included:
                yield Finding(path, line, f'write the path from the root of the project: "{ours}"')
            if allowed is not None and not ours.startswith(allowed):
                yield Finding(path, line, f"forbidden include of {ours}: this folder may include "
                                          f"{', '.join(allowed) or 'nothing of ours'}")
            continue
        if QT_HEADER.match(included) and path.startswith(WITHOUT_QT):
            yield Finding(path, line, f"forbidden include of {included}: no Qt here")
        if CUDA_HEADER.match(included) and not path.startswith(WITH_CUDA):
            yield Finding(path, line, f"forbidden include of {included}: CUDA stays in {', '.join(WITH_CUDA)}")


def check_words(path, code):
    words = without(code, "text", "char", "raw")
    for match in LOCALE_CALL.finditer(words):
        yield Finding(path, line_of(words, match.start()),
                      f"{match[1]} depends on the locale or hides a failure: use from_chars")
    for call in PRINTF_CALL.finditer(code):
        if PRINTF_FLOAT.search(call[0].replace("%%", "")):
            yield Finding(path, line_of(code, call.start()),
                          "printf writes floating point as the locale does: use fmt")
    if path.startswith("tests/"):
        for match in QTEST_ASSERTION.finditer(words):
            yield Finding(path, line_of(words, match.start()),
                          f"{match[1]} returns silently inside a GoogleTest body and the test passes: use EXPECT_*")
    if path.startswith("ui/"):
        for match in NAME_OF_DEVICE.finditer(words):
            yield Finding(path, line_of(words, match.start()), "show the name of a device by deviceText()")
    if path.startswith(SHOWS_ANY_STEP):
        for match in OF_OUR_MODEL.finditer(words):
            yield Finding(path, line_of(code, match.start()), f"{match[1]} is of the deep linear model: use Step")


def check_length(path, text):
    lines = len(text.splitlines())
    if lines > MOST_LINES:
        yield Finding(path, lines, f"{lines} lines: split it, {MOST_LINES} is the most")
    elif lines > LOOK_HARD_LINES:
        yield Finding(path, lines, f"{lines} lines: look hard at what is above {LOOK_HARD_LINES}", fatal=False)


def check_licence(path, text):
    expected = first_match(LICENCES, path)
    for number, line in enumerate(text.splitlines()[:5], start=1):
        match = re.search(r"SPDX-License-Identifier:\s*(\S+)", line)
        if match:
            if match[1] not in expected:
                yield Finding(path, number, f"licence {match[1]}: this folder is {' or '.join(sorted(expected))}")
            return
    yield Finding(path, 1, f"no licence line: // SPDX-License-Identifier: {' or '.join(sorted(expected))}")


def check_links(path, text):
    pattern = first_match(MUST_NOT_LINK, path)
    if pattern is None:
        return
    code = re.sub(r"#[^\n]*", "", text)
    for match in re.finditer(pattern, code):
        yield Finding(path, line_of(code, match.start()), f"forbidden target {match[0]} in this folder")


def check_test_is_built(root, path):
    """A test that no CMakeLists.txt of its folder or of one above names is never compiled."""
    folder = posixpath.dirname(path)
    while folder:
        listed = os.path.join(root, folder, "CMakeLists.txt")
        if os.path.isfile(listed):
            with open(listed, encoding="utf-8") as source:
                named = re.sub(r"#[^\n]*", "", source.read())
            if re.search(rf"(?<![\w/]){re.escape(posixpath.relpath(path, folder))}(?!\w)", named):
                return
        folder = posixpath.dirname(folder)
    yield Finding(path, 1, "no CMakeLists.txt names this test: it is never built")


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as source:
        text = source.read()
    name, ending = posixpath.basename(path), posixpath.splitext(path)[1]
    yield from check_licence(path, text)
    if ending in CPP:
        code = without(text, "comment")
        yield from check_includes(root, path, code)
        yield from check_words(path, code)
        if path.startswith("tests/") and path.endswith("_test.cpp"):
            yield from check_test_is_built(root, path)
    if ending in CPP | {".py"}:
        yield from check_length(path, text)
    if name == "CMakeLists.txt" or ending == ".cmake":
        yield from check_links(path, text)


def check_top(root):
    """What the repository holds at its top: the six folders and what tools look for there."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return  # an export without history: nothing says what belongs to it
    for entry in sorted({path.split("/", 1)[0] for path in listed.decode().split("\0") if path}):
        if entry not in TOP_FILES and entry not in TOP_FOLDERS and not entry.startswith("."):
            yield Finding(entry, 1, "does not belong at the top: move it into one of " + ", ".join(TOP_FOLDERS))


def is_source(path):
    name, ending = posixpath.basename(path), posixpath.splitext(path)[1]
    if name.endswith(".in"):  # a template is what it turns into: version.h.in
        ending = posixpath.splitext(name[:-3])[1]
    return ending in CPP | OTHER_SOURCE or name == "CMakeLists.txt"


def source_paths(root):
    for path in ("dev", ".ci/run", "CMakeLists.txt"):
        if os.path.isfile(os.path.join(root, path)):
            yield path
    for top in TOP_FOLDERS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(name for name in folders if name not in {"__pycache__", "build"})
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                if is_source(path):
                    yield path


def check_rules(root):
    """A rule for files that are not there holds nothing (asked of this project's tree alone)."""
    if not os.path.samefile(root, posixpath.join(posixpath.dirname(os.path.abspath(__file__)), "../..")):
        return
    for prefix in SHOWS_ANY_STEP:
        folder, name = posixpath.split(prefix)
        there = os.path.join(root, folder)
        if not os.path.isdir(there) or not any(file.startswith(name) for file in os.listdir(there)):
            yield Finding("tests/arch/check_tree.py", 1, f"SHOWS_ANY_STEP names {prefix}, which is no file")


def check_tree(root):
    findings = list(check_top(root))
    count = 0
    for path in source_paths(root):
        count += 1
        findings += check_file(root, path)
    return count, findings


def root_argument(doc):
    """The folder of --root, without which it is the project's own."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(here)))
    parser.add_argument("folder", nargs="?", help="the same as --root")
    arguments = parser.parse_args()
    return os.path.abspath(arguments.folder or arguments.root)


def report(subject, findings, anything):
    """Prints what was found of `subject`; returns the exit status. Where there was nothing to check that is a failure."""
    findings = list(findings)
    for finding in findings:
        print(finding)
    print(f"{subject} checked, {len(findings)} findings")
    return 1 if findings or not anything else 0


def main():
    root = root_argument(__doc__)
    count, findings = check_tree(root)
    findings += check_rules(root)
    for finding in findings:
        print(finding)
    fatal = sum(finding.fatal for finding in findings)
    print(f"{count} files checked, {fatal} violations, {len(findings) - fatal} notes")
    if count == 0:
        print(f"no source file found below {root}: nothing was checked")
        return 1
    return 1 if fatal else 0


if __name__ == "__main__":
    sys.exit(main())
