# SPDX-License-Identifier: Apache-2.0
"""Pass K with kernels that a GPU might have run: torch's records of a step on the CPU, and made-up kernels of its ops."""

from __future__ import annotations

import unittest
from types import SimpleNamespace

from support import ops, plumbline

import torch
from architectures import Mlp, trained, vectors
from plumbline.document import StepDocument
from plumbline.kernel_pass import KernelPass, kernels_of_ops
from plumbline.structure import StructurePass
from torch.nn import functional as F

CPU, CUDA = torch._C._autograd.DeviceType.CPU, torch._C._autograd.DeviceType.CUDA


def event(name: str, begin: int, length: int, number: int = 0, link: int = 0, device=CPU):
    """One record, as the profiler has it."""
    return SimpleNamespace(name=lambda: name, start_ns=lambda: begin, duration_ns=lambda: length,
                           correlation_id=lambda: number, linked_correlation_id=lambda: link,
                           device_type=lambda: device)


def kernel(name: str, begin: int, length: int, link: int):
    return event(name, begin, length, 0, link, CUDA)


class Kernels(unittest.TestCase):
    def test_belong_to_the_op_that_launched_them(self) -> None:
        marks = [event("plumbline op 0", 100, 50, 1), event("aten::mm", 110, 30, 2),
                 event("plumbline op 1", 200, 50, 3), event("aten::copy_", 210, 30, 4), event("epoch", 0, 900, 5),
                 event("cudaLaunchKernel", 215, 5, 2, 4)]  # its number is an op's by accident
        gpu = [kernel("gemm", 5_000, 700, 2), kernel("split", 6_000, 300, 2), kernel("Memcpy DtoD", 7_000, 40, 4),
               kernel("plumbline op 0", 5_000, 1300, 1), kernel("epoch", 5_000, 1300, 5),  # annotations, no kernels
               kernel("stray", 8_000, 10, 77), kernel("between", 8_000, 10, 5)]
        found, lost = kernels_of_ops([*marks, *gpu], 3)
        self.assertEqual([[one.name for one in each] for each in found], [["gemm", "split"], ["Memcpy DtoD"], []])
        self.assertAlmostEqual(sum(one.seconds for one in found[0]), 1e-6)
        self.assertEqual(lost, 2)

    def test_are_told_in_the_file(self) -> None:
        torch.manual_seed(0)
        training = trained(Mlp(), vectors(8, 64, 10), F.cross_entropy)
        for _ in range(2):
            training.step()
        structure = StructurePass(training.model, [training.optimizer])
        watched = KernelPass(training.model, [training.optimizer], hooks_optimizers=True)
        for each in (structure, watched):
            each.open()
            training.step()
            each.close()
        calls = sorted((each for each in watched._events if each.name() in ("aten::mm", "aten::addmm")),
                       key=lambda each: each.start_ns())
        products = calls[1::2]  # a call is recorded above the mode and below it; kernels are linked to the latter
        self.assertEqual(len(products), 8)
        self.assertIn("no kernel", watched.add_to(structure))
        watched._absent = ""
        watched._events += [kernel("sgemm", 10**9, 2_000, each.correlation_id()) for each in products]
        self.assertEqual(watched.add_to(structure), "")
        document = StepDocument(structure, "cuda", []).fields
        document["measured"] = None
        self.assertEqual(plumbline.validate(document), [])
        timed = [op for op in ops(document) if op["kernels"]]
        self.assertEqual({op["kind"] for op in timed}, {"aten::mm", "aten::addmm"})
        self.assertEqual([op["seconds"] for op in timed], [2e-6] * 8)
        self.assertEqual({op["seconds_source"] for op in ops(document)}, {"K"})
        self.assertEqual({op["seconds"] for op in ops(document, kind="aten::t")}, {0})

    def test_of_a_step_of_other_ops_are_not_given(self) -> None:
        training = trained(Mlp(), vectors(8, 64, 10), F.cross_entropy)
        structure = StructurePass(training.model)
        structure.open()
        training.step()
        structure.close()
        watched = KernelPass(training.model, [], hooks_optimizers=True)
        watched.open()
        torch.relu(torch.zeros(3))
        watched.close()
        self.assertIn("ran other ops than", watched.add_to(structure))
        self.assertTrue(all(op.kernels is None for op in structure.ops))


if __name__ == "__main__":
    unittest.main()
