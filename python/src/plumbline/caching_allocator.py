# SPDX-License-Identifier: Apache-2.0
"""A model of torch's caching allocator for CUDA: what it reserves for a given order of requests.

Requests are rounded to 512 bytes. Small ones (up to 1 MiB) come from segments of 2 MiB, others from segments of
20 MiB, those of 10 MiB and more from one of their own rounded to 2 MiB. The smallest free block that is large
enough is taken and split; what is freed joins its free neighbours. Segments are never given back.
"""

from __future__ import annotations

import bisect
from typing import Optional

BLOCK = 512
_SMALL_REQUEST = 1 << 20
_SMALL_SEGMENT = 2 << 20
_LARGE_SEGMENT = 20 << 20
_OWN_SEGMENT = 10 << 20
_SEGMENT_ROUNDING = 2 << 20


def rounded(size: int, to: int = BLOCK) -> int:
    """The next multiple."""
    return -(-size // to) * to


class _Block:
    __slots__ = ("address", "size", "free", "before", "after", "small")

    def __init__(self, address: int, size: int, small: bool) -> None:
        self.address, self.size, self.small, self.free = address, size, small, True
        self.before: Optional[_Block] = None
        self.after: Optional[_Block] = None


class CachingAllocator:
    """take() and give_back() in the order of a step; then allocated_peak and reserved are known, in bytes."""

    def __init__(self) -> None:
        self.reserved = 0
        self.allocated = 0
        self.allocated_peak = 0
        self._free: dict[bool, list[tuple[int, int]]] = {True: [], False: []}  # (size, address), by pool
        self._blocks: dict[int, _Block] = {}

    def take(self, size: int) -> Optional[int]:
        """The address of a block for `size` bytes; None for none."""
        if size <= 0:
            return None
        wanted = rounded(size)
        small = wanted <= _SMALL_REQUEST
        block = self._fitting(wanted, small) or self._segment(wanted, small)
        rest = block.size - wanted
        if rest >= BLOCK if small else rest > _SMALL_REQUEST:
            self._split(block, wanted)
        block.free = False
        self.allocated += block.size
        self.allocated_peak = max(self.allocated_peak, self.allocated)
        return block.address

    def give_back(self, address: Optional[int]) -> None:
        """Frees what take() returned."""
        if address is None:
            return
        block = self._blocks[address]
        block.free = True
        self.allocated -= block.size
        if block.after is not None and block.after.free:
            self._forget(block.after)
            self._swallow_next(block)
        if block.before is not None and block.before.free:
            block = block.before
            self._forget(block)
            self._swallow_next(block)
        bisect.insort(self._free[block.small], (block.size, block.address))

    def _fitting(self, wanted: int, small: bool) -> Optional[_Block]:
        free = self._free[small]
        place = bisect.bisect_left(free, (wanted, 0))
        return self._blocks[free.pop(place)[1]] if place < len(free) else None

    def _segment(self, wanted: int, small: bool) -> _Block:
        if small:
            size = _SMALL_SEGMENT
        elif wanted < _OWN_SEGMENT:
            size = _LARGE_SEGMENT
        else:
            size = rounded(wanted, _SEGMENT_ROUNDING)
        block = _Block(self.reserved, size, small)
        self._blocks[block.address] = block
        self.reserved += size
        return block

    def _split(self, block: _Block, wanted: int) -> None:
        rest = _Block(block.address + wanted, block.size - wanted, block.small)
        rest.before, rest.after = block, block.after
        if block.after is not None:
            block.after.before = rest
        block.after, block.size = rest, wanted
        self._blocks[rest.address] = rest
        bisect.insort(self._free[rest.small], (rest.size, rest.address))

    def _forget(self, block: _Block) -> None:
        """Takes a free block out of the list of its pool."""
        free = self._free[block.small]
        del free[bisect.bisect_left(free, (block.size, block.address))]

    def _swallow_next(self, block: _Block) -> None:
        """Makes one block of this one and the next."""
        swallowed = block.after
        block.size += swallowed.size
        block.after = swallowed.after
        if swallowed.after is not None:
            swallowed.after.before = block
        del self._blocks[swallowed.address]


def replay(sizes: list[int], first_ops: list[int], last_ops: list[int], op_count: int,
           held: tuple[int, ...] = ()) -> CachingAllocator:
    """Runs the lifetimes of a step's tensors through the model. `held`: blocks that live all the time."""
    allocator = CachingAllocator()
    for size in held:
        allocator.take(size)
    made: dict[int, list[int]] = {}
    freed: dict[int, list[int]] = {}
    for row, (first, last) in enumerate(zip(first_ops, last_ops)):
        made.setdefault(first, []).append(row)
        freed.setdefault(last, []).append(row)
    address: dict[int, Optional[int]] = {}
    for op in range(-1, op_count):
        for row in made.get(op, ()):
            address[row] = allocator.take(sizes[row])
        for row in freed.get(op, ()):
            allocator.give_back(address.pop(row, None))
    return allocator
