# SPDX-License-Identifier: Apache-2.0
"""Autocast as CUDA has it, for fake tensors on the CPU.

torch keeps a list of ops for each kind of device: CUDA runs norms, softmax and exponentials in fp32, which the CPU's list
does not name, and runs others as they come that the CPU takes to fp32. What stays for the backward pass follows from that.
Fake CUDA tensors would ask torch's own kernels, but their backward pass needs a GPU; so that the kernels of AutocastCPU are
replaced here, where the two lists differ, by ones with CUDA's rules. The names below are those of ATen/autocast_mode.h
(AT_FORALL_LOWER_PRECISION_FP, .._FP32, .._FP32_SET_OPT_DTYPE, .._DIFFERENT_REDISPATCH_SIGNATURE, .._PROMOTE) of torch 2.4
to 2.15; a test holds them to what the dispatcher of the torch in use has.
"""

from __future__ import annotations

import functools
import threading
import warnings
from typing import Any, Callable, Optional

import torch
from torch.utils._pytree import tree_map_only

from .tensors import plain_tensors

_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)
_Rule = Callable[[torch._ops.OpOverload, tuple, dict], Any]  # runs an op as autocast does


class RefusedByAutocast(RuntimeError):
    """An op that CUDA's autocast does not run."""


def _names(words: str) -> frozenset[str]:
    return frozenset(f"aten::{word}" for word in words.split())


LOWER = _names("""_convolution.deprecated _convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input
    conv_transpose3d.input convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear addbmm baddbmm bmm
    chain_matmul linalg_multi_dot _thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell
    _scaled_dot_product_flash_attention scaled_dot_product_attention""")
FP32 = _names("""acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Tensor_Scalar
    pow.Tensor_Tensor pow.Scalar softplus layer_norm native_layer_norm rms_norm group_norm frobenius_norm.dim nuclear_norm
    nuclear_norm.dim cosine_similarity poisson_nll_loss cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss kl_div
    l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss
    triplet_margin_loss multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp
    upsample_nearest1d _upsample_nearest_exact1d upsample_nearest2d _upsample_nearest_exact2d upsample_nearest3d
    _upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d _upsample_bilinear2d_aa upsample_trilinear3d
    upsample_bicubic2d _upsample_bicubic2d_aa linalg_matrix_sqrth""")
FP32_RESULT = _names("""prod prod.dim_int prod.dim_Dimname softmax.int softmax.Dimname log_softmax.int log_softmax.Dimname
    cumprod cumprod.dimname cumsum cumsum.dimname linalg_vector_norm linalg_matrix_norm linalg_matrix_norm.str_ord sum
    sum.dim_IntList sum.dim_DimnameList""")
# Ops whose form with a format for the result has another name.
FP32_APPENDED = {"aten::norm.Scalar": "ScalarOpt_dtype", "aten::norm.ScalarOpt_dim": "ScalarOpt_dim_dtype",
                 "aten::norm.names_ScalarOpt_dim": "names_ScalarOpt_dim_dtype"}
PROMOTE = _names("addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add")
REFUSED = _names("binary_cross_entropy")
# Ops of cuDNN that fake tensors on the CPU never come to.
NEVER = _names("_cudnn_rnn cudnn_convolution cudnn_convolution_transpose")
# What the CPU's recurrent layers are made of, and stands for cuDNN's: in lower precision on both.
_RECURRENT = _names("mkldnn_rnn_layer")


