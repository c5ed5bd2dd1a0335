# SPDX-License-Identifier: Apache-2.0
"""FLOPs against formulas that were derived by hand, one for each family of ops."""

from __future__ import annotations

import unittest

from support import ops, record_training

import torch
from architectures import ConvNet, Mlp, UNet, decoder, images, recurrent, trained, vectors
from plumbline.formulas import flops_of
from plumbline.products import score_count
from torch.nn import functional as F

aten = torch.ops.aten


def cost(func, *args, **kwargs):
    result = func(*args, **kwargs)
    return flops_of(func, func._schema.name.partition("::")[2], args, kwargs, result)


def matmul(document, **wanted) -> int:
    return sum(op["matmul_flops"] for op in ops(document, **wanted))


class Products(unittest.TestCase):
    def test_matrices(self) -> None:
        a, b, c = torch.randn(3, 5), torch.randn(5, 7), torch.randn(3, 7)
        self.assertEqual(cost(aten.mm.default, a, b).matmul, 2 * 3 * 5 * 7)
        added = cost(aten.addmm.default, c, a, b)
        self.assertEqual((added.matmul, added.total), (210, 210 + 21))
        batch = torch.randn(4, 3, 5), torch.randn(4, 5, 7)
        self.assertEqual(cost(aten.bmm.default, *batch).matmul, 4 * 210)
        self.assertEqual(cost(aten.baddbmm.default, torch.randn(4, 3, 7), *batch).total, 4 * 210 + 4 * 21)
        self.assertEqual(cost(aten.mv.default, a, torch.randn(5)).matmul, 30)
        self.assertEqual(cost(aten.dot.default, torch.randn(9), torch.randn(9)).matmul, 18)
        self.assertEqual(cost(aten.addmv.default, torch.randn(3), a, torch.randn(5)).matmul, 30)

    def test_convolutions(self) -> None:
        x, w = torch.randn(2, 4, 8, 8), torch.randn(6, 2, 3, 3)  # two groups
        plain = cost(aten.convolution.default, x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 2)
        self.assertEqual(plain.matmul, 2 * (2 * 6 * 8 * 8) * (2 * 9))
        up = torch.randn(4, 6, 2, 2)
        spread = cost(aten.convolution.default, x, up, None, [2, 2], [0, 0], [1, 1], True, [0, 0], 1)
        self.assertEqual(spread.matmul, 2 * (2 * 4 * 8 * 8) * (6 * 4))
        grad = torch.randn(2, 6, 8, 8)
        for mask, times in (([True, True, False], 2), ([False, True, True], 1)):
            back = cost(aten.convolution_backward.default, grad, x, w, [6], [1, 1], [1, 1], [1, 1], False, [0, 0], 2,
                        mask)
            self.assertEqual(back.matmul, times * plain.matmul)

    def test_attention_is_counted_as_it_runs(self) -> None:
        self.assertEqual(score_count(4, 4, False), 16)
        self.assertEqual(score_count(4, 4, True), 1 + 2 + 3 + 4)
        self.assertEqual(score_count(3, 5, True), 1 + 2 + 3)
        self.assertEqual(score_count(5, 3, True), 1 + 2 + 3 + 3 + 3)
        q = torch.randn(2, 3, 8, 16)
        op = aten._scaled_dot_product_flash_attention_for_cpu.default
        full, half = cost(op, q, q, q), cost(op, q, q, q, 0.0, True)
        self.assertEqual(full.matmul, 4 * 2 * 3 * 64 * 16)
        self.assertEqual(half.matmul, 4 * 2 * 3 * 36 * 16)

    def test_element_wise_work(self) -> None:
        x = torch.randn(4, 6)
        self.assertEqual(cost(aten.relu.default, x).total, 24)
        self.assertEqual(cost(aten.gelu.default, x).total, 20 * 24)
        self.assertEqual(cost(aten.silu.default, x).total, 5 * 24)
        self.assertEqual(cost(aten._softmax.default, x, -1, False).total, 5 * 24)
        self.assertEqual(cost(aten.native_layer_norm.default, x, [6], None, None, 1e-5).total, 8 * 24)
        self.assertEqual(cost(aten.sum.dim_IntList, x, [0]).total, 24)
        self.assertEqual(cost(aten.embedding.default, x, torch.tensor([0, 1])).total, 0)
        self.assertEqual(cost(aten.clone.default, x).total, 0)
        self.assertEqual(cost(aten.t.default, x).total, 0)
        self.assertIsNone(cost(aten.sort.default, x).total)


class Steps(unittest.TestCase):
    def test_mlp(self) -> None:
        document = record_training(trained(Mlp(), vectors(256, 64, 10), F.cross_entropy))
        weights = 64 * 128 + 128 * 128 + 128 * 10
        self.assertEqual(matmul(document, phase="forward"), 2 * 256 * weights)
        # The input of the first layer needs no gradient.
        self.assertEqual(matmul(document, phase="backward"), 4 * 256 * weights - 2 * 256 * 64 * 128)
        self.assertEqual(document["product_dtype"], "fp32")

    def test_causal_decoder(self) -> None:
        rows, length, width, heads, vocabulary, layers = 8, 32, 32, 4, 96, 2
        document = record_training(decoder())
        tokens, size = rows * length, width // heads
        linear = layers * (4 * width * width + 8 * width * width) + width * vocabulary
        scores = layers * rows * heads * (length * (length + 1) // 2)
        self.assertEqual(matmul(document, phase="forward"), 2 * tokens * linear + 4 * scores * size)
        self.assertEqual(matmul(document, phase="backward"), 4 * tokens * linear + 10 * scores * size)

    def test_recomputation_repeats_the_forward_products(self) -> None:
        once = record_training(decoder())
        again = record_training(decoder(recompute="reentrant"))
        head = 2 * 8 * 32 * 32 * 96
        self.assertEqual(matmul(again, phase="recompute"), matmul(once, phase="forward") - head)
        self.assertEqual(matmul(again, phase="backward"), matmul(once, phase="backward"))

    def test_convolutional_net(self) -> None:
        document = record_training(trained(ConvNet(), images(16, 32, 10), F.cross_entropy))
        first, second = 2 * 16 * 8 * 32 * 32 * 27, 2 * 16 * 16 * 16 * 16 * 8 * 9
        head = 2 * 16 * 16 * 10
        self.assertEqual(matmul(document, phase="forward"), first + second + head)
        self.assertEqual(matmul(document, phase="backward"), first + 2 * (second + head))

    def test_transposed_convolution(self) -> None:
        training = trained(UNet(), lambda: ((torch.randn(4, 3, 16, 16),), torch.randn(4, 3, 16, 16)), F.mse_loss)
        document = record_training(training)
        self.assertEqual(matmul(document, phase="forward", module="up"), 2 * 4 * 16 * 8 * 8 * 8 * 4)

    def test_recurrent_nets(self) -> None:
        rows = 32 * 12
        for kind, gates in ((torch.nn.LSTM, 4), (torch.nn.GRU, 3)):
            document = record_training(recurrent(kind))
            weights = gates * 32 * (16 + 32) + gates * 32 * (32 + 32)
            self.assertEqual(matmul(document, phase="forward", module="layers"), 2 * rows * weights, kind)


if __name__ == "__main__":
    unittest.main()
