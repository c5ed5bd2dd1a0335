# SPDX-License-Identifier: Apache-2.0
"""With a Chinese locale every word of every --help is Chinese, a term or code."""

import pathlib
import re
import sys
import unittest

from plumbline_cli import CliTest

TRANSLATIONS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "translations"
sys.path.insert(0, str(TRANSLATIONS))
import latin  # noqa: E402

PLACEHOLDERS = {"size"}  # of values: "--dim size", as "--steps N"


def commands_of(text):
    """The commands that a --help lists."""
    behind = re.split(r"^(?:Subcommands|子命令):$", text, flags=re.MULTILINE)
    return re.findall(r"^  ([a-z][a-z-]*)(?=\s)", behind[1].split("\n\n")[0], re.MULTILINE) if len(behind) > 1 else []


def prose_of(text):
    """What of a --help is no name of a command or option, and no command to type."""
    lines = []
    for line in text.splitlines():
        if re.match(r"  +plumbline-cli |(?:用法|Usage): | +[{\"]", line):
            continue
        line = re.sub(r"^  [.\[].*  (?=\S)", "", line)  # a form of a step: "  .view(sizes)    another shape"
        # The name, and what stands for its value, up to the column of the meaning or the end of the line.
        lines.append(re.sub(r"^  (?:-h,)?(?:[a-z][\w.-]*|-{1,2}[\w-]+(?: \S+)?)(?:\s{2,}| |$)", "", line))
    return lines


class Chinese(CliTest):
    def setUp(self):
        super().setUp()
        self.environment["LC_ALL"] = "zh_CN.UTF-8"
        self.allowed = latin.terms() | PLACEHOLDERS

    def help_of(self, *command):
        run = self.run_cli(*command, "--help")
        self.assertEqual((run.returncode, run.stderr), (0, ""), command)
        return run.stdout

    def untold_in(self, text):
        return [(words, line) for line in prose_of(text) for words in (latin.english_in(line, self.allowed),) if words]

    def test_help_of_every_command_and_question(self):
        root = self.help_of()
        commands = [(name,) for name in commands_of(root)]
        self.assertGreater(len(commands), 15)
        told = {(): root}
        while commands:
            command = commands.pop()
            told[command] = self.help_of(*command)
            commands += [(*command, name) for name in commands_of(told[command])]
        self.assertGreater(len(told), 40)
        for command, text in told.items():
            with self.subTest(command=" ".join(command)):
                self.assertEqual(self.untold_in(text), [])
                self.assertNotRegex(text, r"(?m)^(Usage|Options|Subcommands|Positionals|Examples?):")

    def said_of(self, *command):
        run = self.run_cli(*command)
        self.assertNotEqual(run.returncode, 0, command)
        return run.stderr

    def test_names_of_commands_and_formats_are_what_one_types(self):
        listed = self.said_of("nothing-near")
        for name in commands_of(self.help_of()):
            self.assertRegex(listed, rf"[ ,]{name}\b")
        self.assertIn("plan", self.said_of("lan"))
        self.assertIn("（step）", self.said_of("step"))
        missing, unknown = self.said_of("plan"), self.said_of("plan", "--nothing-near")
        for name in commands_of(self.help_of("plan")):
            self.assertRegex(missing, rf"[ ,]{name}\b")
            self.assertRegex(unknown, rf"[ ,]{name}\b")
        (self.folder / "note.plumb").write_text("hello", encoding="utf-8")
        for command in [("nothing-near",), ("plan", "--nothing-near"), ("open",),
                        ("export", "x.plumb", "-o"), ("export", "x.plumb"), ("export", "x.plumb", "--format", "word"),
                        ("open", str(self.folder / "none.plumb")), ("open", "note.plumb")]:
            with self.subTest(command=command):
                said = self.said_of(*command)
                for spoken in ("the ", "unknown", " is ", "give one", "reads", "needs", "see ", "No such"):
                    self.assertNotIn(spoken, said.lower() if spoken.islower() else said)

    def test_finds_what_is_english(self):
        text = ("Usage: plumbline-cli plan [OPTIONS]\n\nOptions:\n  -h,--help       Print this help message and exit\n"
                "  --rank X        秩：内部宽度\n  --zero X     级别：devices share\n  cost      显存，energy and money\n")
        self.assertEqual([words for words, _ in self.untold_in(text)],
                         [["Options"], ["Print", "this", "help", "message", "and", "exit"], ["share"],
                          ["energy", "and", "money"]])


if __name__ == "__main__":
    unittest.main()
