# SPDX-License-Identifier: Apache-2.0
"""Computes one forward and backward pass in every precision recipe with NumPy and ml_dtypes.

    python3 -m venv venv && venv/bin/pip install numpy ml_dtypes && venv/bin/python tests/data/recipes/make_recipes.py

Writes recipes.json beside this file; tests/kernels/recipe_oracle_test.cpp runs the same step and compares every
stored tensor. Products are summed in double precision, so a number that falls next to a border between two
stored ones may be rounded the other way: the test allows few of those, by one unit in the last place.
Features, noise and weights come from ../philox.py.
"""
import json
import pathlib
import sys

import ml_dtypes
import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import philox  # noqa: E402

WEIGHTS, HEAD, FEATURES, NOISE = 1, 2, 3, 4
SEED, DIM, LAYERS, OUTPUTS, BATCH = 31, 12, 2, 2, 8
LOSS_SCALE = 256.0
F32 = np.float32


def normals(stream, sub, count):
    return philox.normals(philox.philox_at(SEED, stream, sub, np.arange(count))).astype(F32)


def tf32(v):
    bits = np.ascontiguousarray(v, dtype=F32).view(np.uint32)
    return ((bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)).view(F32)


class Tensor:
    """What is stored, and what a product reads of it."""

    def __init__(self, values, dtype, recipe, whole=False):
        values = np.asarray(values, dtype=F32)
        self.scale = F32(1)
        if dtype in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
            largest = F32(ml_dtypes.finfo(dtype).max)
            self.scale = largest / np.abs(values).max()
            if not whole:  # the first scale of what comes in micro-batches leaves room, by a power of two
                margin = F32(16 if dtype == ml_dtypes.float8_e4m3fn else 256)
                self.scale = F32(2.0 ** np.floor(np.log2(np.float64(self.scale / margin))))
            values = np.clip(values * self.scale, -largest, largest)
        self.stored = values.astype(dtype)
        self.read = self.stored.astype(F32) * (F32(1) / self.scale)
        if recipe == "tf32":
            self.read = tf32(self.read)


def product(a, b):
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(F32)


DTYPES = {  # weights and activations, gradients of activations, gradients of parameters
    "fp32": (F32, F32, F32),
    "tf32": (F32, F32, F32),
    "bf16": (ml_dtypes.bfloat16, ml_dtypes.bfloat16, ml_dtypes.bfloat16),
    "fp16": (np.float16, np.float16, np.float16),
    "fp8": (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.bfloat16),
}


def run(recipe, fp32_gradients, relu):
    forward, backward, parameter = DTYPES[recipe]
    if fp32_gradients:
        parameter = F32
    factor = F32(1.0 / np.sqrt(np.float64(DIM)))
    w = [Tensor((normals(WEIGHTS, l, DIM * DIM) * factor).reshape(DIM, DIM), forward, recipe, whole=True)
         for l in range(1, LAYERS + 1)]
    w.append(Tensor((normals(HEAD, LAYERS + 1, DIM * OUTPUTS) * factor).reshape(DIM, OUTPUTS), forward, recipe,
                    whole=True))
    x = normals(FEATURES, 0, BATCH * DIM).reshape(BATCH, DIM)
    norm = np.sqrt(sum(float(i) * i for i in range(DIM)))
    truth = np.array([[((i + k) % DIM) / norm for k in range(OUTPUTS)] for i in range(DIM)])
    noise = normals(NOISE, 0, BATCH * OUTPUTS).reshape(BATCH, OUTPUTS).astype(np.float64)
    t = (x.astype(np.float64) @ truth + 0.1 * noise).astype(F32)

    h = [Tensor(x, forward, recipe)]
    for l in range(LAYERS):
        z = product(h[-1].read, w[l].read)
        h.append(Tensor(np.maximum(z, 0) if relu else z, forward, recipe))
    y = product(h[-1].read, w[-1].read)
    loss = float(((y - t).astype(np.float64) ** 2).mean())
    loss_scale = LOSS_SCALE if recipe == "fp16" else 1.0
    dy = Tensor(F32(2.0 / (BATCH * OUTPUTS) * loss_scale) * (y - t), backward, recipe)

    tensors = {"y": y, "dy": dy.stored}
    g = dy
    for l in range(LAYERS, -1, -1):
        dw = product(h[l].read.T, g.read).astype(parameter)
        tensors[f"dw{l + 1}"] = dw
        if l == 0:
            break
        below = product(g.read, w[l].read.T)
        if relu:
            below = np.where(h[l].stored.astype(F32) > 0, below, F32(0))
        g = Tensor(below, backward, recipe)
        tensors[f"g{l}"] = g.stored
    for l in range(LAYERS + 1):
        tensors[f"h{l}"] = h[l].stored
        tensors[f"w{l + 1}"] = w[l].stored
    return {"recipe": recipe, "fp32_gradients": fp32_gradients, "activation": "relu" if relu else "none",
            "loss": loss,
            "tensors": {name: [float(str(v)) for v in value.astype(F32).ravel()]
                        for name, value in tensors.items() if name[0] != "w"}}


def main():
    cases = [run(recipe, fp32_gradients, relu)
             for recipe in DTYPES for fp32_gradients in (False, True) for relu in (False, True)
             if not (fp32_gradients and recipe in ("fp32", "tf32")) and (relu or not fp32_gradients)]
    record = {"made_with": f"numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}", "seed": SEED, "dim": DIM,
              "layers": LAYERS, "outputs": OUTPUTS, "batch": BATCH, "loss_scale": LOSS_SCALE, "cases": cases}
    text = json.dumps(record, separators=(",", ":"))
    (HERE / "recipes.json").write_text(text + "\n")
    print(len(cases), "cases", len(text), "bytes", [(c["recipe"], c["loss"]) for c in cases])


if __name__ == "__main__":
    main()
