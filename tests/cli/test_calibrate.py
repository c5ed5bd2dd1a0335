# SPDX-License-Identifier: Apache-2.0
"""Calibrates with the fewest sizes; it takes as long as measuring takes, hence a script of its own."""

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


if __name__ == "__main__":
    unittest.main()
