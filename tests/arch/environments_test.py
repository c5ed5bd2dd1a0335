#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Environments with torch that cannot be made are said and leave nothing, and what would run in them is skipped."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "python", "tests", "environments.py")
NOBODY = "http://127.0.0.1:9"  # a port on which nobody answers


class Environments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_script(self, *words):
        return subprocess.run([sys.executable, "-B", SCRIPT, *words], text=True, capture_output=True, check=False,
                              timeout=200, env={**os.environ, "PIP_PROXY": NOBODY, "PIP_FIND_LINKS": "", "PIP_NO_INDEX": ""})

    def test_without_a_network_none_is_made_and_nothing_stays(self):
        run = self.run_script(self.folder, "newest")
        self.assertEqual(run.returncode, 77, run.stderr)
        self.assertIn("newest: no environment: ", run.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "newest")))

    def test_what_would_run_in_one_that_is_not_there_is_skipped(self):
        run = self.run_script("--run", os.path.join(self.folder, "2.4"), "run.py")
        self.assertEqual(run.returncode, 77)
        self.assertIn("./dev python makes it", run.stdout)

    def test_one_that_was_not_made_to_the_end_is_none(self):
        place = os.path.join(self.folder, "2.4")
        os.makedirs(os.path.join(place, "bin"))
        os.symlink(sys.executable, os.path.join(place, "bin", "python"))
        self.assertEqual(self.run_script("--run", place, "-c", "pass").returncode, 77)
        with open(os.path.join(place, "plumbline-complete"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.run_script("--run", place, "-c", "raise SystemExit(5)").returncode, 5)

    def test_another_name_is_refused(self):
        self.assertEqual(self.run_script(self.folder, "1.0").returncode, 2)


if __name__ == "__main__":
    unittest.main()
