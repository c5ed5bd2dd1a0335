# SPDX-License-Identifier: Apache-2.0
"""What the tests share: one thread, a seed, the package on the path, and a recorded step at hand."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from typing import Any, Callable, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "src"))
sys.path.insert(0, HERE)

import torch  # noqa: E402

import plumbline  # noqa: E402
from architectures import Training  # noqa: E402

gc.freeze()  # recordings look through all objects for tensors: those of the imports are none
torch.set_num_threads(1)
torch.manual_seed(0)


def record_training(training: Training, **options: Any) -> dict[str, Any]:
    """The document of a training's third step, read back from its file."""
    options.setdefault("warmup", 2)
    options.setdefault("steps", 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "step.plumb")
        with plumbline.record(path, training.model, training.optimizer, **options) as recording:
            while not recording.done:
                recording.step(training.step())
        return plumbline.read_step(path)


def record_made(make: Callable[[], Training]) -> Optional[dict[str, Any]]:
    """The document of a training that is made, recorded and closed here; None where this torch has none such."""
    torch.manual_seed(0)
    try:
        training = make()
    except ImportError:
        return None
    try:
        return record_training(training)
    finally:
        if training.close is not None:
            training.close()


def ops(document: dict[str, Any], **wanted: Any) -> list[dict[str, Any]]:
    """The ops of a document as rows, those that have the given values."""
    table = document["ops"]
    rows = [dict(zip(table, values)) for values in zip(*table.values())]
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def tensors(document: dict[str, Any], **wanted: Any) -> list[dict[str, Any]]:
    """The tensors of a document as rows, those that have the given values."""
    table = document["tensors"]
    rows = [dict(zip(table, values)) for values in zip(*table.values())]
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]
