# SPDX-License-Identifier: Apache-2.0
"""What is expected of the code of each device kernel, and what a multiprocessor has room for."""

from dataclasses import dataclass

BYTES = {"fp32": 4, "tf32": 4, "bf16": 2, "fp16": 2, "e4m3": 1, "e5m2": 1}
STATES = {"sgd": 0, "momentum": 1, "nesterov": 1, "adagrad": 1, "rmsprop": 1, "rmsprop-m": 2, "rmsprop-c": 2,
          "rmsprop-cm": 3, "adam": 2, "adam-ams": 3, "adamw": 2, "adamw-ams": 3, "lion": 1, "adafactor": 0}
THREADS = 256


@dataclass(frozen=True)
class Architecture:
    shared: int  # bytes of a multiprocessor, of which every block takes 1 KiB more than it asks for
    usage_has_reserve: bool  # whether cuobjdump's SHARED contains that
    bandwidth: float  # bytes/s of memory for each multiprocessor of the fastest device, from data sheets
    converts_fp8: bool = True  # by instructions; from compute capability 8.9 on
    starts_early: bool = True  # kernels, before those in front of them have ended; from 9.0 on
    most_to_convert: int = 24  # instructions of the conversion of eight finite numbers, below


# CUDA C++ Programming Guide, "Compute Capabilities"; 64 warps and 65536 registers on all three. A100 80GB SXM
# 2.039 TB/s over 108 multiprocessors, H200 4.8 TB/s over 132, B200 8 TB/s over 148.
ARCHITECTURES = {
    "sm_80": Architecture(164 << 10, False, 2.039e12 / 108, False, False),
    "sm_90": Architecture(228 << 10, True, 4.8e12 / 132),
    "sm_100": Architecture(228 << 10, True, 8.0e12 / 148, most_to_convert=40),
}
# From request to answer of a memory that is busy. Assumed, not measured: reports of unloaded latencies are at 450 to
# 600 ns. What has to be on its way to keep a memory busy is this times its bandwidth.
LATENCY = 600e-9

# Instructions of the main loop of a cast to fp8, two times eight numbers with the code of every epilogue and of what is
# not finite, by whether the architecture converts by itself; steps that are observed count more of the numbers.
MOST_INSTRUCTIONS = {False: {"Encode<bf16, e4m3, all>": 1230, "Encode<bf16, e5m2, all>": 1330},
                     True: {"Encode<bf16, e4m3, all>": 1050, "Encode<bf16, e5m2, all>": 1170,
                            "Encode<bf16, e4m3, amax>": 870, "Encode<bf16, e5m2, amax>": 990}}

# Of the conversion of eight finite numbers to fp8 alone (fp8_probe.cu), from the last load to the store: four that convert,
# eight that look for what is not finite, a branch around that and a few moves. In software it is 124 and 140 (sm_90).
# For sm_100 the compiler (nvcc 13.0) takes the codes apart before the branch already: 39 and 40.


