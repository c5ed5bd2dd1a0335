# SPDX-License-Identifier: Apache-2.0
"""Training checkpoints on the command line: saved, resumed and refused; test_crash.py kills the program."""

import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest

from plumbline_cli import BINARY, DIGITS, SMALL, CliTest, blocks_interrupts, cpu_seconds

# The state takes 99 kB.
WIDE = ["--dim", "64", "--layers", "2", "--batch", "8"]
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
        self.assertEqual((metadata["format"], metadata["version"]), ("plumbline.checkpoint", "2"))
        self.assertEqual((metadata["step"], metadata["seed"]), ("12", "9"))
        self.assertEqual(json.loads(metadata["data"]), [])
        self.assertRegex(metadata["checksum"], r"^[0-9a-f]{16}$")
        self.assertEqual(json.loads(metadata["config"]), config)
        self.assertRegex(metadata["program"], r"^plumbline \d")
        self.assertGreater(float(metadata["training_seconds"]), 0)
        self.assertEqual(tensors["layers.1.weight"]["shape"], [16, 16])
        self.assertEqual(tensors["head.weight"]["shape"], [16, 1])
        self.assertIn("optimizer.layers.0.weight.exp_avg", tensors)
        self.assertEqual([path.name for path in checkpoints(self.folder / "c")], ["step-000012.safetensors"])

    def start(self, *arguments, **options):
        process = subprocess.Popen([BINARY, "train", *map(str, arguments)], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def start_saving(self, **options):
        process = self.start(*SMALL, "--steps", 10**9, "--checkpoint-dir", "c", "--save-every", 10, **options)
        self.wait_for_later(process, 0)
        return process

    def wait_for_later(self, process, step):
        while max([int(path.stem[5:]) for path in checkpoints(self.folder / "c")], default=0) <= step:
            self.assertIsNone(process.poll())

    def assert_saved(self, process):
        """It ended with its last state saved, from which a training can go on."""
        self.assertEqual(process.wait(60), 1)
        said = process.stderr.read()
        step = re.search(r"Training stopped \(step (\d+)\): go on with --resume (c/step-(\d+)\.safetensors)", said)
        self.assertIsNotNone(step, said)
        self.assertEqual(int(step[1]), int(step[3]))
        self.ok("train", *SMALL, "--steps", int(step[1]) + 5, "--resume", step[2])

    def test_ctrl_c_saves_the_last_state(self):
        process = self.start_saving()
        process.terminate()
        self.assert_saved(process)

    def test_a_terminal_that_goes_away_saves_the_last_state(self):
        process = self.start_saving()
        # The system and the shell both tell of it.
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGHUP)
        self.assert_saved(process)

    def test_under_nohup_it_goes_on_without_the_terminal(self):
        process = self.start_saving(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        for _ in range(2):  # more than what was under way
            self.wait_for_later(process, int(checkpoints(self.folder / "c")[-1].stem[5:]))
        process.terminate()
        self.assert_saved(process)

    def test_a_stop_does_not_wait_for_a_step_of_minutes(self):
        process = self.start("--dim", 512, "--layers", 16, "--batch", 1 << 19, "--micro-batch", 64, "--steps", 5,
                             "--checkpoint-dir", "c")
        # A second of about a minute that its first step takes.
        while not blocks_interrupts(process.pid) or cpu_seconds(process.pid) < 1:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.terminate()
        self.assertEqual(process.wait(60), 1)
        self.assertIn("Training stopped (step 0)", process.stderr.read())

    def test_a_full_disk_is_one_sentence_and_an_exit_code_and_training_goes_on(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = self.run_cli("train", *SMALL, "--steps", 50, "--checkpoint-dir", "c", "--save-every", 10, "--json",
                            preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["training"]["steps_done"], 50)
        first, last = done.stderr.splitlines()
        self.assertRegex(first, r"^plumbline-cli: Cannot write c/step-0000\d\d\.safetensors \(File too large\): training "
                                r"goes on; ")
        self.assertRegex(last, r"^plumbline-cli: Training finished, and not all of its checkpoints could be written")
        self.assertEqual(os.listdir(self.folder / "c"), [])

    def test_what_is_there_to_resume_from_is_named_when_no_save_succeeds(self):
        self.ok("train", *SMALL, "--steps", 10, "--checkpoint-dir", "c")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        done = self.run_cli("train", *SMALL, "--steps", 30, "--checkpoint-dir", "c", "--resume", "c", preexec_fn=limit)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the newest is c/step-000010.safetensors", done.stderr)


class FullDisk(CliTest):
    """On a small disk of its own, which needs no rights but to make a name space of the user's."""

    def setUp(self):
        super().setUp()
        if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
            self.skipTest("no name space of mounts can be made here")
        (self.folder / "disk").mkdir()

    def train(self, size, steps, *arguments, earlier=None):
        """Exit code, what was said, and the names on the disk afterwards; goes on from `earlier` steps, done before."""
        script = f'mount -t tmpfs -o size={size} tmpfs disk && '
        if earlier is not None:
            script += f'"$@" --steps {earlier} >out 2>said && set -- "$@" --resume disk/c && '
        script += f'"$@" --steps {steps} >out 2>said; echo $? >code; ls -A disk >names'
        command = [BINARY, "train", *WIDE, "--checkpoint-dir", "disk/c", "--save-every", "1", *map(str, arguments)]
        script += "; ls -A disk/c >names"
        subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", *command], cwd=self.folder, env=self.environment,
                       check=True)
        read = lambda name: (self.folder / name).read_text()
        return int(read("code")), read("said"), read("names").split()

    def test_older_checkpoints_make_room_for_newer_ones(self):
        # Room for three. Only the first and the last save of a training are sure: one that is due while another is
        # being written comes later.
        code, said, names = self.train("360k", 60, "--keep", 9, earlier=30)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"\Aplumbline-cli: The disk is full, so that older checkpoints make room for newer ones "
                               r"[^\n]+disk/c/step-0000\d\d\.safetensors\): training goes on[^\n]+\n\Z")
        self.assertEqual(names[-1], "step-000060.safetensors")

    def test_the_newest_is_not_given_up_for_one_that_does_not_fit(self):
        code, said, names = self.train("160k", 60)
        self.assertEqual(code, 1, said)
        self.assertEqual(len(names), 1)
        self.assertIn(f"the newest is disk/c/{names[0]}", said)
        self.assertIn("No space left on device", said)

    def test_a_disk_without_room_for_one_is_refused_at_the_start(self):
        code, said, names = self.train("64k", 60)
        self.assertEqual((code, names), (2, []), said)
        self.assertRegex(said, r"\Aplumbline-cli: A training checkpoint takes 99\.\d kB, and the disk of disk/c has room for "
                               r"[^\n]+: free some space, or choose another disk\.\n\Z")


