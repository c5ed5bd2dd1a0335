# SPDX-License-Identifier: Apache-2.0
"""A GPU that is lost, which is simulated (tests/kernels/simulated): the whole program says so in one sentence, keeps
what it has, and mislabels nothing."""

import json
import unittest

from plumbline_cli import SMALL, SMALL_CONFIG, Engine, GpuTest

LOSS = "the GPU is lost to this program (cudaErrorLaunchFailure, unspecified launch failure)"


class Lost(GpuTest):
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


if __name__ == "__main__":
    unittest.main()
