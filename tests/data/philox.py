# SPDX-License-Identifier: Apache-2.0
"""Philox 4x32-10 as core/base/philox.h defines it, written a second time for the scripts that make reference data."""
import numpy as np

MASK32 = np.uint64(0xFFFFFFFF)


def philox_at(seed, stream, sub, index):
    """Returns the ten-round blocks at `index` (int array [n]): uint64 array [n, 4] of 32-bit words."""
    index = np.asarray(index, dtype=np.uint64)
    c = [index & MASK32, index >> np.uint64(32), np.full_like(index, sub), np.full_like(index, stream)]
    k0, k1 = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
    for _ in range(10):
        p0 = np.uint64(0xD2511F53) * c[0]
        p1 = np.uint64(0xCD9E8D57) * c[2]
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ k0, p1 & MASK32, (p0 >> np.uint64(32)) ^ c[3] ^ k1, p0 & MASK32]
        k0 = (k0 + np.uint64(0x9E3779B9)) & MASK32
        k1 = (k1 + np.uint64(0xBB67AE85)) & MASK32
    return np.stack(c, axis=1)


def normals(block):
    """Returns deviates of about the standard normal distribution, fp64 [n]: a sum of eight 16-bit words each."""
    lanes = (block & np.uint64(0xFFFF)).sum(axis=1) + (block >> np.uint64(16)).sum(axis=1)
    return (lanes.astype(np.int64) - 262140).astype(np.float64) * 1.8688123650118534e-05
