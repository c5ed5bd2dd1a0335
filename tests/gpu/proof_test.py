#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole proof where there is no GPU: the pack of this build on the simulated device and a scripted machine, within the
limits of the hardest one: folders that are emptied between calls, few and small files, and an end at any moment."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import machine  # noqa: E402
import pack  # noqa: E402
import plan  # noqa: E402
import proof  # noqa: E402
from items import Calls  # noqa: E402
from measurements import TINY_RUNS, Measurements  # noqa: E402
from scripted_machine import InAFolder, write_program, write_programs  # noqa: E402

CLI, MODULE = os.environ.get("PLUMBLINE_CLI", ""), os.environ.get("PLUMBLINE_MODULE", "")
SIMULATED, TESTS = os.environ.get("PLUMBLINE_SIMULATED_GPU", ""), os.environ.get("PLUMBLINE_SIMULATED_TESTS", "")
FILES = {"summary.md", "summary.json", "parts.json", "tests.json", "logs.tar.gz"}
# Few of the simulated device's tests: all of them are tests of their own.
CHOSEN_TESTS = "Gpu.TrainsLikeTheCpuWhateverTheShapeAndSchedule:Gpu.NeedsTheMemory*"


@unittest.skipUnless(SIMULATED, "this build has no CUDA backend")
@unittest.skipIf(os.environ.get("PLUMBLINE_SANITIZE"), "a sanitizer's libraries are not packed")
class AProof(InAFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.pack = pathlib.Path(folder.name) / "pack"
        files = [pathlib.Path(file) for file in (CLI, MODULE, TESTS)]
        cls.made = pack.make(None, HERE.parents[1], cls.pack, "90", most_glibc="9.9", programs=(files, [files[2]]))
        cls.machine = pathlib.Path(folder.name) / "machine"
        cls.machine.mkdir()
        write_programs(cls.machine, CLI, SIMULATED)

    def command(self, out, *arguments, packed=None):
        return [sys.executable, "-B", (packed or self.pack) / "proof.py", self.out / out, "--dry-run", *arguments]

    def environment(self, path=None):
        return {**os.environ, "PATH": f"{path or self.machine}:{os.environ['PATH']}", "PLUMBLINE_CUDA_MODULE": SIMULATED,
                "SIMULATED_GPU_COUNTS": "1", "GTEST_FILTER": CHOSEN_TESTS, "HOME": "/nonexistent", "GOMP_SPINCOUNT": "3000"}

    def proof(self, out, *arguments, path=None, **more):
        return subprocess.run(self.command(out, *arguments, **more), capture_output=True, text=True, cwd="/", timeout=500,
                              env=self.environment(path), stdin=subprocess.DEVNULL)

    def parts(self, out):
        return json.loads((self.out / out / "parts.json").read_text())

    def outcomes(self, out):
        return {name: outcome["outcome"] for name, outcome in self.parts(out).items()}

    def assertTravels(self, out):
        """What a machine gives back that takes 8 files of 16 MiB, two folders deep."""
        entries = list((self.out / out).rglob("*"))
        self.assertEqual({path.name for path in entries if not path.name.startswith(".")}, FILES)
        self.assertLessEqual(len(entries), 8)
        for path in entries:
            self.assertTrue(path.is_file())
            self.assertLess(path.stat().st_size, 16 << 20, path)
            self.assertRegex(path.name, r"^[A-Za-z0-9._-]+$")
        for name in ("summary.json", "parts.json", "tests.json"):
            json.loads((self.out / out / name).read_text())
        with tarfile.open(self.out / out / "logs.tar.gz") as archive:
            return archive.getnames()

    def end_after(self, out, items, with_signal, *arguments):
        """Ends a proof from outside when that many items are known; its exit status and what it said."""
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen(self.command(out, *arguments), stdout=said, stderr=said, cwd="/", env=self.environment())
            until = time.monotonic() + 200
            while time.monotonic() < until and process.poll() is None:
                try:
                    if len(self.parts(out)) >= items:
                        break
                except OSError:
                    pass
                time.sleep(0.02)
            process.send_signal(with_signal)
            status = process.wait(60)
            said.seek(0)
            return status, said.read()

    def test_three_parts_that_are_ended_and_gone_on_with_know_everything(self):
        self.assertLessEqual(pack.size_of(self.pack), 40_000_000 if not self.made["changed_files"] else 80_000_000)
        # Killed: what was known is whole.
        status, _ = self.end_after("killed", 5, signal.SIGKILL, "--part", "1")
        self.assertEqual(status, -signal.SIGKILL)
        self.assertTravels("killed")
        known = self.parts("killed")
        self.assertGreaterEqual(len(known), 5)
        # Gone on with, in an empty folder.
        done = self.proof("one", "--part", "1", "--resume", self.out / "killed")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, outcome in known.items():
            self.assertEqual(self.parts("one")[name], outcome)
            self.assertIn(f"{name}: known from before", done.stderr)
        self.assertIn("logs/smoke-fp32.out", self.assertTravels("one"))
        # Asked to end: says what it has.
        status, said = self.end_after("stopped", len(self.parts("one")) + 2, signal.SIGTERM, "--part", "2", "--resume",
                                      str(self.out / "one"))
        self.assertEqual(status, 1, said)
        self.assertIn("stopped (SIGTERM)", said)
        self.assertTravels("stopped")
        done = self.proof("two", "--part", "2", "--resume", self.out / "stopped")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTravels("two")
        done = self.proof("three", "--part", "3", "--resume", self.out / "two")
        self.assertEqual(done.returncode, 0, done.stderr)
        archived = self.assertTravels("three")
        self.assertTrue([name for name in archived if name.startswith("kept/data/")], "the calibration goes along")
        self.assertIn("snapshots/compute.plumb", archived)
        wanted = [item.name for part in (1, 2, 3) for item in plan.items_of(part, FakeMeasurements(), self.made["tests"], {})]
        self.assertEqual(sorted(self.outcomes("three")), sorted(wanted))
        for name, outcome in self.outcomes("three").items():
            self.assertEqual(outcome, "done", name)
        self.check_summary(json.loads((self.out / "three" / "summary.json").read_text()),
                           (self.out / "three" / "summary.md").read_text())

    def check_summary(self, summary, page):
        self.assertEqual((summary["failed"], summary["build"]["build"]), ([], self.made["build"]))
        for run in summary["runs"].values():
            self.assertTrue(run["memory_predicted_is_measured"])
            self.assertIn("compile", run["torch_seconds"])
            self.assertIn("repeated_differs_by", run)
        self.assertTrue(summary["goals"]["faster than the fastest PyTorch at every size"])  # which takes 10 s here
        results = summary["parts"]
        self.assertEqual(results["machine 1"]["result"]["cuda_libraries"]["libcublasLt.so.13"],
                         str((self.machine / "wheels/nvidia/cu13/lib/libcublasLt.so.13").resolve()))
        self.assertNotIn("NOT THE SAME", page)
        self.assertEqual({outcome["device"] for outcome in results.values()}, {"GPU 0: Scripted (UUID: none)"})
        self.assertEqual(results["ncu"]["result"]["kernels"][0]["kernel"], "gemm")
        self.assertIn("dram_bytes", results["ncu"]["result"]["ours_over_vendor"])
        for run in TINY_RUNS:  # counted by the simulated device's own counters
            counted = results[f"counters {run[0]}"]["result"]["counters"]
            self.assertEqual((counted["chip"], counted["ops_without_counts"], counted["ops_with_impossible_counts"]),
                             ("GH100", 0, []), run)
            self.assertAlmostEqual(counted["product_flops_ratio"], 1, delta=0.02, msg=str(run))
            self.assertTrue(0.5 < counted["dram_ratio"] < 3, f"{run}: {counted['dram_ratio']}")
            self.assertGreater(counted["passes"], 0)
        self.assertEqual(len(results["losses launch"]["result"]["ours"]), 20)
        for line in ("| memcheck bf16 | 1 | done |", "| torch compute quick | 2 | done |", "| again launch | 3 | done |",
                     "No item failed."):
            self.assertIn(line, page)

    def test_a_machine_without_tools_lacks_what_needs_them_and_nothing_fails(self):
        alone = self.out / "alone"
        alone.mkdir()
        shutil.copy(self.machine / "nvidia-smi", alone / "nvidia-smi")
        write_program(alone, "python3", "#!/bin/sh\necho '{\"path\": [], \"torch\": false}'\n")
        names = ["memcheck bf16", "torch launch quick"]
        if machine.ncu():
            self.skipTest("this machine has ncu")
        for part, name in ((1, "memcheck bf16"), (2, "torch launch quick"), (3, "ncu")):
            done = self.proof("out", "--part", str(part), "--only", f"^({name}|machine {part})$", path=alone)
            if "torch launch quick: done" in done.stderr:
                self.skipTest("this machine has PyTorch")
            self.assertEqual(done.returncode, 0, done.stderr)
        found = self.parts("out")
        for name in (*names, "ncu"):
            self.assertEqual(found[name]["outcome"], "absent", found[name])
            self.assertIn("not installed", found[name]["reason"])
            self.assertIn(found[name]["reason"], (self.out / "out" / "summary.md").read_text())

    def test_counters_that_are_refused_are_absent_with_their_reason(self):
        environment = self.environment()
        del environment["SIMULATED_GPU_COUNTS"]
        done = subprocess.run(self.command("out", "--part", "1", "--only", "counters"), capture_output=True, text=True, cwd="/",
                              timeout=200, env=environment, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(self.outcomes("out").values()), {"absent"})
        self.assertIn("the simulated device has no counters", (self.out / "out" / "summary.md").read_text())

    def test_what_fails_is_told_and_the_rest_goes_on(self):
        broken = self.out / "broken"
        shutil.copytree(self.machine, broken)
        write_program(broken, "compute-sanitizer", "#!/bin/sh\necho '========= Invalid __global__ write' >&2\nexit 9\n")
        done = self.proof("out", "--part", "1", "--only", "memcheck|smoke fp32", path=broken)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.outcomes("out"), {"smoke fp32": "done", "memcheck bf16": "failed"})
        self.assertIn("FAILED: memcheck bf16", (self.out / "out" / "summary.md").read_text())
        self.assertIn("Invalid __global__ write", self.parts("out")["memcheck bf16"]["reason"])

    def test_a_clock_that_runs_out_leaves_the_rest_for_another_call(self):
        begin = time.monotonic()
        done = self.proof("out", "--part", "1", "--minutes", str((plan.WRITING_SECONDS + 9) / 60), "--only", "machine|tests|calibrate")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertIn("not run", self.outcomes("out").values())
        self.assertIn("for want of time", done.stderr)

    def test_programs_that_all_hang_do_not_take_more_than_the_time(self):
        hanging = self.out / "hanging"
        shutil.copytree(self.pack, hanging)
        self.repack(hanging, cli="#!/bin/sh\n[ $1 = --version ] && exit 0\ntrap '' TERM\nwhile :; do sleep 1; done\n")
        for seconds in (8, 24):  # a busy machine may need the first for what comes before
            begin = time.monotonic()
            done = self.proof("out", "--part", "1", "--minutes", str((plan.WRITING_SECONDS + seconds) / 60), "--only",
                              "devices|smoke", packed=hanging)
            self.assertLess(time.monotonic() - begin, seconds + 52)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertEqual(set(self.outcomes("out").values()), {"not run"})
            if self.parts("out")["devices"]["reason"] != "out of time":
                break
        self.assertIn("cut short", self.parts("out")["devices"]["reason"])

    def test_arguments_that_would_waste_the_time_are_refused(self):
        done = self.proof("out", "--part", "1", "--resume", self.out / "not-there")
        self.assertEqual((done.returncode, (self.out / "out").exists()), (3, False))
        self.assertIn("no parts.json", done.stderr)
        for wrong in (("--only", "("), ("--part", "4"), ("--pa", "1")):
            self.assertEqual(self.proof("out", *wrong).returncode, 2, wrong)
        done = self.proof("out", "--part", "1", "--only", "nothing like this")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no item of which the name matches (nothing like this)", done.stderr)

    def test_without_a_gpu_says_so_and_writes_nothing(self):
        none = self.out / "none"
        none.mkdir()
        write_program(none, "nvidia-smi", "#!/bin/sh\nexit 9\n")
        done = self.proof("out", "--part", "1", path=none)
        self.assertEqual(done.returncode, 3)
        self.assertIn("no usable NVIDIA GPU", done.stderr)
        self.assertFalse((self.out / "out").exists())

    def test_a_folder_that_cannot_be_written_is_refused(self):
        (self.out / "file").write_text("")
        done = self.proof("file/out", "--part", "1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("file/out cannot be written", done.stderr)

    def test_a_pack_that_is_damaged_or_made_for_a_newer_system_is_refused(self):
        damaged = self.out / "damaged"
        shutil.copytree(self.pack, damaged)
        with open(damaged / "programs.tar.xz", "r+b") as file:
            file.truncate(1000)
        done = self.proof("out", "--part", "1", packed=damaged)
        self.assertEqual(done.returncode, 3)
        self.assertIn("damaged", done.stderr)
        (damaged / "programs.tar.xz").unlink()
        self.assertIn("is no pack", self.proof("out", "--part", "1", packed=damaged).stderr)
        self.repack(damaged, arch="100")
        done = self.proof("out", "--part", "1", packed=damaged)
        self.assertEqual(done.returncode, 3)
        self.assertIn("for sm_100 (this GPU is sm_90)", done.stderr)
        self.repack(damaged, needs={"GLIBC": "9.9"})
        done = self.proof("out", "--part", "1", packed=damaged)
        self.assertEqual(done.returncode, 3)
        self.assertIn("need GLIBC 9.9", done.stderr)

    def test_programs_that_do_not_start_are_refused_with_what_they_said(self):
        damaged = self.out / "damaged"
        shutil.copytree(self.pack, damaged)
        self.repack(damaged, cli="#!/bin/sh\necho \"libstdc++.so.6: version 'GLIBCXX_3.4.99' not found\" >&2\nexit 1\n")
        done = self.proof("out", "--part", "1", packed=damaged)
        self.assertEqual(done.returncode, 3)
        self.assertIn("GLIBCXX_3.4.99", done.stderr)

    def repack(self, folder, cli=None, **changes):
        """The pack with another program, and another description."""
        unpacked = self.out / "unpacked"
        with tarfile.open(self.pack / "programs.tar.xz") as archive:
            archive.extractall(unpacked)
        if cli is not None:
            (unpacked / "bin" / "plumbline-cli").unlink()
            write_program(unpacked / "bin", "plumbline-cli", cli)
        content = pack.archived(unpacked)
        (folder / "programs.tar.xz").write_bytes(content)
        about = {**self.made, **changes, "programs_sha256": hashlib.sha256(content).hexdigest()}
        (folder / "pack.json").write_text(json.dumps(about))


class FakeMeasurements:
    """For the names of items alone."""

    def __init__(self):
        self.runs = TINY_RUNS

    def __getattr__(self, name):
        return None


@unittest.skipUnless(SIMULATED, "this build has no CUDA backend")
class WithPyTorch(InAFolder):
    def test_it_trains_the_same_from_our_weights_and_data(self):
        for folder in ("home/bin", "work/logs"):
            (self.out / folder).mkdir(parents=True)
        (self.out / "home" / "bin" / "plumbline-cli").symlink_to(CLI)
        work = self.out / "work"
        calls = Calls(work / "logs", 150)
        python = machine.with_torch(machine.pythons(lambda program: proof.ask(calls, program)))
        if python is None:
            self.skipTest("PyTorch is not installed")
        measured = Measurements(self.out / "home", work, {}, {}, python, TINY_RUNS)
        calls.environment = {**measured.environment(), "PLUMBLINE_CUDA_MODULE": SIMULATED}
        for run in TINY_RUNS[:2]:
            losses = measured.same_training(calls, run)["ours"]
            self.assertEqual(len(losses), 20)
            self.assertLess(losses[-1], losses[0], "it learns")


@unittest.skipUnless(CLI, "the program is not built")
class WithTheProgram(InAFolder):
    def test_every_option_that_is_used_is_one_of_the_program(self):
        for words in (["profile", "--counters", "full"], ["train", "--tune", "off"]):
            done = subprocess.run([CLI, words[0], "--backend", "cpu", "--dim", "16", "--layers", "2", "--batch", "8", "--steps",
                                   "1", *words[1:]], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "XDG_DATA_HOME": str(self.out)})
            self.assertIn(done.returncode, (2, 3), done.stderr)
            self.assertTrue(re.search("no hardware counters|no meaning on this backend", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
