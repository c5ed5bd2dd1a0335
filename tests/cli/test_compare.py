# SPDX-License-Identifier: Apache-2.0
"""compare and check: steps side by side, and a step held to a budget."""

import csv
import io
import json
import unittest

from plumbline_cli import RESOURCES, SMALL, CliTest, changed

STEPS = RESOURCES.parent / "tests" / "data" / "step"
MEASURED, PREDICTED = STEPS / "decoder.plumb", STEPS / "decoder_predicted.plumb"


class Compare(CliTest):
    def profile(self, name, *options):
        self.ok("profile", *changed(SMALL, *options), "--steps", 8, "--backend", "cpu", "--out", name)

    def test_steps_of_any_origin_stand_side_by_side(self):
        self.profile("a.plumb")
        self.profile("b.plumb", "--dim", 32)
        found = self.ok_json("compare", "a.plumb", "b.plumb", MEASURED)
        self.assertEqual([step["label"] for step in found["steps"]], ["a.plumb", "b.plumb", "decoder.plumb"])
        self.assertEqual([step["changed"] for step in found["steps"]], [False, True, True])
        facts = {fact["name"]: fact["values"] for fact in found["facts"]}
        self.assertEqual(facts["dim"], ["16", "32", ""])
        figures = {figure["name"]: figure for figure in found["figures"]}
        document = json.loads((self.folder / "b.plumb").read_text())
        self.assertEqual(figures["peak memory"]["values"][1], document["measured"]["memory"]["peak_bytes"])
        self.assertEqual(figures["peak memory"]["values"][2],
                         json.loads(MEASURED.read_text())["memory"]["allocator_peak_bytes"])
        self.assertAlmostEqual(figures["step time"]["values"][1], document["measured"]["totals"]["seconds"])

    def test_the_same_file_twice_is_no_change(self):
        self.profile("a.plumb")
        text = self.ok("compare", "a.plumb", "a.plumb")
        self.assertIn("Nothing was chosen or found differently", text)
        self.assertIn("No real change from a.plumb to a.plumb", text)
        self.assertIn("None of", text)

    def test_what_really_differs_is_listed(self):
        self.profile("a.plumb")
        self.profile("b.plumb", "--layers", 3)
        text = self.ok("compare", "a.plumb", "b.plumb")
        self.assertIn("layer 3", text)
        self.assertIn("layers", text)
        markdown = self.ok("compare", "a.plumb", "b.plumb", "--format", "markdown", "--all")
        rows = [line for line in markdown.splitlines() if line.startswith("|")]
        self.assertGreater(len(rows), 30)
        self.assertTrue(all(line.endswith("|") for line in rows))

    def test_a_comparison_as_csv_has_every_number_of_json(self):
        self.profile("a.plumb")
        self.profile("b.plumb", "--layers", 3)
        files = ["a.plumb", "b.plumb", MEASURED]
        rows = list(csv.DictReader(io.StringIO(self.ok("compare", *files, "--format", "csv", "--all"))))
        found = self.ok_json("compare", *files)
        self.assertEqual({row["step"] for row in rows}, {"b.plumb", "decoder.plumb"})
        kinds = {of: [row for row in rows if row["of"] == of and row["step"] == "b.plumb"] for of in
                 ("figure", "op time", "op flops", "op bytes", "tensor")}
        self.assertEqual([row["name"] for row in kinds["figure"]], [figure["name"] for figure in found["figures"]])
        for row, figure in zip(kinds["figure"], found["figures"]):
            for column, value in zip(("baseline", "other"), figure["values"]):
                self.assertEqual(float(row[column]) if row[column] else None, value)
        flops = [entry for entry in found["operations"] if entry["ops"][0] or entry["ops"][1]]
        self.assertEqual([int(float(row["baseline"] or 0)) for row in kinds["op flops"]],
                         [entry["flops"][0] or 0 for entry in flops])
        self.assertTrue(all(kinds.values()))
        real = list(csv.DictReader(io.StringIO(self.ok("compare", *files, "--format", "csv"))))
        self.assertLess(len(real), len(rows))

    def test_what_cannot_be_compared_is_refused(self):
        self.profile("a.plumb")
        self.refused(2, "compare", "a.plumb", says=["2 arguments", "FILE"])
        self.refused(2, "compare", "a.plumb", "missing.plumb", says="missing.plumb")
        (self.folder / "text.plumb").write_text("{}")
        self.refused(2, "compare", "a.plumb", "text.plumb", says=["text.plumb", "neither a snapshot nor"])
        self.refused(2, "compare", "a.plumb", "a.plumb", "--format", "pdf", says="(pdf)")


