# SPDX-License-Identifier: Apache-2.0
"""The whole program with a GPU, which is simulated (tests/kernels/simulated): PLUMBLINE_SIMULATED_GPU is its module.

What is tested is that commands, files and messages go all the way; the numbers themselves are those of no device.
"""

import json
import os
import statistics
import unittest

from plumbline_cli import DIGITS, SMALL, SMALL_CONFIG, CliTest, Engine, changed

MODULE = os.environ.get("PLUMBLINE_SIMULATED_GPU", "")
NAME = "Simulated GPU"


@unittest.skipUnless(MODULE, "this build has no CUDA backend")
class WithAGpu(CliTest):
    def setUp(self):
        super().setUp()
        self.environment["PLUMBLINE_CUDA_MODULE"] = MODULE

    def test_it_is_listed_chosen_and_predicted_for(self):
        devices = {device["backend"]: device for device in self.ok_json("devices")}
        self.assertTrue(devices["cuda"]["available"])
        self.assertEqual(devices["cuda"]["name"], NAME)
        self.assertRegex(self.ok("devices"), NAME + " .*run plumbline-cli calibrate --backend cuda")
        predicted = self.ok_json("predict", *SMALL, "--backend", "cuda")
        self.assertEqual(predicted["machine"]["backend"], "cuda")
        self.assertEqual(self.ok_json("predict", *SMALL, "--backend", "auto")["machine"]["backend"], "cuda")

    def test_it_trains_what_the_processor_trains(self):
        for precision in ("fp32", "bf16", "fp16", "fp8"):
            run = ["--dim", 32, "--layers", 3, "--batch", 32, "--micro-batch", 16, "--activation", "relu", "--precision",
                   precision, "--steps", 40]
            losses = [self.ok_json("train", *run, "--backend", backend)["training"]["loss"]
                      for backend in ("cpu", "cuda")]
            with self.subTest(precision=precision):
                self.assertEqual(len(losses[1]), 40)
                for here, there in zip(*losses):
                    self.assertAlmostEqual(here, there, delta=0.1 * losses[0][0])
                self.assertLess(losses[1][-1], losses[1][0])

    def test_it_runs_without_timing_algorithms(self):
        for command in ("train", "profile"):
            self.ok(command, *SMALL, "--steps", 2, "--backend", "cuda", "--tune", "off")
            self.refused(2, command, *SMALL, "--steps", 2, "--tune", "maybe", says="neither on nor off (maybe)")
            self.refused(2, command, *SMALL, "--steps", 2, "--backend", "cpu", "--tune", "off", says="--backend cuda")

    def test_it_learns_digits_from_files(self):
        training = self.ok_json("train", "--data", DIGITS / "features.npy", "--targets", DIGITS / "targets.npy",
                                "--dim", 64, "--layers", 2, "--activation", "relu", "--batch", 64, "--lr", 0.003,
                                "--steps", 200, "--backend", "cuda")["training"]
        self.assertLess(statistics.fmean(training["loss"][-20:]), training["loss"][0] / 5)

    def test_a_profile_says_where_its_numbers_come_from(self):
        self.ok("profile", *SMALL, "--precision", "bf16", "--backend", "cuda", "--counters", "full", "--out",
                "gpu.plumb")
        snapshot = json.loads((self.folder / "gpu.plumb").read_text())
        measured = snapshot["measured"]
        self.assertEqual(snapshot["machine"]["name"], NAME)
        self.assertEqual({op["source"] for op in measured["ops"]}, {"event"})
        self.assertEqual(measured["memory"]["source"], "allocator")
        self.assertEqual(measured["timeline"]["source"], "event")
        self.assertTrue(measured["timeline"]["driver_records_absent"])
        self.assertTrue(measured["counters_absent"])
        self.assertEqual({op["counters"] for op in measured["ops"]}, {None})
        self.assertEqual(measured["memory"]["peak_bytes"], snapshot["predicted"]["memory"]["peak_bytes"])
        # The formats for others hold it as well.
        self.ok("export", "gpu.plumb", "--format", "chrome-trace", "--out", "trace.json")
        self.assertTrue(json.loads((self.folder / "trace.json").read_text())["traceEvents"])

    def test_one_of_several_is_chosen_by_number_or_uuid(self):
        self.environment["SIMULATED_GPU_CARDS"] = "3"
        uuid = "GPU-00000000-0000-0000-0000-00000000000"
        listed = [device for device in self.ok_json("devices") if device["backend"] == "cuda"]
        self.assertEqual([(device["device_index"], device["uuid"], device["available"]) for device in listed],
                         [(i, f"{uuid}{i}", True) for i in range(3)])
        self.assertIn(f"2: {uuid}2", self.ok("devices"))
        run = [*SMALL, "--steps", 12]
        for command in ("train", "profile"):
            for chosen, index in (("2", 2), (uuid + "1", 1), (None, 0)):
                with self.subTest(command=command, chosen=chosen):
                    machine = self.ok_json(command, *run, *(["--device", chosen] if chosen else []))["machine"]
                    self.assertEqual((machine["device_index"], machine["uuid"]), (index, f"{uuid}{index}"))
        self.assertIn(f"GPU 1, {uuid}1", self.ok("profile", *run, "--device", 1))
        self.assertEqual(self.ok_json("predict", *SMALL, "--device", 2)["machine"]["device_index"], 2)
        self.refused(3, "train", *run, "--device", 3, says=["not there (--device 3)", f"2 is {NAME}"])
        self.refused(2, "train", *run, "--device", "GPU-0000", says="several GPUs have such a UUID (--device GPU-0000)")
        self.refused(2, "train", *run, "--device", "best", says="neither the number nor the UUID of a GPU (best)")
        self.refused(2, "profile", *run, "--device", 1, "--backend", "cpu", says="no meaning on this backend (cpu)")

    def test_profilers_are_told_what_runs(self):
        told = self.folder / "ranges"
        self.environment["NVTX_INJECTION64_PATH"] = os.environ["PLUMBLINE_FAKE_NVTX"]
        self.environment["FAKE_NVTX_OUT"] = str(told)
        self.ok("train", *SMALL, "--steps", 12, "--backend", "cuda")
        lines = told.read_text().splitlines()
        steps = [line for line in lines if not line.startswith(" ")]
        # Op by op at first, then all at once; a step with statistics op by op again.
        captured = [line for line in steps if line.startswith("capture of step ")]
        replayed = [line for line in steps if line.endswith(" (replayed)")]
        self.assertEqual(len(captured), 1)
        self.assertGreater(len(replayed), 0)
        self.assertEqual([line.removesuffix(" (replayed)") for line in steps if line not in captured],
                         [f"step {i}" for i in range(12)])
        self.assertEqual(lines.count("  graph launch"), len(replayed))
        for phase in ("forward", "backward", "optimizer"):
            self.assertEqual(lines.count("  " + phase), len(steps) - len(replayed), phase)
        self.assertEqual(lines.count("    layer 1 · forward"), len(steps) - len(replayed))
        self.assertNotIn("a range ends that was not begun", lines)

    def test_a_profile_says_which_products_ran(self):
        text = self.ok("profile", *SMALL, "--backend", "cuda", "--out", "gpu.plumb")
        self.assertRegex(text, r"Products of the matrix library as they ran\n  forward [0-9x]+ .*\n"
                               r"    algorithm 6[0-2], tile .*chosen by autotune")
        self.assertIn("chosen by heuristic", self.ok("profile", *SMALL, "--backend", "cuda", "--tune", "off"))
        self.assertNotIn("matrix library", self.ok("profile", *SMALL, "--backend", "cpu"))
        measured = json.loads((self.folder / "gpu.plumb").read_text())["measured"]
        named = {product for op in measured["ops"] for product in op.get("products", [])}
        self.assertEqual(named, set(range(len(measured["products"]))))

    def test_a_profile_says_what_the_device_was_like(self):
        # Found before the driver's own, where there is one.
        self.environment["LD_LIBRARY_PATH"] = os.environ["PLUMBLINE_FAKE_NVML"]
        self.environment["FAKE_NVML_CLOCK"] = "1200"
        self.environment["FAKE_NVML_REASONS"] = "0x4"
        self.environment["FAKE_NVML_PROCESSES"] = "4242:3000000000"
        self.environment["FAKE_NVML_FAIL"] = "nvmlDeviceGetTemperature=4"
        text = self.ok("profile", *SMALL, "--backend", "cuda", "--steps", 4000, "--out", "gpu.plumb")
        self.assertRegex(text, r"SM clock +1.20 GHz")
        self.assertIn("held down by its power limit in 100 % of the samples", text)
        self.assertIn("1 other program used this device (process 4242 with 3.00 GB)", text)
        self.assertRegex(text, "temperature: .*no permission")
        self.assertEqual(text.count("no permission"), 1)
        telemetry = json.loads((self.folder / "gpu.plumb").read_text())["measured"]["telemetry"]
        self.assertEqual(telemetry["sm_clock_hz"], {"mean": 1.2e9, "low": 1.2e9, "high": 1.2e9})
        self.assertEqual(telemetry["throttles"], [{"reason": "power_limit", "share": 1.0}])
        self.assertNotIn("temperature_celsius", telemetry)
        self.assertIn("energy_per_step_j", telemetry)

    def test_a_profile_without_the_management_library_says_so_once(self):
        self.environment["FAKE_NVML_FAIL"] = "nvmlInit_v2=9"
        self.environment["LD_LIBRARY_PATH"] = os.environ["PLUMBLINE_FAKE_NVML"]
        text = self.ok("profile", *SMALL, "--backend", "cuda")
        self.assertEqual(text.count("not known of the device"), 1)
        self.assertIn("Driver Not Loaded", text)

    def test_a_checkpoint_of_one_device_goes_on_on_the_other(self):
        run = changed(SMALL, "--batch", 16, "--optimizer", "adamw")
        self.ok("train", *run, "--backend", "cuda", "--steps", 20, "--checkpoint-dir", "kept", "--save-every", 20)
        whole = self.ok_json("train", *run, "--backend", "cpu", "--steps", 40)["training"]["loss"]
        rest = self.ok_json("train", *run, "--backend", "cpu", "--steps", 40, "--resume", "kept")["training"]
        self.assertEqual(rest["step"][0], 20)
        for here, there in zip(rest["loss"], whole[20:]):
            self.assertAlmostEqual(here, there, delta=1e-3 * whole[0])

    def test_it_is_calibrated_and_checked(self):
        machine = self.ok_json("calibrate", "--backend", "cuda", "--quick", timeout=300)
        self.assertGreater(machine["peak_flop_per_s"]["bf16"], 0)
        self.assertEqual(set(machine["costs"]["replay"]), {"between_nodes_s", "marks_s"})
        devices = self.ok("devices")
        self.assertIn("calibrated", devices)
        predicted = self.ok_json("predict", *SMALL, "--backend", "cuda")
        self.assertEqual(predicted["machine"]["costs"], machine["costs"])
        copies = machine["copies"]
        self.assertEqual((copies["bytes"], copies["copies"]), (4 << 20, 3))
        self.assertEqual([rate["path"] for rate in copies["rates"]],
                         ["host_to_device", "device_to_host", "pageable_to_device", "device_to_pageable"])
        for rate in copies["rates"]:
            self.assertAlmostEqual(rate["bytes_per_s"], 2e10, delta=1e9)
        self.assertEqual(predicted["machine"]["copies"], copies)
        self.assertRegex(devices, r"0: copies \(median of 3 copies of 4.19 MB each, timed by device events\)\n"
                                  r"   host to device, pinned memory: [0-9.]+ GB/s\n")
        self.assertEqual(devices.count("one card is visible"), 1)

    def test_copies_between_several_cards_are_measured_and_shown(self):
        self.environment["SIMULATED_GPU_CARDS"] = "2"
        # What joins two cards is told by the driver's management library, where there is one.
        self.environment["LD_LIBRARY_PATH"] = os.environ["PLUMBLINE_FAKE_NVML"]
        self.environment["FAKE_NVML_NVLINK"] = "1"
        text = self.ok("calibrate", "--device", 1, "--quick", timeout=300)
        self.assertRegex(text, r"copies +median of 3 copies of 4.19 MB each, timed by device events\n")
        self.assertRegex(text, r"  device to host, pageable memory +[0-9.]+ GB/s\n")
        self.assertRegex(text, r"  card 0 to card 1 +[0-9.]+ GB/s over NVLink, with peer access\n")
        self.assertRegex(text, r"  card 1 to card 0 +[0-9.]+ GB/s over NVLink, with peer access\n")
        self.assertNotIn("not measured", text)

    def test_the_engine_runs_stops_and_profiles_on_it(self):
        engine = Engine(self)
        devices = engine.until("devices")["devices"]
        self.assertEqual([device["available"] for device in devices], [True, True])
        engine.send("run", id=1, config=SMALL_CONFIG, backend="cuda")
        engine.until("loss", id=1)
        engine.send("stop", id=1)
        self.assertEqual(engine.until("finished", id=1)["outcome"].split()[0], "stopped")
        engine.send("run", id=2, config=SMALL_CONFIG, backend="cuda", steps=30)
        finished = engine.until("finished", id=2)
        self.assertEqual((finished["outcome"], finished["steps_done"]), ("finished", 30))
        engine.send("profile", id=3, config=SMALL_CONFIG, backend="cuda")
        self.assertEqual(engine.until("finished", id=3)["outcome"], "finished")
        engine.send("quit")
        self.assertEqual(engine.wait(), 0)

    def test_a_step_that_does_not_fit_is_refused_with_what_it_needs(self):
        self.environment["SIMULATED_GPU_MEMORY"] = str(256 << 20)
        self.refused(4, "train", "--dim", 2048, "--layers", 24, "--batch", 16, "--steps", 1, "--backend", "cuda")
        self.ok("train", *SMALL, "--steps", 2, "--backend", "cuda")


if __name__ == "__main__":
    unittest.main()
