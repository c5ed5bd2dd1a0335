# SPDX-License-Identifier: Apache-2.0
"""The deep linear model as a torch.nn.Module: x[B,D] -> act(h W_l) ... -> y = h W_head."""

from __future__ import annotations

import math
from typing import Optional

import numpy as np
import torch
from torch.utils.checkpoint import checkpoint

from . import philox
from .config import RunConfig
from .op_watch import Marks

DTYPES = {"fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def initial_weights(config: RunConfig, matrix: int) -> np.ndarray:
    """The first numbers of matrix 1 to matrices, in fp32; those of the built-in trainer."""
    rows, columns = config.dim, config.columns_of(matrix)
    rule = config["init"]
    factor = {"scaled": 1 / math.sqrt(rows), "truncated": 1 / math.sqrt(rows), "naive": 1.0,
              "xavier-uniform": math.sqrt(6 / (rows + columns)), "xavier-normal": math.sqrt(2 / (rows + columns)),
              "he-uniform": math.sqrt(6 / rows), "he-normal": math.sqrt(2 / rows), "fixed": config["init-std"]}[rule]
    draw = {"truncated": philox.truncated_normals, "xavier-uniform": philox.uniforms,
            "he-uniform": philox.uniforms}.get(rule, philox.normals)
    stream = philox.HEAD if matrix > config.layers else philox.WEIGHTS
    numbers = draw(config["seed"], stream, matrix, 0, rows * columns)
    return (numbers * np.float32(factor)).reshape(rows, columns)


class DeepLinear(torch.nn.Module):
    """`weights[l - 1]` is W_l, the head's last; `masters` are fp32 copies of narrower weights, or nothing."""

    def __init__(self, config: RunConfig, device: torch.device) -> None:
        super().__init__()
        self._config = config
        self.marks: Optional[Marks] = None  # told where the step is; None where nobody watches
        first = [torch.from_numpy(initial_weights(config, matrix)) for matrix in range(1, config.matrices + 1)]
        kind = DTYPES[config.precision]
        self.weights = torch.nn.ParameterList(
            [torch.nn.Parameter(numbers.to(device=device, dtype=kind, copy=True)) for numbers in first])
        self.masters = [torch.nn.Parameter(numbers.to(device=device, copy=True)) for numbers in first] \
            if config.has_masters else []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        layers, interval = self._config.layers, self._config.interval
        h = x
        if interval is None:
            h = self._layers(h, 1, layers)
        else:
            # The last segment would be recomputed at once, and stays.
            last = (layers - 1) // interval * interval
            for first in range(1, last + 1, interval):
                h = checkpoint(self._layers, h, first, first + interval - 1, use_reentrant=False)
            h = self._layers(h, last + 1, layers)
        if self._config.head:
            if self.marks is not None:
                self.marks.layer(layers + 1, h)
            h = h @ self.weights[-1]
        return h

    def _layers(self, h: torch.Tensor, first: int, last: int) -> torch.Tensor:
        relu, marks = self._config["activation"] == "relu", self.marks
        try:
            for layer in range(first, last + 1):
                if marks is not None:
                    marks.layer(layer, h, last_of_segment=last)
                h = h @ self.weights[layer - 1]
                if relu:
                    h = torch.relu(h)
            return h
        finally:  # a recomputation ends early, by an exception, when it has all that is needed
            if marks is not None:
                marks.layers_end()
