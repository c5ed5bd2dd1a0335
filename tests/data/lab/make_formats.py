#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes formats.json: what ml_dtypes makes of numbers in every format of at most 16 bits.

    make_formats.py formats.json

decoded: the value of every code (as fp32 bits; not-a-numbers as 0x7fc00000), as a list for formats of 8 bits and less
and as a digest for 16. borders: for neighbouring codes a < b of one sign, the numbers in the middle, just below
and just above it; all of them for 8 bits and less, a digest for 16. random: two million fp32 bit patterns from
splitmix64(index). Digests: the sum over i of (code_i + 1) * splitmix64(i), modulo 2^64.
Needs NumPy and ml_dtypes.
"""

import json
import sys

import ml_dtypes
import numpy as np

FORMATS = {
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "fp8_e4m3": ml_dtypes.float8_e4m3fn,
    "fp8_e5m2": ml_dtypes.float8_e5m2,
    "fp6_e2m3": ml_dtypes.float6_e2m3fn,
    "fp6_e3m2": ml_dtypes.float6_e3m2fn,
    "fp4_e2m1": ml_dtypes.float4_e2m1fn,
}
BITS = {"fp16": 16, "bf16": 16, "fp8_e4m3": 8, "fp8_e5m2": 8, "fp6_e2m3": 6, "fp6_e3m2": 6, "fp4_e2m1": 4}
RANDOM = 2_000_000


def splitmix(index):
    with np.errstate(over="ignore"):
        z = (index.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def digest(codes):
    with np.errstate(over="ignore"):
        total = ((codes.astype(np.uint64) + np.uint64(1)) * splitmix(np.arange(len(codes)))).sum(dtype=np.uint64)
    return f"{int(total):016x}"


def codes_of(values, dtype, bits):
    """Codes of fp32 values; every not-a-number counts as the code with all bits set."""
    with np.errstate(over="ignore", invalid="ignore"):
        stored = values.astype(dtype)
    codes = stored.view(np.uint16 if bits == 16 else np.uint8).astype(np.uint64) & np.uint64((1 << bits) - 1)
    nan = np.isnan(stored.astype(np.float32))
    codes[nan] = (1 << bits) - 1
    return codes


def decoded(dtype, bits):
    raw = np.arange(1 << bits).astype(np.uint16 if bits == 16 else np.uint8)
    values = raw.view(dtype).astype(np.float32)
    patterns = values.view(np.uint32).copy()
    patterns[np.isnan(values)] = 0x7FC00000
    return values, patterns


def main():
    result = {"made_with": f"numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}"}
    for name, dtype in FORMATS.items():
        bits = BITS[name]
        values, patterns = decoded(dtype, bits)
        half = values[: 1 << (bits - 1)].astype(np.float64)
        finite = half[np.isfinite(half)]
        middle = ((finite[:-1] + finite[1:]) / 2).astype(np.float32)
        borders = np.concatenate(
            [middle, np.nextafter(middle, np.float32(0)), np.nextafter(middle, np.float32(np.inf))])
        borders = np.concatenate([borders, -borders])
        random = splitmix(np.arange(RANDOM)).astype(np.uint32).view(np.float32)
        # fp6 and fp4 have no code for what is not a number: those are left to the program's own rule.
        random = np.where(np.isnan(random), np.float32(1), random)
        entry = {"decoded_digest": digest(patterns), "borders": len(borders),
                 "border_digest": digest(codes_of(borders, dtype, bits)),
                 "random_digest": digest(codes_of(random, dtype, bits))}
        if bits <= 8:
            entry["decoded"] = [int(v) for v in patterns]
        result[name] = entry
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(result, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
