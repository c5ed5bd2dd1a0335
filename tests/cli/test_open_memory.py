# SPDX-License-Identifier: Apache-2.0
"""`open` of memory snapshots against the sums of the script that made them."""

import csv
import io
import json
import os
import pickle
import unittest

from plumbline_cli import CliTest

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "memory")


class OpenMemory(CliTest):
    def test_figures_are_the_sums_of_the_entries(self):
        with open(os.path.join(DATA, "expected.json"), encoding="utf-8") as file:
            expected = json.load(file)
        for name, devices in expected.items():
            with self.subTest(name):
                opened = self.ok_json("open", os.path.join(DATA, name))
                self.assertEqual(opened["format"], "pytorch-memory-snapshot")
                self.assertEqual(opened["entries"], sum(each["entries"] for each in devices.values()))
                self.assertEqual([str(each["device"]) for each in opened["devices"]], list(devices))
                for device in opened["devices"]:
                    figures = devices[str(device["device"])]
                    for key in ("entries", "start_bytes", "peak_bytes", "end_bytes", "reserved_start_bytes",
                                "reserved_peak_bytes", "reserved_end_bytes"):
                        self.assertEqual(device[key], figures[key], key)
                    for key in ("active_bytes", "inactive_bytes", "inactive_split_bytes", "largest_free_block_bytes"):
                        self.assertEqual(device["fragmentation"][key], figures[key], key)
                    self.assertEqual(device["segment_count"], figures["segments"])
                    self.assertEqual(sum(device["categories_at_peak"].values()), device["peak_bytes"])
                    self.assertEqual(max(point["live_bytes"] for point in device["curve"]), device["peak_bytes"])
                    if "origins_at_peak" in figures:
                        self.assertEqual(device["categories_at_peak"], figures["origins_at_peak"])

    def test_two_snapshots_are_compared_at_their_peaks(self):
        files = [os.path.join(DATA, name) for name in ("segments_alone.pickle", "step_protocol4.pickle")]
        for key in ("site", "category"):
            compared = self.ok_json("compare", *files, "--by", key, "--all")["devices"][0]
            self.assertEqual(sum(row["after_bytes"] for row in compared["rows"]), compared["after_peak_bytes"])
            self.assertEqual(sum(row["difference_bytes"] for row in compared["rows"]),
                             compared["after_peak_bytes"] - compared["before_peak_bytes"])
            self.assertEqual(sum(change["bytes"] for change in compared["changes"].values()),
                             compared["after_peak_bytes"] - compared["before_peak_bytes"])
            for row in compared["rows"]:
                self.assertEqual(row["change"], "new" if row["before_count"] == 0 else "gone" if row["after_count"] == 0
                                 else "grown" if row["difference_bytes"] > 0 else "less" if row["difference_bytes"] < 0
                                 else "same")
            table = list(csv.DictReader(io.StringIO(self.ok("compare", *files, "--by", key, "--all", "--format", "csv"))))
            self.assertEqual([(row["name"], int(row["difference_bytes"]), row["change"]) for row in table],
                             [(row["name"], row["difference_bytes"], row["change"]) for row in compared["rows"]])
        self.assertEqual(self.ok_json("compare", files[1], files[1])["devices"][0]["rows"], [])

    def test_the_largest_allocations_say_who_made_them(self):
        device = self.ok_json("open", os.path.join(DATA, "step_protocol4.pickle"), "--top", "40")["devices"][0]
        self.assertEqual(sum(each["bytes"] for each in device["largest_at_peak"]), device["peak_bytes"])
        moments = [each for each in device["largest_at_peak"] if each["category"] == "optimizer"]
        self.assertEqual(len(moments), 6)
        self.assertEqual(moments[0]["op"], "zeros_like")
        self.assertIn("adamw.py:140 _init_group", moments[0]["frames"])
        self.assertIsNone(moments[0]["freed_entry"])
        failed = device["out_of_memory"][0]
        self.assertEqual((failed["requested_bytes"], failed["device_free_bytes"]), (80_000_000_000, 123_456_789))
        self.assertTrue(failed["largest"])

    def test_text_names_the_figures(self):
        text = self.ok("open", os.path.join(DATA, "step_protocol5.pickle"))
        for part in ("pickle protocol 5", "live at the peak", "58.8 MB", "zeros_like", "out of memory at entry",
                     "unknown_action (1)"):
            self.assertIn(part, text)

    def test_code_in_a_pickle_is_refused_and_not_executed(self):
        trap = self.folder / "trap"

        class Evil:
            def __reduce__(self):
                return os.mkdir, (str(trap),)

        for protocol, opcode in ((2, "GLOBAL"), (4, "STACK_GLOBAL"), (5, "STACK_GLOBAL")):
            path = self.folder / f"evil{protocol}.pickle"
            path.write_bytes(pickle.dumps({"segments": [], "device_traces": [Evil()]}, protocol))
            self.refused(2, "open", path, says=(f"{opcode} (posix.mkdir)", "not executed"))
            self.assertFalse(trap.exists())


if __name__ == "__main__":
    unittest.main()
