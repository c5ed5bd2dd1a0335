# SPDX-License-Identifier: Apache-2.0
"""Losses on their way to the window: batches at most 20 times a second, decimated with their extremes kept."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, Optional

MOST = 256  # points in a batch
_EVERY = 0.05  # seconds


def _known(value: Optional[float]) -> Optional[float]:
    return value if value is not None and math.isfinite(value) else None


class LossBatches:
    """add() each step in turn; flush() at the end."""

    def __init__(self, send: Callable[..., None]) -> None:
        self._send = send
        self._points: list[dict[str, Any]] = []
        self._done = self._skipped = 0
        self._next = 0.0
        self._since, self._since_steps = time.monotonic(), 0
        self._rate = 0.0

    def add(self, step: int, elapsed: float, seconds: Optional[float], numbers: Any) -> None:
        """One step: `elapsed` seconds since the training began, `seconds` of its own where they mean something."""
        self._done = step + 1
        if numbers.loss_scale is not None and numbers.gradient_norm is None:
            self._skipped += 1
        self._points.append({"step": step, "loss": _known(numbers.loss), "seconds": elapsed,
                             "step_seconds": _known(seconds), "gradient_norm": _known(numbers.gradient_norm),
                             "learning_rate": _known(numbers.learning_rate), "loss_scale": _known(numbers.loss_scale)})
        self._since_steps += 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY
            self.flush()

    def flush(self) -> None:
        """Sends what waits."""
        if not self._points:
            return
        now = time.monotonic()
        if now - self._since >= 1 or self._rate == 0:
            self._rate = self._since_steps / max(now - self._since, 1e-9)
            self._since, self._since_steps = now, 0
        points, self._points = thinned(self._points), []
        columns = {name: [point[name] for point in points] for name in points[0]}
        always = ("step", "loss", "seconds")
        kept = {name: column for name, column in columns.items()
                if name in always or any(value is not None for value in column)}
        self._send("loss", steps_done=self._done, skipped_steps=self._skipped, steps_per_second=self._rate, **kept)


def thinned(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most MOST of them: the first, the last, and of each stretch the lowest and the highest loss."""
    if len(points) <= MOST:
        return points
    kept = {0, len(points) - 1}
    stretches = MOST // 2 - 1
    for number in range(stretches):
        places = range(len(points) * number // stretches, len(points) * (number + 1) // stretches)
        value = lambda place: points[place]["loss"] if points[place]["loss"] is not None else math.inf  # noqa: E731
        kept |= {min(places, key=value), max(places, key=value)}
    return [points[place] for place in sorted(kept)]
