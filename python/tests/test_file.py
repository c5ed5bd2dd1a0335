# SPDX-License-Identifier: Apache-2.0
"""The step file: its form is held, and it is there whole or not at all."""

from __future__ import annotations

import copy
import glob
import json
import os
import stat
import tempfile
import unittest

from support import HERE, plumbline, record_training

from architectures import Mlp, trained, vectors
from plumbline.losses import COLUMNS
from torch.nn import functional as F


class StepFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.document = record_training(trained(Mlp(), vectors(8, 64, 10), F.cross_entropy), steps=2)

    def test_a_recorded_document_is_valid(self) -> None:
        self.assertEqual(plumbline.validate(self.document), [])
        self.assertEqual(self.document["format"], "plumbline.step")

    def test_the_samples_of_the_tree_are_valid(self) -> None:
        samples = sorted(glob.glob(os.path.join(HERE, "..", "..", "tests", "data", "step", "*.plumb")))
        self.assertEqual([plumbline.read_step(path)["source"] for path in samples], ["measured", "predicted", "measured"])

    def test_what_is_wrong_is_named(self) -> None:
        def spoil(change) -> list[str]:
            document = copy.deepcopy(self.document)
            change(document)
            return plumbline.validate(document)

        wrong = {
            "missing": lambda d: d.pop("memory"),
            "not \"plumbline.step\"": lambda d: d.update(format="other"),
            "newer Plumbline": lambda d: d.update(version=2),
            "differ in length": lambda d: d["ops"]["flops"].pop(),
            "lacks the column": lambda d: d["tensors"].pop("role"),
            "not unique": lambda d: d["ops"]["id"].__setitem__(1, d["ops"]["id"][0]),
            "unknown phase": lambda d: d["ops"]["phase"].__setitem__(0, "sideways"),
            "unknown category": lambda d: d["tensors"]["category"].__setitem__(0, "other"),
            "not there": lambda d: d["ops"]["reads"].__setitem__(0, [10**6]),
            "curve_peak_bytes": lambda d: d["memory"].update(curve_peak_bytes=1),
            "lives from op": lambda d: d["tensors"]["first_op"].__setitem__(0, 10**6),
            "no counts": lambda d: d["ops"]["flops"].__setitem__(0, -1),
            "without a source": lambda d: d["ops"]["seconds_source"].__setitem__(0, None),
            "losses.step does not increase": lambda d: d["losses"]["step"].__setitem__(1, 0),
            "the unknown pass": lambda d: d["losses"]["pass"].__setitem__(0, "Q"),
            "no number": lambda d: d["losses"]["loss"].__setitem__(0, "low"),
            "no time": lambda d: d["losses"]["seconds"].__setitem__(0, None),
            "losses differ in length": lambda d: d["losses"]["loss"].pop(),
            "losses.source": lambda d: d["losses"].update(source="somewhere"),
            "without a reason": lambda d: d["losses"].update({name: [] for name in COLUMNS}),
            "measured.steps": lambda d: d["measured"].update(steps=7),
        }
        for words, change in wrong.items():
            with self.subTest(words):
                problems = spoil(change)
                self.assertTrue(any(words in problem for problem in problems), problems)
        self.assertTrue(plumbline.validate([]))

    def test_a_file_from_before_losses_were_recorded_is_valid(self) -> None:
        document = {name: value for name, value in self.document.items() if name != "losses"}
        self.assertEqual(plumbline.validate(document), [])

    def test_an_older_file_stays_when_writing_fails(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "step.plumb")
            plumbline.write_step(path, {"old": True})
            with self.assertRaises(ValueError):
                plumbline.write_step(path, {"new": float("nan")})
            with self.assertRaises(TypeError):
                plumbline.write_step(path, {"new": object()})
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file), {"old": True})
            self.assertEqual(os.listdir(folder), ["step.plumb"])

    def test_what_is_no_plain_file_is_refused_and_stays(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pipe, inside = os.path.join(folder, "pipe"), os.path.join(folder, "none", "step.plumb")
            os.mkfifo(pipe)
            circle = os.path.join(folder, "circle")
            os.symlink(circle, circle)
            below = os.path.join(folder, "plain", "step.plumb")
            open(os.path.dirname(below), "w").close()
            before = sorted(os.listdir(folder))
            for path, reason in ((pipe, "neither a plain file nor a new name.*name a file on disk"),
                                 ("/dev/null", "neither a plain file"), (folder, "name a file inside the folder"),
                                 (inside, "create the folder first"), (circle, "lead in a circle"),
                                 (below, "a part of the path is a file"), (os.path.join(folder, "x" * 300), "shorter name")):
                with self.subTest(path):
                    with self.assertRaisesRegex(ValueError, f"^cannot write {path} .*{reason}"):
                        plumbline.write_step(path, {})
            self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
            self.assertEqual(sorted(os.listdir(folder)), before)

    def test_links_and_modes_of_what_is_replaced_stay(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file, link, long = (os.path.join(folder, name) for name in ("real", "link", "x" * 250))
            plumbline.write_step(file, {})
            os.chmod(file, 0o640)
            os.symlink("real", link)
            plumbline.write_step(link, {"new": True})
            self.assertTrue(os.path.islink(link))
            self.assertEqual(stat.S_IMODE(os.stat(file).st_mode), 0o640)
            with open(file, encoding="utf-8") as written:
                self.assertEqual(json.load(written), {"new": True})
            plumbline.write_step(long, {})
            self.assertEqual(sorted(os.listdir(folder)), ["link", "real", "x" * 250])

    def test_a_file_of_another_kind_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "step.plumb")
            plumbline.write_step(path, {"format": "plumbline.snapshot"})
            with self.assertRaisesRegex(ValueError, "no step file"):
                plumbline.read_step(path)


if __name__ == "__main__":
    unittest.main()
