# SPDX-License-Identifier: Apache-2.0
"""An engine that outlives its windows: connections that break, windows that come back, and what they are sent."""

import os
import pathlib
import signal
import subprocess
import threading
import time
import unittest

from plumbline_cli import BINARY, PATIENCE, SMALL_CONFIG, CliTest, Engine


class Window(Engine):
    """A window that is attached to the engine in the test's folder, from the engine's hello on."""

    def __init__(self, test, *arguments):
        super().__init__(test, "--attach", "--folder", str(test.place), *arguments, greet=False)
        self.listen()

    def attach(self, session=None, after=0, id=0):
        """Says hello, as the window of before where `session` is given; returns the engine's hello."""
        hello = self.until("hello")
        more = {"session": session, "after": after} if session else {}
        self.send("hello", id=id, version=1, program="test", **more)
        return hello

    def break_off(self):
        """The connection is lost at once, as ssh is when the network goes; returns the last number heard."""
        self.process.kill()
        self.wait()
        return max((event.get("seq", 0) for event in self.events), default=0)

    def numbers(self):
        return [event["seq"] for event in self.events if "seq" in event]

    def points(self):
        return [pair for event in self.of("loss") for pair in zip(event["step"], event["loss"])]


class Attached(CliTest):
    def setUp(self):
        super().setUp()
        self.place = self.folder / "engine"
        self.addCleanup(self.end)

    def end(self, *arguments):
        return subprocess.run([BINARY, "engine", "--end", "--folder", str(self.place), *arguments],
                              env=self.environment, cwd=self.folder, timeout=PATIENCE, check=True)

    def engine_is_gone(self, window):
        """Waits for the end of the connection, which only the engine's end or another window brings."""
        self.assertEqual(window.wait(), 0)

    def serve(self, *arguments):
        """An engine that the test has started itself, once it listens."""
        served = subprocess.Popen([BINARY, "engine", "--serve", "--folder", str(self.place), *arguments],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder)
        self.addCleanup(served.communicate)
        self.addCleanup(served.kill)
        self.assertEqual(served.stdout.readline(), b"\n")
        return served

    def test_a_run_goes_on_without_its_window_which_gets_exactly_what_it_missed(self):
        window = Window(self)
        hello = window.attach()
        self.assertRegex(hello["session"], r"^[0-9a-f]{16}$")
        window.send("run", id=1, config=SMALL_CONFIG, steps=0)
        window.until("loss")
        heard, points = [], []
        for _ in range(3):
            last = window.break_off()
            heard += window.numbers()
            points += window.points()
            window = Window(self)
            self.assertEqual(window.attach(hello["session"], last)["session"], hello["session"])
            window.next()
        window.send("stop", id=2)
        finished = window.until("finished", id=1)
        self.assertEqual(finished["outcome"], f"stopped after {finished['steps_done']} steps")
        window.until("state", state="idle")
        heard += window.numbers()
        points += window.points()
        self.assertEqual(heard, list(range(1, len(heard) + 1)), "each event once and in order")
        self.assertEqual(window.of("missed"), [])
        steps = [step for step, _ in points]
        self.assertEqual((steps[0], steps[-1]), (0, finished["steps_done"] - 1))
        self.assertTrue(all(a < b for a, b in zip(steps, steps[1:])))

    def test_a_window_that_comes_back_late_is_told_how_much_is_gone_and_gets_the_state(self):
        self.serve("--journal", "20000")
        window = Window(self)
        session = window.attach()["session"]
        window.send("run", id=1, config=SMALL_CONFIG, steps=0)
        window.until("loss")
        last = window.break_off()
        other = Window(self)  # ends the run when much is gone; a window of its own needs nothing of before
        other.attach()
        while other.until("loss")["steps_done"] < 40_000:
            pass
        other.send("stop", id=2)
        steps = other.until("finished", id=1)["steps_done"]
        other.until("state", state="idle")
        other.break_off()
        window = Window(self)
        window.attach(session, last)
        missed = window.next()
        self.assertEqual(missed["type"], "missed")
        self.assertEqual(window.until("finished", id=1)["steps_done"], steps)
        window.until("state", state="idle")
        kept = sorted(set(window.numbers()))
        self.assertEqual(window.numbers(), kept)
        newest = kept[-1]
        whole = [n for n in kept if n > last + missed["count"]]
        self.assertEqual(whole, list(range(last + missed["count"] + 1, newest + 1)), "the rest without a gap")
        self.assertEqual(window.points()[-1][0], steps - 1)
        self.assertGreater(len(window.points()), 50, "a curve of what is gone")

    def test_commands_that_are_sent_again_are_obeyed_once(self):
        window = Window(self)
        session = window.attach()["session"]
        window.send("run", id=7, config=SMALL_CONFIG, steps=0)
        window.until("loss")
        last = window.break_off()
        window = Window(self)
        self.assertEqual(window.attach(session, last)["last_command"], 7)
        window.send("run", id=7, config=SMALL_CONFIG, steps=0)
        window.send("stop", id=8)
        window.until("finished", id=7)
        window.send("run", id=9, config=SMALL_CONFIG, steps=3)
        self.assertEqual(window.until("finished", id=9)["steps_done"], 3)
        self.assertEqual(window.of("error"), [])

    def test_another_window_takes_over_and_is_told_what_goes_on(self):
        first = Window(self)
        session = first.attach()["session"]
        first.send("run", id=1, config=SMALL_CONFIG, steps=0)
        first.until("loss")
        second = Window(self)
        self.assertEqual(second.attach()["session"], session)
        self.assertEqual(first.wait(), 0)
        self.assertEqual(first.events[-1]["type"], "taken_over")
        self.assertEqual(second.until("state")["state"], "running")
        second.until("devices")
        second.until("loss", id=1)
        second.send("stop", id=2)
        second.until("finished", id=1)

    def test_a_window_of_another_version_ends_nothing(self):
        window = Window(self)
        session = window.attach()["session"]
        window.send("run", id=1, config=SMALL_CONFIG, steps=0)
        window.until("loss")
        last = window.break_off()
        for line in (b'{"type":"hello","id":3,"version":99}\n', b'{"type":"stop","id":4}\n', b"nonsense\n",
                     b'{"type":"quit","id":5}\n'):
            foreign = Window(self)
            foreign.until("hello")
            foreign.send_bytes(line)
            self.assertEqual(foreign.until("error")["code"], "bad_input")
            self.assertEqual(foreign.wait(), 0)
        window = Window(self)
        self.assertEqual(window.attach(session, last)["session"], session)
        window.until("loss", id=1)

    def test_quit_ends_it_and_the_next_window_gets_another(self):
        window = Window(self)
        session = window.attach()["session"]
        window.send("quit", id=1)
        self.engine_is_gone(window)
        window = Window(self)
        self.assertNotEqual(window.attach(session, 5)["session"], session)
        window.until("devices")
        self.end()
        self.engine_is_gone(window)
        self.end()  # again: nothing is there, and that is no error

    def test_one_that_hangs_is_replaced(self):
        window = Window(self)
        session = window.attach()["session"]
        process = self.engine_process()
        os.kill(process, signal.SIGSTOP)
        another = Window(self, "--anew", "--patience", "0")
        self.assertNotEqual(another.attach()["session"], session)
        another.until("devices")
        try:  # whoever is its parent now may not have asked for its end
            state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        self.assertEqual(state, "Z")

    def engine_process(self):
        """Id of the process that serves, by its arguments."""
        for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = line.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"--serve" in words and os.fsencode(self.place) in words:
                return int(line.parent.name)
        self.fail("no engine serves")

    def test_it_saves_the_last_state_before_another_takes_its_place(self):
        window = Window(self)
        window.attach()
        window.send("run", id=1, config=SMALL_CONFIG, steps=0, checkpoint_dir=str(self.folder / "states"))
        window.until("loss")
        Window(self, "--anew", "--patience", str(PATIENCE)).attach()
        self.assertTrue(any(name.endswith(".safetensors") for name in os.listdir(self.folder / "states")))

    def test_without_work_and_window_it_ends_by_itself(self):
        served = self.serve("--linger", "0")
        self.assertEqual(served.wait(PATIENCE), 0)
        served = self.serve("--linger", "1")
        window = Window(self)
        window.attach()
        window.send("run", id=1, config=SMALL_CONFIG, steps=2000)
        window.until("loss")
        window.break_off()
        self.assertEqual(served.wait(PATIENCE), 0)
        self.assertEqual(served.stderr.read(), b"")

    def test_windows_that_come_at_once_find_one_engine(self):
        hellos = []
        windows = [Window(self) for _ in range(4)]
        threads = [threading.Thread(target=lambda w=window: hellos.append(w.until("hello"))) for window in windows]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({hello["session"] for hello in hellos}), 1, hellos)

    def test_its_folder_is_this_users_alone(self):
        self.place.mkdir(mode=0o755)
        self.refused(2, "engine", "--attach", "--folder", self.place, says=("not this user's alone", "chmod 700"))
        self.refused(2, "engine", "--attach", "--folder", self.folder / ("x" * 120), says="too long a name")
        self.place.chmod(0o700)
        served = self.serve()
        self.assertEqual(self.place.stat().st_mode & 0o777, 0o700)
        self.refused(1, "engine", "--serve", "--folder", self.place, says=("another engine runs", "--attach"))
        served.terminate()
        self.assertEqual(served.wait(PATIENCE), 0)

    def test_what_keeps_it_from_starting_is_said(self):
        self.place.mkdir(mode=0o700)
        (self.place / "socket").mkdir()
        self.refused(1, "engine", "--attach", "--folder", self.place, says=("(Cannot listen at", "Address already in use"))

    def test_a_window_that_reads_nothing_holds_up_no_training(self):
        window = Window(self)
        session = window.attach()["session"]
        window.send("run", id=1, config=SMALL_CONFIG, steps=0)
        window.until("loss")
        os.kill(window.process.pid, signal.SIGSTOP)
        before = window.of("loss")[-1]["steps_done"]
        other = Window(self)
        other.attach(session, 0)
        while other.until("loss")["steps_done"] <= before + 1000:
            pass
        os.kill(window.process.pid, signal.SIGCONT)


if __name__ == "__main__":
    unittest.main()
