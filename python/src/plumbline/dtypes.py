# SPDX-License-Identifier: Apache-2.0
"""Names of number formats as they stand in files."""

from __future__ import annotations

import torch

_NAMES = {
    torch.float64: "fp64",
    torch.float32: "fp32",
    torch.bfloat16: "bf16",
    torch.float16: "fp16",
    torch.float8_e4m3fn: "fp8_e4m3",
    torch.float8_e5m2: "fp8_e5m2",
}


def dtype_name(dtype: torch.dtype) -> str:
    """"bf16" for the formats that have peaks, torch's own word ("int64", "bool") for all others."""
    return _NAMES.get(dtype) or str(dtype).replace("torch.", "")


def peak_name(dtype: torch.dtype, is_product: bool, device_type: str) -> str:
    """The format whose peak an op's FLOPs count against: fp32 products are tf32 where a GPU may run them so."""
    if is_product and dtype == torch.float32 and device_type == "cuda" and torch.backends.cuda.matmul.allow_tf32:
        return "tf32"
    return _NAMES.get(dtype, "fp32")
