# SPDX-License-Identifier: Apache-2.0
"""What the CPU allocator gave out and took back in one step, by the profiler's records.

They tell of no block that is older than the profile, so the freeing of a storage that lived at the start puts a
marker of its own among them. Whoever runs an op may mark it too: mark(index).
"""

from __future__ import annotations

import weakref
from typing import Any, Iterable, NamedTuple, Optional

import torch
from torch.profiler import ProfilerActivity, profile

from .tensors import plain_tensors, storage_of

_FREED = "plumbline freed "
_OP = "plumbline op "
_record = torch._C._profiler._RecordFunctionFast


class Change(NamedTuple):
    """Bytes given out, or taken back (negative)."""

    time: int     # ns on the profiler's clock
    pointer: int  # 0: of a storage that is older than the step
    size: int


def mark(index: int) -> Any:
    """A context around the op with this number, which the records then know."""
    return _record(f"{_OP}{index}")


def marked_op(name: str) -> Optional[int]:
    """The number of the op whose mark() has this name in the profiler's records; None for another name."""
    return int(name[len(_OP):]) if name.startswith(_OP) else None


class AllocationRecords:
    """open() before the step, close() behind it; then `changes` are in the order of time, and `begins` has the time
    at which each marked op began. `absent` says why there are none."""

    def __init__(self) -> None:
        self.absent = ""
        self.start_bytes = 0
        self.changes: list[Change] = []
        self.begins: dict[int, int] = {}
        self._profile: Optional[profile] = None
        self._watched: dict[int, Any] = {}

    def open(self, held: Iterable[torch.Tensor]) -> None:
        """Begins; a profiler that runs already leaves everything unknown. `held`: tensors that live now."""
        if torch._C._autograd._profiler_enabled():
            self.absent = "a profiler was running already"
            return
        self._profile = profile(activities=[ProfilerActivity.CPU], profile_memory=True)
        self._profile.__enter__()
        self._watch(held)

    def close(self) -> None:
        """Ends and reads the records; after an exception too."""
        if self._profile is None:
            return
        ended, self._profile = self._profile, None
        self._watched.clear()
        ended.__exit__(None, None, None)
        self._read(ended.profiler.kineto_results.experimental_event_tree())

    def _watch(self, tensors: Iterable[torch.Tensor]) -> None:
        for tensor in tensors:
            for plain in plain_tensors(tensor):
                storage = storage_of(plain)
                if storage is None or plain.device.type != "cpu" or storage._cdata in self._watched:
                    continue
                size, key = storage.nbytes(), storage._cdata

                def freed(reference: Any, size: int = size) -> None:
                    if self._profile is not None:
                        with _record(f"{_FREED}{size}"):
                            pass

                self._watched[key] = weakref.ref(storage, freed)
                self.start_bytes += size

    def _read(self, tree: list) -> None:
        changes: list[Change] = []
        pending = list(tree)
        while pending:
            event = pending.pop()
            pending.extend(event.children)
            if event.name.startswith(_FREED):
                changes.append(Change(event.start_time_ns, 0, -int(event.name[len(_FREED):])))
            elif marked_op(event.name) is not None:
                self.begins[marked_op(event.name)] = event.start_time_ns
            elif event.tag == torch._C._profiler._EventType.Allocation:
                fields = event.typed[1]
                if fields.device.type == "cpu":
                    changes.append(Change(event.start_time_ns, fields.ptr, fields.alloc_size))
        live: set[int] = set()
        for change in sorted(changes, key=lambda change: change.time):
            if change.pointer and change.size > 0:
                live.add(change.pointer)
            elif change.pointer and change.pointer not in live:
                continue  # older than the profile: its marker counts
            else:
                live.discard(change.pointer)
            self.changes.append(change)

    def peak_bytes(self) -> int:
        """The most that was given out at once, what lived at the beginning included."""
        running = peak = self.start_bytes
        for change in self.changes:
            running += change.size
            peak = max(peak, running)
        return peak
