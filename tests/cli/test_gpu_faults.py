# SPDX-License-Identifier: Apache-2.0
"""A GPU that is lost, full, or shared with other programs, which is simulated (tests/kernels/simulated): the whole
program says so in one sentence, keeps what it has, and mislabels nothing."""

import fcntl
import json
import os
import re
import subprocess
import time
import unittest

from plumbline_cli import BINARY, SMALL, SMALL_CONFIG, CliTest, Engine

MODULE = os.environ.get("PLUMBLINE_SIMULATED_GPU", "")
LOSS = "the GPU is lost to this program (cudaErrorLaunchFailure, unspecified launch failure)"


class WithAGpu(CliTest):
    def setUp(self):
        if not MODULE:
            self.skipTest("this build has no CUDA backend")
        super().setUp()
        self.environment["PLUMBLINE_CUDA_MODULE"] = MODULE

    def share(self, processes="4242:3000000000"):
        """As many programs use the GPU, besides this one."""
        self.environment["LD_LIBRARY_PATH"] = os.environ["PLUMBLINE_FAKE_NVML"]
        self.environment["FAKE_NVML_PROCESSES"] = processes

    def start(self, *arguments):
        process = subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process


class Lost(WithAGpu):
    def lose(self, call):
        self.environment["SIMULATED_GPU_LOST_AT"] = str(call)

    def assert_failed(self, outcome, steps_done):
        self.assertIn(outcome, (f"failed at step {steps_done}: {LOSS}", f"failed after step {steps_done - 1}: {LOSS}"))

    def test_a_training_ends_with_the_sentence_and_what_it_learned(self):
        self.lose(3000)
        done = self.refused(1, "train", *SMALL, "--steps", 100_000, "--backend", "cuda", "--out", "lost.plumb",
                            "--checkpoint-dir", "kept", "--save-every", 10, says=[LOSS, "start the program anew",
                                                                                  "nvidia-smi"])
        self.assertEqual(done.stderr.count("lost to this program"), 1)
        training = json.loads((self.folder / "lost.plumb").read_text())["training"]
        self.assertGreater(training["steps_done"], 10)
        self.assertEqual(len(training["loss"]), training["steps_done"])
        self.assert_failed(training["outcome"], training["steps_done"])
        del self.environment["SIMULATED_GPU_LOST_AT"]
        rest = self.ok_json("train", *SMALL, "--steps", training["steps_done"] + 20, "--backend", "cuda", "--resume",
                            "kept")["training"]
        self.assertGreaterEqual(rest["step"][0], 10)
        self.assertLessEqual(rest["step"][0], training["steps_done"])

    def test_every_command_tells_it_wherever_it_happens(self):
        for call in (1, 200, 900):
            self.lose(call)
            for command in (["train", *SMALL, "--steps", 1000], ["profile", *SMALL, "--steps", 1000], ["calibrate"]):
                with self.subTest(call=call, command=command[0]):
                    done = self.refused(1, *command, "--backend", "cuda", says=LOSS)
                    self.assertEqual(done.stderr.count("lost to this program"), 1)
                    self.assertEqual(list((self.folder / "data").glob("**/calibration-cuda*")), [])

    def test_a_profile_keeps_the_steps_that_it_measured(self):
        self.lose(3000)
        self.refused(1, "profile", *SMALL, "--steps", 100_000, "--backend", "cuda", "--counters", "full", "--out",
                     "lost.plumb", says=LOSS)
        measured = json.loads((self.folder / "lost.plumb").read_text())["measured"]
        self.assertGreater(measured["steps_measured"], 0)
        self.assertEqual(measured["counters_absent"], "the run failed before they were counted")

    def test_the_engine_keeps_everything_and_goes_on_without_it(self):
        self.lose(3000)
        engine = Engine(self)
        self.assertEqual([device["available"] for device in engine.until("devices")["devices"]], [True, True])
        engine.send("run", id=1, config=SMALL_CONFIG, backend="cuda", steps=0, checkpoint_dir="kept", save_every=10,
                    keep=3)
        finished = engine.until("finished", id=1)
        engine.until("state", state="idle")
        self.assert_failed(finished["outcome"], finished["steps_done"])
        self.assertGreater(finished["steps_done"], 10)
        self.assertEqual(engine.of("loss")[-1]["steps_done"], finished["steps_done"])
        errors = engine.of("error")
        self.assertEqual([(error["id"], error["code"], error["message"]) for error in errors],
                         [(1, "device_lost", LOSS)])
        self.assertIn("Restart the engine", errors[0]["hint"])
        saved = engine.of("checkpoint")
        self.assertTrue(saved)
        self.assertEqual({checkpoint["failure"] for checkpoint in saved}, {None})

        # Whatever needs the GPU now is told the same, and nothing runs elsewhere in its place.
        for id, (kind, fields) in enumerate((("run", {"config": SMALL_CONFIG, "steps": 5}),
                                             ("run", {"config": {**SMALL_CONFIG, "backend": "cuda"}, "steps": 5}),
                                             ("profile", {"config": SMALL_CONFIG, "steps": 5}),
                                             ("calibrate", {})), start=2):
            with self.subTest(kind=kind):
                engine.send(kind, id=id, **fields)
                error = engine.until("error", id=id)
                self.assertEqual((error["code"], error["message"]), ("device_lost", LOSS))
                self.assertEqual(engine.until("finished", id=id)["outcome"], "failed: " + LOSS)
        engine.send("devices", id=10)
        devices = {device["machine"]["backend"]: device for device in engine.until("devices", id=10)["devices"]}
        self.assertTrue(devices["cpu"]["available"])
        self.assertFalse(devices["cuda"]["available"])
        self.assertIn(LOSS, devices["cuda"]["reason"])
        engine.send("run", id=11, config={**SMALL_CONFIG, "backend": "cpu"}, steps=5)
        self.assertEqual(engine.until("finished", id=11)["outcome"], "finished")
        engine.send("quit")
        self.assertEqual(engine.wait(), 0)
        self.assertEqual(engine.process.stderr.read(), b"")

        # Another process has the GPU again.
        del self.environment["SIMULATED_GPU_LOST_AT"]
        again = Engine(self)
        again.send("run", id=1, config=SMALL_CONFIG, backend="cuda", steps=saved[-1]["step"] + 20, resume="kept")
        self.assertEqual(again.until("finished", id=1)["outcome"], "finished")

    def test_an_engine_that_lost_it_ends_when_the_window_dies(self):
        for call in (30, 2000):
            self.lose(call)
            engine = Engine(self)
            engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
            engine.until("finished", id=1)
            engine.process.stdin.close()
            self.assertEqual(engine.wait(60), 0)
            self.assertEqual(engine.process.stderr.read(), b"")


