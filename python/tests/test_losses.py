# SPDX-License-Identifier: Apache-2.0
"""Losses of the steps of a recording: whose they are, and that reading them disturbs nothing."""

from __future__ import annotations

import os
import tempfile
import unittest
from unittest import mock

from support import plumbline, record_training, tensors

import torch
from architectures import ARCHITECTURES, Mlp, Training, grad_scaler, trained, vectors
from torch.nn import functional as F


def mlp() -> Training:
    torch.manual_seed(0)
    return trained(Mlp(dropout=0.1), vectors(32, 64, 10), F.cross_entropy)


class Recorded(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "step.plumb")

    def automatic(self, training: Training, steps: int = 2) -> dict:
        """The losses of a recording whose steps the optimizer marks."""
        with plumbline.record(self.path, training.model, training.optimizer, steps=steps, automatic=True) as recording:
            while not recording.done:
                training.step()
        return plumbline.read_step(self.path)["losses"]


class Given(Recorded):
    def test_they_are_those_of_an_unrecorded_run_and_say_their_pass(self) -> None:
        losses = record_training(mlp(), warmup=2, steps=3)["losses"]
        plain = mlp()
        self.assertEqual(losses["loss"], [plain.step().item() for _ in range(8)])
        self.assertEqual(losses["step"], list(range(8)))
        self.assertEqual(losses["pass"], ["W", "W", "S", "M", "L", "T", "T", "T"])
        self.assertEqual((losses["source"], losses["absent"]), ("step", None))
        self.assertEqual(losses["seconds"], sorted(losses["seconds"]))
        self.assertGreater(losses["seconds"][0], 0)

    def test_numbers_are_losses_too_and_what_is_not_finite_is_null(self) -> None:
        training = mlp()
        given = iter([1, 2.5, float("nan"), torch.tensor([[0.5]]), torch.tensor(float("inf"))])
        with plumbline.record(self.path, training.model, training.optimizer, warmup=1, steps=1) as recording:
            while not recording.done:
                training.step()
                recording.step(next(given))
        self.assertEqual(plumbline.read_step(self.path)["losses"]["loss"], [1, 2.5, None, 0.5, None])

    def test_what_is_not_given_is_absent_and_says_why(self) -> None:
        training = mlp()
        with plumbline.record(self.path, training.model, training.optimizer, steps=1) as recording:
            while not recording.done:
                training.step()
                recording.step()
        losses = plumbline.read_step(self.path)["losses"]
        self.assertEqual((losses["loss"], losses["source"]), ([], None))
        self.assertIn("call step(loss)", losses["absent"])

    def test_what_is_no_number_is_refused_by_its_name(self) -> None:
        training = mlp()
        for wrong, named in ((torch.zeros(4), r"shape \[4\]"), ("low", "str"), (True, "bool"),
                             (torch.zeros(1, dtype=torch.complex64), "complex64")):
            with self.assertRaisesRegex(TypeError, named):
                with plumbline.record(self.path, training.model, warmup=0, steps=0) as recording:
                    training.step()
                    recording.step(wrong)
            self.assertFalse(os.path.exists(self.path))

    def test_it_is_read_when_the_clock_of_its_step_has_stopped(self) -> None:
        now = [0.0]

        class Slow(torch.Tensor):
            def __float__(self) -> float:
                now[0] += 1000  # as if a device had to be waited for
                return 1.0

        training = mlp()
        loss = torch.zeros(()).as_subclass(Slow)
        with mock.patch("plumbline.recording.time.perf_counter", lambda: now[0]):
            with plumbline.record(self.path, training.model, training.optimizer, warmup=0, steps=2) as recording:
                while not recording.done:
                    training.step()
                    now[0] += 1
                    recording.step(loss)
        document = plumbline.read_step(self.path)
        self.assertEqual(now[0], 5 * 1001)
        self.assertEqual(document["measured"]["step_seconds"], [1, 1])
        self.assertEqual(document["losses"]["seconds"], [1, 1002, 2003, 3004, 4005])

    def test_a_prediction_has_none(self) -> None:
        training = mlp()
        losses = plumbline.predict(training.model, torch.randn(4, 64), loss=lambda y, _: y.sum()).document["losses"]
        self.assertEqual((losses["loss"], losses["absent"]), ([], "A prediction computes no values."))


class FromBackward(Recorded):
    def test_it_is_what_backward_began_from(self) -> None:
        losses = self.automatic(mlp())
        plain = mlp()
        told = [plain.step().item() for _ in range(6)]
        self.assertEqual(losses["source"], "backward")
        self.assertEqual(losses["step"], [0, 4, 5])
        self.assertEqual(losses["loss"], [told[step] for step in losses["step"]])
        self.assertIn("held for too long", losses["absent"])

    def test_a_grad_scaler_scales_no_loss_of_ours(self) -> None:
        torch.manual_seed(0)
        losses = self.automatic(grad_scaler())
        torch.manual_seed(0)
        plain = grad_scaler()
        told = [plain.step().item() for _ in range(6)]
        self.assertEqual(losses["loss"], [told[step] for step in losses["step"]])

    def test_the_recomputation_of_a_checkpoint_begins_from_no_loss(self) -> None:
        torch.manual_seed(0)
        losses = self.automatic(ARCHITECTURES["checkpoint, reentrant"][0]())
        self.assertEqual(len(losses["loss"]), 3)

    def test_of_several_backward_passes_none_is_said_to_begin_from_the_loss(self) -> None:
        training = mlp()
        batch = vectors(32, 64, 10)

        def step() -> None:
            training.optimizer.zero_grad()
            for _ in range(3):
                inputs, target = batch()
                F.cross_entropy(training.model(*inputs), target).backward()
            training.optimizer.step()

        losses = self.automatic(Training(training.model, training.optimizer, step))
        self.assertEqual(losses["loss"], [])
        self.assertIn("called 3 times", losses["absent"])

    def test_a_backward_pass_from_a_gradient_has_no_loss(self) -> None:
        training = mlp()

        def step() -> None:
            training.optimizer.zero_grad()
            training.model(torch.randn(4, 64)).backward(torch.ones(4, 10))
            training.optimizer.step()

        losses = self.automatic(Training(training.model, training.optimizer, step))
        self.assertEqual(losses["loss"], [])
        self.assertIn("did not begin from one number", losses["absent"])

    def test_it_holds_no_memory_and_leaves_nothing(self) -> None:
        backward, scale = torch.autograd.backward, torch.amp.GradScaler.scale
        self.automatic(mlp())
        automatic = plumbline.read_step(self.path)
        self.assertIs(torch.autograd.backward, backward)
        self.assertIs(torch.amp.GradScaler.scale, scale)
        with mock.patch("plumbline.recording.UNHELD", ()):
            self.assertEqual(self.automatic(mlp())["loss"], [])
        unwatched = plumbline.read_step(self.path)
        self.assertEqual(automatic["memory"], unwatched["memory"])
        self.assertEqual(tensors(automatic), tensors(unwatched))

    def test_nothing_is_left_after_an_exception(self) -> None:
        backward = torch.autograd.backward
        training = mlp()
        with self.assertRaises(ZeroDivisionError):
            with plumbline.record(self.path, training.model, automatic=True):
                self.assertIsNot(torch.autograd.backward, backward)
                raise ZeroDivisionError
        self.assertIs(torch.autograd.backward, backward)


if __name__ == "__main__":
    unittest.main()
