#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the compiled device code against what is said of it, without a device.

    check.py CUOBJDUMP ARCHITECTURE OBJECT...      e.g. check.py cuobjdump sm_90 element_kernels.cu.o

Of every kernel it holds:
- no number of a thread lies in memory for want of registers (a stack frame, LDL and STL in the machine code);
- the main loop moves each tensor in accesses as wide as it can: 16 bytes of fp32, 8 of bf16 that goes beside fp32;
  anything narrower stands outside of it, where the ends of a tensor are;
- a kernel that may start before the one in front of it has ended waits before it touches memory or ends; before sm_90
  none waits;
- fp8 is converted by the instructions for it where the architecture has them, and nowhere else; eight finite numbers
  (fp8_probe.cu) and the main loop of a cast to fp8 take no more instructions than rules.py says;
- sums over the threads of a warp go from register to register by shuffles, where they are small (rules.py says which are);
- what nobody observes costs nothing: the main loop of a kernel that looks at nothing is shorter than that of the one
  that looks at all;
- enough is asked of the memory at a time to keep it busy, as far as that can be known without a device;
- sums and products are not contracted: no `fma` in the PTX, and every `add`, `sub` and `mul` says how it is rounded
  (with a rounding of its own ptxas may not contract it). The machine code is no place to look for that: a division,
  a square root and a division of integers are made of FFMA there;

The table has a line for each kind of kernel, over all of its kernels: `registers` of a thread; `shared` memory of a
block in bytes; `blocks` of 256 threads that a multiprocessor holds (8 is all that there is room for) and what bounds
them; `in flight`, the bytes that all threads of a multiprocessor ask for before they wait; `needed`, what the memory
delivers in 600 ns (rules.py: assumed); `instructions` in all, which says something about compile time.

Registers bound nearly all of it. Updates hold the addresses of up to six tensors, the constants of the rule and the
sums that a step reports; what they have too few warps for, several packs at once make up. Casts and masks have the code
of all epilogues; the head's weight gradient accumulates 32 numbers; the synthetic task computes random numbers and
waits for no memory. On sm_80 memories are slow enough for a block less (kernels/cuda/launch.cuh).