class Shared(WithAGpu):
    def test_a_step_that_does_not_fit_beside_others_says_what_they_hold(self):
        self.share()
        self.environment["SIMULATED_GPU_MEMORY"] = str(80 << 20)  # 64 MiB of which the simulated driver takes
        self.refused(4, "train", *SMALL, "--steps", 1, "--backend", "cuda",
                     says=["no room for", "1 other program uses this device (process 4242 with 3.00 GB)",
                           "or end other programs that use the GPU"])

    def test_a_calibration_beside_others_says_so_for_good(self):
        self.share()
        text = self.ok("calibrate", "--backend", "cuda", "--quick", timeout=300)
        shared = "1 other program used this device (process 4242 with 3.00 GB)"
        self.assertRegex(text, r"Note: this machine was busy while it was calibrated \(.*" + re.escape(shared))
        self.environment["FAKE_NVML_PROCESSES"] = ""
        machine = self.ok_json("predict", *SMALL, "--backend", "cuda")["machine"]
        self.assertRegex(machine["source"], r"\Acalibrated [0-9-]{10} while other programs used the device\Z")
        self.assertEqual(machine["costs"]["speed"]["shared_with"], shared)
        self.ok("calibrate", "--backend", "cuda", "--quick", "--replace", timeout=300)
        machine = self.ok_json("predict", *SMALL, "--backend", "cuda")["machine"]
        self.assertRegex(machine["source"], r"\Acalibrated [0-9-]{10}\Z")
        self.assertNotIn("shared_with", machine["costs"]["speed"])

    def test_two_programs_do_not_calibrate_at_once(self):
        first = self.start("calibrate", "--backend", "cuda", "--quick")
        lock = self.folder / "data" / "plumbline" / "calibrating.lock"
        while not self.is_locked(lock):
            self.assertIsNone(first.poll(), "it ended before it began")
            time.sleep(0.01)
        self.refused(1, "calibrate", "--backend", "cuda", "--quick", says="another program calibrates this machine")
        engine = Engine(self)
        engine.send("calibrate", id=1)
        self.assertIn("another program calibrates", engine.until("error", id=1)["message"])
        # A training beside it goes on.
        self.ok("train", *SMALL, "--steps", 5, "--backend", "cuda")
        out, error = first.communicate(timeout=300)
        self.assertEqual((first.returncode, error), (0, ""))
        self.assertIn("kept in", out)
        self.assertIn("calibrated", self.ok("devices"))

    @staticmethod
    def is_locked(path):
        try:
            with open(path) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return False
        except FileNotFoundError:
            return False
        except BlockingIOError:
            return True

    def test_programs_that_choose_algorithms_at_once_keep_all_that_they_chose(self):
        self.environment["SIMULATED_GPU_KEEPS"] = "1"
        widths = (16, 32, 48, 64, 80, 96)
        running = [self.start("train", "--dim", width, "--layers", 2, "--batch", 16, "--steps", 2, "--backend", "cuda")
                   for width in widths]
        for process in running:
            _, error = process.communicate(timeout=300)
            self.assertEqual((process.returncode, error), (0, ""))
        files = list((self.folder / "cache").glob("**/matmul-*.json"))
        self.assertEqual(len(files), 1)
        products = json.loads(files[0].read_text())["products"]
        for width in widths:
            self.assertTrue(any(f" 16x{width}x{width} " in product for product in products), width)
        # What is kept serves the next one.
        text = self.ok("profile", "--dim", 48, "--layers", 2, "--batch", 16, "--backend", "cuda")
        self.assertIn("chosen by cache", text)


if __name__ == "__main__":
    unittest.main()
