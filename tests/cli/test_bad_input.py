# SPDX-License-Identifier: Apache-2.0
"""What cannot be done is refused: the exit code of its kind and one sentence with the value and the remedy."""

import json
import pathlib
import struct
import unittest

from plumbline_cli import SMALL, CliTest, write_npy

HOSTILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "hostile"


class Usage(CliTest):
    def test_unknown_names_get_the_nearest_known_one(self):
        self.refused(2, "predict", "--dmi", 4, says=["--dmi", "did you mean --dim?"])
        self.refused(2, "train", "--micro-bach=4", "--steps", 1, says=["--micro-bach", "--micro-batch?"])
        self.refused(2, "profile", "--stesp", 4, says="--steps?")
        self.refused(2, "devices", "--jsno", says="--json?")
        self.refused(2, "predcit", says=["predcit", "did you mean predict?"])
        self.refused(2, "frobnicate", says="the commands are devices, predict")
        self.refused(2, "predict", "--xyzzyxyzzy", says="see plumbline-cli predict --help")

    def test_misplaced_and_missing_arguments(self):
        self.refused(2, says="no command")
        self.refused(2, "--dim", 4, says="--dim")
        self.refused(2, "predict", "extra", says="extra")
        self.refused(2, "predict", "--dim", says="option without a value (--dim): give N")
        self.refused(2, "predict", "--dim=", says="option without a value (--dim): give N")
        self.refused(2, "train", "--steps", says="option without a value (--steps): ")
        self.refused(2, "train", *SMALL, says="--steps is missing")
        self.refused(2, "export", "--format", "csv", says="needs an argument")

    def test_an_option_given_twice(self):
        self.refused(2, "predict", "--layers", 5, "--layers", 3, says=["--layers is given twice (5 and 3)", "all but one"])
        self.refused(2, "plan", "time", "--parameters", "7e9", "--tokens=1T", "--tokens=2T", "--tokens=3T",
                     says="--tokens is given 3 times (1T, 2T, 3T)")
        self.refused(2, "plan", "step", "--model", "llama-3-8b", "--device", "h100-sxm", "--devices", 8, "--gpus", 16,
                     says=["--devices is given twice", "--gpus", "8 and 16"])
        self.refused(2, "plan", "step", "--seq", 1024, "--sequence-length", 2048, says=["--sequence is given twice"])
        self.ok("plan", "time", "--parameters", "7e9", "--tokens", "1T", "--devices", 8, "--device", "h100-sxm",
                "--assume", "mfu=0.5", "--assume", "goodput=0.9")
        self.ok("plan", "time", "--parameters", "7e9", "--tokens", "1T", "--devices", 8, "--device", "h100-sxm",
                "--assume", "mfu=0.5", "goodput=0.9")
        self.refused(2, "plan", "time", "--parameters", "7e9", "--tokens", "1T", "mfu=0.5", says="unexpected argument (mfu=0.5)")
        self.ok("predict", *SMALL, "--json", "--json")  # says the same

    def test_two_commands_on_one_line(self):
        for line, second in ((["predict", "--dim", 4, "devices"], "devices"), (["predict", "train"], "train"),
                             (["devices", "devices"], "devices"), (["export", "a.plumb", "predict"], "predict")):
            done = self.refused(2, *line, says=f"unexpected argument ({second}): see plumbline-cli {line[0]} --help")
            self.assertEqual(done.stdout, "")

    def test_impossible_sizes(self):
        for option in ("dim", "layers", "outputs", "batch"):
            for value in ("0", "-5", "1.5", "abc", "", "1e99", "9223372036854775808"):
                if (option, value) == ("layers", "0"):
                    continue  # the head alone
                with self.subTest(option=option, value=value):
                    self.refused(2, "predict", f"--{option}={value}", says=option)
        self.refused(2, "predict", "--micro-batch", "-1", says="micro-batch")
        self.refused(2, "predict", "--checkpoint", "0", says="checkpoint")
        self.refused(2, "predict", "--batch", 256, "--micro-batch", 100, says=["100", "256", "divide"])

    def test_sizes_that_overflow_64_bits(self):
        self.refused(2, "predict", "--dim", "4e9", "--layers", "1e9", says="too large")
        self.refused(2, "predict", "--dim", "4e9", "--layers", "60000", says="63 bits")
        self.refused(2, "predict", "--dim", "1e6", "--layers", "60000", "--batch", "1e12", says="63 bits")

    def test_unusable_values(self):
        for option, value in (("activation", "swish"), ("precision", "int3"), ("precision", "fp12"),
                              ("optimizer", "lyon"), ("checkpoint", "cbrt"), ("checkpoint", "fit:"),
                              ("checkpoint", "fit:0"), ("master-weights", "maybe"), ("grad-dtype", "fp16"),
                              ("init", "best"), ("nesterov", "on"), ("beta1", "1"), ("clip-norm", "-1"),
                              ("lr-schedule", "linear"), ("warmup-steps", "-1"), ("lr", "fast"),
                              ("lr", "nan"), ("lr", "-1"), ("weight-decay", "-1"), ("seed", "x"), ("backend", "tpu"),
                              ("noise", "inf")):
            with self.subTest(option=option, value=value):
                self.refused(2, "predict", f"--{option}={value}", says=option)

    def test_options_without_a_meaning_are_not_ignored(self):
        for options in (["--gamma", "0.5"], ["--min-lr", "0"], ["--loss-scale", "3"],
                        ["--precision", "bf16", "--loss-scale-interval", "5"]):
            with self.subTest(options=options):
                self.refused(2, "predict", *options, says=[options[-2][2:], "no meaning"])

    def test_steps_must_be_positive(self):
        for command in ("train", "profile"):
            for value in ("0", "-3", "many"):
                self.refused(2, command, *SMALL, f"--steps={value}", says=[value, "at least 1"])

    def test_a_missing_backend_or_device(self):
        for command in (["predict"], ["profile"], ["train", "--steps", 1], ["calibrate"]):
            self.refused(3, *command, "--backend", "cuda", says=["cuda", "no CUDA backend"])
        self.refused(2, "calibrate", "--backend", "tpu", says="tpu")
        self.refused(2, "predict", "--device", "no-such-device", says="no-such-device")
        self.refused(2, "predict", "--device", "a", says="a")

    def test_a_step_that_does_not_fit(self):
        for command in (["profile"], ["train", "--steps", 1, "--out", "never.plumb"]):
            done = self.refused(4, *command, "--dim", 4096, "--layers", 8, "--batch", "1e9", says="batch")
            self.assertEqual(done.stdout, "")
        self.refused(4, "profile", "--dim", "1e6", "--layers", 60000, "--batch", 1)
        self.assertFalse((self.folder / "never.plumb").exists())

    def test_config_files_that_cannot_be_used(self):
        for text, says in (("", "JSON"), ("[1, 2]", "JSON"), ('{"dim": 4', "JSON"), ('{"dmi": 4}', "dim"),
                           ('{"dim": "many"}', "dim"), ('{"dim": -4}', "dim"), ('{"dim": 4.5}', "dim"),
                           ('{"dim": 1e300}', "dim"), ('{"batch": 256, "micro-batch": 100}', "divide")):
            with self.subTest(text=text):
                (self.folder / "c.json").write_text(text)
                self.refused(2, "predict", "--config", "c.json", says=says)
        (self.folder / "c.json").write_text('{"dim": -4}')
        done = self.refused(2, "predict", "--config", "c.json")
        self.assertEqual(done.stderr, "plumbline-cli: In the file c.json, dim has to be positive (-4): "
                                      "give a size of at least 1.\n")
        # What was typed begins the sentence as it was typed.
        (self.folder / "weights").write_text("nothing")
        for arguments, begins in ((["--dim", -4], "dim has to be positive"), (["--lr", "x"], "lr is not a number"),
                                  (["--dim", 8, "--momentum", 2], "momentum is no setting"),
                                  (["--dmi", 4], "unknown option"), (["weights"], "weights is none of the files")):
            done = self.refused(2, "open" if arguments == ["weights"] else "predict", *arguments)
            said = done.stderr.removeprefix("plumbline-cli: ")
            name = begins.split()[0]
            begins = begins if name in str(arguments) else begins.capitalize()
            self.assertTrue(said.startswith(begins), said)
        (self.folder / "c.json").write_text('{"lr": 1e400}')
        done = self.refused(2, "predict", "--config", "c.json", says=["c.json", "out of range", "write a number"])
        self.assertNotIn("exception", done.stderr)
        self.refused(2, "predict", "--config", "missing.json", says="missing.json")
        self.refused(2, "predict", "--config", ".", says=".")


