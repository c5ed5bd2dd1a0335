#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the Lab can time beside the bound that its page shows, as shares of that bound.

    plumbline-cli calibrate && python3 tests/bench/lab_bounds.py --cli build/release/app/cli/plumbline-cli

Every element function, fold, order of elements and product, of a size that only memory holds and of the size
of the lessons, in fp32 and bf16: `plumbline-cli einsum --time`, so with the processor's threads and the bound of
its own calibration. The fastest run counts: the bound is that of the fastest moments. A share below one half
needs a reason in the column "limited by", which is what the page says too; --check exits with 1 where one is
missing.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).parents[2] / "core" / "lab" / "einsum_expression.cpp"
FOLDS = ["sum", "mean", "max", "min", "prod"]
# What takes rows one after the other: also a single one, and ones that no cache holds.
LARGE = {"rows": 16384, "n": 1024}
LESSON = {"rows": 1024, "n": 1024}


def functions():
    """Name and operands of each element function; read from where they are defined, so that none is left out."""
    return [(name, int(operands))
            for name, operands in re.findall(r'^    \{"(\w+)", "[^"]*", (\d),', SOURCE.read_text(), re.M)]


def cases():
    for name, operands in functions():
        text = f"{name}: " + ", ".join(["rows n"] * operands)
        yield text, LARGE
        yield text, LESSON
    for name in ["softmax", "layer_norm", "rms_norm"]:
        yield f"{name}: rows n", {"rows": 4, "n": 1 << 22}
        yield f"{name}: rows n", {"rows": 1 << 18, "n": 64}
        yield f"{name}: n", {"n": 1 << 20}
    for sizes in [LARGE, LESSON]:
        for fold in FOLDS:
            for result in ["", "rows", "n"]:
                yield f"{fold}: rows n -> {result}".rstrip(), sizes
        yield "rows n -> n rows", sizes
        yield "repeat: rows n -> k rows n", {"rows": sizes["rows"] // 4, "n": sizes["n"], "k": 4}
        yield "repeat: rows n -> rows n k", {"rows": sizes["rows"] // 4, "n": sizes["n"], "k": 4}
        yield "rows n, rows n ->", sizes
        yield "rows n, n -> rows", sizes
        yield "rows, rows n -> n", sizes
        yield "rows, n -> rows n", sizes
        yield "rows n, rows n -> rows n", sizes
        yield "rows n, rows n -> rows", sizes
        yield "rows n, n -> rows n", sizes
        yield "rows n, rows -> rows n", sizes
    yield "mean: b (h 2) (w 2) c -> b h w c", {"b": 16, "h": 64, "w": 64, "c": 64}
    yield "b h w c -> b c h w", {"b": 16, "h": 128, "w": 128, "c": 64}
    yield "b s h d -> b h s d", {"b": 8, "s": 2048, "h": 16, "d": 64}
    yield "b s h d -> b h s d", {"b": 8, "s": 128, "h": 16, "d": 1024}
    yield "a b c -> c b a", {"a": 256, "b": 256, "c": 256}
    yield "n n -> n", {"n": 4096}
    yield "n n ->", {"n": 4096}
    for size in [64, 256, 1024]:
        for text in ["i k, k j -> i j", "k i, k j -> i j", "i k, j k -> i j", "k i, j k -> i j"]:
            yield text, {"i": size, "k": size, "j": size}
    yield "b in, in out -> b out", {"b": 64, "in": 4096, "out": 4096}
    yield "b i k, b k j -> b i j", {"b": 64, "i": 128, "k": 128, "j": 128}
    yield "b h q d, b h k d -> b h q k", {"b": 4, "h": 8, "q": 256, "k": 256, "d": 64}
    yield "b q h d, b k h d -> b h q k", {"b": 4, "h": 8, "q": 256, "k": 256, "d": 64}
    yield "i j, j k, k l -> i l", {"i": 512, "j": 512, "k": 512, "l": 512}
    # Short lines of memory, one result of a product that is no dot, everything the other way round.
    for size in [100, 1000]:
        yield "i j, j ->", {"i": size * 10, "j": size}
        yield "i, i j ->", {"i": size * 10, "j": size}
    for size in [32, 100, 200]:
        for text in ["i j k -> j", "i j k -> i", "i j k -> k", "i j k -> i k", "i j k, i j k -> j", "i j k, j -> k",
                     "i j k -> j i k", "i j k -> k j i", "i j k, j k -> i j k", "max: i j k -> i j"]:
            yield text, {"i": size, "j": size, "k": size}
    yield "b i, b i o -> b o", {"b": 1000, "i": 32, "o": 32}
    yield "b o, b i o -> b i", {"b": 1000, "i": 32, "o": 32}
    yield "b i, b o -> b i o", {"b": 1000, "i": 32, "o": 32}
    yield "a b c d -> d c b a", {"a": 32, "b": 32, "c": 32, "d": 32}
    yield "a b c d -> b d a c", {"a": 32, "b": 32, "c": 32, "d": 32}
    yield "a b c d -> a d", {"a": 32, "b": 32, "c": 32, "d": 32}
    yield "a b c d -> b c", {"a": 32, "b": 32, "c": 32, "d": 32}


def random_cases(count, seed):
    """Folds, products and orders that nobody thought of: one or two tensors of one to four dimensions."""
    dice = random.Random(seed)
    for _ in range(count):
        names = "abcde"[:dice.randint(2, 5)]
        first = dice.sample(names, dice.randint(1, min(4, len(names))))
        second = dice.sample(names, dice.randint(1, min(3, len(names)))) if dice.random() < 0.5 else []
        used = sorted(set(first + second))
        result = dice.sample(used, dice.randint(0, len(used)))
        points = dice.choice([1e4, 1e5, 1e6, 1e7])
        sizes, left = {}, points
        for name in dice.sample(used, len(used)):
            sizes[name] = max(1, int(left ** dice.uniform(0.2, 0.8)))
            left /= sizes[name]
        sizes[used[-1]] = max(1, int(sizes[used[-1]] * left))
        tensors = ", ".join(" ".join(tensor) for tensor in [first, second] if tensor)
        fold = dice.choice(FOLDS) + ": " if not second and len(result) < len(first) else ""
        yield f"{fold}{tensors} -> {' '.join(result)}".rstrip(), sizes


def timed(cli, text, sizes, dtype):
    command = [cli, "einsum", text, "--dtype", dtype, "--time", "--json", "--dim",
               *(f"{name}={size}" for name, size in sizes.items())]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"lab_bounds.py: {' '.join(command)}: {done.stderr.strip()}")
    document = json.loads(done.stdout)
    if "seconds" not in document["device"]:
        sys.exit(f"lab_bounds.py: there is no bound: {document['device']['note']}")
    bound = document["device"]["seconds"]
    if document["order"]:  # the page compares no time of another number of FLOPs with the bound
        bound = document["order"]["flops"] / document["device"]["peak_flop_per_s"]
    run = document["timed"]
    how, _, reason = run["implementation"].partition(", limited by ")
    return {"text": text, "sizes": sizes, "dtype": dtype, "bound": bound, "bound_by": document["device"]["bound"],
            "fastest": run["fastest_seconds"], "median": run["seconds"], "share": bound / run["fastest_seconds"],
            "share_of_median": bound / run["seconds"], "how": how, "reason": reason,
            "device": document["device"]}


def table(rows):
    lines = ["| expression | sizes | dtype | bound | fastest, ms | share | of the median | limited by |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        sizes = ", ".join(f"{name} {size}" for name, size in row["sizes"].items())
        lines.append(f"| `{row['text']}` | {sizes} | {row['dtype']} | {row['bound'] * 1e3:.3g} ms, {row['bound_by']} | "
                     f"{row['fastest'] * 1e3:.3g} | {row['share']:.2f} | {row['share_of_median']:.2f} | "
                     f"{row['reason']} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="the program plumbline-cli; its machine must be calibrated")
    parser.add_argument("--dtypes", default="fp32,bf16")
    parser.add_argument("--only", default="", help="expressions with this text in them only")
    parser.add_argument("--random", type=int, metavar="N", help="N random expressions instead of the list")
    parser.add_argument("--seed", type=int, default=0, help="of the random ones")
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 where a share is below one half and no reason is said")
    parser.add_argument("--json", help="write everything that was measured to this file")
    args = parser.parse_args()
    rows = []
    for text, sizes in random_cases(args.random, args.seed) if args.random else cases():
        if args.only not in text:
            continue
        for dtype in args.dtypes.split(","):
            rows.append(timed(args.cli, text, sizes, dtype))
    if not rows:
        sys.exit(f"lab_bounds.py: no expression has {args.only} in it")
    device = rows[0]["device"]
    print(f"{device['name']} ({device['source']}): {device['bandwidth_bytes_per_s'] / 1e9:.1f} GB/s\n")
    print(table(rows))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    missing = [row for row in rows if row["share"] < 0.5 and not row["reason"]]
    print(f"\n{len(rows)} timed, {sum(row['share'] >= 0.5 for row in rows)} reach one half of their bound, "
          f"{len(missing)} neither reach it nor say why")
    for row in missing:
        print(f"  {row['share']:.2f} {row['text']} {row['sizes']} {row['dtype']} ({row['how']})")
    if args.check and missing:
        sys.exit(1)


if __name__ == "__main__":
    main()
