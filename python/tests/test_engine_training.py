# SPDX-License-Identifier: Apache-2.0
"""What the engine trains: the built-in trainer's losses, and where each op and byte belongs."""

from __future__ import annotations

import os
import tempfile
import unittest

import numpy as np
import support  # noqa: F401
import torch
from engine_process import Engine

from plumbline.engine import philox
from plumbline.engine.config import RunConfig
from plumbline.engine.losses import MOST, thinned
from plumbline.engine.refusal import Refusal
from plumbline.engine.step_ops import step_ops
from plumbline.engine.training import Training

SMALL = {"dim": 16, "layers": 3, "batch": 16}
STEPS = 6
BUILT_IN = os.environ.get("PLUMBLINE_CLI", "")


class Losses(unittest.TestCase):
    """One configuration, two trainers: the same weights and batches, and losses to fp32's last digits."""

    @classmethod
    def setUpClass(cls) -> None:
        if not BUILT_IN:
            raise unittest.SkipTest("PLUMBLINE_CLI does not name plumbline-cli")
        cls.engine = Engine(command=[BUILT_IN, "engine"]).__enter__()
        cls.number = 0

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.__exit__()

    def compare(self, tolerance: float = 1e-6, **options) -> None:
        config = {**SMALL, **options}
        type(self).number += 1
        self.engine.send("run", id=self.number, config={**config, "backend": "cpu"}, steps=STEPS)
        self.engine.until("state", id=self.number, state="idle")
        expected = self.engine.losses(self.number)
        self.assertEqual(len(expected), STEPS, self.engine.of("error", self.number))
        training = Training(RunConfig(config), "cpu", "eager")
        for step in range(STEPS):
            loss = training.step().loss
            self.assertLessEqual(abs(loss - expected[step]), tolerance * abs(expected[step]), (config, step))

    def test_of_plain_fp32(self) -> None:
        self.compare()
        self.compare(activation="relu", outputs=3, seed=2**63 + 5)
        self.compare(head=False, activation="relu")
        self.compare(layers=0, outputs=20)

    def test_of_accumulation_and_recomputation(self) -> None:
        self.compare(**{"micro-batch": 4})
        self.compare(checkpoint="2", layers=5, activation="relu")

    def test_of_every_optimizer(self) -> None:
        for name in ("sgd", "adagrad", "rmsprop", "adam", "lion", "adafactor"):
            if name == "adafactor" and not hasattr(torch.optim, "Adafactor"):
                with self.assertRaisesRegex(Refusal, "has no Adafactor"):  # torch 2.4
                    self.compare(optimizer=name)
                continue
            with self.subTest(name):
                self.compare(optimizer=name, **{"weight-decay": 0.01})
        self.compare(optimizer="momentum", nesterov=True, lr=0.01)
        self.compare(optimizer="adamw", amsgrad=True)

    def test_of_schedules_and_clipping(self) -> None:
        self.compare(**{"clip-norm": 0.1, "lr-schedule": "cosine", "warmup-steps": 2, "schedule-steps": 5})
        self.compare(**{"lr-schedule": "step", "schedule-steps": 2, "gamma": 0.5})

    def test_of_every_initialisation(self) -> None:
        for name in ("truncated", "xavier-uniform", "xavier-normal", "he-uniform", "he-normal", "fixed"):
            with self.subTest(name):
                self.compare(init=name)

    def test_of_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            x, t = os.path.join(folder, "x.npy"), os.path.join(folder, "t.npy")
            draw = np.random.default_rng(1)
            np.save(x, draw.standard_normal((37, 16)).astype(np.float32))
            np.save(t, draw.standard_normal(37))
            self.compare(data=x, targets=t)  # 6 batches of 16 are more than two epochs

    def test_of_16_bit_formats_to_their_own_precision(self) -> None:
        self.compare(2.0**-7, precision="bf16")
        self.compare(2.0**-9, precision="fp16", **{"micro-batch": 8})


class Ops(unittest.TestCase):
    def watched(self, **options):
        config = RunConfig({**SMALL, **options})
        training = Training(config, "cpu", "eager")
        for _ in range(2):
            training.step()
        watch = training.watched()
        ids = [op.id for op in step_ops(config)]
        return config, ids, watch.op_seconds(), watch.memory(ids)

    def test_every_aten_op_belongs_to_one_of_the_plan_and_each_of_those_has_some(self) -> None:
        for options in ({}, {"activation": "relu", "micro-batch": 4}, {"head": False}, {"layers": 0},
                        {"checkpoint": "2", "layers": 7, "activation": "relu"}, {"checkpoint": "sqrt", "layers": 9},
                        {"precision": "fp16", "clip-norm": 1}, {"precision": "bf16", "grad-dtype": "fp32"}):
            with self.subTest(**options):
                _, ids, seconds, _ = self.watched(**options)
                self.assertEqual(set(seconds), set(ids))

    def test_gradients_appear_layer_by_layer_and_activations_go(self) -> None:
        size = 16 * 16 * 4
        for options in ({}, {"activation": "relu"}, {"checkpoint": "2", "activation": "relu", "layers": 7},
                        {"checkpoint": "sqrt", "layers": 9}):
            with self.subTest(**options):
                config, ids, _, curve = self.watched(**options)
                at = dict(zip(ids, curve))
                head = 16 * 4
                for done, layer in enumerate(range(config.layers, 0, -1), start=1):
                    self.assertEqual(at[f"m1.layer{layer}.backward.weight"]["gradients"], head + done * size)
                self.assertEqual(at["optimizer"]["activations"], 0)
                self.assertEqual(at["optimizer"]["gradients"], head + config.layers * size)
                if config.interval is None:
                    self.assertEqual(at["m1.head.forward"]["activations"], config.layers * size)

    def test_a_watched_step_changes_no_number(self) -> None:
        plain, watched = (Training(RunConfig(SMALL), "cpu", "eager") for _ in range(2))
        for _ in range(2):
            plain.step(), watched.step()
        plain.step()
        watched.watched()
        self.assertEqual(plain.step().loss, watched.step().loss)


class Numbers(unittest.TestCase):
    def test_philox_gives_the_published_vectors(self) -> None:
        block = philox.words(0, 0, 0, np.zeros(1, np.uint64))
        self.assertEqual([int(word[0]) for word in block], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8])

    def test_an_epoch_has_every_sample_once(self) -> None:
        order = philox.EpochOrder(37, 3)
        self.assertEqual(sorted(order.at(0, 37)), list(range(37)))
        self.assertEqual(sorted(order.at(37, 37)), list(range(37)))
        self.assertEqual(list(order.at(20, 30)), list(order.at(0, 60)[20:50]))

    def test_decimated_losses_keep_their_extremes(self) -> None:
        points = [{"step": step, "loss": 1.0} for step in range(5000)]
        points[1234]["loss"], points[4321]["loss"] = 9.0, -9.0
        kept = thinned(points)
        self.assertLessEqual(len(kept), MOST)
        self.assertEqual([point["step"] for point in kept], sorted({point["step"] for point in kept}))
        self.assertTrue({0, 1234, 4321, 4999} <= {point["step"] for point in kept})


if __name__ == "__main__":
    unittest.main()
