# SPDX-License-Identifier: Apache-2.0
"""Pass M: the allocator's own peak over one step, without a dispatch mode.

CPU: the profiler's allocation records. They tell of no block that is older than the profile, so the freeing of a
storage that lived at the start puts a marker of its own among them. GPU: the allocator's statistics.
"""

from __future__ import annotations

import weakref
from typing import Any, Optional

import torch
from torch.profiler import ProfilerActivity, profile

from .structure import held_tensors
from .tensors import plain_tensors, storage_of

_MARKER = "plumbline freed "


class AllocatorPeak:
    """open() before the step, close() behind it; `peak_bytes` is then known, or `absent` says why not."""

    def __init__(self, model: torch.nn.Module, device: str) -> None:
        self.peak_bytes: Optional[int] = None
        self.start_bytes: Optional[int] = None
        self.absent = ""
        self._model = model
        self._device = device
        self._profile: Optional[profile] = None
        self._watched: dict[int, Any] = {}
        self._open = False

    def open(self) -> None:
        """Begins; a profiler that runs already leaves the peak unknown."""
        if self._device == "cuda":
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            self.start_bytes = torch.cuda.memory_allocated()
            self._open = True
            return
        if self._device != "cpu":
            self.absent = f"The allocator of {self._device} was not asked: only those of cpu and cuda are known."
            return
        if torch._C._autograd._profiler_enabled():
            self.absent = "The allocator's peak is unknown, because a profiler was running already."
            return
        self._profile = profile(activities=[ProfilerActivity.CPU], profile_memory=True)
        self._profile.__enter__()
        self._watch()
        self._open = True

    def close(self) -> None:
        """Ends and reads the peak; after an exception too."""
        if not self._open:
            return
        self._open = False
        if self._device == "cuda":
            torch.cuda.synchronize()
            self.peak_bytes = torch.cuda.max_memory_allocated()
            return
        self._watched.clear()
        self._profile.__exit__(None, None, None)
        self._read(self._profile.profiler.kineto_results.experimental_event_tree())
        self._profile = None

    def _watch(self) -> None:
        total = 0
        mark = torch._C._profiler._RecordFunctionFast
        for tensor in [*held_tensors(), *self._model.parameters(), *self._model.buffers()]:
            for plain in plain_tensors(tensor):
                storage = storage_of(plain)
                if storage is None or plain.device.type != "cpu" or storage._cdata in self._watched:
                    continue
                size, key = storage.nbytes(), storage._cdata

                def freed(reference: Any, size: int = size) -> None:
                    if self._open:
                        with mark(f"{_MARKER}{size}"):
                            pass

                self._watched[key] = weakref.ref(storage, freed)
                total += size
        self.start_bytes = total

    def _read(self, tree: list) -> None:
        live: dict[int, int] = {}
        changes: list[tuple[int, int, int]] = []
        pending = list(tree)
        while pending:
            event = pending.pop()
            pending.extend(event.children)
            if event.name.startswith(_MARKER):
                changes.append((event.start_time_ns, 0, -int(event.name[len(_MARKER):])))
            elif event.tag == torch._C._profiler._EventType.Allocation:
                fields = event.typed[1]
                if fields.device.type == "cpu":
                    changes.append((event.start_time_ns, fields.ptr, fields.alloc_size))
        running = peak = 0
        for _, pointer, size in sorted(changes, key=lambda change: change[0]):
            if pointer:
                if size > 0:
                    live[pointer] = size
                elif live.pop(pointer, None) is None:
                    continue  # older than the profile: its marker counts
            running += size
            peak = max(peak, running)
        self.peak_bytes = self.start_bytes + peak
