# SPDX-License-Identifier: Apache-2.0
"""The other ways in: a script that is not changed, and the callbacks of two trainers (stood in for here)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
import types
import unittest
from unittest import mock

from support import HERE, ops, plumbline, tensors

import torch
from architectures import Mlp, trained, vectors
from plumbline.callbacks import hugging_face_callback, lightning_callback
from torch.nn import functional as F

SCRIPT = textwrap.dedent("""
    import sys
    import torch
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for step in range(int(sys.argv[1])):
        if step == 7 and "fail" in sys.argv:
            raise SystemExit(3)
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8)).sum()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 5))
    print("trained", __name__)
""")


class Script(unittest.TestCase):
    def run_script(self, *words: str, out: str = ""):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        script = os.path.join(self.folder.name, "train.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        self.path = os.path.join(self.folder.name, "step.plumb")
        source = os.path.join(os.path.dirname(HERE), "src")
        return subprocess.run([sys.executable, "-m", "plumbline", "--out", out or self.path, "--steps", "2", script, *words],
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": source})

    def test_a_script_is_recorded_as_it_is(self) -> None:
        done = self.run_script("9")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.endswith("trained __main__\n"))
        document = plumbline.read_step(self.path)
        self.assertEqual(document["title"], "Sequential · 178 parameters · batch [4, 8]")
        self.assertEqual(len(ops(document, is_product=True)), 5)
        self.assertTrue(tensors(document, name="0.weight.momentum_buffer", first_op=-1))
        self.assertEqual({op["phase"] for op in ops(document)}, {"data", "forward", "loss", "backward", "optimizer"})
        losses = document["losses"]
        self.assertEqual((losses["source"], losses["pass"]), ("backward", ["W", "T", "T"]))
        self.assertEqual(losses["step"], [1, 5, 6])  # the first step's backward was over when its optimizer stepped
        told = [float(word) for word in done.stdout.split()[:9]]
        self.assertEqual([round(value, 5) for value in losses["loss"]], [told[step] for step in losses["step"]])

    def test_a_script_that_is_too_short_says_so(self) -> None:
        done = self.run_script("1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing was recorded", done.stderr)
        self.assertFalse(os.path.exists(self.path))

    def test_a_script_is_not_begun_where_no_file_can_be_written(self) -> None:
        done = self.run_script("9", out="/dev/null")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cannot write /dev/null (neither a plain file nor a new name): name a file on disk.", done.stderr)

    def test_a_script_that_fails_keeps_its_status(self) -> None:
        done = self.run_script("9", "fail")
        self.assertEqual(done.returncode, 3, done.stderr)


class Callbacks(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "step.plumb")
        self.training = trained(Mlp(), vectors(8, 64, 10), F.cross_entropy)

    def test_lightning(self) -> None:
        training, callback = self.training, lightning_callback(self.path, steps=2)
        trainer = types.SimpleNamespace(optimizers=[training.optimizer], accumulate_grad_batches=1)
        callback.on_train_start(trainer, training.model)
        told = []
        for number in range(6):
            told.append(training.step().detach())
            callback.on_train_batch_end(trainer, training.model, {"loss": told[-1]}, None, number)
        callback.on_train_end(trainer, training.model)
        document = plumbline.read_step(self.path)
        self.assertEqual(document["measured"]["steps"], 2)
        self.assertEqual(document["losses"]["source"], "training_step")
        self.assertEqual(document["losses"]["pass"], ["W", "S", "M", "L", "T", "T"])
        self.assertEqual(document["losses"]["loss"], [value.item() for value in told])

    def test_batches_of_lightning_are_added_up_where_they_may_be_held(self) -> None:
        training, callback = self.training, lightning_callback(self.path, steps=2)
        trainer = types.SimpleNamespace(optimizers=[training.optimizer], accumulate_grad_batches=2)
        callback.on_train_start(trainer, training.model)
        for number in range(12):
            training.step()
            callback.on_train_batch_end(trainer, training.model, {"loss": torch.tensor(float(number))}, None, number)
        losses = plumbline.read_step(self.path)["losses"]
        self.assertEqual((losses["pass"], losses["loss"]), (["W", "T", "T"], [1.0, 17.0, 21.0]))
        self.assertIn("accumulated", losses["absent"])

    def test_lightning_without_a_loss_says_so(self) -> None:
        training, callback = self.training, lightning_callback(self.path, steps=1)
        trainer = types.SimpleNamespace(optimizers=[training.optimizer], accumulate_grad_batches=1)
        callback.on_train_start(trainer, training.model)
        for number in range(5):
            training.step()
            callback.on_train_batch_end(trainer, training.model, None, None, number)
        self.assertEqual(plumbline.read_step(self.path)["losses"]["absent"], "training_step() returned no loss.")

    def test_lightning_failure_leaves_nothing(self) -> None:
        training, callback = self.training, lightning_callback(self.path)
        trainer = types.SimpleNamespace(optimizers=[training.optimizer])
        callback.on_train_start(trainer, training.model)
        training.step()
        callback.on_train_batch_end(trainer, training.model, None, None, 0)
        callback.on_exception(trainer, training.model, RuntimeError())
        self.assertFalse(os.path.exists(self.path))
        self.assertFalse(training.model._forward_pre_hooks)

    def test_as_many_steps_are_timed_as_of_a_loop(self) -> None:
        callback = hugging_face_callback(self.path)
        callback.on_train_begin(None, None, None, model=self.training.model, optimizer=self.training.optimizer)
        for _ in range(30):
            self.training.step()
            callback.on_step_end(None, None, None)
        callback.on_train_end(None, None, None)
        self.assertEqual(plumbline.read_step(self.path)["measured"]["steps"], 20)

    def test_a_training_that_is_too_short_is_only_warned_of(self) -> None:
        callback = hugging_face_callback(self.path)
        callback.on_train_begin(None, None, None, model=self.training.model, optimizer=self.training.optimizer)
        with self.assertWarnsRegex(UserWarning, "No step was recorded"):
            callback.on_train_end(None, None, None)
        self.assertFalse(os.path.exists(self.path))

    def test_hugging_face(self) -> None:
        training, callback = self.training, hugging_face_callback(self.path, steps=1)
        callback.on_train_begin(None, None, None, model=training.model, optimizer=training.optimizer)
        told = []
        for _ in range(5):
            told.append(training.step().item())
            callback.on_step_end(None, None, None)
        callback.on_train_end(None, None, None)
        document = plumbline.read_step(self.path)
        self.assertEqual(document["measured"]["steps"], 1)
        self.assertEqual(document["losses"]["source"], "backward")
        self.assertEqual((document["losses"]["step"], document["losses"]["loss"]), ([0, 4], [told[0], told[4]]))

    def test_a_trainer_gets_a_callback_of_its_own_class(self) -> None:
        library = types.ModuleType("transformers")
        library.TrainerCallback = type("TrainerCallback", (), {"on_epoch_begin": lambda self, *args: "theirs"})
        with mock.patch.dict(sys.modules, transformers=library):
            callback = hugging_face_callback(self.path)
        self.assertIsInstance(callback, library.TrainerCallback)
        self.assertEqual(callback.on_epoch_begin(None, None, None), "theirs")


if __name__ == "__main__":
    unittest.main()
