# SPDX-License-Identifier: Apache-2.0
"""Which module runs: a stack for each thread, kept by global forward hooks."""

from __future__ import annotations

import inspect
import threading
from typing import Any, Callable, NamedTuple, Optional

import torch
from torch.nn.modules import module as nn_module
from torch.utils._pytree import tree_flatten

# Wrappers that put a name of their own into every path.
_WRAPPER_PARTS = frozenset({"_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module"})


class Frame(NamedTuple):
    """One module whose forward runs."""

    path: str
    known: bool       # whether it belongs to the recorded model
    graph_task: int   # that was running when it began; -1 outside of a backward pass


def clean_path(path: str, data_parallel: bool = False) -> str:
    """The path as the user wrote it: what wrappers (compile, FSDP, DDP) add is left out."""
    parts = [part for part in path.split(".") if part not in _WRAPPER_PARTS]
    if data_parallel and parts and parts[0] == "module":
        parts = parts[1:]
    return ".".join(parts)


def unwrapped(model: torch.nn.Module) -> torch.nn.Module:
    """What torch.compile or a data-parallel wrapper wraps."""
    while True:
        inner = model.module if is_data_parallel(model) else getattr(model, "_orig_mod", None)
        if not isinstance(inner, torch.nn.Module):
            return model
        model = inner


def is_data_parallel(model: torch.nn.Module) -> bool:
    """Whether the model is a DistributedDataParallel or DataParallel wrapper, whose one child is `module`."""
    return type(model).__name__ in ("DistributedDataParallel", "DataParallel")


def is_sharded(model: torch.nn.Module) -> bool:
    """Whether FSDP2's fully_shard() was applied to the model, or to a part of it."""
    return any(base.__name__ in ("FSDPModule", "FSDP") and base.__module__.startswith("torch.distributed.")
               for child in model.modules() for base in type(child).__mro__)


class ModuleStack:
    """Paths of the modules that run, by thread, between open() and close().

    `on_root(module, args, kwargs)` is called before the forward of the model itself, and of a part of it that runs
    by itself (a LightningModule's own forward need not run).
    """

    def __init__(self, model: torch.nn.Module,
                 on_root: Callable[[torch.nn.Module, tuple, dict], None]) -> None:
        self._model = model
        parallel = is_data_parallel(model)
        self._paths = {id(child): clean_path(path, parallel) for path, child in model.named_modules()}
        self._on_root = on_root
        self._stacks: dict[int, list[Frame]] = {}
        self._handles: list[Any] = []

    def open(self) -> None:
        """Sets the global hooks."""
        self._handles = [
            self._model.register_forward_pre_hook(self._on_root, with_kwargs=True, prepend=True),
            nn_module.register_module_forward_pre_hook(self._enter),
            nn_module.register_module_forward_hook(self._leave, always_call=True),
        ]

    def close(self) -> None:
        """Removes every hook."""
        for handle in self._handles:
            handle.remove()
        self._handles = []
        self._stacks.clear()

    def top(self) -> Optional[Frame]:
        """The innermost module that runs in this thread."""
        stack = self._stacks.get(threading.get_ident())
        return stack[-1] if stack else None

    def _enter(self, module: torch.nn.Module, args: tuple) -> None:
        path = self._paths.get(id(module))
        stack = self._stacks.setdefault(threading.get_ident(), [])
        if not stack and path is not None and module is not self._model:
            self._on_root(module, args, {})
        known = path is not None or (bool(stack) and stack[-1].known)
        if path is None:
            above = stack[-1].path if stack else ""
            path = f"{above}.{type(module).__name__}" if above else type(module).__name__
        stack.append(Frame(path, known, torch._C._current_graph_task_id()))

    def _leave(self, module: torch.nn.Module, args: tuple, output: Any) -> None:
        stack = self._stacks.get(threading.get_ident())
        if stack:
            stack.pop()


def named_inputs(model: torch.nn.Module, args: tuple, kwargs: dict) -> list[tuple[str, torch.Tensor]]:
    """The tensors given to a model's forward, by the names of its parameters."""
    try:
        names = list(inspect.signature(model.forward).parameters)
    except (TypeError, ValueError):
        names = []
    found: list[tuple[str, torch.Tensor]] = []
    for place, value in [*enumerate(args), *kwargs.items()]:
        name = place if isinstance(place, str) else (names[place] if place < len(names) else f"input {place}")
        leaves = [leaf for leaf in tree_flatten(value)[0] if isinstance(leaf, torch.Tensor)]
        for number, leaf in enumerate(leaves):
            found.append((name if len(leaves) == 1 else f"{name}[{number}]", leaf))
    return found
