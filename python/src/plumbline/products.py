# SPDX-License-Identifier: Apache-2.0
"""FLOPs of ops that multiply matrices, by aten name: a multiply-add is two.

A formula takes (args, kwargs, out) and returns (matmul FLOPs, FLOPs of all that the op does besides).
"""

from __future__ import annotations

from math import prod
from typing import Any, Callable, Sequence

import torch

Cost = tuple[int, int]
Formula = Callable[[Sequence[Any], dict, Any], Cost]


def _product(left: torch.Tensor, right: torch.Tensor) -> int:
    """[.., M, K] by [.., K, N]: each of the results is a sum of K products."""
    return 2 * left.numel() * right.shape[-1]


def _mm(args, kwargs, out) -> Cost:
    return _product(args[0], args[1]), 0


def _addmm(args, kwargs, out) -> Cost:
    return _product(args[1], args[2]), out.numel()


def _addbmm(args, kwargs, out) -> Cost:
    return _product(args[1], args[2]), args[1].shape[0] * out.numel()


def _mv(args, kwargs, out) -> Cost:
    return 2 * args[0].numel(), 0


def _addmv(args, kwargs, out) -> Cost:
    return 2 * args[1].numel(), out.numel()


def _dot(args, kwargs, out) -> Cost:
    return 2 * args[0].numel(), 0


def _outer(args, kwargs, out) -> Cost:
    return args[0].numel() * args[1].numel(), 0


def _addr(args, kwargs, out) -> Cost:
    return args[1].numel() * args[2].numel(), out.numel()


def _scaled_mm(args, kwargs, out) -> Cost:
    return _product(args[0], args[1]), 0


def _linear(args, kwargs, out) -> Cost:
    bias = args[2] if len(args) > 2 else kwargs.get("bias")
    return 2 * args[0].numel() * args[1].shape[0], 0 if bias is None else out.numel()


def _grouped_mm(args, kwargs, out) -> Cost:
    """Rows are dealt out to the groups: each meets one matrix, so the groups do not multiply the work."""
    left, right = args[0], args[1]
    if left.dim() == 2 and right.dim() == 2:  # the inner dimension is dealt out: [M, sum K] x [sum K, N]
        return 2 * left.shape[0] * left.shape[1] * right.shape[1], 0
    if left.dim() == 3 and right.dim() == 2:  # the columns are dealt out
        return 2 * left.shape[1] * left.shape[2] * right.shape[1], 0
    return _product(left, right), 0


# --- convolution -------------------------------------------------------------------------------------------------

def _convolution_products(inputs: torch.Tensor, weight: torch.Tensor, result_shape: Sequence[int],
                          transposed: bool) -> int:
    """Each result is a sum over the kernel and the channels of its group; transposed: each input is spread."""
    per_element = prod(weight.shape[1:])
    return 2 * per_element * (inputs.numel() if transposed else prod(result_shape))


def _convolution(args, kwargs, out) -> Cost:
    transposed = bool(args[6]) if len(args) > 6 else False
    bias = out.numel() if len(args) > 2 and isinstance(args[2], torch.Tensor) else 0
    return _convolution_products(args[0], args[1], out.shape, transposed), bias


def _library_convolution(args, kwargs, out) -> Cost:
    """cudnn_convolution and its kin: (input, weight, ..), never transposed."""
    return _convolution_products(args[0], args[1], out.shape, False), 0


def _convolution_backward(args, kwargs, out) -> Cost:
    """The gradient of the input and that of the weight each cost what the forward product did."""
    grad, inputs, weight = args[0], args[1], args[2]
    transposed, mask = bool(args[7]), args[10]
    once = _convolution_products(inputs, weight, grad.shape, transposed)
    return once * (int(mask[0]) + int(mask[1])), grad.numel() if mask[2] else 0


# --- attention ---------------------------------------------------------------------------------------------------

def score_count(query_rows: int, key_rows: int, causal: bool) -> int:
    """Scores that are computed: with a causal mask row i meets the keys 0 to i, as the fused kernels run it
    (of the tiles on the diagonal both halves run, which is not counted)."""
    if not causal:
        return query_rows * key_rows
    full = min(query_rows, key_rows)
    return full * (full + 1) // 2 + max(0, query_rows - key_rows) * key_rows


