#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans as files, side by side and swept; what the planner says beside its answers."""

import csv
import io
import json
import os
import unittest

from plumbline_cli import CliTest, changed

H100 = ["--device", "H100 SXM"]
LARGE = ["--model", "llama-3-70b", *H100, "--devices", "512", "--tensor", "8", "--batch", "1024", "--tokens", "15T"]


def without_source(document):
    """A plan says of the model where it was found; the rest of an answer is the same."""
    document = json.loads(json.dumps(document))
    for assumption in document["assumptions"].values():
        del assumption["source"], assumption["given"]
    del document["explanations"]
    return document


class Files(CliTest):
    def test_a_saved_plan_gives_the_answers_of_its_options(self):
        for options in [LARGE, ["--parameters", "70e9", "--tokens", "15e12", "--devices", "1024", *H100, "--mfu", "0.3:0.5:0.6"],
                        ["--dim", "256", "--layers", "8", "--batch", "64", "--devices", "2", *H100, "--tokens", "1e6"],
                        ["--model", "deepseek-v3", *H100, "--devices", "1024", "--tokens", "1T", "--recompute", "full",
                         "--expert", "8", "--optimizer", "adam", "--precision", "bf16", "--dropout", "on"]]:
            self.ok("plan", "save", "a.plan.json", *options)
            compared = 0
            for question in ["step", "cost", "memory", "time"]:
                done = self.run_cli("plan", question, *options, "--json")
                if done.returncode != 0:
                    continue  # not every question takes every option or model
                compared += 1
                opened = self.ok_json("plan", question, "--scenario", "a.plan.json")
                self.assertEqual(without_source(opened), without_source(json.loads(done.stdout)), (question, options))
            self.assertGreater(compared, 1, options)

    def test_options_override_a_plan(self):
        self.ok("plan", "save", "a.plan.json", *LARGE)
        step = self.ok_json("plan", "step", "--scenario", "a.plan.json", "--devices", "256", "--recompute", "full")
        same = self.ok_json("plan", "step", *changed(LARGE, "--devices", "256"), "--assume", "goodput=1", "--recompute", "full")
        self.assertEqual(step["step_seconds"], same["step_seconds"])
        other = self.ok_json("plan", "step", "--scenario", "a.plan.json", "--model", "llama-3-8b")
        self.assertEqual(other["model"]["name"], "Llama 3 8B")
        count = self.ok_json("plan", "time", "--scenario", "a.plan.json", "--parameters", "7e9", "--mfu", "0.5")
        self.assertEqual(count["days"]["expected"],
                         self.ok_json("plan", "time", "--parameters", "7e9", "--tokens", "15T", "--devices", "512", *H100,
                                      "--mfu", "0.5")["days"]["expected"])

    def test_options_of_the_deep_linear_model_override_those_of_its_plan(self):
        self.ok("plan", "save", "a.plan.json", "--dim", "256", "--layers", "8", "--batch", "64", *H100)
        step = self.ok_json("plan", "step", "--scenario", "a.plan.json", "--batch", "128", "--precision", "bf16")
        self.assertEqual(step["step_seconds"],
                         self.ok_json("plan", "step", "--dim", "256", "--layers", "8", "--batch", "128", "--precision",
                                      "bf16", *H100)["step_seconds"])
        step = self.ok_json("plan", "step", "--scenario", "a.plan.json", "--layers", "4")
        self.assertEqual(step["step_seconds"],
                         self.ok_json("plan", "step", "--dim", "256", "--layers", "4", "--batch", "64", *H100)["step_seconds"])
        # What the deep linear model alone decides does not stay with another one.
        other = self.ok_json("plan", "memory", "--scenario", "a.plan.json", "--model", "llama-3-8b", "--devices", "64")
        self.assertEqual(other["memory_bytes"],
                         self.ok_json("plan", "memory", "--model", "llama-3-8b", "--devices", "64", *H100, "--batch",
                                      "64")["memory_bytes"])

    def test_a_plan_is_refused_by_the_name_of_its_field(self):
        self.ok("plan", "save", "a.plan.json", *LARGE)
        plan = json.loads((self.folder / "a.plan.json").read_text())
        self.assertEqual((plan["format"], plan["version"]), ("plumbline.plan", 1))
        for change, says in [(lambda p: p["layout"].update(tensors=4), ["layout", "'tensors'", "tensor"]),
                             (lambda p: p["cluster"].update(devices=-1), "cluster.devices"),
                             (lambda p: p["model"]["transformer"].pop("heads"), "model.transformer.heads is missing"),
                             (lambda p: p.update(version=7), ["newer version (7)", "update"])]:
            damaged = json.loads(json.dumps(plan))
            change(damaged)
            (self.folder / "b.plan.json").write_text(json.dumps(damaged))
            self.refused(2, "plan", "step", "--scenario", "b.plan.json", says=["b.plan.json", *([says] if isinstance(says, str) else says)])
        (self.folder / "c.plan.json").write_text("{")
        self.refused(2, "plan", "step", "--scenario", "c.plan.json", says="c.plan.json")
        self.refused(2, "plan", "step", "--scenario", "none.plan.json", says="none.plan.json")
        self.refused(2, "plan", "save", "plan.txt", *LARGE, says=".plan.json")

    def test_help_names_plans_and_sweeps(self):
        self.assertIn("--scenario FILE.plan.json", self.ok("plan", "batch", "--help"))
        self.assertIn("devices=64..4096:x2", self.ok("plan", "cost", "--help"))

    def test_a_key_that_stands_twice_is_refused(self):
        self.ok("plan", "save", "a.plan.json", *LARGE)
        text = (self.folder / "a.plan.json").read_text()
        (self.folder / "b.plan.json").write_text(text.replace('"tensor":', '"tensor": 4, "tensor":', 1))
        self.refused(2, "plan", "step", "--scenario", "b.plan.json", says=["b.plan.json has a key twice (tensor)", "leave one"])
        config = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 96,
                  "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 128}
        (self.folder / "config.json").write_text(json.dumps(config)[:-1] + ', "hidden_size": 128}')
        self.refused(2, "plan", "params", "config.json", says=["config.json has a key twice (hidden_size)"])
        self.refused(2, "plan", "memory", "--model", "config.json", says=["config.json has a key twice (hidden_size)"])
        (self.folder / "config.json").write_text(json.dumps({**config, "a": {"hidden_size": 1}, "b": [{"x": 1}, {"x": 2}]}))
        self.ok("plan", "params", "config.json")  # objects of their own

    def test_nothing_is_left_of_a_plan_that_cannot_be_written(self):
        os.mkdir(self.folder / "a.plan.json")
        self.assertNotEqual(self.run_cli("plan", "save", "a.plan.json", *LARGE).returncode, 0)
        self.assertEqual(sorted(p.name for p in self.folder.glob("*plan*")), ["a.plan.json"])


