# SPDX-License-Identifier: Apache-2.0
"""A training on several ranks of one machine, as docs/parallel.md shows it."""

import unittest

from plumbline_cli import CliTest

STEP = ["--dim", 32, "--layers", 3, "--outputs", 2, "--batch", 24]


class Ranks(CliTest):
    def test_they_train_bit_for_bit_as_one_with_as_many_micro_batches(self):
        alone = self.ok_json("train", *STEP, "--micro-batch", 8, "--steps", 6)["training"]
        three = self.ok_json("train", *STEP, "--data-parallel", 3, "--steps", 6)["training"]
        self.assertEqual(three["loss"], alone["loss"])

    def test_each_holds_and_sends_what_was_predicted_of_it(self):
        profile = self.ok_json("profile", *STEP, "--data-parallel", 3, "--steps", 3)
        predicted, measured = profile["predicted"]["ranks"], profile["measured"]["ranks"]
        self.assertEqual(len(measured), 3)
        for before, after in zip(predicted, measured):
            for key in ("rank", "peak_bytes", "sent_bytes", "received_bytes"):
                self.assertEqual(after[key], before[key])
            self.assertGreater(after["seconds"], after["waited_s"])
            self.assertNotIn("seconds", before)
        self.assertIsNone(profile["predicted"]["totals"]["seconds"])
        text = self.ok("profile", *STEP, "--data-parallel", 3, "--steps", 3)
        self.assertIn("sent in a step", text)
        self.assertIn("not predicted: nothing was timed with so many of them", text)

    def test_neighbours_that_cost_the_same_stand_together(self):
        text = self.ok("predict", "--dim", 64, "--layers", 2, "--batch", 64, "--data-parallel", 64)
        self.assertIn("Rank 0\n", text.replace(" ", "").replace("Rank0", "Rank 0"))
        self.assertRegex(text, r"Ranks 1 to \d+")

    def test_a_training_goes_on_with_another_number_of_them(self):
        run = ["train", *STEP, "--checkpoint-dir", "c"]
        self.ok_json(*run, "--data-parallel", 2, "--steps", 4)
        rest = self.ok_json(*run, "--data-parallel", 3, "--steps", 8, "--resume", "c")["training"]
        self.assertEqual(rest["step"][0], 4)

    def test_zero_trains_bit_for_bit_and_holds_and_sends_what_was_predicted(self):
        alike = self.ok_json("train", *STEP, "--data-parallel", 3, "--steps", 6)["training"]
        peaks = []
        for zero in (1, 2, 3):
            shared = [*STEP, "--data-parallel", 3, "--zero", zero]
            self.assertEqual(self.ok_json("train", *shared, "--steps", 6)["training"]["loss"], alike["loss"])
            profile = self.ok_json("profile", *shared, "--steps", 3)
            for before, after in zip(profile["predicted"]["ranks"], profile["measured"]["ranks"], strict=True):
                for key in ("rank", "peak_bytes", "sent_bytes", "received_bytes"):
                    self.assertEqual(after[key], before[key])
            kinds = {op["kind"] for op in profile["predicted"]["ops"]}
            self.assertLessEqual({"reduce_scatter", "all_gather"}, kinds)
            peaks.append(profile["predicted"]["memory"]["peak_bytes"])
        self.assertLess(peaks[2], peaks[0])
        text = self.ok("predict", *shared, "--checkpoint", "none")
        self.assertIn("a step gathers weights 8 times, since --checkpoint none", text)

    def test_a_training_goes_on_in_another_stage_of_zero(self):
        whole = self.ok_json("train", *STEP, "--data-parallel", 2, "--steps", 8)["training"]
        run = ["train", *STEP, "--data-parallel", 2, "--checkpoint-dir", "z"]
        self.ok_json(*run, "--zero", 3, "--steps", 4)
        rest = self.ok_json(*run, "--zero", 1, "--steps", 8, "--resume", "z")["training"]
        self.assertEqual(rest["loss"], whole["loss"][4:])

    def test_ranks_that_divide_matrices_train_as_one_and_hold_and_send_what_was_predicted(self):
        step = ["--dim", 32, "--layers", 3, "--outputs", 4, "--batch", 24, "--activation", "relu"]
        alone = self.ok_json("train", *step, "--steps", 6)["training"]
        for ranks in (["--tensor", 2], ["--tensor", 4], ["--tensor", 2, "--data-parallel", 2]):
            divided = self.ok_json("train", *step, *ranks, "--steps", 6)["training"]
            for one, other in zip(alone["loss"], divided["loss"], strict=True):
                self.assertAlmostEqual(other / one, 1, 6)
            profile = self.ok_json("profile", *step, *ranks, "--steps", 3)
            for before, after in zip(profile["predicted"]["ranks"], profile["measured"]["ranks"], strict=True):
                for key in ("rank", "peak_bytes", "sent_bytes", "received_bytes"):
                    self.assertEqual(after[key], before[key])
            self.assertLessEqual({"all_reduce", "activation"}, {op["kind"] for op in profile["predicted"]["ops"]})
        text = self.ok("profile", *step, *ranks, "--steps", 3)
        self.assertIn("layer 2 · activation · all-reduce", text)
        self.assertIn("Ranks 2 to 3", text)
        self.assertIn("whose ranks share the batch and divide matrices is not predicted", text)

    def test_ranks_that_divide_matrices_go_on_where_others_stopped(self):
        step = ["--dim", 32, "--layers", 4, "--batch", 24]
        whole = self.ok_json("train", *step, "--tensor", 2, "--steps", 8)["training"]
        run = ["train", *step, "--checkpoint-dir", "t"]
        self.ok_json(*run, "--tensor", 2, "--steps", 4)
        rest = self.ok_json("train", *step, "--tensor", 2, "--steps", 8, "--resume", "t")["training"]
        self.assertEqual(rest["loss"], whole["loss"][4:])
        alone = self.ok_json("train", *step, "--steps", 8, "--resume", "t")["training"]
        for one, other in zip(alone["loss"], rest["loss"], strict=True):
            self.assertAlmostEqual(other / one, 1, 5)

    def test_what_nobody_divides_is_refused(self):
        self.refused(2, "predict", *STEP, "--tensor", 3, says=["tensor does not divide dim 32 (3)", "such as 2"])
        self.refused(2, "train", *STEP, "--tensor", 2, "--precision", "fp8", "--steps", 1,
                     says=["fp8 cannot be added up over ranks", "--precision bf16"])
        self.refused(2, "train", *STEP, "--data-parallel", 2, "--tensor", 2, "--zero", 1, "--steps", 1,
                     says=["do not share states besides", "use zero 0, or tensor 1"])

    def test_what_ranks_cannot_share_is_refused(self):
        self.refused(2, "train", *STEP, "--zero", 1, "--steps", 1, says=["there is one rank", "use zero 0, or data-parallel 2 or more"])
        self.refused(2, "predict", *STEP, "--data-parallel", 2, "--zero", 4, says=["use 0, 1, 2 or 3"])
        self.refused(2, "train", *STEP, "--data-parallel", 2, "--zero", 1, "--optimizer", "adafactor", "--steps", 1,
                     says=["adafactor needs whole matrices", "another optimizer"])
        self.refused(2, "train", *STEP, "--data-parallel", 5, "--steps", 1, says=["use a divisor of the batch such as 4"])
        self.refused(2, "train", *STEP, "--data-parallel", 2, "--micro-batch", 24, "--steps", 1,
                     says=["does not divide the batch of a rank 12"])


if __name__ == "__main__":
    unittest.main()
