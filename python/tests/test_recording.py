# SPDX-License-Identifier: Apache-2.0
"""What `record` promises to the loop that it is put into: phases, modules, and that nothing stays behind."""

from __future__ import annotations

import copy
import errno
import functools
import os
import sys
import tempfile
import unittest
import warnings
from unittest import mock

from support import ops, plumbline, record_training, tensors

import torch
from architectures import (ARCHITECTURES, Decoder, Mlp, Training, autocast, decoder, shard, single_rank, tokens, token_loss,
                           trained, vectors)
from torch.nn import functional as F
from torch.nn.modules import module as nn_module
from torch.optim import optimizer as torch_optimizer


def mlp(seed: int = 0) -> Training:
    torch.manual_seed(seed)
    return trained(Mlp(dropout=0.1), vectors(32, 64, 10), F.cross_entropy)


def hooks_left(model: torch.nn.Module) -> int:
    """Hooks, modes and patches that anybody has set."""
    left = len(nn_module._global_forward_hooks) + len(nn_module._global_forward_pre_hooks)
    left += len(torch_optimizer._global_optimizer_pre_hooks) + len(torch_optimizer._global_optimizer_post_hooks)
    left += sum(len(child._forward_pre_hooks) for child in model.modules())
    left += sum(len(getattr(p, "_post_accumulate_grad_hooks", None) or {}) for p in model.parameters())
    left += torch._C._len_torch_dispatch_stack()
    left += "resize_" in vars(torch.UntypedStorage)
    left += torch.autograd.graph.disable_saved_tensors_hooks.__module__.startswith("plumbline")
    left += torch.cuda.graphs.CUDAGraph.replay.__module__.startswith("plumbline")
    left += torch.get_rng_state.__module__.startswith("plumbline")
    left += torch.autograd.profiler.record_function.__exit__.__module__.startswith("plumbline")
    frames = sys.modules.get("torch._dynamo.eval_frame")
    left += frames is not None and frames.set_eval_frame.__module__.startswith("plumbline")
    left += hasattr(frames, "_stance") and frames._stance.stance != "default"
    return left


def loss_of_all(model, x, target):
    return F.cross_entropy(model(x), target)


