# SPDX-License-Identifier: Apache-2.0
"""Calibrates with the fewest sizes; it takes as long as measuring takes, hence a script of its own."""

import fcntl
import resource
import unittest

from plumbline_cli import SMALL, CliTest


class Calibration(CliTest):
    def test_calibrate_keeps_the_ceilings_and_predict_uses_them(self):
        machine = self.ok_json("calibrate", "--quick", timeout=500)
        self.assertGreater(machine["peak_flop_per_s"]["fp32"], 0)
        self.assertGreater(machine["bandwidth_bytes_per_s"], 0)
        self.assertGreater(len(machine["costs"]["tables"]), 100)
        rates = [point["copy_bytes_per_s"] for point in machine["costs"]["bandwidth"]]
        self.assertGreater(min(rates), 0)
        document = self.ok_json("predict", *SMALL)
        self.assertEqual(document["machine"]["costs"], machine["costs"])
        self.assertEqual(document["machine"]["peak_flop_per_s"], machine["peak_flop_per_s"])
        self.assertGreater(document["predicted"]["totals"]["seconds"], 0)
        self.assertIn("calibrated", self.ok("devices"))

    def test_two_do_not_measure_each_other(self):
        folder = self.folder / "data" / "plumbline"
        folder.mkdir(parents=True)
        with open(folder / "calibrating.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refused(1, "calibrate", "--quick", says="another program calibrates this machine")

    def test_a_place_that_cannot_be_written_is_refused_before_measuring(self):
        (self.folder / "data").mkdir()
        for name, content in (("plumbline", "a file"), ("plumbline/calibration-local-cpu.json/x", None)):
            path = self.folder / "data" / name
            if content:
                path.write_text(content)
            else:
                (self.folder / "data" / "plumbline").unlink()
                path.mkdir(parents=True)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.refused(2, "calibrate", says="data/plumbline")
            used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            self.assertLess(used, 10, "measuring takes a minute and more")

    def test_a_damaged_calibration_stops_no_command(self):
        folder = self.folder / "data" / "plumbline"
        folder.mkdir(parents=True)
        nest = "[" * 2_000_000
        (folder / "calibration-local-cpu.json").write_text(
            '{"format":"plumbline.calibration","version":1,"fingerprint":' + nest + nest.replace("[", "]") + "}")
        self.assertRegex(self.ok("devices"), r"not calibrated: the kept calibration \S+ cannot be used \(.*levels.*\)")
        self.ok("predict", *SMALL)
        self.ok("profile", *SMALL, "--steps", 5)


if __name__ == "__main__":
    unittest.main()
