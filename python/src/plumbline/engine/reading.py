# SPDX-License-Identifier: Apache-2.0
"""What was measured, as the document of a `reading` event: medians with their spread; what is absent is null."""

from __future__ import annotations

import statistics
from typing import Any, Optional

from .config import RunConfig
from .op_watch import CATEGORIES
from .step_ops import step_ops


def _spread(values: list[float]) -> dict[str, Any]:
    """Median, and where 10 % and 90 % of the repeats lie."""
    if not values:
        return {"seconds": None}
    ordered = sorted(values)

    def at(share: float) -> float:
        place = share * (len(ordered) - 1)
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (ordered[high] - ordered[low]) * (place - low)

    return {"seconds": statistics.median(ordered), "seconds_low": at(0.1), "seconds_high": at(0.9)}


class Measurements:
    """Collects clean step times and watched steps of one training."""

    MOST = 100  # step times behind a median: the newest

    def __init__(self, config: RunConfig, engine: str) -> None:
        self._config, self._engine = config, engine
        self._ops = step_ops(config)
        self._steps: list[float] = []
        self._op_seconds: list[dict[str, float]] = []
        self._curve: Optional[list[dict[str, int]]] = None
        self.remarks: list[str] = []

    def add_step(self, seconds: float) -> None:
        """A clean one."""
        self._steps.append(seconds)
        del self._steps[:-self.MOST]

    def add_watched(self, seconds: Optional[dict[str, float]], curve: list[dict[str, int]]) -> None:
        """Seconds by op, None where they are not known; bytes for each op of op_ids()."""
        if seconds is not None:
            self._op_seconds.append(seconds)
        self._curve = curve

    def op_ids(self) -> list[str]:
        return [op.id for op in self._ops]

    @property
    def steps(self) -> int:
        return len(self._steps)

    def document(self) -> dict[str, Any]:
        """`measured` of a reading event."""
        step = _spread(self._steps)
        per_second = self._config["batch"] / step["seconds"] if step["seconds"] else None
        reading: dict[str, Any] = {
            "source": "clock", "steps_measured": len(self._steps), "engine": self._engine,
            "totals": {"flops": None, "matmul_flops": None, "bytes": None, "samples_per_second": per_second,
                       "flop_per_s": None, "mfu": None, "tier": "measured", **step},
            "telemetry_absent": "the PyTorch engine asks no device what it tells of itself",
            "counter_run": None, "counters_absent": "the PyTorch engine has no counters",
            "ops": [self._op(op) for op in self._ops], "memory": self._memory(), "timeline": None,
        }
        if self.remarks:
            reading["remarks"] = list(self.remarks)
        return reading

    def _op(self, op: Any) -> dict[str, Any]:
        times = _spread([seconds[op.id] for seconds in self._op_seconds if op.id in seconds])
        known = {"tier": "measured"} if times["seconds"] is not None else {}
        return {**op._asdict(), "flops": None, "bytes": None, "source": "clock", "counters": None, **times, **known}

    def _memory(self) -> Optional[dict[str, Any]]:
        curve = self._curve
        if curve is None:
            return None
        totals = [sum(moment.values()) for moment in curve]
        place = totals.index(max(totals))
        return {"source": "allocator", "peak_bytes": totals[place], "peak_op": self._ops[place].id,
                "at_peak_bytes": curve[place],
                "category_peak_bytes": {name: max(moment[name] for moment in curve) for name in CATEGORIES},
                "curve": [{**moment, "op": op.id} for moment, op in zip(curve, self._ops)]}
