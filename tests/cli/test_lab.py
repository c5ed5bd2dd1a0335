#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The questions that need no run: number formats, expressions, tensor layouts."""

import json
import unittest

from plumbline_cli import CliTest


class Dtype(CliTest):
    def stored(self, value, name):
        document = self.ok_json("dtype", value)
        return next(entry for entry in document["formats"] if entry["format"] == name)

    def test_one_hundred_millionth_is_zero_in_fp16_and_kept_in_bf16(self):
        self.assertEqual(self.stored("1e-8", "fp16")["fate"], "underflow to zero")
        self.assertEqual(self.stored("1e-8", "fp16")["stored"], 0)
        self.assertEqual(self.stored("1e-8", "bf16")["code"], "0x322C")

    def test_seventy_thousand_is_infinite_in_fp16(self):
        entry = self.stored("70000", "fp16")
        self.assertEqual((entry["code"], entry["fate"], entry["stored_text"]), ("0x7C00", "overflow", "inf"))
        self.assertIsNone(entry["stored"])
        self.assertEqual(self.stored("70000", "bf16")["stored"], 70144)

    def test_negative_numbers_are_no_options(self):
        self.assertEqual(self.stored("-0.3", "fp4_e2m1")["stored"], -0.5)

    def test_blocks_share_their_scale(self):
        # Worked examples of the formats' descriptions.
        expected = {"mxfp8_e4m3": ("0x73", [0.1015625, 0.01953125, -0.0703125, 0.0029296875]),
                    "mxfp6_e2m3": ("0x79", [0.1015625, 0.01953125, -0.0703125, 0.00390625]),
                    "mxfp4": ("0x79", [0.09375, 0.0234375, -0.0625, 0])}
        for name, (code, stored) in expected.items():
            document = self.ok_json("dtype", "0.1 0.02, -0.07 0.003", "--format", name)
            block, = document["blocks"]
            self.assertEqual(block["scale_code"], code, name)
            self.assertEqual([element["stored"] for element in block["elements"]], stored, name)
        document = self.ok_json("dtype", "0.1 0.02 -0.07 0.003", "--format", "nvfp4")
        self.assertAlmostEqual(document["tensor_scale"], 0.1 / (6 * 448))
        for element, stored in zip(document["blocks"][0]["elements"], [0.1, 0.1 / 6, -0.4 / 6, 0]):
            self.assertAlmostEqual(element["stored"], stored)
        two = self.ok_json("dtype", " ".join(["1"] * 20), "--format", "nvfp4")["blocks"]
        self.assertEqual([len(block["elements"]) for block in two], [16, 4])
        self.assertIn("32 numbers", self.ok("dtype", "1 2 3", "--format", "mxfp4"))
        self.refused(2, "dtype", "1 x", "--format", "mxfp4", says="(x)")
        self.refused(2, "dtype", "1 inf", "--format", "mxfp4", says="inf")
        self.refused(2, "dtype", " ", "--format", "mxfp4", says="no number")

    def test_rubbish_is_named(self):
        self.refused(2, "dtype", "abc", says="(abc)")
        self.refused(2, "dtype", "1", "--format", "fp12", says="fp12")


LAYER = "batch in, in out -> batch out"


