#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits how fast FlashAttention is beside FlashAttention-2 (core/planner/priors.cpp).

Four pairs of published trainings differ in that kernel alone (table 1 of arXiv 2307.08691, a source whose use is "fit").
What is sought is the part of the efficiency of the second at which the predicted ratios of their times are those
that were published, in the mean over the pairs of the squares of their logarithms. What the model gets wrong of both
alike cancels out. Prints the part; nothing is changed.
"""
import argparse
import json
import math
import subprocess

SOURCE = "flash-attention-2/"


def errors(cli, *options):
    command = [cli, "plan", "validate", "--json", "--use", "fit", *options]
    rows = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["rows"]
    return {row["id"]: row for row in rows if row["id"].startswith(SOURCE)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="the program plumbline-cli")
    cli = parser.parse_args().cli
    base = errors(cli)
    pairs = [(name, name[:-1] + "2") for name in sorted(base) if name.endswith("flash1")]
    second = base[pairs[0][1]]["inputs"]["attention-efficiency"]
    best = None
    for percent in range(30, 101):
        rows = errors(cli, "--attention-efficiency", repr(second * percent / 100))
        off = [rows[one]["error"] - base[other]["error"] for one, other in pairs]
        mean = math.sqrt(sum(x * x for x in off) / len(off))
        if best is None or mean < best[0]:
            best = (mean, percent / 100, off)
    print(f"{best[1]:.2f} of the second's; the ratios are off by " + ", ".join(f"{x:+.3f}" for x in best[2]))


if __name__ == "__main__":
    main()
