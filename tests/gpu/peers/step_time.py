#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of one training step of the deep linear model in PyTorch on a GPU, in the ways that it has.

    step_time.py --modes MODE,... --precision fp32|tf32|bf16|fp16|fp8 --optimizer sgd|adamw --dim D --layers L --batch B
    step_time.py --losses FOLDER --lr LR ...

    eager      as written                          compile    torch.compile of forward, loss and backward
    graph      the whole step as one CUDA graph    autotune   torch.compile(mode="max-autotune"), optimizer too

bf16, fp16: autocast over fp32 parameters, or MODE-parameters for narrow parameters with fp32 masters; fp16 with GradScaler.
fp8: torch._scaled_mm on E4M3 operands (gradients E5M2), each scaled by its own amax, bf16 between them. Bias-free linears with ReLU and a
head of one output, mean squared error, fused optimizer, gradients set to none, random data on the device. Blocks of
steps between two events, at least 20 of them and 50 steps and one second of warm-up. Prints one JSON document a line, each as soon as
its mode is done or has failed. Exit 3 where PyTorch or a GPU is missing.

--losses: no times, but the losses of some steps as written, from the weights (weights.safetensors) and the data (x.npy,
t.npy) of FOLDER: what is compared has to be the same training first.
"""

import argparse
import gc
import json
import pathlib
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print("PyTorch is not installed", file=sys.stderr)
    sys.exit(3)

WARM_UP_STEPS, WARM_UP_SECONDS, BLOCKS, BLOCK_SECONDS = 50, 1.0, 20, 0.1


NARROW = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp8": torch.bfloat16}
LOSS_SCALE = 65536.0  # GradScaler's first one


def in_fp8(values, dtype):
    """`values` under the scale at which the largest of them is the format's largest number, and what undoes it."""
    most = torch.finfo(dtype).max
    scale = most / values.abs().amax().float().clamp(min=1e-12)
    return (values.float() * scale).clamp(-most, most).to(dtype), scale.reciprocal()


class Fp8Product(torch.autograd.Function):
    """x W^T in fp8, as its gradients. The library reads the second operand by columns: each of them needs a transpose."""

    @staticmethod
    def forward(context, x, weight):
        (x8, x_scale), (w8, w_scale) = in_fp8(x, torch.float8_e4m3fn), in_fp8(weight, torch.float8_e4m3fn)
        context.save_for_backward(x8, x_scale, w8, w_scale)
        return torch._scaled_mm(x8, w8.t(), x_scale, w_scale, out_dtype=torch.bfloat16, use_fast_accum=True)

    @staticmethod
    def backward(context, gradient):
        x8, x_scale, w8, w_scale = context.saved_tensors
        g8, g_scale = in_fp8(gradient, torch.float8_e5m2)
        of_x = torch._scaled_mm(g8, w8.t().contiguous().t(), g_scale, w_scale, out_dtype=torch.bfloat16)
        of_weight = torch._scaled_mm(g8.t().contiguous(), x8.t().contiguous().t(), g_scale, x_scale, out_dtype=torch.bfloat16)
        return of_x, of_weight.float()


class Fp8Linear(torch.nn.Linear):
    def forward(self, x):
        return Fp8Product.apply(x, self.weight)


class Model(torch.nn.Module):
    def __init__(self, dim, layers, kind=torch.nn.Linear):
        super().__init__()
        self.layers = torch.nn.ModuleList(kind(dim, dim, bias=False) for _ in range(layers))
        self.head = torch.nn.Linear(dim, 1, bias=False)
        for layer in [*self.layers, self.head]:
            torch.nn.init.normal_(layer.weight, std=dim ** -0.5)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


