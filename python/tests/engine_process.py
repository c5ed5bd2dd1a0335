# SPDX-License-Identifier: Apache-2.0
"""A running engine: `python -m plumbline engine`, or the built-in trainer's, and the events that it sent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Optional

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")


class Engine:
    """Starts it, says hello and reads up to its list of devices. Use as a context."""

    def __init__(self, *arguments: str, command: Optional[list[str]] = None, greets: bool = True) -> None:
        environment = {**os.environ, "PYTHONPATH": SOURCES, "OMP_NUM_THREADS": "1"}
        command = command or [sys.executable, "-B", "-m", "plumbline", "engine", *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.events: list[dict[str, Any]] = []
        if greets:
            self.send("hello", version=1, program="test")
            self.devices = self.until("devices")["devices"]

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *rest: Any) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass  # what was to be written is of no interest any more

    def write(self, line: bytes) -> None:
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, kind: str, id: int = 0, **fields: Any) -> None:
        self.write(json.dumps({"id": id, "type": kind, **fields}).encode())

    def next(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the engine ended: {self.process.stderr.read().decode()[-2000:]}")
        self.events.append(json.loads(line))
        return self.events[-1]

    def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        while True:
            event = self.next()
            if event["type"] == kind and all(event.get(name) == value for name, value in fields.items()):
                return event

    def of(self, kind: str, id: int) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == kind and event["id"] == id]

    def losses(self, id: int) -> dict[int, float]:
        return {step: loss for batch in self.of("loss", id) for step, loss in zip(batch["step"], batch["loss"])}

    def finish(self) -> int:
        """Sends quit; returns the exit status."""
        self.send("quit")
        self.process.stdin.close()
        return self.process.wait(20)
