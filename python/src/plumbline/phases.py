# SPDX-License-Identifier: Apache-2.0
"""The phase of ops that ran outside of modules, backward pass and optimizer: by what stands around them."""

from __future__ import annotations

from typing import Optional, Sequence

# Phases in files.
PHASES = ("data", "forward", "loss", "recompute", "backward", "optimizer")


def resolve_phases(seen: Sequence[Optional[str]]) -> list[str]:
    """Phases of all ops. None stands for "outside", "forward of another" for a module that is not the model's
    (a criterion, a teacher).

    What runs before the first forward is data; between forward and backward loss; after the backward pass the
    optimizer's (clipping, scaling, zeroing), unless another forward follows, whose data it then is.
    """
    following: list[Optional[str]] = [None] * len(seen)
    after: Optional[str] = None
    for place in range(len(seen) - 1, -1, -1):
        following[place] = after
        if seen[place] in ("forward", "backward", "optimizer"):
            after = seen[place]
    phases: list[str] = []
    before: Optional[str] = None
    for phase, after in zip(seen, following):
        if phase == "forward of another":
            phases.append("loss" if before == "forward" else "forward")
        elif phase is None:
            phases.append(_between(before, after))
        else:
            phases.append(phase)
            if phase in ("forward", "backward", "optimizer"):
                before = phase
    return phases


def _between(before: Optional[str], after: Optional[str]) -> str:
    if before is None:
        return "optimizer" if after == "optimizer" else "data"
    if before == "forward":
        return "optimizer" if after == "optimizer" else "loss"
    return "data" if after == "forward" else "optimizer"