class Einsum(CliTest):
    def test_a_layer_costs_two_flops_for_each_weight_and_sample(self):
        document = self.ok_json("einsum", LAYER, "--dim", "batch=64", "--dim", "in=256", "--dim", "out=128")
        self.assertEqual(document["flops"], 2 * 64 * 256 * 128)
        self.assertEqual(document["flops_exact"], 64 * 128 * (2 * 256 - 1))
        self.assertEqual(document["bytes"], 2 * (64 * 256 + 256 * 128 + 64 * 128))
        self.assertAlmostEqual(document["intensity"], document["flops"] / document["bytes"])
        self.assertEqual([g["expression"] for g in document["gradients"]],
                         ["batch out, in out -> batch in", "batch in, batch out -> in out"])

    def test_sizes_may_follow_one_dim_or_stand_before_the_expression(self):
        expected = self.ok_json("einsum", LAYER, "--dim", "batch=64", "--dim", "in=256", "--dim", "out=128")
        for arguments in ([LAYER, "--dim", "batch=64", "in=256", "out=128"],
                          ["--dim", "batch=64", "in=256", "out=128", LAYER],
                          [LAYER, "--dim", "batch=64,in=256,out=128"]):
            self.assertEqual(self.ok_json("einsum", *arguments), expected, arguments)

    def test_shapes_say_the_sizes_also_of_the_dots(self):
        by_name = self.ok_json("einsum", LAYER, "--dim", "batch=64", "in=256", "out=128")
        self.assertEqual(self.ok_json("einsum", LAYER, "--shape", "64x256", "--shape", "256x128"), by_name)
        dots = self.ok_json("einsum", "... in, in out -> ... out", "--shape", "8,128,64", "--shape", "64,32")
        self.assertEqual(dots["flops"], 2 * 8 * 128 * 64 * 32)
        self.refused(2, "einsum", LAYER, "--shape", "64x256", says="2 operands")
        self.refused(2, "einsum", LAYER, "--shape", "64x256", "--shape", "255x128", says="255")

    def test_element_functions_and_names_of_formats(self):
        for function, flops in [("sqrt", 1), ("rsqrt", 2), ("square", 1), ("reciprocal", 1), ("abs", 1), ("neg", 1)]:
            document = self.ok_json("einsum", f"{function}: n", "--dim", "n=100", "--dtype", "e4m3")
            self.assertEqual((document["flops"], document["bytes"]), (100 * flops, 200), function)
        self.assertGreater(self.ok_json("einsum", "rsqrt: n", "--dim", "n=100", "--dtype", "float32", "--time")["timed"]["seconds"], 0)
        self.refused(2, "einsum", "sqrt: n", "--dim", "n=100", "--dtype", "fp6_e2m3", says=["fp6", "no whole bytes"])
        self.refused(2, "einsum", "sqrt: n", "--dim", "n=100", "--dtype", "fp4", "--time", says=["fp4", "fp32", "bf16"])
        self.assertEqual(self.ok_json("dtype", "0.3", "--format", "fp4"), self.ok_json("dtype", "0.3", "--format", "fp4_e2m1"))

    def test_fp4_takes_half_a_byte_and_the_fp4_peak_of_a_device_that_has_one(self):
        for text, count, nbytes in [("sqrt: n", 100, 2 * 50), ("sqrt: n", 101, 2 * 51), ("n ->", 7, 4 + 1)]:
            document = self.ok_json("einsum", text, "--dim", f"n={count}", "--dtype", "fp4", "--device", "B200")
            self.assertEqual((document["dtype"], document["bytes"]), ("fp4_e2m1", nbytes), text)
        product = ["einsum", "i k, k j -> i j", "--dim", "i=4096", "k=4096", "j=4096", "--device"]
        bounds = {dtype: self.ok_json(*product, "B200", "--dtype", dtype)["device"] for dtype in ["fp4", "fp8"]}
        self.assertEqual(bounds["fp4"]["peak_dtype"], "fp4_e2m1")
        self.assertAlmostEqual(bounds["fp4"]["peak_flop_per_s"] / bounds["fp8"]["peak_flop_per_s"], 2, places=2)
        self.refused(2, *product, "H100 SXM", "--dtype", "fp4", says=["H100", "no fp4_e2m1 peak"])
        tensor = self.ok_json("tensor", "3x5", "--dtype", "fp4", "--steps", ".T.contiguous()[1]", "--address", "2")
        self.assertEqual(tensor["start"]["size_bytes"], 8)
        self.assertEqual(tensor["steps"][1]["bytes"], 15)
        self.assertEqual(tensor["address"]["bytes"], 2)
        self.assertIn("5 · 0.5 B = 2.5 B: byte 2, its upper half", tensor["address"]["formula"])
        self.assertEqual(tensor["start"]["values"], [0, 1, 2, 3, 4, 4, 6, 6, 6, 6, 6, 6, 6, 6, 6])

    def test_what_is_not_a_number_is_nan_whatever_its_sign(self):
        for steps in ["(x-10).sqrt()", "x/0", "(x-2)**0.5"]:
            text = self.ok("tensor", "2,3", "--steps", steps)
            self.assertIn("nan", text)
            self.assertNotIn("-nan", text)

    def test_own_devices_are_known_as_everywhere(self):
        folder = self.folder / "data" / "plumbline"
        folder.mkdir(parents=True)
        own = {"format": "plumbline.devices", "version": 1,
               "devices": [{"id": "basement-card", "name": "Basement card", "backend": "cuda", "compute_capability": 90,
                            "memory_bytes": 24 * 10**9, "bandwidth_bytes_per_s": 5e11,
                            "peak_flop_per_s": {"bf16": 1e14, "fp32": 5e13},
                            "source": "own record"}]}
        (folder / "devices.json").write_text(json.dumps(own))
        run = ["i k, k j -> i j", "--dim", "i=64", "k=64", "j=64", "--dtype", "bf16", "--device", "basement"]
        document = self.ok_json("einsum", *run)
        self.assertEqual((document["device"]["name"], document["device"]["balance"]), ("Basement card", 200))
        moved = self.ok_json("tensor", "1000,1000", "--steps", ".clone()", "--device", "basement-card")
        self.assertEqual(moved["device"], "Basement card")
        self.assertEqual(moved["steps"][0]["seconds"], moved["steps"][0]["bytes"] / 5e11)
        for command in (["einsum", *run[:-1]], ["tensor", "9", "--device"], ["predict", "--device"],
                        ["plan", "time", "--parameters", "7e9", "--tokens", "1e12", "--device"]):
            self.ok(*command, "Basement")
            self.ok(*command, "basement-card")
            (folder / "devices.json").write_text("{")
            self.refused(2, *command, "Basement", says="devices.json")
            (folder / "devices.json").write_text(json.dumps(own))

    def test_letters_dtypes_and_devices(self):
        document = self.ok_json("einsum", "ij,jk->ik", "--dim", "i=1k", "j=1k", "k=1k", "--dtype", "bf16",
                                "--device", "h100 sxm")
        self.assertAlmostEqual(document["intensity"], 1000 / 3)
        self.assertAlmostEqual(document["device"]["balance"], 295.4, delta=0.1)
        self.assertEqual(document["device"]["bound"], "compute")
        self.assertEqual(document["device"]["highest_mfu"], 1)
        narrow = self.ok_json("einsum", "ij,jk->ik", "--dim", "i=8", "j=1k", "k=1k", "--device", "h100 sxm")
        self.assertAlmostEqual(narrow["device"]["highest_mfu"], narrow["intensity"] / narrow["device"]["balance"])
        self.assertIn("MFU at most", self.ok("einsum", "n ->", "--dim", "n=4", "--device", "h100 sxm"))
        self.assertAlmostEqual(document["device"]["seconds"], 2e9 / 989.5e12, delta=1e-9)

    def test_three_operands_have_a_best_order(self):
        document = self.ok_json("einsum", "a b, b c, c d -> a d", "--dim", "a=1000", "b=1000", "c=1000", "d=1")
        self.assertEqual(document["order"]["flops"], 4_000_000)
        self.assertEqual(document["order"]["steps"][0]["operands"], [1, 2])

    def test_timing_runs_it_here(self):
        document = self.ok_json("einsum", "i k, k j -> i j", "--dim", "i=32", "k=32", "j=32", "--dtype", "fp32", "--time")
        self.assertGreater(document["timed"]["seconds"], 0)
        for expression in ("gelu: i", "max: i j -> j", "mean: i j ->", "prod: i j -> i", "repeat: i -> i j", "i i ->",
                           "i j -> j i", "softmax: i j", "relu_backward: i, i", "i j, j k, k i ->"):
            for dtype in ("fp32", "bf16"):
                sizes = [f"{name}=8" for name in "ijk" if f" {name}" in expression]
                document = self.ok_json("einsum", expression, "--dim", *sizes, "--dtype", dtype, "--time")
                self.assertGreater(document["timed"]["seconds"], 0, expression)
                self.assertEqual(document["timed"]["machine"], "local-cpu", expression)

    def test_what_is_timed_in_its_best_order_is_rated_by_the_flops_of_that_order(self):
        document = self.ok_json("einsum", "a b, b c, c d -> a d", "--dim", "a=50", "b=50", "c=50", "d=1", "--dtype",
                                "fp32", "--time")
        timed, flops = document["timed"], document["order"]["flops"]
        self.assertLess(flops, document["flops"])
        self.assertAlmostEqual(timed["flop_per_s"] * timed["seconds"], flops, delta=1)
        self.assertTrue(timed["implementation"].startswith("2 products: "), timed["implementation"])

    def test_time_is_refused_with_the_reason(self):
        self.refused(2, "einsum", "relu: n", "--dim", "n=8", "--device", "h100 sxm", "--time", says="this machine")
        self.refused(4, "einsum", "a b, b c -> a c", "--dim", "a=400000", "b=2", "c=400000", "--dtype", "fp32", "--time", says="are available")
        self.refused(2, "einsum", "max: n ->", "--dim", "n=1e12", "--time", says="too long to time")
        self.refused(2, "einsum", "n, n ->", "--dim", "n=8", "--dtype", "fp64", "--time", says="fp32 and bf16")

    def test_the_ladder_is_the_classic_one(self):
        document = self.ok_json("einsum", "ladder", "--device", "h100 sxm")
        rungs = {rung["id"]: rung["intensity"] for rung in document["ladder"]}
        self.assertEqual((rungs["relu"], rungs["gelu"]), (0.25, 5))
        self.assertAlmostEqual(rungs["matmul"], 1024 / 3)
        self.assertAlmostEqual(document["balance"], 295.4, delta=0.1)

    def test_the_report_says_all_of_it(self):
        report = self.ok("einsum", LAYER, "--dim", "batch=64", "in=256", "out=128", "--device", "h100 sxm")
        for text in ("for batch in 64:", "2 · batch · in · out", "memory-bound", "gradients"):
            self.assertIn(text, report)

    def test_what_cannot_be_answered_is_one_sentence(self):
        self.refused(2, "einsum", LAYER, "--dim", "batch=64", says=["no size for in, out", "in=1024"])
        self.refused(2, "einsum", LAYER, "--dim", "batch=64", "in=2", "out=2", "uot=3", says="no dimension uot")
        self.refused(2, "einsum", "batch in, in out -> batch put", says="put in the result but in no operand")
        self.refused(2, "einsum", "a b", says='no "->"')
        self.refused(2, "einsum", LAYER, "--dim", "batch=0", "in=2", "out=2", says="batch=0")
        self.refused(2, "einsum", LAYER, "--dim", "batch=1e15", "in=1e15", "out=2", says="63 bits")
        self.refused(2, "einsum", "n ->", "--dim", "n=4", "n=5", says="two sizes")
        self.refused(2, "einsum", "n ->", "--dim", "n=4", "--dtype", "fp12", says="fp12")
        self.refused(2, "einsum", LAYER, "--dim", "batch=1", "in=2", "out=2", "--device", "v100 sxm2 16gb", says="no bf16 peak")
        self.refused(2, "einsum", says="EXPR")

    def test_a_dimension_twice_in_one_operand_is_its_diagonal(self):
        document = self.ok_json("einsum", "i i, i j -> j", "--dim", "i=5", "j=3")
        self.assertEqual((document["flops"], document["bytes"]), (2 * 5 * 3, 2 * (5 + 15 + 3)))
        self.assertEqual([(g["expression"], g["note"]) for g in document["gradients"]],
                         [("j, i j -> i", "on the diagonal, and 0 beside it"), ("i i, j -> i j", "")])
        self.assertEqual(self.ok_json("einsum", "ii->", "--dim", "i=7")["flops_exact"], 6)
        self.refused(2, "einsum", "max: i i ->", "--dim", "i=5", says="i twice")

    def test_many_operands_are_counted_even_when_no_order_is_searched(self):
        chain = ", ".join(f"d{i} d{i + 1}" for i in range(14)) + " -> d0 d14"
        document = self.ok_json("einsum", chain, "--dim", *[f"d{i}=2" for i in range(15)])
        self.assertEqual(document["points"], 2**15)
        self.assertIsNone(document["order"])
        self.assertIn("at most 12", document["order_note"])

    def test_rubbish_is_quoted_as_it_was_typed_and_no_longer_than_is_read(self):
        self.refused(2, "einsum", "\U0001F916 b -> b", "--dim", "b=2", says="has '\U0001F916' where")
        done = self.refused(2, "einsum", "a " * 20000 + "-> +", "--dim", "a=2", says="…")
        self.assertLess(len(done.stderr), 600)
        many = ", ".join(f"d{i}" for i in range(40))
        self.assertLess(len(self.refused(2, "einsum", many + " ->", says="… (40)").stderr), 600)
        self.refused(2, "dtype", "1e400", says="fp64 does not hold")

    def test_help_has_examples(self):
        self.assertIn("Examples:", self.ok("einsum", "--help"))
        self.assertIn(".transpose(dim0, dim1)", self.ok("tensor", "--help"))


