# SPDX-License-Identifier: Apache-2.0
"""Pass S: one step under a dispatch mode, which sees every aten op of every phase and every storage."""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
import time
from typing import Any, Callable, ContextManager, Iterable, Optional

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import patches
from .dtypes import peak_name
from .formulas import flops_of
from .modules import ModuleStack, clean_path, is_data_parallel, named_inputs
from .storages import BEFORE, StorageTable
from .tensors import is_fake, is_wrapper, plain_tensors, storage_key
from .traffic import compulsory_bytes, mutated_arguments

Optimizers = Iterable[torch.optim.Optimizer]
_NOTHING = contextlib.nullcontext()
_MOST_NODES = 64  # of one op; a longer gap in the numbers is work that was not seen


class RecordedOp:
    """One call of an op, as it was seen."""

    __slots__ = ("kind", "overload", "phase", "module", "flops", "matmul_flops", "is_product", "bytes", "units",
                 "input_shapes", "reads", "writes", "seconds", "start", "kernels")


class _Mode(TorchDispatchMode):
    """Hands each call to the pass; a wrapper subclass takes its ops apart first."""

    def __init__(self, owner: "StructurePass") -> None:
        super().__init__()
        self._owner = owner

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func.namespace in ("profiler", "prim"):  # names a stretch of time, asks where a tensor is
            return func(*args, **kwargs)
        if any(is_wrapper(kind) for kind in types):
            return NotImplemented
        if torch.is_inference_mode_enabled():  # only then composite ops arrive whole
            with self:
                result = func.decompose(*args, **kwargs)
            if result is not NotImplemented:
                return result
        return self._owner.call(func, args, kwargs)


