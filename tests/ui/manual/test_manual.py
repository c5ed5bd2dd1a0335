#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual as web pages: the program writes it, and links, pictures and places are what they say."""
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[3]
ONE_PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                          "1f15c4890000000d49444154789c6300010000000500010d0a2db40000000049454e44ae426082")
EMPTY = {"meta", "link", "br", "hr", "img"}


class Page(html.parser.HTMLParser):
    """What a page links to, shows and names; and whether its elements lie within each other."""

    def __init__(self, path):
        super().__init__()
        self.links, self.pictures, self.places, self.open, self.language = [], [], [], [], None
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self.open, f"{path} leaves {self.open} open"

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if tag == "html":
            self.language = known.get("lang")
        if "href" in known:
            self.links.append(known["href"])
        if tag == "img":
            self.pictures.append(known["src"])
            assert known.get("alt"), f"{known['src']} has no words instead"
        if "id" in known:
            self.places.append(known["id"])
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> ends something else"


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        (cls.root / "en" / "pictures").mkdir(parents=True)
        (cls.root / "en" / "pictures" / "memory.png").write_bytes(ONE_PIXEL)
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
        done = subprocess.run([os.environ["PLUMBLINE"], "--export-manual", str(cls.root)], env=environment, text=True,
                              capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr
        cls.pages = {path.relative_to(cls.root).as_posix(): Page(path) for path in sorted(cls.root.rglob("*.html"))}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_is_there_in_both_languages(self):
        names = {language: {path.split("/")[1] for path in self.pages if path.startswith(language + "/")}
                 for language in ("en", "zh_CN")}
        self.assertEqual(names["en"], names["zh_CN"])
        self.assertIn("index.html", names["en"])
        self.assertEqual(names["en"], {path.stem + ".html" for path in (SOURCE / "docs/manual/en").glob("*.md")})
        self.assertEqual(self.pages["en/memory.html"].language, "en")
        self.assertEqual(self.pages["zh_CN/memory.html"].language, "zh-Hans")

    def test_leads_somewhere_by_every_link(self):
        count = 0
        for path, page in self.pages.items():
            for link in page.links:
                if link.startswith("https://"):
                    continue
                name, _, place = link.partition("#")
                target = (self.root / path).parent / name if name else self.root / path
                target = pathlib.Path(os.path.normpath(target))
                self.assertTrue(target.is_file(), f"{path} leads to {link}")
                if place:
                    there = self.pages[target.relative_to(self.root).as_posix()]
                    self.assertIn(place, there.places, f"{path} leads to {link}")
                count += 1
        self.assertGreater(count, 1000)

    def test_shows_the_pictures_that_are_there_and_no_others(self):
        self.assertEqual(self.pages["en/memory.html"].pictures, ["pictures/memory.png"])
        self.assertEqual([path for path, page in self.pages.items() if page.pictures], ["en/memory.html"])

    def test_has_a_place_for_every_dialog(self):
        dialogs = 0
        for header in (SOURCE / "ui").rglob("*.h"):
            if not re.search(r"class \w+ (final )?: public QDialog", header.read_text(encoding="utf-8")):
                continue
            body = header.with_suffix(".cpp").read_text(encoding="utf-8")
            names = re.findall(r'^\s+setObjectName\(QStringLiteral\("(\w+)"\)\)', body, re.MULTILINE)
            self.assertTrue(set(names) & set(self.pages["en/dialogs.html"].places),
                            f"{header.name} ({names}) is not in the manual")
            dialogs += 1
        self.assertGreaterEqual(dialogs, 6)

    def test_says_the_same_when_it_is_written_again(self):
        with tempfile.TemporaryDirectory() as again:
            subprocess.run([os.environ["PLUMBLINE"], "--export-manual", again], check=True, capture_output=True,
                           timeout=120)
            for path in self.pages:
                if path != "en/memory.html":
                    self.assertEqual((self.root / path).read_bytes(), (pathlib.Path(again) / path).read_bytes())

    def test_refuses_a_folder_that_cannot_be_made(self):
        done = subprocess.run([os.environ["PLUMBLINE"], "--export-manual", "/dev/null/manual"], text=True,
                              capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be made: choose another", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
