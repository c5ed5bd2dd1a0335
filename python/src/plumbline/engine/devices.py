# SPDX-License-Identifier: Apache-2.0
"""The devices that PyTorch runs on here, once for each mode: "eager", "compile", on GPUs also CUDA graphs."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any, NamedTuple, Optional

from .refusal import Refusal

LABELS = {"eager": "eager", "compile": "compile", "graphs": "CUDA graphs"}


class Choice(NamedTuple):
    """A device in one mode. `name` is what `device` of run and profile names."""

    name: str
    device: str
    mode: str
    entry: dict[str, Any]


def _torch() -> Any:
    """The module. Raises Refusal where there is none, or one that is too old."""
    try:
        import torch
    except ImportError as error:
        raise Refusal(f"PyTorch cannot be imported by {sys.executable} ({error})",
                      "pip install torch there, or choose another interpreter", "unavailable") from error
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 4):
        raise Refusal(f"torch {torch.__version__} is older than 2.4", "pip install --upgrade torch", "unavailable")
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise Refusal(f"numpy cannot be imported by {sys.executable} ({error})",
                      "pip install numpy there", "unavailable") from error
    return torch


def _memory_bytes() -> Optional[int]:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def _traits(backend: str) -> dict[str, Any]:
    """PyTorch multiplies its formats as they are; what its libraries take for themselves is not planned."""
    return {"backend": backend, "casts_products": False, "library_scratch_bytes": 0, "library_scratch_per_byte": 0.0,
            "library_scratch_base_bytes": 0}


def _why_no_compiler() -> str:
    compilers = [os.environ.get("CXX", ""), "g++", "c++", "clang++", "gcc", "clang"]
    if any(name and shutil.which(name.split()[0]) for name in compilers):
        return ""
    return "torch.compile needs a C++ compiler, and none is on the path (g++, clang++): install one"


def _choice(torch: Any, kind: str, index: Optional[int], mode: str, machine: dict[str, Any], reason: str) -> Choice:
    backend = f"pytorch-{mode}"
    version = torch.__version__.partition("+")[0]
    machine = {**machine, "id": f"{machine['id']}-{backend}",
               "name": f"PyTorch {version} {LABELS[mode]} – {machine['name']}"}
    name = backend if index is None else f"{backend}:{index}"
    entry = {"available": not reason, "reason": reason, "machine": machine, "traits": _traits(backend),
             "counters": {"absent": "the PyTorch engine has no counters"}}
    return Choice(name, kind if index is None else f"{kind}:{index}", mode, entry)


def find_choices() -> list[Choice]:
    """Every device in every mode, GPUs first. Where PyTorch is not there: one that says why."""
    from_sheet = {"bandwidth_bytes_per_s": None, "per_op_overhead_s": None, "peak_flop_per_s": {},
                  "source": "not calibrated"}
    try:
        torch = _torch()
    except Refusal as refusal:
        machine = {"id": "pytorch", "name": "PyTorch – CPU", "backend": "cpu", "memory_bytes": None, **from_sheet,
                   "source": "not available"}
        entry = {"available": False, "reason": f"{refusal.message}: {refusal.hint}", "machine": machine,
                 "traits": _traits("pytorch-eager"), "counters": {"absent": refusal.message}}
        return [Choice("", "", "eager", entry)]
    choices = []
    for index in range(torch.cuda.device_count() if torch.cuda.is_available() else 0):
        properties = torch.cuda.get_device_properties(index)
        machine = {"id": f"cuda-{index}", "name": properties.name, "backend": "cuda", "device_index": index,
                   "compute_capability": properties.major * 10 + properties.minor,
                   "memory_bytes": properties.total_memory, **from_sheet}
        choices += [_choice(torch, "cuda", index, mode, machine, "") for mode in LABELS]
    from ..document import processor_name

    cores = torch.get_num_threads()
    machine = {"id": "local-cpu", "name": f"{processor_name() or 'CPU'}, {cores} core{'s' if cores > 1 else ''}",
               "backend": "cpu", "memory_bytes": _memory_bytes(), **from_sheet}
    return choices + [_choice(torch, "cpu", None, mode, machine, "" if mode == "eager" else _why_no_compiler())
                      for mode in ("eager", "compile")]


def choose(choices: list[Choice], name: str) -> Choice:
    """The one that `device` of a command names; the first available one where it names none."""
    usable = [choice for choice in choices if choice.entry["available"]]
    if not usable:
        raise Refusal(choices[0].entry["reason"], "", "unavailable")
    if not name:
        return next((choice for choice in usable if choice.mode == "eager"), usable[0])
    for choice in choices:
        if choice.name == name:
            if not choice.entry["available"]:
                raise Refusal(f"this device cannot be used ({name}): {choice.entry['reason']}", "", "unavailable")
            return choice
    raise Refusal(f"this device is not there (device {name})",
                  f"choose one: {', '.join(choice.name for choice in usable)}", "unavailable")


def engine_name(choice: Choice) -> str:
    """What `engine` of a reading says: "PyTorch 2.15.0 eager, CPU, 2 threads"."""
    import torch

    version = torch.__version__.partition("+")[0]
    threads = torch.get_num_threads()
    where = f"CPU, {threads} thread{'s' if threads > 1 else ''}" if choice.device == "cpu" else \
        torch.cuda.get_device_name(choice.device)
    return f"PyTorch {version} {LABELS[choice.mode]}, {where}"
