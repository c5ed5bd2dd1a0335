#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the priors of core/planner/priors.cpp on the published trainings whose use is "fit" (docs/evidence.md).

How the time of each training follows each number is asked of the program, with the number a little larger (in
logarithms the answer is nearly linear). What is minimised is the sum over trainings of the error ln(predicted /
published), of which what is beyond 0.6 counts linearly; each source counts as much as any other (its rows share the
weight), and each number is held to where it began (PULL, its standard deviation in logarithms), so that what hardly
a training depends on stays. Numbers are those of the software, of the generation of devices, or of both. Prints the
new numbers; nothing is changed.
"""
import argparse
import json
import math
import subprocess

import numpy

STEP = 0.1
# The option, how its rows share a number (a number of both kinds is the product of two), how far it may go.
NUMBERS = [("sustained", ["software", "generation"], 0.2), ("pass-factor", ["software"], 0.3),
           ("attention-efficiency", ["generation"], 0.25), ("network-bandwidth", ["generation"], 0.3),
           ("matmul-efficiency", ["generation"], 0.1), ("op-overhead", ["software"], 0.4), ("link-efficiency", [], 0.2),
           ("straggling", [], 0.5), ("contention", [], 0.5), ("data-overlap", ["software"], 0.3)]
GENERATIONS = ["Volta", "Ampere", "Ada", "Hopper", "Blackwell", "Instinct", "Tpu", "TpuWide", "Trainium", "Other"]


def ask(cli, use, options=()):
    command = [cli, "plan", "validate", "--json", "--use", use, *options]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["rows"]


def key_of(row, share):
    return "all" if share is None else GENERATIONS[row["generation"]] if share == "generation" else row["software"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="the program plumbline-cli")
    parser.add_argument("--only", help="comma-separated options that are fitted while all others stay")
    args = parser.parse_args()
    only = args.only.split(",") if args.only else [number[0] for number in NUMBERS]
    base = ask(args.cli, "all")
    known = [i for i, row in enumerate(base) if row["error"] is not None and "problem" not in row]
    columns, names, pulls = [], [], []
    for option, shares, pull in NUMBERS:
        if option not in only:
            continue
        # One question for each value that the number has now, since an option is one for all rows.
        moved = {}
        for value in sorted(set(base[i]["inputs"][option] for i in known) - {0}):
            larger = value * math.exp(STEP if value * math.exp(STEP) < 1 or value > 1.05 else -STEP)
            rows = ask(args.cli, "all", [f"--{option}", repr(larger)])
            for i in known:
                if base[i]["inputs"][option] == value and rows[i]["error"] is not None:
                    moved[i] = (rows[i]["error"] - base[i]["error"]) / math.log(larger / value)
        for share in shares or [None]:
            for key in sorted({key_of(base[i], share) for i in known}):
                columns.append([moved.get(i, 0) if key_of(base[i], share) == key else 0 for i in known])
                names.append((option, key))
                pulls.append(pull)
    slopes = numpy.array(columns).T
    errors = numpy.array([base[i]["error"] for i in known])
    fits = numpy.array([base[i]["use"] == "fit" for i in known])
    sources = [base[i]["source"] for i in known]
    counts = {s: sum(f for f, t in zip(fits, sources) if t == s) for s in set(sources)}
    weight = numpy.array([1 / math.sqrt(counts[s]) / math.sqrt(counts[s]) if f else 0 for f, s in zip(fits, sources)])
    # The weight of a source grows with the root of its rows.
    weight *= numpy.array([math.sqrt(counts[s]) if f else 0 for f, s in zip(fits, sources)])
    change = numpy.zeros(len(names))
    for _ in range(50):
        left = errors + slopes @ change
        robust = weight * numpy.minimum(1, 0.6 / numpy.maximum(numpy.abs(left), 1e-9))
        normal = slopes.T @ (robust[:, None] * slopes) + numpy.diag(0.04 / numpy.array(pulls) ** 2)
        change = numpy.linalg.solve(normal, -slopes.T @ (robust * errors))
    left = errors + slopes @ change
    for (option, key), by in zip(names, change):
        print(f"{option:22} {key:10} times {math.exp(by):.3f}")
    for use, mask in (("fit", fits), ("validate", ~fits)):
        for name, of in (("before", errors), ("after", left)):
            off = numpy.abs(numpy.expm1(of[mask]))
            print(f"{use:9} {name:7} median {numpy.median(off):.3f} 90 % {numpy.quantile(off, 0.9):.3f} "
                  f"bias {numpy.mean(of[mask]):+.3f}")


if __name__ == "__main__":
    main()
