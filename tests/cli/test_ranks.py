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

    def test_a_training_goes_on_with_another_number_of_them(self):
        run = ["train", *STEP, "--checkpoint-dir", "c"]
        self.ok_json(*run, "--data-parallel", 2, "--steps", 4)
        rest = self.ok_json(*run, "--data-parallel", 3, "--steps", 8, "--resume", "c")["training"]
        self.assertEqual(rest["step"][0], 4)

    def test_what_ranks_cannot_share_is_refused(self):
        self.refused(2, "train", *STEP, "--data-parallel", 5, "--steps", 1, says=["use a divisor of the batch such as 4"])
        self.refused(2, "train", *STEP, "--data-parallel", 2, "--micro-batch", 24, "--steps", 1,
                     says=["does not divide the batch of a rank 12"])


if __name__ == "__main__":
    unittest.main()
