# SPDX-License-Identifier: Apache-2.0
"""FLOPs of one op: products by formula, element-wise work by element, then torch's registry, else unknown.

One multiply, add, compare, divide, square root or exponential is one FLOP; what only moves data has none
(docs/accounting.md). An op without a formula is reported, never counted as 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Optional, Sequence

import torch

from .products import PRODUCTS
from .tensors import plain_tensors


@dataclass(frozen=True)
class Flops:
    """FLOPs of one call. `total` is None where there is no formula."""

    total: Optional[int]
    matmul: int = 0
    is_product: bool = False


# FLOPs per element of the largest operand, where it is not 1.
PER_ELEMENT = {
    "gelu": 20, "gelu_backward": 31,  # the tanh form, expanded; its derivative by the chain rule
    "silu": 5, "silu_backward": 9, "sigmoid": 4, "sigmoid_backward": 3, "tanh_backward": 3,
    "softplus": 3, "softplus_backward": 4, "mish": 6, "hardswish": 5, "glu": 5, "glu_backward": 9,
    "addcmul": 3, "addcdiv": 3, "lerp": 3,
    "_softmax": 5, "_log_softmax": 5,  # maximum, subtract, exponential, sum, divide
    "_safe_softmax": 5, "_masked_softmax": 5,
    "_softmax_backward_data": 4, "_log_softmax_backward_data": 4, "_masked_softmax_backward": 4,
    "native_layer_norm": 8, "native_group_norm": 8, "native_batch_norm": 8, "cudnn_batch_norm": 8,
    "_native_batch_norm_legit": 8, "_native_batch_norm_legit_functional": 8, "_batch_norm_with_update": 8,
    "batch_norm_backward": 13, "native_layer_norm_backward": 13, "native_group_norm_backward": 13,
    "native_batch_norm_backward": 13, "cudnn_batch_norm_backward": 13,  # x^ again 2, sums 6, gradient 5
    "_fused_rms_norm": 4, "_fused_rms_norm_backward": 10,
    "native_dropout": 2, "native_dropout_backward": 2, "_fused_dropout": 2, "_masked_scale": 2,
    "mse_loss": 3, "mse_loss_backward": 3, "smooth_l1_loss": 5, "smooth_l1_loss_backward": 4,
    "huber_loss": 5, "huber_loss_backward": 4, "binary_cross_entropy": 7, "binary_cross_entropy_backward": 6,
    "binary_cross_entropy_with_logits": 8,
    "_thnn_fused_lstm_cell": 5, "_thnn_fused_lstm_cell_backward_impl": 9,
    "_thnn_fused_gru_cell": 5, "_thnn_fused_gru_cell_backward": 9,
    "sum": 1, "mean": 1, "max": 1, "min": 1, "amax": 1, "amin": 1, "aminmax": 2, "argmax": 1, "argmin": 1,
    "any": 1, "all": 1, "cumsum": 1, "cumprod": 1, "prod": 1, "logsumexp": 4, "var": 4, "var_mean": 4, "std": 4,
    "linalg_vector_norm": 2, "norm": 2, "nansum": 1, "count_nonzero": 1,
    "embedding_dense_backward": 0, "isfinite": 1, "linspace": 2,
    "_amp_foreach_non_finite_check_and_unscale_": 2, "_amp_update_scale_": 1,
    "avg_pool2d_backward": 1, "adaptive_avg_pool2d": 1, "_adaptive_avg_pool2d": 1,
    "_adaptive_avg_pool2d_backward": 1, "max_pool2d_with_indices_backward": 1,
    "upsample_bilinear2d": 8, "upsample_bilinear2d_backward": 8,
    "reflection_pad2d_backward": 1, "unfold_backward": 1, "_foreach_norm": 2,
}
# Optimizers that update a whole list at once, per parameter (docs/accounting.md).
FUSED = {"_fused_adam_": 13, "_fused_adamw_": 13, "_fused_sgd_": 4, "_fused_adagrad_": 7}
# FLOPs per element that is added somewhere: the source counts, not the target.
PER_SOURCE = {"scatter_add": -1, "index_add": -1, "index_put": -1, "scatter_reduce": -1}
# What moves, reserves, draws or names data.
NO_ARITHMETIC = frozenset("""
_to_copy _pin_memory copy clone detach alias lift_fresh lift set_ resize_ resize_as_ contiguous
empty empty_like empty_strided new_empty new_empty_strided new_zeros new_ones new_full zeros zeros_like ones
ones_like full full_like fill zero arange scalar_tensor eye tril_indices triu_indices
rand rand_like randn randn_like randint randint_like randperm normal uniform bernoulli random exponential
multinomial cat stack index index_select gather embedding take where masked_fill masked_select masked_scatter
slice_backward select_backward slice_scatter select_scatter as_strided_scatter constant_pad_nd
diagonal_backward tril triu flip roll repeat expand_copy view_copy repeat_interleave _unsafe_view _reshape_alias
_reshape_copy upsample_nearest2d upsample_nearest1d reflection_pad2d replication_pad2d pixel_shuffle
pixel_unshuffle im2col unfold _local_scalar_dense item is_same_size nonzero scatter _unsafe_index
_efficientzerotensor record_stream _foreach_copy _foreach_zero split_with_sizes_copy unbind_copy chunk_cat
_chunk_cat all_gather_copy_in all_gather_into_tensor_out wait_tensor _wrap_tensor_autograd
_has_compatible_shallow_copy_type _resize_output_ is_pinned _nested_tensor_size resize_storage_bytes_
unsafe_split unsafe_split_with_sizes unsafe_chunk transpose t squeeze unsqueeze swapaxes swapdims chunk_cat_mixed_dtype
""".split())
# Products of the collective libraries and of others: no arithmetic that a peak would count.
COLLECTIVE = ("c10d", "fsdp", "_c10d_functional", "_dtensor", "profiler", "prim")


def _numel(value: Any) -> int:
    return max((tensor.numel() for tensor in plain_tensors(value)), default=0)


def _list_numel(value: Any) -> int:
    return sum(tensor.numel() for tensor in plain_tensors(value))


def _pooling(name: str, args: Sequence[Any], out: Any) -> Optional[int]:
    """Each result compares or adds its window."""
    if name in ("max_pool2d_with_indices", "max_pool2d", "avg_pool2d", "mkldnn_max_pool2d"):
        window = args[1] if len(args[1]) > 1 else list(args[1]) * 2
        return _numel(out) * prod(window)
    if name == "avg_pool2d_backward":
        return _numel(out)
    return None


def _element_wise(func: torch._ops.OpOverload, name: str, args: Sequence[Any], kwargs: dict[str, Any],
                  out: Any) -> Optional[int]:
    base = name.rstrip("_") if name.endswith("_") and not name.startswith("_amp") else name
    if func.is_view or base in NO_ARITHMETIC or name in NO_ARITHMETIC or func.namespace in COLLECTIVE:
        return 0
    pooled = _pooling(name, args, out)
    if pooled is not None:
        return pooled
    if name in FUSED:
        decay = 1 if kwargs.get("weight_decay") else 0
        return (FUSED[name] + decay) * _list_numel(args[0])
    if base in ("nll_loss_forward", "nll_loss2d_forward"):  # one add a row, and the division
        return _numel(args[1]) + 1
    if base in ("nll_loss_backward", "nll_loss2d_backward"):
        return _numel(args[2])
    if base in PER_SOURCE:
        if base == "index_put" and not (len(args) > 3 and args[3]):
            return 0
        return _numel(args[PER_SOURCE[base]])
    if base == "embedding_dense_backward":
        return _numel(args[0])
    if base.startswith("_foreach_"):
        per = PER_ELEMENT.get(base[len("_foreach_"):], 1) if base != "_foreach_norm" else 2
        return per * _list_numel(args[0])
    if base in PER_ELEMENT:
        return PER_ELEMENT[base] * max(_numel(out), _numel(args))
    if torch.Tag.pointwise in func.tags or base in _POINTWISE:
        return max(_numel(out), 0)
    return None


# Element-wise ops that older torch does not tag as such.
_POINTWISE = frozenset("""
add sub rsub mul div neg abs exp log log2 log1p sqrt rsqrt sin cos tanh relu threshold_backward pow square
reciprocal maximum minimum clamp clamp_min clamp_max eq ne lt le gt ge logical_and logical_or logical_not
bitwise_and bitwise_or bitwise_not sign floor ceil round erf isnan isinf remainder hardtanh leaky_relu elu
relu6 fmod floor_divide leaky_relu_backward elu_backward hardtanh_backward
""".split())


def _registered(func: torch._ops.OpOverload, args: Sequence[Any], kwargs: dict[str, Any],
                out: Any) -> Optional[int]:
    """What torch's own table says; None where it has no entry or its formula does not take these arguments."""
    from torch.utils.flop_counter import flop_registry

    formula = flop_registry.get(func._overloadpacket)
    if formula is None:
        return None
    try:
        return int(formula(*args, **kwargs, out_val=out))
    except Exception:  # a formula of torch, or one that a user registered: nothing to rely on
        return None


def flops_of(func: torch._ops.OpOverload, name: str, args: Sequence[Any], kwargs: dict[str, Any],
             out: Any) -> Flops:
    """FLOPs of one call; `name` is the op's name without namespace and overload."""
    formula = PRODUCTS.get(name) if func.namespace == "aten" else None
    if formula is not None:
        result = out[0] if isinstance(out, (tuple, list)) and out and isinstance(out[0], torch.Tensor) else out
        matmul, rest = formula(args, kwargs, result)
        return Flops(matmul + rest, matmul, True)
    work = _element_wise(func, name, args, kwargs, out)
    if work is not None:
        return Flops(work)
    registered = _registered(func, args, kwargs, out)
    if registered is not None:
        return Flops(registered, registered, True)
    return Flops(None)
