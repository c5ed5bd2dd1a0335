# SPDX-License-Identifier: Apache-2.0
"""`export` in every format, of our snapshots and of recorded steps, with readers of our own."""

import csv
import html.parser
import io
import json
import math
import pathlib
import re
import struct
import unittest

from plumbline_cli import RESOURCES, SMALL, CliTest

STEPS = pathlib.Path(__file__).resolve().parent.parent / "data" / "step"
RECORDED = STEPS / "decoder.plumb"
PREDICTED = STEPS / "decoder_predicted.plumb"
HOSTILE = "</script><img src=http://x/ onerror=alert(1)>\"'&\x1b[31m ä 漢\n"


class Page(html.parser.HTMLParser):
    """Elements of a page with their attributes; VOID ones need no end, all others must be closed in order."""

    VOID = {"meta", "link", "br", "hr", "img", "input"}

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.problems, self.texts = [], [], [], []
        self.rows, self.row = {}, None
        self.feed(text)
        self.close()
        self.problems += self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag == "tr":
            self.row = self.rows.setdefault(attributes.get("id", f"row {len(self.rows)}"), [])
        if tag in ("td", "th") and self.row is not None:
            self.row.append({"text": "", **attributes})
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}>")
        if tag == "tr":
            self.row = None

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)
        if self.row:
            self.row[-1]["text"] += data


def crossing(trace):
    """The first two bars of a thread that cross, or None."""
    threads = {}
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            begin = round(event["ts"] * 1000)
            threads.setdefault((event["pid"], event["tid"]), []).append((begin, -(begin + round(event["dur"] * 1000))))
    for bars in threads.values():
        ends = []
        for begin, end in sorted(bars):
            while ends and ends[-1] <= begin:
                ends.pop()
            if ends and ends[-1] < -end:
                return begin, end
            ends.append(-end)
    return None


