#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window's program without a display: pictures of a plan, and how it ends for what cannot be opened.

PLUMBLINE and PLUMBLINE_CLI name the programs.
"""

import os
import subprocess
import tempfile
import unittest


class Pictures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = dict(os.environ, HOME=self.folder, XDG_RUNTIME_DIR=self.folder,
                                QT_QPA_PLATFORM="offscreen")
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_program(self, variable, *arguments):
        return subprocess.run([os.environ[variable], *arguments], env=self.environment, timeout=240,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def export(self, *files):
        return self.run_program("PLUMBLINE", "--export-pictures", self.path("pictures"), *files)

    def test_a_plan_is_drawn(self):
        plan = self.path("a.plan.json")
        saved = self.run_program("PLUMBLINE_CLI", "plan", "save", plan, "--model", "llama-3-8b", "--device",
                                 "h100-sxm5-80gb", "--devices", "8", "--tokens", "1e12")
        self.assertEqual(saved.returncode, 0, saved.stderr)
        drawn = self.export(plan)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        pictures = os.listdir(self.path("pictures"))
        for name in ("window.png", "planner.png", "planner-memory.png", "planner-devices.png",
                     "planner-evidence.png"):
            self.assertIn(name, pictures)
        self.assertIn(f"{len(pictures)} pictures in ", drawn.stdout)
        self.assertNotIn("history.png", pictures, "what else was done here is nobody's who gets them")

    def test_numbers_are_written_as_the_preferences_have_them(self):
        plan = self.path("a.plan.json")
        self.run_program("PLUMBLINE_CLI", "plan", "save", plan, "--model", "llama-3-8b", "--device",
                         "h100-sxm5-80gb", "--devices", "8", "--tokens", "1e12")
        drawn = {}
        for decimal in ("point", "comma", "point again"):
            folder = os.path.join(self.folder, decimal, "plumbline")
            os.makedirs(folder)
            settings = os.path.join(folder, "window.ini")
            with open(settings, "w", encoding="utf-8") as file:
                file.write(f"[view]\ndecimal={decimal.split()[0]}\n")
            self.environment["XDG_CONFIG_HOME"] = os.path.dirname(folder)
            self.assertEqual(self.export(plan).returncode, 0)
            with open(os.path.join(self.path("pictures"), "planner.png"), "rb") as file:
                drawn[decimal] = file.read()
            with open(settings, encoding="utf-8") as file:
                self.assertEqual(file.read(), f"[view]\ndecimal={decimal.split()[0]}\n", "nothing is written")
            self.assertEqual(os.listdir(folder), ["window.ini"])
        self.assertEqual(drawn["point"], drawn["point again"])
        self.assertNotEqual(drawn["point"], drawn["comma"])

    def test_what_cannot_be_opened_ends_with_a_sentence(self):
        with open(self.path("none.plan.json"), "w", encoding="utf-8") as file:
            file.write("{}")
        for name in ("missing.plan.json", "missing.plumb", "missing", "none.plan.json"):
            ended = self.export(self.path(name))
            self.assertEqual(ended.returncode, 2, name)
            lines = ended.stderr.splitlines()
            self.assertEqual(len(lines), 1, ended.stderr)
            self.assertTrue(lines[0].startswith("plumbline: ") and name in lines[0], lines[0])
            self.assertFalse(os.path.exists(self.path("pictures")), name)


if __name__ == "__main__":
    unittest.main()
