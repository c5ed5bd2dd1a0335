#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the traces beside it that nobody recorded: make_traces.py [FOLDER]

A small simulation: threads of the host call ops, ops launch work, streams run it in order. Times are nanoseconds.
cuda.json.gz: three steps of a transformer-like model on two streams and a communication stream, stacks, memory.
old_2021.json: names, fields and absolute whole microseconds of torch 1.8. rocm.json: device 4, some numbers as texts.
array.json: a bare array that is never closed, with B and E. broken.json: what broken writers made.
ranks/rank0.json.gz to rank3.json.gz: three steps of four ranks of eight, with clocks of their own. planted.json beside them
says what is in them: a rank whose products are slow, the offsets of clocks, a collective that one rank lacks.
"""

import gzip
import json
import random
import sys
from pathlib import Path

GEMM = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_kernel__5x_cublas"
FLASH = "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4> >(pytorch_flash::Flash_fwd_params)"
ADD = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3> >"
NORM = "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float)"
ADAM = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4> >"
REDUCE = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
MAIN, AUTOGRAD, PROCESS = 4211, 4377, 4211


class Simulation:
    """Two threads that take turns, and streams."""

    def __init__(self, seed, device=0, stacks=True):
        self.random, self.device, self.stacks = random.Random(seed), device, stacks
        self.now, self.correlation, self.sequence, self.free, self.allocated = 1_000_000, 10, 0, {}, 0
        self.events, self.modules = [], []

    def add(self, category, name, thread, begin, end, args=None, process=PROCESS):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread, "ts": begin,
                            "dur": end - begin, "args": args or {}})

    def spend(self, low, high):
        self.now += self.random.randint(low, high)

    def span(self, category, name, thread, body, **args):
        """`body` runs within the slice."""
        begin = self.now
        self.spend(300, 900)
        body()
        self.spend(200, 800)
        self.add(category, name, thread, begin, self.now, dict(args))

    def module(self, name, body):
        if not self.stacks:
            return body()
        return self.span("python_function", f"nn.Module: {name}", MAIN, body, **{"Python id": 1, "Python module id": 0})

    def work(self, category, name, stream, duration, thread, call="cudaLaunchKernel", early=0, **args):
        """A launch on the host and what it starts on a stream."""
        begin = self.now
        self.spend(2500, 9000)
        self.correlation += 1
        self.add("cuda_driver" if call.startswith("cu") and call[2].isupper() else "cuda_runtime", call, thread, begin,
                 self.now, {"cbid": 211, "correlation": self.correlation})
        self.put(category, name, stream, duration, self.correlation, early, **args)

    def put(self, category, name, stream, duration, correlation, early=0, **args):
        start = max(self.now + self.random.randint(800, 2600), self.free.get(stream, 0) + self.random.randint(300, 1500) - early)
        end = start + duration
        self.free[stream] = max(self.free.get(stream, 0), end)
        self.add(category, name, stream, start, end, {"External id": correlation + 1000, "device": self.device, "context": 1,
                                                      "stream": stream, "correlation": correlation, **args},
                 process=self.device)

    def wait(self, call="cudaDeviceSynchronize"):
        begin = self.now
        self.now = max([self.now + 2000] + [end + 1500 for end in self.free.values()])
        self.add("cuda_runtime", call, MAIN, begin, self.now, {"cbid": 165})

    def memory(self, size):
        self.allocated += size
        self.events.append({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": PROCESS, "tid": MAIN,
                            "ts": self.now, "args": {"Total Reserved": 20 << 20, "Total Allocated": self.allocated,
                                                     "Bytes": size, "Addr": 140_000_000, "Device Id": self.device,
                                                     "Device Type": 1}})

    def op(self, name, thread, body, **args):
        self.span("cpu_op", name, thread, body, **{"Record function id": 0, **args})

    def forward(self, layers):
        def linear(layer):
            number = self.sequence
            self.sequence += 1
            self.modules.append(number)
            inner = {"Sequence number": number, "Fwd thread id": 0, "Input Dims": [[512, 1024], [1024, 1024]]}
            self.op("aten::linear", MAIN, lambda: self.op("aten::addmm", MAIN, lambda: self.work(
                "kernel", GEMM, 7, self.random.randint(6000, 60000), MAIN, "cuLaunchKernelEx"), **inner))
            self.memory(512 * 2048)

        def block(layer):
            self.module(f"LayerNorm_{layer}", lambda: self.op("aten::layer_norm", MAIN, lambda: self.work(
                "kernel", NORM, 7, self.random.randint(2000, 7000), MAIN)))
            self.module(f"Linear_{layer}", lambda: linear(layer))
            self.op("aten::scaled_dot_product_attention", MAIN, lambda: self.op(
                "aten::_flash_attention_forward", MAIN, lambda: self.work(
                    "kernel", FLASH, 7, self.random.randint(8000, 30000), MAIN, early=2000)))
            self.op("aten::add", MAIN, lambda: self.work("kernel", ADD, 7, self.random.randint(1500, 5000), MAIN))

        self.module("Model_0", lambda: [self.module(f"Block_{layer}", lambda layer=layer: block(layer))
                                        for layer in range(layers)])

    def backward(self, layers):
        for number in reversed(self.modules[-layers:]):
            link = {"Sequence number": number, "Fwd thread id": 1}
            self.op("autograd::engine::evaluate_function: AddmmBackward0", AUTOGRAD, lambda: self.op(
                "AddmmBackward0", AUTOGRAD, lambda: [self.op("aten::mm", AUTOGRAD, lambda: self.work(
                    "kernel", GEMM, 7, self.random.randint(8000, 50000), AUTOGRAD)) for _ in range(2)], **link), **link)
            self.op("nccl:all_reduce", AUTOGRAD, lambda: self.work(
                "kernel", REDUCE, 20, self.random.randint(20000, 70000), AUTOGRAD, **{
                    "Collective name": "allreduce", "In msg nelems": 1048576, "Group size": 8}))
            self.memory(-512 * 2048)

    def step(self, number, layers):
        def body():
            self.span("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", MAIN,
                      lambda: self.spend(20000, 120000))
            self.op("aten::copy_", MAIN, lambda: self.work("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 16, 21000, MAIN,
                                                           "cudaMemcpyAsync", bytes=1048576))
            self.forward(layers)
            self.op("aten::zero_", MAIN, lambda: self.work("gpu_memset", "Memset (Device)", 7, 1200, MAIN, "cudaMemsetAsync",
                                                           bytes=4096))
            self.backward(layers)
            self.span("user_annotation", "Optimizer.step#AdamW.step", MAIN, lambda: self.op(
                "aten::_fused_adamw_", MAIN, lambda: self.work("kernel", ADAM, 7, 40000, MAIN)))
            self.op("aten::mul", MAIN, lambda: self.work("kernel", ADD, 7, 2000, MAIN))
            self.wait()
        self.span("user_annotation", f"ProfilerStep#{number}", MAIN, body)
        self.spend(500, 3000)

    def graph(self):
        """One launch that replays four kernels."""
        begin = self.now
        self.spend(8000, 12000)
        self.correlation += 1
        self.add("cuda_runtime", "cudaGraphLaunch", MAIN, begin, self.now, {"cbid": 311, "correlation": self.correlation})
        for node in range(4):
            self.put("kernel", GEMM, 7, 5000, self.correlation, **{"graph id": 1, "graph node id": node})


def micro(nanoseconds):
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03d}"


def line(event, time=micro):
    """As Kineto writes it: digits that are no float, names as they are."""
    head = ", ".join(f"{json.dumps(key)}: {json.dumps(event[key])}" for key in ("ph", "cat", "s", "name", "pid", "tid") if key in event)
    times = ", ".join(f'"{key}": {time(event[key])}' for key in ("ts", "dur") if key in event)
    return "  {\n    " + head + ",\n    " + times + ",\n    \"args\": " + json.dumps(event["args"]) + "\n  }"


def cuda():
    simulation = Simulation(1)
    for number in (4, 5, 6):
        simulation.step(number, 6)
    simulation.graph()
    simulation.correlation += 1
    simulation.put("kernel", ADD, 7, 3000, simulation.correlation)  # its launch was before the recording
    events = [line(event) for event in simulation.events]
    for event in simulation.events:
        if "correlation" in event["args"]:
            phase = "f" if event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset") else "s"
            events.append(f'  {{\n    "ph": "{phase}", "id": {event["args"]["correlation"]}, "pid": {event["pid"]}, "tid": '
                          f'{event["tid"]}, "ts": {micro(event["ts"])},\n    "cat": "ac2g", "name": "ac2g", "bp": "e"\n  }}')
    random.Random(2).shuffle(events)
    return ('{\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {\n      "id": 0, "name": "Invented GPU", '
            '"totalGlobalMem": 85899345920, "numSms": 132\n    }\n  ],\n  "distributedInfo": {"backend": "nccl", "rank": 3, '
            '"world_size": 8},\n  "displayTimeUnit": "ms",\n  "baseTimeNanoseconds": 1759157112000000000,\n  "traceEvents": [\n'
            + ",\n".join(events) + '\n  ],\n  "traceName": "cuda.json"\n}\n')


OLD = {"cpu_op": "Operator", "user_annotation": "Operator", "kernel": "Kernel", "gpu_memcpy": "Memcpy", "gpu_memset": "Memset",
       "cuda_runtime": "Runtime", "cuda_driver": "Runtime"}


def old_2021():
    simulation = Simulation(3, stacks=False)
    for number in (1, 2):
        simulation.step(number, 2)
    events = []
    for event in simulation.events:
        event = dict(event, cat=OLD.get(event["cat"], event["cat"]), ts=(event["ts"] + 1_623_142_623_460_172_000) // 1000 * 1000,
                     args=dict(event["args"]))
        if "dur" in event:
            event["dur"] = event["dur"] // 1000 * 1000
        if "External id" in event["args"]:  # the trap: it merely repeats the correlation
            event["args"].pop("External id")
            event["args"]["external id"] = event["args"]["correlation"]
        events.append(line(event, lambda value: str(value // 1000)))
    return '{\n  "schemaVersion": 1,\n  "traceEvents": [\n' + ",\n".join(events) + "\n]}\n"


def rocm():
    simulation = Simulation(4, device=4, stacks=False)
    simulation.step(0, 2)
    events = []
    for event in simulation.events:
        args = dict(event["args"])
        args.pop("context", None)
        if event["cat"] == "cuda_runtime":
            args = {"cid": 211, "kernel": "k", "size": "4096", "kind": "2", **args}
        if "stream" in args:
            args["stream"] = str(args["stream"])
        events.append(line(dict(event, name=event["name"].replace("cuda", "hip").replace(GEMM, "Cijk_Alik_Bljk_BBS_BH_MT64x64x64"),
                                args=args)))
    return '{\n  "traceEvents": [\n' + ",\n".join(events) + '\n  ],\n  "hip_runtime_version": 60200000\n}\n'


def array():
    return ('[{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "renderer"}},\n'
            '{"ph": "B", "name": "frame", "pid": 1, "tid": "main", "ts": 1000},\n'
            '{"ph": "B", "name": "layout", "pid": 1, "tid": "main", "ts": 1200.25},\n'
            '{"ph": "E", "pid": 1, "tid": "main", "ts": 1500},\n'
            '{"ph": "E", "pid": 1, "tid": "main", "ts": 2000},\n'
            '{"ph": "E", "pid": 1, "tid": "main", "ts": 2100},\n'
            '{"ph": "C", "name": "heap", "pid": 1, "ts": 1900, "args": {"bytes": 512}},\n'
            '{"ph": "X", "name": "paint", "pid": 1, "tid": "main", "ts": 2200, "dur": 300},\n')


def broken():
    whole = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "args": {}}
    lines = [line(dict(whole, ts=1000 * i, dur=500)) for i in range(10)]
    quoted = lines[3].replace("aten::mm", 'said "yes" twice')
    path = lines[5].replace('"args": {}', r'"args": {"file": "C:\models\new\"}')
    infinite = lines[7].replace('"dur": 0.500', '"dur": inf')
    negative = lines[8].replace('"dur": 0.500', '"dur": -0.500')
    events = lines[:3] + [quoted, lines[4], path, lines[6], infinite, negative, lines[9][:40]]
    return ('{\n  "schemaVersion": 1,\n  "user": "a "quoted" word",\n  "traceEvents": [\n' + ",\n".join(events))


PLANTED = {"straggler": 2, "slower_ns": 9000, "offsets_ns": [0, 1_250_000_000, -40_000_000, 777], "jitter_ns": 1500,
           "lacks": {"rank": 1, "sequence": 206}, "layers": 4, "steps": 3, "world_size": 8}


def play_ranks():
    """Simulations of the ranks: each layer's gradient is reduced while the next one is computed."""
    layers, offsets, slow = PLANTED["layers"], PLANTED["offsets_ns"], PLANTED["straggler"]
    simulations = [Simulation(20 + rank, stacks=False) for rank in range(len(offsets))]
    draw, sequence = random.Random(7), 200
    for rank, simulation in enumerate(simulations):
        simulation.now += offsets[rank] + 2_000_000_000

    def compute(rank, name, duration, op):
        simulation = simulations[rank]
        simulation.op(op, MAIN, lambda: simulation.work("kernel", name, 7, duration, MAIN))
        return simulation.free[7]

    for number in range(PLANTED["steps"]):
        begins = [simulation.now for simulation in simulations]
        ready = [[] for _ in simulations]
        for rank in range(len(simulations)):
            extra = PLANTED["slower_ns"] if rank == slow else 0
            for _ in range(layers):
                compute(rank, GEMM, 30_000, "aten::addmm")
            for _ in range(layers):
                ready[rank].append(compute(rank, GEMM, 60_000 + extra, "aten::mm"))
        for layer in range(layers):
            # Of the true clock: what each one's own says less its offset.
            arrivals = [max(ready[rank][layer], simulation.free.get(20, 0)) - offsets[rank] + draw.randint(500, 900)
                        for rank, simulation in enumerate(simulations)]
            end = max(arrivals) + 25_000
            for rank, simulation in enumerate(simulations):
                lacks = PLANTED["lacks"] == {"rank": rank, "sequence": sequence}
                begin, last = arrivals[rank] + offsets[rank], end + offsets[rank] + draw.randint(0, PLANTED["jitter_ns"])
                simulation.correlation += 1
                call = begins[rank] + 1000 + 3000 * layer
                simulation.add("cuda_driver", "cuLaunchKernelEx", AUTOGRAD, call, call + 2000,
                               {"cbid": 1, "correlation": simulation.correlation})
                simulation.free[20] = last
                if not lacks:
                    simulation.add("kernel", REDUCE, 20, begin, last, {
                        "device": 0, "context": 1, "stream": 20, "correlation": simulation.correlation,
                        "Collective name": "allreduce", "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20,
                        "Group size": PLANTED["world_size"], "dtype": "BFloat16", "Process Group Name": "0",
                        "Process Group Description": "default_pg",
                        "Process Group Ranks": str(list(range(PLANTED["world_size"]))), "Seq": sequence}, process=0)
            sequence += 1
        for rank, simulation in enumerate(simulations):
            simulation.free[7] = max(simulation.free.values())
            simulation.span("user_annotation", "Optimizer.step#AdamW.step", MAIN,
                            lambda rank=rank: compute(rank, ADAM, 20_000, "aten::_fused_adamw_"))
            simulation.wait()
            simulation.add("user_annotation", f"ProfilerStep#{number}", MAIN, begins[rank], simulation.now)
            simulation.spend(500, 900)
    return simulations


def ranks(folder):
    folder.mkdir(exist_ok=True)
    for rank, simulation in enumerate(play_ranks()):
        text = ('{\n  "schemaVersion": 1,\n  "distributedInfo": {"backend": "nccl", "rank": ' + str(rank) +
                f', "world_size": {PLANTED["world_size"]}, "nccl_version": "2.27.5"}},\n'
                '  "baseTimeNanoseconds": 1759157112000000000,\n  "traceEvents": [\n' +
                ",\n".join(line(event) for event in simulation.events) + "\n  ]\n}\n")
        (folder / f"rank{rank}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    (folder / "planted.json").write_text(json.dumps(PLANTED, indent=1) + "\n")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    with open(folder / "cuda.json.gz", "wb") as file:
        file.write(gzip.compress(cuda().encode(), 9, mtime=0))
    for make in (old_2021, rocm, array, broken):
        (folder / f"{make.__name__}.json").write_text(make())
    ranks(folder / "ranks")


if __name__ == "__main__":
    main()