@functools.lru_cache(maxsize=None)  # torch has thousands of ops
def listed(key: str) -> frozenset[str]:
    """Ops of aten that have a kernel of torch's own for a dispatch key, such as "AutocastCUDA"; asked for first before
    any is replaced."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    return frozenset(name for name in torch._C._dispatch_get_all_op_names() if name.startswith("aten::") and has(name, key))


def _eligible(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point() and value.dtype != torch.float64


def _lower_dtype() -> torch.dtype:
    return torch.get_autocast_dtype("cpu")


def _cast(values: Any, to: torch.dtype) -> Any:
    def one(tensor: torch.Tensor) -> torch.Tensor:
        if not _eligible(tensor) or tensor.dtype == to:
            return tensor
        keeps = (tensor.requires_grad and tensor.is_leaf and tensor.dtype == torch.float32 and to == _lower_dtype() and
                 torch.is_autocast_cache_enabled())
        if not keeps:
            return tensor.to(to)
        known = _casts.get(id(tensor))
        if known is None or known[1].dtype != to:
            known = _casts[id(tensor)] = (tensor, tensor.to(to))
        return known[1]

    return tree_map_only(torch.Tensor, one, values)


# Casts of parameters, which autocast makes once and keeps until its outermost context ends: id -> the parameter and its cast.
_casts: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}


def _widest(args: tuple, kwargs: dict) -> torch.dtype:
    """fp32 where any tensor is of it, else the lower format."""
    wide = any(tensor.dtype == torch.float32 for tensor in plain_tensors((args, kwargs)))
    return torch.float32 if wide else _lower_dtype()


def _casting(choose: Callable[[tuple, dict], torch.dtype]) -> _Rule:
    """Runs an op on tensors of the format that is chosen by what it was given."""
    def rule(op: torch._ops.OpOverload, args: tuple, kwargs: dict) -> Any:
        to = choose(args, kwargs)
        return op(*_cast(args, to), **_cast(kwargs, to))

    return rule


def _with_result_dtype(op: torch._ops.OpOverload, args: tuple, kwargs: dict) -> Any:
    """The op with fp32 as format of its result, where nobody gave another."""
    if not _eligible(args[0] if args else None):
        return op(*args, **kwargs)
    if op in (torch.ops.aten.softmax.int, torch.ops.aten.log_softmax.int) and args[0].dtype == torch.float16:
        if len(args) < 3 or args[2] in (None, torch.float32):  # CUDA's kernel reads fp16 and writes fp32 without a copy
            fused = torch.ops.aten._softmax if op is torch.ops.aten.softmax.int else torch.ops.aten._log_softmax
            return fused(args[0], args[1], True)
    place = [argument.name for argument in op._schema.arguments].index("dtype")
    if place < len(args):
        if args[place] is None:
            args = (*args[:place], torch.float32, *args[place + 1:])
    elif kwargs.get("dtype") is None:
        kwargs = {**kwargs, "dtype": torch.float32}
    return op(*args, **kwargs)


def _refuse(op: torch._ops.OpOverload, args: tuple, kwargs: dict) -> Any:
    name = op._schema.name.partition("::")[2]
    raise RefusedByAutocast(f"CUDA's autocast refuses {name}, whose logarithm fp16 cannot hold: take "
                            "binary_cross_entropy_with_logits (BCEWithLogitsLoss), or leave autocast around it.")


def _rule(name: str) -> Optional[_Rule]:
    """What CUDA's autocast does with an op; None where it has no rule for it."""
    if name in LOWER:
        return _casting(lambda args, kwargs: _lower_dtype())
    if name in FP32:
        return _casting(lambda args, kwargs: torch.float32)
    if name in PROMOTE:
        return _casting(_widest)
    if name in FP32_RESULT:
        return _with_result_dtype
    if name in FP32_APPENDED:
        other = getattr(torch.ops.aten.norm, FP32_APPENDED[name])
        return lambda op, args, kwargs: other(*args, **kwargs, dtype=torch.float32 if _eligible(args[0]) else args[0].dtype)
    return _refuse if name in REFUSED else None


def _kernel(name: str, rule: _Rule) -> Callable[..., Any]:
    packet, _, overload = name.partition("::")[2].partition(".")
    op = getattr(getattr(torch.ops.aten, packet), overload or "default")

    def kernel(*args: Any, **kwargs: Any) -> Any:
        with torch._C._ExcludeDispatchKeyGuard(_CPU):
            return rule(op, args, kwargs)

    return kernel


def _alike(name: str) -> bool:
    """Whether the CPU has CUDA's rule for an op already: its kernel stays."""
    return name in LOWER and name != "aten::_scaled_dot_product_flash_attention"


class CudaAutocast:
    """While it is entered, autocast of the CPU has the rules of CUDA's, and torch.autocast("cuda") is that of the CPU.

    It holds for the whole process. What is entered twice, by threads that predict at once, is there until the last leaves.
    """

    _lock = threading.Lock()
    _entered = 0
    _library: Optional[torch.library.Library] = None
    _originals: tuple[Callable[..., None], ...] = ()

    def __enter__(self) -> "CudaAutocast":
        with CudaAutocast._lock:
            CudaAutocast._entered += 1
            if CudaAutocast._entered == 1:
                self._replace()
        return self

    def __exit__(self, *error: Any) -> None:
        with CudaAutocast._lock:
            CudaAutocast._entered -= 1
            if CudaAutocast._entered == 0:
                torch.amp.autocast_mode.autocast.__init__, torch.clear_autocast_cache = CudaAutocast._originals
                CudaAutocast._library._destroy()
                CudaAutocast._library = None
                _casts.clear()

    @staticmethod
    def _replace() -> None:
        cuda, cpu = listed("AutocastCUDA"), listed("AutocastCPU")
        library = torch.library.Library("aten", "IMPL")
        more = {"allow_override": True} if "allow_override" in torch.library.Library.impl.__code__.co_varnames else {}
        rules = {name: _rule(name) for name in cuda - NEVER if not (name in cpu and _alike(name))}
        kernels = {name: _kernel(name, rule) for name, rule in rules.items() if rule is not None}
        kernels.update(dict.fromkeys(cpu - cuda - _RECURRENT, torch.library.fallthrough_kernel))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch 2.4 warns of kernels that are replaced, as they are meant to be
            for name, kernel in sorted(kernels.items()):
                library.impl(name, kernel, "AutocastCPU", **more)
        owner = torch.amp.autocast_mode.autocast
        original, clear = owner.__init__, torch.clear_autocast_cache

        def begin(self, device_type: str, dtype: Optional[torch.dtype] = None, enabled: bool = True,
                  cache_enabled: Optional[bool] = None) -> None:
            if device_type == "cuda":
                device_type, dtype = "cpu", torch.get_autocast_dtype("cuda") if dtype is None else dtype
            original(self, device_type, dtype, enabled, cache_enabled)

        def clear_all() -> None:
            _casts.clear()
            clear()

        owner.__init__, torch.clear_autocast_cache = begin, clear_all
        CudaAutocast._library, CudaAutocast._originals = library, (original, clear)
