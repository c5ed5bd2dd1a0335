# SPDX-License-Identifier: Apache-2.0
"""What takes long: a training and a profile of the configuration's model. Runs on the engine's worker thread."""

from __future__ import annotations

import math
import time
from typing import Any, Callable, NamedTuple

from .config import RunConfig
from .devices import Choice, engine_name
from .losses import LossBatches
from .refusal import Refusal, refusal_of

WARM_UP = 3  # steps before the first that counts: state is made, code compiled, threads started
WATCHED = 5  # steps of a profile in which ops are watched
_READING_EVERY = 1.0  # seconds


class Stopped(Exception):
    """The window asked for an end."""


class Job(NamedTuple):
    """What a command works with. `send(type, **fields)` sends an event of it; `wait()` blocks between steps while
    paused, and raises Stopped."""

    send: Callable[..., None]
    wait: Callable[[], None]


def _steps_of(command: dict[str, Any], least: int, default: int) -> int:
    steps = command.get("steps", default)
    if not isinstance(steps, int) or isinstance(steps, bool):
        raise Refusal(f"steps is no whole number ({steps!r})", "send a number")
    if steps < least:
        raise Refusal(f"steps cannot be below {least} ({steps})", "0 runs until stopped" if least == 0 else "")
    return steps


def _refuse_extras(command: dict[str, Any]) -> None:
    for field, remedy in (("checkpoint_dir", "leave checkpoints off"), ("resume", "begin a new training")):
        if command.get(field):
            raise Refusal(f"the PyTorch engine keeps no checkpoints ({field} {command[field]})",
                          f"{remedy}, or choose the built-in trainer")
    if command.get("counters"):
        raise Refusal("the PyTorch engine has no counters", "profile without, or choose the built-in trainer")


class _Measured:
    """A training and what is measured of it."""

    def __init__(self, command: dict[str, Any], choice: Choice) -> None:
        from .reading import Measurements
        from .training import Training

        _refuse_extras(command)
        self.config = RunConfig(command.get("config"))
        self.training = Training(self.config, choice.device, choice.mode)
        self.measurements = Measurements(self.config, engine_name(choice))
        self.watches = choice.mode == "eager"
        say = self.measurements.remarks.append
        if not self.watches:
            say("ops and memory were not measured: compiled code shows no ops of its own to whoever watches")
        else:
            if choice.device != "cpu":
                say("times of ops were not measured: the device runs beside the host that watches")
            say("memory is that of tracked storages: what PyTorch's libraries take for themselves is not in it")
        say("batches are drawn before the step: its loading is the copy to the device")

    def ask_allocator(self) -> None:
        """One step more, of which the allocator itself says its peak: what libraries take is in that."""
        from ..allocator_peak import AllocatorPeak

        asked = AllocatorPeak(self.training.model, self.training.device.type)
        asked.open()
        try:
            self.training.step()
        finally:
            asked.close()
        if asked.peak_bytes is not None:
            self.measurements.remarks.append(f"the allocator's own peak over a step was {asked.peak_bytes} B, with drawn "
                                             "batches and what libraries take")

    def watch(self) -> None:
        """One step, watched."""
        watch = self.training.watched()
        self.measurements.add_watched(watch.op_seconds(), watch.memory(self.measurements.op_ids()))


def run(command: dict[str, Any], choice: Choice, job: Job) -> tuple[str, int]:
    """A training; returns its outcome and how many steps were done."""
    steps = _steps_of(command, 0, 0)
    measured = _Measured(command, choice)
    training, fp16 = measured.training, measured.config.precision == "fp16"
    losses = LossBatches(job.send)
    elapsed, next_reading, lost = 0.0, 0.0, 0
    try:
        while steps == 0 or training.done < steps:
            job.wait()
            begin = time.perf_counter()
            number = training.done
            if measured.watches and WARM_UP <= number < WARM_UP + WATCHED:
                loss = _watched_step(measured)
                seconds = None
            else:
                loss = training.step()
                seconds = loss.seconds if number >= WARM_UP else None
                if seconds is not None:
                    measured.measurements.add_step(seconds)
            elapsed += time.perf_counter() - begin
            losses.add(number, elapsed, seconds, loss)
            lost = lost + 1 if fp16 and loss.gradient_norm is None else 0
            if not math.isfinite(loss.loss) and not (fp16 and lost <= 50):
                raise Refusal(f"the loss is not finite in step {number} ({loss.loss})",
                              "lower lr, or clip the gradients", "run_failed")
            if elapsed >= next_reading and measured.measurements.steps > 0:
                next_reading = elapsed + _READING_EVERY
                job.send("reading", measured=measured.measurements.document())
    except Stopped:
        return "stopped", training.done
    finally:
        losses.flush()
        if measured.measurements.steps > 0:
            job.send("reading", measured=measured.measurements.document())
    return "finished", training.done


def _watched_step(measured: _Measured) -> Any:
    numbers: list[Any] = []
    step = measured.training.step

    def noted(*rest: Any) -> Any:
        numbers.append(step(*rest))
        return numbers[-1]

    measured.training.step = noted
    try:
        measured.watch()
    finally:
        del measured.training.step
    return numbers[-1]


def profile(command: dict[str, Any], choice: Choice, job: Job) -> tuple[str, int]:
    """Clean steps by the clock, then a few watched ones."""
    steps = _steps_of(command, 1, 20)
    measured = _Measured(command, choice)
    watched = WATCHED if measured.watches else 0
    try:
        for _ in range(WARM_UP):
            job.wait()
            measured.training.step()
        for done in range(1, steps + 1):
            job.wait()
            measured.measurements.add_step(measured.training.step().seconds)
            job.send("progress", what="profile", done=done, total=steps)
        for done in range(1, watched + 1):
            job.wait()
            measured.watch()
            job.send("progress", what="ops", done=done, total=watched)
        job.wait()
        measured.ask_allocator()
        outcome = "finished"
    except Stopped:
        outcome = "stopped"
    if measured.measurements.steps > 0:
        job.send("reading", measured=measured.measurements.document())
    return outcome, measured.training.done


def explain(error: BaseException, what: str) -> Refusal:
    """Why a job ended, as the window shows it."""
    if type(error).__module__.startswith("torch._inductor") or type(error).__module__.startswith("torch._dynamo"):
        refusal = refusal_of(error, "torch.compile failed")
        return Refusal(refusal.message, "choose PyTorch eager", "run_failed")
    return refusal_of(error, f"the {what} failed")
