# SPDX-License-Identifier: Apache-2.0
"""The memory curve (pass S) beside the CPU allocator's own peak (pass M), for many classes of models."""

from __future__ import annotations

import platform
import sys
import unittest

from support import ops, record_made, record_training, tensors

import memory_table
import torch
from architectures import ARCHITECTURES, Mlp, Training, trained, vectors
from torch.nn import functional as F

A_FEW_BYTES = 256  # numbers that an op makes a tensor of, counters of libraries


class MemoryOfArchitectures(unittest.TestCase):
    def test_curve_peak_is_the_allocators(self) -> None:
        for name, (make, share) in ARCHITECTURES.items():
            with self.subTest(name):
                document = record_made(make)
                if document is None:
                    self.skipTest(f"torch {torch.__version__} has no {name} on the CPU")
                row = memory_table.Row.of(document)
                self.assertLessEqual(abs(row.lacking), row.peak * share + A_FEW_BYTES)
                self.assertFalse([sentence for sentence in document["said"] if "libraries" in sentence])
                self.assertEqual(document["missing_formulas"], [])
                self.assertTrue(ops(document, phase="backward"))
                for tensor in tensors(document):
                    self.assertTrue(tensor["name"] and tensor["role"], tensor)


class TableOfTheReadme(unittest.TestCase):
    def test_it_has_every_model_and_its_peaks(self) -> None:
        """Of rows without memory inside of libraries alone: what these take differs by processor still."""
        stated = memory_table.rows_of_readme(torch.__version__.partition("+")[0])
        if not stated:
            self.skipTest(f"the table is not of torch {torch.__version__}")
        if platform.machine() not in ("x86_64", "AMD64"):
            self.skipTest("the table is of processors with AVX2")
        measured = memory_table.measured_by(sys.executable, memory_table.HELD_TO)["rows"]
        self.assertEqual(list(measured), list(ARCHITECTURES))
        self.assertEqual({name for name, row in measured.items() if row}, set(stated))
        self.assertEqual({name: measured[name].peak for name, row in stated.items() if not row.inside},
                         {name: row.peak for name, row in stated.items() if not row.inside})
        self.assertGreater(sum(not row.inside for row in stated.values()), 12)


