# SPDX-License-Identifier: Apache-2.0
"""Runs parts of a measurement one after the other so that none can spoil another: each has a limit of its own, what it
started is ended with it, and what became of it is on disk before the next one begins."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

LEAST_SECONDS = 5  # no part is begun with less than that left
GRACE_SECONDS = 3  # for what was asked to end


class Missing(Exception):
    """What a part needs is not on this machine."""


def end(process):
    """Ends a process and all that it started, also what has left it behind; waits no longer than the grace."""
    for ending in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, ending)
        except ProcessLookupError:
            pass
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    # A process in the driver's hands may not even die of SIGKILL: it is left there.


class Parts:
    """Runs the parts and keeps what became of them. `summarise(results)` is called after every one."""

    def __init__(self, out, seconds, only=None, summarise=None):
        self.out, self.deadline, self.failures, self.results = pathlib.Path(out), time.monotonic() + seconds, [], {}
        self.only = re.compile(only) if only else None
        self.summarise = summarise
        if self.only and (self.out / "parts.json").exists():
            self.results = json.loads((self.out / "parts.json").read_text())

    def left(self):
        return self.deadline - time.monotonic()

    def run(self, name, work, needed=True):
        """What `work()` returns; None where it failed. Not `needed`: that it could not run is no failure."""
        if self.only and not self.only.search(name):
            return (self.results.get(name) or {}).get("result")
        begin = time.monotonic()
        if self.left() < LEAST_SECONDS:
            outcome = {"outcome": "not run", "reason": "out of time"}
        else:
            try:
                outcome = {"outcome": "done", "result": work()}
            except Missing as missing:
                outcome = {"outcome": "not run", "reason": str(missing)}
            except Exception as error:  # whatever it is, the other parts go on
                outcome = {"outcome": "failed", "reason": f"{type(error).__name__}: {error}"[:2000]}
        outcome["seconds"] = round(time.monotonic() - begin, 1)
        self.results[name] = outcome
        if outcome["outcome"] == "failed" or (needed and outcome["outcome"] == "not run"):
            self.failures.append(name)
            print(f"measure: {name} {outcome['outcome'].upper()}: {outcome['reason']}", file=sys.stderr, flush=True)
        else:
            print(f"measure: {name}: {outcome['outcome']} ({outcome['seconds']} s, {self.left():.0f} s left)",
                  file=sys.stderr, flush=True)
        self.save()
        return outcome.get("result")

    def save(self):
        write(self.out / "parts.json", json.dumps(self.results, indent=1))
        if self.summarise is None:
            return
        try:
            self.summarise(self.results)
        except Exception as error:  # a summary that fails loses nothing: parts.json is there
            print(f"measure: the summary failed: {type(error).__name__}: {error}", file=sys.stderr, flush=True)

    def call(self, command, limit, log, partial=False, **more):
        """stdout of a command; both of its streams go to files as they come. Raises when it fails or is too slow.
        partial: what it had said until it was too slow or failed is returned, when that is something."""
        limit = max(1, min(limit, self.left()))
        said, complained = self.out / f"{log}.out", self.out / f"{log}.log"
        with open(said, "wb") as output, open(complained, "wb") as errors:
            try:
                # To files and in a session of its own: a pipe that a grandchild keeps open would outlive the limit.
                process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output,
                                           stderr=errors, start_new_session=True, **more)
            except OSError as error:
                raise Missing(f"{command[0]} does not start: {error.strerror}") from None
            try:
                code = process.wait(limit)
                slow = False
            except subprocess.TimeoutExpired:
                slow, code = True, None
            finally:
                end(process)
        text = tail(said, 64_000_000)
        if partial and text.strip() and (slow or code != 0):
            return text
        if slow:
            raise RuntimeError(f"{pathlib.Path(str(command[0])).name} took more than {limit:.0f} s")
        if code == 3:
            lines = tail(complained, 4000).strip().splitlines()
            raise Missing(lines[-1] if lines else "not available")
        if code != 0:
            raise RuntimeError(f"exit {code}: {(tail(complained, 4000).strip() or text.strip())[-800:]}")
        return text


def tail(path, size):
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - size))
        return file.read().decode(errors="replace")


def write(path, text):
    """All of it or, when this is ended half-way, what was there before."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text)
    beside.replace(path)
