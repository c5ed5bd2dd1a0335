# SPDX-License-Identifier: Apache-2.0
"""`export` of a step's memory as a memory snapshot of PyTorch and for speedscope."""

import json
import os
import pickle
import unittest

from plumbline_cli import CliTest

RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "step", "decoder.plumb")


class StepExports(CliTest):
    def test_the_snapshot_has_the_peak_of_the_prediction_and_only_data(self):
        self.ok("predict", "--dim", "64", "--layers", "4", "--batch", "32", "--out", "p.plumb")
        peak = json.loads((self.folder / "p.plumb").read_text())["predicted"]["memory"]["peak_bytes"]
        self.ok("export", "p.plumb", "--format", "memory-snapshot", "--out", "m.pickle")
        opened = self.ok_json("open", "m.pickle")
        self.assertEqual(opened["devices"][0]["peak_bytes"], peak)
        self.assertEqual(opened["findings"], {})
        self.assertEqual(opened["protocol"], 2)

    def test_its_blocks_tile_the_segment_and_entries_agree_with_them(self):
        self.ok("export", RECORDED, "--format", "memory-snapshot", "--out", "m.pickle")
        snapshot = pickle.loads((self.folder / "m.pickle").read_bytes())
        segment, = snapshot["segments"]
        place = segment["address"]
        for block in segment["blocks"]:
            self.assertEqual(block["address"], place)
            place += block["size"]
        self.assertEqual(place, segment["address"] + segment["total_size"])
        self.assertEqual(segment["segment_pool_id"], (0, 0))
        alive = {}
        for entry in snapshot["device_traces"][0]:
            if entry["action"] == "alloc":
                self.assertFalse(any(entry["addr"] < end and begin < entry["addr"] + entry["size"]
                                     for begin, end in alive.items()), "two tensors overlap")
                alive[entry["addr"]] = entry["addr"] + entry["size"]
            if entry["action"] == "free_completed":
                alive.pop(entry["addr"], None)
        self.assertIn("unknown", [entry["category"] for entry in snapshot["device_traces"][0]])

    def test_speedscope_has_balanced_events_and_the_memory_of_the_peak(self):
        self.ok("export", RECORDED, "--format", "memory-snapshot", "--out", "m.pickle")
        peak = self.ok_json("open", "m.pickle")["devices"][0]["peak_bytes"]
        document = json.loads(self.ok("export", RECORDED, "--format", "speedscope"))
        self.assertEqual(document["$schema"], "https://www.speedscope.app/file-format-schema.json")
        time, memory = document["profiles"]
        self.assertEqual((time["type"], time["unit"]), ("evented", "nanoseconds"))
        frames, stack, last = len(document["shared"]["frames"]), [], 0
        for event in time["events"]:
            self.assertGreaterEqual(event["at"], last)
            self.assertLess(event["frame"], frames)
            last = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                self.assertEqual(stack.pop(), event["frame"])
        self.assertEqual((stack, last), ([], time["endValue"]))
        self.assertEqual((memory["type"], memory["unit"]), ("sampled", "bytes"))
        self.assertEqual(len(memory["samples"]), len(memory["weights"]))
        self.assertEqual(sum(memory["weights"]), memory["endValue"])
        self.assertEqual(memory["endValue"], peak)

    def test_a_pickle_goes_to_a_file(self):
        self.refused(2, "export", RECORDED, "--format", "memory-snapshot", says="--out memory.pickle")


if __name__ == "__main__":
    unittest.main()