class InsideLibraries(unittest.TestCase):
    """Ops that allocate where no dispatch mode looks, as libraries do."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.kept: list[torch.Tensor] = []
        cls.library = torch.library.Library("plumbline_test", "DEF")
        cls.library.define("scratch(Tensor x, int size) -> Tensor")
        cls.library.define("keep(Tensor x, int size) -> Tensor")
        cls.library.define("drop(Tensor x) -> Tensor")
        cls.library.impl("scratch", cls.scratch, "CPU")
        cls.library.impl("keep", cls.keep, "CPU")
        cls.library.impl("drop", cls.drop, "CPU")

    @staticmethod
    def scratch(x, size):
        return x + torch.empty(size, dtype=torch.uint8)[:1]

    @classmethod
    def keep(cls, x, size):
        cls.kept.append(torch.empty(size, dtype=torch.uint8))
        return x.clone()

    @classmethod
    def drop(cls, x):
        cls.kept.clear()
        return x.clone()

    def recorded(self, forward, **options) -> dict:
        class Layer(torch.nn.Module):
            def forward(self, x):
                with torch.no_grad():
                    forward(x)
                return x

        model = torch.nn.Sequential(torch.nn.Linear(8, 8), Layer())
        return record_training(trained(model, vectors(4, 8, 8), F.cross_entropy), **options)

    def test_scratch_of_an_op_is_a_row_of_its_module(self) -> None:
        document = self.recorded(lambda x: torch.ops.plumbline_test.scratch(x, 1_000_000))
        row, = [row for row in tensors(document, role="inside a library") if row["bytes"] > 900_000]
        self.assertEqual((row["name"], row["module"]), ("1:scratch (library)", "1"))
        self.assertEqual((row["category"], row["shape"]), ("workspace", [row["bytes"]]))
        self.assertEqual(document["ops"]["kind"][row["made_by"]], "plumbline_test::scratch")
        self.assertEqual((row["first_op"], row["last_op"]), (row["made_by"], row["freed_by"]))
        memory = document["memory"]
        self.assertEqual(memory["peak_op"], row["made_by"])
        self.assertLessEqual(abs(memory["allocator_peak_bytes"] - memory["curve_peak_bytes"]), A_FEW_BYTES)
        self.assertAlmostEqual(memory["inside_libraries_bytes"], 1_000_000, delta=A_FEW_BYTES)
        missing, = document["missing_formulas"]
        self.assertEqual((missing["kind"], missing["ops"]), ("plumbline_test::scratch", 1))
        self.assertTrue(0 < missing["share_of_time"] < 1, missing)
        self.assertIsNone(document["ops"]["flops"][row["made_by"]])

    def test_what_a_library_keeps_lives_until_it_drops_it(self) -> None:
        def forward(x):
            torch.ops.plumbline_test.keep(x, 500_000)
            torch.relu(x)
            torch.ops.plumbline_test.drop(x)

        document = self.recorded(forward)
        row, = [row for row in tensors(document, role="inside a library") if row["bytes"] == 500_000]
        kinds = document["ops"]["kind"]
        self.assertEqual(kinds[row["first_op"]], "plumbline_test::keep")
        self.assertEqual(kinds[row["freed_by"]], "plumbline_test::drop")

    def test_a_step_of_other_ops_is_said(self) -> None:
        calls = []

        def forward(x):
            calls.append(x)
            if len(calls) == 3:  # pass S
                torch.ops.plumbline_test.scratch(x, 1_000_000)

        document = self.recorded(forward)
        self.assertTrue([sentence for sentence in document["said"] if "other ops than" in sentence], document["said"])
        self.assertEqual(tensors(document, role="inside a library"), [])


class Categories(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(0)
        self.training = trained(Mlp(), vectors(256, 64, 10), F.cross_entropy)
        self.document = record_training(self.training)

    def bytes_of(self, category: str, **wanted) -> int:
        return sum(row["bytes"] for row in tensors(self.document, category=category, **wanted))

    def test_parameters_gradients_and_state_are_known_by_identity(self) -> None:
        size = 4 * sum(parameter.numel() for parameter in self.training.model.parameters())
        count = len(list(self.training.model.parameters()))
        last = len(self.document["ops"]["id"])
        self.assertEqual(self.bytes_of("parameters"), size)
        self.assertEqual(self.bytes_of("gradients", last_op=last), size)
        self.assertEqual(self.bytes_of("optimizer_state"), 2 * size + 4 * count)
        names = {row["name"] for row in tensors(self.document)}
        self.assertLessEqual({"0.weight", "0.weight.grad", "0.weight.exp_avg", "5.bias.exp_avg_sq"}, names)

    def test_activations_are_what_autograd_saved(self) -> None:
        made = {(row["module"], tuple(row["shape"])) for row in tensors(self.document, category="activations")}
        self.assertLessEqual({("0", (256, 128)), ("1", (256, 128)), ("3", (256, 128)), ("4", (256, 128))} -
                             {("0", (256, 128))}, made)
        # What a layer gave to a ReLU is not saved: the result of the ReLU is.
        hidden = tensors(self.document, module="0", role="forward temporary")
        self.assertEqual([row["shape"] for row in hidden], [[256, 128]])

    def test_what_autograd_saved_is_an_activation_though_nothing_reads_it(self) -> None:
        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh())
        optimizer = torch.optim.SGD(model.parameters(), 0.1)

        def step() -> None:
            model(torch.randn(4, 8))  # no backward pass

        document = record_training(Training(model, optimizer, step))
        self.assertEqual([row["module"] for row in tensors(document, category="activations")], ["1"])

    def test_batch_and_targets_are_data(self) -> None:
        data = {(row["role"], tuple(row["shape"])) for row in tensors(self.document, category="data")}
        self.assertEqual(data, {("input", (256, 64)), ("target", (256,))})

    def test_tensors_say_who_made_and_who_freed_them(self) -> None:
        kinds = self.document["ops"]["kind"]
        for row in tensors(self.document, category="activations"):
            self.assertEqual(row["made_by"], row["first_op"])
            self.assertIn(row["made_by"], range(len(kinds)))
        gelu = tensors(self.document, module="4", category="activations")[0]
        self.assertEqual(kinds[gelu["made_by"]], "aten::gelu")
        self.assertEqual(self.document["ops"]["phase"][gelu["freed_by"]], "backward")


if __name__ == "__main__":
    unittest.main()
