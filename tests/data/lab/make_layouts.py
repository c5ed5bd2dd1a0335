#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes layouts.json: what PyTorch makes of random chains of layout steps.

    make_layouts.py layouts.json

A chain is [shape, [entry, ...]]; an entry is [step, shape, strides, offset, storage, how], where storage counts the
chain's storages and how is "=" for the very same tensor, "v" for a view and "c" for a copy, or [step, error text].
A chain goes on after an error with the tensor as it was. Needs torch 2; written with 2.15.
"""

import json
import random
import sys
import warnings

import torch

CHAINS = 2000


def dimension(rng, rank):
    """Mostly a valid one, sometimes just beyond."""
    span = max(rank, 1)
    if rng.random() < 0.06:
        return rng.choice([span, -span - 1])
    return rng.randrange(-span, span)


def slice_text(rng, size):
    def bound():
        return "" if rng.random() < 0.4 else str(rng.randrange(-size - 2, size + 3))

    text = bound() + ":" + bound()
    if rng.random() < 0.4:
        text += ":" + str(rng.choice([1, 2, 3, 2, -1 if rng.random() < 0.1 else 1]))
    return text


def index_text(rng, shape):
    items = []
    ellipsis = False
    for size in shape[: rng.randrange(0, len(shape) + 1)]:
        if rng.random() < 0.12:
            items.append("None")
        if rng.random() < 0.12 and not ellipsis:
            items.append("...")
            ellipsis = True
        items.append(slice_text(rng, size) if rng.random() < 0.65 else str(rng.randrange(-size, size) if size and rng.random() < 0.95 else size))
    if rng.random() < 0.03:
        items += ["0"] * 3
    return "[" + ", ".join(items or ["..."]) + "]"


def divisors(rng, elements):
    """Sizes whose product is `elements`."""
    sizes = []
    left = elements
    while left > 1 and len(sizes) < 4:
        choices = [d for d in range(1, left + 1) if left % d == 0]
        size = rng.choice(choices)
        sizes.append(size)
        left //= size
    sizes.append(left)
    rng.shuffle(sizes)
    if rng.random() < 0.25 and elements:
        sizes[rng.randrange(len(sizes))] = -1
    if rng.random() < 0.05:
        sizes[rng.randrange(len(sizes))] += 1
    return sizes


def merged(rng, shape):
    """Sizes of `shape` with some neighbours merged or one size split: often a view even with gaps."""
    sizes = list(shape)
    if len(sizes) > 1 and rng.random() < 0.6:
        at = rng.randrange(len(sizes) - 1)
        sizes[at : at + 2] = [sizes[at] * sizes[at + 1]]
    elif sizes:
        at = rng.randrange(len(sizes))
        for part in (2, 3):
            if sizes[at] % part == 0 and sizes[at]:
                sizes[at : at + 1] = [part, sizes[at] // part]
                break
    return sizes


def step_text(rng, x):
    rank = x.dim()
    kind = rng.choice(
        "index index index transpose transpose permute T mT t view view view reshape reshape expand expand contiguous "
        "clone triu tril squeeze unsqueeze flatten ravel select narrow diagonal repeat flip".split()
    )
    d = lambda: dimension(rng, rank)
    if kind == "index":
        return index_text(rng, x.shape)
    if kind == "transpose":
        return f".{rng.choice(['transpose', 'transpose', 'swapaxes'])}({d()}, {d()})"
    if kind == "permute":
        order = list(range(rank))
        rng.shuffle(order)
        if rng.random() < 0.1:
            order = [d() for _ in range(max(rank + rng.choice([-1, 0, 1]), 1))]
        if not order:
            return ".permute(())"
        return f".permute({', '.join(str(o) for o in order)})"
    if kind in ("T", "mT"):
        return f".{kind}"
    if kind in ("view", "reshape"):
        sizes = divisors(rng, x.numel()) if rng.random() < 0.5 else merged(rng, x.shape)
        if not sizes:
            return f".{kind}(())"
        if rng.random() < 0.03:
            sizes = sizes + rng.choice([[-1, -1], [-2]])
        return f".{kind}({', '.join(str(s) for s in sizes)})"
    if kind == "expand":
        sizes = [rng.choice([-1, s, s]) if s != 1 else rng.choice([1, 2, 3, -1]) for s in x.shape]
        sizes = [rng.choice([1, 2])] * (rng.random() < 0.3) + sizes
        if rng.random() < 0.08 and sizes:
            sizes[rng.randrange(len(sizes))] = rng.choice([-1, 4])
        if rng.random() < 0.03:
            sizes = sizes[1:]
        return f".expand({', '.join(str(s) for s in sizes)})" if sizes else ".expand(())"
    if kind in ("triu", "tril"):
        return rng.choice([f".{kind}()", f".{kind}({rng.randrange(-2, 3)})", f".{kind}(diagonal=1)"])
    if kind == "squeeze":
        return rng.choice([".squeeze()", f".squeeze({d()})", f".squeeze(({d()}, {d()}))"])
    if kind == "unsqueeze":
        return f".unsqueeze({dimension(rng, rank + 1)})"
    if kind == "flatten":
        return rng.choice([".flatten()", f".flatten({d()})", f".flatten({d()}, {d()})", f".flatten(start_dim={d()}, end_dim=-1)"])
    if kind == "select":
        at = d()
        size = x.shape[at] if -rank <= at < rank else 1
        return f".select({at}, {rng.randrange(-size, size) if size else 0})"
    if kind == "narrow":
        at = d()
        size = x.shape[at] if -rank <= at < rank else 1
        start = rng.randrange(0, size + 1)
        return f".narrow({at}, {start}, {rng.randrange(0, size - start + (2 if rng.random() < 0.1 else 1))})"
    if kind == "diagonal":
        return rng.choice([".diagonal()", f".diagonal({rng.randrange(-2, 3)})", f".diagonal({rng.randrange(-2, 3)}, {d()}, {d()})"])
    if kind == "repeat":
        times = [rng.choice([1, 1, 2]) for _ in range(rank + rng.choice([0, 0, 1]))]
        return f".repeat({', '.join(str(t) for t in times)})" if times else ".repeat(())"
    if kind == "flip":
        return f".flip({d()})"
    return f".{kind}()"  # t, contiguous, clone, ravel


def chain(rng):
    shape = [rng.choice([1, 2, 3, 4, 5, 6, 2, 3, 4, 0 if rng.random() < 0.15 else 2]) for _ in range(rng.randrange(0, 5))]
    x = torch.zeros(shape)
    alive = [x]
    storages = {x.untyped_storage()._cdata: 0}
    entries = []
    for _ in range(rng.randrange(3, 8)):
        step = step_text(rng, x)
        try:
            y = eval("x" + step)
        except Exception as error:  # noqa: BLE001 (its text is what is wanted)
            entries.append([step, str(error)])
            continue
        if y.numel() > 4000 or y.dim() > 6:
            continue
        key = y.untyped_storage()._cdata
        how = "=" if y is x else "v" if key == x.untyped_storage()._cdata else "c"
        storage = storages.setdefault(key, len(storages))
        entries.append([step, list(y.shape), list(y.stride()), y.storage_offset(), storage, how])
        alive.append(y)
        x = y
    return [shape, entries]


def main():
    warnings.simplefilter("ignore")
    rng = random.Random(5)
    chains = [chain(rng) for _ in range(CHAINS)]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in chains) + "\n]\n")
    entries = [e for c in chains for e in c[1]]
    errors = [e for e in entries if len(e) == 2]
    print(f"{len(chains)} chains, {len(entries)} steps, {len(errors)} errors of {len({e[1][:30] for e in errors})} kinds, "
          f"{sum(e[-1] == 'c' for e in entries)} copies")


if __name__ == "__main__":
    main()
