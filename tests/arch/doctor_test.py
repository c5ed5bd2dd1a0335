#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev doctor says what is missing and changes nothing: with a package manager that has nothing, or everything."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REFUSE = "#!/bin/sh\necho apt was called >&2\nexit 1\n"


class Doctor(unittest.TestCase):
    def doctor(self, dpkg, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("dpkg-query", dpkg), ("apt-get", REFUSE), ("sudo", REFUSE)):
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(path, 0o755)
            environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
            return subprocess.run([os.path.join(ROOT, "dev"), "doctor", *arguments], env=environment, text=True,
                                  capture_output=True, check=False, timeout=100)

    def test_names_what_is_missing(self):
        run = self.doctor("#!/bin/sh\nexit 1\n")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"tests +missing: .*libgtest-dev")
        self.assertIn("each verb installs what it needs", run.stderr)
        self.assertNotIn("apt was called", run.stderr)

    def test_says_complete_where_all_is_there(self):
        run = self.doctor("#!/bin/sh\necho installed\n")
        self.assertEqual(run.returncode, 0, run.stderr)
        for group in ("cli", "tests", "window", "lint", "fuzz"):
            self.assertRegex(run.stdout, rf"\n  {group} +complete\n")
        self.assertNotIn("each verb installs", run.stderr)

    def test_takes_no_arguments(self):
        run = self.doctor("#!/bin/sh\nexit 1\n", "now")
        self.assertEqual(run.returncode, 2)
        self.assertIn("now", run.stderr)


if __name__ == "__main__":
    unittest.main()
