#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes reference.safetensors beside this script with the reference library (pip install safetensors torch).

The file is read by tests/core/io/safetensors_test.cpp and committed, so that the tests need no Python packages.
Element i of every tensor is i / 4 - 1, exact in all of its formats.
"""

import pathlib

import torch
from safetensors.torch import save_file

folder = pathlib.Path(__file__).resolve().parent


def ramp(dtype, *shape):
    return (torch.arange(torch.tensor(shape).prod().item()) / 4 - 1).reshape(shape).to(dtype)


save_file(
    {
        "double": ramp(torch.float64, 2, 3),
        "single": ramp(torch.float32, 3, 2),
        "half": ramp(torch.float16, 5),
        "bfloat": ramp(torch.bfloat16, 2, 2, 2),
        "e4m3": ramp(torch.float8_e4m3fn, 7),
        "e5m2": ramp(torch.float8_e5m2, 3),
        "scalar": torch.tensor(2.5),
        "empty": torch.zeros(0, 4),
        "whole": torch.tensor([-1, 2**40]),
        "flags": torch.tensor([True, False, True]),
    },
    folder / "reference.safetensors",
    metadata={"format": "pt", "text": 'quotes " and ümläuts'},
)
