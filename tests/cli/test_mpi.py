# SPDX-License-Identifier: Apache-2.0
"""Ranks that are processes: the numbers of those that are threads, and the ends that processes have."""

import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from plumbline_cli import BINARY, PATIENCE, CliTest

STEP = ["--dim", 32, "--layers", 3, "--outputs", 2, "--batch", 24]
MPIRUN = shutil.which("mpirun")
MODULE = pathlib.Path(BINARY).with_name("libplumbline_mpi.so")


def processes(words):
    """Those whose command line has all of `words`, by number."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            environment = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if all(word in line for word in words):
            found[int(folder.name)] = dict(entry.partition("=")[::2] for entry in environment)
    return found


@unittest.skipUnless(MPIRUN and MODULE.exists(), "this build has no MPI: ./dev test installs it")
class MpiTest(CliTest):
    def setUp(self):
        super().setUp()
        self.environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                             "OMPI_MCA_btl": "^uct,openib,ofi,tcp", "PLUMBLINE_RANK_PATIENCE": "60"}

    def under_mpirun(self, *starts, options=()):
        """Runs `mpirun -n COUNT plumbline-cli ARGUMENTS : ...` of (COUNT, ARGUMENTS), as users may themselves."""
        command = [MPIRUN, "-q", "--oversubscribe", "--bind-to", "none", *options]
        for number, (count, arguments) in enumerate(starts):
            command += [":"] * (number > 0) + ["-n", str(count), BINARY, *map(str, arguments)]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment,
                              cwd=self.folder, timeout=PATIENCE)


class Numbers(MpiTest):
    def test_they_train_bit_for_bit_as_threads_do(self):
        for ranks, precision, zero in ((2, "fp32", 0), (3, "bf16", 0), (3, "fp16", 2), (2, "fp8", 3)):
            run = ["train", *STEP, "--precision", precision, "--data-parallel", ranks, "--zero", zero, "--steps", 6]
            threads, processes_ = self.ok_json(*run), self.ok_json(*run, "--launch", "mpirun")
            self.assertEqual(processes_["training"]["loss"], threads["training"]["loss"], precision)
            self.assertEqual(len(processes_["measured"]["ranks"]), ranks)

    def test_each_holds_and_sends_what_was_predicted_of_it_in_random_configurations(self):
        draw = random.Random(20)
        for _ in range(20):
            ranks = draw.choice((2, 3, 4))
            rows = draw.choice((1, 2, 5, 8))
            parts = draw.choice((1, 2))
            options = ["--dim", draw.randint(3, 70), "--layers", draw.randint(1, 6), "--outputs", draw.randint(1, 5),
                       "--batch", ranks * rows * parts, "--micro-batch", rows, "--data-parallel", ranks,
                       "--precision", draw.choice(("fp32", "tf32", "bf16", "fp16", "fp8")),
                       "--activation", draw.choice(("none", "relu")),
                       "--optimizer", draw.choice(("sgd", "adam", "adamw", "lion", "adafactor")),
                       "--checkpoint", draw.choice(("all", "none", "sqrt"))]
            if "adafactor" not in options:
                options += ["--zero", draw.randint(0, 3)]
            profile = self.ok_json("profile", *options, "--steps", 2, "--launch", "mpirun")
            for before, after in zip(profile["predicted"]["ranks"], profile["measured"]["ranks"], strict=True):
                for key in ("rank", "peak_bytes", "sent_bytes", "received_bytes"):
                    self.assertEqual(after[key], before[key], (options, key))

    def test_they_divide_matrices_as_threads_do(self):
        for ranks in (["--tensor", 3], ["--tensor", 2, "--data-parallel", 2]):
            run = ["--dim", 48, "--layers", 5, "--batch", 24, "--precision", "bf16", "--checkpoint", "sqrt", *ranks]
            threads, processes_ = (self.ok_json("train", *run, "--steps", 6, *launch) for launch in ([], ["--launch", "mpirun"]))
            self.assertEqual(processes_["training"]["loss"], threads["training"]["loss"], ranks)
            profile = self.ok_json("profile", *run, "--steps", 2, "--launch", "mpirun")
            for before, after in zip(profile["predicted"]["ranks"], profile["measured"]["ranks"], strict=True):
                for key in ("rank", "peak_bytes", "sent_bytes", "received_bytes"):
                    self.assertEqual(after[key], before[key], (ranks, key))

    def test_a_checkpoint_has_the_slices_of_all_of_them(self):
        run = ["train", *STEP, "--data-parallel", 3, "--checkpoint-dir", "c"]
        whole = self.ok_json("train", *STEP, "--data-parallel", 3, "--steps", 8)["training"]["loss"]
        self.ok_json(*run, "--zero", 3, "--steps", 4, "--launch", "mpirun")
        rest = self.ok_json(*run, "--zero", 1, "--steps", 8, "--resume", "c", "--launch", "mpirun")
        self.assertEqual(rest["training"]["loss"], whole[4:])

    def test_mpi_itself_counts_the_bytes_that_were_predicted(self):
        sent = {}
        for steps in (10, 30):
            run = ["train", *STEP, "--data-parallel", 3, "--steps", steps, "--json"]
            done = self.under_mpirun((3, run), options=["--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3",
                                                        "--mca", "pml_monitoring_filename", str(self.folder / f"m{steps}")])
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            predicted = json.loads(done.stdout)["predicted"]["ranks"]
            for rank in range(3):
                lines = (self.folder / f"m{steps}.{rank}.prof").read_text().splitlines()
                # "E FROM TO BYTES bytes ...": messages between two ranks; texts of all ranks are lines of their own.
                sent[steps, rank] = sum(int(line.split()[3]) for line in lines if line.startswith("E\t"))
        for rank in range(3):
            self.assertEqual(sent[30, rank] - sent[10, rank], 20 * predicted[rank]["sent_bytes"])

    def test_a_training_that_mpirun_starts_by_itself_is_the_same(self):
        run = ["train", *STEP, "--data-parallel", 2, "--steps", 3]
        done = self.under_mpirun((2, [*run, "--json"]))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["training"]["loss"], self.ok_json(*run)["training"]["loss"])


class Ends(MpiTest):
    ENDLESS = ["train", *STEP, "--data-parallel", 2, "--steps", 10**9, "--launch", "mpirun"]

    def start(self, *more):
        """Starts a training without end; returns its process and those of its ranks, by rank."""
        arguments = [*map(str, self.ENDLESS), *map(str, more)]
        command = subprocess.Popen([BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)
        self.addCleanup(command.communicate)
        self.addCleanup(command.kill)
        for _ in self.until():
            ranks = {int(environment["OMPI_COMM_WORLD_RANK"]): number
                     for number, environment in processes(["--launch", "mpi"]).items()
                     if environment.get("TMPDIR") == str(self.folder) and "OMPI_COMM_WORLD_RANK" in environment}
            if len(ranks) == 2 and (self.folder / "c").exists():
                return command, ranks

    def until(self):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            yield
            time.sleep(0.05)
        self.fail("nothing has happened")

    def expect_nothing_left(self):
        for _ in self.until():
            left = [number for number, environment in processes([BINARY]).items()
                    if environment.get("TMPDIR") == str(self.folder)]
            if not left:
                return

    def test_a_killed_one_is_named_and_its_training_goes_on_from_a_checkpoint(self):
        saving = ["--checkpoint-dir", "c", "--save-every", 1]
        command, ranks = self.start(*saving)
        for _ in self.until():
            if any((self.folder / "c").glob("*.safetensors")):
                break
        os.kill(ranks[1], signal.SIGKILL)
        _, said = command.communicate(timeout=PATIENCE)
        self.assertEqual(command.returncode, 1)
        self.assertRegex(said, r"\Aplumbline-cli: Rank 1 on \S+ was ended by signal 9: see whether the machine ran out "
                               r"of memory or somebody ended it, and start the training again from its last checkpoint\.\n\Z")
        self.expect_nothing_left()
        done = max(int("".join(itertools.filterfalse(lambda letter: not letter.isdigit(), file.stem)))
                   for file in (self.folder / "c").glob("*.safetensors"))
        run = ["train", *STEP, "--data-parallel", 2, "--steps", done + 5]
        rest = self.ok_json(*run, "--checkpoint-dir", "c", "--resume", "c", "--launch", "mpirun")["training"]
        whole = self.ok_json(*run)["training"]
        self.assertEqual(rest["loss"][-1], whole["loss"][-1])

    def test_a_stopped_one_is_named_within_its_patience(self):
        self.environment["PLUMBLINE_RANK_PATIENCE"] = "4"
        for rank in (1, 0):
            command, ranks = self.start("--checkpoint-dir", "c", "--save-every", 1)
            os.kill(ranks[rank], signal.SIGSTOP)
            _, said = command.communicate(timeout=PATIENCE)
            self.assertEqual(command.returncode, 1)
            self.assertIn(f"othing has been heard of rank {rank} for 4 s: see whether its process was stopped", said)
            self.expect_nothing_left()
            shutil.rmtree(self.folder / "c")

    def test_ctrl_c_ends_them_after_a_step_and_keeps_what_was_done(self):
        command, _ = self.start("--checkpoint-dir", "c", "--save-every", 1, "--out", "r.plumb")
        command.send_signal(signal.SIGINT)
        _, said = command.communicate(timeout=PATIENCE)
        self.assertEqual(command.returncode, 1)
        self.assertRegex(said, r"\Aplumbline-cli: Training stopped \(step \d+\): go on with --resume \S+\.\n\Z")
        self.assertTrue((self.folder / "r.plumb").exists())
        self.expect_nothing_left()

    def test_nothing_is_left_of_them_when_the_command_is_killed(self):
        command, _ = self.start("--checkpoint-dir", "c", "--save-every", 1)
        command.kill()
        self.expect_nothing_left()

    def test_what_all_refuse_is_told_once(self):
        for arguments, code, says in (
                (["--batch", 25], 2, "use a divisor of the batch such as"),
                (["--dim", 200000, "--layers", 9], 4, "make dim or layers smaller"),
                (["--resume", "nowhere", "--batch", 24], 2, "nowhere")):
            run = ["train", "--data-parallel", 2, "--steps", 2, "--launch", "mpirun", *arguments]
            done = self.run_cli(*run)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(says, done.stderr)

    def test_one_with_another_configuration_is_named_with_the_first_difference(self):
        run = ["train", "--layers", 3, "--batch", 24, "--data-parallel", 2, "--steps", 2]
        done = self.under_mpirun((1, [*run, "--dim", 32]), (1, [*run, "--dim", 40]))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "plumbline-cli: Rank 1: it was given another training (dim is 40 there and 32 on rank 0): "
                                      "start all ranks with one command.\n")

    def test_another_number_of_processes_than_ranks_is_refused(self):
        for ranks, says in ((3, "The launcher has started 2 processes, and the step is that of 3 ranks: give --data-parallel 2, or start 3 processes."),
                            (1, "The launcher has started 2 processes, and the step is that of 1 ranks")):
            done = self.under_mpirun((2, ["train", *STEP, "--data-parallel", ranks, "--steps", 2]))
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("plumbline-cli: "), 1)
        done = self.under_mpirun((2, ["train", *STEP, "--data-parallel", 2, "--steps", 2, "--launch", "threads"]))
        self.assertEqual(done.returncode, 2)
        self.assertIn("This process is one of 2 that a launcher of MPI has started: leave --launch out", done.stderr)


class Launchers(CliTest):
    """What a launcher says, by one that says what it is told to."""

    def launch(self, script, launcher="mpirun"):
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        (folder / launcher).write_text(f"#!/bin/sh\n{script}\n")
        (folder / launcher).chmod(0o755)
        self.environment["PATH"] = f"{folder}:/usr/bin:/bin"
        return self.run_cli("train", *STEP, "--data-parallel", 2, "--steps", 2, "--launch", launcher)

    def test_what_ranks_say_goes_on_and_what_the_launcher_says_does_not(self):
        dashes = "-" * 74
        done = self.launch(f"""echo '{dashes}' >&2; echo 'WARNING: no fabric was found' >&2; echo '{dashes}' >&2
            printf 'step 1 of 2 - [fine]\\n\\n-1 is a number\\n' >&2; echo '[node:12] Read -1, errno = 3' >&2
            echo 'mpirun: Forwarding signal 10 to job' >&2; echo '{{}}'""")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "{}\n", "step 1 of 2 - [fine]\n-1 is a number\n"))

    def test_what_a_rank_has_said_of_its_end_is_not_said_again(self):
        done = self.launch("echo 'plumbline-cli: The disk is full: free some space.' >&2; exit 2")
        self.assertEqual((done.returncode, done.stderr), (2, "plumbline-cli: The disk is full: free some space.\n"))

    def test_what_it_refuses_is_told_in_one_sentence(self):
        dashes = "-" * 74
        done = self.launch(f"echo '{dashes}' >&2; printf 'There are not enough slots available\\nin the system.\\n\\nMore.\\n' >&2; echo '{dashes}' >&2; exit 1")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "plumbline-cli: mpirun has not started the ranks (There are not enough slots available in the system.): "
                                      "see whether it starts other programs, or use --launch threads.\n")
        self.assertIn("mpirun has ended without a word (exit 7)", self.launch("exit 7").stderr)

    def test_it_is_started_with_the_command_line_once_for_each_rank(self):
        done = self.launch('printf "%s " "$@"')
        self.assertRegex(done.stdout, r"\A-n 2 --bind-to none --oversubscribe /\S+/plumbline-cli train --dim 32 --layers 3 --outputs 2 "
                                      r"--batch 24 --data-parallel 2 --steps 2 --launch mpi \Z")
        done = self.launch('printf "%s " "$@"', "srun")
        self.assertRegex(done.stdout, r"\A-n 2 --mpi=pmix --input=0 --output=0 --kill-on-bad-exit=1 /\S+/plumbline-cli train ")

    def test_one_that_is_not_there_is_refused(self):
        self.environment["PATH"] = str(self.folder)
        for launcher in ("mpirun", "srun"):
            self.refused(3, "train", *STEP, "--data-parallel", 2, "--steps", 2, "--launch", launcher,
                         says=[f"{launcher} cannot be started", "use --launch threads"])

    def test_what_makes_no_sense_is_refused(self):
        run = ["train", *STEP, "--steps", 2]
        self.refused(2, *run, "--data-parallel", 2, "--launch", "fork", says=["does not know this way (fork)", "use threads, mpirun, srun or mpi"])
        self.refused(2, *run, "--launch", "mpirun", says=["one rank needs no launcher", "give --data-parallel N as well"])
        self.refused(2, *run, "--data-parallel", 2, "--launch", "mpi", says=["no launcher of MPI has started this process"])

    def test_without_what_speaks_to_mpi_each_rank_would_say_so(self):
        self.environment |= {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "PLUMBLINE_MPI_MODULE": "none"}
        self.refused(3, "train", *STEP, "--data-parallel", 2, "--steps", 2, says=["this installation cannot speak to MPI", "use --launch threads"])


if __name__ == "__main__":
    unittest.main()
