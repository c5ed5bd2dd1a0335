# SPDX-License-Identifier: Apache-2.0
"""Autocast of predictions for a GPU: torch's own kernels for CUDA are the oracle, op by op, and the kept bytes by hand."""

from __future__ import annotations

import contextlib
import logging
import unittest
import warnings

from support import ops, plumbline, tensors

import torch
from plumbline import cuda_autocast
from plumbline.cuda_autocast import CudaAutocast, listed
from plumbline.tensors import plain_tensors
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

# y is of the lower format; x, the matrix w, the vector b and the kernel c are fp32; t holds classes.
CALLS = {
    "linear": lambda x, y, w, b, c, t: F.linear(x, w, b), "matmul": lambda x, y, w, b, c, t: x @ w,
    "einsum": lambda x, y, w, b, c, t: torch.einsum("bij,jk->bik", x, w), "mv": lambda x, y, w, b, c, t: torch.mv(w, b),
    "addmv": lambda x, y, w, b, c, t: torch.addmv(b, w, b), "conv": lambda x, y, w, b, c, t: F.conv1d(x, c),
    "conv, same": lambda x, y, w, b, c, t: F.conv1d(x, c, padding="same"),
    "layer_norm": lambda x, y, w, b, c, t: F.layer_norm(y, (64,), b, b),
    "group_norm": lambda x, y, w, b, c, t: F.group_norm(y, 8),
    "softmax": lambda x, y, w, b, c, t: torch.softmax(y, -1), "log_softmax": lambda x, y, w, b, c, t: F.log_softmax(y, -1),
    "softmax, dtype": lambda x, y, w, b, c, t: torch.softmax(y, -1, dtype=torch.float64),
    "softmax of fp32": lambda x, y, w, b, c, t: torch.softmax(x, -1),
    "cross_entropy": lambda x, y, w, b, c, t: F.cross_entropy(y.view(-1, 64), t),
    "nll_loss": lambda x, y, w, b, c, t: F.nll_loss(y.view(-1, 64), t), "mse_loss": lambda x, y, w, b, c, t: F.mse_loss(y, x),
    "smooth_l1_loss": lambda x, y, w, b, c, t: F.smooth_l1_loss(y, y), "kl_div": lambda x, y, w, b, c, t: F.kl_div(y, y),
    "bce, logits": lambda x, y, w, b, c, t: F.binary_cross_entropy_with_logits(y, x),
    "exp": lambda x, y, w, b, c, t: y.exp(), "pow": lambda x, y, w, b, c, t: y.pow(2),
    "rsqrt": lambda x, y, w, b, c, t: y.rsqrt(),
    "softplus": lambda x, y, w, b, c, t: F.softplus(y), "gelu": lambda x, y, w, b, c, t: F.gelu(y),
    "silu": lambda x, y, w, b, c, t: F.silu(y),
    "sum": lambda x, y, w, b, c, t: y.sum(), "sum, dim": lambda x, y, w, b, c, t: y.sum(1),
    "mean": lambda x, y, w, b, c, t: y.mean(1),
    "cumsum": lambda x, y, w, b, c, t: y.cumsum(1), "prod": lambda x, y, w, b, c, t: y.prod(1),
    "norm": lambda x, y, w, b, c, t: y.norm(),
    "norm, dim": lambda x, y, w, b, c, t: y.norm(2, -1), "normalize": lambda x, y, w, b, c, t: F.normalize(y),
    "logsumexp": lambda x, y, w, b, c, t: y.logsumexp(-1), "dist": lambda x, y, w, b, c, t: torch.dist(y, y),
    "cdist": lambda x, y, w, b, c, t: torch.cdist(y, y), "cosine": lambda x, y, w, b, c, t: F.cosine_similarity(y, y),
    "interpolate": lambda x, y, w, b, c, t: F.interpolate(y, scale_factor=2), "cat": lambda x, y, w, b, c, t: torch.cat([x, y]),
    "stack": lambda x, y, w, b, c, t: torch.stack([y, y]), "addcmul": lambda x, y, w, b, c, t: torch.addcmul(y, y, x),
    "addcmul, lower": lambda x, y, w, b, c, t: torch.addcmul(y, y, y), "atan2": lambda x, y, w, b, c, t: torch.atan2(x, y),
    "scatter_add": lambda x, y, w, b, c, t: torch.scatter_add(y, 0, torch.zeros_like(y, dtype=torch.long), x),
    "pad": lambda x, y, w, b, c, t: F.pad(y, (1, 1), mode="reflect"), "avg_pool": lambda x, y, w, b, c, t: F.avg_pool1d(y, 2),
    "add": lambda x, y, w, b, c, t: x + y, "multiply": lambda x, y, w, b, c, t: y * x,
}


