#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes orders.json: the cost of the best contraction order of random expressions.

    make_orders.py orders.json

An entry is [expression in letters, sizes, FLOPs of numpy.einsum_path's "optimal" path, FLOPs of opt_einsum's
"optimal" path]. FLOPs of a path are those of its products: a multiply for each point, and an add when something is
summed, as numpy counts. opt_einsum does not count the add of a dimension that only one of the two tensors has, so its
path is never cheaper under this rule, and sometimes dearer. Needs numpy and opt_einsum.
"""

import json
import random
import sys

import numpy as np
import opt_einsum

CASES = 400


def price(inputs, output, path, sizes):
    tensors = [frozenset(i) for i in inputs]
    total = 0
    for pair in path:
        taken = [tensors.pop(i) for i in sorted(pair, reverse=True)]
        union = frozenset().union(*taken)
        left = frozenset(output).union(*tensors)
        result = union & left
        total += opt_einsum.helpers.flop_count(union, bool(union - result), len(taken), sizes)
        tensors.append(result)
    return total


def main():
    rng = random.Random(7)
    entries = []
    while len(entries) < CASES:
        letters = "abcdefghij"[: rng.randrange(3, 9)]
        count = rng.choice([2, 3, 3, 4, 4, 5, 6])
        inputs = ["".join(rng.sample(letters, rng.randrange(1, min(4, len(letters)) + 1))) for _ in range(count)]
        used = sorted(set("".join(inputs)))
        output = "".join(rng.sample(used, rng.randrange(0, min(3, len(used)) + 1)))
        sizes = {letter: rng.choice([1, 2, 3, 5, 8, 16, 32]) for letter in used}
        text = ",".join(inputs) + "->" + output
        arrays = [np.empty([sizes[letter] for letter in operand]) for operand in inputs]
        best, _ = opt_einsum.contract_path(text, *arrays, optimize="optimal")
        theirs, _ = np.einsum_path(text, *arrays, optimize=("optimal", 10**18))
        flops = price(inputs, output, best, sizes)
        path = theirs[1:]
        if all(len(pair) == 2 for pair in path):  # numpy may multiply three at once; that is no order of pairs
            entries.append([text, sizes, int(price(inputs, output, path, sizes)), int(flops)])
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in entries) + "\n]\n")
    print(f"{len(entries)} expressions; opt_einsum dearer in {sum(e[3] > e[2] for e in entries)}, cheaper in "
          f"{sum(e[3] < e[2] for e in entries)}")


if __name__ == "__main__":
    main()
