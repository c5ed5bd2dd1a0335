# SPDX-License-Identifier: Apache-2.0
"""What a tensor stands on: plain tensors below subclasses, and their storages."""

from __future__ import annotations

from typing import Any, Iterator

import torch
from torch.utils._pytree import tree_flatten


def is_wrapper(kind: type) -> bool:
    """Whether tensors of this class hold others (DTensor, for one) and take their ops apart themselves."""
    return hasattr(kind, "__tensor_flatten__")


def plain_tensors(value: Any) -> Iterator[torch.Tensor]:
    """Every plain tensor in nested lists, tuples and dicts, those inside wrapper subclasses included."""
    if isinstance(value, torch.Tensor):
        leaves = (value,)
    else:
        leaves = tree_flatten(value)[0]
    for leaf in leaves:
        if not isinstance(leaf, torch.Tensor):
            continue
        if is_wrapper(type(leaf)):
            inner = leaf.__tensor_flatten__()[0]
            for name in inner:
                yield from plain_tensors(getattr(leaf, name))
        else:
            yield leaf


def storage_of(tensor: torch.Tensor):
    """The storage below a plain tensor, or None for one that has none (sparse, functional)."""
    try:
        return tensor.untyped_storage()
    except (NotImplementedError, RuntimeError):
        return None


def is_fake(tensor: torch.Tensor) -> bool:
    """Whether a plain tensor only says where it would be (FakeTensor): its storage has no data."""
    storage = storage_of(tensor)
    return storage is not None and storage.device.type != tensor.device.type


def storage_key(tensor: torch.Tensor) -> int:
    """Identifies the storage as long as it lives; 0 for none."""
    storage = storage_of(tensor)
    return 0 if storage is None else storage._cdata
