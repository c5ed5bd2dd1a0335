# SPDX-License-Identifier: Apache-2.0
"""Predictions beside recordings of the same step, and what CUDA makes of it."""

from __future__ import annotations

import os
import random
import tempfile
import unittest
from collections import Counter

from support import ops, plumbline, record_training, tensors

import torch
from architectures import (ARCHITECTURES, ConvNet, Decoder, Mlp, Training, autocast, decoder, images, token_loss, tokens,
                           trained, vectors)
from plumbline.caching_allocator import CachingAllocator, replay
from plumbline.machines import Machine, find_machine
from plumbline.personality import attention_kernel
from plumbline.summary import duration, size
from torch.nn import functional as F

MACHINE = {"name": "Test device", "memory_bytes": 4 * 10**9, "bandwidth_bytes_per_s": 1e12, "compute_capability": "9.0",
           "peak_flop_per_s": {"fp32": 1e13, "bf16": 1e14}}
MIB = 1 << 20


class BesideTheRecording(unittest.TestCase):
    def assert_equal_to_recorded(self, training, batch, loss, within=0.001, **options) -> None:
        recorded = record_training(training)
        (inputs,), target = batch()
        predicted = plumbline.predict(training.model, inputs, target=target, loss=loss,
                                      optimizer=training.optimizer, **options)
        self.assertEqual(plumbline.validate(predicted.document), [])
        place = recorded["memory"]["peak_op"]
        held = tensors(recorded, role="held from before")  # of other tests
        peak = recorded["memory"]["curve_peak_bytes"] - sum(row["bytes"] for row in held if row["last_op"] >= place)
        self.assertAlmostEqual(predicted.peak_bytes / peak, 1, delta=within)
        self.assertEqual(predicted.matmul_flops, sum(recorded["ops"]["matmul_flops"]))
        self.assertIsNone(predicted.document["predicted"]["seconds"])
        self.assertEqual({op["seconds"] for op in ops(predicted.document)}, {None})

    def test_mlp(self) -> None:
        batch = vectors(256, 64, 10)
        self.assert_equal_to_recorded(trained(Mlp(dropout=0.1), batch, F.cross_entropy), batch, F.cross_entropy, 0)

    def test_decoders(self) -> None:
        for recompute in (None, "reentrant", "other"):
            with self.subTest(recompute):
                self.assert_equal_to_recorded(decoder(recompute=recompute), tokens(8, 32, 96), token_loss)

    def test_autocast(self) -> None:
        training = trained(Decoder(), tokens(8, 32, 96), token_loss, around=autocast)
        self.assert_equal_to_recorded(training, tokens(8, 32, 96), token_loss, autocast=torch.bfloat16)

    def test_convolutional_net(self) -> None:
        batch = images(16, 32, 10)
        self.assert_equal_to_recorded(trained(ConvNet(), batch, F.cross_entropy), batch, F.cross_entropy, 0.015)

    def test_names_are_those_of_the_recording_wherever_gradients_are_forgotten(self) -> None:
        def known(document: dict) -> Counter:
            """But for what a prediction cannot know: memory inside libraries, what else lived, the step before."""
            return Counter((row["name"], row["category"], row["bytes"]) for row in tensors(document)
                           if row["role"] not in ("inside a library", "held from before")
                           and not row["name"].endswith(".grad (step before)"))

        def train(model, optimizer, loss, batch, order: str) -> Training:
            inputs, target = batch()

            def step() -> None:
                (x,), t = batch() if order.startswith("its batch") else (inputs, target)
                if order.endswith("first"):
                    optimizer.zero_grad()
                loss(model(x), t).backward()
                optimizer.step()
                if order.endswith("last"):
                    optimizer.zero_grad()

            return Training(model, optimizer, step)

        for make, loss, batch in ((lambda: Mlp(dropout=0.1), F.cross_entropy, vectors(16, 64, 10)),
                                  (Decoder, token_loss, tokens(2, 16, 96))):
            for order in ("its batch, first", "first", "its batch, last", "last"):
                model = make()
                optimizer = torch.optim.AdamW(model.parameters())
                with self.subTest(type(model).__name__, order=order):
                    recorded = record_training(train(model, optimizer, loss, batch, order))
                    (inputs,), target = batch()
                    predicted = plumbline.predict(model, inputs, target=target, loss=loss, optimizer=optimizer).document
                    self.assertEqual(known(recorded) - known(predicted), Counter())
                    self.assertEqual(known(predicted) - known(recorded), Counter())
                    older = [row for row in tensors(recorded) if row["name"].endswith(".grad (step before)")]
                    self.assertEqual(len(older), sum(1 for _ in model.parameters()) if order == "its batch, first" else 0)
                    self.assertTrue(all(row["last_op"] < 4 for row in older))
                    ids = [[op["id"] for op in ops(document) if op["phase"] != "data"] for document in (recorded, predicted)]
                    self.assertEqual(*ids)

    def test_a_constant_has_one_tensor_recorded_and_predicted(self) -> None:
        class Scaled(torch.nn.Linear):
            def forward(self, x):
                return super().forward(x) * torch.tensor([0.5, 2.0])

        model, batch = Scaled(4, 2), vectors(8, 4, 2)
        training = trained(model, batch, F.cross_entropy)
        (inputs,), target = batch()
        predicted = plumbline.predict(model, inputs, target=target, loss=F.cross_entropy, optimizer=training.optimizer)
        for document in (record_training(training), predicted.document):
            op, = ops(document, kind="aten::lift_fresh")
            row, = [row for row in tensors(document, shape=[2], bytes=8) if row["category"] == "data"]
            self.assertEqual((op["writes"], [document["tensors"]["name"][read] for read in op["reads"]]), ([], [row["name"]]))
            self.assertEqual((row["name"], row["made_by"]), ("target#1", None))

    def test_a_recording_keeps_a_prediction_made_before_it(self) -> None:
        training, batch = decoder(), tokens(8, 32, 96)
        (inputs,), target = batch()
        predicted = plumbline.predict(training.model, inputs, target=target, loss=token_loss, optimizer=training.optimizer)
        recorded = record_training(training, prediction=predicted)
        kept = recorded["prediction"]
        self.assertEqual(kept["curve_peak_bytes"], predicted.peak_bytes)
        self.assertEqual((len(kept["curve"]), max(kept["curve"])), (len(predicted.document["ops"]["id"]), predicted.peak_bytes))
        held = sum(row["bytes"] for row in tensors(recorded, role="held from before"))  # by other tests
        self.assertAlmostEqual(kept["recorded_peak_bytes"] - held, predicted.peak_bytes, delta=64)
        self.assertEqual(kept["matmul_flops"], sum(recorded["ops"]["matmul_flops"]))
        # The recording's own curve is none of it: it says what it is.
        sources = recorded["memory"]["curve_source"], predicted.document["memory"]["curve_source"]
        self.assertEqual(sources, ("recorded tensors", "fake tensors"))
        self.assertNotIn("prediction", record_training(training))
        spoiled = {**recorded, "prediction": {**kept, "curve": kept["curve"][1:]}}
        self.assertTrue(any("prediction.curve has" in problem for problem in plumbline.validate(spoiled)))
        gpu = plumbline.predict(training.model, inputs, device=MACHINE)
        self.assertTrue(any("recorded on cpu" in sentence for sentence in record_training(training, prediction=gpu)["said"]))
        with self.assertRaisesRegex(ValueError, "what plumbline.predict\\(\\) returned"):
            plumbline.record("step.plumb", training.model, prediction=training)

    def test_the_model_is_left_as_it_was(self) -> None:
        training = decoder()
        before = [parameter.clone() for parameter in training.model.parameters()]
        state, functions = torch.get_rng_state(), (F.dropout, F.scaled_dot_product_attention)
        plumbline.predict(training.model, torch.zeros(2, 8, dtype=torch.long), optimizer=torch.optim.SGD,
                          device=MACHINE)
        for old, now in zip(before, training.model.parameters()):
            self.assertTrue(torch.equal(old, now))
            self.assertIsNone(now.grad)
        self.assertTrue(torch.equal(state, torch.get_rng_state()))
        self.assertEqual(torch._C._len_torch_dispatch_stack(), 0)
        self.assertEqual((F.dropout, F.scaled_dot_product_attention), functions)

    def test_a_model_on_meta_needs_no_memory(self) -> None:
        with torch.device("meta"):
            model = Mlp(width=1 << 14, hidden=1 << 16)
            batch = torch.empty(1 << 10, 1 << 14)
        predicted = plumbline.predict(model, batch, optimizer=torch.optim.AdamW)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        self.assertGreater(predicted.peak_bytes, 16 * parameters)  # weights, gradients, two moments

    def test_what_depends_on_values_is_named(self) -> None:
        training = ARCHITECTURES["mixture of experts"][0]()
        with self.assertRaisesRegex(plumbline.PredictionError, r"architectures\.py:\d+ .*nonzero"):
            plumbline.predict(training.model, torch.zeros(2, 8, dtype=torch.long))

    def test_a_tensor_that_is_given_twice_is_one(self) -> None:
        ids = torch.zeros(2, 8, dtype=torch.long)
        predicted = [plumbline.predict(Decoder(), ids, target=target, loss=token_loss) for target in (ids, ids.clone())]
        sizes = [sum(row["bytes"] for row in tensors(each.document, category="data")) for each in predicted]
        self.assertEqual(sizes, [128, 256])

    def test_a_loss_that_nobody_gave_is_said(self) -> None:
        predicted = plumbline.predict(Mlp(), torch.zeros(4, 64))
        self.assertTrue(any("No loss" in sentence for sentence in predicted.document["said"]))


