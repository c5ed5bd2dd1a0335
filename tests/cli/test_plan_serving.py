#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serving, measured rates, devices to choose among, and goodput."""

import csv
import io
import unittest

from plumbline_cli import CliTest

H100 = ["--device", "H100 SXM"]
LLAMA = ["--model", "llama-3-8b", *H100]


class Serving(CliTest):
    def test_cache_times_and_rates_of_a_server(self):
        answer = self.ok_json("plan", "serve", *LLAMA, "--context-length", "8192", "--batch", "16", "--prompt", "1024")
        self.assertEqual(answer["cache_bytes_per_token"]["expected"], 131072)
        self.assertEqual(answer["cache_bytes_per_request"]["expected"], 131072 * 8192)
        self.assertTrue(answer["fits"])
        self.assertEqual(answer["server"]["requests"], 16)
        self.assertAlmostEqual(answer["output_token_seconds"]["expected"] * answer["request_tokens_per_second"]["expected"], 1)
        self.assertAlmostEqual(answer["device_output_tokens_per_second"]["expected"] /
                               answer["request_tokens_per_second"]["expected"], 16)
        self.assertAlmostEqual(answer["device_prompt_tokens_per_second"]["expected"] *
                               answer["first_token_seconds"]["expected"], 1024)
        parts = sum(part["bytes"] for part in answer["memory_parts"])
        self.assertAlmostEqual(parts / answer["server_memory_bytes"]["expected"], 1, places=6)
        seconds = sum(op["seconds"] for op in answer["output_pass"]["ops"]) + answer["output_pass"]["all_reduce_seconds"]
        self.assertAlmostEqual(seconds / answer["output_token_seconds"]["expected"], 1, places=6)

    def test_text_says_what_it_takes_for_granted(self):
        text = self.ok("plan", "serve", *LLAMA, "--weights", "int4")
        for words in ["time to the first token", "most requests at once", "4-bit weights", "nobody waits", "fits: "]:
            self.assertIn(words, text)
        text = self.ok("plan", "serve", "--model", "llama-3-70b", *H100)
        self.assertIn("DOES NOT FIT", text)
        self.assertIn("does not fit", text)

    def test_formats_tensor_parallelism_and_sweeps(self):
        plain = self.ok_json("plan", "serve", *LLAMA)
        small = self.ok_json("plan", "serve", *LLAMA, "--weights", "fp8", "--cache", "fp8")
        self.assertEqual(small["server"]["compute"], "fp8_e4m3")
        self.assertEqual(2 * small["cache_bytes_per_token"]["expected"], plain["cache_bytes_per_token"]["expected"])
        self.assertLess(small["output_token_seconds"]["expected"], plain["output_token_seconds"]["expected"])
        a100 = self.ok_json("plan", "serve", "--model", "llama-3-8b", "--device", "a100-sxm4-80gb", "--weights", "fp8")
        self.assertEqual(a100["server"]["compute"], "bf16")
        four = self.ok_json("plan", "serve", *LLAMA, "--tensor", "4")
        self.assertGreater(four["output_pass"]["all_reduce_seconds"], 0)
        self.assertLess(four["output_token_seconds"]["expected"], plain["output_token_seconds"]["expected"])
        rows = list(csv.DictReader(io.StringIO(self.ok("plan", "serve", *LLAMA, "--sweep", "requests=1..64:x2", "--csv"))))
        rates = [float(row["device_output_tokens_per_second"]) for row in rows]
        self.assertEqual(rates, sorted(rates))
        self.assertEqual([row["fits"] for row in rows][:1], ["true"])

    def test_other_questions_have_its_numbers(self):
        solved = self.ok_json("plan", "solve", *LLAMA, "--output", "device_output_tokens_per_second", "--target", "2000",
                              "--for", "requests", "--context-length", "2048")
        self.assertGreater(solved["solution"], 8)
        bars = self.ok_json("plan", "sensitivity", *LLAMA, "--output", "output_token_seconds")["bars"]
        self.assertIn("bandwidth", [bar["input"] for bar in bars])

    def test_other_names_of_its_numbers_count_as_the_same(self):
        serve = ["plan", "serve", "--model", "llama-3-8b", "--device", "h100-sxm"]
        self.refused(2, *serve, "--requests", 8, "--batch", 16, says=["--requests is given twice", "--batch", "8 and 16"])
        self.refused(2, *serve, "--weights", "fp8", "--weight-bits", 16, says=["--weight-bits is given twice", "--weights"])

    def test_what_cannot_be_served_is_refused(self):
        self.refused(2, "plan", "serve", *H100, says=["no model", "--model"])
        self.refused(2, "plan", "serve", *H100, "--dim", "64", says="no attention")
        self.refused(2, "plan", "serve", *LLAMA, "--weights", "int3", says=["--weights", "int3", "bf16|fp8|int4"])
        self.refused(2, "plan", "serve", *LLAMA, "--prompt", "9000", says=["9000", "--context-length"])
        self.refused(2, "plan", "serve", *LLAMA, "--tensor", "3", says="--tensor")
        self.refused(2, "plan", "serve", "--model", "gpt2", *H100, "--context-length", "4096", says="1024 positions")

    def test_a_training_says_what_it_leaves(self):
        answer = self.ok_json("plan", "memory", "--model", "llama-3.2-1b", *H100)
        self.assertEqual(answer["beside"]["left_bytes"], 80e9 - answer["memory_bytes"]["expected"])
        self.assertGreater(answer["beside"]["longest_context"], 1000)
        self.assertIn("beside the training: ", self.ok("plan", "step", "--model", "llama-3.2-1b", *H100))
        self.assertIsNone(self.ok_json("plan", "memory", "--parameters", "1e9", *H100)["beside"])


