# SPDX-License-Identifier: Apache-2.0
"""Trains the deep linear model in mixed precision with PyTorch and records losses and loss scales.

    python3 -m venv venv && venv/bin/pip install torch numpy && venv/bin/python tests/data/recipes/make_mixed.py

Writes mixed.json beside this file, from the features and targets of tests/data/torch.
tests/core/train/mixed_parity_test.cpp trains the same configurations. Weights and activations are stored in bf16 or
fp16; products add in fp32 and are rounded once; y, the targets and the loss are fp32; torch.optim updates fp32
masters, or the narrow weights themselves; torch.amp.GradScaler scales the loss of fp16.
"""
import json
import pathlib
import sys

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "torch"))
from make_losses import DIM, OUTPUTS, ROWS, STREAM_HEAD, STREAM_WEIGHTS, file_row, weights  # noqa: E402

LAYERS, BATCH, STEPS = 3, 32, 40

CASES = (
    {"precision": "bf16", "optimizer": "sgd", "lr": 0.05},
    {"precision": "bf16", "optimizer": "sgd", "lr": 0.05, "grad-dtype": "fp32"},
    {"precision": "bf16", "optimizer": "sgd", "lr": 0.05, "master-weights": "off"},
    {"precision": "bf16", "optimizer": "adamw", "lr": 0.01},
    {"precision": "fp16", "optimizer": "sgd", "lr": 0.05, "loss-scale": 1048576.0, "loss-scale-interval": 6},
    {"precision": "fp16", "optimizer": "sgd", "lr": 0.05, "master-weights": "off"},
    {"precision": "fp16", "optimizer": "adamw", "lr": 0.01, "loss-scale": 16777216.0, "loss-scale-interval": 5},
    {"precision": "fp16", "optimizer": "adamw", "lr": 0.01, "grad-dtype": "fp32", "loss-scale": 131072.0,
     "loss-scale-interval": 3},
)


def train(case, seed, features, targets):
    dtype = {"bf16": torch.bfloat16, "fp16": torch.float16}[case["precision"]]
    gradient_dtype = torch.float32 if case.get("grad-dtype") == "fp32" else dtype
    exact = [weights(seed, STREAM_WEIGHTS, layer, DIM, DIM) for layer in range(1, LAYERS + 1)]
    exact.append(weights(seed, STREAM_HEAD, LAYERS + 1, DIM, OUTPUTS))
    master = case.get("master-weights", "on") == "on"
    params = [torch.nn.Parameter(w.clone() if master else w.to(dtype)) for w in exact]
    make = {"sgd": torch.optim.SGD, "adamw": torch.optim.AdamW}[case["optimizer"]]
    optimizer = make(params, lr=case["lr"])
    scaler = torch.amp.GradScaler("cpu", case.get("loss-scale", 65536.0), 2.0, 0.5,
                                  case.get("loss-scale-interval", 2000), enabled=dtype == torch.float16)
    losses, scales = [], []
    for step in range(STEPS):
        rows = [file_row(seed, step * BATCH + i, ROWS) for i in range(BATCH)]
        w = [p.detach().to(dtype).float() for p in params]
        h = [torch.from_numpy(features[rows]).to(dtype)]
        for layer in range(LAYERS):
            h.append(torch.relu(h[-1].float() @ w[layer]).to(dtype))
        difference = h[-1].float() @ w[-1] - torch.from_numpy(targets[rows])
        losses.append(float((difference.double() ** 2).mean()))
        scaler.scale(torch.zeros(1))
        scale = scaler.get_scale()
        scales.append(scale)
        g = (difference * np.float32(2.0 / (BATCH * OUTPUTS) * scale)).to(dtype).float()
        for layer in range(LAYERS, -1, -1):
            gradient = (h[layer].float().T @ g).to(gradient_dtype)
            params[layer].grad = gradient.float() if master else gradient.to(dtype)
            if layer > 0:
                below = g @ w[layer].T
                g = torch.where(h[layer] > 0, below, torch.zeros(())).to(dtype).float()
        if not master:
            # By hand: fp32 arithmetic, rounded once. GradScaler refuses fp16 gradients, and torch.optim may round
            # the learning rate itself to the parameters' type.
            assert all(bool(p.grad.isfinite().all()) for p in params), "no overflow is planned here"
            with torch.no_grad():
                for p in params:
                    p.copy_((p.float() - case["lr"] * (p.grad.float() / scale)).to(dtype))
        else:
            scaler.step(optimizer)
            scaler.update()
    return losses, scales


def main():
    torch.set_num_threads(1)
    features = np.load(HERE.parent / "torch" / "features.npy")
    targets = np.load(HERE.parent / "torch" / "targets.npy")
    cases = []
    for index, case in enumerate(CASES):
        losses, scales = train(case, 40 + index, features, targets)
        cases.append({"options": {k: str(v) for k, v in case.items()}, "seed": 40 + index, "losses": losses,
                      "scales": scales})
        print(case, losses[0], losses[-1], sorted(set(scales)))
    record = {"torch": torch.__version__, "dim": DIM, "outputs": OUTPUTS, "layers": LAYERS, "batch": BATCH,
              "cases": cases}
    (HERE / "mixed.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
