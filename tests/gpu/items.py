# SPDX-License-Identifier: Apache-2.0
"""Runs the items of a proof one after the other so that none can spoil another: each has time that is its own, what it
started is ended with it, and what became of it is on disk before the next one begins."""

import ctypes
import errno
import os
import pathlib
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Callable

LEAST_SECONDS = 5  # no item is begun with less than that left
GRACE_SECONDS = 3  # for what was asked to end
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


class Unfinished(Exception):
    """Why an item has no result, or not all of it: `known` is what it found all the same."""

    def __init__(self, sentence, known=None):
        super().__init__(sentence)
        self.known = {} if known is None else {"result": known}


class Missing(Unfinished):
    """What an item needs is not on this machine."""


class OutOfTime(Unfinished):
    """The time of an item is over before all of it was done."""


class Wrong(Unfinished):
    """What was found is not as it should be."""


class Stopped(BaseException):
    """Somebody asked this program to end."""


@dataclass(frozen=True)
class Item:
    name: str
    seconds: float  # that are its own: those before it cannot take them
    work: Callable  # of a Calls; what it returns is the item's result
    most: float = 0  # seconds that it may take of what others leave over; 0: none


def end(process):
    """Ends a process and all that it started in its group; waits no longer than the grace."""
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


def in_a_group_of_its_own():
    """Between fork and exec. A group, no session: whoever ends ours then ends this as well, and so does our death."""
    os.setpgid(0, 0)
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def wait(process, limit, output, quiet):
    """Its exit status; None when the limit is over, or when it said nothing for `quiet` seconds."""
    if quiet is None:
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
    until = time.monotonic() + limit
    size, heard = -1, time.monotonic()
    while time.monotonic() < until and time.monotonic() - heard < quiet:
        now = os.fstat(output.fileno()).st_size
        if now != size:
            size, heard = now, time.monotonic()
        try:
            return process.wait(min(0.1, max(0.01, until - time.monotonic())))
        except subprocess.TimeoutExpired:
            continue
    return None


class Calls:
    """Runs the commands of one item within its time. Their output goes to files of `logs`."""

    def __init__(self, logs, seconds, environment=None):
        self.logs, self.deadline, self.environment = pathlib.Path(logs), time.monotonic() + seconds, environment

    def left(self):
        return self.deadline - time.monotonic()

    def call(self, command, limit, log, partial=False, missing_by=None, quiet=None, environment=None):
        """stdout of a command; both of its streams go to files as they come. Raises when it fails or is too slow.
        partial: what it had said until it was too slow or failed is returned, when that is something.
        missing_by: the exit status by which it says that what it needs is not there.
        quiet: seconds without a word on stdout after which it is taken to hang."""
        limit = min(limit, self.left())
        if limit < 1:
            raise OutOfTime("out of time")
        said, complained = self.logs / f"{log}.out", self.logs / f"{log}.log"
        with open(said, "wb") as output, open(complained, "wb") as errors:
            try:
                # To files: a pipe that a grandchild keeps open would outlive the limit.
                process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output,
                                           stderr=errors, preexec_fn=in_a_group_of_its_own,
                                           env=environment or self.environment)
            except OSError as error:
                raise Missing(f"{command[0]} does not start: {error.strerror}") from None
            try:
                code = wait(process, limit, output, quiet)
            finally:
                end(process)
        text = tail(said, 64_000_000)
        if partial and text.strip() and code != 0:
            return text
        if code is None:
            raise RuntimeError(f"{pathlib.Path(str(command[0])).name} took more than {limit:.0f} s")
        if missing_by is not None and code == missing_by:
            lines = tail(complained, 4000).strip().splitlines()
            raise Missing(lines[-1] if lines else "not available")
        if code != 0:
            raise RuntimeError(f"exit {code}: {(tail(complained, 4000).strip() or text.strip())[-800:]}")
        return text


class Runner:
    """Runs items within `seconds` altogether and gives what became of each to `record` at once."""

    def __init__(self, record, logs, seconds, environment=None):
        self.record, self.logs, self.environment = record, logs, environment
        self.deadline = time.monotonic() + seconds

    def left(self):
        return self.deadline - time.monotonic()

    def run(self, items):
        """In order of what is to be known first: the last ones are what a clock that runs out costs."""
        waiting = [item for item in items if not self.record.finished(item.name)]
        for item in items:
            if item not in waiting:
                say(f"{item.name}: known from before")
        for number, item in enumerate(waiting):
            owed = sum(later.seconds for later in waiting[number + 1:])
            own = max(item.seconds, min(item.most, self.left() - owed))
            self.one(item, min(own, self.left()))

    def one(self, item, seconds):
        begin = time.monotonic()
        stopped, calls = None, Calls(self.logs, seconds, self.environment)
        try:
            if seconds < min(LEAST_SECONDS, item.seconds):
                raise OutOfTime("out of time")
            outcome = {"outcome": "done", "result": item.work(calls)}
        except Missing as missing:
            outcome = {"outcome": "absent", "reason": str(missing), **missing.known}
        except OutOfTime as late:
            outcome = {"outcome": "not run", "reason": str(late), **late.known}
        except Stopped as asked:
            stopped, outcome = asked, {"outcome": "not run", "reason": "stopped"}
        except Exception as error:  # whatever it is, the other items go on
            outcome = {"outcome": "failed", "reason": f"{type(error).__name__}: {error}"[:2000]}
            if seconds < item.seconds and calls.left() < LEAST_SECONDS:  # in all of its time it may not fail
                outcome = {"outcome": "not run", "reason": f"cut short: {outcome['reason']}"}
            outcome.update(getattr(error, "known", {}))
        outcome["seconds"] = round(time.monotonic() - begin, 1)
        self.record.put(item.name, outcome)
        if outcome["outcome"] == "done":
            say(f"{item.name}: done ({outcome['seconds']} s, {self.left():.0f} s left)")
        else:
            say(f"{item.name} {outcome['outcome'].upper()}: {outcome['reason']}")
        if stopped:
            raise stopped


def say(sentence):
    print(f"proof: {sentence}", file=sys.stderr, flush=True)


def tail(path, size):
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - size))
        return file.read().decode(errors="replace")


def settle(descriptor):
    """Waits until it is on the disk, where the file system knows that (those of some virtual machines do not)."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise


def write(path, content):
    """All of it or, when this is ended half-way, what was there before: also when the machine ends."""
    path = pathlib.Path(path)
    beside = path.with_name(f".{path.name}.new")
    with open(beside, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
        file.flush()
        settle(file.fileno())
    os.replace(beside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        settle(folder)
    finally:
        os.close(folder)