class Training:
    def __init__(self, options):
        self.options = options
        torch.manual_seed(0)
        torch.backends.cuda.matmul.allow_tf32 = options.precision == "tf32"
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
        self.narrow = NARROW.get(options.precision)
        self.model = Model(options.dim, options.layers,
                           Fp8Linear if options.precision == "fp8" else torch.nn.Linear).to(options.device)
        self.scaler = torch.amp.GradScaler(options.device, init_scale=LOSS_SCALE, enabled=options.precision == "fp16")
        parameters = list(self.model.parameters())
        self.masters = None
        dtype = torch.float32
        if options.recipe == "parameters":
            self.masters = [p.detach().clone().requires_grad_() for p in parameters]
            self.model.to(self.narrow)
            self.parameters = list(self.model.parameters())
            parameters = self.masters
            dtype = self.narrow
        elif options.precision == "fp8":
            dtype = torch.bfloat16
        kind = {"sgd": torch.optim.SGD, "adamw": torch.optim.AdamW}[options.optimizer]
        more = {"capturable": True} if options.optimizer == "adamw" and options.mode != "eager" else {}
        self.optimizer = kind(parameters, lr=options.lr, fused=True, **more)
        self.x = torch.randn(options.batch, options.dim, device=options.device).to(dtype)
        self.t = torch.randn(options.batch, 1, device=options.device)

    def loss(self, x, t):
        if self.narrow and self.masters is None:
            with torch.autocast(self.options.device, dtype=self.narrow):
                y = self.model(x)
        else:
            y = self.model(x)
        return torch.nn.functional.mse_loss(y.float(), t)

    def update(self):
        for master, parameter in zip(self.masters or (), self.parameters if self.masters else ()):
            master.grad = parameter.grad.float()
        self.scaler.step(self.optimizer)  # fused ones look at what is not finite on the device, without a wait
        self.scaler.update()
        if self.masters is not None:
            with torch.no_grad():
                torch._foreach_copy_(self.parameters, self.masters)
        self.clear()

    def clear(self):
        self.optimizer.zero_grad(set_to_none=True)
        if self.masters is not None:
            for parameter in self.parameters:
                parameter.grad = None

    def whole(self, loss_of, update):
        loss = loss_of(self.x, self.t)
        self.scaler.scale(loss).backward()
        update()
        return loss.detach()


def graphed(step):
    """`step` captured as one CUDA graph, after it ran on a side stream."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(5):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()

    def replay():
        graph.replay()
        return loss
    return replay


def step_of(training, mode):
    if mode == "eager":
        return lambda: training.whole(training.loss, training.update)
    if mode == "graph":
        return graphed(lambda: training.whole(training.loss, training.update))
    if mode == "compile":
        loss_of = torch.compile(training.loss, fullgraph=True, dynamic=False)
        return graphed(lambda: training.whole(loss_of, training.update))
    # Kernels by max-autotune without its own graphs, the whole step as one graph around them.
    loss_of = torch.compile(training.loss, fullgraph=True, dynamic=False, mode="max-autotune-no-cudagraphs")
    update = torch.compile(training.update) if training.masters is None else training.update
    try:
        return graphed(lambda: training.whole(loss_of, update))
    except Exception as error:  # the optimizer's compilation may not be capturable: without it, then
        print(f"autotune: the optimizer stays as it is ({error})", file=sys.stderr)
        torch._dynamo.reset()
        loss_of = torch.compile(training.loss, fullgraph=True, dynamic=False, mode="max-autotune-no-cudagraphs")
        return graphed(lambda: training.whole(loss_of, training.update))


def timed(step):
    loss = step()
    torch.cuda.synchronize()
    first = float(loss)
    begin = time.perf_counter()
    count = 0
    while count < WARM_UP_STEPS or time.perf_counter() - begin < WARM_UP_SECONDS:
        step()
        count += 1
        if count % 10 == 0:
            torch.cuda.synchronize()
        if time.perf_counter() - begin > 10:
            break
    torch.cuda.synchronize()
    each = (time.perf_counter() - begin) / count
    steps = max(1, round(BLOCK_SECONDS / each))
    gc.collect()
    gc.disable()
    seconds = []
    for _ in range(BLOCKS):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(steps):
            step()
        end.record()
        end.synchronize()
        seconds.append(start.elapsed_time(end) * 1e-3 / steps)
    seconds.sort()
    return {"first_loss": first, "seconds": statistics.median(seconds), "p10": seconds[len(seconds) // 10],
            "p90": seconds[len(seconds) * 9 // 10], "steps_per_block": steps, "blocks": BLOCKS,
            "peak_allocated_bytes": torch.cuda.max_memory_allocated(),
            "peak_reserved_bytes": torch.cuda.max_memory_reserved()}


def matrix_library():
    """The file of cuBLASLt that this process has loaded: both sides of a comparison are to use the same."""
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        if "libcublasLt.so" in line:
            return str(pathlib.Path(line.split(maxsplit=5)[5]).resolve())
    return None


MODES = ("eager", "graph", "compile", "autotune")


def timed_mode(options, name):
    options.mode, _, recipe = name.partition("-")
    options.recipe = recipe or "autocast"
    if options.mode not in MODES or options.recipe not in ("autocast", "parameters") or \
            (options.recipe == "parameters" and options.precision not in ("bf16", "fp16")):
        raise ValueError(f"unknown mode ({name})")
    gc.enable()
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    return timed(step_of(Training(options), options.mode))


LOSS_STEPS = 20


def numbers(content, offset, shape):
    """fp32 numbers of a file's content as a tensor."""
    count = 1
    for size in shape:
        count *= size
    return torch.frombuffer(bytearray(content[offset:offset + 4 * count]), dtype=torch.float32).reshape(shape)


