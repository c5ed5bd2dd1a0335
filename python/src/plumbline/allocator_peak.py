# SPDX-License-Identifier: Apache-2.0
"""Pass M: the allocator's own peak over one step, without a dispatch mode.

CPU: the profiler's allocation records. GPU: the allocator's statistics.
"""

from __future__ import annotations

from typing import Optional

import torch

from .allocation_records import AllocationRecords
from .structure import held_tensors


class AllocatorPeak:
    """open() before the step, close() behind it; `peak_bytes` is then known, or `absent` says why not."""

    def __init__(self, model: torch.nn.Module, device: str) -> None:
        self.peak_bytes: Optional[int] = None
        self.absent = ""
        self._model = model
        self._device = device
        self._records: Optional[AllocationRecords] = None
        self._open = False

    def open(self) -> None:
        """Begins; a profiler that runs already leaves the peak unknown."""
        if self._device == "cuda":
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
        elif self._device == "cpu":
            self._records = AllocationRecords()
            self._records.open([*held_tensors(), *self._model.parameters(), *self._model.buffers()])
        else:
            self.absent = f"The allocator of {self._device} was not asked: only those of cpu and cuda are known."
        self._open = True

    def close(self) -> None:
        """Ends and reads the peak; after an exception too."""
        if not self._open:
            return
        self._open = False
        if self._device == "cuda":
            torch.cuda.synchronize()
            self.peak_bytes = torch.cuda.max_memory_allocated()
        elif self._records is not None:
            self._records.close()
            if self._records.absent:
                self.absent = f"The allocator's peak is unknown, because {self._records.absent}."
            else:
                self.peak_bytes = self._records.peak_bytes()
