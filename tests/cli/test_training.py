# SPDX-License-Identifier: Apache-2.0
"""Training learns: the synthetic task down to its noise, the handwritten digits far below their variance."""

import statistics
import struct
import unittest

from plumbline_cli import DIGITS, CliTest


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


if __name__ == "__main__":
    unittest.main()