Prints each finding; exits 1 when there is one, 77 where cuobjdump, or nvdisasm beside it, is not there.
"""

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import rules
from dumps import Kernel, read_arithmetic, read_code, read_usage


def wanted_accesses(streams):
    return Counter([("load", bits) for bits in streams.loads] + [("store", bits) for bits in streams.stores])


def main_loops(streams, code):
    wanted = wanted_accesses(streams)
    loops = [loop for loop in code.loops
             if all(loop.accesses[access] >= count for access, count in wanted.items())]
    # A loop around a main loop may hold a copy of it, for the rounds that do not fill an unrolled one.
    return [loop for loop in loops
            if not any(other is not loop and loop.first <= other.first and other.last <= loop.last
                       for other in loops)]


def loop_findings(streams, code):
    """Why no loop of a kernel is the main loop that it should have."""
    wanted = wanted_accesses(streams)
    allowed = {*wanted, *((kind, bits) for kind in ("load", "store") for bits in streams.extra)}
    loops = main_loops(streams, code)
    if not loops:
        best = max(code.loops, key=lambda loop: sum((loop.accesses & wanted).values()), default=None)
        return [f"no loop has the accesses {text(wanted)}; nearest: {text(best.accesses if best else Counter())}"]
    return [f"the loop at {loop.first:#x} has {count} {kind}s of {bits} bits"
            for loop in loops for (kind, bits), count in sorted(loop.accesses.items()) if (kind, bits) not in allowed]


def text(accesses):
    return ", ".join(f"{count} {kind}s of {bits} bits" for (kind, bits), count in sorted(accesses.items())) or "none"


def findings_of(kernel, usage, code, architecture):
    """Sentences about what is wrong with a kernel."""
    found = []
    if (usage.stack or usage.local) and kernel.body not in rules.MAY_HAVE_A_FRAME:
        found.append(f"a thread has {usage.stack + usage.local} bytes of memory of its own")
    if code.spills and kernel.body not in rules.MAY_HAVE_A_FRAME:
        found.append(f"{code.spills} accesses to memory of a thread's own")
    found += wait_findings(kernel, code, architecture)
    found += fp8_findings(kernel, code, architecture)
    found += sum_findings(kernel, code)
    streams = rules.streams_of(kernel)
    if streams is None:
        if kernel.body not in rules.NOT_STREAMING:
            found.append("nothing is said of it in rules.py")
        return found
    found += loop_findings(streams, code)
    needed = needed_bytes(architecture)
    waits = not rules.MAY_WAIT.isdisjoint({kernel.rule, kernel.name})
    if streams.ahead and in_flight(kernel, usage, architecture) < needed and not waits:
        found.append(f"{in_flight(kernel, usage, architecture)} bytes in flight, {needed} needed")
    return found


def wait_findings(kernel, code, architecture):
    """Whether a kernel of a body (kernels/cuda/launch.cuh) waits for those in front of it where it starts early."""
    if not (architecture.starts_early and kernel.body.endswith("Body")):
        return ["waits for kernels in front of it, which it cannot overtake"] if code.wait >= 0 else []
    if code.wait < 0:
        return ["starts early and does not wait for what is in front of it"]
    if 0 <= code.touch < code.wait:
        return [f"touches memory or ends at {code.touch:#x}, before it waits at {code.wait:#x}"]
    return []


def sum_findings(kernel, code):
    """Whether what a kernel adds up over a warp goes through registers."""
    least = rules.least_shuffles(kernel)
    if least is None:
        return ["nothing is said of its sums in rules.py"]
    return [] if code.shuffles >= least else [f"{code.shuffles} shuffles, {least} at least: it adds up through memory"]


def fp8_findings(kernel, code, architecture):
    """Whether numbers are converted to and from fp8 as the architecture can, and in how many instructions."""
    if architecture.converts_fp8 and not code.fp8 and not {"e4m3", "e5m2"}.isdisjoint(kernel.storages):
        return ["has no instruction that converts fp8"]
    if kernel.body == "storeEight" and architecture.converts_fp8:
        return [] if 0 < code.way <= architecture.most_to_convert else [
            f"{code.way} instructions for eight finite numbers, {architecture.most_to_convert} at most"]
    most = rules.MOST_INSTRUCTIONS[architecture.converts_fp8].get(kernel.name)
    if most is None:
        return []
    wide = max((loop.instructions for loop in code.loops if loop.accesses["store", 64] == 2), default=0)
    return [] if 0 < wide <= most else [f"{wide} instructions in the main loop, {most} at most"]


def tally_findings(kernels, codes):
    """Kernels that look at none of their numbers, whose main loops are no shorter than those of the twins that do."""
    def main_loop(symbol):
        streams = rules.streams_of(kernels[symbol])
        return max((loop.instructions for loop in main_loops(streams, codes[symbol])), default=0)

    observing = {(kernel.body, *kernel.storages): symbol for symbol, kernel in kernels.items()
                 if kernel.tallies == "all" and symbol in codes}
    for symbol, kernel in kernels.items():
        twin = observing.get((kernel.body, *kernel.storages))
        if kernel.tallies == "" and symbol in codes and twin and main_loop(symbol) >= main_loop(twin):
            yield (f"{kernel.name}: {main_loop(symbol)} instructions in the main loop, {main_loop(twin)} in that of the "
                   "kernel that looks at all")


def in_flight(kernel, usage, architecture):
    blocks, _ = rules.resident_blocks(architecture, usage)
    return blocks * rules.THREADS * rules.streams_of(kernel).ahead


def needed_bytes(architecture):
    return round(architecture.bandwidth * rules.LATENCY)


def arithmetic_findings(found):
    """`found` by symbol, from read_arithmetic()."""
    lines = []
    for symbol, operations in found.items():
        kernel = Kernel.of(symbol)
        if (kernel.body if kernel else symbol) not in rules.MAY_CONTRACT:
            what = ", ".join(f"{count} {operation}" for operation, count in sorted(operations.items()))
            lines.append(f"{kernel.name if kernel else symbol}: may be contracted or is not exact: {what}")
    return lines


def span(values):
    values = sorted(set(values))
    return str(values[0]) if len(values) == 1 else f"{values[0]}-{values[-1]}"


def table(kernels, usages, codes, architecture):
    lines = [f"{'kernels':26}{'count':>6}{'registers':>11}{'shared':>13}{'blocks':>8}  {'bound by':15}"
             f"{'in flight':>13}{'needed':>8}{'instructions':>14}"]
    for body in sorted({kernel.body for kernel in kernels.values()}):
        symbols = [symbol for symbol, kernel in kernels.items() if kernel.body == body]
        resident = [rules.resident_blocks(architecture, usages[symbol]) for symbol in symbols]
        least = min(resident)
        flights = [in_flight(kernels[symbol], usages[symbol], architecture) for symbol in symbols
                   if rules.streams_of(kernels[symbol])]
        flights = [number for number in flights if number]
        lines.append(f"{body.removesuffix('Body'):26}{len(symbols):6}"
                     f"{span(usages[symbol].registers for symbol in symbols):>11}"
                     f"{span(usages[symbol].shared for symbol in symbols):>13}"
                     f"{span(blocks for blocks, _ in resident):>8}  {least[1]:15}"
                     f"{span(flights) if flights else '':>13}{needed_bytes(architecture) if flights else '':>8}"
                     f"{sum(codes[symbol].instructions for symbol in symbols):14}")
    return lines


class Lacking(Exception):
    """A program that is needed is not there."""


def dumped(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if "nvdisasm" in done.stderr:
        raise Lacking("nvdisasm, which cuobjdump needs, is not on the path; by itself it is nvidia-cuda-nvdisasm of PyPI")
    done.check_returncode()
    return done.stdout.splitlines()


def main():
    tool, name, *objects = sys.argv[1:]
    if not tool or tool.endswith("NOTFOUND"):
        print("skipped: cuobjdump is not there; it comes with the CUDA Toolkit, and by itself as the package "
              "nvidia-cuda-cuobjdump of PyPI; name it with -DPLUMBLINE_CUOBJDUMP=")
        return 77
    try:
        return judged(tool, name, objects)
    except Lacking as lacking:
        print(f"skipped: {lacking}")
        return 77


def judged(tool, name, objects):
    """Exit status, after all that was found was printed."""
    architecture = rules.ARCHITECTURES[name]
    usages, codes, arithmetic = {}, {}, {}
    with ThreadPoolExecutor(2) as pool:
        def dump(path):
            usage = read_usage(dumped([tool, "--dump-resource-usage", "-arch", name, path]))
            code = read_code(dumped([tool, "-sass", "-arch", name, path]))
            return usage, code, read_arithmetic(dumped([tool, "-ptx", "-arch", name, path]))
        for usage, code, found in pool.map(dump, objects):
            usages |= usage
            codes |= code
            arithmetic |= found
    kernels = {symbol: Kernel.of(symbol) for symbol in usages}
    bad = []
    for symbol, kernel in kernels.items():
        if kernel is None or symbol not in codes:
            bad.append(f"{symbol}: not understood")
            continue
        bad += [f"{kernel.name}: {sentence}"
                for sentence in findings_of(kernel, usages[symbol], codes[symbol], architecture)]
    bad += tally_findings({symbol: kernel for symbol, kernel in kernels.items() if kernel}, codes)
    bad += arithmetic_findings(arithmetic)
    if len(kernels) < 100:
        bad.append(f"only {len(kernels)} kernels in {len(objects)} files")
    if not any(codes[symbol].loops for symbol in codes):
        bad.append("no loop anywhere: the dump is not understood")
    print(f"{name}: {len(kernels)} kernels")
    print("\n".join(table({s: k for s, k in kernels.items() if k and s in codes}, usages, codes, architecture)))
    print("\n".join(bad) if bad else "no findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
