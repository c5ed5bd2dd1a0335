#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes features.npy and targets.npy beside this script from scikit-learn's copy of the digits.

    python3 -m pip install numpy scikit-learn && python3 make_digits.py

features.npy  float32 [1797, 64]: the 8 x 8 pixels of a digit, row by row, scaled from 0..16 to 0..1
targets.npy   float32 [1797, 1]: the digit, 0 to 9
"""

import pathlib

import numpy
from sklearn.datasets import load_digits

folder = pathlib.Path(__file__).resolve().parent
digits = load_digits()
features = (digits.data / 16.0).astype("<f4")  # sixteenths: exact in binary
targets = digits.target.astype("<f4").reshape(-1, 1)
assert features.shape == (1797, 64) and targets.shape == (1797, 1)
assert features.min() == 0.0 and features.max() == 1.0
numpy.save(folder / "features.npy", numpy.ascontiguousarray(features))
numpy.save(folder / "targets.npy", numpy.ascontiguousarray(targets))
print(f"variance of the targets: {targets.var():.4f}")