class StructurePass:
    """Records what happens between open() and close(): ops, storages, modules, phases.

    Nothing of it stays behind after close(): hooks, modes and patches are taken out, also after an exception.
    """

    def __init__(self, model: torch.nn.Module, optimizers: Optimizers = (), hooks_optimizers: bool = True,
                 timed: bool = True, around: Optional[Callable[[int], ContextManager]] = None) -> None:
        """timed: whether the seconds of ops mean anything.
        around: called with the number of an op for a context in which it runs.
        hooks_optimizers: False where the caller has hooks of its own and calls optimizer_begins() and
        optimizer_ends(), since hooks cannot be taken out while they run."""
        self._hooks_optimizers = hooks_optimizers
        self.model = model
        self.ops: list[RecordedOp] = []
        device = model_device(model)
        self.storages = StorageTable(device, with_pointers=around is not None)
        self.start_bytes = 0
        self.inputs: list[tuple[str, list[int]]] = []  # shapes given to the model, first tensor of each call
        self.optimizer_steps = 0
        self.graph_replays = 0  # of CUDA graphs, whose ops are not seen
        self.compiled: list[str] = []  # what torch.compile made and ran as eager code here, by name
        self._optimizers = list(optimizers)
        self._entrance: Optional[torch.nn.Module] = None  # whose inputs are the batch
        self._modules = ModuleStack(model, self._root_begins)
        self._mode = _Mode(self)
        self._closers: list[Callable[[], None]] = []
        self._in_optimizer = 0
        self._in_closure = False  # of an optimizer: its forward pass has run, and not yet the backward pass
        self._forward_ops: dict[int, list[tuple[int, str]]] = {}  # sequence number -> (thread, module)
        self._last_number: dict[int, int] = {}  # thread -> the last sequence number seen there
        self._parameter_names: dict[int, str] = {}  # id of a parameter -> name
        self._timed = timed and device == "cpu"
        self._around = around or _nothing_around
        self._begin = 0.0  # when the step began, on the clock of its ops

    # --- begin and end ---------------------------------------------------------------------------------------

    def open(self, held: Any = None) -> None:
        """Begins to record. `held`: tensors that are older than the step; by default all that Python holds."""
        try:
            self._claim_model()
            for optimizer in self._optimizers:
                self._claim_state(optimizer)
            for tensor in held_tensors() if held is None else plain_tensors(held):
                self._note(tensor, BEFORE)
            self.start_bytes = self.storages.live_bytes()
            self._set_hooks()
            self._begin = time.perf_counter()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends recording and takes out every hook."""
        while self._closers:
            self._closers.pop()()
        self.storages.close()

    def _set_hooks(self) -> None:
        self._modules.open()
        self._closers.append(self._modules.close)
        if self._hooks_optimizers:
            self._closers.append(patches.optimizer_steps(self.optimizer_begins, self.optimizer_ends))
        for name, parameter in self.model.named_parameters():
            if parameter.requires_grad and parameter.is_leaf:
                handle = parameter.register_post_accumulate_grad_hook(self._gradient_is_ready)
                self._closers.append(handle.remove)
        self._closers.append(patches.resizing(self.storages))
        self._closers.append(patches.generator_state(self._note_generator_state))
        self._closers.append(patches.graph_replays(self._note_replay))
        self._closers.append(patches.compiled_calls(self._note_compiled))
        saved = torch.autograd.graph.saved_tensors_hooks(self._pack, lambda tensor: tensor)
        saved.__enter__()
        self._closers.append(lambda: saved.__exit__(None, None, None))
        self._closers.append(patches.disabling_of_saved_tensors(saved, self._pack))
        self._mode.__enter__()
        self._closers.append(lambda: self._mode.__exit__(None, None, None))

    def _note_replay(self) -> None:
        self.graph_replays += 1

    def _note_compiled(self, name: str) -> None:
        if name not in self.compiled:
            self.compiled.append(name)

    def _note_generator_state(self, state: torch.Tensor) -> None:
        row = self._note(state, len(self.ops))
        if row is not None:
            stored = self.storages.rows[row]
            stored.tag, stored.tag_role, stored.name = "workspace", "random number state", "random number state"

    # --- what is known by identity ---------------------------------------------------------------------------

    def _claim_model(self) -> None:
        parallel = is_data_parallel(self.model)
        for path, parameter in self.model.named_parameters():
            name = clean_path(path, parallel)
            self._parameter_names[id(parameter)] = name
            self._claim(parameter, "parameters", "parameter", name, BEFORE)
            if parameter.grad is not None:
                self._claim(parameter.grad, "gradients", "gradient", f"{name}.grad", BEFORE)
        for path, buffer in self.model.named_buffers():
            self._claim(buffer, "workspace", "buffer", clean_path(path, parallel), BEFORE)

    def _claim_state(self, optimizer: torch.optim.Optimizer) -> None:
        """Names state and masters of an optimizer; those made meanwhile keep the op that made them."""
        first = self.storages.current if self.storages.current > BEFORE else BEFORE
        for group in optimizer.param_groups:
            for place, parameter in enumerate(group["params"]):
                name = self._parameter_names.setdefault(id(parameter), f"master {place}")
                row = self._note(parameter, first)
                if row is not None and self.storages.rows[row].tag is None:
                    self._claim(parameter, "master_parameters", "master parameter", name, first)
                if parameter.grad is not None:
                    self._claim(parameter.grad, "gradients", "gradient", f"{name}.grad", first)
                for key, value in optimizer.state.get(parameter, {}).items():
                    self._claim(value, "optimizer_state", f"optimizer state {key}", f"{name}.{key}", first)

    def _claim(self, value: Any, category: str, role: str, name: str, first_op: int) -> None:
        for tensor in plain_tensors(value):
            row = self._note(tensor, first_op)
            if row is None or self.storages.rows[row].tag is not None:
                continue
            stored = self.storages.rows[row]
            stored.tag, stored.tag_role, stored.name = category, role, name
            stored.shape = [int(extent) for extent in tensor.shape]
            owner, _, last = name.rpartition(".")
            if role in ("gradient",) or role.startswith("optimizer state"):
                owner = owner.rpartition(".")[0]
            stored.module = owner

    def _note(self, tensor: torch.Tensor, first_op: int) -> Optional[int]:
        row = None
        for plain in plain_tensors(tensor):
            row = self.storages.row_of(plain, first_op)
        return row

    # --- hooks -----------------------------------------------------------------------------------------------

    def _root_begins(self, model: torch.nn.Module, args: tuple, kwargs: dict) -> None:
        if torch._C._current_graph_task_id() != -1:
            return
        if self._entrance is None or (model is self.model and self._entrance is not model):
            self._entrance, self.inputs = model, []
        named = named_inputs(model, args, kwargs)
        if named and model is self._entrance:
            self.inputs.append((named[0][0], [int(extent) for extent in named[0][1].shape]))
        for name, value in named:
            for tensor in plain_tensors(value):
                # What no op made is new since the last one: a loader's batch.
                row = self.storages.row_of(tensor, self.storages.current + 1)
                if row is not None:
                    stored = self.storages.rows[row]
                    stored.given_to_model = True
                    stored.name = stored.name or name

    def optimizer_begins(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer's step() begins: gradients are final."""
        self._claim_gradients(optimizer)
        self._in_optimizer += 1

    def optimizer_ends(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer's step() ended: its state is there."""
        self._in_optimizer -= 1
        self.optimizer_steps += 1
        self._claim_state(optimizer)

    def _claim_gradients(self, optimizer: torch.optim.Optimizer) -> None:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._gradient_is_ready(parameter)

    def _gradient_is_ready(self, parameter: torch.Tensor) -> None:
        name = self._parameter_names.get(id(parameter), "")
        if parameter.grad is not None:
            self._claim(parameter.grad, "gradients", "gradient", f"{name}.grad", max(self.storages.current, 0))

    def _pack(self, tensor: torch.Tensor) -> torch.Tensor:
        for plain in plain_tensors(tensor):
            row = self.storages.find(plain)
            if row is not None:
                self.storages.rows[row].packed = True
        return tensor

    # --- one op ----------------------------------------------------------------------------------------------

    def call(self, func: torch._ops.OpOverload, args: tuple, kwargs: dict) -> Any:
        """Runs an op and records it. An op that raises is not recorded."""
        index = len(self.ops)
        phase, module = self._place()
        inputs = list(plain_tensors((args, kwargs)))
        # A constant of the program's text: what a prediction makes a fake tensor of is what a recording goes on with.
        is_constant = func is torch.ops.aten.lift_fresh.default
        reads = [] if is_constant else self._rows(inputs, index, phase)
        self.storages.current = index
        try:
            with self._around(index):
                begin = time.perf_counter()
                result = func(*args, **kwargs)
                seconds = time.perf_counter() - begin
        except BaseException:
            self.storages.current = index - 1
            raise
        mutated = [] if func.is_view else mutated_arguments(func, args, kwargs)
        given = {storage_key(tensor) for tensor in inputs}
        results = list(plain_tensors(result))
        if is_constant:
            reads, given = self._rows(results, index, phase), given | {storage_key(tensor) for tensor in results}
        fresh = [tensor for tensor in results if storage_key(tensor) not in given]
        writes = self._written(fresh, mutated, index, phase, module)
        name = func._schema.name.partition("::")[2]
        if func.namespace == "aten" and name in ("copy_", "zero_", "fill_", "normal_", "uniform_"):
            reads = [row for row in reads if row not in writes]
        cost = flops_of(func, name, args, kwargs, result)
        op = RecordedOp()
        op.kind, op.overload, op.phase, op.module = func._schema.name, func._overloadname, phase, module
        op.flops, op.matmul_flops, op.is_product = cost.total, cost.matmul, cost.is_product
        op.bytes = compulsory_bytes(func, name, args, kwargs, result)
        op.units = _units(cost.is_product, inputs, results)
        op.input_shapes = [[int(extent) for extent in tensor.shape] for tensor in inputs]
        op.reads, op.writes = reads, writes
        op.seconds = seconds if self._timed else None
        op.start = begin - self._begin if self._timed else None
        op.kernels = None  # names, of pass K
        self.ops.append(op)
        return result

    def _rows(self, tensors: Iterable[torch.Tensor], index: int, phase: Optional[str]) -> list[int]:
        rows: list[int] = []
        for tensor in tensors:
            row = self.storages.row_of(tensor, index)
            if row is not None and row not in rows:
                rows.append(row)
                self.storages.rows[row].read_in.add(phase or "outside")
        return rows

    def _written(self, fresh, mutated, index: int, phase: Optional[str], module: str) -> list[int]:
        rows: list[int] = []
        for tensor in [*fresh, *mutated]:
            known = self.storages.find(tensor) is not None
            row = self.storages.row_of(tensor, index)
            if row is None or row in rows:
                continue
            rows.append(row)
            stored = self.storages.rows[row]
            if not known:
                stored.made_phase, stored.module = phase or "outside", module
        return rows

    def _place(self) -> tuple[Optional[str], str]:
        """Phase and module of the op that begins. The phase is None outside of all: see phases.py."""
        task, frame = torch._C._current_graph_task_id(), self._modules.top()
        if task != -1:
            self._in_closure = False
            if frame is not None and frame.graph_task != -1:
                self._remember(frame.path)
                return "recompute", frame.path
            if torch.is_grad_enabled() and _inside_checkpoint():
                return "recompute", self._module_of_node()
            return "backward", self._module_of_node()
        if frame is not None:
            self._remember(frame.path)
            self._in_closure = self._in_optimizer > 0
            return ("forward" if frame.known else "forward of another"), frame.path
        if self._in_optimizer and not self._in_closure:
            return "optimizer", ""
        self._remember("")
        return None, ""

    def _remember(self, module: str) -> None:
        """The first op after a node was made is the one that the node belongs to. One op may make several: one
        that works in place and must keep what was there copies it first, and the copy has a node too."""
        number, thread = torch.autograd._get_sequence_nr() - 1, threading.get_ident()
        last = self._last_number.get(thread, number - 1)
        self._last_number[thread] = number
        for made in range(max(last + 1, number - _MOST_NODES), number + 1):
            self._forward_ops.setdefault(made, []).append((thread, module))

    def _module_of_node(self) -> str:
        """The module whose forward made the autograd node that runs."""
        node = torch._C._current_autograd_node()
        if node is None:
            return ""
        variable = getattr(node, "variable", None)
        if variable is not None:  # AccumulateGrad, whose number says nothing
            return self._parameter_names.get(id(variable), "").rpartition(".")[0]
        owners = self._forward_ops.get(node._sequence_nr(), [])
        return owners[-1][1] if owners else ""


def _nothing_around(index: int) -> ContextManager:
    return _NOTHING


def _units(is_product: bool, inputs: list[torch.Tensor], results: list[torch.Tensor]) -> str:
    tensors = inputs if is_product else results or inputs
    for tensor in tensors:
        if tensor.dtype.is_floating_point:
            return peak_name(tensor.dtype, is_product, tensor.device.type)
    return "fp32"


def _inside_checkpoint() -> bool:
    """Whether torch's checkpointing runs a function again: it is on the stack."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.endswith("checkpoint.py") and frame.f_code.co_name in (
                "unpack_hook", "backward", "recompute_fn"):
            return True
        frame = frame.f_back
    return False


def model_device(model: torch.nn.Module) -> str:
    """"cuda", "cpu", ..: where the first parameter lives."""
    for parameter in model.parameters():
        return parameter.device.type
    return "cpu"


def held_tensors() -> list[torch.Tensor]:
    """All plain tensors that Python holds now, but for those without data. Takes about a tenth of a microsecond for
    each object of the process."""
    found: list[torch.Tensor] = []
    are_tensors: dict[type, bool] = {}
    for candidate in gc.get_objects():
        kind = type(candidate)
        known = are_tensors.get(kind)
        if known is None:
            known = are_tensors[kind] = issubclass(kind, torch.Tensor)
        if known:
            try:
                found.extend(tensor for tensor in plain_tensors(candidate) if not is_fake(tensor))
            except Exception:  # a class of somebody else's, half made: its tensors are not known
                continue
    return found