class Structure(unittest.TestCase):
    def test_ops_have_phase_and_module(self) -> None:
        document = record_training(decoder())
        phases = [op["phase"] for op in ops(document)]
        first = [phases.index(phase) for phase in ("data", "forward", "loss", "backward", "optimizer")]
        self.assertEqual(first, sorted(first))
        modules = {op["module"] for op in ops(document, phase="forward", kind="aten::mm")}
        self.assertIn("head", modules)
        self.assertIn("blocks.1.attention.q", modules)

    def test_backward_ops_have_the_module_of_their_forward(self) -> None:
        document = record_training(decoder())
        for kind in ("aten::mm", "aten::addmm"):
            for op in ops(document, phase="forward", kind=kind):
                back = [o for o in ops(document, phase="backward", module=op["module"]) if o["is_product"]]
                self.assertEqual(len(back), 2, op["module"])
        attention = ops(document, phase="backward", kind="aten::_scaled_dot_product_flash_attention_for_cpu_backward")
        self.assertEqual({op["module"] for op in attention}, {"blocks.0.attention", "blocks.1.attention"})

    def test_recomputed_ops_are_told_from_backward_ones(self) -> None:
        for kind in ("reentrant", "other"):
            document = record_training(decoder(recompute=kind))
            again = ops(document, phase="recompute", is_product=True)
            self.assertTrue(all(op["module"].startswith("blocks.") for op in again))
            back = [op for op in ops(document, phase="backward", is_product=True)]
            self.assertEqual({op["module"] for op in back if op["module"].startswith("blocks.0.feed")},
                             {"blocks.0.feed_forward.0", "blocks.0.feed_forward.2"})

    def test_a_function_that_is_checkpointed_is_recomputed_too(self) -> None:
        from torch.utils.checkpoint import checkpoint

        class Plain(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.weight = torch.nn.Parameter(torch.randn(16, 16))

            def forward(self, x):
                return checkpoint(lambda y: torch.tanh(y @ self.weight) @ self.weight, x, use_reentrant=False)

        document = record_training(trained(Plain(), lambda: ((torch.randn(8, 16),), torch.randn(8, 16)), F.mse_loss))
        self.assertTrue(ops(document, phase="recompute", kind="aten::mm"))

    def test_wrappers_add_nothing_to_paths(self) -> None:
        training = ARCHITECTURES["DDP"][0]()
        try:
            document = record_training(training)
        finally:
            training.close()
        self.assertIn("0", {op["module"] for op in ops(document, phase="forward")})
        self.assertTrue(all(not op["module"].startswith("module") for op in ops(document)))
        self.assertTrue([op for op in ops(document) if op["kind"].startswith("c10d::allreduce")])
        self.assertTrue(any("one rank of a distributed" in sentence for sentence in document["said"]))

    def test_shards_of_a_model_are_recorded_where_torch_runs_them_and_else_it_is_said(self) -> None:
        model = Mlp()
        close = single_rank()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                shard(model)
            before = hooks_left(model)
            training = trained(model, vectors(32, 64, 10), F.cross_entropy)
            if torch.__version__.startswith("2.4.") and not torch.cuda.is_available():
                with self.assertRaisesRegex(RuntimeError, "CUDA"):
                    training.step()  # torch itself cannot
                with self.assertRaisesRegex(plumbline.RecordingError, "on GPUs alone.* DistributedDataParallel is recorded"):
                    record_training(training)
            else:
                document = record_training(training)
                self.assertTrue(any(sentence.startswith("The model is sharded (FSDP2)") for sentence in document["said"]))
                shards = {row["name"] for row in tensors(document, category="parameters")}
                self.assertEqual(shards, {name for name, _ in model.named_parameters()})
                self.assertTrue(tensors(document, category="optimizer_state", module="3"))
            self.assertEqual(hooks_left(model), before)
            with self.assertRaisesRegex(plumbline.PredictionError, "before it is sharded"):
                plumbline.predict(model, torch.randn(4, 64))
        finally:
            close()

    def test_compiled_code_is_said_wherever_it_runs(self) -> None:
        def sentences(document: dict) -> list[str]:
            return [sentence for sentence in document["said"] if sentence.startswith("torch.compile made")]

        compile_it = functools.partial(torch.compile, backend="eager")
        plain = mlp()
        self.assertEqual(sentences(record_training(plain)), [])
        in_place = mlp()
        in_place.model.compile(backend="eager")
        child = mlp()
        child.model[3].compile(backend="eager")
        (x,), target = vectors(32, 64, 10)()
        loss = compile_it(loss_of_all)
        wrapped = compile_it(plain.model)

        def step_of(run):
            def step() -> None:
                plain.optimizer.zero_grad()
                run().backward()
                plain.optimizer.step()
            return Training(plain.model, plain.optimizer, step)

        cases = {
            "wrapped and given": (trained(compile_it(Mlp()), vectors(32, 64, 10), F.cross_entropy), "Mlp"),
            "in place": (in_place, "Mlp"), "a child in place": (child, "Linear"),
            "wrapped elsewhere": (step_of(lambda: F.cross_entropy(wrapped(x), target)), "Mlp"),
            "a function": (step_of(lambda: loss(plain.model, x, target)), "loss_of_all"),
        }
        for name, (training, told) in cases.items():
            with self.subTest(name):
                document = record_training(training)
                self.assertTrue(document["title"].startswith("Mlp · 26.1 k"), document["title"])
                sentence, = sentences(document)
                self.assertIn(f"({told})", sentence)
                self.assertIn("(pass S and L)", sentence)
                self.assertEqual(document["recording"]["compiled"], [told])
                self.assertEqual(len(ops(document, phase="forward", is_product=True)), 3)
                self.assertIn("3", {op["module"] for op in ops(document, phase="backward", is_product=True)})

    def test_a_compiled_part_that_does_not_run_is_not_said(self) -> None:
        training = mlp()
        training.model[3].idle = torch.nn.Linear(2, 2, bias=False).requires_grad_(False)
        training.model[3].idle.compile(backend="eager")
        document = record_training(training)
        self.assertEqual(document["recording"]["compiled"], [])
        self.assertEqual([sentence for sentence in document["said"] if "torch.compile" in sentence], [])

    def test_compiled_code_runs_compiled_before_between_and_after_the_passes_that_cannot_see_it(self) -> None:
        calls = {"compiled": 0, "run": 0}

        def backend(graph, inputs):
            calls["compiled"] += 1

            def run(*args):
                calls["run"] += 1
                return graph.forward(*args)

            return run

        training = mlp()
        compiled = torch.compile(loss_of_all, backend=backend, fullgraph=True)  # which must not be broken by a pass
        (x,), target = vectors(32, 64, 10)()
        seen = []
        with tempfile.TemporaryDirectory() as folder:
            with plumbline.record(os.path.join(folder, "s"), training.model, training.optimizer, steps=2) as recording:
                for _ in range(7):
                    before = calls["run"]
                    training.optimizer.zero_grad()
                    compiled(training.model, x, target).backward()
                    training.optimizer.step()
                    seen.append(calls["run"] - before)
                    recording.step()
        self.assertEqual(seen, [1, 0, 1, 0, 1, 1, 1])  # W, S, M, L, T, T and one after all
        self.assertEqual(calls["compiled"], 1)

    def test_a_replayed_graph_is_said(self) -> None:
        training = mlp()

        def step() -> None:
            torch.cuda.graphs.CUDAGraph.replay(None)
            training.step()

        with mock.patch.object(torch.cuda.graphs.CUDAGraph, "replay", lambda graph: None) as original:
            document = record_training(Training(training.model, training.optimizer, step))
            self.assertIs(torch.cuda.graphs.CUDAGraph.replay, original)
        self.assertTrue(any(sentence.startswith("1 CUDA graphs were replayed") for sentence in document["said"]))

    def test_autocast_products_count_against_bf16(self) -> None:
        document = record_training(trained(Decoder(), tokens(4, 16, 96), token_loss, around=autocast))
        self.assertEqual(document["product_dtype"], "bf16")

    def test_a_part_of_the_model_that_runs_by_itself_gets_the_batch(self) -> None:
        class Module(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.net = Mlp()

        model = Module()

        def step() -> None:
            (x,), target = vectors(32, 64, 10)()
            F.cross_entropy(model.net(x), target).backward()

        document = record_training(Training(model, torch.optim.SGD(model.parameters(), 0.1), step))
        self.assertEqual(document["samples"], 32)
        self.assertTrue(tensors(document, category="data", role="input"))
        self.assertTrue(any("No optimizer stepped" in sentence for sentence in document["said"]))

    def test_gradient_accumulation_is_one_step(self) -> None:
        torch.manual_seed(0)
        training = mlp()
        batch, loss = vectors(32, 64, 10), F.cross_entropy

        def step() -> None:
            training.optimizer.zero_grad()
            for _ in range(3):
                inputs, target = batch()
                loss(training.model(*inputs), target).backward()
            training.optimizer.step()

        document = record_training(Training(training.model, training.optimizer, step))
        self.assertEqual(document["samples"], 96)
        self.assertEqual(len(ops(document, phase="forward", kind="aten::gelu")), 3)
        self.assertEqual(len({op["phase"] for op in ops(document, kind="aten::randn")}), 1)


class ForeignCode(unittest.TestCase):
    """Steps of a kind that hooks and modes are known to break."""

    def test_a_closure_runs_forward_and_backward_inside_of_the_optimizer(self) -> None:
        model = Mlp()
        optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)
        (x,), t = vectors(8, 64, 10)()

        def step() -> None:
            def closure():
                optimizer.zero_grad()
                value = F.cross_entropy(model(x), t)
                value.backward()
                return value
            optimizer.step(closure)

        document = record_training(Training(model, optimizer, step))
        self.assertEqual({op["phase"] for op in ops(document)}, {"forward", "loss", "backward", "optimizer"})
        self.assertEqual({op["phase"] for op in ops(document, kind="aten::nll_loss_forward")}, {"loss"})

    def test_sparse_gradients_and_two_optimizers(self) -> None:
        model = torch.nn.Sequential(torch.nn.Embedding(100, 16, sparse=True), torch.nn.Flatten(),
                                    torch.nn.Linear(64, 4))
        both = [torch.optim.SparseAdam([model[0].weight]), torch.optim.SGD(model[2].parameters(), 0.1, momentum=0.9)]

        def step() -> None:
            for optimizer in both:
                optimizer.zero_grad()
            F.cross_entropy(model(torch.randint(0, 100, (8, 4))), torch.randint(0, 4, (8,))).backward()
            for optimizer in both:
                optimizer.step()

        document = record_training(Training(model, both, step))
        state = {row["name"] for row in tensors(document, category="optimizer_state")}
        self.assertLessEqual({"0.weight.exp_avg", "2.weight.momentum_buffer"}, state)

    def test_functions_of_ones_own_and_gradients_of_gradients(self) -> None:
        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, grad):
                return 2 * ctx.saved_tensors[0] * grad

        class Layer(torch.nn.Module):
            def forward(self, x):
                return Square.apply(x)

        model = torch.nn.Sequential(torch.nn.Linear(8, 8), Layer(), torch.nn.Linear(8, 1))
        optimizer = torch.optim.SGD(model.parameters(), 0.1)

        def step() -> None:
            optimizer.zero_grad()
            x = torch.randn(4, 8, requires_grad=True)
            value = model(x).sum()
            grad, = torch.autograd.grad(value, x, create_graph=True)
            (value + grad.pow(2).sum()).backward()
            optimizer.step()

        document = record_training(Training(model, optimizer, step))
        self.assertIn("1", {op["module"] for op in ops(document, phase="backward", kind="aten::mul")})
        self.assertEqual(ops(document, phase="recompute"), [])

    def test_function_transforms(self) -> None:
        model = Mlp()
        optimizer = torch.optim.SGD(model.parameters(), 0.1)

        def step() -> None:
            x = torch.randn(4, 64)
            grads = torch.func.grad(lambda p: torch.func.functional_call(model, p, (x,)).sum())(
                dict(model.named_parameters()))
            for name, parameter in model.named_parameters():
                parameter.grad = grads[name].detach()
            optimizer.step()

        document = record_training(Training(model, optimizer, step))
        self.assertTrue(ops(document, is_product=True))

    def test_inference_in_a_step(self) -> None:
        model = Mlp()
        optimizer = torch.optim.SGD(model.parameters(), 0.1)

        def step() -> None:
            for around in (torch.inference_mode, torch.no_grad):
                with around():
                    model(torch.randn(4, 64))
            optimizer.zero_grad()
            model(torch.randn(4, 64)).sum().backward()
            optimizer.step()

        document = record_training(Training(model, optimizer, step))
        self.assertEqual(len(ops(document, phase="forward", module="0", is_product=True)), 3)

    def test_a_profiler_that_runs_is_left_alone(self) -> None:
        training = mlp()
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
            document = record_training(training)
        self.assertTrue(len(profiler.key_averages()) > 5)
        self.assertIsNone(document["memory"]["allocator_peak_bytes"])
        self.assertTrue(any("profiler was running" in sentence for sentence in document["said"]))


