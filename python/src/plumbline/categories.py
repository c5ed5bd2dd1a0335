# SPDX-License-Identifier: Apache-2.0
"""What each storage is for. Known by identity: parameters, buffers, gradients, optimizer state. The rest by who
made it and who needed it; `role` keeps the finer word."""

from __future__ import annotations

from typing import NamedTuple, Sequence

from .storages import BEFORE, Stored

CATEGORIES = ("parameters", "master_parameters", "optimizer_state", "gradients", "activations",
              "activation_gradients", "data", "workspace")


class Use(NamedTuple):
    category: str
    role: str


def category_of(row: Stored, made_in: str, read_in: set[str], cast_of: str) -> Use:
    """Category and role of a storage.

    made_in: phase of the op that made it, "" where no op did. read_in: phases of the ops that read it.
    cast_of: the parameter of which it is a copy in another format, or "".
    """
    if row.tag is not None:
        return Use(row.tag, row.tag_role)
    if not made_in:
        return _from_outside(row, read_in)
    if made_in == "data":
        used = row.given_to_model or read_in & {"forward", "loss"}
        return Use("data", "input" if row.given_to_model else "target") if used else Use("workspace",
                                                                                       "data temporary")
    if cast_of:
        return Use("workspace", f"cast of {cast_of}")
    if made_in in ("forward", "loss", "recompute"):
        if row.packed or read_in & {"backward", "recompute"}:
            return Use("activations", "recomputed" if made_in == "recompute" else "activation")
        return Use("workspace", f"{made_in} temporary")
    if made_in == "backward":
        return Use("activation_gradients", "backward temporary")
    return Use("workspace", "optimizer temporary")


def _from_outside(row: Stored, read_in: set[str]) -> Use:
    if row.given_to_model:
        return Use("data", "input")
    scalar = all(extent == 1 for extent in row.shape)
    if read_in & {"forward", "loss"} and not scalar:
        return Use("data", "target")
    return Use("workspace", "held from before" if row.first_op == BEFORE else "made outside of ops")


def bytes_by_category(categories: Sequence[str], sizes: Sequence[int]) -> dict[str, int]:
    """Sum of the bytes in each category, those without any included as 0."""
    totals = dict.fromkeys(CATEGORIES, 0)
    for category, size in zip(categories, sizes):
        totals[category] += size
    return totals