class Refusing(CliTest):
    def test_a_folder_that_cannot_be_written_is_refused_before_training(self):
        self.refused(2, "train", *SMALL, "--steps", 10**9, "--checkpoint-dir", "/proc/self", says="/proc/self")

    def test_other_data_is_refused_by_name(self):
        for name in ("features", "targets"):
            shutil.copy(DIGITS / f"{name}.npy", self.folder / f"{name}.npy")
        run = ["--data", "features.npy", "--targets", "targets.npy", "--dim", 64, "--layers", 1, "--batch", 64]
        self.ok("train", *run, "--steps", 3, "--checkpoint-dir", "c")
        metadata, _ = read_safetensors(self.folder / "c" / "step-000003.safetensors")
        self.assertEqual([file["option"] for file in json.loads(metadata["data"])], ["data", "targets"])
        self.ok("train", *run, "--steps", 6, "--resume", "c")
        content = bytearray((self.folder / "features.npy").read_bytes())
        content[-1] ^= 1
        (self.folder / "features.npy").write_bytes(content)
        self.refused(2, "train", *run, "--steps", 6, "--resume", "c",
                     says=("c/step-000003.safetensors", "other data", "features.npy", "another content"))

    def test_data_that_moved_is_the_same_data(self):
        for name in ("features", "targets"):
            shutil.copy(DIGITS / f"{name}.npy", self.folder / f"{name}.npy")
        model = ["--layers", 1, "--batch", 64, "--seed", 3]
        run = ["train", "--data", "features.npy", "--targets", "targets.npy", *model]
        straight = self.ok_json(*run, "--steps", 6)["training"]["loss"]
        self.ok(*run, "--steps", 3, "--checkpoint-dir", "c")
        (self.folder / "elsewhere").mkdir()
        for name in ("features", "targets"):
            (self.folder / f"{name}.npy").rename(self.folder / "elsewhere" / name)
        moved = ["train", "--data", "elsewhere/features", "--targets", "elsewhere/targets", *model]
        resumed = self.ok_json(*moved, "--data-format", "npy", "--steps", 6, "--resume", "c")
        self.assertEqual(resumed["training"]["loss"], straight[3:])
        self.assertIn("data elsewhere/features was features.npy, targets elsewhere/targets was targets.npy",
                      resumed["data"]["description"])
        shutil.copy(DIGITS / "targets.npy", self.folder / "elsewhere" / "features.npy")
        self.refused(2, "train", "--data", "elsewhere/features.npy", "--targets", "elsewhere/targets", *model, "--dim", 64,
                     "--steps", 6, "--resume", "c", says=("features.npy", "64"))

    def test_the_part_of_a_file_and_how_it_is_read_belong_to_the_data(self):
        table = "a,b,c\n" + "".join(f"{i % 7},{i % 5},{i % 3}\n" for i in range(64))
        for name in ("t", "copy"):
            (self.folder / f"{name}.csv").write_text(table)
        model = ["--layers", 1, "--batch", 16]
        self.ok("train", "--data", "t.csv:a", "--targets", "t.csv:c", *model, "--steps", 3, "--checkpoint-dir", "c")
        self.ok("train", "--data", "copy.csv:a", "--targets", "t.csv:c", *model, "--steps", 6, "--resume", "c")
        self.refused(2, "train", "--data", "copy.csv:b", "--targets", "t.csv:c", *model, "--steps", 6, "--resume", "c",
                     says=("c/step-000003.safetensors", "other data", "t.csv:a then", "copy.csv:b here"))
        (self.folder / "ids.u16").write_bytes(bytes(range(64)) * 64)
        (self.folder / "ids.i32").write_bytes(bytes(4 * i % 251 if i % 4 == 0 else 0 for i in range(4096)))
        (self.folder / "same.bin").write_bytes((self.folder / "ids.i32").read_bytes())
        tokens = [*model, "--vocabulary", 65536, "--dim", 8]
        self.ok("train", "--data", "ids.i32", *tokens, "--steps", 3, "--checkpoint-dir", "d")
        self.ok("train", "--data", "same.bin", "--data-format", "tokens-i32", *tokens, "--steps", 4, "--resume", "d")
        self.refused(2, "train", "--data", "same.bin", "--data-format", "tokens-u16", *tokens, "--steps", 4, "--resume", "d",
                     says=("data-format tokens-i32 there, tokens-u16 here",))
        shutil.copy(self.folder / "ids.i32", self.folder / "same.u16")
        self.refused(2, "train", "--data", "same.u16", *tokens, "--steps", 4, "--resume", "d",
                     says=("data-format tokens-i32 there", ))

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


if __name__ == "__main__":
    unittest.main()