class Check(CliTest):
    def budget(self, **limits):
        (self.folder / "budget.json").write_text(json.dumps(limits))
        return ["--budget", "budget.json"]

    def test_a_kept_budget_is_success(self):
        text = self.ok("check", MEASURED, *self.budget(peak_bytes="1 MB", step_seconds="1 s", flops="1 GFLOP"))
        self.assertEqual(text.count("kept"), 3)
        found = self.ok_json("check", MEASURED, *self.budget(bytes=1e9))
        self.assertTrue(found["kept"])

    def test_a_budget_as_csv(self):
        text = self.ok("check", MEASURED, *self.budget(peak_bytes="1 MB"), "--format", "csv")
        row, = csv.DictReader(io.StringIO(text))
        self.assertEqual((row["limit"], row["unit"], float(row["allowed"]), row["kept"]),
                         ("peak memory", "B", 1e6, "true"))

    def test_an_exceeded_budget_fails_by_name(self):
        done = self.refused(1, "check", MEASURED, *self.budget(peak_bytes="1 kB", step_seconds="1 s"),
                            says=["exceeded", "peak memory"])
        self.assertIn("172 kB", done.stdout)
        self.assertNotIn("step time", done.stderr)

    def test_hostile_files_are_refused_by_name(self):
        deep = b"[" * 10_000_000
        (self.folder / "deep.plumb").write_bytes(b'{"format": "plumbline.step", "version": 1, "ops": ' + deep)
        (self.folder / "deep.json").write_bytes(b'{"flops": ' + deep)
        (self.folder / "twice.json").write_text('{"flops": 1, "flops": 1e12}')
        (self.folder / "less.json").write_text('{"flops": -1}')
        self.refused(2, "check", "deep.plumb", *self.budget(flops=1), says=["deep.plumb", "nests more than"])
        self.refused(2, "open", "deep.plumb", says=["deep.plumb", "nests more than"])
        self.refused(2, "check", MEASURED, "--budget", "deep.json", says=["deep.json", "larger than"])
        self.refused(2, "check", MEASURED, "--budget", "twice.json", says=["twice.json", "flops more than once"])
        self.refused(2, "check", MEASURED, "--budget", "less.json", says=["less.json", "below 0"])

    def test_growth_needs_a_baseline(self):
        growth = self.budget(peak_bytes_growth="5 %", step_seconds_growth="5 %", flops_growth=0)
        self.refused(2, "check", MEASURED, *growth, says="--baseline is missing")
        self.assertEqual(self.ok("check", MEASURED, *growth, "--baseline", MEASURED).count("kept"), 3)
        self.refused(2, "check", MEASURED, *self.budget(flops=1e12), "--baseline", MEASURED, says="no limit")
        for name, factor in (("before", 1), ("slower", 1.3)):
            document = json.loads(MEASURED.read_text())
            document["measured"]["step_seconds"] = [factor * each for each in (1e-3, 1.01e-3, 0.99e-3, 1e-3, 1.02e-3)]
            (self.folder / f"{name}.plumb").write_text(json.dumps(document))
        self.refused(1, "check", "slower.plumb", *self.budget(step_seconds_growth=0.05), "--baseline", "before.plumb",
                     says="step time over the baseline")

    def test_what_is_no_budget_is_refused(self):
        self.refused(2, "check", MEASURED, says="--budget is missing")
        self.refused(2, "check", MEASURED, *self.budget(peak=1), says=["(peak)", "peak_bytes"])
        self.refused(2, "check", MEASURED, *self.budget(step_seconds="5 GB"), says="no quantity")

    def test_a_prediction_is_checked_as_one(self):
        self.assertIn("predicted", self.ok("check", PREDICTED, *self.budget(step_seconds="1 s")))


if __name__ == "__main__":
    unittest.main()