class Data(CliTest):
    """Features and targets that cannot be trained on."""

    def setUp(self):
        super().setUp()
        self.rows = [[float(i * j % 7) for j in range(16)] for i in range(32)]
        self.targets = [float(i % 3) for i in range(32)]
        write_npy(self.folder / "x.npy", self.rows)
        write_npy(self.folder / "t.npy", self.targets)

    def train(self, code, features, targets, says):
        return self.refused(code, "train", *SMALL, "--steps", 20, "--data", features, "--targets", targets, says=says)

    def test_good_files_are_trained_on(self):
        self.assertEqual(self.ok_json("train", *SMALL, "--steps", 4, "--data", "x.npy", "--targets", "t.npy")
                         ["training"]["outcome"], "finished")
        write_npy(self.folder / "x8.npy", self.rows, dtype="<f8")
        self.ok("train", *SMALL, "--steps", 4, "--data", "x8.npy", "--targets", "t.npy")

    def test_the_order_and_width_of_the_elements_make_no_difference(self):
        columns = [[row[c] for row in self.rows] for c in range(16)]
        write_npy(self.folder / "f.npy", columns, shape=(32, 16), fortran=True)
        write_npy(self.folder / "half.npy", self.rows, dtype="<f2")
        losses = [self.ok_json("train", *SMALL, "--steps", 9, "--data", data, "--targets", "t.npy")["training"]["loss"]
                  for data in ("x.npy", "f.npy", "half.npy")]
        self.assertEqual(losses[0], losses[1])
        self.assertEqual(losses[0], losses[2])

    def test_the_report_names_the_files_and_their_rows(self):
        run = [*SMALL, "--steps", 4, "--data", "x.npy", "--targets", "t.npy"]
        for command in ("train", "profile"):
            self.assertIn("x.npy (fp32) and t.npy (fp32), 32 rows", self.ok(command, *run))
            self.assertEqual(self.ok_json(command, *run)["data"]["samples"], 32)
        self.assertIsNone(self.ok_json("profile", *SMALL, "--steps", 3)["data"])

    def test_wrong_shapes(self):
        self.refused(2, "train", "--dim", 8, "--steps", 1, "--data", "x.npy", "--targets", "t.npy", says=["16", "8"])
        self.refused(2, "train", *SMALL, "--outputs", 3, "--steps", 1, "--data", "x.npy", "--targets", "t.npy",
                     says="3")
        write_npy(self.folder / "short.npy", self.targets[:7])
        self.train(2, "x.npy", "short.npy", ["32", "7"])
        write_npy(self.folder / "cube.npy", self.rows, shape=(4, 8, 16))
        self.train(2, "cube.npy", "t.npy", "cube.npy")
        write_npy(self.folder / "none.npy", [[0.0] * 16], shape=(0, 16))
        write_npy(self.folder / "nothing.npy", [0.0], shape=(0,))
        self.train(2, "none.npy", "nothing.npy", "none.npy")

    def test_wrong_dtype_and_byte_order(self):
        write_npy(self.folder / "big.npy", self.rows, dtype=">f4")
        self.train(2, "big.npy", "t.npy", "big.npy")

    def test_truncated_and_foreign_files(self):
        whole = (self.folder / "x.npy").stat().st_size
        for keep in (0, 3, 9, 40, whole - 1):
            write_npy(self.folder / "cut.npy", self.rows, keep=keep)
            self.train(2, "cut.npy", "t.npy", "cut.npy")
        (self.folder / "text.npy").write_text("not an array")
        self.train(2, "text.npy", "t.npy", "text.npy")
        self.train(2, "missing.npy", "t.npy", "missing.npy")
        self.train(2, ".", "t.npy", ".")

    def test_data_without_targets_and_targets_without_data(self):
        self.refused(2, "train", *SMALL, "--steps", 1, "--data", "x.npy", says="targets")
        self.refused(2, "train", *SMALL, "--steps", 1, "--targets", "t.npy", says="data")

    def test_nan_in_the_data_names_step_and_row_and_keeps_the_history(self):
        self.rows[20][3] = float("nan")
        write_npy(self.folder / "nan.npy", self.rows)
        done = self.refused(1, "train", *SMALL, "--steps", 20, "--data", "nan.npy", "--targets", "t.npy", "--out",
                            "n.plumb", says=["step", "row 20 of nan.npy"])
        self.assertIn("Training", done.stdout)
        training = json.loads((self.folder / "n.plumb").read_text())["training"]
        self.assertLess(len(training["loss"]), 20)
        self.assertIn("not finite", training["outcome"])

    def test_a_diverging_loss_names_the_step_and_keeps_the_history(self):
        self.refused(1, "train", *SMALL, "--optimizer", "sgd", "--lr", "1e6", "--steps", 500, "--out", "d.plumb",
                     says=["diverged at step", "lower the learning rate"])
        training = json.loads((self.folder / "d.plumb").read_text())["training"]
        self.assertGreater(len(training["loss"]), 1)
        self.assertIn("diverged at step", training["outcome"])
        self.ok("export", "d.plumb", "--format", "training-csv")

    def test_what_is_not_a_number_is_said_in_words(self):
        one = self.ok("train", "--backend", "cpu", "--dim", "64", "--layers", "3", "--lr", "1e38", "--steps", 1)
        self.assertIn("the product of the weights is not a number: the training diverged", one)
        two = self.refused(1, "train", "--backend", "cpu", "--dim", "64", "--layers", "3", "--lr", "1e30", "--steps", 9,
                           says=["diverged at step 1", "loss not a number"])
        self.assertIn("at first, not a number at last", two.stdout)
        for text in [one, two.stdout]:
            self.assertNotRegex(text, r"\bnan\b")


