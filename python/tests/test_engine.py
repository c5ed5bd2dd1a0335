# SPDX-License-Identifier: Apache-2.0
"""`python -m plumbline engine`, driven as a process with the protocol's documents."""

from __future__ import annotations

import errno
import os
import signal
import tempfile
import unittest
import warnings
from unittest import mock

import support  # noqa: F401
from engine_process import Engine

import plumbline
from plumbline.engine.devices import choose, find_choices
from plumbline.engine.jobs import Job
from plumbline.engine.module_job import ModuleJob
from plumbline.engine.refusal import Refusal, refusal_of

SMALL = {"dim": 16, "layers": 2, "batch": 16}

SCRIPT = """
import torch
print("what a script prints is no message")
def make():
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    return model, torch.randn(4, 8), lambda y: y.square().mean(), torch.optim.SGD(model.parameters(), lr=0.1)
def reads():
    model, batch, loss, optimizer = make()
    def gone(y):
        raise FileNotFoundError(2, "no more samples", "samples.bin")
    return model, batch, gone, optimizer
def raises():
    raise ValueError("no weights here")
def leaves():
    raise SystemExit(3)
def wrong():
    return 1, 2
"""


class Refusals(unittest.TestCase):
    def test_a_gpu_that_is_lost_is_told_from_a_step_that_failed(self) -> None:
        lost = refusal_of(RuntimeError("CUDA error: an illegal memory access was encountered\nCUDA kernel errors"), "x")
        self.assertEqual(lost.code, "device_lost")
        self.assertIn("(CUDA error: an illegal memory access was encountered)", lost.message)
        self.assertTrue(lost.hint)
        for said in ("CUDA error: invalid argument", "an illegal memory access"):
            self.assertEqual(refusal_of(RuntimeError(said), "the step failed").code, "run_failed")