def resident_blocks(architecture, usage):
    """Blocks of 256 threads that fit on a multiprocessor, and what there is not more of."""
    per_warp = (usage.registers * 32 + 255) // 256 * 256
    warps = 65536 // per_warp // 4 * 4  # each quarter of the multiprocessor has its own quarter of the registers
    shared = usage.shared + (0 if architecture.usage_has_reserve else 1024)
    limits = {"threads": 2048 // THREADS, "registers": warps // (THREADS // 32),
              "shared memory": architecture.shared // max(shared, 1024)}
    bound = min(limits, key=lambda name: limits[name])
    return limits[bound], bound


@dataclass(frozen=True)
class Streams:
    """The accesses of one thread in one round of a kernel's main loop, in bits."""
    loads: tuple = ()
    stores: tuple = ()
    extra: tuple = ()  # others that may stand beside them: words of masks, what lies in a cache
    ahead: int = 0  # bytes that a thread has asked for before it needs the first of them


def runs(numbers, storage):
    """How `numbers` neighbours are moved: in as few accesses as there can be, of at most 16 bytes."""
    bits = 8 * numbers * BYTES[storage]
    return (128,) * (bits // 128) if bits >= 128 else (bits,)


def pack_of(source, target):
    return 4 if max(BYTES[source], BYTES[target]) == 4 else 8


def result_of(storage):
    """How the gradient of h is stored."""
    return {"tf32": "fp32", "e4m3": "e5m2"}.get(storage, storage)


def update(kernel):
    weight, gradient = kernel.storages
    states = (128,) * STATES[kernel.rule]
    # Whether there are masters is known when it runs: the code of both ways is there.
    own = runs(4, "fp32") if weight == "fp32" else runs(4, "fp32") + runs(4, weight)
    least = 16 * len(states) + 4 * BYTES[gradient] + 4 * BYTES[weight]
    # As UpdateBody::kAtOnce.
    adafactor = kernel.rule == "adafactor"
    blocks = 2 if not adafactor and (BYTES[weight] == 1 or len(states) == 3 or least <= 32) else 3
    wanted = -(-32768 // (THREADS * blocks))
    at_once = min(2 if adafactor else 6, -(-wanted // least))
    return Streams((states + runs(4, gradient) + own) * at_once, (states + own) * at_once,
                   (32,) if adafactor else (), least * at_once)


def streams_of(kernel):
    """What the main loop of a kernel moves; None where there is nothing that many threads would stream."""
    body, storages = kernel.body, kernel.storages
    if body == "UpdateBody":
        return update(kernel)
    if body == "GradientBody":
        return Streams((128,) * 4, ahead=64)
    if body == "AdafactorRowsBody":
        weight, gradient = storages
        # Eight rows at a time; with and without masters.
        ends = (8 * BYTES[weight], 8 * BYTES[gradient], 32)
        return Streams(runs(4, gradient) * 8, (), (128, *runs(4, weight), *ends),
                       32 * (BYTES[gradient] + BYTES[weight]))
    if body == "AdafactorNormBody":
        return Streams((128,) * 4, (), (32,), 64)
    if body in ("EncodeBody", "ReluBitsBody"):
        # Two packs at a time; words of masks, and what the epilogue needs beside.
        source, target = storages[0], storages[-1]
        pack = pack_of(source, target)
        return Streams(runs(pack, source) * 2, runs(pack, target) * 2, (32, *runs(pack, target)),
                       2 * pack * BYTES[source])
    if body == "LossBody":
        return Streams((128, 128), runs(4, storages[0]), (), 32)
    if body == "ChainLossBody":
        output = {"e5m2": "e4m3"}.get(storages[0], storages[0])
        return Streams((*runs(4, output), 128), runs(4, storages[0]), (), 16 + 4 * BYTES[output])
    if body == "LoadBody":
        return Streams((128,), runs(4, storages[0]), (), 16)
    if body == "FillBody":
        return Streams((), (128, *runs(4, storages[0])))
    if body == "SynthesiseBody":
        return Streams((), runs(4, storages[0]), (8 * BYTES[storages[0]], 32))
    if body == "ConstantBody":
        return Streams((), (128,))
    if body in ("HeadForwardBody", "HeadWeightGradientBody"):
        # The other operand is a number of each row or column, which lies in a cache.
        ahead = 32 if body == "HeadForwardBody" else 32 if BYTES[storages[0]] == 1 else 64
        run = runs(pack_of(storages[0], storages[0]), storages[0])
        return Streams(run * (8 * ahead // run[0]), (), (8, 16, 32, *run), ahead)
    if body == "HeadPassBody":
        # The round over columns; the other operands, and the sums so far, are in a cache.
        return Streams(runs(4, storages[0]), runs(4, result_of(storages[0])), (8, 16, 32, 64, 128), 0)
    if body == "HeadInputGradientBody":
        pack = pack_of(result_of(storages[0]), storages[0])
        return Streams(runs(pack, storages[0]), runs(pack, result_of(storages[0])), (8, 16, 32), 0)
    if body in ("TransposeBody", "TransposeWeightsBody"):
        return Streams((128,), (128,), (8, 64), 16)  # and addresses, of the second
    if body == "readAll":
        return Streams((128,))
    if body in ("copyAll", "updateAll"):
        return Streams((128,), (128,))
    return None


# Words of the smallest sum that a kernel makes over the threads of a warp; 0: it makes none. Up to SHUFFLED_WORDS sums go
# from register to register, larger ones through shared memory (block.warpSum() in kernels/cuda/bodies/block.h): what was
# seen of numbers has 8 words, the squares of an update 6.
SUM_WORDS = {"HeadForwardBody": 1, "HeadPassBody": 1, "AdafactorRowsBody": 2, "AdafactorFactorsBody": 2,
             "AdafactorNormBody": 2, "UpdateBody": 6, "GradientBody": 6, "EncodeBody": 8, "ReluBitsBody": 8, "FillBody": 8,
             "LoadBody": 8, "SynthesiseBody": 8, "HeadInputGradientBody": 8, "HeadWeightGradientBody": 0, "ConstantBody": 0,
             "TransposeBody": 0, "TransposeWeightsBody": 0, "TickBody": 0}
SHUFFLED_WORDS = 4
SHUFFLES_OF_A_WORD = 5  # 32 threads, halved each time


def least_shuffles(kernel):
    """Shuffles of a kernel at least; None of a body of which nothing is said."""
    if kernel.body in ("LossBody", "ChainLossBody"):  # the squares of the errors; with what was seen they are one sum
        words = 2 if kernel.tallies == "" else 10
    elif kernel.body.endswith("Body"):
        words = SUM_WORDS.get(kernel.body)
    else:
        words = 0
    if words is None:
        return None
    return SHUFFLES_OF_A_WORD * words if words <= SHUFFLED_WORDS else 0


# One thread of one block, or a few numbers of each matrix.
NOT_STREAMING = {"TickBody", "AdafactorFactorsBody", "inverseScales", "addPasses", "storeEight"}
# The tick's powers and cosine bring a frame of 40 bytes, for the reduction of large angles, and sums and products
# that NVIDIA's functions contract by themselves.
MAY_HAVE_A_FRAME = {"TickBody"}
MAY_CONTRACT = {"TickBody", "__internal_trig_reduction_slowpathd", "__internal_accurate_pow"}
# The kernels that measure the memory need no bits that are those of the CPU.
MAY_CONTRACT |= {"readAll", "copyAll", "updateAll", "addPasses"}
# The last of Adafactor's four passes reads two factors for each number, which takes the registers that more packs at
# once would need: in the narrow recipes it has 18 to 30 KB on their way.
MAY_WAIT = {"adafactor"}
# Decoding fp8 takes the registers that more rows at once would need: 16 KB.
MAY_WAIT |= {"HeadWeightGradient<e4m3>"}