class Cuda(unittest.TestCase):
    def predicted(self, **options):
        model = Decoder().to(torch.bfloat16)
        options.setdefault("optimizer", torch.optim.AdamW)
        return plumbline.predict(model, torch.zeros(8, 32, dtype=torch.long), device=MACHINE, **options)

    def test_attention_and_optimizer_are_those_of_cuda(self) -> None:
        document = self.predicted().document
        kinds = set(document["ops"]["kind"])
        self.assertIn("aten::_scaled_dot_product_flash_attention", kinds)
        self.assertIn("aten::_scaled_dot_product_flash_attention_backward", kinds)
        self.assertTrue(any(kind.startswith("aten::_foreach_") for kind in kinds))

    def test_rules_of_attention(self) -> None:
        def kernel(size=64, dtype=torch.bfloat16, mask=None, capability=9.0):
            query = torch.empty(1, 1, 4, size, dtype=dtype, device="meta")
            return attention_kernel(query, query, query, mask, capability)

        self.assertEqual(kernel(), "flash")
        self.assertEqual(kernel(dtype=torch.float32), "efficient")
        self.assertEqual(kernel(mask=torch.zeros(4, 4)), "efficient")
        self.assertEqual(kernel(size=512), "efficient")
        self.assertEqual(kernel(capability=7.5), "efficient")
        self.assertEqual(kernel(size=63, dtype=torch.float32), "math")
        self.assertEqual(kernel(dtype=torch.float64), "math")

    def test_memory_is_rounded_and_reserved(self) -> None:
        memory = self.predicted().document["memory"]
        self.assertEqual(memory["library_bytes"], 2 * 33_554_432)
        self.assertGreater(memory["rounded_peak_bytes"], memory["curve_peak_bytes"] + memory["library_bytes"])
        self.assertGreaterEqual(memory["reserved_peak_bytes"], memory["allocated_peak_bytes"])
        self.assertEqual(memory["reserved_peak_bytes"] % (2 * MIB), 0)

    def test_time_is_a_range_of_the_data_sheet(self) -> None:
        figures = self.predicted().document["predicted"]
        self.assertLess(figures["seconds_low"], figures["seconds"])
        self.assertLess(figures["seconds"], figures["seconds_high"])
        self.assertEqual((figures["tier"], figures["fits"]), ("data sheet", True))
        generic = plumbline.predict(Mlp(), torch.zeros(4, 64), device="cuda").document["predicted"]
        self.assertEqual((generic["seconds"], generic["fits"], generic["tier"]), (None, None, None))

    def test_one_product_costs_its_ceiling(self) -> None:
        table = {"flops": [10**12], "matmul_flops": [10**12], "bytes": [10**6], "units": ["bf16"],
                 "is_product": [True]}
        seconds, _ = Machine(MACHINE).seconds(table)
        self.assertAlmostEqual(seconds.expected, 10**12 / (0.75e14) + 2e-6)
        table["bytes"], table["flops"], table["matmul_flops"] = [10**11], [10], [10]
        self.assertAlmostEqual(Machine(MACHINE).seconds(table)[0].low, 10**11 / 0.95e12)
        table["units"] = ["fp8_e4m3"]
        self.assertIn("fp8_e4m3", Machine(MACHINE).seconds(table)[1])

    def test_what_is_reserved_and_the_context_have_to_fit(self) -> None:
        predicted = plumbline.predict(Mlp(), torch.zeros(4, 64), device=MACHINE)
        needed = predicted.reserved_bytes + 10**9
        self.assertEqual((predicted.needed_bytes, predicted.fits), (needed, True))
        for memory, fits in ((needed, True), (needed - 1, False), (predicted.reserved_bytes, False)):
            again = plumbline.predict(Mlp(), torch.zeros(4, 64), device={**MACHINE, "memory_bytes": memory})
            self.assertIs(again.fits, fits)
            self.assertIn("yes: 100 %" if memory == needed else f"no: {100 * needed / memory:.3g} %", str(again))

    def test_workspaces_are_those_of_the_device(self) -> None:
        def predicted(**record):
            return plumbline.predict(Mlp(), torch.zeros(4, 64), device={**MACHINE, **record}).document

        for capability, workspace in (("9.0", 33_554_432), ("8.0", 8_519_680), ("10.0", 8_519_680), ("12.0", 8_519_680)):
            document = predicted(compute_capability=capability)
            self.assertEqual((document["memory"]["library_bytes"], document["said"][1:]), (2 * workspace, []))
        others = {"vendor": "AMD", "compute_capability": "gfx942"}, {"compute_capability": "gfx90a"}, {"vendor": "Google"}
        for record in others:
            with self.subTest(record):
                document = predicted(**record)
                self.assertNotIn("library_bytes", document["memory"])
                self.assertTrue(any("no NVIDIA device" in sentence for sentence in document["said"]), document["said"])
                self.assertLess(document["memory"]["reserved_peak_bytes"], 33_554_432)
        self.assertTrue(any("not known: ops and workspaces are those of 9.0" in sentence
                            for sentence in predicted(compute_capability=None)["said"]))

    def test_print_answers(self) -> None:
        predicted = self.predicted()
        text = str(predicted)
        memory, figures = predicted.document["memory"], predicted.document["predicted"]
        self.assertLess(len(text.splitlines()), 12)
        times = f"{duration(figures['seconds_low'])} to {duration(figures['seconds_high'])} (by the data sheet)"
        for words in ("on Test device", "fits           yes: ", times,
                      "context 1 GB (500 MB to 2.1 GB; assumption: 0.5 to 2 GiB",
                      f"reserved {size(memory['reserved_peak_bytes'])}", f"{size(memory['allocated_peak_bytes'])} of that",
                      "workspaces of cuBLAS 67.1 MB", "largest_batch() looks for it", "advice() says"):
            self.assertIn(words, text)
        self.assertRegex(repr(predicted), r"^<Prediction of Decoder · .* on Test device: [\d.]+ GB, fits>$")
        self.assertEqual(predicted.advice(), plumbline.advice(predicted))
        here = plumbline.predict(Mlp(), torch.zeros(4, 64))
        self.assertIn("on this CPU", str(here))
        self.assertIn("whether it fits is not known", repr(here))
        self.assertIsNone(here.largest_batch())

    def test_a_largest_batch_that_was_looked_for_is_in_the_file(self) -> None:
        needed = plumbline.predict(Mlp(), torch.zeros(64, 64), device=MACHINE).needed_bytes
        predicted = plumbline.predict(Mlp(), torch.zeros(4, 64), device={**MACHINE, "memory_bytes": needed})
        self.assertNotIn("largest_batch", predicted.document["predicted"])
        found = predicted.largest_batch()
        self.assertGreaterEqual(found, 64)
        self.assertEqual(found, plumbline.largest_batch(Mlp(), torch.zeros(4, 64), device={**MACHINE, "memory_bytes": needed}))
        self.assertIn(f"{found}, where this step has 4", str(predicted))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "step.plumb")
            predicted.write(path)
            self.assertEqual(plumbline.read_step(path)["predicted"]["largest_batch"], found)

    def test_devices_are_found_by_name(self) -> None:
        path = os.environ.get("PLUMBLINE_MACHINES")
        if path is None:
            self.assertEqual(find_machine("H200 SXM").capability, 9.0)
            self.assertEqual(find_machine("H100 SXM").name, "NVIDIA H100 SXM5 80GB")
            self.assertEqual(find_machine("L4").name, "NVIDIA L4")  # and no L40S
            with self.assertRaisesRegex(ValueError, "A100 SXM4 40GB, NVIDIA A100 SXM4 80GB"):
                find_machine("A100 SXM4")
        with self.assertRaisesRegex(ValueError, "full name"):
            find_machine("no such device")