class Rates(CliTest):
    def test_utilisation_from_tokens_and_from_flops(self):
        given = self.ok_json("plan", "mfu", *LLAMA, "--tokens-per-second", "95e3", "--devices", "8", "--sequence", "8192")
        self.assertEqual([(row["pairs"], row["recomputation"]) for row in given["counted"]],
                         [("all", False), ("all", True), ("causal", False), ("causal", True)])
        teraflops = given["counted"][0]["flops_per_device"] / 1e12
        other = self.ok_json("plan", "mfu", *LLAMA, "--tflops-per-device", teraflops, "--sequence", "8192")
        self.assertAlmostEqual(other["mfu"]["expected"], given["mfu"]["expected"])
        self.assertIsNone(given["counted"][0]["mfu_if_given_so"])
        self.assertGreater(other["counted"][2]["mfu_if_given_so"], other["mfu"]["expected"])
        self.assertIn("pairs that are not masked", self.ok("plan", "mfu", *LLAMA, "--tflops-per-device", "412"))

    def test_one_rate_and_a_possible_one(self):
        self.refused(2, "plan", "mfu", *LLAMA, says=["--tokens-per-second", "--tflops-per-device"])
        self.refused(2, "plan", "mfu", *LLAMA, "--tflops-per-device", "400", "--tokens-per-second", "1e4", says="twice")
        self.refused(2, "plan", "mfu", *LLAMA, "--tflops-per-device", "4000", says="above 100 %")
        self.refused(2, "plan", "mfu", *LLAMA, "--tflops-per-device", "-3", says="--tflops-per-device")


class Choice(CliTest):
    TRAINING = ["plan", "devices", "--model", "llama-3.2-1b", "--tokens", "1e9", "--sequence", "4096"]

    def test_the_cheapest_comes_first(self):
        answer = self.ok_json(*self.TRAINING, "--candidates", "8xa100-sxm4-80gb:1.6,2xh200-sxm:3.5")
        self.assertTrue(answer["priced"])
        costs = [plan["cost_dollars"]["expected"] for plan in answer["candidates"]]
        self.assertEqual(costs, sorted(costs))
        for plan in answer["candidates"]:
            self.assertAlmostEqual(plan["device_hours"]["expected"] * plan["dollars_per_hour"],
                                   plan["cost_dollars"]["expected"])
        self.assertEqual(answer["candidates"][0]["why"], "the cheapest")
        self.assertIn("dearer", answer["candidates"][1]["why"])

    def test_no_price_is_assumed(self):
        answer = self.ok_json(*self.TRAINING, "--candidates", "8xa100-sxm4-80gb,2xh200-sxm:3.5")
        self.assertFalse(answer["priced"])
        self.assertEqual({plan["cost_dollars"] is None for plan in answer["candidates"]}, {True, False})
        self.assertIn("prices are not known", self.ok(*self.TRAINING, "--candidates", "8xa100-sxm4-80gb,2xh200-sxm"))

    def test_what_cannot_be_read_is_refused(self):
        for text in ["h200-sxm", "0xh200-sxm", "2xh200-sxm:-1", "2xh200-sxm:", "", "2x"]:
            self.refused(2, *self.TRAINING, "--candidates", text)

    def test_no_batch_is_made_that_is_too_large(self):
        self.refused(2, *self.TRAINING, "--candidates", "9999991xh100-sxm,9999973xh100-sxm,9999971xh200-sxm",
                     says=["9999991, 9999973, 9999971", "--batch"])
        self.refused(2, "plan", "shard", *LLAMA, "--devices", "97,101,103,107,109,113,127,131,137,139",
                     says=["97, 101, 103", "--batch"])

    def test_a_front_over_numbers_of_devices(self):
        asked = ["plan", "fit", *LLAMA, "--devices", "8..32:x2", "--batch", "64", "--sequence", "4096", "--tokens", "1T"]
        answer = self.ok_json(*asked)
        self.assertGreater(len({option["devices"] for option in answer["front"]}), 1)
        for option in answer["front"]:
            self.assertFalse(any(other["memory_bytes"] < option["memory_bytes"] and
                                 other["step_seconds"] <= option["step_seconds"] and
                                 other["cost_dollars"] <= option["cost_dollars"] for other in answer["front"]))
        self.assertIn("nothing beats these in time and price", self.ok(*asked))
        self.refused(2, "plan", "shard", *LLAMA, "--devices", "8..32:y2", says="devices")


class Goodput(CliTest):
    def test_failures_and_what_they_leave(self):
        big = ["--model", "llama-3.1-405b", *H100, "--devices", "16384", "--tokens", "15.6T", "--batch", "16384"]
        cost = self.ok_json("plan", "cost", *big)
        self.assertAlmostEqual(cost["failures_per_day"]["expected"], 7.86, places=2)
        self.assertLess(cost["expected_goodput"]["expected"], 1)
        self.assertIn("failures a day", " ".join(cost["conventions"]))
        slow = self.ok_json("plan", "cost", *big, "--storage-bandwidth", "10 GB/s", "--restart-time", "1h")
        self.assertLess(slow["expected_goodput"]["expected"], cost["expected_goodput"]["expected"])
        given = self.ok_json("plan", "cost", *big, "--goodput", "0.95")
        self.assertNotIn("failures a day", " ".join(given["conventions"]))


if __name__ == "__main__":
    unittest.main()
