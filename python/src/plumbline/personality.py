# SPDX-License-Identifier: Apache-2.0
"""Makes fake tensors on the CPU take the way that CUDA would: attention kernels, dropout, optimizer loops.

A fake CUDA device needs a real one for its backward pass, so that predictions run on fake CPU tensors.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import torch
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

_attention = F.scaled_dot_product_attention
_dropout = F.dropout
_HALF = (torch.bfloat16, torch.float16)
_MOST_FLASH_HEAD = 256


def attention_kernel(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: Optional[torch.Tensor],
                     capability: float) -> str:
    """Which kernel CUDA takes: "flash", "efficient" or "math"."""
    if query.dim() != 4 or query.dtype not in (*_HALF, torch.float32):
        return "math"
    size, dtype = query.shape[-1], query.dtype
    if mask is None and dtype in _HALF and capability >= 8.0 and size == value.shape[-1] <= _MOST_FLASH_HEAD:
        return "flash"
    aligned = 8 if dtype in _HALF and capability >= 8.0 else 4
    if size % aligned or value.shape[-1] % aligned or mask is not None and mask.requires_grad:
        return "math"
    return "efficient"


class CudaPersonality(TorchFunctionMode):
    """While it is entered, attention and dropout call the ops that CUDA would."""

    def __init__(self, capability: float = 9.0) -> None:
        super().__init__()
        self._capability = capability

    def __enter__(self) -> "CudaPersonality":
        F.scaled_dot_product_attention, F.dropout = self.attention, self.dropout
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        F.scaled_dot_product_attention, F.dropout = _attention, _dropout
        super().__exit__(*error)

    def __torch_function__(self, func: Callable, types: Any, args: tuple = (), kwargs: Optional[dict] = None) -> Any:
        kwargs = kwargs or {}
        if func is _attention:
            return self.attention(*args, **kwargs)
        if func is _dropout or func is torch.dropout:
            return self.dropout(*args, **kwargs)
        return func(*args, **kwargs)

    def dropout(self, input: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False,
                train: Optional[bool] = None) -> torch.Tensor:
        """CUDA keeps a mask of one byte for each element; the CPU a factor in the format of the input."""
        training = training if train is None else train
        if inplace or not training or p == 0.0 or p == 1.0:
            return _dropout(input, p, training, inplace)
        return torch.native_dropout(input, p, True)[0]

    def attention(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
                  attn_mask: Optional[torch.Tensor] = None, dropout_p: float = 0.0, is_causal: bool = False,
                  scale: Optional[float] = None, enable_gqa: bool = False) -> torch.Tensor:
        """scaled_dot_product_attention by the kernel that CUDA would choose."""
        query, key, value = (_as_autocast(tensor) for tensor in (query, key, value))
        kernel = attention_kernel(query, key, value, attn_mask, self._capability)
        if enable_gqa and kernel != "flash":
            times = query.shape[-3] // key.shape[-3]
            key, value = key.repeat_interleave(times, -3), value.repeat_interleave(times, -3)
        if kernel == "flash":
            return torch.ops.aten._scaled_dot_product_flash_attention(
                query, key, value, dropout_p, is_causal, False, scale=scale)[0]
        if kernel == "efficient":
            bias = _as_bias(attn_mask, query, key)
            needs = any(tensor.requires_grad for tensor in (query, key, value)) and torch.is_grad_enabled()
            return torch.ops.aten._scaled_dot_product_efficient_attention(
                query, key, value, bias, needs, dropout_p, is_causal, scale=scale)[0]
        return torch.ops.aten._scaled_dot_product_attention_math(
            query, key, value, attn_mask, dropout_p, is_causal, scale=scale)[0]


def _as_autocast(tensor: torch.Tensor) -> torch.Tensor:
    if torch.is_autocast_enabled("cpu") and tensor.dtype == torch.float32:
        return tensor.to(torch.get_autocast_dtype("cpu"))
    return tensor


def _as_bias(mask: Optional[torch.Tensor], query: torch.Tensor, key: torch.Tensor) -> Optional[torch.Tensor]:
    """A mask of booleans becomes one of numbers that is added."""
    if mask is None:
        return None
    if mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(mask.logical_not(), float("-inf"))
    return mask.expand(*query.shape[:-1], key.shape[-2])


def as_cuda_optimizer(optimizer: torch.optim.Optimizer) -> None:
    """CUDA's default is the foreach implementation, which holds copies of lists of parameters."""
    for group in optimizer.param_groups:
        if "foreach" in group and group["foreach"] is None and not group.get("fused"):
            group["foreach"] = True


class StepCounters(TorchDispatchMode):
    """Optimizers read their step counter, whose value a fake tensor does not have: while `inside()`, it is 1."""

    def __init__(self, inside: Callable[[], bool]) -> None:
        super().__init__()
        self._inside = inside

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten._local_scalar_dense.default and self._inside():
            return 1.0
        return func(*args, **(kwargs or {}))
