# SPDX-License-Identifier: Apache-2.0
"""Several programs on one GPU, which is simulated (tests/kernels/simulated), or beside others that a library in place of
the driver's tells of: each says so, and none loses or tears what another keeps."""

import fcntl
import json
import re
import signal
import time
import unittest

from plumbline_cli import PATIENCE, SMALL, Engine, GpuTest


class Shared(GpuTest):
    def test_a_step_that_does_not_fit_beside_others_says_what_they_hold(self):
        self.share()
        self.environment["SIMULATED_GPU_MEMORY"] = str(80 << 20)  # 64 MiB of which the simulated driver takes
        self.refused(4, "train", *SMALL, "--steps", 1, "--backend", "cuda",
                     says=["no room for", "1 other program uses this device (process 4242 with 3.00 GB)",
                           "or end other programs that use the GPU"])

    def test_a_calibration_beside_others_says_so_for_good(self):
        self.share()
        text = self.ok("calibrate", "--backend", "cuda", "--quick")
        shared = "1 other program used this device (process 4242 with 3.00 GB)"
        self.assertRegex(text, r"Note: this machine was busy while it was calibrated \(.*" + re.escape(shared))
        self.environment["FAKE_NVML_PROCESSES"] = ""
        machine = self.ok_json("predict", *SMALL, "--backend", "cuda")["machine"]
        self.assertRegex(machine["source"], r"\Acalibrated [0-9-]{10} while other programs used the device\Z")
        self.assertEqual(machine["costs"]["speed"]["shared_with"], shared)

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
        # One that is stopped keeps nothing and leaves its turn to others.
        first.send_signal(signal.SIGINT)
        _, error = first.communicate(timeout=PATIENCE)
        self.assertEqual(first.returncode, 1)
        self.assertIn("alibration stopped", error)
        self.assertFalse(self.is_locked(lock))
        self.assertEqual(list(lock.parent.glob("calibration-cuda*.json")), [])

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
            _, error = process.communicate(timeout=PATIENCE)
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