class Tokens(CliTest):
    """Flat token files in place of features and targets."""

    def setUp(self):
        super().setUp()
        self.ids = [(7 * i * i + i) % 1000 for i in range(500)]
        (self.folder / "corpus.u16").write_bytes(struct.pack("<500H", *self.ids))
        (self.folder / "corpus.i32").write_bytes(struct.pack("<500i", *self.ids))
        (self.folder / "corpus.bin").write_bytes(struct.pack("<500H", *self.ids))

    def train(self, code, data, *options, says):
        return self.refused(code, "train", *SMALL, "--steps", 20, "--data", data, *options, says=says)

    def test_both_widths_train_alike_and_the_report_names_the_file(self):
        run = [*SMALL, "--steps", 9, "--vocabulary", 1000]
        narrow = self.ok_json("train", *run, "--data", "corpus.u16", "--out", "t.plumb")
        wide = self.ok_json("train", *run, "--data", "corpus.i32")
        named = self.ok_json("train", *run, "--data", "corpus.bin", "--data-format", "tokens-u16")
        self.assertEqual(narrow["training"]["loss"], wide["training"]["loss"])
        self.assertEqual(narrow["training"]["loss"], named["training"]["loss"])
        self.assertEqual(narrow["config"]["data-format"], "tokens-u16")
        self.assertEqual(narrow["config"]["vocabulary"], 1000)
        self.assertEqual(narrow["data"], {"description": "corpus.u16, 500 tokens, 31 windows", "samples": 31})
        self.assertEqual(json.loads((self.folder / "t.plumb").read_text())["data"], narrow["data"])
        self.assertIn("corpus.u16, 500 tokens", self.ok("profile", *SMALL, "--steps", 3, "--data", "corpus.u16"))

    def test_a_name_that_says_nothing(self):
        self.train(2, "corpus.bin", says=["corpus.bin", "--data-format"])
        self.train(2, "corpus.u16", "--data-format", "hdf5", says=["hdf5", "tokens-i32"])

    def test_targets_come_from_the_tokens(self):
        self.train(2, "corpus.u16", "--targets", "t.npy", says=["t.npy", "token"])

    def test_files_that_are_not_of_tokens(self):
        (self.folder / "odd.u16").write_bytes(b"123")
        self.train(2, "odd.u16", says=["odd.u16", "3 bytes"])
        (self.folder / "short.i32").write_bytes(b"1234" * 16)
        self.train(2, "short.i32", says=["short.i32", "too short", "16 tokens"])
        (self.folder / "empty.u16").write_bytes(b"")
        self.train(2, "empty.u16", says=["empty.u16", "empty"])
        self.train(2, "missing.u16", says="missing.u16")

    def test_ids_beyond_the_vocabulary(self):
        self.train(2, "corpus.u16", "--vocabulary", 100, says=["corpus.u16", "vocabulary of 100"])
        self.refused(2, "predict", *SMALL, "--data", "corpus.u16", "--vocabulary", 0, says="vocabulary")
        (self.folder / "negative.i32").write_bytes(struct.pack("<40i", *[-1] * 40))
        self.train(2, "negative.i32", says=["negative.i32", "negative (-1)"])