class Allocator(unittest.TestCase):
    def test_segments(self) -> None:
        for size, reserved in ((1, 2 * MIB), (MIB, 2 * MIB), (MIB + 1, 20 * MIB), (11 * MIB, 12 * MIB)):
            allocator = CachingAllocator()
            allocator.take(size)
            self.assertEqual(allocator.reserved, reserved, size)

    def test_a_freed_block_is_used_again_and_joins_its_neighbours(self) -> None:
        allocator = CachingAllocator()
        places = [allocator.take(512 * 1024) for _ in range(4)]
        self.assertEqual(allocator.reserved, 2 * MIB)
        allocator.give_back(places[1])
        allocator.give_back(places[2])
        self.assertEqual(allocator.take(MIB), places[1])
        self.assertEqual(allocator.reserved, 2 * MIB)
        self.assertEqual(allocator.allocated, 2 * MIB)

    def test_an_unsplit_rest_is_allocated(self) -> None:
        allocator = CachingAllocator()
        allocator.take(19 * MIB + 512 * 1024)  # a segment of its own, of 20 MiB
        self.assertEqual(allocator.allocated, 20 * MIB)

    def test_any_order_keeps_the_books(self) -> None:
        dice = random.Random(7)
        for _ in range(20):
            allocator, held = CachingAllocator(), {}
            for _ in range(300):
                if held and dice.random() < 0.5:
                    allocator.give_back(held.popitem()[0])
                else:
                    size = dice.choice((1, 700, 4096, 300_000, 2 * MIB, 11 * MIB))
                    held[allocator.take(size)] = size
                self.assertGreaterEqual(allocator.allocated, sum(held.values()))
                self.assertLessEqual(allocator.allocated, allocator.reserved)
            for place in list(held):
                allocator.give_back(place)
            self.assertEqual(allocator.allocated, 0)
            self.assertEqual(sum(size for pool in allocator._free.values() for size, _ in pool), allocator.reserved)

    def test_lifetimes_of_a_step(self) -> None:
        allocator = replay([MIB, MIB, MIB], [-1, 0, 1], [3, 0, 2], 3)
        self.assertEqual(allocator.allocated_peak, 2 * MIB)


class Files(unittest.TestCase):
    def test_a_verdict_that_is_not_that_of_its_figures_is_named(self) -> None:
        document = plumbline.predict(Mlp(), torch.zeros(4, 64), device=MACHINE).document
        self.assertEqual(plumbline.validate(document), [])
        document["predicted"]["fits"] = False
        self.assertTrue(any("predicted.fits" in problem for problem in plumbline.validate(document)))
        document["predicted"].update(fits=True, needed_bytes=1)
        self.assertTrue(any("predicted.needed_bytes" in problem for problem in plumbline.validate(document)))

    def test_a_prediction_is_written_as_a_step_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "step.plumb")
            plumbline.predict(Mlp(), torch.zeros(4, 64), device=MACHINE).write(path)
            self.assertEqual(plumbline.read_step(path)["source"], "predicted")


if __name__ == "__main__":
    unittest.main()
