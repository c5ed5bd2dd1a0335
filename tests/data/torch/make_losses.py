# SPDX-License-Identifier: Apache-2.0
"""Trains the deep linear model in PyTorch from Plumbline's own weights and data, and records the losses.

    python3 -m venv venv && venv/bin/pip install torch numpy && venv/bin/python tests/data/torch/make_losses.py

Writes features.npy, targets.npy and losses.json beside this file. tests/core/train/torch_parity_test.cpp trains the
same configurations and compares step by step, so the tests themselves need neither PyTorch nor NumPy.
Weights and the order of samples come from ../philox.py, the order as core/data/row_batches.cpp defines it, written
here a second time on purpose: this file is the oracle.
"""
import json
import pathlib
import sys

import numpy as np
import torch

from optimizers import make_optimizer, make_schedule

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import philox  # noqa: E402

STREAM_WEIGHTS, STREAM_HEAD, STREAM_ORDER = 1, 2, 5
STEPS = 50
ROWS, DIM, OUTPUTS = 96, 24, 3


def weights(seed, stream, layer, rows, columns):
    deviates = philox.normals(philox.philox_at(seed, stream, layer, np.arange(rows * columns))).astype(np.float32)
    factor = np.float32(1.0 / np.sqrt(np.float64(rows)))
    return torch.from_numpy((deviates * factor).reshape(rows, columns))


def file_row(seed, row, count):
    epoch, index = row // count, row % count
    half = ((count - 1).bit_length() + 1) // 2
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for rnd in range(4):
            word = int(philox.philox_at(seed, STREAM_ORDER, epoch, [(right << 2) | rnd])[0, 0])
            left, right = right, left ^ (word & mask)
        index = (left << half) | right
        if index < count:
            return index


def train(case, features, targets):
    layers, batch, seed = case["layers"], case["batch"], case["seed"]
    params = [weights(seed, STREAM_WEIGHTS, layer, DIM, DIM) for layer in range(1, layers + 1)]
    params.append(weights(seed, STREAM_HEAD, layers + 1, DIM, OUTPUTS))
    params = [torch.nn.Parameter(p.clone()) for p in params]
    options = {"lr": case["lr"], **case.get("options", {})}
    if "weight-decay" in case:
        options["weight-decay"] = case["weight-decay"]
    optimizer = make_optimizer(case["optimizer"], params, options)
    schedule = make_schedule(optimizer, options)
    losses = []
    for step in range(STEPS):
        rows = [file_row(seed, step * batch + i, ROWS) for i in range(batch)]
        h = torch.from_numpy(features[rows])
        for w in params[:-1]:
            h = h @ w
            if case["activation"] == "relu":
                h = torch.relu(h)
        y = h @ params[-1]
        loss = torch.nn.functional.mse_loss(y, torch.from_numpy(targets[rows]))
        optimizer.zero_grad()
        loss.backward()
        if "clip-norm" in options:
            torch.nn.utils.clip_grad_norm_(params, options["clip-norm"])
        optimizer.step()
        if schedule is not None:
            schedule.step()
        losses.append(loss.item())
    return losses


# Optimizer, learning rate, other options by the names of the command line.
MORE_CASES = (
    ("momentum", 0.01, {}),
    ("momentum", 0.01, {"nesterov": True, "weight-decay": 0.01, "clip-norm": 0.5}),
    ("rmsprop", 0.001, {}),
    ("rmsprop", 0.001, {"momentum": 0.5, "centered": True, "clip-norm": 2.0}),
    ("adam", 0.001, {}),
    ("adam", 0.002, {"amsgrad": True, "weight-decay": 0.1, "lr-schedule": "step", "schedule-steps": 20, "gamma": 0.5}),
    ("adamw", 0.002, {"lr-schedule": "cosine", "warmup-steps": 10, "schedule-steps": 50, "min-lr": 1e-4}),
    ("lion", 0.0002, {}),
    ("lion", 0.0005, {"weight-decay": 0.1, "beta1": 0.95, "beta2": 0.98, "warmup-steps": 5}),
    ("adafactor", 0.01, {}),
    ("adafactor", 0.02, {"weight-decay": 0.1, "clip-threshold": 2.0, "beta2-decay": -0.6}),
)


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = np.random.default_rng(7)
    features = rng.standard_normal((ROWS, DIM)).astype(np.float32)
    truth = rng.standard_normal((DIM, OUTPUTS)).astype(np.float32) / np.sqrt(DIM)
    targets = (features @ truth + 0.1 * rng.standard_normal((ROWS, OUTPUTS))).astype(np.float32)
    np.save(HERE / "features.npy", features)
    np.save(HERE / "targets.npy", targets)
    cases = []
    for optimizer, lr, decays in (("sgd", 0.05, (None, 0.01)), ("adagrad", 0.01, (None, 0.01)),
                                  ("adamw", 0.001, (None, 0.1))):
        for decay in decays:
            for activation in ("none", "relu"):
                case = {"optimizer": optimizer, "lr": lr, "activation": activation, "layers": 3, "batch": 32,
                        "seed": 11 + len(cases)}
                if decay is not None:
                    case["weight-decay"] = decay
                cases.append(case)
    for index, (optimizer, lr, options) in enumerate(MORE_CASES):
        cases.append({"optimizer": optimizer, "lr": lr, "options": options, "activation": ("none", "relu")[index % 2],
                      "layers": 3, "batch": 32, "seed": 11 + len(cases)})
    for case in cases:
        case["losses"] = train(case, features, targets)
        print(case["optimizer"], case["activation"], case.get("weight-decay"), case["losses"][0], case["losses"][-1])
    record = {"torch": torch.__version__, "dtype": "float32", "dim": DIM, "outputs": OUTPUTS, "steps": STEPS,
              "cases": cases}
    (HERE / "losses.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
