# SPDX-License-Identifier: Apache-2.0
"""Drives plumbline-cli for the tests: runs commands, talks to the engine, writes .npy files.

PLUMBLINE_CLI names the program, PLUMBLINE_RESOURCES the resources folder. Every test has a folder of its own,
which is also where the program keeps calibrations, so that no test sees those of the user.
"""

import json
import os
import pathlib
import queue
import re
import signal
import struct
import subprocess
import tempfile
import threading
import time
import unittest

BINARY = os.environ["PLUMBLINE_CLI"]
RESOURCES = pathlib.Path(os.environ["PLUMBLINE_RESOURCES"])
SIMULATED_GPU = os.environ.get("PLUMBLINE_SIMULATED_GPU", "")
DIGITS = RESOURCES / "samples" / "digits"

# Seconds that anything is waited for: what hangs must end before CTest ends the test, and what is only slow, on a
# machine that does other things, must not fail.
PATIENCE = 500
# A step of a few dozen microseconds: quick to run a thousand times.
SMALL = ["--dim", "16", "--layers", "2", "--batch", "8"]
SMALL_CONFIG = {"dim": 16, "layers": 2, "batch": 8}


def write_npy(path, rows, dtype="<f4", shape=None, fortran=False, keep=None):
    """Writes `rows` (a list of lists or of numbers) as .npy format 1.0; `keep` cuts the file to so many bytes."""
    flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else [row])]
    if shape is None:
        shape = (len(rows), len(rows[0])) if isinstance(rows[0], (list, tuple)) else (len(rows),)
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (dtype, fortran, tuple(shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    code = {"f2": "e", "f4": "f", "f8": "d", "i8": "q", "i4": "i", "u2": "H", "u1": "B", "b1": "?"}[dtype[1:]]
    data = struct.pack(f"{'>' if dtype[0] == '>' else '<'}{len(flat)}{code}", *flat)
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data
    pathlib.Path(path).write_bytes(content[:keep])


def changed(options, *changes):
    """`options`, pairs of a name and its value, with `changes` in the place of those of the same name."""
    pairs = {**dict(zip(options[::2], options[1::2])), **dict(zip(changes[::2], changes[1::2]))}
    return [word for pair in pairs.items() for word in pair]


class CliTest(unittest.TestCase):
    """A test case with a folder of its own, self.folder, and the program in reach."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="plumbline-cli-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        # One thread: steps this small gain nothing from more, and on a busy machine threads wait for each other.
        self.environment = {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data"),
                            "XDG_CONFIG_HOME": str(self.folder / "config"),
                            "XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.folder),
                            "OMP_NUM_THREADS": "1", "PLUMBLINE_CUDA_MODULE": "none"}  # the same with and without a GPU

    def run_cli(self, *arguments, **options):
        options.setdefault("timeout", PATIENCE)
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, env=self.environment, cwd=self.folder, **options)

    def ok(self, *arguments, **options):
        """Runs a command that succeeds and says nothing on stderr; returns its stdout."""
        done = self.run_cli(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def ok_json(self, *arguments, **options):
        return json.loads(self.ok(*arguments, "--json", **options))

    def refused(self, code, *arguments, says=(), **options):
        """Runs a command that ends with `code` and one sentence on stderr that holds all of `says`."""
        done = self.run_cli(*arguments, **options)
        self.assertEqual(done.returncode, code, (arguments, done.stderr, (done.stdout or "")[:300]))
        self.assert_sentence(done.stderr, arguments)
        for text in [says] if isinstance(says, str) else says:
            if text[:1].upper() + text[1:] not in done.stderr:  # where the sentence begins with it
                self.assertIn(text, done.stderr, arguments)
        return done

    def assert_sentence(self, stderr, arguments):
        """One line with a capital and one stop; a name at its beginning, typed words among them, is as it was."""
        self.assertRegex(stderr, r"\Aplumbline-cli: [^\n]+\n\Z", arguments)
        sentence = stderr.removeprefix("plumbline-cli: ").removesuffix("\n")
        self.assertRegex(sentence, r"([^.][.?]|[.?][\"']|\u2026|\.\.\.)\Z", arguments)
        first = re.split(r"[ ,;]", sentence, maxsplit=1)[0]
        typed = {part for each in arguments for part in str(each).lstrip("-").split("=", 1)}
        is_word = re.fullmatch(r"[a-z]*[aeiouy][a-z]*(['-][a-z]+)*", first) is not None
        self.assertFalse(is_word and first not in typed, (sentence, arguments))


class GpuTest(CliTest):
    """A test case on the simulated GPU; skipped where this build has none."""

    def setUp(self):
        if not SIMULATED_GPU:
            self.skipTest("this build has no CUDA backend")
        super().setUp()
        self.environment["PLUMBLINE_CUDA_MODULE"] = SIMULATED_GPU

    def share(self, processes="4242:3000000000"):
        """As many programs use the GPU, besides this one."""
        self.environment["LD_LIBRARY_PATH"] = os.environ["PLUMBLINE_FAKE_NVML"]
        self.environment["FAKE_NVML_PROCESSES"] = processes

    def start(self, *arguments):
        process = subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process


class Engine:
    """An engine process and the events that it has sent so far, in order, in `events`."""

    def __init__(self, test, *arguments, greet=True, **options):
        self.test = test
        self.events = []
        self.waiting = queue.Queue()
        self.process = subprocess.Popen([BINARY, "engine", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=test.folder,
                                        env=options.pop("env", test.environment), **options)
        self.reader = None
        test.addCleanup(self.close)
        if greet:
            self.listen()
            self.send("hello", version=1, program="test")

    def listen(self):
        def pump():
            for line in self.process.stdout:
                self.waiting.put(line)
            self.waiting.put(None)
        self.reader = threading.Thread(target=pump, daemon=True)
        self.reader.start()

    def send(self, kind, id=0, **fields):
        self.send_bytes(json.dumps({"type": kind, "id": id, **fields}).encode() + b"\n")

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def next(self, timeout=PATIENCE):
        """The next event; None at the end of the stream."""
        line = self.waiting.get(timeout=timeout)
        if line is None:
            return None
        event = json.loads(line)
        self.test.assertIn("type", event)
        self.events.append(event)
        return event

    def until(self, kind, timeout=PATIENCE, **fields):
        """Reads up to and with the next event of this kind (and with these fields)."""
        deadline = time.monotonic() + timeout
        while True:
            event = self.next(max(0.0, deadline - time.monotonic()))
            self.test.assertIsNotNone(event, f"the engine ended before {kind} {fields}")
            if event["type"] == kind and all(event.get(name) == value for name, value in fields.items()):
                return event

    def of(self, kind):
        return [event for event in self.events if event["type"] == kind]

    def wait(self, timeout=PATIENCE):
        """Reads all that is left and returns the exit code."""
        if self.reader:
            while self.next(timeout) is not None:
                pass
        return self.process.wait(timeout)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.reader:
            self.reader.join(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def blocks_interrupts(pid):
    """Whether a program has taken Ctrl-C for its own; before that the signal ends it."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    blocked = int(next(line for line in status.splitlines() if line.startswith("SigBlk")).split()[1], 16)
    return bool(blocked & 1 << (signal.SIGINT - 1))


def children(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
        except OSError:
            pass
    return found
