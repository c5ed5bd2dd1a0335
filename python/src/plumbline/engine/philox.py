# SPDX-License-Identifier: Apache-2.0
"""Philox 4x32-10 (Salmon et al., SC 2011) by numpy: the built-in trainer's numbers, bit for bit.

Element `index` of a stream is a pure function of (seed, stream, sub, index), so that both trainers begin with the
same weights and read the same batches.
"""

from __future__ import annotations

import numpy as np

WEIGHTS, HEAD, FEATURES, NOISE, ORDER = 1, 2, 3, 4, 5
_CHUNK = 1 << 18  # elements at a time: what numpy keeps meanwhile stays in the cache
_LOW = np.uint64(0xFFFFFFFF)


def words(seed: int, stream: int, sub: int, indices: np.ndarray) -> list[np.ndarray]:
    """The four 32-bit words of each element, as uint64 numbers."""
    indices = indices.astype(np.uint64)
    counter = [indices & _LOW, indices >> np.uint64(32), np.full_like(indices, sub), np.full_like(indices, stream)]
    key = [seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF]
    for _ in range(10):
        first = counter[0] * np.uint64(0xD2511F53)
        second = counter[2] * np.uint64(0xCD9E8D57)
        counter = [(second >> np.uint64(32)) ^ counter[1] ^ np.uint64(key[0]), second & _LOW,
                   (first >> np.uint64(32)) ^ counter[3] ^ np.uint64(key[1]), first & _LOW]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter


def _normal(block: list[np.ndarray]) -> np.ndarray:
    """The sum of eight 16-bit lanes, mean 0 and variance 1, rounded once."""
    total = np.zeros(block[0].shape, np.int64)
    for word in block:
        total += ((word & np.uint64(0xFFFF)) + (word >> np.uint64(16))).astype(np.int64)
    return ((total - 262140).astype(np.float64) * 1.8688123650118534e-05).astype(np.float32)


def _in_chunks(draw, first: int, count: int) -> np.ndarray:
    out = np.empty(count, np.float32)
    for begin in range(0, count, _CHUNK):
        end = min(begin + _CHUNK, count)
        out[begin:end] = draw(np.arange(first + begin, first + end, dtype=np.uint64))
    return out


def normals(seed: int, stream: int, sub: int, first: int, count: int) -> np.ndarray:
    """Nearly normal deviates, elements first to first + count - 1."""
    return _in_chunks(lambda at: _normal(words(seed, stream, sub, at)), first, count)


def uniforms(seed: int, stream: int, sub: int, first: int, count: int) -> np.ndarray:
    """Evenly spread in (-1, 1): odd multiples of 2^-24."""
    def draw(at: np.ndarray) -> np.ndarray:
        drawn = (words(seed, stream, sub, at)[0] >> np.uint64(8)).astype(np.int64)
        return (2 * drawn + 1 - (1 << 24)).astype(np.float32) * np.float32(2.0**-24)

    return _in_chunks(draw, first, count)


def truncated_normals(seed: int, stream: int, sub: int, first: int, count: int) -> np.ndarray:
    """The same as normals(), drawn again beyond +-3: draw n is that of sub + n * 2^24."""
    def draw(at: np.ndarray) -> np.ndarray:
        out = _normal(words(seed, stream, sub, at))
        for number in range(1, 256):
            again = np.flatnonzero(~((out >= -3) & (out <= 3)))
            if again.size == 0:
                break
            out[again] = _normal(words(seed, stream, sub + (number << 24), at[again]))
        return out

    return _in_chunks(draw, first, count)


class EpochOrder:
    """The order in which samples are visited: a Feistel network, walked until it lands inside. Every sample once
    per epoch, shuffled by the seed and the epoch alone."""

    def __init__(self, count: int, seed: int) -> None:
        self._count, self._seed = count, seed
        self._half = ((count - 1).bit_length() + 1) // 2

    def at(self, first: int, count: int) -> np.ndarray:
        """The samples at positions first to first + count - 1 of the stream."""
        positions = np.arange(first, first + count, dtype=np.uint64)
        mask, half = np.uint64((1 << self._half) - 1), np.uint64(self._half)
        index = positions % np.uint64(self._count)
        epochs = positions // np.uint64(self._count)
        samples = np.empty(count, np.int64)
        under = np.arange(count)
        while under.size:
            left, right = index >> half, index & mask
            for epoch in np.unique(epochs):
                here = epochs == epoch
                for turn in range(4):
                    drawn = words(self._seed, ORDER, int(epoch), (right[here] << np.uint64(2)) | np.uint64(turn))[0]
                    left[here], right[here] = right[here].copy(), left[here] ^ (drawn & mask)
            index = (left << half) | right
            inside = index < np.uint64(self._count)
            samples[under[inside]] = index[inside].astype(np.int64)
            under, index, epochs = under[~inside], index[~inside], epochs[~inside]
        return samples