class Exports(CliTest):
    def formats(self):
        said = self.refused(2, "export", RECORDED, "--format", "?").stderr
        return re.search(r"the formats are (.*)\.", said)[1].replace(" and ", ", ").split(", ")

    def write(self, file, form):
        out = self.folder / "out"
        self.ok("export", file, "--format", form, "--out", out)
        return out.read_bytes()

    def trained(self):
        self.ok("train", *SMALL, "--steps", 12, "--out", "t.plumb")
        return json.loads((self.folder / "t.plumb").read_text())

    def test_every_format_is_written_or_says_in_a_sentence_why_it_is_not(self):
        self.trained()
        self.ok("predict", *SMALL, "--device", "H200 SXM", "--out", "p.plumb")
        for file, absent in (("t.plumb", set()), ("p.plumb", {"training", "timeline", "tensorboard"}),
                             (RECORDED, {"training", "tensorboard"}), (PREDICTED, {"training", "timeline", "tensorboard"})):
            for form in self.formats():
                with self.subTest(file=file, form=form):
                    if form.split("-")[0] in absent:
                        self.refused(2, "export", file, "--format", form, "--out", "o", says=[str(file)])
                        self.assertRegex(self.run_cli("export", file, "--format", form, "--out", "o").stderr, "(?i)there is no|has no losses")
                    elif file == PREDICTED and form == "chrome-trace":
                        self.run_cli("export", file, "--format", form, "--out", "o")  # where its device is known
                    else:
                        self.assertGreater(len(self.write(file, form)), 20)

    def test_a_memory_snapshot_that_is_opened_again_knows_what_all_bytes_are_for(self):
        self.trained()
        self.ok("export", "t.plumb", "--format", "memory-snapshot", "--out", "m.pickle")
        device = self.ok_json("open", "m.pickle")["devices"][0]
        categories = device["categories_at_peak"]
        self.assertEqual(sum(categories.values()), device["peak_bytes"])
        self.assertNotIn("unknown", categories)
        self.assertGreater(categories["parameters"], 0)

    def test_what_is_no_text_goes_to_a_file(self):
        for form in ("parquet", "memory-npy", "memory-snapshot"):
            self.refused(2, "export", RECORDED, "--format", form, says=[form, "--out "])

    def test_a_trace_of_a_recorded_step_has_its_ops_with_module_and_phase(self):
        trace = json.loads(self.write(RECORDED, "chrome-trace"))
        self.assertIsNone(crossing(trace))
        recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
        ops = [e for e in trace["traceEvents"] if e["ph"] == "X" and e["pid"] == 1 and e["cat"] == "cpu_op"]
        self.assertEqual(len(ops), len(recorded["ops"]["id"]))
        self.assertTrue(any(e["args"].get("module") for e in ops))
        self.assertEqual({e["args"]["phase"] for e in ops} - {"forward", "loss", "backward", "optimizer", "data", "recompute"}, set())
        self.assertTrue(any(isinstance(e["args"].get("Input Dims"), list) for e in ops))
        for event in trace["traceEvents"]:
            if event["ph"] == "X":
                self.assertTrue(event["cat"])
                self.assertGreaterEqual(event["dur"], 0)
        (self.folder / "trace.json").write_text(json.dumps(trace))
        opened = self.ok_json("open", "trace.json")
        self.assertEqual(opened["lost_events"], 0)
        self.assertEqual([step["name"] for step in opened["steps"]], ["ProfilerStep#0"])

    def test_the_crossing_of_two_bars_is_found_by_the_test_above(self):
        trace = {"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 2}, {"ph": "X", "pid": 1, "tid": 1, "ts": 2, "dur": 2}]}
        self.assertIsNotNone(crossing(trace))

    def test_the_sums_of_the_tables_are_those_of_the_snapshot(self):
        document = self.trained()
        ops = list(csv.DictReader(io.StringIO(self.write("t.plumb", "csv").decode())))
        self.assertEqual(sum(int(op["flops"]) for op in ops), document["predicted"]["totals"]["flops"])
        memory = list(csv.DictReader(io.StringIO(self.write("t.plumb", "memory-csv").decode())))
        for kind in ("predicted", "measured"):
            self.assertEqual(max(int(row[f"{kind}_bytes"]) for row in memory), document[kind]["memory"]["peak_bytes"])
        modules = list(csv.DictReader(io.StringIO(self.write("t.plumb", "modules-csv").decode())))
        self.assertEqual(int(modules[0]["flops"]), document["predicted"]["totals"]["flops"])
        timeline = list(csv.DictReader(io.StringIO(self.write("t.plumb", "timeline-csv").decode())))
        self.assertEqual(len(timeline), len(document["measured"]["timeline"]["records"]["begin"]))

    def test_curves_are_records_of_numbers(self):
        document = self.trained()
        content = self.write("t.plumb", "training-npy")
        self.assertEqual(content[:8], b"\x93NUMPY\x01\x00")
        length, = struct.unpack("<H", content[8:10])
        header = eval(content[10:10 + length], {"__builtins__": {}})  # a literal that we wrote
        names = [name for name, _ in header["descr"]]
        rows = list(struct.iter_unpack("<" + "".join({"<i8": "q", "<f8": "d"}[kind] for _, kind in header["descr"]), content[10 + length:]))
        self.assertEqual(header["shape"], (len(rows),))
        self.assertEqual([row[names.index("loss")] for row in rows], document["training"]["loss"])
        self.assertTrue(all(math.isnan(row[names.index("loss_scale")]) for row in rows))

    def test_the_report_holds_together_and_fetches_nothing(self):
        self.trained()
        for file in ("t.plumb", RECORDED, PREDICTED):
            with self.subTest(file):
                text = self.write(file, "html").decode()
                page = Page(text)
                self.assertEqual(page.problems, [])
                for tag, attributes in page.elements:
                    self.assertNotIn(tag, ("link", "img", "iframe", "object", "embed", "base", "form"))
                    self.assertEqual({"src", "href", "xlink:href", "action", "style", "onload", "onerror"} & set(attributes), set(), tag)
                self.assertEqual(re.findall(r"url\(|@import|https?:|//[a-z]", re.sub(r"/\*.*?\*/", "", text)), [])
                self.assertEqual(len(re.findall("<svg ", text)), 3 if file == "t.plumb" else 2)
                self.assertIn("prefers-color-scheme: dark", text)
                self.assertIn("@media print", text)

    def test_figures_of_the_report_are_those_of_the_snapshot(self):
        document = self.trained()
        rows = Page(self.write("t.plumb", "html").decode()).rows

        def value(row, column):
            return float(rows["figure-" + row][column].get("data-value", "nan"))

        for column, kind in ((1, "predicted"), (2, "measured")):
            self.assertEqual(value("peak-bytes", column), document[kind]["memory"]["peak_bytes"])
            for name, bytes_ in document[kind]["memory"]["at_peak_bytes"].items():
                if bytes_ > 0:
                    self.assertEqual(value(name, column), bytes_)
            seconds = document[kind]["totals"]["seconds"]
            if seconds is not None:
                self.assertEqual(value("seconds", column), seconds)
        self.assertEqual(value("flops", 1), document["predicted"]["totals"]["flops"])
        ops = [row for name, row in rows.items() if name.startswith("row") and len(row) == 10 and row[0].get("data-value")]
        self.assertEqual([op[1]["text"] for op in ops], [op["name"] for op in document["predicted"]["ops"]])
        for shown, predicted in zip(ops, document["predicted"]["ops"]):
            self.assertEqual(int(shown[4]["data-value"]), predicted["flops"])

    def test_colours_of_the_report_are_those_of_the_window(self):
        text = self.write(RECORDED, "html").decode()
        for theme in ("light", "dark"):
            colours = json.loads((RESOURCES / "themes" / f"{theme}.json").read_text())
            for group in ("categories", "phases"):
                for name, colour in colours[group].items():
                    self.assertIn(colour, text, (theme, name))

    def test_losses_of_a_recording_are_written_with_their_pass(self):
        source = STEPS / "perceptron.plumb"
        losses = json.loads(source.read_text())["losses"]
        rows = list(csv.DictReader(io.StringIO(self.write(source, "training-csv").decode())))
        self.assertEqual([int(row["step"]) for row in rows], losses["step"])
        self.assertEqual([row["pass"] for row in rows], losses["pass"])
        self.assertEqual([float(row["loss"]) for row in rows], losses["loss"])
        self.assertEqual({row["gradient_norm"] for row in rows}, {""})
        self.refused(2, "export", RECORDED, "--format", "training-csv", says="noted none")

    def test_names_of_a_stranger_stay_names(self):
        document = json.loads(RECORDED.read_text(encoding="utf-8"))
        for column in ("name", "kind", "module"):
            document["ops"][column] = [HOSTILE] * len(document["ops"][column])
        document["title"] = document["program"] = HOSTILE
        (self.folder / "h.plumb").write_text(json.dumps(document))
        for form in self.formats():
            if form.startswith(("training", "tensorboard")):
                continue
            content = self.write("h.plumb", form)
            if form == "html":
                page = Page(content.decode())
                self.assertEqual(page.problems, [])
                self.assertNotIn("img", [tag for tag, _ in page.elements])
                self.assertTrue(any("<img src=" in text for text in page.texts), "shown as text")
            if form in ("chrome-trace", "speedscope"):
                self.assertIn(HOSTILE, set(strings(json.loads(content))), form)
            if form.endswith("csv"):
                self.assertNotIn(b"\x1b", content)


def strings(value):
    """All texts of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from strings(entry)
    elif isinstance(value, dict):
        for entry in value.values():
            yield from strings(entry)


if __name__ == "__main__":
    unittest.main()
