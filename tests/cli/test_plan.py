#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The planner's questions."""

import json
import random
import unittest

from plumbline_cli import RESOURCES, CliTest, changed

H100 = ["--device", "H100 SXM"]
BIG = ["--parameters", "70e9", "--tokens", "15e12", "--devices", "1024", *H100]
LLAMA = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 96,
         "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 128}


class Napkin(CliTest):
    def test_seventy_billion_parameters_take_144_days(self):
        days = self.ok_json("plan", "time", *BIG, "--mfu", "0.5")["days"]
        self.assertAlmostEqual(days["expected"], 143.93, delta=0.14)
        self.assertLess(days["low"], days["expected"])
        self.assertLess(days["expected"], days["high"])

    def test_fp4_takes_the_fp4_peak_of_a_device_that_has_one(self):
        big = ["plan", "time", "--parameters", "70e9", "--tokens", "15e12", "--devices", "1024", "--mfu", "0.5", "--dtype"]
        days = {dtype: self.ok_json(*big, dtype, "--device", "B200")["days"]["expected"] for dtype in ["fp4", "fp8"]}
        self.assertAlmostEqual(days["fp8"] / days["fp4"], 2, places=2)
        self.refused(2, *big, "fp4", *H100, says=["H100", "fp4_e2m1"])

    def test_the_formula_is_shown_with_the_numbers_put_in(self):
        text = self.ok("plan", "time", *BIG, "--mfu", "0.5")
        self.assertIn("143.9 d", text)
        self.assertIn("6 · N · D / (G · P · MFU · goodput · 86400)", text)
        self.assertIn("6 · 70.0e9 · 15.0e12 / (1024 · 990 TFLOP/s · 0.5 · 1 · 86400) = 143.9 d", text)

    def test_the_largest_model_by_bytes_per_parameter(self):
        for given, parameters in [(16, 40e9), (12, 53.333333e9)]:
            fit = self.ok_json("plan", "fit", "--devices", "8", "--memory", "80GB", "--bytes-per-parameter", given)
            self.assertAlmostEqual(fit["parameters"]["expected"] / parameters, 1, places=6)
            self.assertLessEqual(fit["parameters"]["low"], fit["parameters"]["expected"])
            self.assertLessEqual(fit["parameters"]["expected"], fit["parameters"]["high"])

    def test_the_largest_model_on_a_device_by_recipe(self):
        fit = self.ok_json("plan", "fit", "--devices", "8", *H100, "--recipe", "bf16-adamw")
        self.assertAlmostEqual(fit["parameters"]["expected"], 8 * 80e9 / 12, delta=1)
        self.assertIn("activations, buffers and overheads are left out",
                      self.ok("plan", "fit", "--devices", "8", *H100).splitlines()[-1])

    def test_the_largest_model_by_optimizer_and_precision(self):
        for recipe, size in [(["--precision", "fp32", "--optimizer", "adamw"], 16), (["--optimizer", "adamw"], 16),
                             (["--precision", "bf16", "--master-weights", "off", "--optimizer", "adamw"], 12),
                             (["--precision", "fp32", "--optimizer", "sgd"], 8)]:
            fit = self.ok_json("plan", "fit", "--devices", "8", "--memory", "80GB", *recipe)
            self.assertAlmostEqual(fit["parameters"]["expected"], 8 * 80e9 / size, delta=1)
        self.refused(2, "plan", "fit", "--memory", "80GB", "--recipe", "fp32-sgd", "--optimizer", "adamw", says="recipe")

    def test_costs_leave_out_what_no_record_says(self):
        cost = self.ok_json("plan", "cost", *BIG, "--device-price", "2")
        self.assertAlmostEqual(cost["cost_dollars"]["expected"] / cost["device_hours"]["expected"], 2)
        self.assertGreater(cost["energy_joules"]["expected"], 0)
        cost = self.ok_json("plan", "cost", *BIG[:6], "--device", "TPU v5p")
        self.assertNotIn("energy_joules", cost)
        self.assertIn("power", " ".join(cost["notes"]))

    def test_people_spell_options_in_several_ways(self):
        one = self.ok_json("plan", "time", *BIG, "--mfu", "0.5")
        other = self.ok_json("plan", "time", "--params", "70B", "--tokens", "15T", "--gpus", "1024", "--gpu", "h100 sxm",
                             "--mfu", "50%")
        self.assertEqual(one["days"], other["days"])

    def test_assumptions_are_shown_with_their_ends_and_can_be_replaced(self):
        document = self.ok_json("plan", "time", *BIG)
        mfu = document["assumptions"]["mfu"]
        self.assertLess(mfu["low"], mfu["expected"])
        self.assertLess(mfu["expected"], mfu["high"])
        self.assertFalse(mfu["given"])
        self.assertIn("published trainings", mfu["source"])
        given = self.ok_json("plan", "time", *BIG, "--assume", "mfu=0.2:0.3:0.4", "--assume", "goodput=1:1:1")
        self.assertAlmostEqual(given["days"]["expected"] / document["days"]["expected"], mfu["expected"] / 0.3)
        self.assertAlmostEqual(given["days"]["low"] / given["days"]["expected"], 0.3 / 0.4)
        self.assertAlmostEqual(given["days"]["high"] / given["days"]["expected"], 0.3 / 0.2)

    def test_predictions_stand_beside_published_trainings(self):
        document = self.ok_json("plan", "validate")
        for use in ("fit", "validate"):
            self.assertGreater(document[use]["time"]["rows"], 300)
            self.assertLess(document[use]["time"]["median_error"], 0.13)
        rows = document["rows"]
        self.assertEqual(len([row for row in rows if "problem" in row]), document["rows_without_prediction"])
        by_source = document["by_source"]
        self.assertEqual(sum(part["time"]["rows"] for part in by_source.values() if "time" in part),
                         document["all"]["time"]["rows"])
        for row in rows:
            if row["seconds"]:
                self.assertLessEqual(row["seconds"][0], row["seconds"][1], row["id"])
                self.assertAlmostEqual(sum(row["parts"].values()), row["seconds"][1], delta=1e-6 * row["seconds"][1])
        text = self.ok("plan", "validate", "--source", "maxtext")
        self.assertIn("maxtext", text)
        self.assertNotIn("torchtitan", text)
        # An assumption of one's own counts for every row.
        slow = self.ok_json("plan", "validate", "--use", "fit", "--sustained", "0.5")
        self.assertGreater(slow["fit"]["time"]["bias"], document["fit"]["time"]["bias"] + 0.2)
        self.refused(2, "plan", "validate", "--source", "nowhere", says="nowhere")
        self.refused(2, "plan", "validate", "--use", "all of it", says="all of it")

    def test_validation_takes_no_plan_of_its_own(self):
        for option, value in [("--model", "llama-3-8b"), ("--device", "h100-sxm"), ("--devices", "8"), ("--recipe", "bf16-adamw"),
                              ("--measured", "step=1s"), ("--scenario", "a.plan.json"), ("--finetune", "lora")]:
            self.refused(2, "plan", "validate", option, value, says=["unknown option of plan validate", option])
        self.refused(2, "plan", "validate", "--assume", "devices=8", says=["of their own", "devices=8"])
        self.refused(2, "plan", "validate", "--carry", "--matmul-efficiency", "0.5", says=["--carry", "--matmul-efficiency"])
        slow = self.ok_json("plan", "validate", "--source", "torchtitan", "--assume", "matmul-efficiency=0.3")
        usual = self.ok_json("plan", "validate", "--source", "torchtitan")
        self.assertNotEqual(slow["all"]["time"], usual["all"]["time"])

    def test_software_and_shares_of_recomputation_change_a_step(self):
        step = ["plan", "step", "--model", "llama-3-8b", "--devices", "8", *H100, "--sequence", "8192"]
        eager, fused = (self.ok_json(*step, "--software", name)["step_seconds"]["expected"] for name in ("eager", "fused"))
        self.assertGreater(eager, fused)
        none, half, full = (self.ok_json(*step, *how)["step_seconds"]["expected"] for how in
                            ([], ["--recompute", "full", "--recompute-share", "0.5"], ["--recompute", "full"]))
        self.assertLess(none, half)
        self.assertAlmostEqual(half - none, (full - none) / 2, delta=0.1 * (full - none))
        self.refused(2, *step, "--software", "magic", says="magic")
        self.refused(2, *step, "--recompute-share", "0.5", says="recompute-share")

    def test_every_number_of_an_explanation_has_a_source(self):
        for question in (["time", *BIG], ["cost", *BIG], ["fit", "--devices", "8", *H100]):
            for key, explanation in self.ok_json("plan", *question)["explanations"].items():
                self.assertTrue(explanation["formula"], key)
                for term in explanation["terms"]:
                    self.assertTrue(term["source"], (key, term))

    def test_optimal_for_a_budget(self):
        optimal = self.ok_json("plan", "optimal", "--budget", "1e21")
        self.assertAlmostEqual(optimal["parameters"]["expected"] / 2.887e9, 1, places=3)
        self.assertAlmostEqual(optimal["tokens"]["expected"] / optimal["parameters"]["expected"], 20)

    def test_two_weeks_of_eight_devices(self):
        budget = self.ok_json("plan", "optimal", "--devices", "8", "--days", "14", *H100, "--mfu", "1")["budget_flops"]
        self.assertAlmostEqual(budget["expected"] / 9.575e21, 1, places=3)

    def test_solving_inverts_the_question(self):
        solved = self.ok_json("plan", "solve", "--output", "days", "--target", "143.93", "--for", "mfu", *BIG)
        self.assertAlmostEqual(solved["solution"], 0.5, places=4)
        solved = self.ok_json("plan", "solve", "--output", "parameters", "--target", "40e9", "--for", "memory",
                              "--devices", "8", "--bytes-per-parameter", "16")
        self.assertEqual(solved["solution"], 80_000_000_000)

    def test_a_target_is_spelled_as_the_answer_is(self):
        first = self.ok_json("plan", "solve", "--output", "days", "--target", "30", "--for", "devices", *BIG)
        for target in ("30d", "30 d", "30 days", "720 h"):
            solved = self.ok_json("plan", "solve", "--output", "days", "--target", target, "--for", "devices", *BIG)
            self.assertEqual((solved["target"], solved["solution"]), (30, first["solution"]), target)
        text = self.ok("plan", "time", *changed(BIG, "--devices", "150000"))
        self.assertRegex(text, r"· 86400\) = 1\.\d+ d = \d\d\.\d h")

    def test_what_was_solved_for_is_not_called_given(self):
        solve = ["plan", "solve", "--output", "days", "--target", "30", "--for", "devices", *BIG]
        self.assertRegex(self.ok(*solve), r"G = \d+ \(devices\): solved for\n")
        devices = self.ok_json(*solve)["assumptions"]["devices"]
        self.assertEqual((devices["source"], devices["given"]), ("solved for", False))

    def test_times_and_days_are_in_words_that_fit(self):
        self.assertIn("for 1 day ", self.ok("plan", "devices", "--parameters", "8e9", "--tokens", "1e12", "--days", "1"))
        shard = self.ok("plan", "shard", "--model", "llama-3-70b", "--devices", "8", "--batch", "4096", "--keep", "1",
                        "--sequence", "8192", *H100)
        self.assertRegex(shard, r" \d+\.\d+ (min|h)  ")

    def test_a_utilisation_of_long_sequences_says_what_it_counts(self):
        long = ["--model", "llama-3-8b", "--devices", "8", "--sequence", "131072", *H100]
        step = self.ok_json("plan", "step", "--tensor", "8", "--attention-efficiency", "0.6:0.8:0.9", *long)
        for share in ("step_mfu", "step_hfu"):
            work = step[share]["expected"] * step["step_seconds"]["expected"]
            self.assertAlmostEqual(step[share]["high"] * step["step_seconds"]["low"], work, places=6)
        self.assertGreater(step["step_mfu"]["high"], 1)
        self.assertLess(step["step_hfu"]["high"], 1)
        shard = self.ok_json("plan", "shard", "--keep", "1", *long)
        measured = self.ok_json("plan", "mfu", "--tokens-per-second", "20e3", *long)
        self.assertEqual(measured["grade"], "fair")
        self.assertGreater(measured["mfu"]["expected"], 0.5)
        for document in (step, shard, measured):
            self.assertEqual(sum("masked pairs, which the kernel skips" in note for note in document["notes"]), 1)

    def test_a_whole_number_that_is_solved_for_meets_the_target_or_is_refused(self):
        llama = ["--model", "llama-3-8b", "--devices", "8", "--zero", "3", "--recompute", "full", *H100]
        memory = ["plan", "solve", "--output", "memory_bytes", "--target"]
        solved = self.ok_json(*memory, "25GB", "--for", "batch", "--dim", "1024", "--layers", "8")
        self.assertAlmostEqual(solved["memory_bytes"]["expected"], 25e9, delta=1e6)
        self.assertFalse([note for note in solved["notes"] if "none gives" in note])
        solved = self.ok_json(*memory, "800TB", "--for", "sequence", *llama)
        self.assertAlmostEqual(solved["memory_bytes"]["expected"], 800e12, delta=1e9)
        self.refused(2, *memory, "80GB", "--for", "batch", *llama, says="does not depend on batch: it is 28.9 GB")
        self.refused(2, *memory, "1e24B", "--for", "sequence", *llama, says=["no sequence length gives", "it is from"])
        self.assertIn("the next that is possible: none gives 80.0 GB", self.ok(*memory, "80GB", "--for", "zero", *llama))

    def test_a_utilisation_is_solved_for_its_throughput(self):
        run = ["--model", "llama-3-8b", "--devices", "8", "--sequence", "8192", *H100]
        for output in ("mfu", "hfu"):
            solved = self.ok_json("plan", "solve", "--output", output, "--target", "40 %", "--for", "tokens-per-second", *run)
            measured = self.ok_json("plan", "mfu", "--tokens-per-second", solved["solution"], *run)
            self.assertAlmostEqual(measured[output]["expected"], 0.4, places=6)

    def test_the_budget_is_named_once(self):
        self.assertEqual(self.ok("plan", "optimal", "--budget", "1e21").count("C = "), 1)

    def test_the_widest_bar_comes_first(self):
        bars = self.ok_json("plan", "sensitivity", *BIG)["bars"]
        self.assertEqual(bars[0]["input"], "mfu")
        widths = [abs(bar["at_high"] - bar["at_low"]) for bar in bars]
        self.assertEqual(widths, sorted(widths, reverse=True))