class See(TorchDispatchMode):
    """What runs and of which formats its results are."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if func.namespace == "aten":
            self.seen.append((func._schema.name, [str(tensor.dtype) for tensor in plain_tensors(result)]))
        return result


def seen(call, device: str, dtype: torch.dtype, around) -> list:
    """The ops of a call under the autocast of a device, on fake tensors of it."""
    with FakeTensorMode(), around, torch.no_grad():
        x, w = torch.empty(8, 16, 64, device=device), torch.empty(64, 64, device=device)
        b, c = torch.empty(64, device=device), torch.empty(16, 16, 1, device=device)
        y, t = x.to(dtype), torch.empty(128, dtype=torch.long, device=device)
        # Not torch.autocast("cuda"), which leaves itself out where there is no GPU.
        torch.set_autocast_dtype(device, dtype)
        torch.set_autocast_enabled(device, True)
        try:
            with See() as mode:
                call(x, y, w, b, c, t)
        finally:
            torch.set_autocast_enabled(device, False)
            torch.clear_autocast_cache()
    return mode.seen


class Lists(unittest.TestCase):
    def setUp(self) -> None:
        logging.disable(logging.CRITICAL)  # torch tells of ops that a list was to raise for
        self.addCleanup(logging.disable, logging.NOTSET)
        before = {device: torch.get_autocast_dtype(device) for device in ("cpu", "cuda")}
        self.addCleanup(lambda: [torch.set_autocast_dtype(device, dtype) for device, dtype in before.items()])

    def test_every_op_of_torchs_list_has_its_rule(self) -> None:
        mine = (cuda_autocast.LOWER | cuda_autocast.FP32 | cuda_autocast.FP32_RESULT | set(cuda_autocast.FP32_APPENDED) |
                cuda_autocast.PROMOTE | cuda_autocast.REFUSED | cuda_autocast.NEVER)
        self.assertEqual(listed("AutocastCUDA") - mine, frozenset())

    def test_ops_and_formats_are_those_of_cuda(self) -> None:
        differs = 0
        for dtype in (torch.bfloat16, torch.float16):
            for name, call in CALLS.items():
                with self.subTest(name, dtype=dtype):
                    try:
                        wanted = seen(call, "cuda", dtype, contextlib.nullcontext())
                    except Exception as error:  # a torch without CUDA may know no such device
                        self.skipTest(f"torch has no fake CUDA tensors here: {error}")
                    self.assertEqual(seen(call, "cpu", dtype, CudaAutocast()), wanted)
                    try:
                        differs += seen(call, "cpu", dtype, contextlib.nullcontext()) != wanted
                    except RuntimeError:
                        differs += 1
        self.assertGreater(differs, 30)  # else the CPU's own list would do

    def test_the_cpus_autocast_is_its_own_again(self) -> None:
        before = torch.amp.autocast_mode.autocast.__init__, torch.clear_autocast_cache
        y = torch.randn(4, 8, dtype=torch.bfloat16)

        def formats() -> list[torch.dtype]:
            with torch.autocast("cpu", torch.bfloat16):
                return [result.dtype for result in (F.layer_norm(y, (8,)), torch.softmax(y, -1), F.mse_loss(y, y))]

        plain = formats()
        with CudaAutocast(), CudaAutocast():
            self.assertNotEqual(formats(), plain)
        self.assertEqual(formats(), plain)
        self.assertEqual((torch.amp.autocast_mode.autocast.__init__, torch.clear_autocast_cache), before)


class Layer(nn.Module):
    """A feed-forward block with its norm and a softmax behind it."""

    def __init__(self, width: int, inside: bool = False) -> None:
        super().__init__()
        self.up, self.down, self.norm = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.LayerNorm(width)
        self.inside = inside

    def forward(self, x):
        if not self.inside:
            return torch.softmax(self.norm(self.down(F.gelu(self.up(x)))), -1)
        with torch.autocast("cuda", torch.bfloat16):
            return torch.softmax(self.norm(self.down(F.gelu(self.up(x)))), -1)


class Kept(unittest.TestCase):
    ROWS, LENGTH, WIDTH = 4, 16, 32

    def predicted(self, inside: bool = False, **options):
        return plumbline.predict(Layer(self.WIDTH, inside), torch.zeros(self.ROWS, self.LENGTH, self.WIDTH),
                                 loss=lambda output, target: output.sum(), **options).document

    def test_what_stays_for_the_backward_pass(self) -> None:
        count, positions = self.ROWS * self.LENGTH * self.WIDTH, self.ROWS * self.LENGTH
        # The input in bf16, what up and gelu made (four times as wide), the fp32 copy that the norm reads, its mean and
        # reciprocal deviation in fp32, and what softmax made in fp32.
        by_hand = 2 * count + 2 * 4 * count + 2 * 4 * count + 4 * count + 2 * 4 * positions + 4 * count
        for options in ({"autocast": torch.bfloat16, "device": "cuda"}, {"inside": True, "device": "cuda"}):
            with self.subTest(options):
                document = self.predicted(**options)
                kept = [row for row in tensors(document, category="activations") if row["shape"]]  # not the loss's gradient
                self.assertEqual(sum(row["bytes"] for row in kept), by_hand, kept)
                self.assertEqual({op["units"] for op in ops(document, is_product=True)}, {"bf16"})
                norm, = ops(document, kind="aten::native_layer_norm")
                self.assertEqual([document["tensors"]["dtype"][row] for row in norm["writes"]], ["fp32"] * 3)

    def test_fp16_goes_into_softmax_without_a_copy(self) -> None:
        document = self.predicted(autocast=torch.float16, device="cuda")
        self.assertEqual({row["dtype"] for row in tensors(document, shape=[self.ROWS, self.LENGTH, 4 * self.WIDTH])}, {"fp16"})

    def test_an_autocast_around_the_prediction_is_that_of_the_step(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.set_autocast_enabled("cuda", True)  # as torch.autocast("cuda") does where there is a GPU
            torch.set_autocast_dtype("cuda", torch.bfloat16)
            try:
                around = self.predicted(device="cuda")
            finally:
                torch.set_autocast_enabled("cuda", False)
                torch.set_autocast_dtype("cuda", torch.float16)
        given = self.predicted(device="cuda", autocast=torch.bfloat16)
        self.assertEqual(around["memory"], given["memory"])
        self.assertNotEqual(around["memory"], self.predicted(device="cuda")["memory"])

    def test_what_cuda_refuses_is_refused(self) -> None:
        with self.assertRaisesRegex(plumbline.PredictionError, "binary_cross_entropy_with_logits"):
            plumbline.predict(nn.Linear(4, 4), torch.zeros(2, 4), autocast=torch.float16, device="cuda",
                              loss=lambda output, target: F.binary_cross_entropy(output.sigmoid(), target),
                              target=torch.zeros(2, 4))


if __name__ == "__main__":
    unittest.main()
