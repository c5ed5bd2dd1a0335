# SPDX-License-Identifier: Apache-2.0
"""Pass K: the kernels of each op and their time, on a GPU.

A step under the dispatch mode of pass S with the profiler beside it. Each op is marked; a kernel belongs to the op in
whose marker the call was that launched it, whatever the GPU did then.
"""

from __future__ import annotations

import bisect
from typing import Any, NamedTuple, Optional, Sequence

import torch
from torch.profiler import ProfilerActivity, profile

from .allocation_records import mark, marked_op
from .structure import Optimizers, StructurePass


class Kernel(NamedTuple):
    """A kernel, or a copy or filling of memory, as the GPU ran it."""

    name: str
    seconds: float


class KernelPass:
    """open() before the step, close() behind it; then add_to() gives the ops of pass S their kernels."""

    def __init__(self, model: torch.nn.Module, optimizers: Optimizers, hooks_optimizers: bool) -> None:
        self.structure = StructurePass(model, optimizers, hooks_optimizers, timed=False, around=mark)
        self._profile: Optional[profile] = None
        self._events: list[Any] = []
        self._absent = "the pass was not run"

    def open(self) -> None:
        """Begins; a profiler that runs already leaves the kernels unknown."""
        if torch._C._autograd._profiler_enabled():
            self._absent = "a profiler was running already"
        else:
            self._absent = ""
            self._profile = profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
            self._profile.__enter__()
        self.structure.open()

    def close(self) -> None:
        """Ends recording and takes out every hook; after an exception too."""
        self.structure.close()
        if self._profile is None:
            return
        ended, self._profile = self._profile, None
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        ended.__exit__(None, None, None)
        self._events = list(ended.profiler.kineto_results.events())

    def add_to(self, other: StructurePass) -> str:
        """Gives the ops of pass S their kernels and seconds. Returns what has to be said of it, or ""."""
        if not self._absent and [op.kind for op in self.structure.ops] != [op.kind for op in other.ops]:
            self._absent = "the step of pass K ran other ops than that of pass S"
        found, lost = kernels_of_ops(self._events, len(other.ops))
        if not self._absent and not any(found):
            self._absent = "the profiler told of no kernel"
        if self._absent:
            return f"Times of single ops on the GPU are not known, because {self._absent}."
        for op, kernels in zip(other.ops, found):
            op.kernels = [kernel.name for kernel in kernels]
            op.seconds = sum(kernel.seconds for kernel in kernels)
        return f"{lost} kernels were launched outside of ops, and are no op's." if lost else ""


def kernels_of_ops(events: Sequence[Any], count: int) -> tuple[list[list[Kernel]], int]:
    """The kernels of each of `count` ops, by torch's records, and the number of those that belong to none."""
    calls = [event for event in events if not _is_of_a_gpu(event)]
    # Ops of torch have a link of 0; calls of CUDA have one, and numbers of their own that may be those of ops.
    called = {event.correlation_id(): event.start_ns() for event in calls if event.linked_correlation_id() == 0}
    names = {event.name() for event in calls}
    markers = sorted((event.start_ns(), event.start_ns() + event.duration_ns(), op) for event, op in
                     ((event, marked_op(event.name())) for event in calls) if op is not None)
    begins = [begin for begin, _, _ in markers]
    found: list[list[Kernel]] = [[] for _ in range(count)]
    lost = 0
    for event in events:
        if not _is_of_a_gpu(event) or event.name() in names:  # a stretch of the CPU's, named again on the GPU
            continue
        when = called.get(event.linked_correlation_id())
        place = -1 if when is None else bisect.bisect_right(begins, when) - 1
        if place >= 0 and when <= markers[place][1] and markers[place][2] < count:
            found[markers[place][2]].append(Kernel(event.name(), event.duration_ns() / 1e9))
        else:
            lost += 1
    return found, lost


def _is_of_a_gpu(event: Any) -> bool:
    return event.device_type() == torch._C._autograd.DeviceType.CUDA
