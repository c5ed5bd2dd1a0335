# SPDX-License-Identifier: Apache-2.0
"""PyTorch behind the engine, played by fake_python.py: what is offered, what is passed on, and every bad end."""

import pathlib
import signal
import time
import unittest

from plumbline_cli import SMALL_CONFIG, CliTest, Engine, children

FAKE = str(pathlib.Path(__file__).with_name("fake_python.py"))
EAGER = "pytorch-eager"


class PyTorchEngine(CliTest):
    def start(self, mode="", python=FAKE):
        """An engine that was asked for PyTorch; its second list of devices."""
        self.environment["FAKE_PYTHON"] = mode
        engine = Engine(self)
        engine.send("devices", id=1, python=python)
        engine.until("devices", id=1)
        return engine, engine.until("devices", id=1)["devices"]

    def test_nobody_looks_for_it_unasked(self):
        self.environment["PLUMBLINE_PYTHON"] = FAKE
        engine = Engine(self)
        engine.send("devices", id=1)
        devices = engine.until("devices", id=1)["devices"]
        self.assertEqual([device["traits"]["backend"] for device in devices], ["cpu", "cuda"])
        self.assertEqual(children(engine.process.pid), [])

    def test_its_devices_stand_behind_the_own_ones_with_their_ceilings(self):
        engine, devices = self.start()
        self.assertEqual([device["traits"]["backend"] for device in devices],
                         ["cpu", EAGER, "cuda", "pytorch-compile"])
        own, eager, _, compiled = devices
        self.assertEqual(eager["machine"]["name"], "PyTorch 9.9 eager – Some CPU")
        self.assertEqual(eager["machine"]["id"], own["machine"]["id"] + "-" + EAGER)
        self.assertEqual(eager["machine"]["source"], own["machine"]["source"])
        self.assertEqual(eager["machine"]["memory_bytes"], own["machine"]["memory_bytes"])
        self.assertEqual((compiled["available"], compiled["reason"]), (False, "no compiler is on the path"))
        engine.send("devices", id=2)  # they stay known
        self.assertEqual(engine.until("devices", id=2)["devices"], devices)
        self.assertEqual(children(engine.process.pid), [], "torch takes memory: it is started again for a job")

    def test_the_environment_names_the_interpreter_where_nobody_else_does(self):
        self.environment["PLUMBLINE_PYTHON"] = FAKE
        _, devices = self.start(python="")
        self.assertIn(EAGER, [device["traits"]["backend"] for device in devices])

    def test_why_it_is_not_there_is_said(self):
        for mode, python, reason in (("missing", FAKE, "No module named plumbline"),
                                     ("", "/nowhere/python", "/nowhere/python"), ("", "/bin/true", "ended")):
            with self.subTest(reason):
                _, devices = self.start(mode, python)
                last = devices[-1]
                self.assertFalse(last["available"])
                self.assertIn(reason, last["reason"])
                self.assertIn(python, last["reason"])

    def test_a_profile_is_passed_on(self):
        engine, _ = self.start()
        engine.send("profile", id=3, config=SMALL_CONFIG, steps=7, device=EAGER)
        measured = engine.until("reading", id=3)["measured"]
        self.assertEqual((measured["engine"], measured["steps_measured"]), ("PyTorch 9.9 eager", 7))
        self.assertEqual(measured["remarks"], ["told by a stand-in"])
        finished = engine.until("finished", id=3)
        self.assertEqual((finished["outcome"], finished["steps_done"]), ("finished", 7))
        engine.until("state", id=3, state="idle")
        first = children(engine.process.pid)
        engine.send("profile", id=4, config=SMALL_CONFIG, steps=2, device=EAGER)
        engine.until("finished", id=4)
        self.assertEqual(children(engine.process.pid), first, "the process serves the next job, too")
        engine.send("profile", id=5, config=SMALL_CONFIG, steps=2)  # and the built-in trainer its own
        self.assertNotIn("engine", engine.until("reading", id=5)["measured"])

    def test_a_training_is_paused_resumed_and_stopped(self):
        engine, _ = self.start()
        engine.send("run", id=3, config=SMALL_CONFIG, steps=0, device=EAGER)
        self.assertEqual(engine.until("loss", id=3)["step"][0], 0)
        engine.send("pause", id=4)
        while 10 not in engine.until("loss", id=3)["step"]:
            pass
        engine.send("resume", id=5)
        while 20 not in engine.until("loss", id=3)["step"]:
            pass
        states = [(event["id"], event["state"]) for event in engine.of("state")]
        self.assertEqual(states, [(3, "running"), (4, "paused"), (5, "running")])
        engine.send("inspect", id=6, role="weight", layer=1)
        self.assertIn("PyTorch", engine.until("error", id=6)["message"])
        engine.send("stop", id=7)
        self.assertEqual(engine.until("finished", id=3)["outcome"], "stopped")
        engine.until("state", id=3, state="idle")
        steps = [step for batch in engine.of("loss") for step in batch["step"]]
        self.assertEqual(steps, [0, 1, 2, 10, 20])

    def test_its_refusals_are_those_of_the_run(self):
        engine, _ = self.start()
        engine.send("run", id=3, config={**SMALL_CONFIG, "dim": 13}, steps=0, device=EAGER)
        self.assertEqual(engine.until("error", id=3)["hint"], "take 12")
        self.assertIn("thirteen", engine.until("finished", id=3)["outcome"])
        engine.send("calibrate", id=4, device=EAGER)
        self.assertIn("calibrate the device itself", engine.until("error", id=4)["hint"])
        engine.until("state", id=4, state="idle")

    def test_its_death_ends_the_run_and_the_next_one_starts_another(self):
        for mode, says in (("dies", "illegal instruction"), ("garbage", "no engine says"),
                           ("missing", "No module named plumbline")):
            with self.subTest(mode):
                self.environment["FAKE_PYTHON"] = mode
                self.environment["PLUMBLINE_PYTHON"] = FAKE
                engine = Engine(self)
                for number in (3, 4):
                    engine.send("run", id=number, config=SMALL_CONFIG, steps=0, device=EAGER)
                    self.assertIn(says, engine.until("error", id=number)["message"])
                    self.assertTrue(engine.until("finished", id=number)["outcome"].startswith("failed: "))
                    engine.until("state", id=number, state="idle")
                engine.send("run", id=5, config=SMALL_CONFIG, steps=3)
                self.assertEqual(engine.until("finished", id=5)["outcome"], "finished")

    def test_the_engine_ends_while_it_waits_for_an_answer(self):
        for ends in ("quit", "signal"):
            with self.subTest(ends):
                self.environment["FAKE_PYTHON"] = "mute"
                engine = Engine(self)
                engine.send("devices", id=1, python=FAKE)
                engine.until("devices", id=1)
                while not children(engine.process.pid):
                    time.sleep(0.01)
                child = children(engine.process.pid)[0]
                if ends == "quit":
                    engine.send("quit")
                else:
                    engine.process.send_signal(signal.SIGTERM)
                self.assertEqual(engine.wait(), 0)
                self.assertFalse(pathlib.Path(f"/proc/{child}").exists(), "the interpreter outlived the engine")


if __name__ == "__main__":
    unittest.main()
