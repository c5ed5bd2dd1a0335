# SPDX-License-Identifier: Apache-2.0
"""findings: what the rules notice of a profile and of a recorded step, as text and as JSON."""

import json
import re
import unittest

from plumbline_cli import RESOURCES, SMALL, CliTest, changed

ROOT = RESOURCES.parent
MEASURED = ROOT / "tests" / "data" / "step" / "decoder.plumb"


class Findings(CliTest):
    def profile(self, *options):
        return self.ok("profile", *changed(SMALL, *options), "--steps", 8, "--backend", "cpu", "--out", "a.plumb")

    def test_a_profile_ends_with_its_findings(self):
        text = self.profile("--checkpoint", "none", "--layers", 12)
        found = self.ok_json("findings", "a.plumb")
        self.assertTrue(found["measured"])
        rules = {finding["rule"]: finding for finding in found["findings"]}
        self.assertIn("recomputation", rules)
        self.assertEqual(rules["recomputation"]["view"], "checkpoint")
        self.assertIn("\nFindings\n", text)
        self.assertIn(found["findings"][0]["finding"], text)
        self.assertIn("plumbline-cli findings a.plumb", text)
        report = self.ok("findings", "a.plumb")
        for finding in found["findings"]:
            self.assertIn(finding["finding"], report)
            self.assertIn(finding["remedy"]["advice"], report)
            for figure in finding["figures"]:
                self.assertIn(figure["name"] + ": ", report)
        self.assertIn("no hardware counters were collected", report)
        html = self.ok("export", "a.plumb", "--format", "html")
        self.assertIn('id="finding-recomputation"', html)

    def test_what_is_to_be_tried_was_predicted(self):
        self.ok("predict", *changed(SMALL, "--dim", 256, "--layers", 16, "--batch", 2048, "--checkpoint", "none"),
                "--device", "h200-sxm", "--out", "p.plumb")
        found = self.ok_json("findings", "p.plumb")
        self.assertFalse(found["measured"])
        remedies = [finding["remedy"] for finding in found["findings"] if finding["remedy"]["changes"]]
        self.assertTrue(remedies)
        for remedy in remedies:
            options = [part for name, value in remedy["changes"].items() for part in ("--" + name, value)]
            self.ok("predict", *changed(SMALL, "--dim", 256, "--layers", 16, "--batch", 2048, "--checkpoint", "none",
                                        *options), "--device", "h200-sxm", "--out", "again.plumb")
            again = json.loads((self.folder / "again.plumb").read_text())["predicted"]
            self.assertEqual(again["memory"]["peak_bytes"], remedy["predicted"]["peak_bytes_after"])
            self.assertAlmostEqual(again["totals"]["seconds"], remedy["predicted"]["seconds_after"])

    def test_a_recorded_step_has_them_too(self):
        found = self.ok_json("findings", MEASURED)
        self.assertTrue(found["findings"])
        self.assertTrue(all(not finding["remedy"]["changes"] for finding in found["findings"]))
        self.assertIn("needless-micro-batches",
                      [rule["rule"] for rule in found["silent"] if not rule["looked"]])

    def test_what_is_no_step_is_refused(self):
        (self.folder / "none.plumb").write_text("{}")
        self.refused(2, "findings", "none.plumb", says="none.plumb")
        self.refused(2, "findings", "missing.plumb", says="missing.plumb")

    def test_the_manual_has_a_chapter_for_each_rule(self):
        found = self.ok_json("findings", MEASURED)
        rules = {entry["rule"] for entry in found["findings"] + found["silent"]}
        chapters = set(re.findall(r"^### (\S+)$", (ROOT / "docs" / "findings.md").read_text(), re.MULTILINE))
        self.assertEqual(chapters, rules)


if __name__ == "__main__":
    unittest.main()