class NothingStaysBehind(unittest.TestCase):
    def test_gradients_are_equal_bit_for_bit(self) -> None:
        def train(recorded: bool) -> list[torch.Tensor]:
            training = mlp()
            if recorded:
                record_training(training, warmup=1, steps=1)
            else:
                for _ in range(5):  # to warm up, S, M, L and T
                    training.step()
            random = torch.randn(4)
            return [p.grad for p in training.model.parameters()] + list(training.model.parameters()) + [random]

        for plain, recorded in zip(train(False), train(True)):
            self.assertTrue(torch.equal(plain, recorded))

    def test_no_hook_is_left(self) -> None:
        for automatic in (False, True):
            training = mlp()
            before = hooks_left(training.model)
            with tempfile.TemporaryDirectory() as folder:
                with plumbline.record(os.path.join(folder, "s"), training.model, automatic=automatic) as recording:
                    self.assertEqual(recording.done, False)
                    while not recording.done:
                        training.step()
                        if not automatic:
                            recording.step()
            self.assertEqual(hooks_left(training.model), before)

    def test_hooks_are_there_while_the_structure_is_recorded(self) -> None:
        training = mlp()
        before = hooks_left(training.model)
        with tempfile.TemporaryDirectory() as folder:
            with plumbline.record(os.path.join(folder, "s"), training.model, warmup=0, steps=0) as recording:
                self.assertGreater(hooks_left(training.model), before + 5)
                training.step()
                recording.step()
                self.assertEqual(hooks_left(training.model), before)  # pass M is free of them
                training.step()
                recording.step()
                self.assertGreater(hooks_left(training.model), before + 5)  # pass L has them
                training.step()
                recording.step()

    def test_an_exception_leaves_no_file_and_no_hook(self) -> None:
        for steps_before in (0, 1, 2, 3, 4):
            training = mlp()
            before = hooks_left(training.model)
            with tempfile.TemporaryDirectory() as folder:
                with self.assertRaises(ZeroDivisionError):
                    with plumbline.record(os.path.join(folder, "s"), training.model, training.optimizer) as recording:
                        for _ in range(steps_before):
                            training.step()
                            recording.step()
                        training.step()
                        raise ZeroDivisionError
                self.assertEqual(os.listdir(folder), [])
            self.assertEqual(hooks_left(training.model), before)

    def test_a_place_that_no_file_can_be_written_to_is_refused_before_the_first_step(self) -> None:
        training = mlp()
        before = hooks_left(training.model)
        with tempfile.TemporaryDirectory() as folder:
            for path in (os.path.join(folder, "none", "step.plumb"), folder, "/dev/null"):
                with self.assertRaisesRegex(ValueError, f"cannot write {path} "):
                    with plumbline.record(path, training.model, warmup=0, steps=0):
                        self.fail("a step began")
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual(hooks_left(training.model), before)

    def test_a_disk_that_is_full_ends_no_training(self) -> None:
        for ends_inside in (True, False):  # of the body, or with it
            training = mlp()
            before = hooks_left(training.model)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "step.plumb")
                full = mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
                with full, self.assertWarnsRegex(RuntimeWarning, "free some space.*The training goes on") as warned:
                    with plumbline.record(path, training.model, training.optimizer, warmup=0,
                                          steps=1 if ends_inside else 9) as recording:
                        for _ in range(7):
                            training.step()
                            recording.step()
                self.assertEqual(warned.filename, __file__)
                self.assertTrue(recording.done)
                self.assertTrue(recording.problem.startswith(f"cannot write {path} (No space left on device): free"))
                self.assertEqual(os.listdir(folder), [])
                plumbline.write_step(path, recording.document)
                self.assertEqual(plumbline.read_step(path)["source"], "measured")
            self.assertEqual(hooks_left(training.model), before)

    def test_the_file_lies_where_the_path_led_at_the_beginning(self) -> None:
        training, home = mlp(), os.getcwd()
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
            os.chdir(folder)
            try:
                with plumbline.record("step.plumb", training.model, warmup=0, steps=0) as recording:
                    os.chdir(other)
                    while not recording.done:
                        training.step()
                        recording.step()
            finally:
                os.chdir(home)
            self.assertEqual((os.listdir(folder), os.listdir(other)), (["step.plumb"], []))

    def test_a_model_can_be_copied_afterwards(self) -> None:
        training = mlp()
        record_training(training)
        copy.deepcopy(training.model)


