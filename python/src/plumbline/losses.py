# SPDX-License-Identifier: Apache-2.0
"""Losses of the steps of a recording: given to step(), or the scalar that backward() began from.

A loss is read between two passes, when the clock of the step has stopped and the device was waited for anyway: no pass
has an op, a copy or a wait more. What backward() began from is held from there to the end of the step, so it is watched
in steps alone that say nothing of memory (to warm up, and pass T).
"""

from __future__ import annotations

import math
import weakref
from typing import Any, Callable, Optional, Union

import torch

from .patches import backward_roots, scaled_losses

Loss = Union[torch.Tensor, float, None]

GIVEN, BACKWARD, LIGHTNING = "step", "backward", "training_step"
SOURCES = (GIVEN, BACKWARD, LIGHTNING)
COLUMNS = ("step", "pass", "loss", "seconds")
PASSES = ("W", "S", "M", "L", "K", "T")
# Passes in which a tensor that is held for longer changes no number.
UNHELD = ("W", "T")


def check_loss(loss: Any) -> None:
    """Refuses what is not one number. Reads no value: on a GPU that would wait for it."""
    if loss is None or isinstance(loss, (int, float)) and not isinstance(loss, bool):
        return
    if isinstance(loss, torch.Tensor):
        if loss.numel() == 1 and not loss.is_complex():
            return
        what = f"a tensor of shape {list(loss.shape)}, {loss.dtype}"
    else:
        what = type(loss).__name__
    raise TypeError(f"step(loss) takes one number, a tensor or a float, and was given {what}: give what backward() begins "
                    "from, such as loss.mean(), or nothing.")


def value_of(loss: Union[torch.Tensor, float]) -> float:
    """Its value; waits for the device that it is on."""
    return float(loss.detach() if isinstance(loss, torch.Tensor) else loss)


class StepLosses:
    """The table of losses, a row for each step that has one."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, str, float, float]] = []
        self._sources: set[str] = set()
        self._reasons: list[str] = []

    def add(self, step: int, kind: str, value: float, seconds: float, source: str) -> None:
        """A loss of a step that is over. seconds: since the recording began."""
        self._rows.append((step, kind, value, seconds))
        self._sources.add(source)

    def lacks(self, reason: str) -> None:
        """Why a step has none; each reason is said once."""
        if reason not in self._reasons:
            self._reasons.append(reason)

    def fields(self) -> dict[str, Any]:
        """What the file has of them. A loss that is not finite is null: JSON has no word for it."""
        columns: dict[str, Any] = {name: [row[place] for row in self._rows] for place, name in enumerate(COLUMNS)}
        columns["loss"] = [value if math.isfinite(value) else None for value in columns["loss"]]
        return {"source": min(self._sources) if self._sources else None, "absent": " ".join(self._reasons) or None,
                **columns}


class BackwardRoots:
    """Notes what backward() begins from while it is open. With a GradScaler that is the loss before it was scaled."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []
        self._roots: list[Optional[torch.Tensor]] = []
        self._scaled: list[tuple[Any, torch.Tensor]] = []

    def open(self) -> None:
        """Begins with a step."""
        self._roots, self._scaled = [], []
        self._undo = [backward_roots(self._began), scaled_losses(self._scales)]

    def close(self) -> None:
        """Takes the patches out; what was noted stays until the next step."""
        for undo in reversed(self._undo):
            undo()
        self._undo = []

    def _began(self, root: Optional[torch.Tensor]) -> None:
        if root is not None:
            for scaled, loss in self._scaled:
                if scaled() is root:
                    root = loss
        self._roots.append(None if root is None else root.detach())

    def _scales(self, loss: torch.Tensor, scaled: torch.Tensor) -> None:
        self._scaled.append((weakref.ref(scaled), loss.detach()))

    def take(self) -> tuple[Optional[torch.Tensor], str]:
        """The loss of the step that is over, or none and why."""
        roots, self._roots, self._scaled = self._roots, [], []
        if len(roots) == 1 and roots[0] is not None:
            return roots[0], ""
        if not roots:
            return None, "No backward() was seen in a step."
        if len(roots) > 1:
            return None, (f"backward() was called {len(roots)} times in a step: which of them began from the loss is not "
                          "known.")
        return None, "backward() did not begin from one number."
