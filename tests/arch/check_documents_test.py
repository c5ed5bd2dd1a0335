#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that check_documents.py can fail: plants each mistake in a small tree and expects it to be found."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check_documents  # noqa: E402

CLEAN = {
    "core/plan/plan.h": "int planStep();\n",
    "README.md": "# It\n[docs](docs/a.md) and `core/plan/plan.h`, `planStep()`, [there](https://example.invalid/x)\n",
    "docs/a.md": "# A heading, here\n[back](../README.md) [self](#a-heading-here)\n",
}


class CheckDocuments(unittest.TestCase):
    def findings(self, **changed):
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**CLEAN, **{key.replace("__", "/") + ".md": text for key, text in changed.items()}}.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return list(check_documents.check_documents(root))

    def test_clean_documents_pass(self):
        self.assertEqual(self.findings(), [])

    def test_each_mistake_is_found_where_it_stands(self):
        for text, said in (
            ("# A\n[x](gone.md)\n", "docs/a.md:2: the link gone.md leads nowhere"),
            ("# A\n[x](../../outside.md)\n", "docs/a.md:2: the link ../../outside.md leads nowhere"),
            ("# A\n[x](../README.md#nothing)\n", "docs/a.md:2: the link ../README.md#nothing names a heading"),
            ("# A\n\n`core/plan/gone.cpp`\n", "docs/a.md:3: core/plan/gone.cpp does not exist"),
            ("# A\n`planStop()`\n", "docs/a.md:2: no header has planStop()"),
        ):
            with self.subTest(text):
                found = self.findings(docs__a=text)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(said), found)

    def test_a_long_readme_is_found(self):
        found = self.findings(README="[docs](docs/a.md)\n" * (check_documents.README_LINES + 1))
        self.assertEqual(len(found), 1)
        self.assertIn("belongs in docs", found[0])

    def test_a_document_that_nothing_leads_to_is_found(self):
        self.assertEqual(self.findings(docs__lonely="# Lonely\n"), ["docs/lonely.md:1: no other document leads here"])


if __name__ == "__main__":
    unittest.main()