class Models(CliTest):
    def write(self, config):
        path = self.folder / "config.json"
        path.write_text(config if isinstance(config, str) else json.dumps(config))
        return path

    def test_presets_have_their_published_parameters(self):
        models = {model["key"]: model["parameters"] for model in self.ok_json("plan", "models")["models"]}
        self.assertEqual(models["gpt2"], 124_439_808)
        self.assertEqual(models["llama-3-8b"], 8_030_261_248)
        self.assertEqual(models["deepseek-v3"], 671_026_419_200)

    def test_a_config_json_is_read(self):
        config = json.loads((RESOURCES / "models.json").read_text())["models"]
        config = next(model["config"] for model in config if model["key"] == "mixtral-8x7b")
        memory = self.ok_json("plan", "memory", "--model", self.write(config), "--devices", "64", *H100)
        self.assertEqual(memory["model"]["parameters"], 46_702_792_704)

    def test_adapters_are_trained_instead_of_the_model(self):
        params = self.ok_json("plan", "params", "llama-2-7b", "--finetune", "lora", "--rank", "8")
        self.assertEqual((params["trained"], params["trained_parts"]["adapters"]), (4194304, 4194304))
        self.assertIn("LoRA of rank 8 on q,v", self.ok("plan", "params", "llama-2-7b", "--finetune", "lora", "--rank", "8"))
        sizes = [self.ok_json("plan", "memory", "--model", "llama-2-7b", *H100, *how)["memory_bytes"]["expected"]
                 for how in [[], ["--freeze", "embeddings,layers:0-15"], ["--finetune", "lora"],
                             ["--finetune", "qlora", "--targets", "q,v"]]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        plan = "tuned.plan.json"
        self.ok("plan", "save", plan, "--model", "llama-2-7b", *H100, "--finetune", "qlora", "--targets", "q,v")
        again = self.ok_json("plan", "memory", "--scenario", plan)
        self.assertEqual(again["memory_bytes"]["expected"], sizes[-1])
        for options, says in [(["--finetune", "lor"], "full, lora or qlora"), (["--rank", "8"], "--finetune"),
                              (["--finetune", "lora", "--targets", "q,x"], "--targets"),
                              (["--finetune", "lora", "--freeze", "head"], "layers alone"),
                              (["--freeze", "layers:30-40"], "layers 0 to 31"),
                              (["--finetune", "lora", "--double-quantisation", "on"], "qlora")]:
            self.refused(2, "plan", "memory", "--model", "llama-2-7b", *H100, *options, says=says)

    def test_losses_are_those_of_published_laws(self):
        loss = self.ok_json("plan", "loss", "--parameters", "70e9", "--tokens", "1.4T", "--sequence", "2048", "--batch", "1536")
        self.assertAlmostEqual(loss["loss_hoffmann"]["expected"], 1.937, places=3)
        self.assertAlmostEqual(loss["training_steps"]["expected"], 1.4e12 / (2048 * 1536))
        self.assertTrue(all(point["besiroglu"]["extrapolated"] for point in loss["curve"]))
        alone = self.ok_json("plan", "loss", "--model", "llama-3-8b", "--tokens", "15T")
        for key in ("training_steps", "least_steps", "least_tokens"):
            self.assertNotIn(key, alone)  # of what batch?
        self.assertTrue(any("no batch is given" in note and "--batch" in note for note in alone["notes"]))
        self.assertFalse(any("batch" in each for each in alone["conventions"]))
        follows = self.ok_json("plan", "loss", "--model", "llama-3-8b", "--tokens", "15T", "--devices", "512")
        self.assertAlmostEqual(follows["training_steps"]["expected"], 15e12 / (512 * 8192))
        self.assertTrue(any("a batch of 512, which follows" in each for each in follows["conventions"]))
        swept = self.ok("plan", "loss", "--model", "llama-3-8b", "--tokens", "15T", "--sweep", "tokens=1T..4T:x2")
        self.assertEqual(swept.count("no batch is given"), 1, swept)  # the reason of all rows
        self.assertIn("2203.15556", loss["laws"]["hoffmann"]["source"])
        self.assertIn("* extrapolation", self.ok("plan", "loss", "--parameters", "1e9", "--tokens", "20e9"))
        self.refused(2, "plan", "loss", "--model", "mixtral-8x7b", "--tokens", "1T", says="experts")
        self.refused(2, "plan", "loss", "--parameters", "1e9", says="tokens")

    def test_memory_is_the_sum_of_its_parts(self):
        memory = self.ok_json("plan", "memory", "--model", "llama-3-70b", "--devices", "64", "--tensor", "8", *H100)
        stage = memory["stages"][0]
        self.assertAlmostEqual(sum(part["bytes"] for part in stage["parts"]), stage["bytes"], delta=20)
        self.assertAlmostEqual(sum(stage["by_category"].values()), stage["bytes"], delta=20)
        self.assertEqual(memory["memory_bytes"]["expected"], stage["bytes"])
        self.assertIs(type(memory["fits"]), bool)

    def test_a_step_is_the_sum_of_its_parts(self):
        step = self.ok_json("plan", "step", "--model", "llama-3-70b", "--devices", "512", "--tensor", "8", "--pipeline", "4",
                            "--batch", "1024", "--tokens", "15T", *H100)
        self.assertAlmostEqual(sum(step["parts"].values()) / step["step_seconds"]["expected"], 1)
        self.assertAlmostEqual(sum(op["seconds"] for op in step["ops"]),
                               sum(step["parts"][part] for part in ("compute", "recomputation", "optimizer")), places=6)
        self.assertEqual({t["axis"] for t in step["traffic"]}, {"data", "tensor", "pipeline"})
        self.assertLess(0.1, step["step_mfu"]["expected"])
        self.assertLess(step["step_mfu"]["expected"], 0.8)

    def test_the_deep_linear_model_is_the_plan_of_predict(self):
        run = ["--dim", "512", "--layers", "4", "--batch", "128"]
        predicted = self.ok_json("predict", *run)
        planned = self.ok_json("plan", "memory", *run)
        self.assertEqual(planned["memory_bytes"]["expected"], predicted["predicted"]["memory"]["peak_bytes"])
        self.assertEqual(planned["model"]["parameters"], predicted["parameters"])

    def test_the_deep_linear_model_has_one_recipe(self):
        run = ["--dim", "1024", "--layers", "16", "--batch", "64"]
        for recipe, options in [("fp32-sgd", ["--optimizer", "sgd"]), ("fp32-adafactor", ["--optimizer", "adafactor"]),
                                ("bf16-adamw", ["--precision", "bf16", "--master-weights", "off"]),
                                ("mixed-adamw", ["--precision", "bf16"])]:
            predicted = self.ok_json("predict", *run, *options)["predicted"]
            memory = self.ok_json("plan", "memory", *run, "--recipe", recipe)
            self.assertEqual(memory["memory_bytes"]["expected"], predicted["memory"]["peak_bytes"], recipe)
            self.assertEqual(memory["memory_bytes"], self.ok_json("plan", "memory", *run, *options)["memory_bytes"])
            step = self.ok_json("plan", "step", *run, "--recipe", recipe, *H100)
            self.assertEqual(step["step_seconds"], self.ok_json("plan", "step", *run, *options, *H100)["step_seconds"])
            batch = self.ok_json("plan", "batch", *run, "--recipe", recipe, "--memory", "2GB", *H100)
            self.assertEqual(batch, self.ok_json("plan", "batch", *run, *options, "--memory", "2GB", *H100))
        sizes = {self.ok_json("plan", "memory", *run, "--recipe", recipe)["memory_bytes"]["expected"]
                 for recipe in ("fp32-adamw", "fp32-sgd", "bf16-adamw", "mixed-adamw")}
        self.assertEqual(len(sizes), 4)

    def test_what_the_deep_linear_model_cannot_be_combined_with_is_refused(self):
        run = ["--dim", "256", "--layers", "4"]
        self.refused(2, "plan", "memory", *run, "--recipe", "mixed-adamw8bit", says=["mixed-adamw8bit", "fp32-adamw"])
        for options, says in [(["--dtype", "fp16"], "--precision"), (["--recompute", "full"], "--checkpoint"),
                              (["--fused-attention", "off"], "no attention"), (["--dropout", "on"], "no dropout"),
                              (["--zero", "3"], "whole copy"), (["--sequence", "512"], "no sequences"),
                              (["--bytes-per-parameter", "4"], "--recipe"), (["--assume", "tensor=2"], "data parallelism")]:
            for question in ("memory", "step", "batch"):
                self.refused(2, "plan", question, *run, *options, *H100[:2], says=says)

    def test_bad_files_are_named_with_their_field(self):
        for broken, says in [("{", "truncated"), ("[]", "JSON object"), ({}, "model_type"),
                             ({**LLAMA, "model_type": "mamba"}, "mamba"), ({**LLAMA, "hidden_size": None}, "hidden_size"),
                             ({**LLAMA, "num_attention_heads": 5}, "num_attention_heads"),
                             ({**LLAMA, "vocab_size": -1}, "vocab_size")]:
            self.refused(2, "plan", "memory", "--model", self.write(broken), says=["config.json", says])
        for field in LLAMA:
            self.refused(2, "plan", "memory", "--model", self.write({k: v for k, v in LLAMA.items() if k != field}),
                         says=field)
        self.refused(2, "plan", "memory", "--model", "nowhere/config.json", says="nowhere/config.json")
        self.refused(2, "plan", "memory", "--model", "llama 3", says=["llama-3-8b", "llama-3-70b"])

    def test_random_damage_never_crashes(self):
        generator = random.Random(3)
        values = [None, True, 0, -1, 3, 1e9, 1e300, 0.5, "x", [], {}, 2**63 - 1]
        for _ in range(40):
            config = {**LLAMA, generator.choice(list(LLAMA)): generator.choice(values)}
            done = self.run_cli("plan", "memory", "--model", self.write(config), "--json")
            self.assertIn(done.returncode, (0, 2), (config, done.stderr))
            self.assertEqual(done.stdout == "", done.returncode == 2)


class Search(CliTest):
    def test_plans_that_fit_come_first_and_the_fastest_of_them(self):
        answer = self.ok_json("plan", "shard", "--model", "llama-3-8b", "--devices", "16", "--batch", "64", "--sequence", "4096",
                              "--keep", "5", *H100)
        self.assertTrue(answer["fits"])
        seconds = [plan["step_seconds"] for plan in answer["plans"]]
        self.assertEqual(seconds, sorted(seconds))
        self.assertTrue(all(plan["memory_bytes"] <= 80e9 for plan in answer["plans"]))

    def test_recomputation_allows_larger_micro_batches(self):
        options = self.ok_json("plan", "batch", "--model", "llama-3-8b", "--devices", "8", "--sequence", "4096", *H100)["options"]
        self.assertLess(options[0]["micro_batch"], options[-1]["micro_batch"])

    def test_devices_without_the_dtype_say_so(self):
        devices = self.ok_json("plan", "devices", *BIG[:6], "--days", "60")["devices"]
        v100 = next(entry for entry in devices if "V100 SXM2 32GB" in entry["device"])
        self.assertIn("no bf16 peak", v100["problem"])
        h100 = next(entry for entry in devices if "H100 SXM5" in entry["device"])
        self.assertEqual(h100["devices_to_hold"], 14)  # 70e9 * 16 B / 80 GB
        self.assertLessEqual(h100["days"] * 1024 / h100["devices_for_days"], 60)

    def test_a_map_marks_what_does_not_fit(self):
        answer = self.ok_json("plan", "map", "--model", "llama-3-8b", *H100, "--x", "micro-batch=1:64:4", "--y", "devices=1:64:3")
        self.assertEqual(len(answer["cells"]), 12)
        self.assertEqual({cell["fits"] for cell in answer["cells"]}, {True, False})
        self.refused(2, "plan", "map", "--model", "llama-3-8b", *H100, "--x", "micro-batch", says="micro-batch")


class BadInput(CliTest):
    def test_no_question_or_an_unknown_one(self):
        self.refused(2, "plan", says=["question", "time", "fit"])
        self.refused(2, "plan", "tiem", says="did you mean time?")
        self.refused(2, "plan", "time", "--tokns", "1", says="--tokens")
        self.refused(2, "plan", "time", "--mfu", says="--mfu")

    def test_what_is_missing_is_named(self):
        self.refused(2, "plan", "time", says="model")
        self.refused(2, "plan", "time", "--parameters", "7e9", says="--tokens")
        self.refused(2, "plan", "time", "--parameters", "7e9", "--tokens", "1e12", says="device")
        self.refused(2, "plan", "fit", "--devices", "8", says="--memory")

    def test_numbers_that_are_none_and_absurd_ones(self):
        for value in ("abc", "-5", "0", "nan", "inf", "1e999", "", "7 apples"):
            self.refused(2, "plan", "time", *BIG, "--tokens", value, says="tokens")
        self.refused(2, "plan", "time", *BIG, "--tokens", "1e30", says="tokens")
        self.refused(2, "plan", "time", *BIG, "--devices", "1.5", says="devices")
        self.refused(2, "plan", "time", *BIG, "--mfu", "0.5:0.3:0.6", says="order")
        self.refused(2, "plan", "time", *BIG, "--assume", "mfoo=1", says="mfu")
        self.refused(2, "plan", "time", *BIG, "--assume", "mfu=0.3", "--assume", "mfu=0.4", says="given twice")
        self.refused(2, "plan", "time", *BIG, "--goodput", "0.9", "--assume", "goodput=1:1:1", says=["goodput=1:1:1", "--goodput"])
        self.refused(2, "plan", "time", *BIG, "--model", "gpt2", says="several models")

    def test_a_utilisation_above_the_whole_has_likely_causes(self):
        self.refused(2, "plan", "time", *BIG, "--mfu", "1.5", says=["above 100 %", "dense"])
        self.refused(2, "plan", "mfu", "--parameters", "70e9", "--tokens-per-second", "1e6", "--devices", "8", *H100,
                     says=["above 100 %", "dense"])

    def test_a_missing_dtype_is_no_neighbours_number(self):
        self.refused(2, "plan", "time", *BIG[:6], "--device", "V100 SXM2 32", says=["no bf16 peak", "fp16"])
        self.ok("plan", "time", *BIG[:6], "--device", "V100 SXM2 32", "--dtype", "fp16")
        self.refused(2, "plan", "time", *BIG[:6], "--device", "A100 SXM4 80", "--dtype", "fp8", says="no fp8")

    def test_devices_match_by_any_unambiguous_part(self):
        self.refused(2, "plan", "time", *BIG[:6], "--device", "h100", says=["h100-sxm5-80gb", "h100-pcie-80gb"])
        one = self.ok_json("plan", "time", *BIG[:6], "--device", "h100 SXM")
        self.assertEqual(one["device"], "NVIDIA H100 SXM5 80GB")

    def test_plans_that_do_not_divide_say_what_would(self):
        self.refused(2, "plan", "memory", "--model", "llama-3-8b", "--devices", "8", "--tensor", "3", says="give --tensor 2")
        self.refused(2, "plan", "memory", "--model", "llama-3-8b", "--devices", "10", "--tensor", "4", says="give 8 devices")
        count = ["--parameters", "8e9", "--devices", "8", *H100]
        done = self.refused(2, "plan", "step", *count, says="plan time")
        self.assertNotIn("give an MFU", done.stderr)
        self.ok("plan", "time", *count, "--tokens", "1T", "--mfu", "0.4")
        self.refused(2, "plan", "step", "--model", "llama-3-8b", "--devices", "8", "--batch", "12", *H100, says="--batch 16")


if __name__ == "__main__":
    unittest.main()
