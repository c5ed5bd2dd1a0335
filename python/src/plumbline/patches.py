# SPDX-License-Identifier: Apache-2.0
"""Functions of torch that recordings put their own in place of, and hooks. Each returns what takes it out again."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Optional

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from .storages import StorageTable

Undo = Callable[[], None]


def resizing(storages: StorageTable) -> Undo:
    """FSDP empties storages and fills them again by resize_(), which is no op: the table is told."""
    original = torch.UntypedStorage.resize_

    def resize_(storage, size):
        result = original(storage, size)
        storages.resized(storage)
        return result

    torch.UntypedStorage.resize_ = resize_  # hides what the class inherits
    return lambda: delattr(torch.UntypedStorage, "resize_")


def generator_state(note: Callable[[torch.Tensor], None]) -> Undo:
    """Checkpointing keeps the state of the random numbers, 5056 bytes for each call, which no op makes."""
    original = torch.get_rng_state

    def get_rng_state():
        state = original()
        note(state)
        return state

    torch.get_rng_state = get_rng_state
    return lambda: setattr(torch, "get_rng_state", original)


def disabling_of_saved_tensors(saved: torch.autograd.graph.saved_tensors_hooks, pack: Callable[..., Any]) -> Undo:
    """torch.func refuses to run under saved-tensor hooks: those of the recording are away while it does."""
    original = torch.autograd.graph.disable_saved_tensors_hooks

    @contextlib.contextmanager
    def disable_saved_tensors_hooks(message):
        ask = getattr(torch._C._autograd, "_top_saved_tensors_default_hooks", None)
        top = (pack,) if ask is None else ask(True)  # torch 2.4 does not tell: the user's are rare
        ours = top is not None and top[0] == pack
        if ours:
            saved.__exit__(None, None, None)
        try:
            with original(message):
                yield
        finally:
            if ours:
                saved.__enter__()

    torch.autograd.graph.disable_saved_tensors_hooks = disable_saved_tensors_hooks
    return lambda: setattr(torch.autograd.graph, "disable_saved_tensors_hooks", original)


def graph_replays(note: Callable[[], None]) -> Undo:
    """A replayed CUDA graph runs ops that nobody sees: that it happened is told."""
    owner = torch.cuda.graphs.CUDAGraph
    original = owner.replay

    def replay(graph):
        note()
        return original(graph)

    owner.replay = replay
    return lambda: setattr(owner, "replay", original)


def backward_roots(note: Callable[[Any], None]) -> Undo:
    """backward() says what it begins from: a tensor of one element, or None for anything else. Backward passes inside of
    another (reentrant checkpointing) say nothing."""
    original = torch.autograd.backward

    def backward(tensors, grad_tensors=None, *rest, **options):
        if torch._C._current_graph_task_id() == -1:
            roots = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
            given = grad_tensors if grad_tensors is not None else options.get("grad_variables")
            given = [given] if given is None or isinstance(given, torch.Tensor) else list(given)
            alone = len(roots) == 1 and roots[0].numel() == 1 and all(gradient is None for gradient in given)
            note(roots[0] if alone else None)
        return original(tensors, grad_tensors, *rest, **options)

    torch.autograd.backward = backward
    return lambda: setattr(torch.autograd, "backward", original)


def scaled_losses(note: Callable[[torch.Tensor, torch.Tensor], None]) -> Undo:
    """GradScaler multiplies the loss before backward(): both are told."""
    owner = torch.amp.GradScaler
    original = owner.scale

    def scale(scaler, outputs):
        result = original(scaler, outputs)
        if isinstance(outputs, torch.Tensor):
            note(outputs, result)
        return result

    owner.scale = scale
    return lambda: setattr(owner, "scale", original)


def ends_of_optimizer_steps(note: Callable[[], None]) -> Undo:
    """Each step() of an optimizer ends with the end of its record_function(), behind its hooks: then it is told.

    A profiler that begins or ends between the two, in a hook, sees half of that stretch; torch 2.15 crashes at some of them.
    """
    owner = torch.autograd.profiler.record_function
    original = owner.__exit__

    def leave(stretch, *error):
        result = original(stretch, *error)
        if stretch.name.startswith("Optimizer.step#"):
            note()
        return result

    owner.__exit__ = leave
    return lambda: setattr(owner, "__exit__", original)


def optimizer_steps(begins: Callable[[torch.optim.Optimizer], None], ends: Callable[[torch.optim.Optimizer], None],
                    left: Optional[Callable[[], None]] = None) -> Undo:
    """Each step() of an optimizer is told as it begins, when its work is done, and when it was left."""
    handles = (register_optimizer_step_pre_hook(lambda optimizer, *rest: begins(optimizer)),
               register_optimizer_step_post_hook(lambda optimizer, *rest: ends(optimizer)))
    leave = None if left is None else ends_of_optimizer_steps(left)

    def undo() -> None:
        for handle in handles:
            handle.remove()
        if leave is not None:
            leave()

    return undo


def compiled_calls(note: Callable[[str], None]) -> Undo:
    """What torch.compile made runs as the eager code that it was made of, and its name is told.

    A dispatch mode sees nothing inside of compiled code. Newer versions of torch run it as eager code then by themselves,
    but raise where fullgraph=True was asked for; 2.4 compiles the recorder with it, and never runs the compiled code again.
    """
    frames = sys.modules.get("torch._dynamo.eval_frame")
    if frames is None:  # nobody has compiled anything
        return lambda: None

    def tell(callback: Any) -> None:
        if callable(callback):
            note(_compiled_name(sys._getframe(2)))

    if hasattr(frames, "_callback_from_stance"):
        ask, stance = frames._callback_from_stance, frames._set_stance(frames.DynamoStance("force_eager"))

        def callback_from_stance(callback):
            tell(callback)
            return ask(callback)

        frames._callback_from_stance = callback_from_stance

        def undo() -> None:
            frames._callback_from_stance = ask
            frames._set_stance(stance)

        return undo

    set_eval_frame = frames.set_eval_frame

    def set_none(callback):
        tell(callback)
        return set_eval_frame(None if callable(callback) else callback)

    frames.set_eval_frame = set_none
    return lambda: setattr(frames, "set_eval_frame", set_eval_frame)


def _compiled_name(frame: Any) -> str:
    """The class of the module, or the function, that the wrapper in this frame was made of."""
    made_of = frame.f_locals.get("fn")
    while hasattr(made_of, "__wrapped__"):
        made_of = made_of.__wrapped__
    owner = getattr(made_of, "__self__", made_of)
    if isinstance(owner, torch.nn.Module):
        return type(owner).__name__
    return getattr(made_of, "__qualname__", None) or "code without a name"
