# SPDX-License-Identifier: Apache-2.0
"""With a Chinese locale every word of --help, refusals and progress is Chinese, a term, code or what was typed."""

import copy
import json
import pathlib
import re
import shlex
import signal
import sys
import unittest

from plumbline_cli import PATIENCE, SMALL, CliTest, Engine, write_npy
from test_progress import Terminal

TRANSLATIONS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "translations"
sys.path.insert(0, str(TRANSLATIONS))
import latin  # noqa: E402


def commands_of(text):
    """The commands that a --help lists."""
    behind = re.split(r"^(?:Subcommands|子命令):$", text, flags=re.MULTILINE)
    return re.findall(r"^  ([a-z][a-z-]*)(?=\s)", behind[1].split("\n\n")[0], re.MULTILINE) if len(behind) > 1 else []


def prose_of(text):
    """What of a --help is no name of a command or option, and no command to type."""
    lines = []
    for line in text.splitlines():
        if re.match(r"  +plumbline-cli |(?:用法|Usage): | +[{\"]", line):
            continue
        line = re.sub(r"^  [.\[].*  (?=\S)", "", line)  # a form of a step: "  .view(sizes)    another shape"
        # The name, and what stands for its value, up to the column of the meaning or the end of the line.
        lines.append(re.sub(r"^  (?:-h,)?(?:[a-z][\w.-]*|-{1,2}[\w-]+(?: \S+)?)(?:\s{2,}| |$)", "", line))
    return lines