class HostileTexts(CliTest):
    """What a file says never reaches the terminal as a command, and never at any length."""

    def plain(self, text):
        for character in text:
            self.assertTrue(character in "\n\t" or (ord(character) >= 0x20 and not 0x7f <= ord(character) <= 0x9f),
                            ascii(text[:200]))
        self.assertLess(max(map(len, text.split("\n"))), 3000)

    def test_an_error_that_quotes_a_snapshot(self):
        done = self.refused(2, "export", HOSTILE / "escapes.plumb", "--format", "csv", says="measured.source is '")
        self.plain(done.stderr)

    def test_an_error_that_quotes_a_model(self):
        name = "\x1b[31mred\x1b]0;pwn\x07" + 100_000 * "A"
        (self.folder / "config.json").write_text(json.dumps({"model_type": name}), encoding="utf-8")
        done = self.run_cli("plan", "memory", "--model", self.folder / "config.json")
        self.assertEqual(done.returncode, 2)
        self.plain(done.stderr)

    def test_the_name_of_a_device(self):
        card = {"id": "my-card", "name": "My card", "backend": "cuda", "memory_bytes": 80000000000,
                "bandwidth_bytes_per_s": 3e12, "peak_flop_per_s": {"bf16": 1e15, "fp32": 6e13}}
        (self.folder / "data" / "plumbline").mkdir(parents=True)

        def write(source):
            devices = {"format": "plumbline.devices", "version": 1, "devices": [card | {"source": source}]}
            (self.folder / "data" / "plumbline" / "devices.json").write_text(json.dumps(devices), encoding="utf-8")

        for source in ("\x1b[31mmine\x1b]0;pwn\x07", "\u009b31mmine\u009d0;pwn\u009c", "\u202emine", "mine\u2066"):
            write(source)
            self.plain(self.refused(2, "predict", *SMALL, "--device", "my-card", says="cannot be seen").stderr)

    def test_scratch_that_cannot_be_counted(self):
        self.refused(2, "predict", "--dim", 40000, "--outputs", "9e11", "--layers", 1, "--batch", 1,
                     "--device", "h200", says="63 bits")

    def test_times_that_no_trace_holds(self):
        self.refused(2, "export", HOSTILE / "trace_inf.plumb", "--format", "chrome-trace", says="285 years")


if __name__ == "__main__":
    unittest.main()
