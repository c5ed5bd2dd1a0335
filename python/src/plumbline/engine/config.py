# SPDX-License-Identifier: Apache-2.0
"""The configuration of a run, as the window sends it (docs/accounting.md), and what of it PyTorch cannot do."""

from __future__ import annotations

import difflib
import math
from typing import Any, Optional

from .refusal import Refusal

SWITCHES = {"on": True, "off": False, True: True, False: False}
CHOICES = {
    "activation": ("none", "relu"),
    "precision": ("fp32", "tf32", "bf16", "fp16", "fp8"),
    "grad-dtype": ("same", "fp32"),
    "optimizer": ("sgd", "momentum", "adagrad", "rmsprop", "adam", "adamw", "lion", "adafactor"),
    "lr-schedule": ("constant", "cosine", "step"),
    "init": ("scaled", "truncated", "naive", "xavier-uniform", "xavier-normal", "he-uniform", "he-normal", "fixed"),
    "backend": ("auto", "cpu", "cuda"),
}
_SIZES = {"dim": (256, 1), "layers": (4, 0), "outputs": (1, 1), "batch": (256, 1), "micro-batch": (0, 0),
          "data-parallel": (1, 1), "zero": (0, 0), "tensor": (1, 1), "warmup-steps": (0, 0), "schedule-steps": (1000, 1), "loss-scale-interval": (2000, 1), "seed": (0, 0)}
_SWITCHES = {"head": True, "master-weights": True, "nesterov": False, "centered": False, "amsgrad": False,
             "standardize": False, "standardize-targets": False, "resident-batch": False}
_NUMBERS = {"clip-norm": 0.0, "min-lr": 0.0, "gamma": 0.1, "loss-scale": 65536.0, "loss-scale-growth": 2.0,
            "loss-scale-backoff": 0.5, "init-std": 0.02, "noise": 0.1, "hold-out": 0.0}
_DEFAULTS = {"activation": "none", "precision": "fp32", "grad-dtype": "same", "optimizer": "adamw",
             "lr-schedule": "constant", "init": "scaled", "backend": "auto", "checkpoint": "all", "data": "synthetic",
             "targets": ""}
_IGNORED = ("data-format", "vocabulary", "token-windows")  # looked at only where a file of tokens is named
# What tunes an update rule, with torch.optim's defaults; those of Lion are its paper's.
SETTINGS = {
    "sgd": {}, "momentum": {"momentum": 0.9, "dampening": 0.0, "nesterov": False},
    "adagrad": {"lr-decay": 0.0, "initial-accumulator": 0.0, "epsilon": 1e-10},
    "rmsprop": {"alpha": 0.99, "epsilon": 1e-8, "momentum": 0.0, "centered": False},
    "adam": {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "amsgrad": False},
    "adamw": {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "amsgrad": False},
    "lion": {"beta1": 0.9, "beta2": 0.99},
    "adafactor": {"beta2-decay": -0.8, "epsilon": 2.0**-23, "epsilon2": 1e-3, "clip-threshold": 1.0},
}
_RATES = {"adagrad": 1e-2, "rmsprop": 1e-2, "adafactor": 1e-2, "lion": 1e-4}
_ALL_SETTINGS = {name for settings in SETTINGS.values() for name in settings}
_MOST = 1 << 40


def _number(name: str, value: Any) -> float:
    try:
        number = float(value) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise Refusal(f"{name} is not a number that can be used ({value!r})", "write it like 0.001 or 1e-3")
    return number


