# SPDX-License-Identifier: Apache-2.0
"""What fits: the largest batch for a device, and what to change where a step does not fit."""

from __future__ import annotations

from typing import Any, Optional, Union

import torch
from torch.utils._pytree import tree_flatten, tree_map_only

from .machines import find_machine
from .prediction import Prediction, predict
from .summary import size


def batch_size(batch: Any) -> int:
    """The first extent of the first tensor. ValueError where there is none."""
    for leaf in tree_flatten(batch)[0]:
        if isinstance(leaf, torch.Tensor) and leaf.dim() > 0:
            return leaf.shape[0]
    raise ValueError("The batch holds no tensor with a first extent: its size cannot be changed.")


def resized(values: Any, size: int, to: int) -> Any:
    """The same tensors without values, whose first extent is `to` where it was `size`."""

    made: dict[int, torch.Tensor] = {}  # what is given twice stays one tensor

    def one(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.dim() == 0 or tensor.shape[0] != size:
            return tensor
        if id(tensor) not in made:
            made[id(tensor)] = torch.empty(to, *tensor.shape[1:], dtype=tensor.dtype, device="meta",
                                           requires_grad=tensor.requires_grad)
        return made[id(tensor)]

    return tree_map_only(torch.Tensor, one, values)


def largest_batch(model: torch.nn.Module, batch: Any, *, device: Union[str, dict[str, Any]], target: Any = None,
                  most: int = 1 << 20, **options: Any) -> Optional[int]:
    """The largest first extent of batch and target whose predicted reserved memory fits into the device beside the
    context; 0 where not even 1 does, `most` where that fits, None where the device's memory is not known. Other options
    are those of predict(). Each size that is tried is predicted, about twenty of them at most."""
    machine = find_machine(device)
    if machine.memory_bytes is None:
        return None
    given = batch_size(batch)

    def fits(count: int) -> bool:
        inputs, wanted = resized((batch, target), given, count)
        return bool(predict(model, inputs, target=wanted, device=device, **options).fits)

    low, high = 0, 1  # what fits, what may not
    while high <= most and fits(high):
        low, high = high, high * 2
    if low >= most:
        return most
    high = min(high, most + 1)
    while high - low > max(1, low // 64):  # to 1.6 %: no prediction is nearer
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low


def advice(prediction: Prediction) -> list[str]:
    """What would lower the peak, the largest part first, in sentences with the bytes."""
    memory = prediction.document["memory"]
    parts, peak = memory["at_peak"], memory["curve_peak_bytes"]
    if not peak:
        return []
    phase = prediction.document["ops"]["phase"][memory["peak_op"]]
    said: list[tuple[int, str]] = []
    if parts["activations"] > 0.2 * peak:
        said.append((parts["activations"], f"Activations are {size(parts['activations'])} of the peak's "
                     f"{size(peak)}: checkpoint the blocks, or make the batch smaller."))
    if parts["optimizer_state"] > 0.2 * peak:
        said.append((parts["optimizer_state"], f"The optimizer's state is {size(parts['optimizer_state'])}: shard "
                     "it over devices (FSDP), or take an optimizer with less state."))
    copies = parts["workspace"] if phase == "optimizer" else 0
    if copies > 0.1 * peak:
        said.append((copies, f"The peak is in the optimizer's step, {size(copies)} of it copies: fused=True has "
                     "none."))
    if parts["parameters"] > 0.3 * peak and prediction.document["product_dtype"] in ("fp32", "tf32"):
        said.append((parts["parameters"], f"The parameters are {size(parts['parameters'])} in fp32: bf16 halves "
                     "them and their gradients."))
    return [sentence for _, sentence in sorted(said, key=lambda entry: -entry[0])]
