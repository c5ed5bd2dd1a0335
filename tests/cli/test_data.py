# SPDX-License-Identifier: Apache-2.0
"""Own data without friction: archives, tables, labels, tokens, what is held out; and models at both ends of depth."""

import ast
import json
import struct
import unittest
import zipfile

from plumbline_cli import CliTest, write_npy, changed


class OwnData(CliTest):
    def setUp(self):
        super().setUp()
        self.rows = [[float(i * (j + 3) % 11) for j in range(7)] for i in range(40)]
        self.targets = [float(sum(row) % 5) for row in self.rows]
        write_npy(self.folder / "x.npy", self.rows)
        write_npy(self.folder / "y.npy", self.targets)
        with open(self.folder / "t.csv", "w", encoding="utf-8") as table:
            print("a,b,c,d,e,f,g,price", file=table)
            for row, target in zip(self.rows, self.targets):
                print(*row, target, sep=",", file=table)

    def archive(self, name, members, how=zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(self.folder / name, "w", how) as archive:
            for member, path in members.items():
                archive.write(self.folder / path, member + ".npy")

    def losses(self, *data):
        return self.ok_json("train", "--layers", 1, "--batch", 8, "--steps", 9, *data)["training"]["loss"]

    def test_every_format_gives_the_same_training_and_the_files_say_how_wide_it_is(self):
        expected = self.losses("--data", "x.npy", "--targets", "y.npy")
        self.archive("a.npz", {"x": "x.npy", "y": "y.npy"})
        self.archive("stored.npz", {"images": "x.npy", "digits": "y.npy"}, zipfile.ZIP_STORED)
        columns = [[row[c] for row in self.rows] for c in range(7)]
        write_npy(self.folder / "f.npy", columns, shape=(40, 7), fortran=True)
        self.archive("fortran.npz", {"x": "f.npy"})
        for data in (["a.npz"], ["a.npz:x", "a.npz:y"], ["a.npz:x.npy", "y.npy"], ["stored.npz", "stored.npz:digits"],
                     ["fortran.npz", "y.npy"], ["t.csv"], ["t.csv", "t.csv:price"], ["t.csv:a,b,c,d,e,f,g"],
                     ["x.npy", "t.csv:price"]):
            with self.subTest(data):
                options = ["--data", data[0]] + (["--targets", data[1]] if len(data) > 1 else [])
                self.assertEqual(self.losses(*options), expected)
        config = self.ok_json("predict", "--data", "t.csv:a,b", "--targets", "t.csv:c,d,price")["config"]
        self.assertEqual((config["dim"], config["outputs"], config["data-format"]), (2, 3, "csv"))

    def test_labels_are_converted_with_a_note(self):
        write_npy(self.folder / "labels.npy", [i % 10 for i in range(40)], dtype="<i8")
        write_npy(self.folder / "pixels.npy", [[i * j % 256 for j in range(7)] for i in range(40)], dtype="|u1")
        write_npy(self.folder / "mask.npy", [[i % 2 == 0] for i in range(40)], dtype="|b1")
        run = ["train", "--layers", 1, "--batch", 8, "--steps", 3, "--data"]
        text = self.ok(*run, "pixels.npy", "--targets", "labels.npy")
        self.assertIn("pixels.npy (uint8, read as fp32) and labels.npy (int64, read as fp32), 40 rows", text)
        self.assertIn("mask.npy (bool, read as fp32)", self.ok(*run, "pixels.npy", "--targets", "mask.npy"))

    def test_what_is_not_clear_is_asked_for_with_what_there_is(self):
        self.archive("two.npz", {"first": "x.npy", "second": "y.npy"})
        run = ["train", "--steps", 1, "--batch", 8, "--data"]
        self.refused(2, *run, "two.npz", says=["first, second", "--data two.npz:NAME"])
        self.refused(2, *run, "two.npz:third", "--targets", "y.npy", says=["third", "first.npy, second.npy"])
        self.refused(2, *run, "t.csv:a,z", says=["no such column (z)", "a, b, c"])
        (self.folder / "q.csv").write_text('rooms,"area, m²","a ""b""",price\n' + "1,2,3,4\n" * 20)
        self.refused(2, *run, "q.csv:area", says=["no such column (area)", 'rooms, "area, m²", "a ""b""", price'])
        config = self.ok_json("predict", "--data", 'q.csv:rooms,"area, m²","a ""b"""', "--targets", "q.csv:price")["config"]
        self.assertEqual((config["dim"], config["outputs"]), (3, 1))
        self.refused(2, *run, "t.csv", "--targets", "t.csv:nothing", says=["no such column (nothing)"])
        self.refused(2, *run, "t.csv:a,b,c,d,e,f,g,price", says=["no columns left for the targets"])
        self.refused(2, *run, "houses.parquet", says=["Parquet is not read (houses.parquet)", "to_csv"])
        (self.folder / "text.npz").write_text("not an archive")
        self.refused(2, *run, "text.npz", says=["text.npz", "no ZIP archive"])

    def test_columns_that_are_not_one_are_refused(self):
        (self.folder / "twice.csv").write_text("a,a,price\n" + "1,2,3\n" * 20)
        self.refused(2, "train", "--batch", 4, "--steps", 2, "--data", "twice.csv:a", "--targets", "twice.csv:price",
                     says=["twice.csv has several columns of one name (a)"])
        self.refused(2, "train", "--batch", 4, "--steps", 2, "--data", "twice.csv:price,price", "--targets", "twice.csv:price",
                     says=["column price of twice.csv is named twice"])

    def test_damaged_archives_are_refused(self):
        self.archive("a.npz", {"x": "x.npy", "y": "y.npy"})
        whole = (self.folder / "a.npz").read_bytes()
        for name, content in {"cut.npz": whole[:len(whole) // 2],
                              "flipped.npz": whole[:90] + bytes([whole[90] ^ 255]) + whole[91:]}.items():
            (self.folder / name).write_bytes(content)
            self.refused(2, "train", "--steps", 1, "--batch", 8, "--data", name, says=[name])

    def test_a_number_that_fp32_cannot_hold_is_not_called_infinite(self):
        run = ["train", "--layers", 1, "--steps", 20]
        for number in ("1e39", "-1e300", "1e400"):
            (self.folder / "far.csv").write_text(f"a,b,y\n1,2,3\n{number},2,3\n")
            self.refused(2, *run, "--batch", 1, "--data", "far.csv",
                         says=f"far.csv has {number} in row 3, column a, which fp32 cannot hold")
        self.rows[5][1] = -1e300
        for fortran in (False, True):
            columns = [[row[c] for row in self.rows] for c in range(7)]
            write_npy(self.folder / "far.npy", columns if fortran else self.rows, "<f8", (40, 7), fortran)
            self.refused(1, *run, "--data", "far.npy", "--targets", "y.npy",
                         says=["the data holds -1e+300, which fp32 cannot hold, met at step", "row 5 of far.npy"])
            self.refused(2, *run, "--data", "far.npy", "--targets", "y.npy", "--standardize", "on",
                         says="row 5 of far.npy holds -1e+300, which fp32 cannot hold")
            self.archive("far.npz", {"x": "far.npy", "y": "y.npy"})
            self.refused(2, *run, "--data", "far.npz", says="far.npz:x has -1e+300 in row 5, which fp32 cannot hold")

    def test_a_row_of_a_table_is_named_once_and_as_editors_count_it(self):
        for header, row in (("a,b,y\n", 3), ("", 2)):
            (self.folder / "bad.csv").write_text(header + "1,2,3\nnan,2,3\n")
            done = self.refused(1, "train", "--layers", 1, "--batch", 2, "--steps", 1, "--data", "bad.csv",
                                says=["a value that is not finite", f"(row {row} of bad.csv)"])
            self.assertNotIn(" or bad.csv", done.stderr)

    def test_standardised_features_keep_their_means_in_the_snapshot(self):
        run = ["train", "--layers", 0, "--batch", 8, "--steps", 20, "--data", "t.csv", "--standardize", "on"]
        self.ok(*run, "--out", "s.plumb")
        data = json.loads((self.folder / "s.plumb").read_text())["data"]
        for column, (mean, deviation) in enumerate(zip(data["standardization"]["means"],
                                                       data["standardization"]["deviations"])):
            values = [row[column] for row in self.rows]
            self.assertAlmostEqual(mean, sum(values) / 40, places=6)
            self.assertAlmostEqual(deviation ** 2, sum((v - mean) ** 2 for v in values) / 40, places=5)
        self.assertIn("features standardised", data["description"])
        self.refused(2, "predict", "--standardize", "on", says="standardize has no meaning")

    def test_standardised_targets_keep_their_means_and_say_what_the_loss_is(self):
        run = ["train", "--layers", 0, "--batch", 40, "--data", "t.csv", "--steps", 1]
        raw = self.ok_json(*run, "--init", "fixed", "--init-std", "1e-30")["training"]["loss"][0]
        self.ok(*run, "--init", "fixed", "--init-std", "1e-30", "--standardize-targets", "on", "--out", "s.plumb")
        document = json.loads((self.folder / "s.plumb").read_text())
        made = document["data"]["target_standardization"]
        targets = self.targets
        mean = sum(targets) / 40
        variance = sum((value - mean) ** 2 for value in targets) / 40
        self.assertAlmostEqual(made["means"][0], mean, places=6)
        self.assertAlmostEqual(made["deviations"][0] ** 2, variance, places=5)
        # Weights of 0 predict 0: the loss is the mean square of what is trained on.
        self.assertAlmostEqual(document["training"]["loss"][0], 1, places=5)
        self.assertAlmostEqual(raw, sum(value * value for value in targets) / 40, delta=1e-5 * raw)
        self.assertIn("targets standardised: the loss is in units of their variance", document["data"]["description"])
        text = self.ok(*run, "--standardize-targets", "on")
        self.assertRegex(text, r"loss [0-9.e+-]+ at first, .*in units of the variance of the targets")
        self.refused(2, "predict", "--standardize-targets", "on", says="standardize-targets has no meaning")

    def test_a_share_is_held_out_and_its_loss_is_told(self):
        run = ["train", "--layers", 0, "--batch", 8, "--steps", 30, "--lr", "0.01", "--data", "t.csv", "--standardize",
               "on", "--holdout", "0.25"]
        document = self.ok_json(*run)
        self.assertEqual((document["data"]["samples"], document["data"]["held_out"]), (30, 10))
        held = document["training"]["hold_out"]
        self.assertEqual(held["step"][:3], [0, 4, 8])
        self.assertEqual(held["step"][-1], 30)
        self.assertLess(held["loss"][-1], held["loss"][0])
        text = self.ok(*run)
        self.assertRegex(text, r"Held out +loss [0-9.]+ at first, [0-9.]+ after 30 steps")
        self.assertEqual(self.ok_json(*run)["training"]["hold_out"], held)
        self.refused(2, *run[:-1], "1", says=["holdout", "below 1"])
        self.refused(2, "predict", "--holdout", "0.1", says="holdout has no meaning")


class Tokens(CliTest):
    def test_arrays_of_ids_are_taken_for_what_their_header_says(self):
        ids = [(7 * i * i + i) % 1000 for i in range(500)]
        (self.folder / "corpus.u16").write_bytes(struct.pack("<500H", *ids))
        run = ["train", "--dim", 16, "--layers", 2, "--batch", 8, "--steps", 9, "--vocabulary", 1000, "--data"]
        expected = self.ok_json(*run, "corpus.u16")["training"]["loss"]
        for dtype in ("<u2", "<i4", "<i8"):
            write_npy(self.folder / "data.npy", ids, dtype=dtype)
            self.assertEqual(self.ok_json(*run, "data.npy")["training"]["loss"], expected, dtype)
        write_npy(self.folder / "data.npy", [float(i) for i in ids])
        self.refused(2, *run, "data.npy", says=["fp32 of shape [500]", "targets are missing"])

    def test_windows_from_random_places_come_back_with_the_seed(self):
        (self.folder / "corpus.u16").write_bytes(struct.pack("<500H", *[i * i % 1000 for i in range(500)]))
        run = ["train", "--dim", 16, "--layers", 1, "--batch", 8, "--steps", 9, "--data", "corpus.u16",
               "--token-windows", "random"]
        document = self.ok_json(*run)
        self.assertEqual(document["config"]["token-windows"], "random")
        self.assertIn("31 windows an epoch, from random places", document["data"]["description"])
        self.assertEqual(self.ok_json(*run)["training"]["loss"], document["training"]["loss"])
        self.assertNotEqual(self.ok_json(*run, "--seed", 1)["training"]["loss"], document["training"]["loss"])
        self.refused(2, "predict", "--token-windows", "random", says="no meaning")


class Depth(CliTest):
    """The head alone, and the chain alone."""

    def test_a_single_linear_map_learns_the_task_that_is_linear(self):
        document = self.ok_json("train", "--layers", 0, "--dim", 8, "--batch", 64, "--steps", 300, "--lr", "0.05")
        self.assertEqual(document["parameters"], 8)
        self.assertLess(document["training"]["loss"][-1], 0.03)  # the floor is the noise's 0.01
        ids = [op["id"] for op in document["predicted"]["ops"]]
        self.assertEqual(ids, ["m1.load", "m1.head.forward", "m1.loss", "m1.head.backward.weight", "optimizer"])
        memory = (document["predicted"]["memory"]["peak_bytes"], document["measured"]["memory"]["peak_bytes"])
        self.assertEqual(*memory)

    def test_a_chain_without_a_head(self):
        for recipe in ("fp32", "bf16", "fp8"):
            document = self.ok_json("train", "--layers", 3, "--head", "off", "--dim", 16, "--batch", 32, "--activation",
                                    "relu", "--steps", 40, "--precision", recipe, "--micro-batch", 16)
            self.assertEqual(document["parameters"], 3 * 16 * 16)
            self.assertFalse(document["config"]["head"])
            self.assertNotIn("outputs", document["config"])
            self.assertEqual(document["predicted"]["memory"]["peak_bytes"], document["measured"]["memory"]["peak_bytes"])
            self.assertLess(document["training"]["loss"][-1], document["training"]["loss"][0])
        self.refused(2, "predict", "--head", "off", "--outputs", 3, says="outputs has no meaning")
        self.refused(2, "predict", "--head", "off", "--layers", 0, says=["nothing to train", "head"])

    def test_every_checkpoint_policy_takes_the_head_alone(self):
        for policy in ("all", "none", "sqrt", "4", "fit:1GiB"):
            self.ok("train", "--layers", 0, "--dim", 8, "--batch", 8, "--steps", 3, "--checkpoint", policy)
        self.refused(2, "predict", "--layers", 0, "--dim", 8, "--batch", 8, "--checkpoint", "fit:10", says="the least is")

    def test_initial_weights_are_chosen_and_their_growth_is_told(self):
        run = ["train", "--dim", 64, "--layers", 4, "--batch", 64, "--steps", 2]
        for init in ("xavier-uniform", "xavier-normal", "he-uniform", "he-normal"):
            text = self.ok(*run, "--init", init, "--activation", "relu")
            self.assertRegex(text, r"Growth +of the activations per layer: predicted × [0-9.]+, measured × [0-9.]+ at")
        self.assertIn("predicted × 1,", self.ok(*run, "--init", "he-normal", "--activation", "relu"))
        self.assertIn("predicted × 4,", self.ok(*run, "--init", "fixed", "--init-std", "0.5"))
        self.refused(2, "predict", "--init-std", "0.5", says="init-std has no meaning")
        self.refused(2, "predict", "--init", "fixed", "--init-std", "0", says=["init-std", "above 0"])


def read_npy(path):
    """Shape and numbers of a little-endian fp32 .npy, by the format's own rules."""
    content = path.read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00"
    length, = struct.unpack("<H", content[8:10])
    assert (10 + length) % 64 == 0
    header = ast.literal_eval(content[10:10 + length].decode())
    assert (header["descr"], header["fortran_order"]) == ("<f4", False)
    count = header["shape"][0] * header["shape"][1]
    return header["shape"], struct.unpack(f"<{count}f", content[10 + length:])


def read_safetensors(path):
    content = path.read_bytes()
    length, = struct.unpack("<Q", content[:8])
    header = json.loads(content[8:8 + length])
    header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        assert entry["dtype"] == "F32"
        begin, end = (8 + length + at for at in entry["data_offsets"])
        tensors[name] = (tuple(entry["shape"]), struct.unpack(f"<{(end - begin) // 4}f", content[begin:end]))
    return tensors


def product(a, b):
    (rows, inner), left = a
    (_, columns), right = b
    return (rows, columns), [sum(left[r * inner + i] * right[i * columns + c] for i in range(inner))
                             for r in range(rows) for c in range(columns)]


class Weights(CliTest):
    """What was learned can be looked at."""

    RUN = ["train", "--dim", 6, "--batch", 256, "--lr", "0.02", "--noise", "0.01", "--steps", 1500]

    def test_the_head_alone_recovers_0_1_2(self):
        text = self.ok(*self.RUN, "--layers", 0, "--weights", "w.npy")
        shape, weights = read_npy(self.folder / "w.npy")
        self.assertEqual(shape, (6, 1))
        norm = sum(i * i for i in range(6)) ** 0.5
        for index, weight in enumerate(weights):
            self.assertAlmostEqual(weight * norm, index, delta=0.05)
        self.assertRegex(text, r"Learned +the product of the weights is -?0\.0\d, (0\.9|1\.0)\d, (1\.9|2\.0)\d, ")
        self.assertNotIn("Learned", self.ok(*self.RUN[:-1], 3, "--layers", 2, "--activation", "relu"))

    def test_layers_and_head_multiply_to_the_task(self):
        run = ["train", *changed(self.RUN[1:], "--layers", 2, "--outputs", 2, "--lr", "0.005")]
        self.ok(*run, "--weights", "w.safetensors")
        tensors = read_safetensors(self.folder / "w.safetensors")
        self.assertEqual({name: shape for name, (shape, _) in tensors.items()},
                         {"layers.0.weight": (6, 6), "layers.1.weight": (6, 6), "head.weight": (6, 2)})
        shape, whole = product(product(tensors["layers.0.weight"], tensors["layers.1.weight"]), tensors["head.weight"])
        norm = sum(i * i for i in range(6)) ** 0.5
        for row in range(6):
            for output in range(2):
                self.assertAlmostEqual(whole[row * 2 + output] * norm, (row + output) % 6, delta=0.2)
        self.ok(*run, "--weights", "p.npy", "--weights-of", "product")
        found_shape, found = read_npy(self.folder / "p.npy")
        self.assertEqual(found_shape, shape)
        for a, b in zip(found, whole):
            self.assertAlmostEqual(a, b, places=5)
        for which, name in (("1", "layers.0.weight"), ("head", "head.weight")):
            self.ok(*run, "--weights", "one.npy", "--weights-of", which)
            self.assertEqual(read_npy(self.folder / "one.npy"), tensors[name])

    def test_what_cannot_be_written_is_refused_before_training(self):
        run = ["train", "--dim", 6, "--layers", 2, "--batch", 8, "--steps", 1, "--weights"]
        self.refused(2, *run, "w.npy", says=["the model has 3", "1..2, head, product"])
        self.refused(2, *run, "w.npy", "--weights-of", "3", says="weights-of cannot be used (3)")
        self.refused(2, *run, "w.npy", "--weights-of", "product", "--activation", "relu", says="no product")
        self.refused(2, *run, "w.txt", says=[".safetensors or .npy"])
        self.refused(2, *run, "w.safetensors", "--weights-of", "1", says="holds all weights")
        self.refused(2, "train", "--dim", 6, "--steps", 1, "--weights-of", "1", says="--weights-of says nothing")
        self.assertEqual(list(self.folder.glob("w.*")), [])


if __name__ == "__main__":
    unittest.main()