def attention_forward(query, key, value, causal: bool) -> Cost:
    """Two products over the scores; the softmax is 5 per score."""
    rows = query.shape[:-2]
    scores = prod(rows) * score_count(query.shape[-2], key.shape[-2], causal)
    return 2 * scores * (query.shape[-1] + value.shape[-1]), 5 * scores


def attention_backward(query, key, value, causal: bool) -> Cost:
    """Five products: the scores again, and the gradients of scores, value, query and key. The softmax is made
    again with 2 per score, and its gradient is 4."""
    rows = query.shape[:-2]
    scores = prod(rows) * score_count(query.shape[-2], key.shape[-2], causal)
    return 2 * scores * (3 * query.shape[-1] + 2 * value.shape[-1]), 6 * scores


def _argument(args, kwargs, place: int, name: str, default: Any) -> Any:
    return args[place] if len(args) > place else kwargs.get(name, default)


def _attention(causal_place: int) -> Formula:
    def formula(args, kwargs, out) -> Cost:
        causal = bool(_argument(args, kwargs, causal_place, "is_causal", False))
        return attention_forward(args[0], args[1], args[2], causal)
    return formula


def _attention_backward(causal_place: int) -> Formula:
    def formula(args, kwargs, out) -> Cost:
        causal = bool(_argument(args, kwargs, causal_place, "is_causal", False))
        return attention_backward(args[1], args[2], args[3], causal)
    return formula


# --- recurrent layers --------------------------------------------------------------------------------------------

def _mkldnn_rnn(args, kwargs, out) -> Cost:
    """Every row of every time step meets the weights of the input and of the state; gates: 5 per element."""
    rows = args[0].numel() // args[0].shape[-1]
    return 2 * rows * (args[1].numel() + args[2].numel()), 5 * rows * args[1].shape[0]


def _mkldnn_rnn_backward(args, kwargs, out) -> Cost:
    products, rest = _mkldnn_rnn(args, kwargs, out)
    return 2 * products, 2 * rest


def _cudnn_rnn(args, kwargs, out) -> Cost:
    rows = args[0].numel() // args[0].shape[-1]
    return 2 * rows * sum(weight.numel() for weight in args[1] if weight.dim() == 2), 0


def _cudnn_rnn_backward(args, kwargs, out) -> Cost:
    return 2 * _cudnn_rnn(args, kwargs, out)[0], 0


PRODUCTS: dict[str, Formula] = {
    "mm": _mm, "bmm": _mm, "matmul": _mm, "_int_mm": _mm,
    "addmm": _addmm, "_addmm_activation": _addmm, "baddbmm": _addmm, "addbmm": _addbmm,
    "addmm_": _addmm, "baddbmm_": _addmm, "addbmm_": _addbmm,
    "mv": _mv, "addmv": _addmv, "addmv_": _addmv, "dot": _dot, "vdot": _dot,
    "outer": _outer, "ger": _outer, "addr": _addr, "addr_": _addr,
    "_scaled_mm": _scaled_mm, "linear": _linear, "mkldnn_linear": _linear,
    "_grouped_mm": _grouped_mm, "_scaled_grouped_mm": _grouped_mm,
    "convolution": _convolution, "_convolution": _convolution, "convolution_overrideable": _convolution,
    "cudnn_convolution": _library_convolution, "miopen_convolution": _library_convolution,
    "mkldnn_convolution": _library_convolution,
    "convolution_backward": _convolution_backward, "convolution_backward_overrideable": _convolution_backward,
    "_scaled_dot_product_flash_attention": _attention(4),
    "_scaled_dot_product_flash_attention_for_cpu": _attention(4),
    "_scaled_dot_product_efficient_attention": _attention(6),
    "_scaled_dot_product_cudnn_attention": _attention(6),
    "_scaled_dot_product_fused_attention_overrideable": _attention(5),
    "_scaled_dot_product_flash_attention_backward": _attention_backward(11),
    "_scaled_dot_product_flash_attention_for_cpu_backward": _attention_backward(7),
    "_scaled_dot_product_efficient_attention_backward": _attention_backward(11),
    "_scaled_dot_product_cudnn_attention_backward": _attention_backward(14),
    "_scaled_dot_product_fused_attention_overrideable_backward": _attention_backward(13),
    "mkldnn_rnn_layer": _mkldnn_rnn, "mkldnn_rnn_layer_backward": _mkldnn_rnn_backward,
    "_cudnn_rnn": _cudnn_rnn, "_cudnn_rnn_backward": _cudnn_rnn_backward,
}
