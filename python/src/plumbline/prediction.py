# SPDX-License-Identifier: Apache-2.0
"""`predict`: what a step will cost, without running it: the recorder of pass S over fake tensors."""

from __future__ import annotations

import contextlib
import copy
import inspect
import os
import traceback
from typing import Any, Callable, Iterator, Optional, Union

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_map_only

from .caching_allocator import BLOCK, replay, rounded
from .cuda_autocast import CudaAutocast, RefusedByAutocast
from .device_memory import CONTEXT, capability_of, workspaces
from .document import PREDICTED_CURVE, StepDocument
from .losses import StepLosses
from .machines import Machine, find_machine
from .modules import is_sharded
from .personality import CudaPersonality, StepCounters, as_cuda_optimizer
from .step_file import Path, write_step
from .structure import StructurePass
from .summary import short, table

_NOT_THE_USERS = tuple(os.path.dirname(os.path.abspath(file)) for file in (torch.__file__, __file__))
_NEEDS_VALUES = tuple(getattr(fake_tensor, name) for name in (
    "DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException",
    "UnsupportedFakeTensorException") if hasattr(fake_tensor, name))
# Ops whose fake form has no workspace.
_HIDDEN_WORKSPACE = frozenset({"aten::mkldnn_rnn_layer", "aten::_cudnn_rnn"})

Loss = Callable[[Any, Any], torch.Tensor]
MakeOptimizer = Callable[[Any], torch.optim.Optimizer]


class PredictionError(RuntimeError):
    """A step cannot be predicted; the message says where and what to do instead."""


class Prediction:
    """A predicted step. `document` is that of a step file with source "predicted"; print() shows what it says."""

    def __init__(self, document: dict[str, Any], search: Optional[Callable[[int], Optional[int]]] = None) -> None:
        """search: looks for the largest batch of this step, up to a given one."""
        self.document = document
        self._search = search

    def __repr__(self) -> str:
        return short(self.document)

    def __str__(self) -> str:
        return table(self.document)

    @property
    def peak_bytes(self) -> int:
        """Largest sum of live tensors."""
        return self.document["memory"]["curve_peak_bytes"]

    @property
    def reserved_bytes(self) -> Optional[int]:
        """What the caching allocator of a GPU would reserve; None for the CPU."""
        return self.document["memory"].get("reserved_peak_bytes")

    @property
    def flops(self) -> int:
        """FLOPs of the step, of all ops that have a formula."""
        return sum(flops or 0 for flops in self.document["ops"]["flops"])

    @property
    def matmul_flops(self) -> int:
        """FLOPs of its products."""
        return sum(self.document["ops"]["matmul_flops"])

    @property
    def fits(self) -> Optional[bool]:
        """Whether what the allocator reserves and the context fit into the device's memory; None where that is not known."""
        return self.document["predicted"]["fits"]

    @property
    def needed_bytes(self) -> Optional[int]:
        """What the allocator reserves, and the context; None for the CPU."""
        return self.document["predicted"]["needed_bytes"]

    def largest_batch(self, most: int = 1 << 20) -> Optional[int]:
        """The largest batch of this step that fits into the device, as plumbline.largest_batch() finds it; None where the
        device's memory is not known. It is in the document from then on."""
        if self._search is None or self.document["predicted"]["device_bytes"] is None:
            return None
        found = self._search(most)
        self.document["predicted"]["largest_batch"] = found
        return found

    def advice(self) -> list[str]:
        """What would lower the peak: plumbline.advice() of this."""
        from .fitting import advice

        return advice(self)

    def write(self, path: Path) -> None:
        """Writes the step file."""
        write_step(path, self.document)


