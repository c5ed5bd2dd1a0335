# SPDX-License-Identifier: Apache-2.0
"""`record`: which step of a user's loop is recorded by which pass, and that nothing stays behind.

The steps of the body: `warmup` steps as they are; one of pass S (structure.py); one of pass M
(allocator_peak.py); on the CPU one of pass L (library_pass.py), on a GPU one of pass K (kernel_pass.py); `steps` of
pass T, clean, timed by the clock. Then the file is written and the rest of the body runs as if nothing were there.
"""

from __future__ import annotations

import functools
import gc
import os
import sys
import time
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Union

import torch

from . import patches
from .allocator_peak import AllocatorPeak
from .document import StepDocument
from .kernel_pass import KernelPass
from .library_pass import LibraryPass
from .losses import BACKWARD, GIVEN, UNHELD, BackwardRoots, Loss, StepLosses, check_loss, value_of
from .modules import is_sharded
from .step_file import Path, Target, find_target, sentence_of, write_to
from .structure import StructurePass, model_device

if TYPE_CHECKING:
    from .prediction import Prediction


class RecordingError(RuntimeError):
    """A step could not be recorded; the message says why and what to do."""


# Clean steps that are timed. A comparison of two recordings knows the noise by them: of steps that vary by 2 % with 3 % of
# outliers, 5 each make it call one equal pair in ten different and find 7 of 10 changes of 5 %; 20 each, 3 of 100 and all.
TIMED_STEPS = 20
# Namespaces of ops that exchange data between ranks.
_COLLECTIVES = ("c10d", "_c10d_functional")
# What a device has beside the passes of all: letter -> what runs it.
_MORE = {"cpu": {"L": LibraryPass}, "cuda": {"K": KernelPass}}


