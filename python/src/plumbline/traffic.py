# SPDX-License-Identifier: Apache-2.0
"""Compulsory bytes of an op: distinct inputs read once, outputs written once (docs/accounting.md).

A view moves nothing. What is expanded (stride 0) counts once. A gather reads the rows it takes, not the table.
"""

from __future__ import annotations

from typing import Any, Sequence

import torch

from .tensors import plain_tensors, storage_key, storage_of

# Ops that write their first argument without reading it.
WRITE_ONLY = frozenset({"copy_", "zero_", "fill_", "normal_", "uniform_", "bernoulli_", "random_", "exponential_",
                        "_foreach_copy_", "_foreach_zero_"})
# Ops that read of their first argument only as much as they write.
GATHERS = frozenset({"embedding", "index", "gather", "index_select", "take", "_unsafe_index"})
# Ops that hand out memory without writing to it.
RESERVES = frozenset({"empty", "empty_strided", "empty_like", "new_empty", "new_empty_strided"})
# Ops that add into a few places of their first argument.
SCATTERS = frozenset({"scatter_add_", "index_add_", "index_put_", "scatter_"})


def distinct_bytes(tensor: torch.Tensor) -> int:
    """Bytes of the elements that a tensor names, one that is expanded counted once."""
    count = 1
    for size, stride in zip(tensor.shape, tensor.stride()):
        if size == 0:
            return 0
        if stride != 0:
            count *= size
    return count * tensor.element_size()


def _sum_by_storage(tensors: Sequence[torch.Tensor]) -> int:
    """Sum over distinct views; views of one storage count at most as much as the storage has."""
    by_storage: dict[int, tuple[int, dict[tuple, int]]] = {}
    for tensor in tensors:
        storage = storage_of(tensor)
        if storage is None:
            continue
        views = by_storage.setdefault(storage._cdata, (storage.nbytes(), {}))[1]
        views[(tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()))] = distinct_bytes(tensor)
    return sum(min(most, sum(views.values())) for most, views in by_storage.values())


def compulsory_bytes(func: torch._ops.OpOverload, name: str, args: Sequence[Any], kwargs: dict[str, Any],
                     out: Any) -> int:
    """Bytes that one call must move, whatever the caches do."""
    if func.is_view or name in RESERVES:
        return 0
    results = list(plain_tensors(out))
    inputs = list(plain_tensors((args, kwargs)))
    mutated = mutated_arguments(func, args, kwargs)
    mutated_keys = {storage_key(tensor) for tensor in mutated}
    input_keys = {storage_key(tensor) for tensor in inputs}
    fresh = [tensor for tensor in results if storage_key(tensor) not in input_keys]
    if name in SCATTERS and mutated:
        moved = [t for t in inputs if storage_key(t) not in mutated_keys]
        floats = max((distinct_bytes(t) for t in moved if t.dtype == mutated[0].dtype), default=0)
        return _sum_by_storage(moved) + 2 * min(floats, distinct_bytes(mutated[0]))
    if not fresh and not mutated:
        return 0  # an alias of what was given
    if name in GATHERS and inputs:
        taken = min(distinct_bytes(inputs[0]), sum(distinct_bytes(tensor) for tensor in results))
        return taken + _sum_by_storage(inputs[1:]) + _sum_by_storage(fresh)
    read = inputs
    if name in WRITE_ONLY:
        read = [tensor for tensor in inputs if storage_key(tensor) not in mutated_keys]
    return _sum_by_storage(read) + _sum_by_storage(list(mutated) + fresh)


def mutated_arguments(func: torch._ops.OpOverload, args: Sequence[Any],
                      kwargs: dict[str, Any]) -> list[torch.Tensor]:
    """Plain tensors among the arguments that the op's schema says it writes to."""
    if not func._schema.is_mutable:
        return []
    found: list[torch.Tensor] = []
    for place, argument in enumerate(func._schema.arguments):
        if argument.alias_info is None or not argument.alias_info.is_write:
            continue
        value = args[place] if place < len(args) else kwargs.get(argument.name)
        if value is not None:
            found.extend(plain_tensors(value))
    return found