class Comparing(CliTest):
    def setUp(self):
        super().setUp()
        self.ok("plan", "save", "a.plan.json", *LARGE)
        self.ok("plan", "save", "b.plan.json", "--scenario", "a.plan.json", "--tensor", "4", "--mfu", "0.5")

    def test_what_differs_stands_first_and_the_answers_are_those_of_each(self):
        compared = self.ok_json("plan", "compare", "a.plan.json", "b.plan.json")
        self.assertEqual(compared["plans"], ["a", "b"])
        self.assertEqual([row["key"] for row in compared["inputs"] if row["differs"]], ["tensor", "mfu"])
        self.assertEqual([row["key"] for row in compared["inputs"]][:2], ["tensor", "mfu"])
        answers = {row["key"]: row for row in compared["answers"]}
        for index, name in enumerate(["a", "b"]):
            step = self.ok_json("plan", "step", "--scenario", f"{name}.plan.json")
            for key in ["step_seconds", "memory_bytes", "step_mfu", "step_days"]:
                self.assertEqual(answers[key]["values"][index], step[key]["expected"])
        self.assertAlmostEqual(answers["step_seconds"]["differences"][1],
                               answers["step_seconds"]["values"][1] - answers["step_seconds"]["values"][0])

    def test_the_text_says_what_differs_and_by_how_much(self):
        text = self.ok("plan", "compare", "a.plan.json", "b.plan.json")
        lines = text.splitlines()
        self.assertRegex(lines[1], r"tensor parallelism +8 +4")
        self.assertIn("b over a", text)
        self.assertRegex(text, r"step time .*−\d+\.\d %")
        self.assertNotIn("devices per node", text)
        self.assertIn("devices per node", self.ok("plan", "compare", "a.plan.json", "b.plan.json", "--all"))

    def test_three_plans_and_no_more(self):
        self.ok("plan", "save", "c.plan.json", "--scenario", "a.plan.json", "--tensor", "2")
        self.assertEqual(len(self.ok_json("plan", "compare", "a.plan.json", "b.plan.json", "c.plan.json")["plans"]), 3)
        self.refused(2, "plan", "compare", *["a.plan.json"] * 4, says="4 plans")
        self.refused(2, "plan", "compare", "a.plan.json", says="2 arguments")


