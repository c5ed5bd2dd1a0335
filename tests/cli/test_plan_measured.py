#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans that rest on a measurement: a figure, a snapshot of the own trainer, a recorded step of PyTorch."""

import json
import pathlib
import unittest

from plumbline_cli import CliTest, changed

STEPS = pathlib.Path(__file__).resolve().parent.parent / "data" / "step"
LLAMA = ["--model", "llama-3-8b", "--device", "H100 SXM", "--devices", "8", "--batch", "64"]
# Far above any processor: what is measured has to be below it.
PROCESSOR = ["--peak", "100e12", "--bandwidth", "5e12"]
# The model that tests/data/step/make_steps.py records.
DECODER = {"model_type": "plumbline-generic", "name": "Decoder", "layers": 2, "hidden": 16, "heads": 2, "inner": 64,
           "vocabulary": 48, "positions": 16, "gated": False, "norms": {"bias": True}, "biases": {"inner": True}}


class Measured(CliTest):
    def refusal(self, *arguments):
        """What is said where bad input is refused."""
        return self.refused(2, *arguments).stderr

    def test_a_step_time_is_the_answer_and_is_carried(self):
        own = self.ok_json("plan", "step", *LLAMA, "--measured", "step=14s")
        self.assertEqual(own["step_seconds"]["expected"], 14)
        self.assertEqual(own["tier"], "measured")
        self.assertEqual(own["measured"]["carried"], "same")
        self.assertIn("efficiency measured: step 14.0 s, of this very scenario", own["conventions"])
        assumed = self.ok_json("plan", "step", *LLAMA)
        self.assertIsNone(assumed["tier"])
        self.assertIsNone(assumed["measured"])
        factor = 14 / assumed["step_seconds"]["expected"]
        self.assertAlmostEqual(own["measured"]["factor"], factor)
        self.ok("plan", "save", "base.plan.json", *LLAMA, "--measured", "step=14s")
        for more, carried, share in [(["--batch", "128"], "batch", 1), (["--devices", "16"], "layout", 1),
                                     (["--device", "H200 SXM"], "device", None)]:
            to = self.ok_json("plan", "step", "--scenario", "base.plan.json", *more)
            self.assertEqual(to["measured"]["carried"], carried)
            self.assertEqual(to["tier"], "measured")
            bare = self.ok_json("plan", "step", *changed(LLAMA, *more))
            by = to["step_seconds"]["expected"] / bare["step_seconds"]["expected"]
            self.assertAlmostEqual(by, factor ** to["measured"]["share"])
            if share is not None:
                self.assertEqual(to["measured"]["share"], share)
            self.assertLess(to["step_seconds"]["low"], to["step_seconds"]["expected"])
            source = to["assumptions"]["step-factor"]["source"]
            self.assertTrue(source.startswith("measured: step 14.0 s"), source)
        text = self.ok("plan", "compare", "base.plan.json", "base.plan.json", "--all")
        self.assertIn("step 14.0 s", text)

    def test_where_it_was_measured_may_be_another_plan(self):
        self.ok("plan", "save", "base.plan.json", *LLAMA)
        asked = ["--model", "llama-3-8b", "--device", "H100 SXM", "--devices", "64", "--batch", "512"]
        done = self.ok_json("plan", "step", *asked, "--measured", "tokens-per-second=40e3", "--measured-in", "base.plan.json")
        self.assertEqual(done["measured"]["carried"], "layout")
        self.assertEqual(done["measured"]["file"], "base.plan.json")
        self.assertAlmostEqual(done["measured"]["seconds"], 64 * 8192 / 40e3)
        self.assertIn("give --measured", self.refusal("plan", "step", *asked, "--measured-in", "base.plan.json"))
        self.assertIn("above 100 %", self.refusal("plan", "step", *LLAMA, "--measured", "tflops=1200"))
        self.assertIn("give KEY=VALUE", self.refusal("plan", "step", *LLAMA, "--measured", "14s"))
        self.assertIn("says nothing of", self.refusal("plan", "step", "--dim", "64", "--layers", "2", "--batch", "8", "--device",
                                                      "H100 SXM", "--measured", "step=14s", "--measured-in", "base.plan.json"))

    def test_a_snapshot_of_the_own_trainer(self):
        self.ok("profile", "--dim", "64", "--layers", "2", "--batch", "32", "--steps", "20", "--out", "own.plumb")
        measured = json.loads(pathlib.Path(self.folder, "own.plumb").read_text(encoding="utf-8"))["measured"]["totals"]["seconds"]
        own = self.ok_json("plan", "step", "--from", "own.plumb", *PROCESSOR)
        self.assertAlmostEqual(own["step_seconds"]["expected"] / measured, 1)
        self.assertEqual(own["measured"]["file"], "own.plumb")
        wide = self.ok_json("plan", "step", "--from", "own.plumb", *PROCESSOR, "--batch", "64")
        self.assertEqual(wide["measured"]["carried"], "batch")
        self.assertGreater(wide["step_seconds"]["expected"], measured)
        self.assertIn("leave --scenario out", self.refusal("plan", "step", "--from", "own.plumb", "--scenario", "a.plan.json"))
        self.assertIn("says nothing of", self.refusal("plan", "step", "--from", "own.plumb", *PROCESSOR, *LLAMA[:2]))

    def test_a_recorded_step_with_its_model(self):
        pathlib.Path(self.folder, "decoder.json").write_text(json.dumps(DECODER), encoding="utf-8")
        model, recorded = ["--model", "decoder.json"], str(STEPS / "decoder.plumb")
        median = json.loads((STEPS / "decoder.plumb").read_text(encoding="utf-8"))["measured"]["median"]
        own = self.ok_json("plan", "step", "--from", recorded, *model, *PROCESSOR)
        self.assertAlmostEqual(own["step_seconds"]["expected"] / median, 1)
        self.assertEqual(own["measured"]["carried"], "same")
        more = self.ok_json("plan", "step", "--from", recorded, *model, *PROCESSOR, "--batch", "64", "--micro-batch", "64")
        self.assertEqual(more["measured"]["carried"], "batch")
        refused = self.refusal("plan", "step", "--from", recorded)
        self.assertIn("has the operations of a step and no sizes of a model", refused)
        self.assertIn("--model", refused)
        self.assertIn("has 8000 parameters", self.refusal("plan", "step", "--from", recorded, "--model", "gpt2-medium", *PROCESSOR))
        self.assertIn("give --dtype bf16", self.refusal("plan", "step", "--from", recorded, *model, *PROCESSOR, "--dtype", "fp16"))
        # The machine of the tests may be of the kind that the step was recorded on.
        elsewhere = pathlib.Path(self.folder, "elsewhere.plumb")
        elsewhere.write_text((STEPS / "decoder.plumb").read_text(encoding="utf-8").replace("Intel(R) Xeon(R)", "Unheard Of"), encoding="utf-8")
        self.assertIn("none of the known devices", self.refusal("plan", "step", "--from", str(elsewhere), *model))
        predicted = self.refusal("plan", "step", "--from", str(STEPS / "decoder_predicted.plumb"), *model)
        self.assertIn("has no measured step", predicted)


if __name__ == "__main__":
    unittest.main()
