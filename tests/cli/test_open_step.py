# SPDX-License-Identifier: Apache-2.0
"""open: recorded steps and snapshots."""

import json
import unittest

from plumbline_cli import RESOURCES, SMALL, CliTest

STEPS = RESOURCES.parent / "tests" / "data" / "step"
MEASURED, PREDICTED = STEPS / "decoder.plumb", STEPS / "decoder_predicted.plumb"


class OpenStep(CliTest):
    def test_a_recorded_step_says_what_its_file_holds(self):
        document = json.loads(MEASURED.read_text())
        found = self.ok_json("open", MEASURED, "--top", 3)
        self.assertEqual(found["ops"], len(document["ops"]["id"]))
        self.assertEqual(found["peak_bytes"], document["memory"]["curve_peak_bytes"])
        self.assertEqual(found["allocator_peak_bytes"], document["memory"]["allocator_peak_bytes"])
        self.assertEqual(found["at_peak"], {**document["memory"]["at_peak"], "communication": 0})  # newer than the file
        self.assertEqual(found["flops"], sum(document["ops"]["flops"]))
        self.assertEqual(found["measured_seconds"], document["measured"]["median"])
        self.assertEqual(len(found["longest_ops"]), 3)
        self.assertEqual(found["longest_ops"][0]["measured_seconds"], max(document["ops"]["seconds"]))
        modules = {module["path"]: module for module in found["modules"]}
        self.assertAlmostEqual(modules["blocks"]["flops"],
                               modules["blocks.0"]["flops"] + modules["blocks.1"]["flops"])
        text = self.ok("open", MEASURED)
        for words in (document["title"], "blocks.1", "inside libraries", document["said"][0]):
            self.assertIn(words, text)

    def test_a_prediction_is_that_of_the_recorder(self):
        document = json.loads(PREDICTED.read_text())
        found = self.ok_json("open", PREDICTED)
        self.assertEqual(found["machine"], document["predicted"]["device"])
        self.assertAlmostEqual(found["predicted_seconds"], document["predicted"]["seconds"], delta=1e-6)
        self.assertIsNone(found["measured_seconds"])
        self.assertIn("Not run", self.ok("open", PREDICTED))

    def test_a_snapshot_is_reported_as_when_it_was_made(self):
        self.ok("profile", *SMALL, "--steps", 4, "--backend", "cpu", "--out", "a.plumb")
        self.assertEqual(self.ok_json("open", "a.plumb")["config"]["dim"], 16)
        self.assertIn("Peak memory", self.ok("open", "a.plumb"))

    def test_a_snapshot_tells_its_note_and_its_bookmarks(self):
        self.ok("profile", *SMALL, "--steps", 4, "--backend", "cpu", "--out", "a.plumb")
        self.assertNotIn("Bookmark", self.ok("open", "a.plumb"))
        document = json.loads((self.folder / "a.plumb").read_text())
        op = document["predicted"]["ops"][1]["id"]
        document["note"] = "slow:\n\n\x1b[31mthe casts \u91cd\u8ba1\u7b97"
        document["bookmarks"] = [{"title": "the peak", "view": "memory", "op": op},
                                 {"title": "", "view": "timeline", "time": {"from": 0.001, "to": 0.0025}},
                                 {"title": "all", "view": "overview"}]
        (self.folder / "a.plumb").write_text(json.dumps(document))
        text = self.ok("open", "a.plumb")
        self.assertIn("Written in the file\n  slow:\n\n  \\u001b[31mthe casts \u91cd\u8ba1\u7b97\n", text)
        lines = [line.split(None, 2) for line in text.splitlines()]
        self.assertIn(["Bookmark", "view", "place"], lines)
        self.assertRegex(text, rf"the peak +memory +{op}\n")
        self.assertRegex(text, r"\(untitled\) +timeline +1.00 ms to 2.50 ms\n")
        self.assertRegex(text, r"all +overview +the whole view\n")
        found = self.ok_json("open", "a.plumb")
        self.assertEqual((found["note"], found["bookmarks"]), (document["note"], document["bookmarks"]))
        document["bookmarks"][0]["title"] = "t" * 1001
        (self.folder / "a.plumb").write_text(json.dumps(document))
        self.refused(2, "open", "a.plumb", says=["a.plumb", "bookmarks[0].title", "1000"])

    def test_losses_are_told_with_what_they_are_or_why_there_are_none(self):
        recording = STEPS / "perceptron.plumb"
        text = self.ok("open", recording)
        self.assertIn("Loss: 1.42254 at step 1 (W), 1.3464 at step 30 (T), of 30 steps: what was given to step()", text)
        self.assertEqual(self.ok_json("open", recording)["losses"], json.loads(recording.read_text())["losses"])
        self.assertIn("no losses. The file has no losses: its recorder noted none.", self.ok("open", MEASURED))
        self.assertEqual(self.ok_json("open", MEASURED)["losses"]["loss"], [])

    def test_a_damaged_step_is_refused_by_the_field(self):
        document = json.loads(MEASURED.read_text())
        document["ops"]["phase"][7] = "sideways"
        (self.folder / "bad.plumb").write_text(json.dumps(document))
        self.refused(2, "open", "bad.plumb", says=["bad.plumb", "phase[7]", "sideways"])
        (self.folder / "cut.plumb").write_text(MEASURED.read_text()[:5000])
        self.refused(2, "open", "cut.plumb", says=["cut.plumb", "truncated"])


if __name__ == "__main__":
    unittest.main()
