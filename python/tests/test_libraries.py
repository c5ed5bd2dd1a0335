# SPDX-License-Identifier: Apache-2.0
"""Models and trainers that others wrote, as they are: skipped where their libraries are not installed."""

from __future__ import annotations

import importlib.util
import math
import os
import tempfile
import unittest

from support import ops, plumbline

import torch

HAS_TRANSFORMERS = importlib.util.find_spec("transformers") is not None
HAS_TRAINER = HAS_TRANSFORMERS and importlib.util.find_spec("accelerate") is not None
HAS_LIGHTNING = importlib.util.find_spec("lightning") is not None
PHASES = {"data", "forward", "loss", "backward", "optimizer"}


def gpt2():
    """A GPT2 from its configuration, with random weights."""
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config(n_layer=2, n_embd=64, n_head=4, vocab_size=500, n_positions=64, bos_token_id=0,
                                      eos_token_id=0))


class Libraries(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(folder.name, "step.plumb")

    def assert_whole(self) -> dict:
        """Every part of the file is filled."""
        document = plumbline.read_step(self.path)
        memory = document["memory"]
        self.assertLessEqual(abs(memory["allocator_peak_bytes"] - memory["curve_peak_bytes"]), 256)
        self.assertEqual({op["phase"] for op in ops(document)}, PHASES)
        self.assertEqual(document["missing_formulas"], [])
        self.assertTrue(document["measured"]["median"] and document["samples"])
        self.assertTrue(all(op["seconds"] is not None for op in ops(document)))
        return document

    @unittest.skipUnless(HAS_TRANSFORMERS, "transformers is not installed")
    def test_a_model_of_transformers_with_three_added_lines(self) -> None:
        model = gpt2()
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)

        def batches():
            while True:
                ids = torch.randint(0, 500, (4, 32))
                yield {"input_ids": ids, "labels": ids}

        def train_on(batch) -> torch.Tensor:
            optimizer.zero_grad()
            loss = model(**batch).loss
            loss.backward()
            optimizer.step()
            return loss

        with plumbline.record(self.path, model, optimizer) as r:
            for batch in batches():
                r.step(train_on(batch))
                if r.done:
                    break
        document = self.assert_whole()
        self.assertEqual(document["samples"], 4)
        self.assertEqual(len(document["losses"]["loss"]), 24)
        self.assertAlmostEqual(document["losses"]["loss"][0], math.log(500), delta=0.5)  # random weights know nothing
        self.assertIn("transformer.h.1.attn.c_attn", {op["module"] for op in ops(document, phase="backward")})
        predicted = plumbline.predict(model, next(batches()), optimizer=optimizer)
        self.assertEqual(predicted.flops, sum(document["ops"]["flops"]))
        # What libraries take inside of ops is not predicted.
        beside = predicted.peak_bytes / document["memory"]["curve_peak_bytes"]
        self.assertAlmostEqual(beside, 1, delta=0.001)

    @unittest.skipUnless(HAS_TRAINER, "transformers and accelerate are not installed")
    def test_the_trainer_of_transformers(self) -> None:
        from transformers import Trainer, TrainingArguments

        data = [{"input_ids": torch.randint(0, 500, (32,)), "labels": torch.randint(0, 500, (32,))} for _ in range(64)]
        options = TrainingArguments(self.folder, per_device_train_batch_size=2, gradient_accumulation_steps=2, max_steps=7,
                                    report_to=[], use_cpu=True, save_strategy="no", disable_tqdm=True)
        Trainer(model=gpt2(), args=options, train_dataset=data,
                callbacks=[plumbline.hugging_face_callback(self.path, steps=2)]).train()
        document = self.assert_whole()
        self.assertEqual(document["samples"], 4)  # two batches of two are one step
        self.assertIn("backward() was called 2 times", document["losses"]["absent"])

    @unittest.skipUnless(HAS_TRAINER, "transformers and accelerate are not installed")
    def test_the_losses_of_the_trainer_are_those_that_it_logs(self) -> None:
        from transformers import Trainer, TrainerCallback, TrainingArguments

        logged: dict[int, float] = {}

        class Log(TrainerCallback):
            def on_log(self, args, state, control, logs=None, **rest) -> None:
                if "loss" in logs:
                    logged[state.global_step - 1] = float(logs["loss"])

        data = [{"input_ids": torch.randint(0, 500, (32,)), "labels": torch.randint(0, 500, (32,))} for _ in range(64)]
        options = TrainingArguments(self.folder, per_device_train_batch_size=4, max_steps=6, logging_steps=1, report_to=[],
                                    use_cpu=True, save_strategy="no", disable_tqdm=True)
        Trainer(model=gpt2(), args=options, train_dataset=data,
                callbacks=[plumbline.hugging_face_callback(self.path, steps=2), Log()]).train()
        losses = self.assert_whole()["losses"]
        self.assertEqual((losses["source"], losses["pass"]), ("backward", ["W", "T", "T"]))
        for step, value in zip(losses["step"], losses["loss"]):
            self.assertAlmostEqual(value, logged[step], delta=1e-4)  # the trainer rounds

    @unittest.skipUnless(HAS_LIGHTNING, "lightning is not installed")
    def test_the_trainer_of_lightning(self) -> None:
        import lightning

        told: list[float] = []

        class Model(lightning.LightningModule):
            def __init__(self) -> None:
                super().__init__()
                self.net = torch.nn.Linear(8, 1)

            def training_step(self, batch, number):
                loss = self.net(batch[0]).square().mean()
                told.append(loss.detach())  # a view: the step holds no more for it
                return loss

            def on_train_batch_end(self, outputs, batch, number) -> None:
                told[-1] = told[-1].item()

            def configure_optimizers(self):
                return torch.optim.AdamW(self.parameters())

        loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 8)), batch_size=8)
        lightning.Trainer(max_steps=7, accelerator="cpu", logger=False, enable_checkpointing=False,
                          enable_progress_bar=False, enable_model_summary=False,
                          callbacks=[plumbline.lightning_callback(self.path, steps=2)]).fit(Model(), loader)
        document = self.assert_whole()
        self.assertEqual(document["samples"], 8)
        self.assertEqual(document["losses"]["source"], "training_step")
        self.assertEqual(document["losses"]["loss"], told[:len(document["losses"]["loss"])])
        self.assertIsNone(document["losses"]["absent"])


if __name__ == "__main__":
    unittest.main()
