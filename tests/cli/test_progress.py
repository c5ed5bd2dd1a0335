# SPDX-License-Identifier: Apache-2.0
"""Progress is shown on stderr when it is a terminal, and Ctrl-C keeps what was done."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from plumbline_cli import BINARY, PATIENCE, SMALL, CliTest


class Terminal:
    """The program with a terminal for stderr; `seen` is what it showed there."""

    def __init__(self, test, *arguments):
        self.seen = ""
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stderr=slave,
                                        stdout=subprocess.PIPE, text=True, env=test.environment, cwd=test.folder)
        os.close(slave)
        test.addCleanup(self.process.stdout.close)
        test.addCleanup(os.close, self.master)
        test.addCleanup(self.process.kill)

    def read(self, wanted=None, timeout=PATIENCE):
        """Reads until `wanted` was shown or, without it, until the program closed the terminal."""
        deadline = time.monotonic() + timeout
        while wanted is None or wanted not in self.seen:
            if not select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"{wanted!r} was not shown: {self.seen[-300:]!r}")
            try:
                data = os.read(self.master, 65536)
            except OSError:  # how Linux reports that the other side is closed
                data = b""
            if not data:
                return self.seen
            self.seen += data.decode()
        return self.seen


class Progress(CliTest):
    def test_training_shows_step_loss_rate_and_rest_and_clears_the_line(self):
        begin = time.monotonic()
        terminal = Terminal(self, "train", *SMALL, "--steps", 30_000, "--json")
        document = json.loads(terminal.process.stdout.read())
        shown = terminal.read()
        wall = time.monotonic() - begin
        self.assertEqual(terminal.process.wait(10), 0)
        self.assertEqual(document["training"]["outcome"], "finished")
        self.assertRegex(shown, r"\r\x1b\[Kstep \d+ of 30000 · loss [0-9.e+-]+ · [0-9.e+]+ steps/s · \d\d:\d\d left")
        self.assertLessEqual(shown.count("steps/s"), 10 * wall + 1)
        self.assertTrue(shown.endswith("\r\x1b[K"))

    def test_profile_and_calibrate_show_progress_too(self):
        terminal = Terminal(self, "profile", *SMALL, "--steps", 20_000)
        self.assertRegex(terminal.read("of 20000"), r"profile: step \d+ of 20000")
        terminal = Terminal(self, "calibrate")
        self.assertIn("calibrate: ", terminal.read("calibrate: "))

    def test_ctrl_c_stops_training_and_keeps_the_history(self):
        terminal = Terminal(self, "train", *SMALL, "--steps", "1e9", "--out", "t.plumb")
        terminal.read("steps/s")
        terminal.process.send_signal(signal.SIGINT)
        report = terminal.process.stdout.read()
        self.assertEqual(terminal.process.wait(20), 1)
        said = re.search(r"plumbline-cli: Training stopped \(step (\d+)\): the history is in t.plumb\.", terminal.read())
        self.assertTrue(said, terminal.seen)
        self.assertIn("stopped after", report)
        training = json.loads((self.folder / "t.plumb").read_text())["training"]
        self.assertIn("stopped after", training["outcome"])
        self.assertEqual(training["step"][-1] + 1, int(said[1]))

    def test_ctrl_c_stops_a_profile_and_a_calibration(self):
        for command, shown in ((["profile", *SMALL, "--steps", "1e9"], "profile: step"),
                               (["calibrate"], "calibrate: ")):
            with self.subTest(command=command[0]):
                terminal = Terminal(self, *command)
                terminal.read(shown)
                terminal.process.send_signal(signal.SIGINT)
                self.assertEqual(terminal.process.wait(30), 1)
                self.assertIn("stopped", terminal.read())
                self.assertEqual(terminal.process.stdout.read(), "")


if __name__ == "__main__":
    unittest.main()