class Chinese(CliTest):
    def setUp(self):
        super().setUp()
        self.environment["LC_ALL"] = "zh_CN.UTF-8"
        self.allowed = latin.terms()

    def help_of(self, *command):
        run = self.run_cli(*command, "--help")
        self.assertEqual((run.returncode, run.stderr), (0, ""), command)
        return run.stdout

    def untold_in(self, text):
        return [(words, line) for line in prose_of(text) for words in (latin.english_in(line, self.allowed),) if words]

    def test_help_of_every_command_and_question(self):
        root = self.help_of()
        commands = [(name,) for name in commands_of(root)]
        self.assertGreater(len(commands), 15)
        told = {(): root}
        while commands:
            command = commands.pop()
            told[command] = self.help_of(*command)
            commands += [(*command, name) for name in commands_of(told[command])]
        self.assertGreater(len(told), 40)
        for command, text in told.items():
            with self.subTest(command=" ".join(command)):
                self.assertEqual(self.untold_in(text), [])
                self.assertNotRegex(text, r"(?m)^(Usage|Options|Subcommands|Positionals|Examples?):")

    def said_of(self, *command):
        run = self.run_cli(*command)
        self.assertNotEqual(run.returncode, 0, command)
        return run.stderr

    def test_names_of_commands_and_formats_are_what_one_types(self):
        listed = self.said_of("nothing-near")
        for name in commands_of(self.help_of()):
            self.assertRegex(listed, rf"[ ,、]{name}\b")
        self.assertIn("plan", self.said_of("lan"))
        self.assertIn("（step）", self.said_of("step"))
        missing, unknown = self.said_of("plan"), self.said_of("plan", "--nothing-near")
        for name in commands_of(self.help_of("plan")):
            self.assertRegex(missing, rf"[ ,、]{name}\b")
            self.assertRegex(unknown, rf"[ ,、]{name}\b")
        (self.folder / "note.plumb").write_text("hello", encoding="utf-8")
        for command in [("nothing-near",), ("plan", "--nothing-near"), ("open",),
                        ("export", "x.plumb", "-o"), ("export", "x.plumb"), ("export", "x.plumb", "--format", "word"),
                        ("open", str(self.folder / "none.plumb")), ("open", "note.plumb")]:
            with self.subTest(command=command):
                said = self.said_of(*command)
                for spoken in ("the ", "unknown", " is ", "give one", "reads", "needs", "see ", "No such"):
                    self.assertNotIn(spoken, said.lower() if spoken.islower() else said)

    def english_in(self, said, command, lists=""):
        """The words of a refusal that are neither Chinese, terms, nor what was typed or can be (`lists`)."""
        typed = {word.lower() for part in command for word in re.findall("[A-Za-z]+", str(part))}
        can = {word.lower() for word in re.findall("[A-Za-z]+", lists)}
        return latin.english_in(said.removeprefix("plumbline-cli: "), self.allowed | typed | can)

    def files(self):
        """What the wrong command lines name."""
        self.run_cli("plan", "save", "a.plan.json", "--parameters", "7e9")
        self.ok("profile", "--dim", 8, "--layers", 1, "--batch", 8, "--steps", 1, "--out", "step.plumb")
        for name, text in (("list.json", "[1]"), ("names.json", '{"forward": 1}'), ("value.json", '{"dim": -4}'),
                           ("half.json", '{"dim"'), ("text.plumb", "hello"), ("empty.json", "[]"),
                           ("trace.json", '{"traceEvents": []}'), ("budget.json", '{"step_seconds_growth": 0.1}'),
                           ("growth.json", '{"peak_bytes": 1}'), ("limit.json", '{"forward": 1}'),
                           ("config.json", '{"model_type": "llama", "hidden_size": 64}'),
                           ("words.json", '{"model_type": "llama", "hidden_size": "wide"}')):
            (self.folder / name).write_text(text, encoding="utf-8")
        snapshot = json.loads((self.folder / "step.plumb").read_text(encoding="utf-8"))
        for name, part, key, value in (("dim.plumb", "config", "dim", -1), ("source.plumb", "measured", "source", "guessed"),
                                       ("peak.plumb", "measured", "memory", {}), ("curve.plumb", "predicted", "memory", {})):
            changed = copy.deepcopy(snapshot)
            changed[part][key] = {**changed[part][key], "curve": [1]} if value == {} else value
            (self.folder / name).write_text(json.dumps(changed), encoding="utf-8")
        write_npy(self.folder / "big.npy", [[1.0] * 8] * 4, dtype=">f4")
        write_npy(self.folder / "nan.npy", [[float("nan")] * 8] * 16)
        write_npy(self.folder / "t.npy", [[1.0]] * 16)

    def test_refusals_have_no_english_but_terms_and_what_was_typed(self):
        self.files()
        commands = " ".join(commands_of(self.help_of()))
        questions = " ".join(commands_of(self.help_of("plan")))
        formats = self.help_of("export")
        inputs = "".join(self.help_of("plan", name) for name in ("time", "memory", "step", "cost", "optimal", "serve"))
        small = "--dim 8 --layers 1 --batch 8"
        seven = "--parameters 7e9 --tokens 1T --devices 8 --device h100-sxm"
        llama = "--model llama-3-8b --devices 8 --device h100-sxm"
        serve = "plan serve --model llama-3-8b --device h100-sxm"
        for line, lists in [line if isinstance(line, tuple) else (line, "") for line in [
                "", "--nothing", ("forward", commands), "predcit", ("plan", questions), ("plan forward", questions), "plan tme",
                "predict --nothing-near", "predict --dmi 8", "predict --dim", "predict --dim=8 --dim=9",
                "predict --dim 1 --dim 2 --dim 3", "predict memory", "open", "compare step.plumb", f"train {small}",
                f"train {small} --steps x", f"train {small} --steps", "predict --config none.json",
                "predict --config list.json", ("predict --config names.json", "forward " + self.help_of("predict")),
                "predict --config value.json", "predict --dim=-4", "predict --config half.json", "predict --config .",
                "predict --beta1 2", "predict --optimizer rmsprop --alpha 2", "predict --optimizer adagrad --lr-decay -1",
                "predict --optimizer adafactor --clip-threshold 0", "--language fr", "einsum ij,jk->ik",
                "einsum ij,jk->ik --dim i=4", "tensor 4,6 .select(0,9)", "tensor 4,6 [9]",
                f"predict {small} --gamma 0.5", f"predict {small} --loss-scale 3", ("predict --optimizer memory", self.help_of("predict")),
                "predict --device nothing-near", f"profile {small} --backend cpu --device 0",
                f"profile {small} --counters full", f"profile {small} --out none/step.plumb", f"profile {small} --out .",
                f"profile {small} --backend cuda", "calibrate --backend cuda", "calibrate --backend tpu",
                f"train {small} --steps 1 --tune maybe", f"train {small} --steps 1 --backend cpu --tune off",
                f"train {small} --steps 1 --save-every 5", f"train {small} --steps 1 --checkpoint-dir=",
                f"train {small} --steps 1 --weights-of product", f"train {small} --steps 1 --weights w.txt",
                f"train {small} --steps 1 --resume=", f"train {small} --steps 1 --resume none",
                f"train {small} --steps 1 --data none.npy --targets none.npy",
                f"train --config value.json {small} --steps 1 --out value.json", f"prove {small} --memory-limit much",
                "compare step.plumb step.plumb --format word", "compare step.plumb step.plumb --by forward",
                "compare step.plumb step.plumb --by op", "compare none.plumb step.plumb", "compare a.plan.json step.plumb",
                "check step.plumb", "check step.plumb --budget budget.json", "check step.plumb --budget none.json",
                "check step.plumb --budget growth.json --baseline step.plumb", "check step.plumb --budget growth.json",
                ("check step.plumb --budget limit.json", "forward step peak allocated memory time seconds bytes flops growth"),
                "open none.json", "open text.plumb", "open a.plan.json", "open trace.json", "open .", ("export step.plumb", formats),
                ("export step.plumb --format word", formats), "export step.plumb --format parquet",
                "export none.plumb --format html", "export text.plumb --format html",
                "export step.plumb --format html --out step.plumb", "export step.plumb --format html --out none/a.html",
                "findings none.plumb", "findings trace.json", "thumbnail step.plumb", "thumbnail step.plumb --out step.plumb",
                "thumbnail step.plumb --out a.png --size 8", "import trace.json list.json --out a.plumb",
                "import trace.json list.json --json", "import none.json", "import text.plumb", "interface word",
                "device show nothing-near", "device remove nothing-near", "device add empty.json", "device add none.json",
                "device add list.json --memory 8GB", "device add name --memory much", "device add name",
                "dtype word", "dtype 1 --format nothing-near", "dtype nan --format mxfp4", "dtype ' ' --format mxfp4",
                "einsum 'i j' --dim i", "einsum 'i j' --dim i=x", "einsum 'i -> i' --dim i=1 i=2", "einsum 'i j -> k'",
                "einsum 'ij->i' --dim i=2", "einsum 'i -> i' --dim i=2 --time --device 'H100 SXM'",
                "einsum 'i -> i' --dim i=2 --dtype fp6", "einsum 'i -> i' --dim i=2 --dtype nothing",
                "einsum 'i -> i' --dim i=2 --device nothing-near", "tensor 2,a", "tensor 2,3 --on moon",
                ("tensor 2,3 --steps .nothing()", self.help_of("tensor") + "to swapaxes swapdims permute view reshape flatten ravel expand squeeze unsqueeze select narrow diagonal clone triu tril flip pow rsqrt reciprocal neg sub mul div size nelement ndim"), "tensor 2,3 --address a",
                "counters --chip nothing", "check-prediction --backend tpu", "check-prediction --configs 0",
                f"engine --serve --folder /tmp/{'a' * 120}", "engine --serve --folder step.plumb/x",
                f"plan time {seven} --assume mfu", (f"plan time {seven} --assume memroy=1", inputs),
                (f"plan time {seven} --assume nothing-near=1", inputs), f"plan time {seven} --gpus 16",
                f"plan time {seven} --mfu 0.5 --assume mfu=0.4", f"plan time {seven} --mfu much", f"plan time {seven} --mfu 2",
                "plan time", "plan fit", "plan memory --devices 8", f"plan time {seven} --dim 8", "plan time --model none",
                "plan time --model none.json", "plan time --model list.json", "plan time --parameters 7e9 --device nothing-near",
                f"plan time {seven} --scenario none.plan.json", f"plan time {seven} --scenario list.json",
                f"plan memory {llama} --dtype word", f"plan memory {llama} --recompute word",
                f"plan memory {llama} --recompute-again attention", f"plan memory {llama} --recompute-share 2",
                f"plan memory {llama} --recompute per-op --recompute-again word", (f"plan memory {llama} --offload word", "optimizer parameters activations"),
                f"plan step {llama} --software word", f"plan memory {llama} --fused-attention maybe",
                f"plan step {llama} --attention-kernel word", f"plan step {llama} --fused-attention off --attention-kernel flash-2",
                f"plan memory {llama} --finetune word", f"plan memory {llama} --targets q,v", f"plan memory {llama} --rank 8",
                f"plan memory {llama} --freeze word", f"plan memory {llama} --finetune lora --targets word",
                f"plan memory {llama} --double-quantisation on", f"plan memory {llama} --recipe word",
                f"plan memory {llama} --recipe bf16-adamw --precision bf16", (f"plan memory {llama} --framework word", "litgpt"),
                *(f"plan memory {small} --devices 8 {option}" for option in (
                    "--dtype bf16", "--recompute full", "--offload optimizer", "--fused-attention on", "--dropout on",
                    "--sequence-parallel on")),
                (f"plan step {llama} --measured 14s", "tflops mfu allocated reserved memory"), f"plan step {llama} --measured-in a.plan.json",
                f"plan step {llama} --from step.plumb --measured step=1s", f"plan step {llama} --from none.plumb",
                f"plan time {seven} --sweep devices", f"plan time {seven} --sweep devices=1..8:x1", f"plan time {seven} --csv",
                f"plan time {seven} --sweep devices=1..8:x2 --csv --json", (f"plan time {seven} --sweep nothing-near=1", inputs),
                "plan solve", f"plan solve --output days --target 30 --for mfu {seven} --mfu 0.4",
                ("plan solve --output forward --target 30 --for devices", "flops hfu " + self.help_of("plan", "solve")),
                "plan map --x devices", f"plan map {llama} --x devices=1:2", "plan devices", f"plan devices {llama} --candidates forward",
                (f"plan devices {llama} --tokens 1T --candidates 2xnothing", "nothing"), f"plan mfu {llama} --tflops-per-device much",
                "plan mfu --model llama-3-8b", f"{serve} --weights word", f"{serve} --batch 1 --requests 2", f"{serve} --weights fp8 --weight-bits 8",
                "plan shard --model llama-3-8b --device h100-sxm --batch 64 --devices 1..100000:+1", "plan params none", "plan params a.plan.json", "plan validate --use word",
                "plan validate --source word", "plan validate --assume days=3", "plan validate --carry --assume mfu=0.4",
                "plan compare a.plan.json", "plan compare a.plan.json none.plan.json", "plan save a.txt --parameters 7e9",
                "plan memory --model config.json", "plan memory --model words.json",
                f"plan time {seven} --sweep devices=1..8:x2 --sweep devices=1..4:x2", f"plan time {seven} --sweep devices=1..99999:+1",
                *(f"export {name}.plumb --format csv" for name in ("dim", "peak", "curve")),
                ("export source.plumb --format csv", "guessed predicted clock allocator counter event activity"),
                f"train {small} --steps 9 --data big.npy --targets t.npy", f"train {small} --steps 9 --data nan.npy --targets t.npy",
                "einsum 'max: i i ->' --dim i=5", "device show", "predict --dim 8 --lr",
                "plan optimal", "plan batch", "plan sensitivity --output days", f"plan memory {llama} --tensor 3",
                "plan memory --model llama-3-8b --devices 10 --tensor 4"]]:
            command = shlex.split(line)
            with self.subTest(command=line):
                said = self.said_of(*command)
                self.assertRegex(said, "[\u4e00-\u9fff]")
                self.assertEqual(self.english_in(said, command, lists), [], said)

    def test_words_to_choose_from_have_the_mark_of_lists(self):
        for command, list_ in ((("predict", "--precision", "x"), "fp32、tf32、bf16、fp16 或 fp8"), (("nothing-near",), "devices、predict、"),
                               (("einsum", "ij,jk->ik"), "i、j、k"), (("device", "show", "moon"), "没有名为“moon”的设备：请从 v100-")):
            self.assertIn(list_, self.said_of(*command))
        self.assertIn("（a, b）", self.said_of("predict", "--precision", "a, b"))

    def test_every_argument_is_told(self):
        told = 0
        for command in [(), *((name,) for name in commands_of(self.help_of())), *(("plan", name) for name in commands_of(self.help_of("plan")))]:
            arguments = self.help_of(*command).split("位置参数:")
            for line in arguments[1].split("\n\n")[0].splitlines() if len(arguments) > 1 else []:
                if line.strip():
                    self.assertRegex(line, r"^  \S+ +\S", command)
                    told += 1
        self.assertGreater(told, 12)

    def test_progress_and_notes_are_chinese(self):
        terminal = Terminal(self, "train", *SMALL, "--steps", "1e9")
        terminal.read("步/秒")
        terminal.process.send_signal(signal.SIGINT)
        terminal.process.stdout.read()
        self.assertEqual(terminal.process.wait(PATIENCE), 1)
        shown = re.sub(r"\r|\x1b\[K", "\n", terminal.read())
        self.assertEqual([line for line in shown.splitlines() if self.english_in(line, [])], [])
        self.assertRegex(shown, "训练已停止（第 [0-9]+ 步）：")

    def test_what_programs_read_is_the_same_in_every_language(self):
        def said():
            engine = Engine(self, greet=False)
            engine.listen()
            engine.send("hello", version=1)
            engine.send("pause")
            refusal = engine.until("error")
            asked = ("plan", "time", "--parameters", "7e9", "--tokens", "1T", "--devices", 8, "--device", "h100-sxm")
            return refusal["message"], refusal["hint"], self.ok(*asked, "--json"), self.ok(*asked), self.ok("predict", *SMALL)
        chinese = said()
        self.environment["LC_ALL"] = "C.UTF-8"
        self.assertEqual(chinese, said())

    def test_words_that_were_typed_stay_as_they_were_typed(self):
        (self.folder / "memory").write_text("hello", encoding="utf-8")
        typed = [(["open", "memory"], "memory"), (["predict", "--optimizer", "forward"], "(forward)"), (["weights"], "(weights)"),
                 (["plan", "time", "--assume", "memory"], "--assume"), (["train", *SMALL, "--steps", "loss"], "(loss)"),
                 (["plan", "validate", "--use", "memory"], "memory"), (["plan", "solve", "--output", "gradients", "--for", "mfu", "--target", 1],
                                                                     "gradients")]
        for language, brackets in (("zh_CN.UTF-8", "（）"), ("C.UTF-8", "()")):
            self.environment["LC_ALL"] = language
            for command, word in typed:
                with self.subTest(language=language, command=command):
                    self.assertIn(word.replace("(", brackets[0]).replace(")", brackets[1]), self.said_of(*command))

    def test_finds_what_is_english(self):
        text = ("Usage: plumbline-cli plan [OPTIONS]\n\nOptions:\n  -h,--help       Print this help message and exit\n"
                "  --rank X        秩：内部宽度\n  --zero X     级别：devices share\n  cost      显存，energy and money\n")
        self.assertEqual([words for words, _ in self.untold_in(text)],
                         [["Options"], ["Print", "this", "help", "message", "and", "exit"], ["share"],
                          ["energy", "and", "money"]])


if __name__ == "__main__":
    unittest.main()
