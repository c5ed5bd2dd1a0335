# SPDX-License-Identifier: Apache-2.0
"""Batches on the host: the built-in trainer's synthetic task, or rows of .npy files, in its order."""

from __future__ import annotations

import math
from typing import Union

import numpy as np

from . import philox
from .config import RunConfig
from .refusal import Refusal

Pair = tuple[np.ndarray, np.ndarray]


class SyntheticBatches:
    """x normal, t = x w* + noise with w*[i, k] = ((i + k) mod D) / norm, which gives targets of variance 1."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        dim = config.dim
        scale = 1 / math.sqrt((dim - 1) * dim * (2 * dim - 1) / 6) if dim > 1 else 1.0
        places = np.arange(dim)[:, None] + np.arange(config.outputs)[None, :]
        self._weights = (places % dim).astype(np.float64) * scale if dim > 1 else np.ones((1, config.outputs))

    def batch(self, step: int, micro: int) -> Pair:
        """x [b, D] and t [b, K] of a micro-batch, fp32."""
        config, rows = self._config, self._config.micro_batch
        first = micro * rows
        seed, sub = config["seed"], step & 0xFFFFFFFF
        x = philox.normals(seed, philox.FEATURES, sub, first * config.dim, rows * config.dim).reshape(rows, -1)
        noise = philox.normals(seed, philox.NOISE, sub, first * config.outputs, rows * config.outputs)
        targets = x.astype(np.float64) @ self._weights + config["noise"] * noise.reshape(rows, -1).astype(np.float64)
        return x, targets.astype(np.float32)


class RowBatches:
    """Rows of two .npy files, every one once per epoch, shuffled by the seed."""

    def __init__(self, config: RunConfig) -> None:
        self._features = _load("data", config["data"])
        self._targets = _load("targets", config["targets"])
        if self._targets.ndim == 1:
            self._targets = self._targets[:, None]
        for name, table, width in (("data", self._features, config.dim), ("targets", self._targets, config.outputs)):
            if table.ndim != 2 or table.shape[1] != width:
                raise Refusal(f"{name} {config[name]} has the shape {list(table.shape)} and not [rows, {width}]",
                              f"give {'dim' if name == 'data' else 'outputs'} of the file, or another file")
        rows = len(self._features)
        if rows == 0 or rows != len(self._targets):
            raise Refusal(f"data and targets have {rows} and {len(self._targets)} rows", "give files of as many rows")
        self._order = philox.EpochOrder(rows, config["seed"])
        self._config = config

    def batch(self, step: int, micro: int) -> Pair:
        """x [b, D] and t [b, K] of a micro-batch, fp32."""
        config = self._config
        rows = self._order.at(step * config["batch"] + micro * config.micro_batch, config.micro_batch)
        return (np.ascontiguousarray(self._features[rows], np.float32),
                np.ascontiguousarray(self._targets[rows], np.float32))


def _load(name: str, path: str) -> np.ndarray:
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise Refusal(f"{name} {path} cannot be read ({error.strerror or error})", "check the path", "io") from error
    except ValueError as error:
        raise Refusal(f"{name} {path} is no .npy file ({error})", "save it with numpy.save") from error
    if table.dtype.kind not in "fiub":
        raise Refusal(f"{name} {path} holds no numbers ({table.dtype})", "save numbers")
    return table


def open_batches(config: RunConfig) -> Union[SyntheticBatches, RowBatches]:
    """What the configuration's data names."""
    return SyntheticBatches(config) if config["data"] == "synthetic" else RowBatches(config)