class Tensor(CliTest):
    def test_views_share_and_copies_cost(self):
        document = self.ok_json("tensor", "3,4", "--steps", "x[1:, ::2].T.contiguous()", "--dtype", "bf16")
        sharing = [(step["step"], step["sharing"], step["bytes"]) for step in document["steps"]]
        self.assertEqual(sharing, [("[1:, ::2]", "view", 0), (".T", "view", 0), (".contiguous()", "copy", 16)])
        self.assertEqual(document["steps"][0]["offset"], 4)
        self.assertEqual(document["steps"][0]["strides"], [4, 2])
        self.assertEqual([step["storage"] for step in document["steps"]], [0, 0, 1])

    def test_size_bytes_and_contiguity_are_in_the_text(self):
        text = self.ok("tensor", "2,3", "--steps", "x.T", "--dtype", "bf16")
        self.assertRegex(text, r"\.T +view +\[3, 2\] +\[1, 3\] +6 +12 B +no")
        document = self.ok_json("tensor", "2,3", "--steps", "x.T", "--dtype", "bf16")
        self.assertEqual([(entry["elements"], entry["size_bytes"], entry["contiguous"])
                          for entry in (document["start"], document["steps"][0])], [(6, 12, True), (6, 12, False)])

    def test_questions_are_answered(self):
        for question, answer in [("x.T.stride()", "(1, 3)"), ("x.numel()", "6"), ("x.T.is_contiguous()", "False")]:
            self.assertEqual(self.ok_json("tensor", "2,3", "--steps", question)["steps"][-1]["answer"], answer)
            self.assertIn(answer, self.ok("tensor", "2,3", "--steps", question))
        self.refused(2, "tensor", "2,3", "--steps", "x.numel().T", says="ask it last")

    def test_small_tensors_have_values(self):
        document = self.ok_json("tensor", "2,3", "--steps", "x[:, 1:] = 0")
        self.assertEqual(document["start"]["values"], [0, 1, 2, 3, 4, 5])
        self.assertEqual(document["start"]["values_after"], [0, 0, 0, 3, 0, 0])
        self.assertIn("x afterwards  [[0, 0, 0], [3, 0, 0]]", self.ok("tensor", "2,3", "--steps", "x[:, 1:] = 0"))
        document = self.ok_json("tensor", "3", "--steps", "(x ** 2 + 1).rsqrt() * 2")
        self.assertEqual(document["start"]["values_after"], [0, 1, 2])
        for value, expected in zip(document["steps"][-1]["values"], [2, 2 / 2**0.5, 2 / 5**0.5]):
            self.assertAlmostEqual(value, expected, places=6)
        self.assertIsNone(self.ok_json("tensor", "4096,4096", "--steps", "x.T")["steps"][0]["values"])
        self.assertEqual(self.ok_json("tensor", "2", "--steps", "1 / x")["steps"][0]["values"], [None, 1])  # 1 / 0

    def test_an_address_is_worked_out(self):
        document = self.ok_json("tensor", "3x4", "--steps", "[1:, ::2]", "--address", "1,1")
        self.assertEqual((document["address"]["element"], document["address"]["bytes"]), (10, 40))

    def test_the_bus_to_a_gpu_takes_its_time(self):
        document = self.ok_json("tensor", "1000,1000", "--steps", ".cuda()", "--device", "a100 sxm4 80gb")
        self.assertAlmostEqual(document["steps"][0]["seconds"], 4e6 / 32e9, delta=1e-7)
        on_gpu = self.ok_json("tensor", "1000,1000", "--steps", ".T.contiguous()", "--device", "a100 sxm4 80gb")
        self.assertEqual(on_gpu["start"]["place"], "gpu")
        self.assertAlmostEqual(on_gpu["steps"][1]["seconds"], 8e6 / 2.039e12, delta=1e-8)
        on_host = self.ok_json("tensor", "9", "--steps", ".clone()", "--device", "a100 sxm4 80gb", "--on", "host")
        self.assertIsNone(on_host["steps"][0]["seconds"])
        self.assertIn("not known", on_host["steps"][0]["formula"])
        none = self.ok_json("tensor", "9", "--steps", ".cuda()", "--device", "TPU v5p")["steps"][0]
        self.assertIsNone(none["seconds"])
        self.assertIn("the bus between host and Google TPU v5p (one chip) is not known", none["formula"])

    def test_a_view_that_cannot_be_fails_in_torchs_words(self):
        done = self.refused(2, "tensor", "2,3", "--steps", "x.T.view(6)",
                            says="view size is not compatible with input tensor's size and stride (at least one "
                                 "dimension spans across two contiguous subspaces). Use .reshape(...) instead.")
        self.assertIn("view", done.stdout)
        self.refused(2, "tensor", "2,3", "--steps", "x.tt", says="did you mean")
        self.refused(2, "tensor", "2,a", says="2,a")
        self.refused(2, "tensor", "2,3", "--steps", "\U0001F916", says="'\U0001F916' is unexpected")
        self.refused(2, "tensor", ",".join(["1"] * 200), says="dimensions (200)")
        self.refused(2, "tensor", "1e9,99999999999999999999", says="cannot be used")


if __name__ == "__main__":
    unittest.main()
