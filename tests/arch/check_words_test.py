#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of translations can fail: a text without one, one that takes other arguments, one that is gone."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "resources" / "translations"))
import core_words  # noqa: E402
import latin  # noqa: E402
import update  # noqa: E402


class CatalogueOfTheWindow(unittest.TestCase):
    def setUp(self):
        known, rooms, _ = update.read_catalogues("zh_CN")
        self.texts = {key: (rooms[key], "%n" in key[0]) for key in known}

    def test_is_whole(self):
        self.assertEqual(update.check("zh_CN", self.texts), [])

    def test_lacks_a_new_text(self):
        self.texts[("A text that nobody translated", "")] = ("shell", False)
        faults = update.check("zh_CN", self.texts)
        self.assertEqual(len(faults), 1)
        self.assertIn("lacks a translation", faults[0])

    def test_has_a_text_that_is_gone(self):
        self.texts.pop(next(iter(self.texts)))
        self.assertIn("no source has", update.check("zh_CN", self.texts)[0])

    def test_takes_the_arguments_of_the_text(self):
        self.assertEqual(list(update.faults_of("%1 of %2", ["%2 中的 %1"])), [])
        for wrong in ("%2 中的", "%1 %1", "%1 %2 %3"):
            self.assertTrue(list(update.faults_of("%1 of %2", [wrong])), wrong)

    def test_keeps_lines_patterns_and_blanks(self):
        self.assertTrue(list(update.faults_of("a\nb", ["甲乙"])))
        self.assertTrue(list(update.faults_of("Plans (*.json)", ["规划 (*.txt)"])))
        self.assertTrue(list(update.faults_of(" step", ["步"])))


class CatalogueOfCore(unittest.TestCase):
    def test_takes_the_places_of_the_text(self):
        self.assertIsNone(core_words.fault_of("{} of {:.1f}", "{1:.1f} 中的 {0}"))
        self.assertIsNone(core_words.fault_of("%1 of {{}}", "{{}} 的 %1"))
        for text, wrong in (("{} of {}", "{}"), ("{} of {}", "{0} {0}"), ("{}", "{} {}"), ("%1 of %2", "%1")):
            self.assertIsNotNone(core_words.fault_of(text, wrong), wrong)

    def test_takes_each_value_to_where_it_belongs(self):
        text = "{} reached {:.0f} % on {} x {} ({})"
        self.assertIsNone(core_words.fault_of(text, "{0} 在 {2} x {3} 上达到 {1:.0f} %（{4}）"))
        self.assertIsNone(core_words.fault_of("{:g} of {:g}", "{} / {}"))
        for wrong in ("{} 在 {} x {} 上达到 {:.0f} %（{}）", "{} 在 {} x {} 上达到 {} %（{}）",
                      "{0} 在 {1} x {2} 上达到 {3:.0f} %（{4}）"):
            self.assertIn("another value", core_words.fault_of(text, wrong) or "", wrong)

    def test_finds_the_texts_of_a_source(self):
        source = 'f("one " /* no */ "text"); g("value " + x + " in it"); h("left " + y); // "a comment here"\n'
        self.assertEqual(list(core_words.literals(source)), ["one text", "value {} in it", "left {}"])
        self.assertTrue(core_words.has_words("two words"))
        for text in ("key", "{} {}", "\0 \1 ab cd"):
            self.assertFalse(core_words.has_words(text), text)

    def test_finds_the_help_of_options(self):
        source = '{"steps", "N", "how many " "steps"}; .help = "what it does"; print("a report line");'
        self.assertEqual(list(core_words.help_texts(source)), ["how many steps", "what it does"])
        source = 'question("time", "how " "long"); c.examples = "One line.\\nExample:\\n  a-command --option";'
        self.assertEqual(list(core_words.help_texts(source)), ["how long", "One line.", "Example:"])


class WordsInLatinLetters(unittest.TestCase):
    def test_are_english_unless_they_are_terms_or_code(self):
        allowed = latin.terms()
        for text, found in (("计算，energy and money", ["energy", "and", "money"]), ("属于fair", ["fair"]),
                            ("29 % longer", ["longer"]), ("again: 1571", ["again"]), ("<b>of</b> 50", ["of"])):
            self.assertEqual(latin.english_in(text, allowed), found, text)
        for text in ("每个 token 的 GB", "见 --dim 和 layer.weight", "x.view(2, 3)", "tag:best", "键 \"width\"", "fp32、bf16",
                     "NVIDIA H100", "按 Ctrl+Shift+P", "%1 中的 {name}", "退出(&X)"):
            self.assertEqual(latin.english_in(text, allowed), [], text)

    def test_in_a_translation_are_a_fault(self):
        self.assertTrue(list(update.faults_of("%1 longer", ["长 %1 longer"])))


if __name__ == "__main__":
    unittest.main()
