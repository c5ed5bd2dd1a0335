# SPDX-License-Identifier: Apache-2.0
"""Training learns: the synthetic task down to its noise, the handwritten digits far below their variance."""

import statistics
import struct
import unittest

from plumbline_cli import DIGITS, CliTest, write_npy


def tail(training, points=200):
    return statistics.fmean(training["loss"][-points:])


class Learning(CliTest):
    def test_synthetic_task_reaches_its_noise_floor(self):
        noise = 0.1
        training = self.ok_json("train", "--dim", 8, "--layers", 1, "--batch", 256, "--lr", 0.005, "--weight-decay", 0,
                                "--noise", noise, "--steps", 2000)["training"]
        self.assertGreater(training["loss"][0], 10 * noise**2)
        self.assertAlmostEqual(tail(training) / noise**2, 1.0, delta=0.05)

    def test_digits_are_learned_from_files(self):
        targets = (DIGITS / "targets.npy").read_bytes()
        count = 1797
        variance = statistics.pvariance(struct.unpack(f"<{count}f", targets[-4 * count:]))
        self.assertAlmostEqual(variance, 8.2, delta=0.1)  # what always answering the mean costs
        training = self.ok_json("train", "--data", DIGITS / "features.npy", "--targets", DIGITS / "targets.npy",
                                "--dim", 64, "--layers", 3, "--activation", "relu", "--batch", 256, "--lr", 0.003,
                                "--steps", 1000)["training"]
        self.assertGreater(training["loss"][0], variance)
        self.assertLess(tail(training), variance / 50)  # measured: variance / 146, a loss of 0.056


class Statistics(CliTest):
    def test_a_run_tells_the_scale_of_every_tensor_and_what_overflowed(self):
        training = self.ok_json("train", "--dim", 16, "--layers", 2, "--batch", 8, "--steps", 3, "--precision",
                                "fp16", "--loss-scale", "1e9")["training"]
        first = training["first_scales"]
        self.assertEqual(first["step"], 0)
        # x, h1, h2; W1, W2, head and their gradients; g1, g2 and that of the output
        self.assertEqual(len(first["tensors"]), 3 + 3 + 3 + 3)
        features = first["tensors"][0]
        self.assertEqual((features["tensor"], features["layer"]), ("activation", 0))
        self.assertAlmostEqual(features["rms"], 1, delta=0.3)
        self.assertGreater(sum(tensor["overflowed"] for tensor in training["last_scales"]["tensors"]), 0)
        self.assertGreater(training["skipped_steps"], 0)

    def test_a_row_that_overflows_fp16_costs_its_step_and_not_the_run(self):
        rows = [[0.5] * 16 for _ in range(16)]
        rows[9] = [60000.0] * 16
        write_npy(self.folder / "x.npy", rows)
        write_npy(self.folder / "t.npy", [0.25] * 16)
        training = self.ok_json("train", "--dim", 16, "--layers", 2, "--batch", 8, "--steps", 6, "--precision",
                                "fp16", "--init", "naive", "--data", "x.npy", "--targets", "t.npy",
                                "--lr", "1e-5", "--loss-scale", 1)["training"]
        self.assertEqual((training["steps_done"], training["skipped_steps"]), (6, 3))

    def test_a_loss_that_no_update_can_have_broken_is_not_blamed_on_the_learning_rate(self):
        done = self.refused(1, "train", "--dim", 64, "--layers", 12, "--batch", 8, "--steps", 60, "--precision", "fp16",
                            "--init", "naive", says=["before any weight changed", "--init scaled"])
        self.assertNotIn("nan", done.stderr)

    def test_weights_that_one_update_ruined_are_blamed_on_the_learning_rate_in_fp16_too(self):
        for options in [[], ["--optimizer", "sgd"], ["--master-weights", "off"]]:
            done = self.refused(1, "train", "--dim", 64, "--layers", 2, "--steps", 50, "--precision", "fp16", "--lr",
                                "1e6", *options, "--backend", "cpu", "--out", "o.plumb",
                                says=["diverged at step", "not a number since step", "learning rate 1000000",
                                      "lower the learning rate with --lr"])
            self.assertNotIn("before any weight changed", done.stderr)


if __name__ == "__main__":
    unittest.main()
