#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits how a measurement is carried (ruleOf() in core/planner/carry.cpp) on pairs of published trainings of the
sources whose use is "fit" (docs/evidence.md).

The share of ln(measured / predicted) that holds for another sequence, model or device is the largest one whose mean
error is within a hundredth of the least: the priors were fitted on these very sources, so that among equals what was
measured is to be believed. To another batch or layout all of it is carried, so that a plan does not jump beside the
scenario that was measured. The ends are those with which eight of ten pairs lie in the range, what the
assumptions add to it left as it is. Sources weigh by the root of their pairs. Prints rules; nothing is changed. Since
assumptions add to the range less where more is carried, run it again after a change.
"""
import argparse
import collections
import json
import math
import subprocess

HELD = 0.8


def weights_of(rows):
    counts = collections.Counter(row["source"] for row in rows)
    return [counts[row["source"]] ** -0.5 for row in rows]


def error_of(row, share):
    return row["assumed_error"] + share * math.log(row["factor"])


def is_held(row, share, own, end):
    """Whether the published time lies in the range with ends of `end` instead of `own`, all in logarithms."""
    low, expected, high = map(math.log, row["seconds"])
    error = error_of(row, share)
    beyond = expected - low if error > 0 else high - expected
    others = max(beyond ** 2 - own[0 if error > 0 else 1] ** 2, 0)
    return abs(error) <= math.sqrt(others + end ** 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="the program plumbline-cli")
    args = parser.parse_args()
    command = [args.cli, "plan", "validate", "--carry", "--use", "fit", "--json"]
    document = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    for carried, rule in document["fit"].items():
        rows = [row for row in document["rows"] if row["carried"] == carried]
        weights = weights_of(rows)
        total = sum(weights)
        means = {share / 10: sum(w * abs(error_of(row, share / 10)) for w, row in zip(weights, rows)) / total
                 for share in range(11)}
        nearly = [each for each, mean in means.items() if mean < 1.01 * min(means.values())]
        share = 1 if carried in ("batch", "layout") else max(nearly)
        own = (-math.log(rule["low"]), math.log(rule["high"]))
        end = 0
        while sum(w for w, row in zip(weights, rows) if is_held(row, share, own, end)) < HELD * total:
            end += 0.005
        print(f"{carried:8} {len(rows)} pairs of {len(set(row['source'] for row in rows))} sources: share {share:g} "
              f"(mean errors {', '.join(f'{mean:.3f}' for mean in means.values())}), "
              f"ends {math.exp(-end):.2f} and {math.exp(end):.2f}")


if __name__ == "__main__":
    main()
