#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the .npy files of tests/core/io/npy_test.cpp beside this script with NumPy itself (and ml_dtypes for bf16).

Element [r, c] of every readable array is r + c / 8, exact in every format. The results are committed, so
that the tests need no NumPy.
"""

import pathlib
import warnings

import ml_dtypes
import numpy
from numpy.lib import format as npy_format

folder = pathlib.Path(__file__).resolve().parent
grid = numpy.add.outer(numpy.arange(5.0), numpy.arange(3.0) / 8)


def save(name, array):
    numpy.save(folder / f"{name}.npy", array)


def save_version(name, array, version):
    with open(folder / f"{name}.npy", "wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy warns that versions 2 and 3 are rarely needed
        npy_format.write_array(file, array, version=version)


save("fp32", grid.astype("<f4"))
save("fp64", grid.astype("<f8"))
save("one_dimension", numpy.arange(5, dtype="<f4"))
save_version("version2", grid.astype("<f4"), (2, 0))
save_version("version3", grid.astype("<f4"), (3, 0))
save("big_endian", grid.astype(">f4"))
save("int64", numpy.arange(15, dtype="<i8").reshape(5, 3))
save("fp16", grid.astype("<f2"))
save("bf16", grid.astype(ml_dtypes.bfloat16))
save("big_endian_fp16", grid.astype(">f2"))
save("raw_bytes", numpy.zeros((5, 3), dtype="V2"))
save("uint16", numpy.arange(15, dtype="<u2").reshape(5, 3))
save("bool", grid > 1)
save("complex", grid.astype("<c8"))
save("structured", numpy.zeros(3, dtype=[("a", "<f4"), ("b", "<i4", (2,))]))
save("fortran", numpy.asfortranarray(grid.astype("<f4")))
save("fortran_fp16", numpy.asfortranarray(grid.astype("<f2")))
save("fortran_bf16", numpy.asfortranarray(grid.astype(ml_dtypes.bfloat16)))
save("fortran_fp64", numpy.asfortranarray(grid.astype("<f8")))
save("scalar", numpy.float32(7))
save("rank3", numpy.zeros((2, 3, 4), dtype="<f4"))
save("no_rows", numpy.zeros((0, 3), dtype="<f4"))
save("no_columns", numpy.zeros((3, 0), dtype="<f4"))
