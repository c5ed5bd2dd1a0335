# SPDX-License-Identifier: Apache-2.0
"""The largest batch that fits, held against a search by hand, and advice."""

from __future__ import annotations

import unittest

from support import plumbline

import torch
from architectures import Mlp
from plumbline.fitting import resized
from torch.nn import functional as F

MIB = 1 << 20


def device(memory: int) -> dict:
    """A GPU with so much beside the context."""
    return {"name": "Test device", "memory_bytes": memory + 10**9, "compute_capability": "9.0"}


class Fitting(unittest.TestCase):
    def largest(self, memory: int, **options):
        return plumbline.largest_batch(Mlp(), torch.zeros(8, 64), target=torch.zeros(8, dtype=torch.long),
                                       loss=F.cross_entropy, optimizer=torch.optim.SGD, device=device(memory),
                                       **options)

    def test_the_largest_batch_fits_and_one_much_larger_does_not(self) -> None:
        memory = 128 * MIB
        found = self.largest(memory)

        def fits(count: int) -> bool:
            batch, target = torch.empty(count, 64), torch.empty(count, dtype=torch.long)
            return plumbline.predict(Mlp(), batch, target=target, loss=F.cross_entropy, optimizer=torch.optim.SGD,
                                     device=device(memory)).fits

        self.assertGreater(found, 1000)
        self.assertTrue(fits(found))
        self.assertFalse(fits(found + found // 16))

    def test_limits(self) -> None:
        self.assertEqual(self.largest(1 * MIB), 0)
        self.assertEqual(self.largest(1 << 40, most=64), 64)
        self.assertIsNone(plumbline.largest_batch(Mlp(), torch.zeros(8, 64), device={"name": "?"}))
        with self.assertRaisesRegex(ValueError, "no tensor"):
            plumbline.largest_batch(Mlp(), 3, device=device(MIB))

    def test_only_the_batch_changes_its_size(self) -> None:
        values = resized({"ids": torch.zeros(8, 5), "mask": torch.zeros(5, 5), "n": torch.tensor(1.0)}, 8, 3)
        self.assertEqual([tuple(value.shape) for value in values.values()], [(3, 5), (5, 5), ()])

    def test_advice_names_what_is_large(self) -> None:
        wide = plumbline.predict(Mlp(), torch.empty(1 << 16, 64), device=device(MIB))
        self.assertTrue(plumbline.advice(wide)[0].startswith("Activations are"), plumbline.advice(wide))
        updated = plumbline.predict(Mlp(), torch.empty(1, 64), device=device(MIB), optimizer=torch.optim.AdamW)
        self.assertTrue(any("fused=True" in sentence for sentence in plumbline.advice(updated)))


if __name__ == "__main__":
    unittest.main()
