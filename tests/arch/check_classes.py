#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds classes to one job each: counts the methods that a class declares and fails above the limit.

    check_classes.py [--root FOLDER] [--list COUNT]

Counted is every function that the class declares: constructors, getters of one line, signals and slots, public or
not; but not what is deleted or defaulted, nor friends, nor overrides, which are counted where they are declared
first. A class of more is to be cut by responsibility, never by text. --list prints those with at least that many.
Held by: check_classes_test.py, which plants a class of one method too many.
"""

import argparse
import os
import re
import sys
from dataclasses import dataclass

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from check_tree import CPP, Finding, blank, line_of, report, source_paths, without  # noqa: E402

MOST_METHODS = 25
# How many each has, and why: these may not grow, and an entry that is no longer right is a finding.
MAY_HAVE_MORE = {
    # One job, many words.
    "core/plan/step.h: Step":
        (29, "the questions that every view asks of a step, whoever ran it: an interface without state"),
    "ui/charts/chart_panel.h: ChartPanel":
        (36, "the one door to Qt Charts: a setter for each thing that a chart shows, and its hover"),
    "ui/settings/settings.h: Settings":
        (39, "a pair of get and set for each typed key, and nothing else"),
    "ui/engine/engine_client.h: EngineClient":
        (35, "one state machine of starting, losing, coming back to and ending an engine"),
    "ui/engine/run_controller.h: RunController":
        (26, "what the user asks of the engine, a method for each"),
    "tests/kernels/simulated/device.h: Device":
        (56, "the simulated GPU: one method for each call of CUDA that it plays"),
}

HEAD = re.compile(r"(?<!\w)(?<!enum )(?:class|struct)\s+(?:\[\[[^]]*\]\]\s*)?(?:alignas\([^)]*\)\s*)?"
                  r"((?:\w+::)*\w+)(?:\s*<[^<>{;]*>)?(?:\s+final)?\s*(?::[^;{()]*)?\{")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)
LABEL = re.compile(r"\b(?:public|protected|private|signals|Q_SIGNALS)\s*(?:slots|Q_SLOTS)?\s*:(?!:)")
NO_METHOD = re.compile(r"(?:using|typedef|friend|enum|class|struct|union|static_assert|extern)\b|[A-Z][A-Z_]+\s*\(")
BESIDE = re.compile(r"\[\[[^]]*\]\]|\b(?:decltype|alignas|explicit|requires)\s*\((?:[^()]|\([^()]*\))*\)")
OPERATOR = re.compile(r"\boperator\s*(?:\(\)|\[\]|[^\s\w(]+|[\w:]+[&*\s]*)\s*\(")
METHOD = re.compile(r"~?[A-Za-z_]\w*\s*\((?!\s*[*&])")


@dataclass(frozen=True)
class Class:
    path: str
    line: int
    name: str
    methods: tuple


def closed(code, opened):
    """The position behind the brace that closes the one at `opened`."""
    depth = 0
    for position in range(opened, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth == 0:
            return position + 1
    return len(code)


def statements(body):
    """What stands in the braces of a class, one declaration each, with {} for what stands in braces there."""
    said, position = "", 0
    while position < len(body):
        sign = body[position]
        position += 1
        if sign == "{":
            end = closed(body, position - 1)
            # The braces of a member or of an initialiser, and a type that is declared here, go on to the semicolon.
            initialises = re.search(r"\)\s*(?:noexcept\s*)?:(?!:)[^{}]*(?:\{\}[^{}]*)*$", said) and \
                re.search(r"[\w>]\s*$", said)
            ends = method_of(said) and not initialises
            said, position = said + "{}", end
            if ends:
                yield said
                said = ""
        elif sign == ";":
            yield said
            said = ""
        else:
            said += sign


def method_of(statement):
    """The name of the function that a declaration declares, or an empty text."""
    words = LABEL.sub(" ", BESIDE.sub(" ", statement)).replace("Q_OBJECT", " ").strip()
    operator = OPERATOR.search(words)
    if not operator:
        while re.search(r"<[^<>]*>", words):  # std::function<void(int)> is no function
            words = re.sub(r"<[^<>]*>", " ", words)
    words = re.sub(r"^(?:template\b\s*)+", "", words.strip()).strip()
    if NO_METHOD.match(words):
        return ""
    found = operator or METHOD.search(words)
    if not found or (not operator and "=" in words[:found.start()]):
        return ""
    if re.search(r"=\s*(?:delete|default)\s*$|\b(?:override|final)\b", words[found.end():]):
        return ""
    return found[0].rstrip("( \n\t")


def classes(path, text):
    code = DIRECTIVE.sub(lambda match: blank(match[0]), without(text, "comment", "text", "char", "raw"))
    for head in HEAD.finditer(code):
        body = code[head.end():closed(code, head.end() - 1) - 1]
        methods = tuple(name for name in map(method_of, statements(body)) if name)
        yield Class(path, line_of(code, head.start()), head[1], methods)


def all_classes(root):
    for path in source_paths(root):
        if os.path.splitext(path)[1] in CPP:
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as source:
                yield from classes(path, source.read())


def check_classes(found, exceptions):
    seen = set()
    for one in found:
        key = f"{one.path}: {one.name}"
        count, most = len(one.methods), exceptions.get(key, (MOST_METHODS, ""))[0]
        if count > most:
            yield Finding(one.path, one.line, f"{one.name} has {count} methods: cut it by responsibility, "
                                              f"{most} is the most")
        if count >= most:
            seen.add(key)
    for name in sorted(exceptions.keys() - seen):
        yield Finding("tests/arch/check_classes.py", 1, f"the exception of {name} is not its count of methods any more")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(here)))
    parser.add_argument("--list", type=int, metavar="COUNT", help="print the classes with at least that many methods")
    arguments = parser.parse_args()
    found = list(all_classes(os.path.abspath(arguments.root)))
    if arguments.list is not None:
        for one in sorted(found, key=lambda one: -len(one.methods)):
            if len(one.methods) >= arguments.list:
                print(f"{one.path}:{one.line}: {one.name} {len(one.methods)}: {' '.join(one.methods)}")
        return 0
    return report(f"{len(found)} classes", check_classes(found, MAY_HAVE_MORE), bool(found))


if __name__ == "__main__":
    sys.exit(main())
