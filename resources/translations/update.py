#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the catalogues of the window's words to its sources.

    update.py [--lupdate PROGRAM]          takes new texts into the catalogues and drops those that are gone
    update.py --check [--lupdate PROGRAM]  writes nothing; fails on any text without a finished translation

A catalogue zh_CN/ROOM.ts holds the texts of the room ui/ROOM. A text that several rooms have stands once, in the first
of them. lupdate, of Qt, finds the texts; in which class they stand is not kept (ui/theme/translations.cpp).
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

import latin

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LANGUAGES = ("zh_CN",)
PLURAL_FORMS = {"zh_CN": 1}
KEPT_AS_THEY_ARE = re.compile(r"[^A-Za-z]*$")


def find_lupdate(given):
    for name in (given, "lupdate", "/usr/lib/qt6/bin/lupdate", "lupdate-qt6"):
        if name and shutil.which(name):
            return name
    sys.exit("update.py: lupdate is missing: install qt6-l10n-tools")


def texts_of_sources(lupdate):
    """Returns {(source, comment): (room, numerus)} of everything that the sources pass to tr()."""
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "found.ts"
        subprocess.run([lupdate, "-silent", "-no-obsolete", "-I", ".", "ui", "app/gui", "-ts", str(found)],
                       cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        tree = ElementTree.parse(found).getroot()
        texts = {}
        for message in tree.iter("message"):
            source = message.findtext("source") or ""
            comment = message.findtext("comment") or ""
            place = (found.parent / message.find("location").get("filename")).resolve()
            parts = place.relative_to(ROOT.resolve()).parts
            room = parts[1] if parts[0] == "ui" else "shell"
            key = (source, comment)
            numerus = message.get("numerus") == "yes"
            if key not in texts or room < texts[key][0]:
                texts[key] = (room, numerus or texts.get(key, ("", False))[1])
            elif numerus:
                texts[key] = (texts[key][0], True)
    return texts


def read_catalogues(language):
    """Returns {(source, comment): [translation of each plural form]} of finished messages; room of each."""
    known, rooms, doubled = {}, {}, []
    for path in sorted((HERE / language).glob("*.ts")):
        for message in ElementTree.parse(path).getroot().iter("message"):
            key = (message.findtext("source") or "", message.findtext("comment") or "")
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.findall("numerusform")] or [translation.text or ""]
            if key in rooms:
                doubled.append(f"{path.name} and {rooms[key]}.ts both have: {key[0]}")
            rooms[key] = path.stem
            if translation.get("type") != "unfinished" and all(forms):
                known[key] = forms
    return known, rooms, doubled


def arguments_of(text):
    """The arguments %1, %L2, %n that a text takes, and its tags, sorted."""
    return sorted(re.findall(r"%L?\d+|%n|</?[a-z]+", text))


def faults_of(source, forms, allowed=latin.terms()):
    for form in forms:
        if words := latin.english_in(form, allowed):
            yield f"{words} is English, or a term that terms.txt lacks: {form!r}"
        if arguments_of(form) != arguments_of(source):
            yield f"arguments differ: {source!r} and {form!r}"
        if source.count("\n") != form.count("\n"):
            yield f"lines differ: {source!r} and {form!r}"
        # Patterns of files stay as they are: "Snapshots (*.plumb)".
        if re.findall(r"\*\.\w+", source) != re.findall(r"\*\.\w+", form):
            yield f"patterns differ: {source!r} and {form!r}"
        if (source[:1].isspace(), source[-1:].isspace()) != (form[:1].isspace(), form[-1:].isspace()):
            yield f"spaces around differ: {source!r} and {form!r}"


def write_catalogue(path, language, entries):
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>",
             f'<TS version="2.1" language="{language}" sourcelanguage="en">', "<context>",
             "    <name>plumbline</name>"]
    for (source, comment), numerus, forms in entries:
        lines.append("    <message numerus=\"yes\">" if numerus else "    <message>")
        lines.append(f"        <source>{escape(source)}</source>")
        if comment:
            lines.append(f"        <comment>{escape(comment)}</comment>")
        kind = "" if forms else ' type="unfinished"'
        if numerus:
            lines.append(f"        <translation{kind}>")
            lines += [f"            <numerusform>{escape(form)}</numerusform>" for form in forms or [""]]
            lines.append("        </translation>")
        else:
            lines.append(f"        <translation{kind}>{escape(forms[0]) if forms else ''}</translation>")
        lines.append("    </message>")
    lines += ["</context>", "</TS>", ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def update(language, texts):
    known, rooms, _ = read_catalogues(language)
    by_room = {}
    for key, (room, numerus) in sorted(texts.items()):
        # A text without words ("%1 × %2") is its own translation.
        forms = known.get(key) or ([key[0]] if KEPT_AS_THEY_ARE.match(re.sub(r"%L?\d+|%n", "", key[0])) else None)
        by_room.setdefault(room, []).append((key, numerus, forms))
    for path in (HERE / language).glob("*.ts"):
        if path.stem not in by_room:
            path.unlink()
    for room, entries in by_room.items():
        write_catalogue(HERE / language / f"{room}.ts", language, entries)
    missing = sum(1 for entries in by_room.values() for _, _, forms in entries if not forms)
    print(f"{language}: {len(texts)} texts, {missing} of them not translated yet; "
          f"{len(set(rooms) - set(texts))} are gone")


def check(language, texts):
    known, rooms, faults = read_catalogues(language)
    faults += [f"{rooms[key]}.ts has a text that no source has: {key[0]!r}" for key in rooms if key not in texts]
    for key, (room, numerus) in texts.items():
        if key not in known:
            faults.append(f"{room}.ts lacks a translation: {key[0]!r}")
        elif len(known[key]) != (PLURAL_FORMS[language] if numerus else 1):
            faults.append(f"{room}.ts has the wrong number of plural forms: {key[0]!r}")
        else:
            faults += [f"{rooms[key]}.ts: {fault}" for fault in faults_of(key[0], known[key])]
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--lupdate", default="")
    given = parser.parse_args()
    texts = texts_of_sources(find_lupdate(given.lupdate))
    if not texts:
        sys.exit("update.py: lupdate found no text at all")
    failed = False
    for language in LANGUAGES:
        if not given.check:
            (HERE / language).mkdir(exist_ok=True)
            update(language, texts)
            continue
        faults = check(language, texts)
        failed |= bool(faults)
        for fault in faults:
            print(fault)
        print(f"{language}: {len(texts)} texts, {len(faults)} faults")
    if failed:
        sys.exit("update.py: run resources/translations/update.py, and translate what it marks as unfinished")


if __name__ == "__main__":
    main()