class Sweeping(CliTest):
    def test_a_sweep_has_the_answers_of_each_value(self):
        swept = self.ok_json("plan", "step", *LARGE, "--sweep", "devices=64..512:x2")
        self.assertEqual([row["value"] for row in swept["rows"]], [64, 128, 256, 512])
        self.assertTrue(swept["complete"])
        one = self.ok_json("plan", "step", *LARGE)
        for key in ["step_seconds", "memory_bytes", "step_days", "step_mfu"]:
            self.assertEqual(swept["rows"][-1][key], one[key])
        for key in ["fits", "needed_bytes", "available_bytes"]:
            self.assertEqual(swept["rows"][-1][key], one[key])

    def test_csv_says_why_a_number_is_missing(self):
        rows = list(csv.DictReader(io.StringIO(self.ok("plan", "step", *LARGE, "--sweep", "tp=1,2,3,8", "--csv"))))
        self.assertEqual([row["tensor"] for row in rows], ["1", "2", "3", "8"])
        self.assertEqual([row["fits"] for row in rows], ["false", "true", "", "true"])
        self.assertEqual(rows[2]["step_seconds"], "")
        self.assertIn("cannot be divided", rows[2]["problem"])
        self.assertEqual([row["problem"] for row in rows[:2]], ["", ""])
        text = self.ok("plan", "step", *LARGE, "--sweep", "tensor=1,3,8")
        self.assertIn("does not fit", text)
        self.assertIn("3: devices 512 cannot be divided", text)

    def test_every_answer_question_can_be_swept(self):
        base = ["--parameters", "7e9", "--devices", "8", *H100]
        for question, options, sweep in [("time", [*base, "--tokens", "1T"], "mfu=0.3..0.5:+0.1"), ("fit", base, "devices=1..8:x2"),
                                         ("memory", LARGE[:-2], "micro-batch=1,2"), ("cost", LARGE, "device-price=1,2,3"),
                                         ("optimal", [], "budget=1e21..1e23:x10"),
                                         ("mfu", base, "tokens-per-second=1e3..4e3:x2")]:
            rows = self.ok_json("plan", question, *options, "--sweep", sweep)["rows"]
            self.assertGreater(len(rows), 1, question)
            for row in rows:
                self.assertIsNone(row["problem"], question)

    def test_two_sweeps_are_a_grid(self):
        grid = ["--sweep", "sequence=1024..4096:x2", "--sweep", "micro-batch=1,2"]
        base = ["plan", "memory", "--model", "llama-3-8b", "--devices", "8", *H100]
        document = self.ok_json(*base, *grid)
        self.assertEqual(document["sweep"], ["sequence", "micro-batch"])
        self.assertEqual([row["values"] for row in document["rows"]],
                         [{"sequence": s, "micro-batch": m} for s in [1024, 2048, 4096] for m in [1, 2]])
        for row in document["rows"]:
            one = self.ok_json(*base, "--sequence", row["values"]["sequence"], "--micro-batch", row["values"]["micro-batch"])
            self.assertEqual(row["memory_bytes"], one["memory_bytes"])
            self.assertEqual(row["batch"], 8 * row["values"]["micro-batch"])
        rows = list(csv.DictReader(io.StringIO(self.ok(*base, *grid, "--csv"))))
        self.assertEqual([(row["sequence"], row["micro-batch"], row["batch"]) for row in rows][:3],
                         [("1024", "1", "8"), ("1024", "2", "16"), ("2048", "1", "8")])
        self.assertEqual([round(float(row["memory_bytes"])) for row in rows],
                         [row["memory_bytes"]["expected"] for row in document["rows"]])
        lines = self.ok(*base, *grid).splitlines()
        self.assertRegex(lines[0], r"^sequence length +micro-batch +batch +memory per device")
        self.assertRegex(lines[1], r"^1024 +1 +8 ")
        self.assertEqual(self.ok(*base, "--sweep", "sequence=1024..4096:x2", "micro-batch=1,2"), "\n".join(lines) + "\n")
        self.refused(2, *base, "--sweep", "sequence=1024,2048", "--sweep", "seq=4096", says=["swept twice", "sequence"])
        self.refused(2, *base, "--sweep", "devices=1..200:+1", "--sweep", "batch=1..200:+1", says="combinations")

    def test_a_batch_that_grows_with_what_is_swept_is_a_column(self):
        base = ["plan", "step", "--model", "llama-3-8b", *H100, "--sweep", "devices=8..32:x2"]
        lines = self.ok(*base).splitlines()
        self.assertRegex(lines[0], r"^devices +batch +step time")
        self.assertEqual([line.split()[:2] for line in lines[1:4]], [["8", "8"], ["16", "16"], ["32", "32"]])
        self.assertIn("the batch was not given", "\n".join(lines))
        self.assertEqual([row["batch"] for row in self.ok_json(*base)["rows"]], [8, 16, 32])
        given = self.ok(*base, "--batch", "64")
        self.assertNotRegex(given.splitlines()[0], "batch")
        self.assertNotIn("the batch was not given", given)

    def test_what_cannot_be_swept_is_refused(self):
        self.refused(2, "plan", "step", *LARGE, "--sweep", "device=1,2", says="device")
        self.refused(2, "plan", "step", *LARGE, "--sweep", "devices", says="NUMBER=VALUES")
        self.refused(2, "plan", "step", *LARGE, "--sweep", "devices=8..1:x2", says=["--sweep devices", "FROM..TO"])
        self.refused(2, "plan", "step", *LARGE, "--csv", says="--sweep")
        self.refused(2, "plan", "step", *LARGE, "--sweep", "devices=8,16", "--csv", "--json", says="--csv")