class Semantics(unittest.TestCase):
    def test_a_body_without_steps_says_what_to_do(self) -> None:
        training = mlp()
        with self.assertRaisesRegex(plumbline.RecordingError, "smaller warmup"):
            with plumbline.record("step.plumb", training.model) as recording:
                training.step()
                recording.step()

    def test_what_a_short_body_lacks_is_null(self) -> None:
        training = mlp()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s")
            with plumbline.record(path, training.model, training.optimizer, warmup=0) as recording:
                training.step()
                recording.step()
            document = plumbline.read_step(path)
        self.assertIsNone(document["memory"]["allocator_peak_bytes"])
        self.assertIsNone(document["memory"]["inside_libraries_bytes"])
        self.assertIsNone(document["measured"]["median"])
        self.assertIsNone(document["recording"]["overhead_ratio"])
        self.assertTrue(any("before pass M" in sentence for sentence in document["said"]))

    def test_twenty_steps_are_timed_and_fewer_where_the_training_is_shorter(self) -> None:
        for count, timed in ((30, 20), (9, 5)):
            training = mlp()
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "s")
                with plumbline.record(path, training.model, training.optimizer) as recording:
                    for _ in range(count):
                        training.step()
                        recording.step()
                measured = plumbline.read_step(path)["measured"]
            self.assertEqual((measured["steps"], len(measured["step_seconds"])), (timed, timed))

    def test_times_and_overhead_say_their_pass(self) -> None:
        document = record_training(mlp(), steps=3)
        self.assertEqual((document["measured"]["steps"], document["measured"]["pass"]), (3, "T"))
        self.assertGreater(document["recording"]["pass_s_seconds"], 0)
        self.assertEqual({op["seconds_source"] for op in ops(document)}, {"S"})

    def test_a_decorator_marks_steps_by_the_optimizer(self) -> None:
        training = mlp()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s")

            @plumbline.record(path, training.model, training.optimizer, steps=2)
            def train(count: int) -> int:
                for _ in range(count):
                    training.step()
                return count

            self.assertEqual(train(9), 9)
            document = plumbline.read_step(path)
        self.assertEqual(document["measured"]["steps"], 2)
        self.assertTrue(document["recording"]["automatic"])
        self.assertTrue(ops(document, phase="forward"))
        self.assertTrue(ops(document, phase="optimizer"))

    def test_no_pass_begins_or_ends_inside_of_an_optimizer(self) -> None:
        training, began = mlp(), []

        def begin_pass(recording) -> None:
            frame, names = sys._getframe(1), set()
            while frame is not None:
                names.add(frame.f_code.co_name)
                frame = frame.f_back
            began.append("optimizer_ends" in names)
            original(recording)

        original = plumbline.record._begin_pass
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(plumbline.record, "_begin_pass", begin_pass):
            with plumbline.record(os.path.join(folder, "s"), training.model, automatic=True, steps=2) as recording:
                for _ in range(8):
                    training.step()
        self.assertEqual(recording.document["measured"]["steps"], 2)
        self.assertEqual(began, [False] * 6)

    def test_a_recording_is_used_once(self) -> None:
        training = mlp()
        recording = plumbline.record("step.plumb", training.model)
        with self.assertRaises(plumbline.RecordingError):
            with recording:
                with recording:
                    pass


if __name__ == "__main__":
    unittest.main()