def _size(name: str, value: Any, least: int) -> int:
    try:
        size = int(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else None
    except ValueError:
        size = None
    if size is None:
        raise Refusal(f"{name} is not a whole number ({value!r})", "write it in full, like 4096")
    if size < least or size >= (1 << 64 if name == "seed" else _MOST):
        raise Refusal(f"{name} is out of range ({size})", f"give a size of at least {least}")
    return size


class RunConfig:
    """One optimizer step of the deep linear model, every default filled in. `values` has the options by name."""

    def __init__(self, document: Any) -> None:
        if not isinstance(document, dict):
            raise Refusal("config is no object of options", "send the options by name")
        known = {*_SIZES, *_SWITCHES, *_NUMBERS, *_DEFAULTS, *_IGNORED, *_ALL_SETTINGS, "lr", "weight-decay"}
        for name in document:
            if name not in known:
                near = difflib.get_close_matches(str(name)[:64], sorted(known), 1)
                raise Refusal(f"unknown option ({str(name)[:64]})", f"the nearest one is {near[0]}" if near else "")
        given = {name: value for name, value in document.items() if value is not None}
        self.values: dict[str, Any] = {
            **{name: _size(name, given.get(name, default), least) for name, (default, least) in _SIZES.items()},
            **{name: _number(name, given.get(name, default)) for name, default in _NUMBERS.items()},
            **{name: str(given.get(name, default)) for name, default in _DEFAULTS.items()},
        }
        for name, default in _SWITCHES.items():
            value = given.get(name, default)
            if not isinstance(value, (str, bool)) or value not in SWITCHES:
                raise Refusal(f"{name} is not known ({value!r})", "use on or off")
            self.values[name] = SWITCHES[value]
        for name, choices in CHOICES.items():
            if self.values[name] not in choices:
                raise Refusal(f"{name} is not known ({self.values[name]})", f"use {', '.join(choices)}")
        self._given = given
        self.optimizer: str = self.values["optimizer"]
        self.settings = {name: self.values[name] if isinstance(default, bool) else _number(name, given.get(name, default))
                         for name, default in SETTINGS[self.optimizer].items()}
        self.rate = _number("lr", given.get("lr", _RATES.get(self.optimizer, 1e-3)))
        self.decay = _number("weight-decay", given.get("weight-decay", 1e-2 if self.optimizer == "adamw" else 0.0))
        self._check()

    # --- sizes -----------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def dim(self) -> int:
        return self.values["dim"]

    @property
    def layers(self) -> int:
        return self.values["layers"]

    @property
    def head(self) -> bool:
        return self.values["head"]

    @property
    def outputs(self) -> int:
        """K, the width of y and of the targets."""
        return self.values["outputs"] if self.head else self.dim

    @property
    def matrices(self) -> int:
        return self.layers + (1 if self.head else 0)

    @property
    def micro_batch(self) -> int:
        return self.values["micro-batch"] or self.values["batch"]

    @property
    def micro_batches(self) -> int:
        return self.values["batch"] // self.micro_batch

    @property
    def precision(self) -> str:
        return self.values["precision"]

    @property
    def has_masters(self) -> bool:
        return self.precision in ("bf16", "fp16") and self.values["master-weights"]

    @property
    def interval(self) -> Optional[int]:
        """Layers of a segment that is recomputed; None where all activations stay."""
        policy = self.values["checkpoint"]
        interval = max(1, math.isqrt(max(self.layers - 1, 0)) + 1) if policy == "sqrt" else policy
        return None if interval == "all" or int(interval) == 1 else int(interval)

    def columns_of(self, matrix: int) -> int:
        """Columns of matrix 1 to matrices, which has dim rows."""
        return self.outputs if matrix > self.layers else self.dim

    def rate_at(self, step: int) -> float:
        """The learning rate of a step, from 0 on."""
        warm = self.values["warmup-steps"]
        if step < warm:
            return self.rate * (step + 1) / warm
        since, length, kind = step - warm, self.values["schedule-steps"], self.values["lr-schedule"]
        if kind == "cosine":
            part = min(since / max(length - warm, 1), 1.0)
            least = self.values["min-lr"]
            return least + (self.rate - least) * (1 + math.cos(math.pi * part)) / 2
        return self.rate * self.values["gamma"] ** (since // length) if kind == "step" else self.rate

    # --- what cannot be --------------------------------------------------------------------------------------

    def _check(self) -> None:
        values = self.values
        if self.layers == 0 and not self.head:
            raise Refusal("there is nothing to train (layers 0, head off)", "give a layer or the head")
        if values["data-parallel"] > 1:
            raise Refusal(f"the PyTorch engine trains on one rank (data-parallel {values['data-parallel']})",
                          "use data-parallel 1, or the built-in trainer")
        if values["tensor"] > 1:
            raise Refusal(f"the PyTorch engine trains on one rank (tensor {values['tensor']})",
                          "use tensor 1, or the built-in trainer")
        if values["batch"] % self.micro_batch:
            raise Refusal(f"micro-batch does not divide batch {values['batch']} ({self.micro_batch})",
                          "give a divisor of the batch")
        if self.rate <= 0:
            raise Refusal(f"lr has to be positive ({self.rate:g})", "write it like 0.001")
        for name in ("clip-norm", "noise", "min-lr"):
            if values[name] < 0:
                raise Refusal(f"{name} cannot be negative ({values[name]:g})", "give 0 or more")
        if self.precision == "fp8":
            raise Refusal("PyTorch has no training in fp8 of its own (precision fp8)",
                          "choose bf16, or the built-in trainer")
        if self.precision == "fp16" and not values["master-weights"]:
            raise Refusal("torch.amp.GradScaler takes no gradients in fp16 (master-weights off)",
                          "switch master-weights on, or choose bf16")
        self._check_policy(values["checkpoint"])
        self._check_data()

    def _check_policy(self, policy: str) -> None:
        if policy in ("all", "sqrt") or (policy.isdigit() and int(policy) >= 1):
            return
        if policy == "none" or policy.startswith("fit:"):
            raise Refusal(f"torch.utils.checkpoint recomputes by segments, not by this policy (checkpoint {policy})",
                          "choose all, sqrt or a number of layers, or the built-in trainer")
        raise Refusal(f"checkpoint is not known ({policy})", "use all, sqrt or a number of layers")

    def _check_data(self) -> None:
        values = self.values
        if values["data"] == "synthetic":
            if values["resident-batch"]:
                raise Refusal("the PyTorch engine copies a batch to the device in every step (resident-batch on)",
                              "switch resident-batch off, or choose the built-in trainer")
            return
        where = "choose the built-in trainer"
        if not values["targets"]:
            raise Refusal(f"the PyTorch engine reads no token files (data {values['data']})", where)
        for name in ("data", "targets"):
            if not values[name].endswith(".npy"):
                raise Refusal(f"the PyTorch engine reads .npy files only ({name} {values[name]})",
                              f"give a .npy file, or {where}")
        for name in ("standardize", "standardize-targets", "hold-out"):
            if values[name]:
                raise Refusal(f"the PyTorch engine has no such option ({name})", f"leave it out, or {where}")
