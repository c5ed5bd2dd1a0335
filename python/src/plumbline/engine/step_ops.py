# SPDX-License-Identifier: Apache-2.0
"""The ops of a step by the names of Plumbline's plan (core/plan), in its order, so that a reading lies on it."""

from __future__ import annotations

from typing import NamedTuple

from .config import RunConfig

_LABELS = {"sgd": "SGD", "momentum": "SGD with momentum", "adagrad": "AdaGrad", "rmsprop": "RMSProp", "adam": "Adam",
           "adamw": "AdamW", "lion": "Lion", "adafactor": "Adafactor"}


class PlanOp(NamedTuple):
    """An op as `ops` of a reading has it, without what was measured."""

    id: str
    name: str
    phase: str
    kind: str
    layer: int
    executions: int


def first_recomputed(config: RunConfig, layer: int) -> range:
    """The layers that are recomputed before the backward pass of `layer`."""
    interval = config.interval
    if interval is None:
        return range(0)
    last_segment = (config.layers - 1) // interval * interval
    if layer > last_segment or layer % interval:
        return range(0)
    return range(layer - interval + 1, layer)


def _pass(config: RunConfig, prefix: str, executions: int) -> list[PlanOp]:
    ops: list[PlanOp] = []
    head = config.layers + 1
    suffix = "" if prefix == "m1" else f" · micro-batches 2–{executions + 1}" if executions > 1 else " · micro-batch 2"

    def add(place: str, name: str, phase: str, kind: str, layer: int = 0) -> None:
        ops.append(PlanOp(f"{prefix}.{place}", name + suffix, phase, kind, layer, executions))

    def backward(place: str, name: str, layer: int, has_input: bool) -> None:
        add(f"{place}.backward.weight", f"{name} · backward · weight gradient", "backward", "weight_gradient", layer)
        if has_input:
            add(f"{place}.backward.input", f"{name} · backward · input gradient", "backward", "input_gradient", layer)

    add("load", "load batch", "data", "load_batch")
    for layer in range(1, config.layers + 1):
        add(f"layer{layer}.forward", f"layer {layer} · forward", "forward", "layer_forward", layer)
    if config.head:
        add("head.forward", "head · forward", "forward", "head_forward", head)
    add("loss", "loss and gradient", "loss", "loss_gradient")
    if config.head:
        backward("head", "head", head, config.layers > 0)
    for layer in range(config.layers, 0, -1):
        for again in first_recomputed(config, layer):
            add(f"layer{again}.recompute", f"layer {again} · recompute", "recompute", "recompute_chain", again)
        backward(f"layer{layer}", f"layer {layer}", layer, layer > 1)
    return ops


def step_ops(config: RunConfig) -> list[PlanOp]:
    """All ops of one optimizer step."""
    ops = _pass(config, "m1", 1)
    if config.micro_batches > 1:
        ops += _pass(config, "m2+", config.micro_batches - 1)
    if config["clip-norm"] > 0:
        ops.append(PlanOp("gradient_norm", "norm of the gradients", "optimizer", "gradient_norm", 0, 1))
    ops.append(PlanOp("optimizer", _LABELS[config.optimizer], "optimizer", "optimizer_step", 0, 1))
    return ops