def predict(model: torch.nn.Module, batch: Any, *, loss: Optional[Loss] = None, target: Any = None,
            optimizer: Union[torch.optim.Optimizer, MakeOptimizer, None] = None,
            device: Union[str, dict[str, Any], None] = None, autocast: Optional[torch.dtype] = None) -> Prediction:
    """Memory and FLOPs of a training step in steady state, and its time where `device` has a data sheet.

    model: on any device, meta as well; it is neither run nor changed, and its values are not read.
    batch: given to the model: a tensor, or a tuple of arguments, or a dict of keyword arguments. Shapes count.
    loss: called as loss(output, target); by default output.loss, or the output itself where it is one number.
    optimizer: one of this model's, or what makes one of parameters (torch.optim.AdamW); none: no update.
    device: None for this CPU; "cuda" for some GPU; a name of hardware.json ("H200 SXM"), a record, or the path of
        one, for that GPU. Its ops are those that CUDA would choose.
    autocast: the format of torch.autocast around model and loss. By default that of an autocast which this is called in,
        of "cuda" for a GPU and of "cpu" else. A prediction for a GPU follows CUDA's lists of ops, inside of the model too.

    PredictionError where the step depends on values, which do not exist here: with the line that needs them.
    """
    if is_sharded(model):
        raise PredictionError("A model that fully_shard() was applied to (FSDP2) cannot be copied, and a prediction needs a "
                              "copy: predict it before it is sharded. Memory is then that of one device that holds all.")
    machine = None if device in (None, "cpu", "cuda") else find_machine(device)
    cuda = device not in (None, "cpu")
    if autocast is None and cuda and torch.is_autocast_enabled("cuda"):
        autocast = torch.get_autocast_dtype("cuda")
    said: list[str] = []
    with FakeTensorMode(allow_non_fake_inputs=True), contextlib.ExitStack() as stack:
        fake = _fake_model(model)
        inputs, wanted = _fake_values((batch, target))
        updater = _fake_optimizer(model, fake, optimizer, cuda)
        if cuda:
            stack.enter_context(CudaPersonality(capability_of(machine)))
            stack.enter_context(CudaAutocast())
        step = _Step(fake, inputs, wanted, loss, updater, autocast, said)
        stack.enter_context(StepCounters(lambda: step.in_optimizer))
        recorded = StructurePass(fake, [] if updater is None else [updater], timed=False)
        try:
            step()  # what is lazy comes to be
            recorded.open(held=[inputs, wanted])
            try:
                step()
            finally:
                recorded.close()
        except _NEEDS_VALUES as error:
            raise PredictionError(_where(error)) from error
        except RefusedByAutocast as error:
            raise PredictionError(str(error)) from error
    recorded.model = model

    def search(most: int) -> Optional[int]:
        from .fitting import largest_batch

        return largest_batch(model, batch, device=device, target=target, most=most, loss=loss, optimizer=optimizer,
                             autocast=autocast)

    return Prediction(_document(recorded, cuda, machine, said), search)


class _Step:
    """One training step on fake tensors."""

    def __init__(self, model, inputs, target, loss, optimizer, autocast, said) -> None:
        self._model, self._inputs, self._target = model, inputs, target
        self._loss, self._optimizer, self._autocast, self._said = loss, optimizer, autocast, said
        self.in_optimizer = False

    def __call__(self) -> None:
        if self._optimizer is not None:
            self._optimizer.zero_grad(set_to_none=True)
        else:
            self._model.zero_grad(set_to_none=True)
        around = contextlib.nullcontext() if self._autocast is None else torch.autocast("cpu", self._autocast)
        with around:
            value = self._value(self._call())
        value.backward()
        if self._optimizer is not None:
            self.in_optimizer = True
            try:
                self._optimizer.step()
            finally:
                self.in_optimizer = False

    def _call(self) -> Any:
        if isinstance(self._inputs, dict):
            return self._model(**self._inputs)
        if isinstance(self._inputs, (tuple, list)):
            return self._model(*self._inputs)
        return self._model(self._inputs)

    def _value(self, output: Any) -> torch.Tensor:
        if self._loss is not None:
            return self._loss(output, self._target)
        found = output.get("loss") if isinstance(output, dict) else getattr(output, "loss", None)
        if isinstance(found, torch.Tensor):
            return found
        if isinstance(output, torch.Tensor):
            if output.numel() > 1:
                sentence = "No loss was given: the sum of the output stands for it."
                if sentence not in self._said:
                    self._said.append(sentence)
            return output.sum()
        raise PredictionError(f"The model returns {type(output).__name__}, which has no loss: give loss=.")


# --- fake things -------------------------------------------------------------------------------------------------

def _fake_tensor(real: torch.Tensor) -> torch.Tensor:
    """A fake CPU tensor of the same shape, whatever the real one lives on."""
    fake = torch.empty_strided(real.shape, real.stride(), dtype=real.dtype, device="cpu")
    return fake.requires_grad_() if real.requires_grad else fake


def _fake_values(values: Any) -> Any:
    """The same with fake tensors; what is given twice (ids that are labels, too) is one tensor there as well."""
    made: dict[int, torch.Tensor] = {}

    def one(real: torch.Tensor) -> torch.Tensor:
        if id(real) not in made:
            made[id(real)] = _fake_tensor(real)
        return made[id(real)]

    return tree_map_only(torch.Tensor, one, values)


def _fake_model(model: torch.nn.Module) -> torch.nn.Module:
    """A copy whose parameters and buffers are fake. What is tied stays tied; no value is copied."""
    memo: dict[int, Any] = {}
    for parameter in model.parameters():
        fake = torch.nn.Parameter(_fake_tensor(parameter.detach()), requires_grad=parameter.requires_grad)
        memo[id(parameter)] = fake
        if parameter.grad is not None:
            memo[id(parameter.grad)] = None
    for buffer in model.buffers():
        memo[id(buffer)] = _fake_tensor(buffer.detach())
    return copy.deepcopy(model, memo)


