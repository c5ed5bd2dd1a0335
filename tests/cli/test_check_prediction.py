# SPDX-License-Identifier: Apache-2.0
"""check-prediction against a small calibration that is written here, so that nothing has to be calibrated."""

import json
import pathlib
import signal
import statistics
import unittest

from plumbline_cli import CliTest
from test_progress import Terminal

DTYPES = ["fp32", "tf32", "bf16", "fp16", "fp8_e4m3"]


class CheckPrediction(CliTest):
    def calibrated(self):
        """Keeps ceilings for this machine under the fingerprint that the program itself writes."""
        machine = self.ok_json("devices")[0]
        self.path = self.folder / "data" / "plumbline" / "calibration-local-cpu.json"
        machine.update({
            "bandwidth_bytes_per_s": 1e9,
            "peak_flop_per_s": {dtype: 2e9 for dtype in DTYPES},
            "per_op_overhead_s": 1e-6,
            "source": "calibrated 2026-11-20",
        })
        document = {"format": "plumbline.calibration", "version": 3, "fingerprint": self.fingerprint(),
                    "machine": machine}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(document))
        return machine

    def fingerprint(self):
        """As the program makes it: processor, usable cores, FNV-1a of the instruction sets."""
        model = flags = ""
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() in ("model name", "Model", "Hardware") and not model:
                model = value.strip()
            if key.strip() in ("flags", "Features") and not flags:
                flags = value.strip()
        digest = 0xCBF29CE484222325
        for byte in flags.encode():
            digest = ((digest ^ byte) * 0x100000001B3) % 2**64
        return {"model": model or "unknown processor", "cores": 1, "flags": f"{digest:016x}"}

    def test_the_reported_median_is_that_of_the_listed_errors_and_is_kept(self):
        self.calibrated()
        report = self.ok_json("check-prediction", "--configs", "4", "--seed", "3", "--longest-ms", "20", timeout=500)
        errors = [abs(step["error"]) for step in report["configurations"]]
        self.assertEqual(len(errors), 4)
        for step in report["configurations"]:
            self.assertAlmostEqual(step["error"], step["predicted_s"] / step["measured_s"] - 1, places=9)
            self.assertLessEqual(step["predicted_s"], 0.02)
        self.assertAlmostEqual(report["median_error"], statistics.median(errors), places=9)
        self.assertAlmostEqual(report["p90_error"], max(errors), places=9)
        self.assertEqual(report["seed"], 3)

        record = self.ok_json("devices")[0]["prediction_check"]
        self.assertEqual(record["configurations"], 4)
        self.assertAlmostEqual(record["median_error"], report["median_error"], places=9)
        self.assertIn("median error", self.ok("devices"))

    def test_the_text_lists_every_configuration_and_ends_with_the_record(self):
        self.calibrated()
        lines = self.ok("check-prediction", "--configs", "2", "--longest-ms", "20", timeout=500).splitlines()
        self.assertIn("predicted", lines[0])
        self.assertEqual(len(lines), 1 + 2 + 2)
        self.assertIn("2 configurations", lines[-1])

    def test_a_peak_that_is_too_low_is_named_and_not_shown_as_a_utilisation(self):
        self.calibrated()
        work = ["--dim", "256", "--layers", "4", "--batch", "512", "--backend", "cpu", "--steps", "3"]
        text = self.ok("profile", *work)
        row = next(line for line in text.splitlines() if line.strip().startswith("MFU"))
        self.assertIn("above 100 %", row)
        self.assertIn("is not possible: the peak of", text)
        self.assertIn("calibrate --backend cpu again", text)
        self.assertIn("ceiling too low", text)
        document = self.ok_json("profile", *work)
        self.assertTrue(any("is not possible" in note for note in document["notes"]))

    def test_a_calibrated_time_has_its_tier_and_after_a_check_its_band(self):
        self.calibrated()
        totals = self.ok_json("predict", "--dim", "64")["predicted"]["totals"]
        self.assertEqual(totals["tier"], "calibrated")
        self.assertNotIn("seconds_low", totals)
        self.assertIn("nobody has checked them here", self.ok("predict", "--dim", "64"))
        report = self.ok_json("check-prediction", "--configs", "3", "--longest-ms", "20", timeout=500)
        totals = self.ok_json("predict", "--dim", "64")["predicted"]["totals"]
        self.assertAlmostEqual(totals["seconds_low"], totals["seconds"] / (1 + report["p90_error"]), places=12)
        self.assertIn("predicted, calibrated", self.ok("predict", "--dim", "64"))

    def test_data_files_and_single_operations_are_checked_too(self):
        self.calibrated()
        report = self.ok_json("check-prediction", "--configs", "8", "--longest-ms", "5", timeout=500)
        files = [step for step in report["configurations"] if step["config"]["data"] != "synthetic"]
        self.assertTrue(files)
        self.assertFalse(pathlib.Path(files[0]["config"]["data"]).exists(), "what was written is taken away")
        names = {op["op"] for step in files for op in step["ops"]}
        self.assertTrue(any(name.startswith("load_batch rows") for name in names), names)

    def test_a_calibration_of_an_older_version_is_refused_with_the_remedy(self):
        self.calibrated()
        self.path.write_text(self.path.read_text().replace('"version": 3', '"version": 2', 1))
        self.assertIn("older version", self.ok("devices"))
        self.assertIn("run plumbline-cli calibrate again", self.ok("devices"))

    def test_without_a_calibration_it_says_what_to_do(self):
        self.refused(2, "check-prediction", "--configs", "1", says="run plumbline-cli calibrate --backend cpu first")

    def test_nonsense_is_refused(self):
        self.calibrated()
        self.refused(2, "check-prediction", "--configs", "0")
        self.refused(2, "check-prediction", "--configs", "many")
        self.refused(2, "check-prediction", "--seed", "-1")
        self.refused(2, "check-prediction", "--longest-ms", "0")

    def test_a_damaged_calibration_is_named(self):
        self.calibrated()
        self.path.write_text(self.path.read_text()[:-40])
        self.assertIn("not calibrated", self.ok("devices"))
        self.refused(2, "check-prediction", "--configs", "1")

    def test_interrupted_it_reports_what_was_done_and_keeps_no_record(self):
        self.calibrated()
        terminal = Terminal(self, "check-prediction", "--configs", "100000", "--longest-ms", "5", "--json")
        terminal.read("of 100000")
        terminal.process.send_signal(signal.SIGINT)
        report = json.loads(terminal.process.stdout.read())
        self.assertEqual(terminal.process.wait(60), 1)
        self.assertIn("check-prediction stopped", terminal.read())
        errors = [abs(step["error"]) for step in report["configurations"]]
        self.assertAlmostEqual(report["median_error"], statistics.median(errors), places=9)
        self.assertNotIn("prediction_check", self.ok_json("devices")[0])


if __name__ == "__main__":
    unittest.main()
