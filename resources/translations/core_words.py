#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the catalogues of core's words (zh_CN/core/FLOOR.po) to the sources of core, kernels and command line.

    core_words.py           takes new texts into the catalogues and drops those that are gone
    core_words.py --check   writes nothing; fails on a text without translation, and on other places than the text has

Every text literal of several words counts, and the single words that unspoken.txt does not list. A text that nobody is shown
(a key, a format of a file) stands in unspoken.txt, one a line, with \\n for a line's end.
"""
import argparse
import itertools
import pathlib
import re
import sys

import latin

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LANGUAGES = ("zh_CN",)
FOLDERS = ("core", "kernels", "app/cli", "app/gui")
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|#[ ]*(?:include|error)[^\n]*|\'(?:[^\'\\\n]|\\.)+\'|'
    r'"((?:[^"\\\n]|\\.)*)"', re.S)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'", "0": "\0", "r": "\r"}


def unescaped(text):
    def one(match):
        code = match.group(1)
        if code[0] in "uU":
            return chr(int(code[1:], 16))
        if code[0] == "x":
            return "\ufffd"
        return ESCAPES.get(code, code)
    return re.sub(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]+|.)", one, text)


def joins(between):
    """Whether source text between two literals puts a value there: "a " + value + " b"."""
    inner = between.strip()
    if len(inner) < 3 or inner[0] != "+" or inner[-1] != "+" or any(c in inner for c in ';{}"?'):
        return False
    depth = 0
    for c in inner:
        depth += (c in "([") - (c in ")]")
        if depth < 0 or (c == "," and depth == 0):
            return False
    return depth == 0


def literals(source):
    """Yields the text literals of a source, neighbours as one, and values that are put between them as "{}"."""
    joined, end = None, 0

    def finished():
        # A value behind the last one: "a " + value.
        return joined + ("{}" if re.match(r"\s*\+\s*[\w(]", source[end:end + 200]) else "")

    for match in TOKEN.finditer(source):
        text = match.group(2)
        if text is None:
            continue
        between = re.sub(r"//[^\n]*|/\*.*?\*/", "", source[end:match.start()], flags=re.S)
        if joined is not None and not between.strip():
            joined += unescaped(text)
        elif joined is not None and joins(between):
            joined += "{}" + unescaped(text)
        else:
            if joined is not None:
                yield finished()
            before = source[max(0, match.start() - 200):match.start()]
            joined = ("{}" if re.search(r"[\w)\]]\s*\+\s*$", before) else "") + unescaped(text)
        end = match.end()
    if joined is not None:
        yield finished()


STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
HELP = re.compile(r'\{\s*"[a-z0-9-]+",\s*"[^"]*",\s*(?:fmt::format\()?' + STRINGS + r'|\.(?:help|positionalHelp) =\s*' + STRINGS +
                  r'|question\(\s*"[a-z]+",\s*' + STRINGS + r'|inWords\(\s*' + STRINGS + r'|text \+=\s*(?:fmt::format\(\s*)?' +
                  r'("\\n\((?:[^"\\]|\\.)*")')
BELOW = re.compile(r'examples =\s*' + STRINGS)


def joined_strings(strings):
    return "".join(unescaped(text) for text in re.findall(r'"((?:[^"\\]|\\.)*)"', strings))


def help_texts(source):
    """Yields the texts of --help in a source of the command line; its reports are English, for programs too."""
    for match in HELP.finditer(source):
        # A help of several texts has them in lines.
        yield from joined_strings(next(group for group in match.groups() if group)).split("\n")
    for match in BELOW.finditer(source):
        # Commands stand behind blanks; the sentences beside them are told.
        yield from (line for line in joined_strings(match.group(1)).split("\n") if line[:1] not in (" ", ""))


def is_read(path):
    """Whether an exporter is for people: the report, and the names of formats. The others write for programs."""
    return path.stem == "formats" or path.stem.startswith("html_")


# What makes an error or a line of progress, up to its closing bracket; for_people.h marks what becomes a part of one.
SAID = re.compile(r'\{\s*ErrorCode::|error\.(?:hint|message) = |fmt::print\(\s*stderr|\b(?:badInput|internalError|'
                  r'didYouMean|refuse|unavailable|ended|forPeople|show|setProgress)\(')


def closing(source, start):
    """Returns where the bracket that opens behind `start` closes, or the statement ends."""
    depth, at = 0, start
    while at < len(source):
        if token := TOKEN.match(source, at):
            at = token.end()
            continue
        depth += (source[at] in "({[") - (source[at] in ")}]")
        if depth < 0 or source[at] == ";" or (depth == 0 and source[at] in ")}"):
            return at
        at += 1
    return at


# What is wrong with a field of a file, and any other error.
REFUSED = re.compile(r'\{\s*ErrorCode::|\b(?:badInput|fail|failAt)\(')


def said_texts(source, said=SAID):
    """Yields the texts of errors, notes and progress in a source of the command line, or of what `said` finds."""
    for match in said.finditer(source):
        opened = match.start() + re.search(r"[({=]", match.group()).start()
        yield from literals(source[opened:closing(source, opened)])


def program_texts(source):
    yield from help_texts(source)
    yield from said_texts(source)


SYSTEM_ERROR = re.compile(r'systemError\(\s*"([^"]+)"')


def has_words(text):
    """Whether a text is of several words, as people read them."""
    if any(ord(c) < 32 and c not in "\n\t" for c in text):
        return False  # bytes of a file
    bare = re.sub(r"\{[^}]*\}", " ", text)
    if re.search(r"</?[a-z]", text):
        return False  # the elements of a page
    return " " in text.strip() and re.search(r"[A-Za-z]{2,}", bare) is not None


def texts_of_sources():
    texts = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            parts = path.relative_to(ROOT).parts
            floor = parts[1]
            if "bodies" in parts:
                continue
            source = path.read_text(encoding="utf-8")
            texts_of = program_texts(source) if floor in ("cli", "gui") else literals(source)
            # What the keys of a file mean is told by its schema, to programmers; what is written there, in English.
            # What is refused there is for people.
            if path.stem.endswith("_json") or (floor == "export" and not is_read(path)):
                texts_of = said_texts(source, REFUSED)
            # systemError() puts what could not be done into a sentence.
            cannot = (f"cannot {what} {{:s}} ({{}})" for what in SYSTEM_ERROR.findall(source))
            for text in itertools.chain(texts_of, cannot):
                if has_words(text):
                    texts.setdefault(text, floor)
    return texts


def escaped(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def read_list(path):
    return {unescaped(line) for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("# ")} \
        if path.exists() else set()


def read_catalogue(path):
    entries, now, key = {}, None, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r'(?:(msgid|msgstr) )?"(.*)"$', line)
        if not match:
            continue
        if match.group(1) == "msgid":
            now, key = "id", unescaped(match.group(2))
            entries[key] = ""
        elif match.group(1) == "msgstr":
            now = "text"
            entries[key] += unescaped(match.group(2))
        elif now == "id":
            sofar = entries.pop(key)
            key += unescaped(match.group(2))
            entries[key] = sofar
        else:
            entries[key] += unescaped(match.group(2))
    return entries


def places(text):
    """The places {} of a text: their number, and what numbers they name."""
    found = re.findall(r"\{([^{}]*)\}", text.replace("{{", "").replace("}}", ""))
    return len(found), sorted(int(p.split(":")[0]) for p in found if p.split(":")[0].isdigit())


def arguments(text):
    """What each place of a text shows: {its number: (its form, its unit)}, as in "{:.1f} %" and "{1:.1f} %"."""
    found = re.finditer(r"\{(\d*)(:?[^{}]*)\}( ?%(?!\d)|)", text.replace("{{", "").replace("}}", ""))
    return {int(match.group(1) or index): (match.group(2), match.group(3).strip()) for index, match in enumerate(found)}


def fault_of(text, translation):
    count, _ = places(text)
    # The sentences of findings have their arguments as Qt writes them.
    if sorted(re.findall(r"%[1-9]", text)) != sorted(re.findall(r"%[1-9]", translation)):
        return f"the arguments differ: {text!r} and {translation!r}"
    used, named = places(translation)
    if named and named != list(range(count)):
        return f"the places differ: {text!r} and {translation!r}"
    if not named and used != count:
        return f"the places differ: {text!r} and {translation!r}"
    wants = arguments(text)
    for place, (form, unit) in arguments(translation).items():
        # A place without a form takes that of the text.
        if (form and form != wants[place][0]) or unit != wants[place][1]:
            return f"place {place} is another value: {text!r} and {translation!r}"
    return None


def write_catalogue(path, entries):
    lines = ["# SPDX-License-Identifier: Apache-2.0"]
    for text, translation in sorted(entries.items()):
        lines += ["", f'msgid "{escaped(text)}"', f'msgstr "{escaped(translation)}"']
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    unspoken = read_list(HERE / "unspoken.txt")
    texts = {text: floor for text, floor in texts_of_sources().items() if text not in unspoken}
    faults = []
    for language in LANGUAGES:
        folder = HERE / language / "core"
        # names.po and separators.po are kept by hand: single words, and what stands between texts.
        kept = {path.stem: read_catalogue(path) for path in folder.glob("*.po")}
        by_hand = {text for stem in ("names", "separators") for text in kept.get(stem, {})}
        known = {text: translation for entries in kept.values() for text, translation in entries.items() if translation}
        missing = [text for text in texts if text not in known]
        if check:
            faults += [f"{texts[text]}.po lacks a translation: {text!r}" for text in missing]
            faults += [f"{stem}.po has a text that no source has: {text!r}" for stem, entries in kept.items()
                       for text in entries if text not in texts and text not in by_hand]
            faults += [f for f in (fault_of(text, translation) for text, translation in known.items()) if f]
            allowed = latin.terms()
            faults += [f"{words} is English, or a term that terms.txt lacks: {translation!r}"
                       for translation in known.values() for words in (latin.english_in(translation, allowed),) if words]
            continue
        floors = {}
        for text, floor in texts.items():
            if text not in by_hand:
                floors.setdefault(floor, {})[text] = known.get(text, "")
        for stem in kept:
            if stem not in floors and stem not in ("names", "separators"):
                (folder / f"{stem}.po").unlink()
        for floor, entries in floors.items():
            write_catalogue(folder / f"{floor}.po", entries)
        print(f"{language}: {len(texts)} texts of core, {len(missing)} of them not translated yet")
    for fault in faults:
        print(fault)
    if faults:
        sys.exit("core_words.py: run resources/translations/core_words.py, and translate what is empty, or list in "
                 "unspoken.txt what nobody is shown")


if __name__ == "__main__":
    main()
