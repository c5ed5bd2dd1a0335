# SPDX-License-Identifier: Apache-2.0
"""The conversation with the window: one JSON document a line on standard input and output (docs/protocol.md)."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import Any, BinaryIO, Callable, Optional

from .. import __version__
from . import jobs
from .devices import Choice, choose, find_choices
from .module_job import ModuleJob
from .refusal import Refusal

PROTOCOL = 1
MOST_LINE = 64 << 20  # bytes
_PATIENCE = 1.0  # seconds for the work to end when the window has gone
STATES = {"run": "running", "profile": "profiling"}
_ABSENT = {
    "calibrate": ("PyTorch is not calibrated", "choose the built-in trainer's device and calibrate that"),
    "inspect": ("the PyTorch engine shows no tensors", "train with the built-in trainer to look at its tensors"),
    "time_einsum": ("the PyTorch engine times no expressions", "choose the built-in trainer's device"),
}


def claim_output() -> BinaryIO:
    """Standard output for the protocol alone: what scripts and libraries print goes to standard error."""
    channel = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return channel


class Conversation:
    """Reads commands on the main thread and works on another."""

    def __init__(self, output: BinaryIO, module: Optional[str] = None, folder: Optional[str] = None) -> None:
        self._output = output
        self._writing = threading.Lock()
        self._state = threading.Condition()
        self._busy = ""  # the state that is shown: "running", "paused", ...; empty: idle
        self._stopping = False
        self._greeted = False
        self._worker: Optional[threading.Thread] = None
        self._module = ModuleJob(module, folder) if module else None
        self._choices: list[Choice] = []

    def run(self) -> int:
        """Until quit, the end of input or a signal; returns the exit status."""
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(name, lambda *rest: self._leave(0))
        self.send(0, "hello", version=PROTOCOL, program=f"plumbline-profiler {__version__}")
        self._choices = find_choices()
        if self._module is not None:
            self._choices = [self._module.named(choice) for choice in self._choices]
        self._send_devices(0)
        status = self._converse(sys.stdin.buffer)
        self._leave(status)
        return status

    def send(self, id_: int, type_: str, **fields: Any) -> None:
        """Writes one event whole."""
        line = json.dumps({"id": id_, "type": type_, **fields}, allow_nan=False, separators=(",", ":"),
                          ensure_ascii=False)
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        with self._writing:
            try:
                while data:
                    data = data[self._output.write(data):]
            except OSError:  # the window has gone: the end of input follows
                self._stopping = True

    def _refuse(self, id_: int, refusal: Refusal) -> None:
        self.send(id_, "error", **refusal.document())

    # --- commands --------------------------------------------------------------------------------------------

    def _converse(self, source: BinaryIO) -> int:
        while True:
            line = source.readline(MOST_LINE + 1)
            if not line:
                return 0
            if len(line) > MOST_LINE:
                while line and not line.endswith(b"\n"):
                    line = source.readline(1 << 20)
                self._refuse(0, Refusal(f"a message is longer than {MOST_LINE} B",
                                        "it was left out; check that both sides are Plumbline"))
                continue
            if not line.strip():
                continue
            status = self._handle(line)
            if status is not None:
                return status

    def _handle(self, line: bytes) -> Optional[int]:
        try:
            command = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            self._refuse(0, Refusal(f"the message cannot be read ({error})", "write one JSON object a line"))
            return None
        if not isinstance(command, dict):
            self._refuse(0, Refusal("the message is not a JSON object", 'write one object with a "type" a line'))
            return None
        id_ = command.get("id", 0)
        id_ = id_ if isinstance(id_, int) and not isinstance(id_, bool) and 0 <= id_ < 1 << 63 else 0
        kind = command.get("type")
        try:
            return self._obey(id_, kind, command)
        except Refusal as refusal:
            self._refuse(id_, refusal)
            return 2 if kind == "hello" else None

    def _obey(self, id_: int, kind: Any, command: dict[str, Any]) -> Optional[int]:
        if kind == "hello":
            if command.get("version") != PROTOCOL:
                raise Refusal(f"the window speaks protocol version {command.get('version')}, this engine {PROTOCOL}",
                              "install the same version of Plumbline on both sides")
            self._greeted = True
        elif kind == "quit" and self._greeted:
            return 0
        elif not self._greeted:
            raise Refusal("the first message must be hello", "send the protocol version first")
        elif kind == "devices":
            self._send_devices(id_)
        elif kind in STATES:
            self._start(id_, kind, command)
        elif kind == "stop":
            self._stop()
        elif kind in ("pause", "resume"):
            self._pause(id_, kind == "pause")
        elif kind in _ABSENT:
            raise Refusal(*_ABSENT[kind], code="unavailable")
        else:
            raise Refusal(f"the type of the message is not known ({str(kind)[:64]})",
                          "install the same version of Plumbline on both sides")
        return None

    def _send_devices(self, id_: int) -> None:
        self.send(id_, "devices", devices=[choice.entry for choice in self._choices])

    # --- work ------------------------------------------------------------------------------------------------

    def _start(self, id_: int, kind: str, command: dict[str, Any]) -> None:
        with self._state:
            if self._busy:
                raise Refusal("the engine is busy", "stop what it does first")
            self._busy, self._stopping = STATES[kind], False
        self.send(id_, "state", state=STATES[kind])
        self._worker = threading.Thread(target=self._work, args=(id_, kind, command), daemon=True)
        self._worker.start()

    def _work(self, id_: int, kind: str, command: dict[str, Any]) -> None:
        def send(type_: str, **fields: Any) -> None:
            self.send(id_, type_, **fields)

        job = jobs.Job(send, self._wait)
        outcome, done = "failed", 0
        try:
            device = command.get("device", "")
            if not isinstance(device, str):
                raise Refusal(f"device is no text ({device!r})", "name one of the list")
            choice = choose(self._choices, device)
            work: Callable[..., tuple[str, int]] = jobs.run if kind == "run" else jobs.profile
            if self._module is not None:
                work = self._module.record
            outcome, done = work(command, choice, job)
        except jobs.Stopped:
            outcome = "stopped"
        except BaseException as error:  # also SystemExit of a script: the engine outlives what it runs
            refusal = jobs.explain(error, "training" if kind == "run" else "profile")
            self._refuse(id_, refusal)
            outcome = f"failed: {refusal.message}"
        with self._state:
            self._busy = ""
            self.send(id_, "finished", outcome=outcome, steps_done=done)
            self.send(id_, "state", state="idle")
            self._state.notify_all()

    def _wait(self) -> None:
        with self._state:
            self._state.wait_for(lambda: self._stopping or self._busy != "paused")
            if self._stopping:
                raise jobs.Stopped

    def _pause(self, id_: int, paused: bool) -> None:
        with self._state:
            if self._busy not in ("running", "paused"):
                raise Refusal("no training goes on that could be paused" if paused else "no training is paused",
                              "run first")
            self._busy = "paused" if paused else "running"
            self._state.notify_all()
            self.send(id_, "state", state=self._busy)

    def _stop(self) -> None:
        with self._state:
            if self._busy:
                self._stopping = True
                self._state.notify_all()

    def _leave(self, status: int) -> None:
        """Ends the process; a step that takes longer than a second is not waited for."""
        self._stopping = True
        worker = self._worker
        if worker is not None and worker.is_alive() and worker is not threading.current_thread():
            with self._state:
                self._state.notify_all()
            worker.join(_PATIENCE)
        sys.stderr.flush()
        os._exit(status)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")
