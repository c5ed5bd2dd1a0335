# SPDX-License-Identifier: Apache-2.0
"""Kills trainings with checkpoints and savings of snapshots at every change that they make to their files.

PLUMBLINE_KILLS is how many kills there are (20); `./dev crash N` runs more. PLUMBLINE_KILL_AT names the library
that kills (kill_at.cpp): which change it is is counted, not timed, so that a busy machine changes nothing.
"""

import collections
import json
import os
import random
import signal
import struct
import subprocess
import unittest

from plumbline_cli import SMALL, CliTest
from test_checkpoints import checkpoints, read_safetensors, unfinished

KILLS = int(os.environ.get("PLUMBLINE_KILLS", "20"))
RUN = ["--dim", "24", "--layers", "2", "--batch", "8", "--micro-batch", "4", "--precision", "fp16"]


class CrashTest(CliTest):
    def setUp(self):
        super().setUp()
        self.kinds = collections.Counter()

    def run_and_kill(self, folder, change, before, *arguments):
        """Runs the program, kills it at a change of the folder (0: not at all) and returns all changes by name."""
        log = self.folder / "changes"
        log.unlink(missing_ok=True)
        log.touch()
        plain = dict(self.environment)
        # The sanitizer wants to be the first library; the others do not mind what it says to that.
        options = [plain.get("ASAN_OPTIONS", ""), "verify_asan_link_order=0"]
        self.environment.update(LD_PRELOAD=os.environ["PLUMBLINE_KILL_AT"], PLUMB_KILL_IN=str(folder),
                                PLUMB_KILL_AT=str(change), PLUMB_KILL_BEFORE=str(int(before)),
                                PLUMB_KILL_LOG=str(log), ASAN_OPTIONS=":".join(filter(None, options)))
        done = self.run_cli(*arguments, stdout=subprocess.DEVNULL)
        self.environment = plain
        changes = log.read_text().split()
        if change:
            self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
            self.assertEqual(len(changes), change)
            self.kinds[changes[-1]] += 1
        else:
            self.assertEqual(done.returncode, 0, done.stderr)
        return changes

    def plan(self, changes, kills):
        """Where to kill: at the first and the last change of each kind, then anywhere."""
        first = {name: changes.index(name) + 1 for name in changes}
        last = {name: number for number, name in enumerate(changes, 1)}
        chosen = [(number, before) for number in sorted({*first.values(), *last.values()}) for before in (False, True)]
        chance = random.Random(1)
        chance.shuffle(chosen)
        while len(chosen) < kills:
            chosen.append((chance.randint(1, len(changes)), chance.random() < 0.5))
        return chosen[:kills]


class Training(CrashTest):
    def content(self, path):
        """Everything but the time that the training took."""
        metadata, _ = read_safetensors(path)
        raw = path.read_bytes()
        (length,) = struct.unpack("<Q", raw[:8])
        metadata.pop("training_seconds")
        metadata.pop("checksum")
        return metadata, raw[8 + length:]

    def test_whenever_it_is_killed_it_goes_on_bit_for_bit(self):
        folder = self.folder / "c"
        train = ["train", *RUN, "--checkpoint-dir", folder, "--save-every", 1, "--keep", 2]
        # A training of one save after another; its changes are those of each that follows.
        changes = self.run_and_kill(self.folder / "dry", 0, False, "train", *RUN, "--checkpoint-dir", self.folder / "dry",
                                    "--save-every", 1, "--keep", 1, "--steps", 3)
        self.assertEqual({"create", "write", "fsync", "rename", "remove"} - set(changes), set())
        kills = max(1, KILLS * 4 // 5)
        newest = 0
        for change, before in self.plan(changes, kills):
            go_on = ["--resume", folder] if checkpoints(folder) else []
            self.run_and_kill(folder, change, before, *train, "--steps", 10**9, *go_on)
            found = checkpoints(folder)
            self.assertLessEqual(len(found), 3)  # two, and the one whose successor was not there yet
            self.assertLessEqual(len(unfinished(folder)), 1)  # by a kill between naming and renaming, or without O_TMPFILE
            for path in found:
                metadata, _ = read_safetensors(path)
                self.assertEqual(path.name, f"step-{int(metadata['step']):06}.safetensors")
            step = int(found[-1].stem.removeprefix("step-")) if found else 0
            self.assertGreaterEqual(step, newest, "a state that was durable is lost")
            newest = step
        self.assertGreater(newest, 0)
        self.ok("train", *RUN, "--checkpoint-dir", folder, "--steps", newest + 3, "--resume", folder)
        self.assertEqual(unfinished(folder), [])
        self.ok("train", *RUN, "--checkpoint-dir", self.folder / "s", "--steps", newest + 3)
        name = f"step-{newest + 3:06}.safetensors"
        self.assertEqual(self.content(folder / name), self.content(self.folder / "s" / name))
        print(f"{kills} kills of a training, {dict(self.kinds)}; {newest + 3} steps are those of a straight one")


class Saving(CrashTest):
    def test_whenever_it_is_killed_the_snapshot_is_the_old_or_the_new_one(self):
        folder = self.folder / "out"
        folder.mkdir()
        path = folder / "t.plumb"
        save = ["train", *SMALL, "--steps", 8, "--out", path]
        changes = self.run_and_kill(folder, 0, False, *save)
        self.assertEqual({"create", "write", "fsync", "rename"} - set(changes), set())
        kills = max(1, KILLS - KILLS * 4 // 5)
        replaced = 0
        for change, before in self.plan(changes, kills):
            old = path.read_bytes()
            self.run_and_kill(folder, change, before, *save)
            replaced += path.read_bytes() != old
            self.assertEqual(json.loads(path.read_bytes())["training"]["steps_done"], 8)
            self.assertLessEqual(len(list(folder.iterdir())), 2)
        self.ok("export", path, "--format", "training-csv")
        self.ok(*save)
        self.assertEqual(list(folder.iterdir()), [path])
        print(f"{kills} kills of a save, {dict(self.kinds)}; {replaced} times the new one was there")


if __name__ == "__main__":
    unittest.main()
