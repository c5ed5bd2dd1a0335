# SPDX-License-Identifier: Apache-2.0
"""The engine against windows that talk nonsense, hang or die."""

import os
import pathlib
import resource
import signal
import time
import unittest

from plumbline_cli import SMALL_CONFIG, CliTest, Engine, cpu_seconds


# A sanitizer keeps several bytes of its own for each byte of the program, and freed ones for a while.
MOST_BYTES = (1500 << 20) if os.environ.get("PLUMBLINE_SANITIZE") else (300 << 20)


def children_cpu_seconds():
    """Of all children that were waited for, with what they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_bytes(engine):
    status = pathlib.Path(f"/proc/{engine.process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) << 10


class Nonsense(CliTest):
    def assert_alive(self, engine):
        engine.send("devices", id=4711)
        engine.until("devices", id=4711)

    def test_what_cannot_be_understood_is_an_error_each_and_no_more(self):
        engine = Engine(self)
        self.assert_alive(engine)
        lines = [b"garbage", b"{", b"[]", b"null", b"42", b'"run"', b"{}", b'{"type": 5}', b'{"type": "frobnicate"}',
                 b'{"type": "run"', b'{"type": "run", "id": 1, "config": [], "steps": 5}',
                 b'{"type": "run", "id": 1, "config": {"dim": "x"}, "steps": 5}',
                 b'{"type": "run", "id": 1, "config": {}, "steps": -5}',
                 b'{"type": "run", "id": "one", "config": {}, "steps": 5}', b"\xff\xfe\x00\x80", b"[" * 50_000,
                 b'{"type": "profile", "id": 1, "config": {}, "steps": 0}', os.urandom(3000).replace(b"\n", b"")]
        for count, line in enumerate(lines, start=1):
            with self.subTest(line=line[:60]):
                engine.send_bytes(line + b"\n")
                error = engine.until("error")
                self.assertTrue(error["message"])
                self.assert_alive(engine)
                self.assertEqual(len(engine.of("error")), count)

    def test_empty_lines_and_torn_writes_are_fine(self):
        engine = Engine(self)
        engine.send_bytes(b"\n\n")
        for byte in b'{"type": "devices", "id": 3}\n':
            engine.send_bytes(bytes([byte]))
        engine.until("devices", id=3)
        self.assertEqual(engine.of("error"), [])

    def test_an_oversized_line_is_refused_once_and_skipped_to_its_end(self):
        engine = Engine(self, "--max-line", "1000")
        engine.send_bytes(b"x" * 5000)
        engine.until("error")
        engine.send_bytes(b"x" * 5000 + b"\n")
        self.assert_alive(engine)
        self.assertEqual(len(engine.of("error")), 1)

    def test_the_standard_limit_holds_a_flood_back_from_memory(self):
        engine = Engine(self)
        self.assert_alive(engine)
        for _ in range(160):
            engine.send_bytes(b"x" * (1 << 20))
        engine.send_bytes(b"\n")
        self.assertIn("longer than", engine.until("error")["message"])
        self.assert_alive(engine)
        self.assertLess(peak_bytes(engine), MOST_BYTES)

    def test_a_line_that_nests_millions_deep_costs_no_memory(self):
        for line in (b"[" * 60_000_000, b'{"id":' * 10_000_000):
            engine = Engine(self)
            self.assert_alive(engine)
            engine.send_bytes(line + b"\n")
            # Patience for builds with sanitizers, which take a minute for these.
            self.assertIn("levels", engine.until("error", timeout=600, id=0)["message"])
            self.assert_alive(engine)
            self.assertLess(peak_bytes(engine), MOST_BYTES)

    def test_a_refused_command_keeps_its_id(self):
        engine = Engine(self)
        for id, line in enumerate((b'{"id":1,"type":"run","config":{"dim":0}}', b'{"id":2,"type":"dance"}',
                                   b'{"id":3,"type":"profile","config":{},"steps":0}', b'{"id":4}'), start=1):
            engine.send_bytes(line + b"\n")
            self.assertEqual(engine.until("error")["id"], id, line)

    def test_another_protocol_version_ends_the_engine_with_an_error(self):
        for version in (99, 0, "one"):
            engine = Engine(self, greet=False)
            engine.listen()
            engine.send("hello", version=version, program="from the future")
            self.assertIn("version", engine.until("error")["message"])
            self.assertEqual(engine.wait(), 2)

    def test_commands_before_hello_are_refused(self):
        engine = Engine(self, greet=False)
        engine.listen()
        engine.send("run", id=1, config=SMALL_CONFIG, steps=5)
        self.assertIn("hello", engine.until("error", id=1)["message"])
        engine.send("hello", version=1, program="test")
        engine.send("run", id=2, config=SMALL_CONFIG, steps=5)
        engine.until("finished", id=2)


class Endings(CliTest):
    def start_run(self, **config):
        engine = Engine(self)
        engine.send("run", id=1, config={**SMALL_CONFIG, **config}, steps=0)
        engine.until("loss")
        return engine

    def assert_ends(self, engine, code=0, within=5):
        """The engine ends after at most so many seconds of processor time: a busy machine is no slow engine."""
        before = cpu_seconds(engine.process.pid)
        ended = children_cpu_seconds()
        self.assertEqual(engine.process.wait(300), code)
        self.assertLess(children_cpu_seconds() - ended - before, within)

    def test_the_end_of_stdin_stops_the_run(self):
        # An engine waits a second at most for the op and the reader; on a busy machine that can be too little.
        for _ in range(5):
            engine = self.start_run()
            engine.process.stdin.close()
            self.assert_ends(engine)
            while engine.next() is not None:
                pass
            if finished := engine.of("finished"):
                break
        self.assertIn("stopped", finished[-1]["outcome"])

    def test_the_end_of_stdin_ends_a_paused_run(self):
        engine = self.start_run()
        engine.send("pause")
        engine.until("state", state="paused")
        engine.process.stdin.close()
        self.assert_ends(engine)

    def test_quit_stops_the_run(self):
        engine = self.start_run()
        engine.send("quit")
        self.assert_ends(engine)

    def test_a_signal_ends_a_training_with_its_last_state_saved(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(signal=number):
                engine = Engine(self)
                folder = f"kept-{number}"
                engine.send("run", id=1, config=SMALL_CONFIG, steps=0, checkpoint_dir=folder, save_every=0, keep=1)
                engine.until("loss")
                engine.process.send_signal(number)
                self.assertEqual(engine.wait(60), 0)
                saved = engine.of("checkpoint")[-1]
                self.assertIn("stopped", engine.of("finished")[-1]["outcome"])
                self.assertEqual(saved["step"], engine.of("finished")[-1]["steps_done"])
                self.assertEqual([path.name for path in (self.folder / folder).glob("step-*")],
                                 [pathlib.Path(saved["path"]).name])
                resumed = Engine(self)
                resumed.send("run", id=2, config=SMALL_CONFIG, steps=saved["step"] + 5, resume=folder)
                self.assertEqual(resumed.until("finished", id=2)["outcome"], "finished")

    def test_a_signal_waits_for_no_step_and_no_reader(self):
        engine = Engine(self, greet=False)  # nobody reads
        engine.send("hello", version=1, program="test")
        config = {"dim": 512, "layers": 16, "batch": 1 << 19, "micro-batch": 64, "optimizer": "sgd"}
        engine.send("run", id=1, config=config, steps=0, checkpoint_dir="kept", save_every=0, keep=1)
        while cpu_seconds(engine.process.pid) < 1:  # of about a minute that its first step takes
            self.assertIsNone(engine.process.poll())
            time.sleep(0.02)
        engine.process.terminate()
        self.assert_ends(engine, within=20)
        self.assertEqual([path.name for path in (self.folder / "kept").glob("step-*")], [])  # no step was done

    def test_a_signal_ends_an_engine_without_work(self):
        engine = Engine(self)
        engine.until("devices")
        engine.process.terminate()
        self.assertEqual(engine.wait(60), 0)
        self.assertEqual(engine.process.stderr.read(), b"")

    def test_under_nohup_the_engine_goes_on(self):
        engine = Engine(self, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
        engine.until("loss")
        engine.process.send_signal(signal.SIGHUP)
        engine.send("devices", id=8)
        engine.until("devices", id=8)
        engine.until("loss")

    def test_a_message_that_ends_in_the_middle_is_reported(self):
        engine = Engine(self)
        engine.send_bytes(b'{"type": "dev')
        engine.process.stdin.close()
        self.assertEqual(engine.wait(), 0)
        self.assertEqual(len(engine.of("error")), 1)

    def test_a_window_that_dies_takes_a_long_step_with_it(self):
        engine = Engine(self)
        # Steps of several seconds on any machine that tests run on; nobody waits for one.
        engine.send("run", id=1, config={"dim": 2048, "layers": 24, "batch": 4096, "optimizer": "sgd"}, steps=0)
        engine.until("state", state="running")
        used = cpu_seconds(engine.process.pid)
        while cpu_seconds(engine.process.pid) - used < 0.2:
            time.sleep(0.02)
        engine.process.stdin.close()
        self.assert_ends(engine)

    def test_a_closed_stdout_ends_the_engine_quietly(self):
        engine = Engine(self, greet=False)
        engine.process.stdout.readline()
        engine.send("hello", version=1, program="test")
        engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
        engine.process.stdout.close()
        self.assert_ends(engine)
        self.assertEqual(engine.process.stderr.read(), b"")

    def test_killed_it_leaves_nothing_behind(self):
        mark = os.urandom(8).hex()  # whatever it started would carry the same environment
        marked = Engine(self, env={**self.environment, "PLUMBLINE_TEST_MARK": mark})
        marked.send("run", id=1, config=SMALL_CONFIG, steps=0)
        marked.until("loss")
        self.assertEqual(self.processes_with(mark), [marked.process.pid])
        marked.process.send_signal(signal.SIGKILL)
        self.assert_ends(marked, code=-signal.SIGKILL)
        self.assertEqual(self.processes_with(mark), [])

    @staticmethod
    def processes_with(mark):
        found = []
        for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark.encode() in environment.read_bytes():
                    found.append(int(environment.parent.name))
            except OSError:
                pass  # it has ended, or is somebody else's
        return found

    def test_a_reader_that_sleeps_neither_stops_training_nor_fills_memory(self):
        engine = Engine(self, greet=False)  # nobody reads yet
        engine.send("hello", version=1, program="test")
        engine.send("run", id=1, config={**SMALL_CONFIG, "layers": 64}, steps=0)
        used = cpu_seconds(engine.process.pid)
        deadline = time.monotonic() + 300
        while cpu_seconds(engine.process.pid) - used < 4 and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertGreaterEqual(cpu_seconds(engine.process.pid) - used, 4, "training waits for its reader")
        status = pathlib.Path(f"/proc/{engine.process.pid}/status").read_text()
        self.assertLess(int(status.split("VmRSS:")[1].split()[0]) << 10, MOST_BYTES)
        engine.listen()
        engine.send("stop", id=2)
        finished = engine.until("finished", id=1)
        self.assertEqual(engine.of("loss")[-1]["steps_done"], finished["steps_done"])
        engine.send("quit")
        self.assertEqual(engine.wait(), 0)

    def test_the_end_of_stdin_ends_an_engine_whose_answers_nobody_reads(self):
        for running in (False, True):
            with self.subTest(running=running):
                engine = Engine(self, greet=False)
                engine.send("hello", version=1, program="test")
                if running:
                    engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
                engine.send_bytes(b"garbage\n" * 3000)
                engine.process.stdin.close()
                self.assert_ends(engine)

    def test_all_answers_reach_a_reader_that_comes_after_the_end_of_stdin(self):
        engine = Engine(self, greet=False)
        engine.send("hello", version=1, program="test")
        engine.send_bytes(b"garbage\n" * 3000)
        engine.process.stdin.close()
        engine.listen()
        self.assertEqual(engine.wait(), 0)
        self.assertEqual(len(engine.of("error")), 3000)

    def flood(self, engine, lines, most):
        """Writes `lines` again and again until the engine reads no more; returns how many bytes it took."""
        os.set_blocking(engine.process.stdin.fileno(), False)
        sent, refusals = 0, 0
        while refusals < 20 and sent < most:
            try:
                sent += os.write(engine.process.stdin.fileno(), lines)
                refusals = 0
            except BlockingIOError:
                refusals += 1
                time.sleep(0.05)
        return sent

    def test_a_client_that_asks_and_never_reads_is_held_up(self):
        engine = Engine(self, greet=False)
        sent = self.flood(engine, b'{"type": "devices", "id": 1}\n' * 1000, 200_000_000)
        self.assertLess(sent, 50_000_000)
        engine.process.stdout.close()  # and the window dies: so does the engine
        self.assert_ends(engine)

    def test_pauses_that_nobody_reads_are_held_up_too_and_fill_no_memory(self):
        engine = Engine(self, greet=False)
        engine.send("hello", version=1, program="test")
        engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
        sent = self.flood(engine, b'{"type":"pause","id":2}\n{"type":"resume","id":3}\n' * 1000, 20_000_000)
        self.assertLess(sent, 2_000_000)
        engine.process.stdin.close()
        self.assert_ends(engine)

    def test_runs_that_nobody_reads_about_are_held_up_too(self):
        engine = Engine(self, greet=False)
        engine.send("hello", version=1, program="test")
        run = b'{"type":"run","id":1,"config":{"dim":4,"layers":1,"batch":1},"steps":1}\n{"type":"stop"}\n'
        self.assertLess(self.flood(engine, run * 500, 20_000_000), 2_000_000)
        engine.process.stdin.close()
        self.assert_ends(engine)


if __name__ == "__main__":
    unittest.main()
