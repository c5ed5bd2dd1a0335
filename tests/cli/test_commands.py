# SPDX-License-Identifier: Apache-2.0
"""Every command does its work: exit 0, the document on stdout alone, silence on stderr when nobody watches."""

import csv
import io
import json
import os
import subprocess
import unittest

from plumbline_cli import BINARY, SMALL, CliTest


class Commands(CliTest):
    def test_version_and_help(self):
        self.assertRegex(self.ok("--version"), r"\Aplumbline \d+\.\d+\.\d+ \([0-9a-f]{7}|unknown\)\n\Z")
        commands = ["devices", "predict", "profile", "train", "calibrate", "export", "engine"]
        overview = self.ok("--help")
        for command in commands:
            self.assertIn(command, overview)
            self.assertIn("--help", self.ok(command, "--help"))

    def test_help_names_every_run_option_of_the_contract(self):
        text = self.ok("predict", "--help")
        for option in ("dim layers outputs activation batch micro-batch precision master-weights grad-dtype optimizer "
                       "lr weight-decay checkpoint init seed data targets backend config device json").split():
            self.assertIn(f"--{option} ", text + " ")

    def test_devices_lists_the_cpu_and_says_why_cuda_is_missing(self):
        devices = self.ok_json("devices")
        backends = {device["backend"]: device for device in devices}
        self.assertTrue(backends["cpu"]["available"])
        self.assertGreater(backends["cpu"]["memory_bytes"], 0)
        self.assertFalse(backends["cuda"]["available"])
        self.assertIn("CUDA", backends["cuda"]["reason"])
        self.assertIn("not available: this installation has no CUDA backend", self.ok("devices"))

    def test_predict_fills_in_all_defaults(self):
        document = self.ok_json("predict")
        self.assertEqual((document["format"], document["version"]), ("plumbline.snapshot", 1))
        self.assertEqual(document["config"]["dim"], 256)
        self.assertEqual(document["config"]["optimizer"], "adamw")
        self.assertEqual(document["config"]["lr"], 0.001)

    def test_predict_for_people_names_unknown_times_and_the_remedy(self):
        text = self.ok("predict", *SMALL)
        self.assertIn("Peak memory", text)
        self.assertRegex(text, r"time +–")
        self.assertIn("run plumbline-cli calibrate", text)

    def test_predict_writes_a_snapshot_of_what_it_shows(self):
        document = self.ok_json("predict", *SMALL, "--device", "h200", "--out", "p.plumb")
        document.pop("notes", None)  # of the report, not of the file
        self.assertEqual(json.loads((self.folder / "p.plumb").read_text()), document)
        self.assertIsNone(document["measured"])
        rows = self.ok("export", "p.plumb", "--format", "csv").splitlines()
        self.assertIn(",predicted_seconds,predicted_tier,", rows[0])
        self.assertRegex(rows[2], r",(published|data sheet),,,", "predicted, not measured")
        self.refused(2, "predict", *SMALL, "--out", "no/such/folder/p.plumb", says="no/such/folder")

    def test_predict_reports_a_step_that_does_not_fit_and_the_largest_batch(self):
        text = self.ok("predict", "--dim", 4096, "--layers", 32, "--batch", "1Gi")
        self.assertIn("DOES NOT FIT", text)
        self.assertIn("largest batch that fits is", text)
        self.assertIn("any batch of this micro-batch fits", self.ok("predict", "--batch", "1Gi", "--micro-batch", 256))

    def test_a_database_device_is_planned_as_its_backend_lays_out_memory(self):
        relu = [*SMALL, "--activation", "relu", "--json"]
        gpu, old, other = (json.loads(self.ok("predict", *relu, "--device", name))
                           for name in ("h200", "v100-sxm2-32gb", "mi300x"))
        self.assertTrue(gpu["traits"]["relu_masks"] and gpu["traits"]["records_steps"])
        self.assertEqual(gpu["machine"]["compute_capability"], 90)
        self.assertGreaterEqual(gpu["predicted"]["memory"]["peak_bytes"], gpu["traits"]["shared_scratch_bytes"])
        for document in (old, other):
            self.assertFalse(document["traits"]["records_steps"])
        self.assertIn("compute capability 8.0 or newer", self.ok("predict", *SMALL, "--device", "v100-sxm2-32gb"))
        self.assertIn("no backend of this version runs steps on this device",
                      self.ok("predict", *SMALL, "--device", "mi300x"))

    def test_sizes_take_suffixes(self):
        config = self.ok_json("predict", "--dim", "1Ki", "--batch", "2k", "--layers", 3)["config"]
        self.assertEqual((config["dim"], config["batch"], config["layers"]), (1024, 2000, 3))

    def test_config_file_is_read_and_the_command_line_wins(self):
        (self.folder / "run.json").write_text(json.dumps({"dim": 32, "layers": 7, "optimizer": "sgd"}))
        config = self.ok_json("predict", "--layers", 3, "--config", "run.json")["config"]
        self.assertEqual((config["dim"], config["layers"], config["optimizer"]), (32, 3, "sgd"))

    def test_a_snapshot_serves_as_a_config_file(self):
        (self.folder / "run.plumb").write_text(self.ok("predict", *SMALL, "--seed", 7, "--json"))
        again = self.ok_json("predict", "--config", "run.plumb")["config"]
        self.assertEqual((again["dim"], again["seed"]), (16, 7))

    def test_profile_measures_and_shows_both_columns(self):
        document = self.ok_json("profile", *SMALL, "--steps", 4, "--out", "p.plumb")
        self.assertGreater(document["measured"]["totals"]["seconds"], 0)
        self.assertEqual({op["source"] for op in document["measured"]["ops"]}, {"clock"})
        self.assertTrue(document.pop("notes"), "of the report, not of the file")
        self.assertEqual(json.loads((self.folder / "p.plumb").read_text()), document)
        text = self.ok("profile", *SMALL, "--steps", 4)
        self.assertRegex(text, r"One step +predicted +measured +difference")
        self.assertRegex(text, r"Peak memory .* exact")

    def test_prove_runs_what_fits_and_is_refused_what_does_not(self):
        document = self.ok_json("prove", *SMALL, "--memory-limit", "1MB", "--out", "proof.plumb")
        self.assertEqual(document["verdict"], "proven")
        self.assertEqual(document["limit_bytes"], 1_000_000)
        fits, next_one = document["fits"], document["too_large"]
        self.assertEqual(next_one["batch"], fits["batch"] + 1)
        self.assertEqual(fits["measured_bytes"], fits["predicted_bytes"])
        self.assertLessEqual(fits["measured_bytes"], 1_000_000)
        self.assertGreater(next_one["predicted_bytes"], 1_000_000)
        self.assertIn("not enough memory", next_one["refusal"])
        kept = json.loads((self.folder / "proof.plumb").read_text())["fit_proof"]
        self.assertEqual((kept["fits"], kept["too_large"]), (fits, next_one))
        self.assertRegex(self.ok("prove", *SMALL, "--memory-limit", "1MB"), r"^Proven: batch ")
        for limit in ("0", "much"):
            self.refused(2, "prove", *SMALL, "--memory-limit", limit, says="--memory-limit")

    def test_train_writes_its_history(self):
        document = self.ok_json("train", *SMALL, "--steps", 50, "--out", "t.plumb")
        training = document["training"]
        self.assertEqual(training["step"], list(range(50)))
        self.assertEqual(len(training["loss"]), 50)
        self.assertTrue(document.pop("notes"), "of the report, not of the file")
        self.assertEqual(json.loads((self.folder / "t.plumb").read_text()), document)
        self.assertIn("finished after 50 steps", self.ok("train", *SMALL, "--steps", 50))

    def test_training_is_repeatable_to_the_bit(self):
        first, second = (self.ok_json("train", *SMALL, "--steps", 20, "--seed", 3) for _ in range(2))
        self.assertEqual(first["training"]["loss"], second["training"]["loss"])

    def test_export_writes_both_tables_to_a_file_and_to_stdout(self):
        document = self.ok_json("train", *SMALL, "--steps", 10, "--out", "t.plumb")
        self.assertEqual(self.ok("export", "t.plumb", "--format", "csv", "--out", "ops.csv"), "")
        rows = list(csv.DictReader(io.StringIO((self.folder / "ops.csv").read_text())))
        self.assertEqual([row["id"] for row in rows], [op["id"] for op in document["predicted"]["ops"]])
        self.assertEqual(sum(int(row["flops"]) for row in rows), document["predicted"]["totals"]["flops"])
        self.assertEqual(self.ok("export", "t.plumb", "--format", "csv", "--out", "-"),
                         (self.folder / "ops.csv").read_text())
        losses = list(csv.DictReader(io.StringIO(self.ok("export", "t.plumb", "--format", "training-csv"))))
        self.assertEqual([float(row["loss"]) for row in losses], document["training"]["loss"])

    def test_a_timeline_is_exported_as_a_trace_that_perfetto_opens(self):
        document = self.ok_json("profile", *SMALL, "--micro-batch", 4, "--steps", 5, "--out", "p.plumb")
        timeline = document["measured"]["timeline"]
        self.assertEqual([step["step"] for step in timeline["steps"]], [5, 6, 7])  # the last, behind the warm-up
        self.assertEqual(timeline["source"], "clock")
        self.assertEqual(timeline["dropped"], 0)
        trace = json.loads(self.ok("export", "p.plumb", "--format", "chrome-trace"))
        events = trace["traceEvents"]
        for event in events:
            self.assertIn(event["ph"], "XCM")
            self.assertIsInstance(event["pid"], int)
            self.assertIsInstance(event["tid"], int)
            if event["ph"] != "M":
                self.assertGreaterEqual(event["ts"], 0)
        bars = [event for event in events if event["ph"] == "X" and event["pid"] == 1]
        ops = [bar for bar in bars if bar["cat"] == "cpu_op"]
        self.assertEqual(len(ops), 3 * sum(op["executions"] for op in document["measured"]["ops"]))
        by_id = {op["id"]: op["name"] for op in document["measured"]["ops"]}
        for bar in ops:
            self.assertEqual(bar["name"], by_id[bar["args"]["op"]])
        # Bars of one thread do not overlap, as the format asks; microseconds are exact to the nanosecond.
        for before, after in zip(ops, ops[1:]):
            self.assertLessEqual(round((before["ts"] + before["dur"]) * 1000), round(after["ts"] * 1000))
        seconds = sum(op["seconds"] for op in document["predicted"]["ops"] if op["seconds"])
        predicted = [event for event in events if event["ph"] == "X" and event["cat"] == "predicted"]
        self.assertAlmostEqual(sum(bar["dur"] for bar in predicted) / 1e6, seconds, delta=1e-9 * len(predicted))
        live = [event["args"]["bytes"] for event in events if event["ph"] == "C" and event["pid"] == 1]
        self.assertEqual(max(live), document["measured"]["memory"]["peak_bytes"])
        names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
        self.assertEqual(names, {"steps", "ops"})
        steps = [bar["name"] for bar in bars if bar["cat"] == "user_annotation"]
        self.assertEqual(steps, [f"ProfilerStep#{step}" for step in (5, 6, 7, 8)])  # one more ends the last

    def test_a_training_keeps_the_timeline_of_its_last_steps(self):
        document = self.ok_json("train", *SMALL, "--steps", 9)
        self.assertEqual([step["step"] for step in document["measured"]["timeline"]["steps"]], [6, 7, 8])

    def test_a_snapshot_without_a_timeline_says_how_to_get_one(self):
        self.ok("train", *SMALL, "--steps", 2, "--out", "t.plumb")  # all of it warm-up
        document = json.loads((self.folder / "t.plumb").read_text())
        self.assertIsNone(document["measured"])
        document["predicted"] = None
        (self.folder / "t.plumb").write_text(json.dumps(document))
        self.refused(2, "export", "t.plumb", "--format", "chrome-trace", says=["t.plumb", "profile --out"])

    def test_what_a_library_prints_stays_out_of_the_document(self):
        self.environment["DNNL_VERBOSE"] = "1"  # oneDNN then prints on file descriptor 1
        done = self.run_cli("profile", "--dim", 64, "--layers", 2, "--batch", 64, "--steps", 2, "--json")
        self.assertEqual(done.returncode, 0)
        self.assertIsNotNone(json.loads(done.stdout)["measured"])

    def test_a_closed_pipe_ends_quietly(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([BINARY, "predict", "--json"], stdout=writer, stderr=subprocess.PIPE,
                              env=self.environment, restore_signals=True, timeout=60)
        os.close(writer)
        self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    unittest.main()
