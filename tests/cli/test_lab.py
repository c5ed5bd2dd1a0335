#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The questions that need no run: number formats."""

import unittest

from plumbline_cli import CliTest


class Dtype(CliTest):
    def stored(self, value, name):
        document = self.ok_json("dtype", value)
        return next(entry for entry in document["formats"] if entry["format"] == name)

    def test_one_hundred_millionth_is_zero_in_fp16_and_kept_in_bf16(self):
        self.assertEqual(self.stored("1e-8", "fp16")["fate"], "underflow to zero")
        self.assertEqual(self.stored("1e-8", "fp16")["stored"], 0)
        self.assertEqual(self.stored("1e-8", "bf16")["code"], "0x322C")

    def test_seventy_thousand_is_infinite_in_fp16(self):
        entry = self.stored("70000", "fp16")
        self.assertEqual((entry["code"], entry["fate"], entry["stored_text"]), ("0x7C00", "overflow", "inf"))
        self.assertIsNone(entry["stored"])
        self.assertEqual(self.stored("70000", "bf16")["stored"], 70144)

    def test_negative_numbers_are_no_options(self):
        self.assertEqual(self.stored("-0.3", "fp4_e2m1")["stored"], -0.5)

    def test_rubbish_is_named(self):
        self.refused(2, "dtype", "abc", says="(abc)")
        self.refused(2, "dtype", "1", "--format", "fp12", says="fp12")


if __name__ == "__main__":
    unittest.main()
