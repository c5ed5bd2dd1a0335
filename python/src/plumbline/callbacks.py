# SPDX-License-Identifier: Apache-2.0
"""Callbacks for the loops of others: Lightning's Trainer and Hugging Face's. Neither library is imported here;
a trainer calls what it knows by name."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Optional

import torch

from .losses import BACKWARD, LIGHTNING, value_of
from .recording import RecordingError, record
from .step_file import Path


class _Recorder:
    """One recording over the life of a trainer's fit."""

    def __init__(self, path: Path, **options: Any) -> None:
        """path: the step file. options: those of record() (warmup, steps, samples, title)."""
        self._path, self._options = path, options
        self.recording: Optional[record] = None

    def _begin(self, model: torch.nn.Module, optimizer: Optional[torch.optim.Optimizer], watches_backward: bool) -> None:
        if self.recording is None:
            self.recording = record(self._path, model, optimizer, **self._options)
            if watches_backward:
                self.recording.watch_backward()
            self.recording.__enter__()

    def _end(self, failed: bool = False) -> None:
        recording, self.recording = self.recording, None
        if recording is None:
            return
        try:
            recording.__exit__(RuntimeError if failed else None, None, None)
        except RecordingError as error:
            warnings.warn(str(error))  # a training that was too short to record is none the worse for it


def _bases(module: str, name: str) -> tuple[type, ...]:
    """The class that a trainer wants its callbacks to be of, where its library was imported."""
    library = sys.modules.get(module)
    base = getattr(library, name, None)
    return (base,) if isinstance(base, type) else ()


def _loss_in(outputs: Any) -> Optional[torch.Tensor]:
    """The loss in what training_step() gave; None where there is no single number."""
    found = outputs.get("loss") if isinstance(outputs, dict) else outputs
    return found if isinstance(found, torch.Tensor) and found.numel() == 1 else None


class _LightningMethods(_Recorder):
    _batches: list[Optional[torch.Tensor]] = []  # losses of the batches of this step

    def on_train_start(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Begins with the first batch."""
        optimizers = getattr(trainer, "optimizers", None) or [None]
        self._batches = []
        self._begin(pl_module, getattr(optimizers[0], "optimizer", optimizers[0]), watches_backward=False)

    def on_train_batch_end(self, trainer: Any, pl_module: torch.nn.Module, outputs: Any, batch: Any,
                           batch_idx: int) -> None:
        """Ends a step where the optimizer stepped: batches of accumulated gradients are one step. The loss in `outputs`
        is what training_step() returned, divided by the number of these batches."""
        if self.recording is None:
            return
        every = max(int(getattr(trainer, "accumulate_grad_batches", 1) or 1), 1)
        ends = (batch_idx + 1) % every == 0
        # A batch before the last of its step would be held for longer than the trainer holds it.
        self._batches.append(_loss_in(outputs) if ends or self.recording.may_hold_tensors() else None)
        if ends:
            batches, self._batches = self._batches, []
            reason = ("training_step() returned no loss." if all(batch is None for batch in batches) else
                      "Of passes other than T the losses of accumulated batches are not held.")
            self.recording.end_step(lambda: None if any(batch is None for batch in batches) else
                                    sum(value_of(batch) for batch in batches), LIGHTNING, reason)

    def on_train_end(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Writes what was recorded."""
        self._end()

    def on_exception(self, trainer: Any, pl_module: torch.nn.Module, exception: BaseException) -> None:
        """Takes everything out; no file is written."""
        self._end(failed=True)


class _HuggingFaceMethods(_Recorder):
    def on_train_begin(self, args: Any, state: Any, control: Any, model: Any = None, optimizer: Any = None,
                       **rest: Any) -> None:
        """Begins with the first step. The trainer does not tell the loss of a single step: it is what backward() begins
        from."""
        self._begin(model, getattr(optimizer, "optimizer", optimizer), watches_backward=True)

    def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        """Ends a step; with accumulated gradients the trainer calls it once for all."""
        if self.recording is not None:
            self.recording.end_step(lambda: None, BACKWARD, "")

    def on_train_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
        """Writes what was recorded."""
        self._end()


def lightning_callback(path: Path, **options: Any) -> Any:
    """A callback for `Trainer(callbacks=[..])` of lightning or pytorch_lightning; options as of record()."""
    bases = _bases("lightning.pytorch", "Callback") or _bases("pytorch_lightning", "Callback")
    return type("PlumblineCallback", (_LightningMethods, *bases), {})(path, **options)


def hugging_face_callback(path: Path, **options: Any) -> Any:
    """A callback for `Trainer(callbacks=[..])` of transformers; options as of record()."""
    bases = _bases("transformers", "TrainerCallback")
    return type("PlumblineCallback", (_HuggingFaceMethods, *bases), {})(path, **options)
