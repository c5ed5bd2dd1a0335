# SPDX-License-Identifier: Apache-2.0
"""Pass L: what kernels of libraries take for themselves, op by op (CPU).

A step under the dispatch mode of pass S, with the allocator's records beside it: what was given out during an op and
is no tensor's is the library's. The same ops in the same order as in pass S are needed to say whose it was.
"""

from __future__ import annotations

import bisect
from typing import NamedTuple, Optional

import torch

from .allocation_records import AllocationRecords, Change, mark
from .storages import BEFORE, Stored
from .structure import Optimizers, StructurePass, held_tensors


_LEAST = 64  # bytes: numbers that an op makes tensors of are no memory that anybody looks for


class _Block(NamedTuple):
    """What the allocator gave out at once, and the ops during (or behind) which it did so and took it back."""

    pointer: int
    size: int
    first_op: int
    last_op: Optional[int]  # None: not in this step


class LibraryPass:
    """open() before the step, close() behind it; then add_to() adds what was found to a structure of pass S."""

    def __init__(self, model: torch.nn.Module, optimizers: Optimizers, hooks_optimizers: bool) -> None:
        self.structure = StructurePass(model, optimizers, hooks_optimizers, timed=False, around=mark)
        self._model = model
        self._records = AllocationRecords()

    def open(self) -> None:
        """Begins to record."""
        held = [*held_tensors(), *self._model.parameters(), *self._model.buffers()]
        self._records.open(held)
        self.structure.open(held)

    def close(self) -> None:
        """Ends recording and takes out every hook; after an exception too."""
        self.structure.close()
        self._records.close()

    def add_to(self, other: StructurePass) -> str:
        """Adds the memory inside libraries to the storages of pass S, as rows of their own. Returns what has to be
        said of it, or ""."""
        absent = self._records.absent or self._add_to(other)
        return f"What libraries take inside of their ops is not known by op, because {absent}." if absent else ""

    def _add_to(self, other: StructurePass) -> str:
        mine, theirs = self.structure.ops, other.ops
        if [op.kind for op in mine] != [op.kind for op in theirs]:
            return "the step of pass L ran other ops than that of pass S"
        begins = [self._records.begins.get(index) for index in range(len(mine))]
        if not mine or None in begins or begins != sorted(begins):
            return "the profiler lost ops of pass L"
        blocks = _blocks(self._records.changes, begins)
        older = self._older(blocks)
        rows = self.structure.storages.rows
        for number in older:
            rows[number].first_op = BEFORE
        self._correct_beginnings(other)
        kept = self._kept(blocks)
        start = self._records.start_bytes + sum(rows[number].bytes for number in older)
        most = _most_during(self._records.changes, begins, start)
        shown = _curve([(row.bytes, row.first_op, row.last_op) for row in rows] +
                       [(block.size, block.first_op, block.last_op) for block in kept], len(mine))
        for index, (real, seen) in enumerate(zip(most, shown)):
            if real - seen >= _LEAST:
                kept.append(_Block(0, real - seen, index, index))
        for block in sorted(kept, key=lambda block: block.first_op):
            maker = max(block.first_op, 0)
            other.storages.rows.append(Stored.inside_library(
                block.size, maker, block.last_op, theirs[maker].module, theirs[maker].kind.partition("::")[2]))
        return ""

    def _older(self, blocks: list[_Block]) -> list[int]:
        """Rows of tensors that were first seen late and yet are older than the step: none was given out for them."""
        given = {block.pointer for block in blocks}
        return [number for number, row in enumerate(self.structure.storages.rows)
                if row.first_op > BEFORE and row.last_op is None and row.bytes and row.pointer
                and row.made_phase is None and row.pointer not in given]

    def _correct_beginnings(self, other: StructurePass) -> None:
        """What pass S saw first in the middle of the step, and this one knows to be older, is older there too."""
        rows, theirs = self.structure.storages.rows, other.storages.rows
        for op, same in zip(self.structure.ops, other.ops):
            for number, twin in zip(op.reads, same.reads):
                if rows[number].first_op == BEFORE and theirs[twin].made_phase is None:
                    theirs[twin].first_op = BEFORE

    def _kept(self, blocks: list[_Block]) -> list[_Block]:
        """Blocks of no tensor that live longer than the op in which they were given out."""
        seen: dict[int, list[int]] = {}
        for row in self.structure.storages.rows:
            seen.setdefault(row.pointer, []).append(row.first_op)
        end = len(self.structure.ops)

        def is_tensor(block: _Block) -> bool:
            last = end if block.last_op is None else block.last_op
            return any(block.first_op <= first <= last for first in seen.get(block.pointer, ()))

        return [block for block in blocks
                if block.size >= _LEAST and block.last_op != block.first_op and not is_tensor(block)]


def _blocks(changes: list[Change], begins: list[int]) -> list[_Block]:
    """Blocks in the order in which they were given out."""

    def op_at(time: int) -> int:
        return bisect.bisect_right(begins, time) - 1

    found: list[_Block] = []
    open_at: dict[int, int] = {}  # pointer -> place in found
    for change in changes:
        if change.pointer and change.size > 0:
            open_at[change.pointer] = len(found)
            found.append(_Block(change.pointer, change.size, op_at(change.time), None))
        elif change.pointer in open_at:
            place = open_at.pop(change.pointer)
            found[place] = found[place]._replace(last_op=op_at(change.time))
    return found


def _most_during(changes: list[Change], begins: list[int], start: int) -> list[int]:
    """The most bytes that were given out from the beginning of each op to that of the next."""
    most, running, place = [], start, 0
    for index in range(len(begins)):
        end = begins[index + 1] if index + 1 < len(begins) else None
        peak = running
        while place < len(changes) and (end is None or changes[place].time < end):
            running += changes[place].size
            # What came to be before the first op is its own.
            peak = max(peak, running)
            place += 1
        most.append(peak)
    return most


def _curve(lives: list[tuple[int, int, Optional[int]]], count: int) -> list[int]:
    """Bytes that live during each op."""
    steps = [0] * (count + 1)
    for size, first, last in lives:
        steps[min(max(first, 0), count)] += size
        if last is not None and last < count:
            steps[max(last, first) + 1] -= size
    curve, live = [], 0
    for change in steps[:count]:
        live += change
        curve.append(live)
    return curve
