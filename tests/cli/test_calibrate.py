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
        self.ranks_are_kept_beside_it(machine)

    def ranks_are_kept_beside_it(self, machine):
        step = ["--dim", 32, "--layers", 3, "--batch", 24, "--data-parallel", 2]
        self.assertIsNone(self.ok_json("predict", *step)["predicted"]["totals"]["seconds"])
        ranks = self.ok_json("calibrate", "--quick", "--ranks", 2, timeout=500)
        names = [table["op"] for table in ranks["costs"]["tables"]]
        for name in ("all_reduce bf16", "reduce_scatter bf16", "all_gather fp32", "all_reduce fp32 beside products", "layer_forward fp32 fp32 > fp32 beside traffic"):
            self.assertIn(name, names)
        document = self.ok_json("predict", *step)
        self.assertEqual(document["machine"]["costs"], machine["costs"])
        self.assertEqual([one["ranks"] for one in document["machine"]["costs_of_ranks"]], [2])
        totals = document["predicted"]["totals"]
        self.assertEqual(totals["tier"], "calibrated")
        self.assertGreater(totals["seconds"], totals["exposed_s"])
        for rank in document["predicted"]["ranks"]:
            self.assertGreater(rank["seconds"], rank["waited_s"])
        report = self.ok("profile", *step, "--steps", 5)
        self.assertRegex(report, r"Largest \d of \d collectives +bytes +predicted, calibrated +bus bandwidth +exposed +measured")
        self.assertIn("exposed to traffic", report)
        self.assertIn("check-prediction runs steps of one rank", report)
        for zero in (1, 3):
            shared = self.ok_json("predict", *step, "--zero", zero)["predicted"]
            self.assertGreater(shared["totals"]["seconds"], shared["totals"]["exposed_s"])
            self.assertTrue(all(each["seconds"] > 0 for each in shared["collectives"]))
        step[-1] = 3
        self.assertIn("calibrate --backend cpu --ranks 3 does that", self.ok("predict", *step))

    def test_ranks_are_refused_before_measuring_where_nothing_can_come_of_it(self):
        self.refused(1, "calibrate", "--quick", "--ranks", 2, says=["not calibrated", "run plumbline-cli calibrate"])
        self.refused(2, "calibrate", "--quick", "--ranks", 4096, says=["no core for each", "at most"])
        self.refused(2, "calibrate", "--quick", "--ranks", "two")

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
