#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes dtypes.json: how NumPy (fp16) and ml_dtypes (fp8) convert, as digests and tables of bits.

    make_dtypes.py dtypes.json

For fp16, E4M3 and E5M2: the fp32 bits of each code (a digest over all 65536, tables of 256 for fp8), and the
code of many fp32 numbers: every border between two neighbours, exactly and one step of fp32 to each side, and
200000 random bit patterns. Codes of what is not a number count as one, since payloads differ between
libraries. fp8 saturates: what ml_dtypes makes infinite or not a number, out of a finite number, counts as the largest
finite code. The digest is FNV-1a over the codes, low byte first. Also one table of tf32 by its definition
(nearest, ties away from 0, 10 bits) in exact integer arithmetic.
"""

import json
import sys

import ml_dtypes
import numpy as np

NAN16, NAN8 = 0x7E00, 0x7F


def fnv(values: np.ndarray, width: int) -> str:
    digest = 0xCBF29CE484222325
    for byte in values.astype(f"<u{width}").tobytes():
        digest = ((digest ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{digest:016x}"


def random_bits(count: int) -> np.ndarray:
    bits = np.empty(count, dtype=np.uint32)
    state = 12345
    for i in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        bits[i] = state
    return bits


def codes(values: np.ndarray, dtype, width: int, largest: int) -> np.ndarray:
    sign = 1 << (8 * width - 1)
    with np.errstate(all="ignore"):
        stored = values.astype(dtype).view(f"u{width}").astype(np.uint32)
        back = stored.astype(f"u{width}").view(dtype).astype(np.float32)
    if width == 1:
        beyond = ~np.isfinite(back) & np.isfinite(values)
        stored = np.where(beyond, (stored & sign) | largest, stored)
    return np.where(np.isnan(values), NAN16 if width == 2 else NAN8, stored)


def borders(dtype, width: int) -> np.ndarray:
    """Half way between neighbouring finite magnitudes, one fp32 step to each side of that, both signs."""
    count = 1 << (8 * width - 1)
    numbers = np.arange(count, dtype=f"u{width}").view(dtype).astype(np.float64)
    numbers = numbers[np.isfinite(numbers)]
    top = numbers[-1] + (numbers[-1] - numbers[-2])
    numbers = np.append(numbers, top)
    half = ((numbers[:-1] + numbers[1:]) / 2).astype(np.float32)
    bits = half.view(np.uint32)
    around = np.stack([bits - 1, bits, bits + 1], axis=1).ravel()
    return np.concatenate([around, around | np.uint32(0x80000000)])


def describe(dtype, width: int, largest: int) -> dict:
    all_codes = np.arange(1 << (8 * width), dtype=np.uint32).astype(f"u{width}")
    decoded = all_codes.view(dtype).astype(np.float32)
    bits = np.where(np.isnan(decoded), np.uint32(0x7FC00000), decoded.view(np.uint32))
    result = {"decoded_digest": fnv(bits, 4)}
    if width == 1:
        result["decoded_bits"] = [int(b) for b in bits]
    inputs = borders(dtype, width)
    result["borders"] = len(inputs)
    result["border_digest"] = fnv(codes(inputs.view(np.float32), dtype, width, largest), width)
    random = random_bits(200000).view(np.float32)
    result["random_digest"] = fnv(codes(random, dtype, width, largest), width)
    return result


def tf32(bits: int) -> int:
    sign, magnitude = bits & 0x80000000, bits & 0x7FFFFFFF
    below = magnitude >> 13
    return sign | ((below + (1 if (magnitude & 0x1FFF) >= 0x1000 else 0)) << 13)


def main() -> int:
    samples = [int(b) for b in random_bits(400) if (b & 0x7F800000) != 0x7F800000]
    samples += [0x3F801000, 0x3F800FFF, 0x3F803000, 0xBF801000, 0x7F7FFFFF, 0x00000FFF, 0x00001000, 0x7F800000]
    document = {
        "made_with": f"numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}",
        "fp16": describe(np.float16, 2, 0x7BFF),
        "fp8_e4m3": describe(ml_dtypes.float8_e4m3fn, 1, 0x7E),
        "fp8_e5m2": describe(ml_dtypes.float8_e5m2, 1, 0x7B),
        "tf32": [[b, tf32(b)] for b in samples],
    }
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump(document, out, separators=(",", ":"))
        out.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