def weights_of(path):
    """The fp32 weights of a .safetensors file by name; masters stand in for narrower ones."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + size])
    found = {name: numbers(content, 8 + size + entry["data_offsets"][0], entry["shape"])
             for name, entry in header.items() if name != "__metadata__" and entry["dtype"] == "F32"}
    return {name.removeprefix("master."): value for name, value in found.items()
            if name.startswith("master.") or f"master.{name}" not in found}


def losses(options):
    """Of the first steps, before each update."""
    folder = pathlib.Path(options.losses)
    options.mode, options.recipe = "eager", "autocast"
    training = Training(options)
    weights = weights_of(folder / "weights.safetensors")
    with torch.no_grad():
        for name, layer in [*((f"layers.{i}.weight", layer) for i, layer in enumerate(training.model.layers)),
                            ("head.weight", training.model.head)]:
            layer.weight.copy_(weights[name].T)  # stored as rows of inputs
    for name, target, width in (("x.npy", training.x, options.dim), ("t.npy", training.t, 1)):
        target.copy_(numbers((folder / name).read_bytes(), 128, (options.batch, width)))  # 128: of its header
    return [float(training.whole(training.loss, training.update)) for _ in range(LOSS_STEPS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modes", default="eager")
    parser.add_argument("--losses", metavar="FOLDER")
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda", help="cpu: for --losses alone")
    parser.add_argument("--precision", choices=("fp32", "tf32", "bf16", "fp16", "fp8"), required=True)
    parser.add_argument("--optimizer", choices=("sgd", "adamw"), required=True)
    for size in ("dim", "layers", "batch"):
        parser.add_argument(f"--{size}", type=int, required=True)
    options = parser.parse_args()
    if options.device == "cuda" and not torch.cuda.is_available():
        print("PyTorch finds no GPU", file=sys.stderr)
        return 3
    if options.losses:
        print(json.dumps({"losses": losses(options), "torch": torch.__version__}))
        return 0
    about = {**vars(options), "torch": torch.__version__, "cuda": torch.version.cuda,
             "device": torch.cuda.get_device_name(0)}
    failed = 0
    for name in options.modes.split(","):
        result = {**about, "name": name}
        try:
            result.update(timed_mode(options, name))
            result["cublaslt"] = matrix_library()
        except Exception as error:  # the other modes go on; an error of the device ends them all
            result["failed"] = f"{type(error).__name__}: {error}"[:600]
            failed += 1
        print(json.dumps(result), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
