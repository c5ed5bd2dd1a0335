# SPDX-License-Identifier: Apache-2.0
"""Conversations with the engine that go as they should."""

import json
import os
import pathlib
import resource
import struct
import time
import unittest

from plumbline_cli import SMALL_CONFIG, CliTest, Engine, children, cpu_seconds

MOST_POINTS = 256  # in one batch


def read_npy(path):
    """The numbers of a .npy file of fp32, row by row."""
    data = pathlib.Path(path).read_bytes()
    body = data[10 + int.from_bytes(data[8:10], "little"):]
    return struct.unpack(f"<{len(body) // 4}f", body)


class Conversations(CliTest):
    def check_batches(self, batches, wall):
        """What holds for the loss batches of any run; returns all their points as (step, loss, seconds)."""
        points = [point for batch in batches for point in zip(batch["step"], batch["loss"], batch["seconds"])]
        self.assertTrue(all(len(batch["step"]) <= MOST_POINTS for batch in batches))
        self.assertTrue(all(a[0] < b[0] for a, b in zip(points, points[1:])), "steps must rise")
        self.assertTrue(all(a[2] <= b[2] for a, b in zip(points, points[1:])), "time must not run back")
        self.assertLessEqual(len(batches), 60 * wall + 2)
        for batch in batches:
            self.assertEqual(batch["steps_done"], batch["step"][-1] + 1)
        return points

    def test_hello_and_devices_come_first_and_quit_ends_with_zero(self):
        engine = Engine(self)
        self.assertEqual(engine.next()["version"], 1)
        self.assertRegex(engine.events[0]["program"], r"^plumbline \d")
        devices = engine.next()["devices"]
        self.assertEqual([d["machine"]["backend"] for d in devices], ["cpu", "cuda"])
        self.assertEqual([d["available"] for d in devices], [True, False])
        engine.send("devices", id=5)
        self.assertEqual(engine.until("devices", id=5)["devices"], devices)
        engine.send("quit")
        self.assertEqual(engine.wait(), 0)
        self.assertEqual(engine.process.stderr.read(), b"")

    def test_a_run_sends_all_its_events_in_order(self):
        engine = Engine(self)
        begin = time.monotonic()
        engine.send("run", id=9, config=SMALL_CONFIG, steps=20_000)
        finished = engine.until("finished", id=9)
        wall = time.monotonic() - begin
        self.assertEqual((finished["outcome"], finished["steps_done"]), ("finished", 20_000))
        self.assertEqual(engine.next(), {"type": "state", "id": 9, "state": "idle"})
        mine = [event for event in engine.events if event["id"] == 9]
        self.assertEqual(mine[0], {"type": "state", "id": 9, "state": "running"})
        points = self.check_batches(engine.of("loss"), wall)
        self.assertEqual((points[0][0], points[-1][0]), (0, 19_999))
        self.assertLess(points[-1][1], points[0][1])
        self.assertGreater(engine.of("loss")[-1]["steps_per_second"], 0)
        measured = engine.of("reading")[-1]["measured"]
        self.assertGreater(measured["totals"]["seconds"], 0)
        self.assertGreater(measured["memory"]["peak_bytes"], 0)
        self.assertLessEqual(len(engine.of("reading")), 2 * wall + 2)

    def test_losses_are_those_of_the_command_line(self):
        config = {**SMALL_CONFIG, "seed": 4}
        (self.folder / "c.json").write_text(json.dumps(config))
        alone = self.ok_json("train", "--config", "c.json", "--steps", 30)["training"]
        engine = Engine(self)
        engine.send("run", id=1, config=config, steps=30)
        engine.until("finished")
        points = self.check_batches(engine.of("loss"), 60)
        expected = dict(zip(alone["step"], alone["loss"]))
        self.assertEqual({step: loss for step, loss, _ in points}, expected)

    def test_pause_stops_the_clock_and_uses_no_processor_and_resume_goes_on(self):
        if "TSAN_OPTIONS" not in os.environ:  # libgomp is not built with the thread sanitizer
            self.environment["OMP_NUM_THREADS"] = "2"  # all of them must rest
        engine = Engine(self)
        begin = time.monotonic()
        engine.send("run", id=1, config={"dim": 256, "layers": 2, "batch": 256}, steps=0)
        engine.until("loss")
        engine.send("pause", id=2)
        engine.until("state", id=2, state="paused")
        engine.send("pause", id=3)  # again: no error
        engine.until("state", id=3, state="paused")
        self.assertEqual(engine.process.poll(), None)
        time.sleep(0.3)  # lets OpenMP's waiting threads fall asleep
        used = cpu_seconds(engine.process.pid)
        time.sleep(1.0)
        self.assertLess(cpu_seconds(engine.process.pid) - used, 0.1)
        engine.send("resume", id=4)
        engine.until("state", id=4, state="running")
        before = engine.of("loss")[-1]
        after = engine.until("loss")
        self.assertGreater(after["steps_done"], before["steps_done"])
        self.assertLess(after["seconds"][-1], time.monotonic() - begin - 1.3, "the pause of 1.3 s was counted")
        engine.send("stop", id=5)
        self.assertIn("stopped", engine.until("finished", id=1)["outcome"])

    def test_stop_ends_a_paused_run(self):
        engine = Engine(self)
        engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
        engine.until("loss")
        engine.send("pause", id=2)
        engine.until("state", state="paused")
        engine.send("stop", id=3)
        finished = engine.until("finished", id=1)
        self.assertEqual(finished["steps_done"], engine.of("loss")[-1]["steps_done"])
        engine.until("state", state="idle")

    def test_a_second_run_is_refused_and_the_first_goes_on(self):
        engine = Engine(self)
        engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
        engine.until("loss")
        for kind in ("run", "profile"):
            engine.send(kind, id=2, config=SMALL_CONFIG, steps=5)
            error = engine.until("error", id=2)
            self.assertIn("busy", error["message"])
        engine.until("loss", id=1)
        engine.send("stop")
        engine.until("finished", id=1)
        engine.until("state", state="idle")
        engine.send("run", id=3, config=SMALL_CONFIG, steps=5)
        self.assertEqual(engine.until("finished", id=3)["steps_done"], 5)

    def test_pause_and_resume_without_a_run_are_errors_and_stop_is_none(self):
        engine = Engine(self)
        for kind in ("pause", "resume"):
            engine.send(kind, id=7)
            self.assertEqual(engine.until("error", id=7)["code"], "bad_input")
        engine.send("stop", id=8)
        engine.send("devices", id=9)
        engine.until("devices", id=9)
        self.assertFalse([event for event in engine.of("error") if event["id"] == 8])

    def test_profile_reports_progress_and_a_reading(self):
        engine = Engine(self)
        engine.send("profile", id=1, config=SMALL_CONFIG, steps=12)
        engine.until("finished", id=1)
        self.assertEqual(engine.of("progress")[-1]["total"], 12)
        measured = engine.of("reading")[-1]["measured"]
        predicted = self.ok_json("predict", *[x for k, v in SMALL_CONFIG.items() for x in ("--" + k, v)])["predicted"]
        self.assertEqual(measured["memory"], {**predicted["memory"], "source": "allocator"})
        self.assertEqual([op["id"] for op in measured["ops"]], [op["id"] for op in predicted["ops"]])

    def test_counters_are_asked_for_by_name_and_the_processor_says_that_it_has_none(self):
        engine = Engine(self)
        devices = engine.until("devices")["devices"]
        self.assertIn("NVIDIA", devices[0]["counters"]["absent"])
        engine.send("profile", id=1, config=SMALL_CONFIG, steps=3, counters="full")
        engine.until("finished", id=1)
        measured = engine.of("reading")[-1]["measured"]
        self.assertIn("no hardware counters", measured["counters_absent"])
        self.assertGreater(measured["totals"]["seconds"], 0)
        engine.send("profile", id=2, config=SMALL_CONFIG, steps=3)
        engine.until("finished", id=2)
        self.assertEqual(engine.of("reading")[-1]["measured"]["counters_absent"], "none were asked for")
        engine.send("profile", id=3, config=SMALL_CONFIG, steps=3, counters="many")
        self.assertIn("one of quick, full is possible", engine.until("error", id=3)["message"])

    def test_calibrate_can_be_stopped(self):
        engine = Engine(self)
        engine.send("calibrate", id=1)
        engine.until("state", state="calibrating")
        engine.send("stop")
        self.assertEqual(engine.until("finished", id=1)["outcome"], "stopped")
        engine.send("quit")
        self.assertEqual(engine.wait(), 0)

    def test_what_cannot_run_is_an_error_with_its_code_and_the_engine_goes_on(self):
        engine = Engine(self)
        for id, (config, code) in enumerate((
                ({"dim": 4096, "layers": 8, "batch": 10**9}, "out_of_memory"), ({"backend": "cuda"}, "unavailable"),
                ({"batch": 256, "micro-batch": 100}, "bad_input"), ({"data": "missing.npy", "targets": "t.npy"}, "io"),
                ({**SMALL_CONFIG, "optimizer": "sgd", "lr": 1e6}, "run_failed")), start=1):
            with self.subTest(code=code):
                engine.send("run", id=id, config=config, steps=500)
                error = engine.until("error")
                self.assertEqual((error["code"], error["id"]), (code, id))
                engine.until("finished", id=id)
        self.assertIn("diverged at step", engine.of("finished")[-1]["outcome"])
        engine.send("run", id=99, config=SMALL_CONFIG, steps=5)
        self.assertEqual(engine.until("finished", id=99)["outcome"], "finished")

    def test_a_run_tells_of_its_checkpoints_and_is_resumed(self):
        engine = Engine(self)
        folder = str(self.folder / "c")
        engine.send("run", id=1, config=SMALL_CONFIG, steps=100)
        engine.until("finished", id=1)
        straight = dict((s, l) for e in engine.of("loss") for s, l in zip(e["step"], e["loss"]))
        engine.send("run", id=2, config=SMALL_CONFIG, steps=60, checkpoint_dir=folder, save_every=20, keep=2)
        engine.until("finished", id=2)
        saved = engine.of("checkpoint")
        self.assertEqual(saved[-1]["step"], 60)
        self.assertEqual(saved[-1]["path"], folder + "/step-000060.safetensors")
        for event in saved:
            self.assertEqual((event["id"], event["failure"]), (2, None))
            self.assertGreater(event["seconds"], 0)
            self.assertGreater(event["bytes"], 0)
            self.assertGreaterEqual(event["copy_seconds"], 0)
        self.assertLessEqual(len(os.listdir(folder)), 2)

        engine.events.clear()
        engine.send("run", id=3, config=SMALL_CONFIG, steps=100, checkpoint_dir=folder, resume=folder)
        self.assertEqual(engine.until("finished", id=3)["steps_done"], 100)
        self.assertEqual(engine.of("loss")[0]["step"][0], 60)
        for event in engine.of("loss"):
            self.assertEqual(event["steps_done"], event["step"][-1] + 1)
            self.assertEqual(event["loss"], [straight.get(step, loss) for step, loss in zip(event["step"], event["loss"])])
        self.assertEqual(engine.of("checkpoint")[-1]["step"], 100)

        engine.send("run", id=4, config=SMALL_CONFIG, steps=100, checkpoint_dir=folder)
        self.assertIn("holds a training already", engine.until("error", id=4)["message"])
        engine.until("finished", id=4)
        engine.send("run", id=5, config={**SMALL_CONFIG, "lr": 0.5}, steps=200, resume=folder)
        self.assertIn("(lr 0.001 there, 0.5 here)", engine.until("error", id=5)["message"])
        engine.until("finished", id=5)

    def test_a_checkpoint_that_cannot_be_written_is_an_event_and_the_run_goes_on(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        engine = Engine(self, preexec_fn=limit)
        engine.send("run", id=1, config=SMALL_CONFIG, steps=50, checkpoint_dir=str(self.folder / "c"), save_every=10)
        self.assertEqual(engine.until("finished", id=1)["outcome"], "finished")
        failure = engine.of("checkpoint")[-1]["failure"]
        self.assertEqual(failure["code"], "io")
        self.assertIn("File too large", failure["message"])
        self.assertEqual(engine.of("error"), [])
        self.assertEqual(os.listdir(self.folder / "c"), [])

    def test_tensors_of_a_training_are_looked_at_while_it_runs_and_while_it_is_paused(self):
        engine = Engine(self)
        engine.send("inspect", id=1, role="weight", layer=1)
        self.assertIn("run first", engine.until("error", id=1)["hint"])
        engine.send("run", id=2, config={**SMALL_CONFIG, "precision": "fp16"}, steps=0)
        engine.until("state", state="running")
        engine.send("inspect", id=3, role="gradient", layer=2)
        values = engine.until("tensor_values", id=3)
        self.assertEqual((values["role"], values["layer"], values["dtype"]), ("gradient", 2, "fp16"))
        self.assertEqual(values["rows"] * values["columns"], values["histogram"]["count"])
        self.assertGreaterEqual(values["scale"], 1)
        self.assertLess(len(values["histogram"]["counts"]), 300)
        for loss in values["histogram"]["formats"]:
            self.assertEqual(sum(loss[k] for k in ("exact", "rounded", "subnormal", "to_zero", "beyond"))
                             + values["histogram"]["infinities"] + values["histogram"]["not_numbers"],
                             values["histogram"]["count"])
        engine.send("inspect", id=4, role="activation", layer=99)
        self.assertIn("layer 99", engine.until("error", id=4)["message"])
        engine.send("inspect", id=5, role="nonsense", layer=1)
        self.assertIn("nonsense", engine.until("error", id=5)["message"])
        engine.send("pause", id=6)
        engine.until("state", state="paused")
        engine.send("inspect", id=7, role="weight", layer=1)
        self.assertEqual(engine.until("tensor_values", id=7)["histogram"]["count"], 16 * 16)
        engine.send("inspect", id=8, role="activation", layer=1)
        engine.send("stop", id=9)
        self.assertIn("ended", engine.until("error", id=8)["message"])
        engine.until("finished", id=2)

    def test_what_was_learned_is_looked_at_and_written_during_and_after_the_training(self):
        engine = Engine(self)
        linear = {"dim": 8, "layers": 0, "batch": 256, "optimizer": "adamw", "lr": 0.05, "noise": 0}
        engine.send("run", id=1, config=linear, steps=0)
        engine.until("state", state="running")
        tensor, everything = str(self.folder / "g.npy"), str(self.folder / "w.safetensors")
        engine.send("inspect", id=2, role="gradient", layer=1, save_to=tensor)
        self.assertEqual(engine.until("tensor_values", id=2)["saved_to"], tensor)
        gradient = read_npy(tensor)
        self.assertEqual(len(gradient), 8)
        engine.send("inspect", id=3, role="gradient", layer=1, save_to=everything)
        self.assertIn(".npy", engine.until("error", id=3)["hint"])
        engine.send("stop", id=4)
        engine.until("finished", id=1)
        engine.send("run", id=5, config=linear, steps=2000)
        engine.until("finished", id=5)
        engine.until("state", state="idle")
        product = str(self.folder / "product.npy")
        engine.send("inspect", id=6, role="weight", layer=0, save_to=product)
        values = engine.until("tensor_values", id=6)
        self.assertEqual(values["recovered"]["expected"], [0, 1, 2, 3, 4, 5, 6, 7])
        for found, expected in zip(values["recovered"]["found"], range(8)):
            self.assertAlmostEqual(found, expected, delta=0.1)
        self.assertLess(values["recovered"]["largest_error"], 0.1)
        for number, found in zip(read_npy(product), values["recovered"]["found"]):
            self.assertAlmostEqual(number / values["scale"], found, places=4)
        engine.send("inspect", id=7, role="weight", layer=1, save_to=everything)
        self.assertEqual(engine.until("tensor_values", id=7)["saved_to"], everything)
        header = pathlib.Path(everything).read_bytes()
        self.assertIn(b"head.weight", header[8:8 + int.from_bytes(header[:8], "little")])
        engine.send("inspect", id=8, role="gradient", layer=1)
        self.assertIn("weights are left", engine.until("error", id=8)["message"])
        engine.send("inspect", id=9, role="weight", layer=1, save_to=str(self.folder / "no" / "w.npy"))
        self.assertIn("no/w.npy", engine.until("error", id=9)["message"])
        engine.send("inspect", id=10, role="weight", layer=7)
        self.assertIn("layer 7", engine.until("error", id=10)["message"])
        engine.send("inspect", id=11, role="weight", layer=1, save_to=str(self.folder / "w.txt"))
        self.assertIn("w.txt", engine.until("error", id=11)["message"])

    def test_an_expression_is_timed_or_refused_with_the_reason(self):
        engine = Engine(self)
        engine.send("time_einsum", id=1, expression="i k, k j -> i j", sizes={"i": 32, "k": 32, "j": 32}, dtype="fp32")
        engine.until("state", state="timing")
        timed = engine.until("einsum_timed", id=1)
        self.assertGreater(timed["seconds"], 0)
        self.assertGreaterEqual(timed["runs"], 3)
        self.assertEqual(timed["machine"], "local-cpu")
        engine.until("finished", id=1, outcome="finished")
        engine.until("state", state="idle")
        engine.send("time_einsum", id=2, expression="gelu: n", sizes={"n": 8}, dtype="fp16")
        self.assertIn("fp32 and bf16", engine.until("error", id=2)["message"])
        engine.until("finished", id=2)

    def test_there_are_no_child_processes(self):
        engine = Engine(self)
        engine.send("run", id=1, config=SMALL_CONFIG, steps=0)
        engine.until("loss")
        self.assertEqual(children(engine.process.pid), [])

    def test_what_a_library_prints_stays_out_of_the_protocol(self):
        engine = Engine(self, env={**self.environment, "DNNL_VERBOSE": "1"})
        engine.send("run", id=1, config={"dim": 64, "layers": 2, "batch": 64}, steps=5)
        engine.until("finished", id=1)  # every line on the way was JSON


if __name__ == "__main__":
    unittest.main()
