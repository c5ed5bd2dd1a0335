#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes values.json: what numpy finds in fp32 arrays after random chains of steps.

    make_values.py values.json

A chain is [shape, steps, values of the first array at the end, [values after each step, ...]]. The first array is
arange(). numpy's flip() is a view where torch's is a copy, and numpy has no rsqrt(); both are spelt as torch does them.
Written with numpy 2.
"""

import json
import random
import sys

import numpy as np

CHAINS = 1500
np.seterr(all="ignore")


def scalar(rng):
    return rng.choice([0, 1, 2, 3, -1, -2, 0.5, 0.1, 1.5, -0.25])


def view(rng, x):
    """A step that shares memory, as text and as array."""
    kind = rng.choice(["slice", "slice", "T", "index", "unsqueeze", "transpose", "reshape"])
    if kind == "slice" and x.ndim:
        items, texts = [], []
        for size in x.shape[: rng.randrange(1, x.ndim + 1)]:
            start, step = rng.randrange(0, size + 1), rng.choice([1, 1, 2, 3])
            items.append(slice(start, None, step))
            texts.append(f"{start}::{step}")
        return "[" + ", ".join(texts) + "]", x[tuple(items)]
    if kind == "index" and x.ndim and x.shape[0]:
        at = rng.randrange(-x.shape[0], x.shape[0])
        return f"[{at}]", x[at, ...]
    if kind == "T" and x.ndim == 2:
        return ".T", x.T
    if kind == "unsqueeze" and x.ndim < 4:
        at = rng.randrange(0, x.ndim + 1)
        return f".unsqueeze({at})", np.expand_dims(x, at)
    if kind == "transpose" and x.ndim >= 2:
        a, b = rng.randrange(x.ndim), rng.randrange(x.ndim)
        return f".transpose({a}, {b})", np.swapaxes(x, a, b)
    if kind == "reshape" and x.size:
        return ".reshape(-1)", x.reshape(-1)
    return "[...]", x[...]


def copy(rng, x):
    kind = rng.choice(["clone", "contiguous", "flip", "repeat", "triu", "tril", "sqrt", "rsqrt", "neg", "reciprocal",
                       "add", "sub", "mul", "div", "pow", "rsub", "rdiv"])
    number = scalar(rng)
    one = np.float32(number)
    if kind == "flip" and x.ndim:
        at = rng.randrange(x.ndim)
        return f".flip({at})", np.flip(x, at).copy()
    if kind == "repeat" and 0 < x.ndim < 3 and x.size < 60:
        times = [rng.randrange(1, 3) for _ in range(x.ndim + rng.randrange(2))]
        return f".repeat({', '.join(map(str, times))})", np.tile(x, times)
    if kind in ("triu", "tril") and x.ndim >= 2:
        at = rng.randrange(-2, 3)
        return f".{kind}({at})", getattr(np, kind)(x, at)
    if kind == "contiguous":
        return ".contiguous()", np.ascontiguousarray(x).reshape(x.shape)
    if kind == "sqrt":
        return ".sqrt()", np.sqrt(x)
    if kind == "rsqrt":
        return ".rsqrt()", np.float32(1) / np.sqrt(x)
    if kind == "neg":
        return ".neg()", -x
    if kind == "reciprocal":
        return ".reciprocal()", np.float32(1) / x
    if kind == "add":
        return f" + {number}", x + one
    if kind == "sub":
        return f" - {number}", x - one
    if kind == "mul":
        return f" * {number}", x * one
    if kind == "div":
        return f" / {number}", x / one
    if kind == "pow":
        return f".pow({number})", np.power(x, one)
    return ".clone()", x.copy(order="K")


def write(rng, x):
    number = scalar(rng)
    one = np.float32(number)
    kind = rng.choice(["fill_", "add_", "mul_", "zero_", "sub_", "div_"])
    if kind == "fill_":
        x[...] = one
    elif kind == "zero_":
        x[...] = 0
        return ".zero_()"
    elif kind == "add_":
        x += one
    elif kind == "sub_":
        x -= one
    elif kind == "mul_":
        x *= one
    else:
        x /= one
    return f".{kind}({number})"


def numbers(x):
    """Row-major; what JSON lacks as text."""
    return [float(v) if np.isfinite(v) else str(float(v)) for v in np.asarray(x, np.float32).reshape(-1)]


def chain(rng):
    shape = [rng.randrange(1, 5) for _ in range(rng.randrange(0, 4))]
    base = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    x, texts, values = base, [], []
    for _ in range(rng.randrange(1, 6)):
        choice = rng.random()
        if choice < 0.5:
            text, x = view(rng, x)
        elif choice < 0.75:
            text, x = copy(rng, x)
            x = np.asarray(x, dtype=np.float32)
        else:
            x = x if isinstance(x, np.ndarray) else np.asarray(x)
            text = write(rng, x)
        texts.append(text)
        values.append(numbers(x))
    return [shape, texts, numbers(base), values]


def main():
    rng = random.Random(20)
    chains = [chain(rng) for _ in range(CHAINS)]
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in chains) + "\n]\n")


if __name__ == "__main__":
    main()
