#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that check_evidence.py can fail: plants each mistake into one good row and expects it to be found."""

import copy
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check_evidence  # noqa: E402

HARDWARE = {"devices": [{"id": "card-80gb", "peak_flop_per_s": {"bf16": 312e12, "fp8": None}}]}
PRESETS = {"models": [{"key": "small", "config": {
    "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "intermediate_size": 11008,
    "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32000, "max_position_embeddings": 4096}}]}
ROW = {"id": "a/one", "source": "a", "read": "table 1", "model": {"preset": "small"}, "device": "card-80gb", "devices": 16,
       "devices_per_node": 8, "precision": "bf16", "layout": {"tensor": 2, "pipeline": 1, "context": 1, "data": 8},
       "recompute": {"policy": "full"}, "attention": "flash", "sequence": 4096, "batch": 64, "micro_batch": 4,
       "framework": "f", "software": "fused", "year": 2024, "measured": {"step_seconds": 5.0, "tokens_per_second_per_device": 3276.8},
       "flops": {"pairs": "full", "recomputation": True}}
DOCUMENT = {"about": "x", "sources": [{"id": "a"}], "rows": [ROW]}


def found(document):
    return list(check_evidence.Evidence(document, HARDWARE, PRESETS).problems())


class CheckEvidence(unittest.TestCase):
    def of_row(self, *changes):
        """Findings of the good row after (path, value) changes; a value of None takes the entry away."""
        document = copy.deepcopy(DOCUMENT)
        for path, value in changes:
            *way, last = path.split(".")
            entry = document["rows"][0]
            for key in way:
                entry = entry[key]
            if value is None:
                del entry[last]
            else:
                entry[last] = value
        return found(document)

    def test_a_good_row_passes(self):
        self.assertEqual(found(DOCUMENT), [])

    def test_each_mistake_of_a_row_is_found(self):
        gpt = {"model_type": "gpt2", "n_layer": 32, "n_embd": 4096, "n_head": 32, "n_positions": 4096, "vocab_size": 32000}
        for said, *changes in (
            ("device other is not in hardware.json", ("device", "other")),
            ("no preset", ("model.preset", "gone")),
            ("software fused disagrees with compiled: True", ("compiled", True)),
            ("software xla disagrees with compiled: False", ("software", "xla"), ("compiled", False)),
            ("no peak in fp8", ("precision", "fp8")),
            ("its weights are fp8 and its products bf16", ("weights", "fp8")),
            ("more chunks than tokens", ("loss", {"chunks": 1 << 20})),
            ("it has no offload", ("note", "offload: states are on the CPU")),
            ("does not begin with its source", ("id", "b/one")),
            ("which does not divide 16", ("layout.tensor", 3)),
            ("takes 32 of 16 devices", ("layout.data", 16)),
            ("no whole number of nodes", ("devices_per_node", 3)),
            ("no multiple of micro-batch", ("micro_batch", 3)),
            ("does not divide the devices of a stage", ("layout.expert", 3)),
            ("tokens/s of a device", ("measured.tokens_per_second_per_device", 3500)),
            ("tokens/s of a device", ("measured.samples_per_second", 14)),
            ("takes 212.2% of the peak", ("measured", {"tokens_per_second_per_device": 16700})),
            ("its model FLOPs take 0.1% of the peak", ("measured", {"tokens_per_second_per_device": 10})),
            ("no figure of speed", ("measured", {"hfu": 0.5})),
            ("model_tflops_per_device is 180", ("measured.model_tflops_per_device", 180)),
            ("hardware_tflops_per_device is 150", ("measured.hardware_tflops_per_device", 150)),
            ("mfu is 0.6", ("measured.mfu", 0.6)),
            ("the source prints 7", ("model", {"config": gpt, "parameters": 7})),
            ("does not divide n_embd", ("model", {"config": {**gpt, "n_head": 30}})),
            ("does not read model_type", ("model", {"config": {**PRESETS["models"][0]["config"], "model_type": "bert"}})),
        ):
            with self.subTest(said):
                problems = self.of_row(*changes)
                self.assertTrue(any(said in problem for problem in problems), problems)

    def test_a_row_that_was_read_again_may_look_implausible(self):
        self.assertEqual(self.of_row(("measured", {"tokens_per_second_per_device": 10}), ("read_again", "so it stands")), [])

    def test_lists_are_held_together(self):
        for said, change in (
            ("rows has a/one twice", lambda d: d["rows"].append(copy.deepcopy(ROW))),
            ("sources has a twice", lambda d: d["sources"].append({"id": "a"})),
            ("source b has no row", lambda d: d["sources"].append({"id": "b"})),
            ("source a is not in the list", lambda d: d["sources"].clear()),
        ):
            with self.subTest(said):
                document = copy.deepcopy(DOCUMENT)
                change(document)
                problems = found(document)
                self.assertTrue(any(said in problem for problem in problems), problems)

    def test_a_plain_gpt_counts_as_many_parameters_as_published(self):
        counted = check_evidence.Model({"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12,
                                        "n_positions": 1024, "vocab_size": 50257})
        self.assertEqual(counted.total, 124439808)


if __name__ == "__main__":
    unittest.main()
