# SPDX-License-Identifier: Apache-2.0
"""The HTML report is read by people: in the language of the process, and in English the same numbers."""

import re
import unittest

from plumbline_cli import SMALL, CliTest
from test_chinese import latin
from test_exports import RECORDED, Page

# Options and their values, as one types them.
TYPED = {"adamw", "amsgrad", "backend", "checkpoint", "constant", "epsilon", "init", "same"}


class ChineseReport(CliTest):
    maxDiff = None

    def report(self, file, language):
        self.environment["LC_ALL"] = language
        self.ok("export", file, "--format", "html", "--out", "report.html")
        return (self.folder / "report.html").read_text(encoding="utf-8")

    def made(self):
        self.ok("train", *SMALL, "--backend", "cpu", "--steps", "3", "--out", "trained.plumb")
        return "trained.plumb"

    def test_has_no_english_of_ours(self):
        page = Page(self.report(self.made(), "zh_CN.UTF-8"))
        self.assertEqual((page.problems, page.elements[0][1]), ([], {"lang": "zh-Hans"}))
        allowed = latin.terms()
        self.assertEqual([(words, text) for text in page.texts if text not in TYPED
                          for words in (latin.english_in(text, allowed),) if words], [])

    def test_leaves_the_names_of_a_recorded_step_as_they_are(self):
        texts = Page(self.report(RECORDED, "zh_CN.UTF-8")).texts
        for text in ("blocks.0.attention.q · 优化器 · add_", "blocks.0.attention.q", "norm", "阶段", "严重程度", "警告", "依据"):
            self.assertIn(text, texts)
        self.assertTrue(any("8 k 个参数" in text for text in texts), texts[:8])
        self.assertFalse([text for text in texts if "FLOPs" in text])

    def test_punctuation_and_axes_are_those_of_the_window(self):
        page = self.report(RECORDED, "zh_CN.UTF-8")
        evidence = [text for text in Page(page).texts if "由时钟测得" in text]
        self.assertTrue(evidence)
        for text in evidence:
            self.assertNotRegex(text, r"[;(]|[^0-9]: ")
        ticks = re.findall(r'class="tick [a-z]+">([^<]*)<', page)
        self.assertFalse([tick for tick in ticks if re.fullmatch(r"0\.[0-9]*0", tick)], ticks)

    def test_numbers_are_those_of_the_english_one(self):
        for file in (self.made(), RECORDED):
            english, chinese = (self.report(file, language) for language in ("C.UTF-8", "zh_CN.UTF-8"))
            self.assertEqual(re.findall(r'data-value="[^"]*"', english), re.findall(r'data-value="[^"]*"', chinese))
            self.assertIn('<html lang="en">', english)
            self.assertIn("Key figures", english)
            self.assertNotIn("Key figures", chinese)


if __name__ == "__main__":
    unittest.main()
