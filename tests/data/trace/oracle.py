#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of a trace by their definitions, as simply as they can be worked out: oracle.py TRACE...

Prints what expected.json holds (the figures of the traces beside it); tests/cli/test_open.py holds the program to it.
Nothing here is quick: unions are sweeps over all ends, the op around a launch is looked for among all.
"""

import gzip
import json
import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

GPU = {"kernel": "kernel", "Kernel": "kernel", "gpu_memcpy": "copy", "Memcpy": "copy", "gpu_memset": "memset", "Memset": "memset"}
COMMUNICATION = re.compile(r"nccl|rccl|all_?reduce|all_?gather|reduce_?scatter|SendRecv|multimem|nvshmem|deep_?ep", re.I)
BY_OP = (("communication", r"^nccl:|^c10d::"), ("attention", r"scaled_dot_product|flash|efficient_attention"),
         ("convolution", r"convolution"), ("gemm", r"^aten::.*mm$|^aten::linear$"), ("optimizer", r"_foreach_|_fused_adam"))
BY_NAME = (("communication", COMMUNICATION.pattern), ("memory", r"^(hip)?Mem(cpy|set)"),
           ("attention", r"flash|fmha|sdpa|attn_(fwd|bwd)|attention|mha_"),
           ("convolution", r"scudnn|conv(?!ert)|[wd]grad|winograd|implicit_gemm|fprop|cask_cudnn|nchwTo|im2col|miopen|igemm"),
           ("gemm", r"gemm|gemv|cutlass|cublas|xmma|nvjet|^Cijk|splitKreduce|bmm_|^triton_(tem|mm)|dot_kernel|wmma"),
           ("norm", r"(layer|rms|batch|group)_?norm|bn_(fw|bw)|GammaBeta|RowwiseMoments"),
           ("softmax/loss", r"soft_?max|nll_loss|cross_entropy|cunn_"),
           ("index", r"embedding|index|gather|scatter|CatArray|split_|take"),
           ("optimizer", r"multi_tensor_apply|adam(?!s)|lamb(?!da)"), ("reduce/sort", r"reduce|scan|sort|topk|cub::|thrust"),
           ("random", r"distribution|philox|dropout"), ("triton", r"^triton_"),
           ("elementwise", r"elementwise|vectorized|at::native|copy|fill"))
TENSOR_CORES = re.compile(r"s\d+gemm|h\d+gemm|xmma|tensorop|hmma|imma|wgmma|nvjet|sm(70|75|80|89|90|100)_.*gemm|_mma_|ck_.*xdl", re.I)
SHORT_GAP = 5000


def first_match(table, text, flags):
    return next((name for name, pattern in table if re.search(pattern, text, flags)), None)


def nanoseconds(value):
    return int((Decimal(value) * 1000).quantize(Decimal(1), ROUND_HALF_UP))


class Slice:
    def __init__(self, event):
        self.name, self.category = str(event.get("name", "")), event.get("cat", "")
        self.begin, self.end = nanoseconds(event["ts"]), nanoseconds(event["ts"]) + nanoseconds(event.get("dur", 0))
        self.place, self.args = (event.get("pid"), event.get("tid")), event.get("args", {})
        self.device, self.stream = (int(self.args.get(key, event.get(other, -1))) if self.category in GPU else -1
                                    for key, other in (("device", "pid"), ("stream", "tid")))

    duration = property(lambda self: self.end - self.begin)

    def holds(self, other):
        return self.place == other.place and self.begin <= other.begin and other.end <= self.end and self is not other


def union(slices, low=None, high=None):
    ends = []
    for piece in slices:
        begin = piece.begin if low is None else max(piece.begin, low)
        end = piece.end if high is None else min(piece.end, high)
        if end > begin:
            ends += [(begin, 1), (end, -1)]
    total, depth, before = 0, 0, None
    for time, change in sorted(ends):
        if depth > 0:
            total += time - before
        depth, before = depth + change, time
    return total


def quantile(values, percent):
    return sorted(values)[(len(values) - 1) * percent // 100] if values else 0


def gaps(work, launch_of):
    """Idle time by cause before each piece of work that begins after all before it have ended."""
    causes = dict.fromkeys(("host_wait", "kernel_wait", "other", "unknown"), 0)
    end = None
    for piece in sorted(work, key=lambda piece: (piece.begin, -piece.end)):
        if end is not None and piece.begin > end:
            launch, gap = launch_of(piece), piece.begin - end
            cause = ("unknown" if launch is None else "host_wait" if launch.begin > end else
                     "kernel_wait" if gap < SHORT_GAP else "other")
            causes[cause] += gap
        end = piece.end if end is None else max(end, piece.end)
    return causes


def longest_queue(work, launch_of):
    changes = []
    for piece in work:
        launch = launch_of(piece)
        if launch is not None:
            changes += [(launch.begin, 1), (max(piece.end, launch.begin), -1)]
    length = most = 0
    for _, change in sorted(changes):
        length += change
        most = max(most, length)
    return most


def figures(path):
    text = (gzip.open if str(path).endswith(".gz") else open)(path, "rt").read()
    document = json.loads(text, parse_float=str, strict=False)
    events = document if isinstance(document, list) else document["traceEvents"]
    slices = [Slice(event) for event in events if event.get("ph") == "X"]
    launches, ops = {}, [piece for piece in slices if piece.category in ("cpu_op", "Operator") and not
                         re.match(r"ProfilerStep#|Optimizer\.|enumerate\(DataLoader\)", piece.name)]
    optimizers = [piece for piece in slices if piece.name.startswith("Optimizer.step#")]
    for piece in sorted((piece for piece in slices if piece.category in ("cuda_runtime", "cuda_driver", "Runtime")),
                        key=lambda piece: piece.begin):
        if piece.args.get("correlation"):
            launches.setdefault(piece.args["correlation"], piece)
    launch_of = lambda piece: launches.get(piece.args.get("correlation"))
    work = [piece for piece in slices if piece.category in GPU]

    def category(piece):
        found = first_match(BY_NAME, piece.name, re.I) or "other"
        launch = launch_of(piece)
        if launch is None or GPU[piece.category] != "kernel":
            return found
        around = [op for op in ops if op.holds(launch)]
        by_op = first_match(BY_OP, min(around, key=lambda op: op.duration).name, 0) if around else None
        if by_op and (by_op == "communication" or found != "communication"):
            found = by_op
        if any(step.holds(launch) for step in optimizers) and found != "communication":
            found = "optimizer"
        return found

    categories, kernels, devices = {}, {}, []
    for piece in work:
        categories[category(piece)] = categories.get(category(piece), 0) + piece.duration
        if GPU[piece.category] == "kernel":
            count, total = kernels.get(piece.name, (0, 0))
            kernels[piece.name] = (count + 1, total + piece.duration)
    for device in sorted({piece.device for piece in work}):
        mine = [piece for piece in work if piece.device == device]
        kernels_here = [piece for piece in mine if GPU[piece.category] == "kernel"]
        talking = [piece for piece in kernels_here if COMMUNICATION.search(piece.name)]
        computing = [piece for piece in kernels_here if not COMMUNICATION.search(piece.name)]
        latencies = [max(0, piece.begin - launch_of(piece).end) for piece in mine if launch_of(piece)]
        busy, length = union(mine), max(piece.end for piece in mine) - min(piece.begin for piece in mine)
        by_stream = {stream: [piece for piece in mine if piece.stream == stream] for stream in {piece.stream for piece in mine}}
        devices.append({
            "id": device, "kernels": len(kernels_here), "busy_ns": busy, "idle_ns": length - busy,
            "overlap_percent": 100 * (union(talking) + union(computing) - union(kernels_here)) / union(talking) if talking else None,
            "streams": len(by_stream), "idle_by_ns": gaps(mine, launch_of),
            "median_latency_ns": quantile(latencies, 50), "p90_latency_ns": quantile(latencies, 90),
            "short_kernels": sum(launch_of(piece) is not None and piece.duration < launch_of(piece).duration for piece in kernels_here),
            "tensor_core_percent_by_name": 100 * sum(piece.duration for piece in kernels_here if TENSOR_CORES.search(piece.name)) /
                                           max(1, sum(piece.duration for piece in kernels_here)),
            "by_stream": [{"stream": stream, "busy_ns": union(own), "idle_by_ns": gaps(own, launch_of),
                           "longest_queue": longest_queue(own, launch_of)} for stream, own in sorted(by_stream.items())]})
    steps = sorted((piece for piece in slices if piece.name.startswith("ProfilerStep#") and piece.category not in ("gpu_user_annotation",)),
                   key=lambda piece: piece.begin)
    first = [piece for piece in work if piece.device == devices[0]["id"]] if devices else []
    rows, last_end = [], None
    for i, step in enumerate(steps):
        end = steps[i + 1].begin if i + 1 < len(steps) else step.end
        ends = [piece.end for piece in first if launch_of(piece) and step.begin <= launch_of(piece).begin < end]
        busy = union(first, step.begin, end)
        rows.append({"name": step.name, "start_ns": step.begin, "duration_ns": step.duration, "busy_ns": busy,
                     "idle_ns": end - step.begin - busy,
                     "gpu_duration_ns": max(ends) - last_end if ends and last_end is not None else None})
        last_end = max(ends) if ends else None
    top = sorted(kernels.items(), key=lambda item: (-item[1][1], item[0]))
    return {"events": len(events), "steps": rows, "devices": devices, "categories": categories,
            "top_kernels": [{"name": name, "count": count, "total_ns": total} for name, (count, total) in top]}


def main():
    print(json.dumps({Path(path).name: figures(path) for path in sys.argv[1:]}, indent=1))


if __name__ == "__main__":
    main()
