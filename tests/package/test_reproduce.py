# SPDX-License-Identifier: Apache-2.0
"""The comparison of packages notices what differs; the sources keep what would make them differ out."""

import os
import pathlib
import tempfile
import unittest

from test_portable import module

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
reproduce = module("reproduce")


class Compared(unittest.TestCase):
    def compared(self, first, second):
        with tempfile.TemporaryDirectory() as folder:
            for name, files in (("first", first), ("second", second)):
                place = pathlib.Path(folder, name)
                place.mkdir()
                for file, content in files.items():
                    (place / file).write_bytes(content)
            return reproduce.compare(pathlib.Path(folder, "first"), pathlib.Path(folder, "second"))

    def test_the_same_is_the_same(self):
        same, lines = self.compared({"a.deb": b"12", "b.deb": b"3"}, {"a.deb": b"12", "b.deb": b"3"})
        self.assertTrue(same)
        self.assertEqual(len(lines), 2)

    def test_a_byte_a_length_or_a_file_makes_a_difference(self):
        for other in ({"a.deb": b"13"}, {"a.deb": b"123"}, {"a.deb": b"12", "b.deb": b""}, {}):
            same, lines = self.compared({"a.deb": b"12"}, other)
            self.assertFalse(same, other)
        self.assertIn("a.deb: differs from byte 1 on", self.compared({"a.deb": b"12"}, {"a.deb": b"13"})[1])

    def test_nothing_is_no_proof(self):
        self.assertFalse(self.compared({}, {})[0])


class Sources(unittest.TestCase):
    def test_qts_resources_have_no_times_of_files(self):
        """Of what this build generated: rcc's first form has no such field."""
        found = list(pathlib.Path(os.environ["PLUMBLINE_BUILD"]).rglob("qrc_*.cpp"))
        if "gui" in os.environ["PLUMBLINE_PARTS"]:
            self.assertTrue(found)
        for file in found:
            self.assertIn("int version = 1;", file.read_text(), file)


if __name__ == "__main__":
    unittest.main()
