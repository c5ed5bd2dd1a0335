# SPDX-License-Identifier: Apache-2.0
"""Training checkpoints on the command line: saved, resumed, refused, and whole whenever the program is killed."""

import json
import os
import random
import re
import resource
import struct
import subprocess
import unittest

from plumbline_cli import BINARY, SMALL, CliTest

# The state (3.4 MB) takes longer to write than a step takes to run: a save is nearly always under way.
HEAVY = ["--dim", "256", "--layers", "4", "--batch", "16"]
KILLS = 40
ITEM_BYTES = {"F64": 8, "F32": 4, "BF16": 2, "F16": 2, "F8_E4M3": 1, "F8_E5M2": 1}


def read_safetensors(path):
    """The header of a whole file, checked with nothing but the format's description."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8:8 + length])
    metadata = header.pop("__metadata__")
    covered = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        size = ITEM_BYTES[entry["dtype"]]
        for dimension in entry["shape"]:
            size *= dimension
        assert (begin, end) == (covered, covered + size), name
        covered = end
    assert len(content) == 8 + length + covered, path
    return metadata, header


def checkpoints(folder):
    return sorted(folder.glob("step-*.safetensors"))


def unfinished(folder):
    return sorted(folder.glob(".*.tmp"))


class Saving(CliTest):
    def test_a_resumed_training_is_the_straight_one(self):
        run = [*SMALL, "--precision", "bf16", "--micro-batch", 4, "--lr-schedule", "cosine", "--schedule-steps", 150]
        straight = self.ok_json("train", *run, "--steps", 200)["training"]
        first = self.ok_json("train", *run, "--steps", 100, "--checkpoint-dir", "c")["training"]
        second = self.ok_json("train", *run, "--steps", 200, "--checkpoint-dir", "c", "--resume", "c")["training"]
        self.assertEqual(first["loss"] + second["loss"], straight["loss"])
        self.assertEqual(first["step"] + second["step"], straight["step"])
        self.assertEqual(second["steps_done"], 200)
        self.assertGreater(second["seconds"][0], first["seconds"][-1])
        self.assertEqual([path.name for path in checkpoints(self.folder / "c")],
                         ["step-000100.safetensors", "step-000200.safetensors"])

    def test_the_file_says_what_it_is(self):
        config = self.ok_json("train", *SMALL, "--seed", 9, "--steps", 12, "--checkpoint-dir", "c", "--keep", 1)["config"]
        metadata, tensors = read_safetensors(self.folder / "c" / "step-000012.safetensors")
        self.assertEqual((metadata["format"], metadata["version"]), ("plumbline.checkpoint", "1"))
        self.assertEqual((metadata["step"], metadata["seed"]), ("12", "9"))
        self.assertEqual(json.loads(metadata["config"]), config)
        self.assertRegex(metadata["program"], r"^plumbline \d")
        self.assertGreater(float(metadata["training_seconds"]), 0)
        self.assertEqual(tensors["layers.1.weight"]["shape"], [16, 16])
        self.assertEqual(tensors["head.weight"]["shape"], [16, 1])
        self.assertIn("optimizer.layers.0.weight.exp_avg", tensors)
        self.assertEqual([path.name for path in checkpoints(self.folder / "c")], ["step-000012.safetensors"])

    def test_ctrl_c_saves_the_last_state(self):
        process = subprocess.Popen([BINARY, "train", *SMALL, "--steps", "1000000000", "--checkpoint-dir", "c",
                                    "--save-every", "10"], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while not checkpoints(self.folder / "c"):
            self.assertIsNone(process.poll())
        process.terminate()
        self.assertEqual(process.wait(60), 1)
        said = process.stderr.read()
        step = re.search(r"training stopped \(step (\d+)\): go on with --resume (c/step-(\d+)\.safetensors)", said)
        self.assertIsNotNone(step, said)
        self.assertEqual(int(step[1]), int(step[3]))
        self.ok("train", *SMALL, "--steps", int(step[1]) + 5, "--resume", step[2])

    def test_a_full_disk_is_one_sentence_and_an_exit_code_and_training_goes_on(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = self.run_cli("train", *SMALL, "--steps", 50, "--checkpoint-dir", "c", "--save-every", 10, "--json",
                            preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["training"]["steps_done"], 50)
        first, last = done.stderr.splitlines()
        self.assertRegex(first, r"^plumbline-cli: cannot write c/step-0000\d\d\.safetensors \(File too large\): training "
                                r"goes on; ")
        self.assertRegex(last, r"^plumbline-cli: training finished, and not all of its checkpoints could be written")
        self.assertEqual(os.listdir(self.folder / "c"), [])


class Refusing(CliTest):
    def test_what_cannot_be_saved_or_resumed_is_refused_by_name(self):
        self.ok("train", *SMALL, "--steps", 10, "--checkpoint-dir", "c")
        name = "c/step-000010.safetensors"
        steps = ("--steps", 20)
        self.refused(2, "train", *SMALL, *steps, "--resume", name, "--lr", 0.5,
                     says=(name, "another configuration (lr 0.001 there, 0.5 here)"))
        self.refused(2, "train", *SMALL, "--steps", 10, "--resume", "c", says=(name, "10 steps"))
        self.refused(2, "train", *SMALL, *steps, "--checkpoint-dir", "c", says=("holds a training already", "--resume"))
        self.refused(2, "train", *SMALL, *steps, "--resume", "none", says=("none", "No such file"))
        self.refused(2, "train", *SMALL, *steps, "--resume", ".", says="no training checkpoint in .")
        self.refused(2, "train", *SMALL, *steps, "--resume", "", says="--resume is empty")
        self.refused(2, "train", *SMALL, *steps, "--checkpoint-dir", "", says="--checkpoint-dir is empty")
        self.refused(2, "train", *SMALL, *steps, "--save-every", 5, says="--checkpoint-dir")
        self.refused(2, "train", *SMALL, *steps, "--checkpoint-dir", "d", "--save-every", 0, says="save-every")
        self.refused(2, "train", *SMALL, *steps, "--checkpoint-dir", "d", "--keep", 0, says="keep")
        self.refused(2, "train", *SMALL, *steps, "--checkpoint-dir", name + "/d", says="step-000010")
        content = (self.folder / name).read_bytes()
        for size in (0, 7, 100, len(content) - 1):
            (self.folder / "cut").write_bytes(content[:size])
            self.refused(2, "train", *SMALL, *steps, "--resume", "cut", says="cut")
        (self.folder / "text").write_text("not a checkpoint at all")
        self.refused(2, "train", *SMALL, *steps, "--resume", "text", says=("text", "not a .safetensors file"))
        header = b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
        (self.folder / "other").write_bytes(struct.pack("<Q", len(header)) + header + b"x")
        self.refused(2, "train", *SMALL, *steps, "--resume", "other", says=("other", "no training of Plumbline"))

    def test_a_loss_scale_that_is_not_a_number_is_refused_before_training(self):
        run = [*SMALL, "--precision", "fp16"]
        self.ok("train", *run, "--steps", 10, "--checkpoint-dir", "c")
        name = "c/step-000010.safetensors"
        content = bytearray((self.folder / name).read_bytes())
        (length,) = struct.unpack("<Q", content[:8])
        begin, _ = json.loads(content[8:8 + length])["loss_scale"]["data_offsets"]
        content[8 + length + begin:8 + length + begin + 8] = struct.pack("<d", float("nan"))
        (self.folder / name).write_bytes(content)
        self.refused(2, "train", *run, "--steps", 20, "--resume", "c",
                     says=(name, "unusable loss scale in loss_scale (nan): resume from another one"))


class Killing(CliTest):
    def test_whenever_it_is_killed_every_checkpoint_is_whole_and_the_newest_resumes(self):
        folder = self.folder / "c"
        chance = random.Random(1)
        resumed = {}  # loss by step, of the first step after each resumption
        left_unfinished = 0
        for kill in range(KILLS):
            arguments = ["train", *HEAVY, "--steps", "1000000", "--checkpoint-dir", "c", "--save-every", "1"]
            if checkpoints(folder):
                arguments += ["--resume", "c"]
            process = subprocess.Popen([BINARY, *arguments], cwd=self.folder, env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            with process.stderr:
                try:
                    process.wait(chance.uniform(0.02, 0.6))
                    self.fail(process.stderr.read())  # it must not end by itself
                except subprocess.TimeoutExpired:
                    process.kill()
                process.wait()
            left_unfinished += len(unfinished(folder))
            found = checkpoints(folder)
            self.assertLessEqual(len(found), 4)  # three, and the one whose successor was not there yet
            for path in found:
                metadata, tensors = read_safetensors(path)
                self.assertEqual(path.name, f"step-{int(metadata['step']):06}.safetensors")
                self.assertEqual(len(tensors), 5 * 3)
            if found:
                step = int(metadata["step"])
                one = self.ok_json("train", *HEAVY, "--steps", step + 1, "--resume", "c")["training"]
                self.assertEqual(one["step"], [step])
                resumed[step] = one["loss"][0]
        self.assertGreater(len(resumed), KILLS // 4)
        self.assertGreater(left_unfinished, 0, "no kill fell into a save: the test proves nothing")
        last = max(resumed)
        self.ok("train", *HEAVY, "--steps", last + 5, "--checkpoint-dir", "c", "--resume", "c") if last else None
        self.assertEqual(unfinished(folder), [])
        straight = self.ok_json("train", *HEAVY, "--steps", last + 1)["training"]
        losses = dict(zip(straight["step"], straight["loss"]))
        self.assertEqual(resumed, {step: losses.get(step, loss) for step, loss in resumed.items()})
        print(f"{KILLS} kills, {left_unfinished} of them within a save, {len(resumed)} resumptions up to step {last}")


if __name__ == "__main__":
    unittest.main()
