#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes pairs.json: what torch and numpy find for arithmetic of a tensor with itself, broadcast.

    make_pairs.py pairs.json

An entry is [shape, expression, shape, strides and values of the result] or [shape, expression, torch's message]. The
tensor is arange(). Values and shapes are those of both; strides and messages are torch's. Written with torch 2.15 and
numpy 2.
"""

import json
import random
import sys
import warnings

import numpy as np
import torch

PAIRS = 1200
np.seterr(all="ignore")
warnings.simplefilter("ignore")


def operand(rng, rank):
    """The tensor behind some views, now and then reckoned with before."""
    text = "x"
    for _ in range(rng.randrange(3)):
        kind = rng.choice(["index", "slice", "new", "T", "scalar"])
        if kind == "index" and rank:
            text += f"[{rng.choice([0, -1])}]"
            rank -= 1
        elif kind == "slice" and rank:
            text += "[" + ", ".join(rng.choice([":", "1:", "::2", ":1"]) for _ in range(rng.randrange(1, rank + 1))) + "]"
        elif kind == "new":
            at = rng.randrange(rank + 1)
            text += "[" + ":, " * at + "None]"
            rank += 1
        elif kind == "T" and rank == 2:
            text += ".T"
        elif kind == "scalar":
            text = f"({text} {rng.choice('+-*/')} {rng.choice([2, 0.5, 3])})"
    return text


def expression(rng, rank):
    left, right = operand(rng, rank), operand(rng, rank)
    text = f"{left} {rng.choice(['+', '-', '*', '/', '**'])} {right}"
    more = rng.randrange(6)
    if more == 0:
        text += f" {rng.choice('+-*/')} {operand(rng, rank)}"
    elif more == 1:
        text = f"({text}) * {operand(rng, rank)}"
    elif more == 2:
        text = f"{operand(rng, rank)} - ({text})"
    elif more == 3:
        text = f"2 - {text} * -{operand(rng, rank)}"
    return text


def numbers(values):
    """Row-major; what JSON lacks as text."""
    return [float(v) if np.isfinite(v) else str(float(v)) for v in np.asarray(values, np.float32).reshape(-1)]


def pair(rng):
    shape = [rng.randrange(1, 5) for _ in range(rng.randrange(0, 4))]
    text = expression(rng, len(shape))
    count = int(np.prod(shape))
    try:
        result = eval(text, {"x": torch.arange(count, dtype=torch.float32).reshape(shape)})
    except (RuntimeError, IndexError) as error:
        return [shape, text, str(error)]
    if not torch.is_tensor(result) or result.numel() == 0:
        return None
    array = eval(text, {"x": np.arange(count, dtype=np.float32).reshape(shape)})
    assert list(np.shape(array)) == list(result.shape), text
    assert np.allclose(array, result.numpy(), rtol=1e-5, equal_nan=True), text
    return [shape, text, list(result.shape), list(result.stride()), numbers(array)]


def main():
    rng = random.Random(21)
    pairs = []
    while len(pairs) < PAIRS:
        made = pair(rng)
        if made is not None:
            pairs.append(made)
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(p, separators=(",", ":")) for p in pairs) + "\n]\n")


if __name__ == "__main__":
    main()
