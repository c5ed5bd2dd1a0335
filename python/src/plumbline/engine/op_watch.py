# SPDX-License-Identifier: Apache-2.0
"""A watched step: which op of the plan each aten op belongs to, its seconds (CPU), and what memory lives meanwhile.

A watched step is slower than others and no step time; the seconds are those of the aten ops alone.
"""

from __future__ import annotations

import time
import weakref
from collections import defaultdict
from typing import Any, Optional

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ..storages import BEFORE, StorageTable
from ..tensors import plain_tensors, storage_of

CATEGORIES = ("parameters", "master_parameters", "optimizer_state", "gradients", "activations", "activation_gradients",
              "data", "workspace")


def _key(tensor: torch.Tensor) -> Optional[int]:
    storage = storage_of(tensor)
    return None if storage is None else storage._cdata


class Marks:
    """Where the step is, as the training and the model say; in the backward pass the tensors that an op reads say
    it: the product with W_l is the input gradient of layer l, what reads the layer's input its weight gradient."""

    def __init__(self, weights: list[torch.Tensor], layers: int) -> None:
        self.label = "optimizer"
        self._weights, self._layers = weights, layers
        self._prefix = "m1"
        self._weight_of = {_key(weight): place + 1 for place, weight in enumerate(weights)}
        self._gradient_of: dict[Optional[int], int] = {}
        # Storage of h -> the layer that reads it, and a reference that says whether it still is that storage.
        self._reader_of: dict[Optional[int], tuple[int, Any]] = {}
        self._backward_label = ""
        self._recomputing = False

    def begin_pass(self, micro: int) -> None:
        """The next ops are those of this micro-batch, from its batch on."""
        self._prefix = "m1" if micro == 0 else "m2+"
        self._reader_of.clear()
        self._gradient_of = {_key(weight.grad): place + 1 for place, weight in enumerate(self._weights)
                             if weight.grad is not None}
        self.at("load")

    def at(self, place: str) -> None:
        """A place within the micro-batch: "load", "loss"."""
        self.label = f"{self._prefix}.{place}"
        self._backward_label = f"{self._prefix}.loss"

    def after_passes(self, label: str) -> None:
        """What comes once in a step: "optimizer", "gradient_norm"."""
        self.label = label

    def layer(self, layer: int, h: torch.Tensor, last_of_segment: int = 0) -> None:
        """Layer `layer` reads `h` next, in the forward pass or again."""
        self._reader_of[_key(h)] = layer, weakref.ref(storage_of(h))
        self._recomputing = torch._C._current_graph_task_id() != -1
        if self._recomputing:
            self.label = f"{self._prefix}.layer{max(1, min(layer, last_of_segment - 1))}.recompute"
        else:
            self.label = f"{self._prefix}.{self._place(layer)}.forward"

    def layers_end(self) -> None:
        """A stretch of layers is done."""
        self._recomputing = False

    def label_of(self, args: tuple) -> str:
        """The plan's op that an aten op with these arguments belongs to."""
        if self._recomputing or torch._C._current_graph_task_id() == -1:
            return self.label
        keys = [_key(value) for value in args if isinstance(value, torch.Tensor)]
        for owners, what in ((self._weight_of, "input"), (self._gradient_of, "weight")):
            found = next((owners[key] for key in keys if key in owners), None)
            if found is not None:
                return self._backward(found, what)
        found = self._reader(keys)
        return self._backward_label if found is None else self._backward(found, "weight")

    def mask_label(self, args: tuple) -> str:
        """The same of the backward pass of an activation, which the plan counts to the gradient that it masks."""
        found = self._reader([_key(value) for value in args if isinstance(value, torch.Tensor)])
        return self._backward_label if found is None else self._backward(found, "input")

    def _reader(self, keys: list[Optional[int]]) -> Optional[int]:
        for key in keys:
            layer, reference = self._reader_of.get(key, (0, None))
            if reference is not None and reference() is not None:
                return layer
        return None

    def _backward(self, layer: int, what: str) -> str:
        self._backward_label = f"{self._prefix}.{self._place(layer)}.backward.{what}"
        return self._backward_label

    def _place(self, layer: int) -> str:
        return "head" if layer > self._layers else f"layer{layer}"


class OpWatch(TorchDispatchMode):
    """Use as a context around one step. `seconds` by label afterwards; memory() has the bytes."""

    def __init__(self, marks: Marks, device: str) -> None:
        super().__init__()
        self.seconds: dict[str, float] = defaultdict(float)
        self._marks = marks
        self._timed = device == "cpu"
        self._table = StorageTable(device)
        self._labels: list[str] = []  # of each aten op
        self._category: dict[int, str] = {}  # row -> category

    def claim(self, tensors: Any, category: str) -> None:
        """These tensors are known by what they are, and not by the op that made them."""
        for tensor in plain_tensors(tensors):
            row = self._table.row_of(tensor, BEFORE if not self._labels else len(self._labels))
            if row is not None:
                self._category[row] = category

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        is_mask = func is torch.ops.aten.threshold_backward.default
        label = self._marks.mask_label(args) if is_mask else self._marks.label_of(args)
        index = len(self._labels)
        self._labels.append(label)
        self._table.current = index
        begin = time.perf_counter()
        result = func(*args, **kwargs)
        self.seconds[label] += time.perf_counter() - begin
        for tensor in plain_tensors(result):
            row = self._table.row_of(tensor, index)
            if row is not None:
                self._category.setdefault(row, _category_of(label, torch._C._current_graph_task_id() != -1))
        return result

    def op_seconds(self) -> Optional[dict[str, float]]:
        """Seconds of the aten ops by label; None on a device that runs beside its host."""
        return dict(self.seconds) if self._timed else None

    def memory(self, order: list[str]) -> list[dict[str, int]]:
        """Bytes by category for each op in `order`: the moment during it at which most is live."""
        count = len(self._labels)
        changes: list[list[tuple[str, int]]] = [[] for _ in range(count + 1)]
        for number, row in enumerate(self._table.rows):
            category = self._category.get(number, "workspace")
            last = count if row.last_op is None else max(row.last_op, row.first_op)
            changes[min(max(row.first_op, 0), count)].append((category, row.bytes))
            if last < count:
                changes[last + 1].append((category, -row.bytes))
        live = dict.fromkeys(CATEGORIES, 0)
        most: dict[str, dict[str, int]] = {}
        for index, label in enumerate(self._labels):
            for category, size in changes[index]:
                live[category] += size
            if label not in most or sum(live.values()) > sum(most[label].values()):
                most[label] = dict(live)
        # An op that ran nothing (a fused one) is as full as what came before it.
        curve, before = [], dict.fromkeys(CATEGORIES, 0)
        for label in order:
            before = most.get(label, before)
            curve.append(dict(before))
        return curve

    def close(self) -> None:
        """Forgets the tensors."""
        self._table.close()


def _category_of(label: str, in_backward: bool) -> str:
    place = label.rpartition(".")[2]
    if place == "load":
        return "data"
    if place == "recompute" or (place == "forward" and "head" not in label):
        return "activations"
    if place == "input" or (in_backward and place == "weight"):
        return "activation_gradients" if place == "input" else "workspace"
    return "workspace"
