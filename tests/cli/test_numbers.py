# SPDX-License-Identifier: Apache-2.0
"""The numbers of predict and profile against closed formulas that are written here a second time."""

import itertools
import unittest

from plumbline_cli import CliTest


def recomputed_layers(layers, checkpoint):
    if checkpoint == "all":
        return 0
    if checkpoint == "none":
        return layers * (layers - 1) // 2
    interval = int(checkpoint)
    return 0 if interval >= layers else (interval - 1) * (-(-layers // interval) - 1)


# precision, master weights, optimizer: bytes per parameter for weights, gradients, master copy and states
RECIPES = {
    ("fp32", "on", "adamw"): 16, ("fp32", "on", "adagrad"): 12, ("fp32", "on", "sgd"): 8,
    ("bf16", "on", "adamw"): 16, ("bf16", "off", "adamw"): 12, ("bf16", "on", "sgd"): 8,
    ("bf16", "off", "sgd"): 4,
}

SHAPES = [  # dim, layers, outputs, batch, micro-batch, checkpoint
    (8, 1, 1, 4, 4, "all"), (16, 2, 1, 8, 8, "all"), (16, 3, 5, 12, 4, "all"), (64, 8, 1, 32, 32, "none"),
    (64, 9, 2, 32, 8, "none"), (64, 8, 1, 32, 16, "2"), (64, 7, 3, 32, 32, "3"), (32, 5, 1, 6, 6, "5"),
    (33, 5, 7, 15, 5, "9"), (4096, 32, 1, 8192, 8192, "4"), (4096, 32, 1, 8192, 1024, "all"),
    (1024, 512, 10, 4096, 4096, "none"), (1, 1, 1, 1, 1, "all"),
]

PARAMETER_CATEGORIES = ("parameters", "master_parameters", "gradients", "optimizer_state")


def run_options(shape, recipe=("fp32", "on", "adamw"), activation="relu"):
    dim, layers, outputs, batch, micro, checkpoint = shape
    precision, master, optimizer = recipe
    return ["--dim", dim, "--layers", layers, "--outputs", outputs, "--batch", batch, "--micro-batch", micro,
            "--checkpoint", checkpoint, "--precision", precision, "--master-weights", master,
            "--optimizer", optimizer, "--activation", activation]


class Numbers(CliTest):
    def test_flops_and_parameters_are_the_formulas(self):
        for shape, activation in itertools.product(SHAPES, ("none", "relu")):
            with self.subTest(shape=shape, activation=activation):
                dim, layers, outputs, batch, _, checkpoint = shape
                document = self.ok_json("predict", *run_options(shape, activation=activation))
                parameters = layers * dim**2 + dim * outputs
                matmul = (6 * batch * parameters - 2 * batch * dim**2
                          + 2 * batch * dim**2 * recomputed_layers(layers, checkpoint))
                self.assertEqual(document["parameters"], parameters)
                self.assertEqual(document["rule_6bn_flops"], 6 * batch * parameters)
                totals = document["predicted"]["totals"]
                self.assertEqual(totals["matmul_flops"], matmul)
                ops = document["predicted"]["ops"]
                self.assertEqual(sum(op["flops"] for op in ops), totals["flops"])
                self.assertEqual(sum(op["bytes"] for op in ops), totals["bytes"])
                self.assertGreater(totals["flops"], matmul)

    def test_bytes_per_parameter_are_those_of_the_recipe(self):
        for recipe, expected in RECIPES.items():
            with self.subTest(recipe=recipe):
                document = self.ok_json("predict", *run_options((48, 3, 2, 8, 4, "all"), recipe))
                memory = document["predicted"]["memory"]["category_peak_bytes"]
                self.assertEqual(sum(memory[category] for category in PARAMETER_CATEGORIES),
                                 expected * document["parameters"])

    def test_kept_activations_are_batch_by_dim_by_layers(self):
        for precision, size in (("fp32", 4), ("bf16", 2)):
            for dim, layers, batch, micro in ((8, 1, 4, 4), (64, 8, 32, 32), (64, 8, 32, 8), (100, 33, 7, 7)):
                with self.subTest(precision=precision, dim=dim, layers=layers, batch=batch, micro=micro):
                    document = self.ok_json("predict", *run_options((dim, layers, 1, batch, micro, "all"),
                                                                    (precision, "on", "adamw")))
                    self.assertEqual(document["predicted"]["memory"]["category_peak_bytes"]["activations"],
                                     size * micro * dim * layers)

    def test_the_peak_is_the_highest_point_of_the_curve(self):
        memory = self.ok_json("predict", *run_options((64, 9, 2, 32, 8, "3")))["predicted"]["memory"]
        sums = [sum(value for name, value in point.items() if name != "op") for point in memory["curve"]]
        self.assertEqual(max(sums), memory["peak_bytes"])
        self.assertEqual(sum(memory["at_peak_bytes"].values()), memory["peak_bytes"])

    def test_measured_memory_is_the_predicted_one_byte_for_byte(self):
        for shape, recipe in ((SHAPES[2], ("fp32", "on", "adamw")), (SHAPES[4], ("bf16", "on", "adamw")),
                              (SHAPES[6], ("bf16", "off", "sgd")), (SHAPES[8], ("fp32", "on", "adagrad"))):
            with self.subTest(shape=shape, recipe=recipe):
                document = self.ok_json("profile", "--steps", 2, *run_options(shape, recipe))
                self.assertEqual(document["measured"]["memory"],
                                 {**document["predicted"]["memory"], "source": "allocator"})
                self.assertTrue(all(op["seconds"] > 0 for op in document["measured"]["ops"]))

    def test_unknown_ceilings_are_null_and_never_invented(self):
        document = self.ok_json("predict", *run_options(SHAPES[1]))  # no calibration in this folder
        totals = document["predicted"]["totals"]
        for name in ("seconds", "samples_per_second", "flop_per_s", "mfu"):
            self.assertIsNone(totals[name])
        self.assertIsNone(document["measured"])
        self.assertIsNone(document["training"])

    def test_a_data_sheet_is_predicted_as_a_range(self):
        shape = ["--dim", "1024", "--layers", "512", "--batch", "64", "--precision", "bf16", "--device"]
        published = self.ok_json("predict", *shape, "h100-sxm5-80gb")
        totals = published["predicted"]["totals"]
        self.assertEqual(totals["tier"], "published")
        self.assertLess(totals["seconds_low"], totals["seconds"])
        self.assertLess(totals["seconds"], totals["seconds_high"])
        ops = published["predicted"]["ops"]
        launches = sum(op["executions"] for op in ops)
        self.assertGreater(totals["seconds"], 2e-6 * launches, "every operation is launched")
        self.assertEqual({op.get("tier") for op in ops if op["kind"] == "optimizer_step"}, {"data sheet"})
        self.assertTrue(any("published" in note for note in published["notes"]))
        self.assertEqual(self.ok_json("predict", *shape, "l4")["predicted"]["totals"]["tier"], "data sheet")
        self.assertIn("predicted, data sheet", self.ok("predict", *shape, "l4"))

    def test_a_measurement_has_the_spread_of_its_repeats_and_fp16_its_loss_scale(self):
        run = ["--dim", "32", "--layers", "2", "--batch", "16", "--precision", "fp16", "--backend", "cpu"]
        document = self.ok_json("profile", *run, "--steps", "5")
        totals = document["measured"]["totals"]
        self.assertEqual(totals["tier"], "measured")
        self.assertLessEqual(totals["seconds_low"], totals["seconds"])
        self.assertLessEqual(totals["seconds"], totals["seconds_high"])
        for op in document["measured"]["ops"]:
            self.assertLessEqual(op["seconds_low"], op["seconds_high"])
        self.assertGreater(document["measured"]["speed"]["product_flop_per_s"], 0)
        self.assertTrue(any("loss scale" in note and "skipped" in note for note in document["notes"]))
        self.assertIn("10 % to 90 %", self.ok("profile", *run, "--steps", "5"))
        self.assertIn("loss scale", self.ok("train", *run, "--steps", "5"))

    def test_a_device_of_the_database_predicts_seconds(self):
        document = self.ok_json("predict", *run_options(SHAPES[9], ("bf16", "on", "adamw")), "--device", "h200")
        self.assertEqual(document["machine"]["backend"], "cuda")
        totals = document["predicted"]["totals"]
        peak = document["machine"]["peak_flop_per_s"]["bf16"]
        self.assertGreaterEqual(totals["seconds"], totals["matmul_flops"] / peak)
        self.assertLess(totals["mfu"], 1)

    def test_a_device_without_an_fp32_peak_is_predicted_as_the_planner_does(self):
        shape = ["--dim", 256, "--layers", 4, "--batch", 256, "--device", "TPU v5p", "--precision", "bf16"]
        document = self.ok_json("predict", *shape)
        planned = self.ok_json("plan", "step", *shape)["step_seconds"]["expected"]
        self.assertAlmostEqual(document["predicted"]["totals"]["seconds"] / planned, 1, delta=1e-9)
        text = self.ok("predict", *shape)
        self.assertIn("TPU v5p (one chip) has no fp32 peak: loss and optimizer are taken to be limited by its memory",
                      text)
        self.assertNotIn(", , ", text)

    def test_a_missing_peak_of_a_data_sheet_is_not_to_be_calibrated(self):
        for device, precision, other in [("V100 SXM2 32", "bf16", "fp32, fp16"), ("T4", "fp8", "fp32, fp16"),
                                         ("TPU v5p", "fp32", "bf16, fp8")]:
            notes = self.ok_json("predict", "--device", device, "--precision", precision)["notes"]
            note, = [each for each in notes if each.startswith("no predicted time")]
            self.assertRegex(note, device.split()[0] + f".* has no {precision}.* peak: choose another precision")
            self.assertIn(f"({other}) or another device", note)
            self.assertNotIn("calibrate", note)


if __name__ == "__main__":
    unittest.main()
