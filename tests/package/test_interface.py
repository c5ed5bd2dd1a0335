# SPDX-License-Identifier: Apache-2.0
"""The manual page and the completions, which the program writes itself: they say what --help says, and shells take them."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

CLI = os.environ["PLUMBLINE_CLI"]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def said(*arguments):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def commands_of_help(*command):
    listed = said(*command, "--help").split("Subcommands:")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z][a-z-]*)", listed, re.MULTILINE)


def options_of_help(*command):
    return set(re.findall(r"^  (?:-h,)?--([a-z0-9-]+)", said(*command, "--help"), re.MULTILINE))


class Manual(unittest.TestCase):
    page = said("interface", "man")

    def test_it_has_every_command_and_question_of_help(self):
        names = commands_of_help() + ["plan " + question for question in commands_of_help("plan")]
        self.assertIn("predict", names)
        self.assertIn("plan time", names)
        sections = re.findall(r'^\.SS "plumbline\\-cli (.*)"$', self.page, re.MULTILINE)
        self.assertEqual([section.replace("\\-", "-") for section in sections if " " not in section], commands_of_help())
        self.assertEqual({section.replace("\\-", "-") for section in sections} - set(names),
                         {"device " + question for question in commands_of_help("device")})

    def test_it_has_every_option_of_help(self):
        plain = self.page.replace("\\-", "-")
        for command in commands_of_help():
            for option in options_of_help(command):
                self.assertRegex(plain, rf"--{option}\b", command)

    def test_it_is_taken_without_a_warning(self):
        groff = shutil.which("groff")
        if groff is None:
            self.skipTest("groff is not installed")
        for text in (self.page, (ROOT / "resources/desktop/plumbline.1").read_text()):
            done = subprocess.run([groff, "-k", "-man", "-ww", "-z", "-Tutf8"], input=text, capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            self.assertEqual(done.returncode, 0)

    def test_hidden_commands_are_in_no_list(self):
        self.assertNotIn("interface", commands_of_help())
        self.assertNotIn("cli interface", self.page)
        done = subprocess.run([CLI, "predikt"], capture_output=True, text=True)
        self.assertNotIn("interface", done.stderr)


class Bash(unittest.TestCase):
    """Completes as bash does, in a bash without settings."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.script = pathlib.Path(cls.folder.name, "plumbline-cli")
        cls.script.write_text(said("interface", "bash"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def completed(self, *words):
        script = ('. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plumbline_cli; '
                  '[ ${#COMPREPLY[@]} -eq 0 ] || printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "--norc", "-c", script, self.script, "plumbline-cli", *words], capture_output=True,
                              text=True, check=True, cwd=self.folder.name)
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def test_commands_are_those_of_help(self):
        self.assertEqual(self.completed("")[:-3], commands_of_help())
        self.assertEqual(self.completed("predi"), ["predict"])

    def test_questions_follow_their_command(self):
        self.assertEqual(sorted(self.completed("plan", "")), sorted(commands_of_help("plan")))
        self.assertEqual(self.completed("--language", "en", "plan", "ti"), ["time"])

    def test_options_are_those_of_help(self):
        for command in (("predict",), ("plan", "time"), ("export",)):
            offered = {option.removeprefix("--") for option in self.completed(*command, "--")}
            self.assertEqual(offered, options_of_help(*command), command)

    def test_values_of_an_option_are_offered_however_it_is_written(self):
        formats = ["fp32", "tf32", "bf16", "fp16", "fp8"]
        self.assertEqual(self.completed("predict", "--precision", ""), formats)
        self.assertEqual(self.completed("predict", "--precision", "=", "b"), ["bf16"])
        self.assertEqual(self.completed("predict", "--precision=b"), ["bf16"])
        self.assertEqual(self.completed("predict", "--dim", ""), [])

    def test_files_are_offered_where_one_is_taken(self):
        self.assertEqual(self.completed("train", "--config", "plumb"), ["plumbline-cli"])
        self.assertEqual(self.completed("predict", "--json", "plumb"), ["plumbline-cli"])

    def test_no_file_is_offered_for_a_number(self):
        for option in ("--dampening", "--seed", "--lr"):  # 0..1, 0..2^64-1, a number
            self.assertEqual(self.completed("train", option, ""), [], option)


class Zsh(unittest.TestCase):
    script = said("interface", "zsh")

    def test_every_command_has_a_function(self):
        self.assertTrue(self.script.startswith("#compdef plumbline-cli\n"))
        for command in commands_of_help():
            self.assertIn(f"\n_plumbline-cli-{command}() {{", self.script)
        for question in commands_of_help("plan"):
            self.assertIn(f"\n_plumbline-cli-plan_{question}() {{", self.script)

    def test_zsh_takes_it(self):
        zsh = shutil.which("zsh")
        if zsh is None:
            self.skipTest("zsh is not installed")
        done = subprocess.run([zsh, "-fn"], input=self.script, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def completed(self, line):
        """What zsh makes of a line when Tab is pressed behind it, in a terminal of its own and without settings."""
        zsh = shutil.which("zsh")
        if zsh is None:
            self.skipTest("zsh is not installed")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "_plumbline-cli").write_text(self.script)
            pathlib.Path(folder, "model.plumb").touch()
            told = pathlib.Path(folder, "told")
            pathlib.Path(folder, ".zshrc").write_text(
                f"cd {folder}; fpath=({folder} $fpath); autoload -U compinit; compinit -u -D\n"
                "plumbline-cli() { : }\n"
                f"tell() {{ print -r -- $BUFFER >{folder}/telling; mv {folder}/telling {told}; exit }}\n"
                "zle -N tell; bindkey '^O' tell; PS1='ready '\n")
            pid, terminal = pty.fork()
            if pid == 0:
                os.execve(zsh, [zsh, "-d", "-i"],
                          {"ZDOTDIR": folder, "HOME": folder, "TERM": "dumb", "PATH": os.environ["PATH"]})
            try:
                shown, end = b"", time.monotonic() + 60
                while not told.exists() and time.monotonic() < end:
                    if select.select([terminal], [], [], 0.1)[0]:
                        was_ready = b"ready " in shown
                        try:
                            shown += os.read(terminal, 4096)
                        except OSError:
                            break  # it went
                        if b"ready " in shown and not was_ready:
                            os.write(terminal, line.encode() + b"\t\x0f")
                self.assertTrue(told.exists(), shown)
                return told.read_text().rstrip("\n")
            finally:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                os.close(terminal)

    def test_commands_questions_options_and_values_are_completed(self):
        for line, whole in (("predi", "predict "), ("plan sensi", "plan sensitivity "),
                            ("predict --precision=b", "predict --precision=bf16 "),
                            ("plan time --scen", "plan time --scenario="),
                            ("open mo", "open model.plumb "), ("predict --dampening=mo", "predict --dampening=mo")):
            self.assertEqual(self.completed("plumbline-cli " + line), "plumbline-cli " + whole)


if __name__ == "__main__":
    unittest.main()