def _fake_optimizer(model, fake, optimizer, cuda: bool) -> Optional[torch.optim.Optimizer]:
    if optimizer is None:
        return None
    if isinstance(optimizer, torch.optim.Optimizer):
        twins = dict(zip(map(id, model.parameters()), fake.parameters()))
        groups = []
        for group in optimizer.param_groups:
            if any(id(parameter) not in twins for parameter in group["params"]):
                raise PredictionError("The optimizer has parameters that the model does not have: give what makes "
                                      "one of the model's parameters, such as torch.optim.AdamW.")
            groups.append({**group, "params": [twins[id(parameter)] for parameter in group["params"]]})
        taken = inspect.signature(type(optimizer).__init__).parameters  # AdamW has a default that it does not take
        made = type(optimizer)(groups, **{name: value for name, value in optimizer.defaults.items() if name in taken})
    else:
        made = optimizer(fake.parameters())
    if cuda:
        as_cuda_optimizer(made)
    return made


def _where(error: BaseException) -> str:
    """Names the user's line that needs a value."""
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith(_NOT_THE_USERS):
            line = f"{frame.filename}:{frame.lineno} ({(frame.line or '').strip()})"
    return (f"The step depends on values, which a prediction does not have, at {line or 'an unknown line'}: "
            f"{type(error).__name__}. Record a real step with plumbline.record instead.")


# --- the document ------------------------------------------------------------------------------------------------

def _document(recorded: StructurePass, cuda: bool, machine: Optional[Machine], said: list[str]) -> dict[str, Any]:
    document = StepDocument(recorded, "cuda" if cuda else "cpu", said)
    fields = document.fields
    fields["source"] = "predicted"
    if fields["memory"]["curve_source"] is not None:
        fields["memory"]["curve_source"] = PREDICTED_CURVE
    fields["environment"]["device_name"] = machine.name if machine else None
    none = StepLosses()
    none.lacks("A prediction computes no values.")
    fields["losses"] = none.fields()
    fields["recording"] = {"pass_s_seconds": None, "overhead_ratio": None, "warmup_steps": 1,
                           "passes": {"S": 1, "M": 0, "T": 0}, "automatic": False}
    if cuda:
        _as_cuda(fields, machine, said)
    if any(kind in _HIDDEN_WORKSPACE for kind in fields["ops"]["kind"]):
        said.append("What the recurrent layers' library keeps from forward to backward is not predicted: the memory "
                    "is that much larger.")
    seconds, absent = machine.seconds(fields["ops"]) if machine else (None, "")
    if absent:
        said.append(absent)
    reserved = fields["memory"].get("reserved_peak_bytes")
    needed = None if reserved is None else reserved + CONTEXT.expected
    known = machine is not None and machine.memory_bytes is not None and needed is not None
    fields["predicted"] = {
        "device": machine.name if machine else None,
        "device_bytes": machine.memory_bytes if machine else None,
        "fits": needed <= machine.memory_bytes if known else None,
        "needed_bytes": needed,
        "context_bytes": CONTEXT.expected if cuda else None,
        "context_low": CONTEXT.low if cuda else None,
        "context_high": CONTEXT.high if cuda else None,
        "context_source": CONTEXT.source if cuda else None,
        "seconds": seconds.expected if seconds else None,
        "seconds_low": seconds.low if seconds else None,
        "seconds_high": seconds.high if seconds else None,
        "tier": "data sheet" if seconds else None,
    }
    return fields


def _as_cuda(fields: dict[str, Any], machine: Optional[Machine], said: list[str]) -> None:
    """Adds what CUDA's allocator makes of the tensors, and the formats of its products."""
    ops, tensors, memory = fields["ops"], fields["tensors"], fields["memory"]
    if torch.backends.cuda.matmul.allow_tf32:
        ops["units"] = ["tf32" if product and units == "fp32" else units
                        for product, units in zip(ops["is_product"], ops["units"])]
        if fields["product_dtype"] == "fp32":
            fields["product_dtype"] = "tf32"
    held, remark = workspaces(machine, any(ops["is_product"]))
    count = len(ops["id"])
    allocator = replay(tensors["bytes"], tensors["first_op"], tensors["last_op"], count, held)
    live = peak = 0
    changes: dict[int, int] = {}
    for size, first, last in zip(tensors["bytes"], tensors["first_op"], tensors["last_op"]):
        changes[first] = changes.get(first, 0) + rounded(size, BLOCK)
        changes[last + 1] = changes.get(last + 1, 0) - rounded(size, BLOCK)
    for op in sorted(changes):
        live += changes[op]
        peak = max(peak, live)
    if machine is None or machine.is_nvidia:
        memory["library_bytes"] = sum(held)
    memory["rounded_peak_bytes"] = peak + sum(held)
    memory["allocated_peak_bytes"] = allocator.allocated_peak
    memory["reserved_peak_bytes"] = allocator.reserved
    if remark:
        said.append(remark)
