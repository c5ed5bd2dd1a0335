# SPDX-License-Identifier: Apache-2.0
"""What of a GPU's memory a training takes beside its tensors: workspaces of the library of products, and the context."""

from __future__ import annotations

from typing import NamedTuple, Optional

from .machines import Machine

# Defaults of torch's CublasHandlePool.cpp (2.4 to 2.15): 32 MiB where the capability is 9.0, 8 MiB and 128 KiB else.
_WORKSPACE, _WORKSPACE_HOPPER = 8_519_680, 33_554_432
# One for each thread that multiplies: the main one and autograd's.
_WORKSPACES = 2
ASSUMED_CAPABILITY = 9.0


class Context(NamedTuple):
    """What the driver takes of a device for each process that uses it: its own tables, and the code of kernels."""

    low: int
    expected: int
    high: int
    source: str


# As the planner has it ("context and kernels" in core/planner/inputs_table.cpp).
CONTEXT = Context(500_000_000, 1_000_000_000, 2_100_000_000, "assumption: 0.5 to 2 GiB in public reports")


def capability_of(machine: Optional[Machine]) -> float:
    """The compute capability that ops are chosen by."""
    return (machine.capability if machine else None) or ASSUMED_CAPABILITY


def workspaces(machine: Optional[Machine], multiplies: bool) -> tuple[tuple[int, ...], str]:
    """Bytes of each workspace that cuBLAS holds, and what has to be said of them, or ""."""
    if machine is not None and not machine.is_nvidia:
        return (), (f"{machine.name} is no NVIDIA device: ops, what stays for the backward pass and the allocator's blocks are "
                    "taken to be those of CUDA, and what its library of products holds for itself is not known and left out.")
    said = ""
    if machine is None or machine.capability is None:
        name = machine.name if machine else "the GPU"
        said = f"The compute capability of {name} is not known: ops and workspaces are those of {ASSUMED_CAPABILITY} (Hopper)."
    size = _WORKSPACE_HOPPER if capability_of(machine) == 9.0 else _WORKSPACE
    return (size,) * _WORKSPACES if multiplies else (), said