class Saying(CliTest):
    def test_every_time_says_whether_it_fits(self):
        small = ["--model", "llama-3-70b", *H100, "--devices", "8", "--tokens", "15T"]
        for question in ["step", "cost", "time", "memory"]:
            for options, fits in [(LARGE, True), (small, False)]:
                if question == "memory":
                    options = options[:-2]  # which has no use for tokens
                answers = self.ok_json("plan", question, *options)
                self.assertIs(answers["fits"], fits, question)
                self.assertEqual(answers["fits"], answers["needed_bytes"] <= answers["available_bytes"])
                self.assertEqual(answers["available_bytes"], 80e9)
                text = self.ok("plan", question, *options)
                self.assertTrue(text.startswith("fits: " if fits else "DOES NOT FIT: "), (question, text[:80]))
                times = [line for line in text.splitlines() if line.startswith(("step time  ", "training time", "device hours  "))
                         and "=" not in line]
                self.assertEqual([line.endswith("does not fit") for line in times], [not fits] * len(times), text)

    def test_searches_say_it_too(self):
        small = ["--model", "llama-3-70b", *H100, "--devices", "8", "--tokens", "15T"]
        self.assertIs(self.ok_json("plan", "sensitivity", *small)["fits"], False)
        text = self.ok("plan", "sensitivity", *small)
        self.assertTrue(text.startswith("DOES NOT FIT: "), text[:80])
        self.assertRegex(text.splitlines()[2], r"^training time .* does not fit$")
        self.assertNotIn("fits", self.ok_json("plan", "sensitivity", *small, "--output", "memory_bytes"))
        solve = [*small[:4], "--tokens", "15T", "--output", "days", "--target", "300", "--for", "devices"]
        self.assertIs(self.ok_json("plan", "solve", *solve)["fits"], False)
        devices = {each["device"]: each for each in self.ok_json("plan", "devices", *small[:2], *small[4:])["devices"]}
        self.assertIs(devices["NVIDIA H100 SXM5 80GB"]["fits"], False)

    def test_what_is_not_known_is_not_said_to_fit(self):
        answers = self.ok_json("plan", "time", "--parameters", "7e9", "--tokens", "1T", "--devices", "8", "--peak", "1e15")
        self.assertIsNone(answers["fits"])
        self.assertTrue(any("whether it fits is not known" in note for note in answers["notes"]))

    def test_conventions_stand_in_one_line(self):
        text = self.ok("plan", "time", "--parameters", "70e9", "--tokens", "15T", "--devices", "1024", *H100)
        line = text.splitlines()[-1]
        for words in ["conventions: ", "data 1024, weights, gradients and states shared (ZeRO 3, FSDP)", "goodput 1",
                      "6 FLOPs per parameter and token"]:
            self.assertIn(words, line)
        moe = self.ok_json("plan", "cost", "--model", "deepseek-v3", *H100, "--devices", "2048", "--tokens", "1T")
        self.assertTrue(any("active parameters" in each for each in moe["conventions"]))
        self.assertTrue(any("full square" in each for each in moe["conventions"]))

    def test_shard_lists_ten_with_why_the_others_lose(self):
        shard = self.ok_json("plan", "shard", "--model", "llama-3-70b", "--devices", "256", *H100, "--batch", "1024")
        self.assertTrue(shard["fits"])
        self.assertEqual(len(shard["plans"]), 10)
        self.assertIsNone(shard["plans"][0]["why"])
        for plan in shard["plans"][1:]:
            self.assertRegex(plan["why"], r"^slower by [\d.]+ %: .* more of |^as fast$")
            self.assertEqual(plan["missing_bytes"], 0)
        for plan in shard["too_large"]:
            self.assertRegex(plan["why"], r"^does not fit by ")
            self.assertEqual(plan["missing_bytes"], plan["memory_bytes"] - 80e9)
            self.assertLess(plan["step_seconds"], shard["plans"][0]["step_seconds"])
        fit = self.ok_json("plan", "fit", "--model", "llama-3-70b", "--devices", "256", *H100, "--batch", "1024")
        self.assertEqual(fit["sharding"]["plans"], shard["plans"])
        best = shard["plans"][0]
        layout = [word for key in ["tensor", "pipeline", "chunks", "context", "zero", "micro_batch"]
                  for word in ["--" + key.replace("_", "-"), best[key]]]
        step = self.ok_json("plan", "step", "--model", "llama-3-70b", "--devices", "256", *H100, "--batch", "1024", *layout)
        self.assertEqual(step["step_seconds"]["expected"], best["step_seconds"])
        self.assertTrue(step["fits"])


if __name__ == "__main__":
    unittest.main()
