#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Step time of Plumbline's CPU trainer beside that of eager PyTorch, in one run.

    python3 tests/bench/peers/step_time.py --step-bench build/release/tests/bench/step_bench

Both sides start from the same weights, train on the same batch with the same number of threads, and must
agree in their losses before any time counts. Then they run in turn, ours, theirs, ours, ..., in short blocks;
the ratio is that of the medians over all blocks. Of PyTorch's ways to do a step (fused or foreach optimizer;
for bf16 and fp16: autocast over fp32 parameters, or narrow parameters with fp32 masters) the fastest one counts.
In fp16 both sides scale the loss and look for what is not finite.
--instruction-set avx2 keeps both sides from anything wider, their libraries included.
Writes a table to standard output and, with --json, everything measured to a file.
"""
import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time

if "avx2" in sys.argv:  # read when the libraries are loaded, and by step_bench
    os.environ.update(ATEN_CPU_CAPABILITY="avx2", ONEDNN_MAX_CPU_ISA="AVX2", MKL_ENABLE_INSTRUCTIONS="AVX2")

try:
    import numpy
    import torch
except ImportError:
    sys.exit("step_time.py needs PyTorch and NumPy:\n"
             "    python3 -m pip install torch numpy --index-url https://download.pytorch.org/whl/cpu")

SHAPES = [(64, 64, 4), (256, 256, 8), (1024, 1024, 8), (4096, 1024, 4)]
# Largest difference of two losses as a share of the first one. AdamW's first steps move every weight by the
# sign of its gradient, also where that is rounding error. bf16: the rounding points differ as well.
TOLERANCE = {("fp32", "sgd"): 1e-4, ("fp32", "adamw"): 3e-3, ("bf16", "sgd"): 3e-2, ("bf16", "adamw"): 3e-2,
             ("fp16", "sgd"): 3e-2, ("fp16", "adamw"): 3e-2}
NARROW = {"bf16": torch.bfloat16, "fp16": torch.float16}
LEARNING_RATE = {"sgd": 1e-3, "adamw": 1e-4}


class Ours:
    """step_bench as a child process: one request, one answer."""

    def __init__(self, program, options):
        command = [program]
        for name, value in options.items():
            command += ["--" + name, str(value)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("step_time.py: step_bench ended")
        return json.loads(line)

    def ask(self, request):
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        return self._answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Theirs:
    """Eager PyTorch: L bias-free linears with ReLU, a head, mean squared error."""

    def __init__(self, weights, x, t, precision, optimizer, recipe, fused):
        self.recipe = recipe
        self.narrow = NARROW.get(precision)
        self.scaler = torch.amp.GradScaler("cpu", enabled=precision == "fp16")
        self.name = recipe + ", " + ("fused" if fused else "foreach")
        layers = []
        for weight in weights[:-1]:
            layers += [self._linear(weight), torch.nn.ReLU()]
        layers.append(self._linear(weights[-1]))
        self.model = torch.nn.Sequential(*layers)
        self.x, self.t = x, t
        self.masters = None
        parameters = list(self.model.parameters())
        if recipe == f"{precision} parameters":
            self.masters = [p.detach().clone().requires_grad_() for p in parameters]
            self.model.to(self.narrow)
            self.parameters = list(self.model.parameters())
            self.x = x.to(self.narrow)
            parameters = self.masters
        kind = {"sgd": torch.optim.SGD, "adamw": torch.optim.AdamW}[optimizer]
        self.optimizer = kind(parameters, lr=LEARNING_RATE[optimizer], fused=fused or None,
                              foreach=None if fused else True)

    @staticmethod
    def _linear(weight):
        linear = torch.nn.Linear(weight.shape[0], weight.shape[1], bias=False)
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(weight).t())
        return linear

    def step(self):
        if self.recipe == "autocast":
            with torch.autocast("cpu", dtype=self.narrow):
                y = self.model(self.x)
            loss = torch.nn.functional.mse_loss(y.float(), self.t)
        else:
            loss = torch.nn.functional.mse_loss(self.model(self.x).float(), self.t)
        self.scaler.scale(loss).backward()
        if self.masters is None:
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.optimizer.zero_grad(set_to_none=True)
        else:
            for master, parameter in zip(self.masters, self.parameters):
                master.grad = parameter.grad.float()
                parameter.grad = None
            self.scaler.step(self.optimizer)
            self.scaler.update()
            with torch.no_grad():
                torch._foreach_copy_(self.parameters, self.masters)
        return loss.detach()

    def steps(self, count, clock=time.perf_counter):
        losses, seconds = [], []
        for _ in range(count):
            begin = clock()
            losses.append(self.step())
            seconds.append(clock() - begin)
        return {"losses": [float(loss) for loss in losses], "seconds": seconds}


def peers(weights, x, t, precision, optimizer):
    recipes = ["fp32"] if precision == "fp32" else ["autocast", f"{precision} parameters"]
    made = []
    for recipe in recipes:
        for fused in (True, False):
            try:
                made.append(Theirs(weights, x, t, precision, optimizer, recipe, fused))
            except (RuntimeError, TypeError) as error:
                print(f"  PyTorch cannot do {recipe} with fused={fused}: {error}", file=sys.stderr)
    return made


def read_weights(path, dim, layers):
    flat = numpy.fromfile(path, dtype=numpy.float32)
    square = dim * dim
    return [flat[i * square:(i + 1) * square].reshape(dim, dim) for i in range(layers)] + \
        [flat[layers * square:].reshape(dim, -1)]


def difference(ours, theirs):
    return max(abs(a - b) / abs(theirs[0]) for a, b in zip(ours, theirs))


def quantiles(seconds):
    ordered = sorted(seconds)
    return {name: ordered[min(len(ordered) - 1, int(len(ordered) * q))]
            for name, q in (("median", 0.5), ("p10", 0.1), ("p90", 0.9))}


def measure(args, shape, precision, optimizer, folder):
    batch, dim, layers = shape
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(batch, dim, generator=generator)
    t = x[:, :1] + 0.1 * torch.randn(batch, 1, generator=generator)
    numpy.save(os.path.join(folder, "x.npy"), x.numpy())
    numpy.save(os.path.join(folder, "t.npy"), t.numpy())
    weights_file = os.path.join(folder, "weights.bin")
    ours = Ours(args.step_bench, {
        "batch": batch, "dim": dim, "layers": layers, "activation": "relu", "precision": precision,
        "optimizer": optimizer, "lr": LEARNING_RATE[optimizer], "data": os.path.join(folder, "x.npy"),
        "targets": os.path.join(folder, "t.npy"), "threads": args.threads, "weights-out": weights_file,
        **instruction_set_of(args)})
    theirs = peers(read_weights(weights_file, dim, layers), x, t, precision, optimizer)

    our_losses = ours.ask(f"steps {args.check}")["losses"]
    worst = 0.0
    for peer in theirs:
        apart = difference(our_losses, peer.steps(args.check)["losses"])
        worst = max(worst, apart)
        if not apart <= TOLERANCE[precision, optimizer]:
            sys.exit(f"step_time.py: the losses differ by {apart:.1e} ({shape}, {precision}, {optimizer}, "
                     f"{peer.name}): no time is compared")

    def steps_for(seconds_per_step):
        return max(3, min(1000, int(args.block / seconds_per_step)))

    ours_key = "seconds" if args.clock == "wall" else "cpu_seconds"
    clock = clock_of(args)
    our_block = steps_for(min(ours.ask("steps 3")["seconds"]))
    their_blocks = [steps_for(min(peer.steps(3)["seconds"])) for peer in theirs]
    our_seconds, their_seconds = [], [[] for _ in theirs]
    for _ in range(args.rounds):
        for peer, count, seconds in zip(theirs, their_blocks, their_seconds):
            our_seconds += ours.ask(f"steps {our_block}")[ours_key]
            time.sleep(args.pause)  # threads of either side may still spin for a moment
            seconds += peer.steps(count, clock)["seconds"]
            time.sleep(args.pause)
    our_seconds += ours.ask(f"steps {our_block}")[ours_key]
    profile = ours.ask(f"profile {max(5, our_block // 4)}") if args.profile else None
    about = ours.about
    ours.close()

    best = min(range(len(theirs)), key=lambda i: quantiles(their_seconds[i])["median"])
    our, their = quantiles(our_seconds), quantiles(their_seconds[best])
    result = {
        "batch": batch, "dim": dim, "layers": layers, "precision": precision, "optimizer": optimizer,
        "loss_difference": worst, "ours": our, "theirs": their, "their_way": theirs[best].name,
        "all_of_theirs": {peer.name: quantiles(s) for peer, s in zip(theirs, their_seconds)},
        "ratio": our["median"] / their["median"], "matmul_flops": about["matmul_flops"],
        "ratio_of_p10": our["p10"] / their["p10"],
        "our_flop_per_s": about["matmul_flops"] / our["median"]}
    if profile:
        result["ops"] = profile["ops"]
    return result


def instruction_set_of(args):
    return {"instruction-set": args.instruction_set} if args.instruction_set else {}


def clock_of(args):
    return time.perf_counter if args.clock == "wall" else time.process_time


def their_gemm(clock, size=2048, repeats=5):
    a, b, c = (torch.randn(size, size) for _ in range(3))
    best = float("inf")
    for left, right in ((a, b), (a, b.t()), (a.t(), b)):
        for _ in range(repeats):
            begin = clock()
            torch.mm(left, right, out=c)
            best = min(best, clock() - begin)
    return 2 * size**3 / best


def table(document):
    peak = document["peaks"]
    best_gemm = max(peak["gemm_flop_per_s"], peak["their_gemm_flop_per_s"])
    lines = [
        f"fp32 multiply-adds in registers {peak['fma_flop_per_s'] / 1e9:.0f} GFLOP/s, best 2048^3 product "
        f"{peak['gemm_flop_per_s'] / 1e9:.0f} (ours) and {peak['their_gemm_flop_per_s'] / 1e9:.0f} (PyTorch)",
        "",
        "| B, D, L | dtype | optimizer | ours ms (p10..p90) | PyTorch ms (p10..p90) | its fastest way | ratio "
        "| share of GEMM peak |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in document["results"]:
        def spread(side):
            return (f"{row[side]['median'] * 1e3:.3g} ({row[side]['p10'] * 1e3:.3g}.."
                    f"{row[side]['p90'] * 1e3:.3g})")
        lines.append(f"| {row['batch']}, {row['dim']}, {row['layers']} | {row['precision']} | "
                     f"{row['optimizer']} | {spread('ours')} | {spread('theirs')} | {row['their_way']} | "
                     f"{row['ratio']:.2f} | {row['our_flop_per_s'] / best_gemm * 100:.0f} % |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step-bench", required=True, help="the program step_bench of a release build")
    parser.add_argument("--json", help="write everything that was measured to this file")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--check", type=int, default=20, help="steps whose losses are compared first (20)")
    parser.add_argument("--rounds", type=int, default=5, help="blocks of each way to do a step (5)")
    parser.add_argument("--block", type=float, default=0.25, help="seconds of a block (0.25)")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between blocks (0.05)")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall",
                        help="cpu: processor time, for --threads 1 on a machine that others use as well")
    parser.add_argument("--instruction-set", choices=["avx2"], help="nothing wider, on both sides")
    parser.add_argument("--only", help="B,D,L[;B,D,L...]: these sizes only")
    parser.add_argument("--precisions", default="fp32,bf16")
    parser.add_argument("--optimizers", default="sgd,adamw")
    parser.add_argument("--profile", action="store_true", help="also our seconds per op, into the JSON")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.set_float32_matmul_precision("highest")
    shapes = [tuple(map(int, s.split(","))) for s in args.only.split(";")] if args.only else SHAPES

    probe = Ours(args.step_bench, {"dim": 64, "layers": 1, "batch": 64, "threads": args.threads,
                                   **instruction_set_of(args)})
    document = {"peaks": probe.ask("peaks" if args.clock == "wall" else "peaks 1"), "torch": torch.__version__, "threads": args.threads,
                "clock": args.clock, "instruction_set": torch.backends.cpu.get_cpu_capability(), "results": []}
    probe.close()
    time.sleep(args.pause)
    document["peaks"]["their_gemm_flop_per_s"] = their_gemm(clock_of(args))
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes:
            for precision in args.precisions.split(","):
                for optimizer in args.optimizers.split(","):
                    load = os.getloadavg()[0]
                    row = measure(args, shape, precision, optimizer, folder)
                    row["load_before"] = load
                    document["results"].append(row)
                    gc.collect()
                    print(f"  {shape} {precision} {optimizer}: {row['ratio']:.2f}, load {load:.1f}",
                          file=sys.stderr)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
    print(table(document))


if __name__ == "__main__":
    main()