class Conversations(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = Engine().__enter__()
        cls.number = 100

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.__exit__()

    def command(self, kind: str, **fields) -> int:
        type(self).number += 1
        self.engine.send(kind, id=self.number, **fields)
        return self.number

    def refused(self, kind: str, **fields) -> str:
        """The sentence with which a run, or another command, is refused; the engine is idle again."""
        number = self.command(kind, **fields)
        error = self.engine.until("error", id=number)
        if kind in ("run", "profile") and "busy" not in error["message"]:
            finished = self.engine.until("finished", id=number)
            self.assertTrue(finished["outcome"].startswith("failed: "), finished)
            self.engine.until("state", id=number, state="idle")
        return f"{error['message']}: {error['hint']}"

    def test_hello_and_the_devices_come_first(self) -> None:
        hello, devices = self.engine.events[:2]
        self.assertEqual((hello["type"], hello["id"], hello["version"]), ("hello", 0, 1))
        names = [device["traits"]["backend"] for device in devices["devices"]]
        self.assertEqual(names[-2:], ["pytorch-eager", "pytorch-compile"])
        for device in devices["devices"]:
            self.assertIn("PyTorch", device["machine"]["name"])
            self.assertTrue(device["available"] or device["reason"])

    def test_a_run_sends_its_events_in_order(self) -> None:
        number = self.command("run", config=SMALL, steps=30)
        finished = self.engine.until("finished", id=number)
        self.assertEqual((finished["outcome"], finished["steps_done"]), ("finished", 30))
        self.assertEqual(self.engine.next(), {"id": number, "type": "state", "state": "idle"})
        mine = [event for event in self.engine.events if event["id"] == number]
        self.assertEqual(mine[0]["state"], "running")
        losses = self.engine.losses(number)
        self.assertEqual(sorted(losses), list(range(30)))
        self.assertLess(losses[29], losses[0])
        measured = self.engine.of("reading", number)[-1]["measured"]
        self.assertGreater(measured["totals"]["seconds"], 0)
        self.assertGreater(measured["memory"]["peak_bytes"], 0)
        for batch in self.engine.of("loss", number):
            self.assertEqual(batch["steps_done"], batch["step"][-1] + 1)
            self.assertEqual(batch["seconds"], sorted(batch["seconds"]))

    def test_a_profile_times_every_op_of_the_plan(self) -> None:
        number = self.command("profile", config={**SMALL, "micro-batch": 4, "clip-norm": 1}, steps=5)
        reading = self.engine.until("reading", id=number)["measured"]
        self.engine.until("state", id=number, state="idle")
        self.assertEqual(reading["steps_measured"], 5)
        self.assertIn("PyTorch", reading["engine"])
        ids = [op["id"] for op in reading["ops"]]
        self.assertEqual(ids[0], "m1.load")
        self.assertEqual(ids[-2:], ["gradient_norm", "optimizer"])
        self.assertIn("m2+.layer2.backward.input", ids)
        self.assertTrue(all(op["seconds"] > 0 for op in reading["ops"]), reading["ops"])
        totals = reading["totals"]
        self.assertLessEqual(totals["seconds_low"], totals["seconds"])
        self.assertLessEqual(totals["seconds"], totals["seconds_high"])
        memory = reading["memory"]
        self.assertEqual([moment["op"] for moment in memory["curve"]], ids)
        peak = next(moment for moment in memory["curve"] if moment["op"] == memory["peak_op"])
        self.assertEqual(sum(value for name, value in peak.items() if name != "op"), memory["peak_bytes"])
        self.assertTrue(any("tracked storages" in remark for remark in reading["remarks"]))
        own = next(remark for remark in reading["remarks"] if "allocator's own peak" in remark)
        self.assertGreaterEqual(int(own.partition(" was ")[2].split()[0]), memory["peak_bytes"])

    def test_stop_ends_a_run_in_the_middle_and_also_a_paused_one(self) -> None:
        for pauses in (False, True):
            number = self.command("run", config=SMALL, steps=0)
            self.engine.until("loss", id=number)
            self.assertIn("busy", self.refused("profile", config=SMALL))
            if pauses:
                self.command("pause")
                self.engine.until("state", id=self.number, state="paused")
                self.command("resume")
                self.engine.until("state", id=self.number, state="running")
                self.command("pause")
                self.engine.until("state", id=self.number, state="paused")
            self.command("stop")
            finished = self.engine.until("finished", id=number)
            self.assertEqual(finished["outcome"], "stopped")
            self.assertEqual(finished["steps_done"], self.engine.of("loss", number)[-1]["steps_done"])
            self.engine.until("state", id=number, state="idle")

    def test_what_it_cannot_do_is_refused_by_name_with_a_remedy(self) -> None:
        for kind in ("calibrate", "inspect", "time_einsum"):
            self.assertIn("built-in", self.refused(kind))
        refusals = {
            "fp8": {"config": {**SMALL, "precision": "fp8"}}, "tf32": {"config": {**SMALL, "precision": "tf32"}},
            "fit:1000": {"config": {**SMALL, "checkpoint": "fit:1000"}},
            "master-weights": {"config": {**SMALL, "precision": "fp16", "master-weights": False}},
            "resident-batch": {"config": {**SMALL, "resident-batch": True}},
            "data-parallel 2": {"config": {**SMALL, "data-parallel": 2}},
            "tensor 2": {"config": {**SMALL, "tensor": 2}},
            "/tmp/keep": {"config": SMALL, "checkpoint_dir": "/tmp/keep"},
            "x.csv": {"config": {**SMALL, "data": "x.csv", "targets": "t.npy"}},
            "pytorch-abacus": {"config": SMALL, "device": "pytorch-abacus"},
        }
        for named, fields in refusals.items():
            with self.subTest(named):
                said = self.refused("run", steps=1, **fields)
                self.assertIn(named, said)
                self.assertFalse(said.endswith(": "), f"no remedy: {said}")

    def test_bad_input_is_named_and_the_conversation_goes_on(self) -> None:
        for config, named in (({"dims": 4}, "the nearest one is dim"), ({"dim": "many"}, "'many'"), ({"dim": 0}, "(0)"),
                              ({"batch": 6, "micro-batch": 4}, "(4)"), ([], "no object"), ({"lr": "x"}, "'x'"),
                              ({"activation": "tanh"}, "tanh"), ({"head": False, "layers": 0}, "nothing to train"),
                              ({"data": "/nowhere.npy", "targets": "/nowhere.npy"}, "/nowhere.npy")):
            self.assertIn(named, self.refused("run", config=config, steps=1))
        self.assertIn("-1", self.refused("run", config=SMALL, steps=-1))
        for line in (b"{", b"[1]", b"\xff\xfe", b'{"id":NaN,"type":"run"}', b"[" * 100_000):
            self.engine.write(line)
            self.assertEqual(self.engine.until("error")["id"], 0)
        self.assertIn("fly", self.refused("fly"))
        self.assertIn("no training", self.refused("pause"))
        self.command("stop")  # nothing goes on: no error
        self.command("devices")
        self.assertEqual(self.engine.until("devices", id=self.number)["devices"], self.engine.devices)

    def test_a_loss_that_is_not_finite_ends_the_training_with_the_step(self) -> None:
        said = self.refused("run", config={**SMALL, "optimizer": "sgd", "lr": 1e30}, steps=0)
        self.assertRegex(said, r"not finite in step \d+ .*lower lr")


class Ends(unittest.TestCase):
    def test_quit_the_end_of_input_and_sigterm_end_it_in_the_middle_of_a_run(self) -> None:
        for end in ("quit", "close", "terminate"):
            with self.subTest(end), Engine() as engine:
                engine.send("run", id=1, config=SMALL, steps=0)
                engine.until("loss")
                if end == "quit":
                    engine.send("quit")
                elif end == "close":
                    engine.process.stdin.close()
                else:
                    engine.process.send_signal(signal.SIGTERM)
                self.assertEqual(engine.process.wait(20), 0)

    def test_another_version_ends_it_with_two_and_nothing_is_done_before_hello(self) -> None:
        with Engine(greets=False) as engine:
            engine.send("run", id=1, config=SMALL, steps=1)
            self.assertIn("hello", engine.until("error", id=1)["message"])
            engine.send("hello", id=2, version=7)
            self.assertIn("version 7", engine.until("error", id=2)["message"])
            self.assertEqual(engine.process.wait(20), 2)


class Modules(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.script = os.path.join(self.folder, "net.py")
        with open(self.script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)

    def profile(self, module: str, folder: str = "") -> Engine:
        engine = Engine("--module", module, "--out", folder or self.folder)
        self.addCleanup(engine.__exit__)
        engine.send("profile", id=1, config=SMALL, steps=5, device="pytorch-eager")
        engine.until("state", id=1, state="idle")
        return engine

    def test_a_module_becomes_a_recorded_step(self) -> None:
        engine = self.profile(f"{self.script}:make")
        self.assertIn("net.py:make", engine.devices[-1]["machine"]["name"])
        path = engine.of("recorded", 1)[0]["path"]
        step = plumbline.read_step(path)
        self.assertEqual(step["measured"]["steps"], 10)
        self.assertEqual(step["parameters"], 81)
        self.assertEqual(engine.of("finished", 1)[0]["outcome"], "finished")

    def test_a_folder_that_is_missing_is_said(self) -> None:
        missing = os.path.join(self.folder, "missing")
        engine = self.profile(f"{self.script}:make", missing)
        error, = engine.of("error", 1)
        self.assertEqual(error["code"], "io")
        self.assertRegex(error["message"], f"^cannot write {missing}/net-make-.*No such file or directory")
        self.assertIn("--out", error["hint"])
        self.assertEqual(engine.of("recorded", 1) + engine.of("progress", 1), [])
        self.assertEqual(engine.of("finished", 1)[0]["outcome"], f"failed: {error['message']}")

    def test_a_file_that_cannot_be_written_at_the_end_is_said(self) -> None:
        events = []
        job = Job(lambda kind, **fields: events.append(kind), lambda: None)
        full = mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        with full, warnings.catch_warnings(), self.assertRaisesRegex(Refusal, "No space left on device") as raised:
            warnings.simplefilter("ignore")
            ModuleJob(f"{self.script}:make", self.folder).record({}, choose(find_choices(), "pytorch-eager"), job)
        self.assertEqual((raised.exception.code, raised.exception.hint), ("io", "give another folder with --out"))
        self.assertEqual(set(events), {"progress"})
        self.assertEqual(os.listdir(self.folder), ["net.py"])

    def test_a_file_that_the_modules_own_code_misses_is_no_trouble_of_the_recording(self) -> None:
        error, = self.profile(f"{self.script}:reads").of("error", 1)
        self.assertEqual((error["code"], error["hint"]), ("run_failed", ""))
        self.assertRegex(error["message"], "^the profile failed .*no more samples")

    def test_a_module_that_cannot_be_made_is_said_and_the_engine_lives(self) -> None:
        engine = self.profile(f"{self.script}:leaves")
        self.assertIn("SystemExit: 3", engine.of("error", 1)[0]["message"])
        self.assertEqual(engine.finish(), 0)
        for module, named in ((f"{self.script}:raises", "no weights here"), (f"{self.script}:wrong", "returns tuple"),
                              (f"{self.script}:missing", "no such function"), ("none.py:make", "none.py:make")):
            with self.subTest(module), self.assertRaisesRegex(Refusal, named):
                ModuleJob(module, None).record({}, find_choices()[-1], None)


if __name__ == "__main__":
    unittest.main()
