#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every example of every --help runs, with files of the names that it has."""

import gzip
import json
import re
import shlex
import shutil
import unittest

from plumbline_cli import RESOURCES, CliTest

DATA = RESOURCES.parent / "tests" / "data"
SHEET = {"name": "My card", "memory_bytes": 48e9, "bandwidth_bytes_per_s": 864e9, "peak_flop_per_s": {"bf16": 181e12},
         "power_w": 300, "source": "its label"}
LLAMA = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 96,
         "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 128}
# Reports of Nsight, whose readers have tests of their own.
NOT_HERE = ("nsys.sqlite", "ncu.csv")
# Shows what is refused, as PyTorch does.
REFUSED = ('tensor 2,3 --steps "x.T.view(6)"',)


class Examples(CliTest):
    def setUp(self):
        super().setUp()
        trace = DATA / "trace" / "cuda.json.gz"
        shutil.copy(trace, self.folder / "worker0.pt.trace.json.gz")
        (self.folder / "trace.json").write_bytes(gzip.decompress(trace.read_bytes()))
        (self.folder / "traces").mkdir()
        for rank in range(3):
            name = f"rank{rank}.json.gz"
            for folder in (self.folder, self.folder / "traces"):
                shutil.copy(DATA / "trace" / "ranks" / name, folder / name)
        shutil.copy(DATA / "memory" / "step_protocol4.pickle", self.folder / "memory.pickle")
        for name in ("before.plumb", "after.plumb", "step.plumb"):
            shutil.copy(DATA / "step" / "decoder.plumb", self.folder / name)
        for name, content in (("budget.json", {"peak_bytes": "1 TB"}), ("my-card.json", SHEET), ("config.json", LLAMA)):
            (self.folder / name).write_text(json.dumps(content))
        for name in ("a", "b"):
            self.ok("plan", "save", f"{name}.plan.json", "--model", "llama-3-8b", "--device", "h100-sxm", "--devices", 8)

    def subcommands(self, *command):
        text = self.ok(*command, "--help")
        return re.findall(r"^  ([a-z][a-z-]*) {2,}", text.partition("Subcommands:\n")[2], re.MULTILINE), text

    def test_they_run(self):
        commands, _ = self.subcommands()
        self.assertIn("plan", commands)
        ran = 0
        for command in commands:
            questions, text = self.subcommands(command)
            texts = {command: text, **{f"{command} {q}": self.ok(command, q, "--help") for q in questions}}
            for name, text in texts.items():
                found = re.findall(r"^(?:Examples?:)? *plumbline-cli ([a-z].*)$", text, re.MULTILINE)
                examples = [line for line in found if not line.endswith("--help")]
                self.assertEqual("Example" in text, bool(examples), name)
                for example in examples:
                    if any(file in example for file in NOT_HERE):
                        continue
                    with self.subTest(example=example):
                        words = shlex.split(example.partition(" > ")[0])  # where a shell would write it
                        if example in REFUSED:
                            self.refused(2, *words)
                        else:
                            self.ok(*words)
                        ran += 1
        self.assertGreater(ran, 40)


if __name__ == "__main__":
    unittest.main()
