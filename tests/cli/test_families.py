#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models of every family: plan params, and the planner's questions about them."""

import json
import pathlib
import unittest

from plumbline_cli import RESOURCES, CliTest

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "planner"
GENERIC = {"model_type": "plumbline-generic", "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "inner": 14336,
           "vocabulary": 128256, "positions": 8192}


class Families(CliTest):
    def setUp(self):
        super().setUp()
        self.models, self.counts = {}, {}
        for models, counts in [(pathlib.Path(RESOURCES) / "models.json", "parameter_counts.json"),
                               (DATA / "families.json", "family_counts.json")]:
            self.models.update((m["key"], m["config"]) for m in json.loads(models.read_text())["models"])
            self.counts.update(json.loads((DATA / counts).read_text())["counts"])

    def config(self, content):
        path = self.folder / "config.json"
        path.write_text(json.dumps(content))
        return path

    def test_params_are_those_that_transformers_counts(self):
        for key in ["gemma-2-9b", "gpt-oss-20b", "falcon-40b", "modernbert-base", "glm-4.5-air"]:
            params = self.ok_json("plan", "params", self.config(self.models[key]))
            oracle = self.counts[key]
            self.assertEqual(params["parameters"], oracle["total"] + oracle["routing_bias"], key)
            self.assertEqual(sum(params["parts"].values()), params["parameters"])
            for part, count in params["parts"].items():
                expected = oracle["parts"].get(part, 0) + (oracle["routing_bias"] if part == "router" else 0)
                self.assertEqual(count, expected, (key, part))

    def test_params_say_what_is_active_and_multiplied(self):
        params = self.ok_json("plan", "params", self.config(self.models["gpt-oss-120b"]))
        self.assertAlmostEqual(params["multiplied"] / 5.13e9, 1, places=3)  # arXiv 2508.10925
        self.assertEqual(params["active"] - params["parts"]["experts"] * 4 // 128,
                         params["parameters"] - params["parts"]["experts"])
        text = self.ok("plan", "params", "gpt2")
        for line in ["124\u2009439\u2009808", "positions and token types", "the head is the embedding"]:
            self.assertIn(line, text)
        self.assertNotIn("active", text)
        self.assertIn("active for a token", self.ok("plan", "params", "Mixtral 8x7B"))
        self.assertIn("1 layers that predict further tokens are left out", self.ok("plan", "params", "deepseek-v3"))

    def test_every_question_takes_every_family(self):
        for key in ["gemma-3-27b", "llama-4-scout", "bert-base", "bloom-176b", "phi-2", "command-r-plus", "vit-base"]:
            config = self.config(self.models[key])
            big = ["--model", config, "--devices", "64", "--device", "H100 SXM"]
            self.assertGreater(self.ok_json("plan", "memory", *big)["memory_bytes"]["expected"], 0)
            self.assertGreater(self.ok_json("plan", "step", *big)["step_seconds"]["expected"], 0)
            self.assertGreater(self.ok_json("plan", "time", *big, "--tokens", "1e12")["days"]["expected"], 0)

    def test_an_encoder_with_a_decoder_is_planned_with_data_parallelism(self):
        config = self.config(self.models["t5-base"])
        self.assertIn("an encoder of 12 layers with 12 heads of 64", self.ok("plan", "params", config))
        some = ["--model", config, "--devices", "8", "--device", "H100 SXM"]
        self.assertGreater(self.ok_json("plan", "memory", *some, "--zero", "3")["memory_bytes"]["expected"], 0)
        step = self.ok_json("plan", "step", *some)
        self.assertIn("a sequence is 512 tokens of the decoder and 512 of the encoder", json.dumps(step))
        self.assertGreater(self.ok_json("plan", "time", *some, "--tokens", "1e12")["days"]["expected"], 0)
        self.refused(2, "plan", "step", *some, "--tensor", "2", says=["data parallelism alone", "--tensor 2"])
        self.refused(2, "plan", "serve", "--model", config, "--device", "H100 SXM", says="has an encoder beside its decoder")

    def test_a_generic_description_is_a_model_like_any_other(self):
        described = self.ok_json("plan", "params", self.config(GENERIC))
        preset = self.ok_json("plan", "params", "llama-3-8b")
        self.assertEqual(described["parts"], preset["parts"])
        self.assertEqual(described["multiplied"], preset["multiplied"])
        named = self.ok_json("plan", "params", self.config({**GENERIC, "name": "ours"}))
        self.assertEqual(named["model"], "ours")
        self.refused(2, "plan", "params", self.config({**GENERIC, "kv_head": 8}), says="did you mean kv_heads?")
        self.assertIn("plumbline-generic", self.ok("plan", "--help"))

    def test_the_text_part_is_read_and_said(self):
        whole = {"model_type": "gemma3", "text_config": self.models["gemma-3-27b"], "vision_config": {}}
        self.assertIn("the text part of gemma3 alone", self.ok("plan", "params", self.config(whole)))

    def test_what_a_file_leaves_out_and_which_head_is_counted_is_said_beside_answers(self):
        sparse = ["--model", self.config(self.models["gemma-3-4b"]), "--devices", "8", "--device", "H100 SXM"]
        for question in [["memory"], ["step"], ["time", "--tokens", "1e12"]]:
            self.assertIn("vocab_size 262208", self.ok("plan", *question, *sparse))
            self.assertIn("as Gemma3TextConfig has it", json.dumps(self.ok_json("plan", *question, *sparse)))
        bert = {**self.models["bert-base"], "architectures": ["BertModel"]}
        self.assertIn("which BertModel has not", self.ok("plan", "params", self.config(bert)))

    def test_what_cannot_be_planned_is_refused_with_the_reason(self):
        base = self.models["gemma-7b"]
        for family, reason in [("mamba", "state from token to token"), ("pegasus", "cross attention"), ("marian", "decoder"),
                               ("clip", "patches")]:
            self.refused(2, "plan", "params", self.config({**base, "model_type": family}),
                         says=[family, reason, "--parameters"])
        self.refused(2, "plan", "params", self.config({**base, "model_type": "gemma9"}),
                     says=["did you mean gemma", "known are arcee", "plumbline-generic"])
        self.refused(2, "plan", "params", "no-such-model", says="no model is called")
        self.refused(2, "plan", "params", says="MODEL")


if __name__ == "__main__":
    unittest.main()
