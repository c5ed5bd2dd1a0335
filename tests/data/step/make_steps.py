#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the step files beside it: a small decoder with checkpointing under autocast, recorded on the CPU, and the
same step predicted for a GPU, both from before losses were recorded, and a small perceptron with them. Needs torch; times differ from run to run, all else does not.

    python3 tests/data/step/make_steps.py
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "python", "tests"))

import support  # noqa: E402  (puts the package on the path, one thread, a seed)
import torch  # noqa: E402
from architectures import Decoder, autocast, token_loss, tokens, trained, vectors  # noqa: E402

plumbline = support.plumbline


def main() -> None:
    batch = tokens(2, 16, 48)
    training = trained(Decoder(vocabulary=48, width=16, heads=2, layers=2, recompute="reentrant"), batch, token_loss,
                       around=autocast)
    path = os.path.join(HERE, "decoder.plumb")
    with plumbline.record(path, training.model, training.optimizer, warmup=2, steps=5) as recording:
        while not recording.done:
            training.step()
            recording.step()
    (ids,), target = batch()
    predicted = plumbline.predict(training.model, ids, target=target, loss=token_loss, optimizer=training.optimizer,
                                  device="H200 SXM", autocast=torch.bfloat16)
    for document in (recording.document, predicted.document):
        del document["losses"]
    plumbline.write_step(path, recording.document)
    predicted.write(os.path.join(HERE, "decoder_predicted.plumb"))
    make_perceptron()


def make_perceptron() -> None:
    """Few ops and thirty steps."""
    torch.manual_seed(0)
    training = trained(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)),
                       vectors(32, 8, 4), torch.nn.functional.cross_entropy)
    path = os.path.join(HERE, "perceptron.plumb")
    with plumbline.record(path, training.model, training.optimizer, warmup=2, steps=25) as recording:
        while not recording.done:
            recording.step(training.step())


if __name__ == "__main__":
    main()