class record:
    """Records one training step of the loop in its body and writes it to a step file.

        with plumbline.record("step.plumb", model, optimizer) as r:
            for batch in loader:
                loss = train_on(batch)
                r.step(loss)

    path: the file to write; an older one is replaced when the new one is complete.
    model: whose modules name the ops. Any wrapper (DDP, FSDP) may be given instead of what it wraps.
    optimizer: one, or several; names the state from the first op on. Without it the state is found when its
        step() ends.
    warmup: steps before the first pass, in which lazy things (optimizer state, caches) come to be.
    steps: clean steps that are timed; a body that ends before has fewer.
    samples: that one step trains on; by default the first extent of the model's first input.
    prediction: of this step, by predict(), that the file is to hold beside what was recorded.
    automatic: steps end with each optimizer's step(); nobody calls step(). As a decorator it always does so. The loss of
        a step is then the scalar that its backward() began from, where there was one.

    An exception in the body passes through; no file is written and every hook is taken out. ValueError at the
    beginning where `path` is a place that no file can be written to. A file that cannot be written later (a disk that
    is full by then) is warned of and ends no training: `problem` has the sentence, `document` what was to be written.
    RecordingError when the body ended before a step was recorded. Call step() in the thread that trains, outside of
    contexts that the step opens. `done` tells when the recording is over.
    """

    def __init__(self, path: Path, model: torch.nn.Module,
                 optimizer: Union[torch.optim.Optimizer, Iterable[torch.optim.Optimizer], None] = None, *,
                 warmup: int = 1, steps: int = TIMED_STEPS, samples: Optional[int] = None, title: Optional[str] = None,
                 automatic: bool = False, prediction: Optional["Prediction"] = None) -> None:
        if prediction is not None and getattr(prediction, "document", {}).get("source") != "predicted":
            raise ValueError(f"prediction is {type(prediction).__name__}, which is none: give what plumbline.predict() "
                             "returned.")
        if warmup < 0 or steps < 0:
            raise ValueError(f"warmup ({warmup}) and steps ({steps}) must not be negative.")
        self.document: Optional[dict[str, Any]] = None
        self.problem: Optional[str] = None  # why there is no file
        self.done = False
        self._target: Optional[Target] = None
        self._path, self._model = path, model
        self._optimizers = [optimizer] if isinstance(optimizer, torch.optim.Optimizer) else list(optimizer or ())
        self._samples, self._title, self._automatic = samples, title, automatic
        self._prediction = prediction
        self._warmup = warmup
        self._device = model_device(model)
        self._plan = ["W"] * warmup + ["S", "M"] + list(_MORE.get(self._device, ())) + ["T"] * steps
        self._ended = 0  # steps that are over
        self._structure: Optional[StructurePass] = None
        self._further: Union[LibraryPass, KernelPass, None] = None
        self._allocator: Optional[AllocatorPeak] = None
        self._structure_seconds: Optional[float] = None
        self._step_seconds: list[float] = []
        self._losses = StepLosses()
        self._roots = BackwardRoots() if automatic else None
        self._begun = 0.0  # the recording
        self._begin = self._end = 0.0  # the pass
        self._undo: Optional[patches.Undo] = None
        self._optimizer_ended = False
        self._running = False
        self._in_step = False

    # --- as a context and as a decorator ---------------------------------------------------------------------

    def __enter__(self) -> "record":
        if self._running or self.done:
            raise RecordingError("A recording is used once: make another record(...) for another file.")
        if self._device == "cpu" and is_sharded(self._model) and _shards_on_gpus_alone():
            raise RecordingError(
                f"torch {torch.__version__} runs a model that fully_shard() was applied to on GPUs alone, since it asks for "
                "streams of CUDA in the first forward: there is no step to record. Newer versions run it on the CPU (2.15 "
                "was tried); DistributedDataParallel is recorded with this one too.")
        self._target = find_target(self._path)
        self._running = True
        self._begun = time.perf_counter()
        try:
            self._set_hooks()
            self._begin_pass()
        except BaseException:
            self._take_out()
            raise
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        complete = self.done
        finished = self._finished_passes()
        self._take_out()
        if kind is None and not complete:
            if "S" not in finished:
                raise RecordingError(
                    f"No step was recorded: the body ended {self._ended} steps, the first recorded one is step "
                    f"{self._warmup + 1}. Call step() at the end of each step, or give a smaller warmup.")
            self._write()
        return False

    def __call__(self, function: Callable) -> Callable:
        """As a decorator: records inside each call until the file is there; optimizers mark the steps."""
        self._automatic = True
        self.watch_backward()

        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            if self.done or self._running:
                return function(*args, **kwargs)
            with self:
                return function(*args, **kwargs)

        return recorded

    # --- steps -----------------------------------------------------------------------------------------------

    def step(self, loss: Loss = None) -> None:
        """Marks the end of a step. After the last one that is needed the file is written; later calls do
        nothing.

        loss: of the step, a tensor of one element or a number; what is not given is not in the file. TypeError for
            anything else.
        """
        check_loss(loss)
        reason = ("The loss was not given to step(): call step(loss)." if self._roots is None else "")
        self.end_step((lambda: None) if loss is None else (lambda: value_of(loss)), GIVEN, reason)

    def watch_backward(self) -> None:
        """Takes for the loss of a step what its backward() begins from, where nothing else is known of it."""
        if self._roots is None:
            self._roots = BackwardRoots()

    def may_hold_tensors(self) -> bool:
        """Whether a tensor of this step may live on to its end without changing a number of the file."""
        return self._current() in UNHELD

    def end_step(self, read: Callable[[], Optional[float]], source: str, reason: str) -> None:
        """As step(), with what reads the loss between two passes, or returns None for the reason."""
        if not self._running or self.done:
            return
        try:
            self._end_pass()
            self._note_loss(read, source, reason)
            self._ended += 1
            if self._ended == len(self._plan):
                self._write()
            else:
                self._begin_pass()
        except BaseException:
            self._close_passes()
            self.done = True
            raise

    def _note_loss(self, read: Callable[[], Optional[float]], source: str, reason: str) -> None:
        kind = self._plan[self._ended]
        value = read()
        if value is None and self._roots is not None:
            source = BACKWARD
            if kind in UNHELD:
                root, reason = self._roots.take()
                value = None if root is None else value_of(root)
            else:
                reason = "Of passes other than T no loss is taken from backward(): it would be held for too long."
        if value is None:
            self._losses.lacks(reason)
        else:
            self._losses.add(self._ended, kind, value, self._end - self._begun, source)

    def _eager_passes(self, finished: list[str]) -> str:
        return " and ".join(kind for kind in ("S", *_MORE.get(self._device, ())) if kind in finished)

    def _finished_passes(self) -> list[str]:
        return self._plan[:self._ended]

    def _begin_pass(self) -> None:
        kind = self._plan[self._ended]
        if kind == "S":
            gc.collect()
            self._structure = StructurePass(self._model, self._optimizers, hooks_optimizers=not self._automatic)
            self._structure.open()
        elif kind == "M":
            gc.collect()
            self._allocator = AllocatorPeak(self._model, self._device)
            self._allocator.open()
        elif kind in _MORE.get(self._device, ()):
            gc.collect()
            make = _MORE[self._device][kind]
            self._further = make(self._model, self._optimizers, hooks_optimizers=not self._automatic)
            self._further.open()
        if self._roots is not None and kind in UNHELD:
            self._roots.open()
        self._synchronize()
        self._begin = time.perf_counter()

    def _end_pass(self) -> None:
        kind = self._plan[self._ended]
        self._synchronize()
        self._end = time.perf_counter()
        seconds = self._end - self._begin
        if self._roots is not None:
            self._roots.close()
        if kind == "S":
            self._structure_seconds = seconds
            self._structure.close()
        elif kind == "M":
            self._allocator.close()
        elif kind == "T":
            self._step_seconds.append(seconds)
        elif self._further is not None:
            self._further.close()

    def _synchronize(self) -> None:
        if self._device == "cuda":
            torch.cuda.synchronize()

    def _set_hooks(self) -> None:
        if self._automatic:
            self._undo = patches.optimizer_steps(self.optimizer_begins, self.optimizer_ends, self.end_after_optimizer)

    def optimizer_begins(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer's step() begins; only of an automatic recording."""
        watching = self._watching()
        if watching is not None:
            watching.optimizer_begins(optimizer)

    def optimizer_ends(self, optimizer: torch.optim.Optimizer) -> None:
        """The work of an optimizer's step() is done, but for leaving it; only of an automatic recording."""
        watching = self._watching()
        if watching is not None:
            watching.optimizer_ends(optimizer)
        self._optimizer_ended = True

    def end_after_optimizer(self) -> None:
        """An optimizer's step() was left: the step ends with it; only of an automatic recording."""
        ended, self._optimizer_ended = self._optimizer_ended, False
        if ended:
            self.step()

    def _watching(self) -> Optional[StructurePass]:
        """What watches the ops of this step, if anything does."""
        current = self._current()
        if current in _MORE.get(self._device, ()):
            return None if self._further is None else self._further.structure
        return self._structure if current == "S" else None

    def _current(self) -> str:
        return self._plan[self._ended] if self._running and self._ended < len(self._plan) else ""

    # --- the end ---------------------------------------------------------------------------------------------

    def _close_passes(self) -> None:
        if self._roots is not None:
            self._roots.close()
        if self._structure is not None:
            self._structure.close()
        if self._allocator is not None:
            self._allocator.close()
        if self._further is not None:
            self._further.close()

    def _take_out(self) -> None:
        self._running = False
        if self._undo is not None:
            self._undo()
            self._undo = None
        self._close_passes()

    def _write(self) -> None:
        finished = self._finished_passes()
        said: list[str] = []
        if self._further is not None and any(kind in finished for kind in _MORE.get(self._device, ())):
            sentence = self._further.add_to(self._structure)
            said += [sentence] if sentence else []
        elif self._device == "cuda":
            said.append("Times of single ops on the GPU are not known: the body ended before pass K.")
        document = StepDocument(self._structure, self._device, said)
        fields = document.fields
        if self._title is not None:
            fields["title"] = self._title
        if self._samples is not None:
            fields["samples"] = self._samples
        elif fields["samples"] is not None:
            said.append(f"samples ({fields['samples']}) is the first extent of the model's first input; give "
                        "samples=... where that is not the batch.")
        if "M" in finished:
            document.add_allocator(self._allocator.peak_bytes)
            if self._allocator.absent:
                said.append(self._allocator.absent)
        else:
            said.append("The allocator's peak is unknown: the body ended before pass M.")
        document.add_times(self._step_seconds, self._structure_seconds)
        fields["losses"] = self._losses.fields()
        fields["recording"].update({
            "warmup_steps": self._warmup, "passes": {name: finished.count(name) for name in self._plan if name != "W"},
            "automatic": self._automatic,
        })
        if self._structure.optimizer_steps == 0:
            said.append("No optimizer stepped in the recorded step (pass S).")
        if self._structure.graph_replays:
            said.append(f"{self._structure.graph_replays} CUDA graphs were replayed in the recorded step: ops and tensors "
                        "inside of them are not seen; times and the allocator's peak (passes T and M) have them.")
        collectives = sum(op.kind.partition("::")[0] in _COLLECTIVES for op in self._structure.ops)
        if collectives:
            said.append(f"This is one rank of a distributed training, with {collectives} collectives: what other ranks hold "
                        "is not in it, and times have the waiting for them.")
        if is_sharded(self._model):
            said.append("The model is sharded (FSDP2): its parameters, gradients and optimizer state are the shards of this "
                        "rank; what is gathered for a layer is a row of its own, without the parameter's name.")
        if self._prediction is not None:
            document.add_prediction(self._prediction.document)
        compiled = self._structure.compiled
        fields["recording"]["compiled"] = compiled
        if compiled:
            said.append(f"torch.compile made what runs in the step ({', '.join(compiled)}): ops, modules, memory curve and "
                        f"FLOPs are those of the eager code that it was made of (pass {self._eager_passes(finished)}), step "
                        "times and the allocator's peak those of compiled code (passes T and M). What compiled code fuses, "
                        "keeps or computes again is not in the ops.")
        self.document = fields
        try:
            write_to(self._target, fields)
        except Exception as error:  # what is recorded is worth less than the training that goes on
            self.problem = sentence_of(error, self._target.asked)
            warnings.warn(f"{self.problem}. The training goes on; what was recorded is in this recording's `document`, and "
                          "plumbline.write_step(PATH, document) writes it.", RuntimeWarning, stacklevel=_outside())
        self.done = True
        self._structure = self._allocator = self._further = None


def _outside() -> int:
    """How many frames the caller of this package is above whoever calls this."""
    frame, level = sys._getframe(1), 1
    here = os.path.dirname(os.path.abspath(__file__))
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == here:
        frame, level = frame.f_back, level + 1
    return level


def _shards_on_gpus_alone() -> bool:
    """Whether FSDP2 of this torch needs a GPU, and there is none."""
    return torch.__version__.startswith("2.4.") and not torch.cuda.is_available()
