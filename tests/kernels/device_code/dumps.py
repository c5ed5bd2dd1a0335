# SPDX-License-Identifier: Apache-2.0
"""Reads what cuobjdump writes about compiled device code. Knows nothing of what is good or bad in it."""

import re
from collections import Counter
from dataclasses import dataclass, field

INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)([^;]*);")
RESOURCES = re.compile(r"^\s+REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)")
FP8 = re.compile(r"F2FP\..*(E4M3|E5M2)")
GLOBAL = {"LDG": "load", "STG": "store"}
# All that touches the memory that kernels share; a thread's own and that of its block are LDL, STL, LDS and STS.
TOUCHES = {"LDG", "STG", "LD", "ST", "ATOM", "ATOMG", "RED", "REDG", "LDGSTS", "UBLKCP", "EXIT"}
WAIT = "ACQBULK"  # griddepcontrol.wait
# What moves or adds up numbers between the threads of a warp, without memory.
SHUFFLES = {"SHFL", "REDUX", "CREDUX"}
# Storage, in the order of the enum in kernels/common/storage.h.
STORAGES = ["fp32", "tf32", "bf16", "fp16", "e4m3", "e5m2"]
TALLIES = ["", "amax", "all"]
RULES = ["sgd", "momentum", "nesterov", "adagrad", "rmsprop", "rmsprop-m", "rmsprop-c", "rmsprop-cm", "adam",
         "adam-ams", "adamw", "adamw-ams", "lion"]


@dataclass
class Usage:
    """What `cuobjdump --dump-resource-usage` says of a kernel."""
    registers: int
    stack: int  # bytes of a thread's own memory
    shared: int  # bytes
    local: int


@dataclass
class Loop:
    """Instructions from `first` to `last` (addresses), with the accesses to global memory that are in it but in no
    loop further in: (load or store, bits) and how often."""
    first: int
    last: int
    accesses: Counter = field(default_factory=Counter)
    instructions: int = 0  # with those of loops further in


@dataclass
class Code:
    """The instructions of a kernel, as far as they are looked at."""
    instructions: int = 0
    spills: int = 0  # accesses to a thread's own memory
    fp8: int = 0  # conversions from and to fp8, of two numbers each
    wait: int = -1  # where it first waits for the kernels in front of it (address); -1: nowhere
    touch: int = -1  # ... first moves something between memory and registers, or ends
    shuffles: int = 0  # of words within a warp
    way: int = 0  # instructions between its last load and its first store, without what a branch there passes over
    loops: list = field(default_factory=list)


@dataclass
class Kernel:
    body: str  # "UpdateBody", or the name of a kernel that is no body's
    rule: str  # of an update, or ""
    storages: list  # by name
    name: str  # for people
    tallies: str = ""  # what it looks at of the numbers that it stores: nothing, their amax, or all

    @staticmethod
    def of(symbol):
        """Of a mangled name; None where it is none of ours."""
        identifiers = []
        at = 0
        while match := re.compile(r"\D*?(\d+)").search(symbol, at):  # length, then as many characters
            end = match.end() + int(match[1])
            word = symbol[match.end():end]
            if re.fullmatch(r"[A-Za-z_]\w*", word) and len(word) == int(match[1]):
                identifiers.append(word)
                at = end
            else:
                at = match.end()
        if "deviceKernel" not in identifiers:
            plain = [word for word in identifiers if not word.startswith("_") and word not in ("plumb", "cuda")]
            return Kernel(plain[0], "", [], plain[0]) if plain and "plumb" in identifiers else None
        body = next(word for word in identifiers if word.endswith("Body"))
        rule = ""
        if "AdafactorPolicy" in identifiers:
            rule = "adafactor"
        elif match := re.search(r"4RuleE(\d+)E", symbol):
            rule = RULES[int(match[1])]
        # The first one spells out the type, the others refer to it.
        storages = [STORAGES[int(n)] for n in re.findall(r"(?:7StorageE|LS\w*?_)(\d)E", symbol)]
        match = re.search(r"7TalliesE(\d)E", symbol)
        tallies = TALLIES[int(match[1])] if match else ""
        words = [word for word in [rule, *storages, tallies] if word]
        name = body.removesuffix("Body") + (f"<{', '.join(words)}>" if words else "")
        return Kernel(body, rule, storages, name, tallies)


def read_usage(lines):
    """By symbol."""
    usage = {}
    symbol = None
    for line in lines:
        if line.startswith(" Function "):
            symbol = line.split()[1].rstrip(":")
        elif symbol and (match := RESOURCES.match(line)):
            usage[symbol] = Usage(*(int(number) for number in match.groups()))
            symbol = None
    return usage


def bits_of(operation):
    for bits in (256, 128, 64):
        if f".{bits}" in operation:
            return bits
    if ".U8" in operation or ".S8" in operation:
        return 8
    return 16 if ".U16" in operation or ".S16" in operation else 32


def way_of(operations):
    """Of (address, operation, target of a branch or None) in their order: as many as run between the last load and the
    first store where every branch ahead is taken."""
    store = next((i for i, (_, operation, _) in enumerate(operations) if operation == "STG"), 0)
    load = max((i for i, (_, operation, _) in enumerate(operations[:store]) if operation == "LDG"), default=store)
    count, until = 0, 0
    for address, _, target in operations[load + 1:store]:
        if address < until:
            continue
        count += 1
        until = target or 0
    return count


def read_code(lines):
    """By symbol."""
    codes = {}
    symbol = None
    accesses, branches, addresses, operations, last_exit = [], [], [], [], 0

    def close():
        if symbol is None:
            return
        codes[symbol].way = way_of(operations)
        # Behind the last exit stand functions, and what shuffles do where threads of a warp are not together: its way
        # back closes no loop.
        ends = {}
        for first, last in branches:
            if last < last_exit:
                ends[first] = max(ends.get(first, 0), last)
        loops = sorted((Loop(first, last) for first, last in ends.items()), key=lambda loop: loop.last - loop.first)
        for loop in loops:
            loop.instructions = sum(loop.first <= address <= loop.last for address in addresses)
        for address, kind, bits in accesses:
            # The smallest loop that it is in.
            inside = next((loop for loop in loops if loop.first <= address <= loop.last), None)
            if inside:
                inside.accesses[kind, min(bits, 128)] += max(bits // 128, 1)
        codes[symbol].loops = loops

    for line in lines:
        if line.startswith("\t\tFunction : "):
            close()
            symbol = line.split(":")[1].strip()
            codes[symbol] = Code()
            accesses, branches, addresses, operations, last_exit = [], [], [], [], 0
            continue
        match = INSTRUCTION.match(line)
        if not match or symbol is None:
            continue
        codes[symbol].instructions += 1
        addresses.append(int(match[1], 16))
        operation = match[2].split(".")[0]
        target = re.search(r"0x([0-9a-f]+)", match[3]) if operation == "BRA" else None
        operations.append((addresses[-1], operation, int(target[1], 16) if target else None))
        codes[symbol].fp8 += bool(FP8.match(match[2]))
        codes[symbol].shuffles += operation in SHUFFLES
        if operation == WAIT and codes[symbol].wait < 0:
            codes[symbol].wait = addresses[-1]
        if operation in TOUCHES and codes[symbol].touch < 0:
            codes[symbol].touch = addresses[-1]
        if operation in GLOBAL:
            accesses.append((int(match[1], 16), GLOBAL[operation], bits_of(match[2])))
        elif operation in ("LDL", "STL"):
            codes[symbol].spills += 1
        elif operation == "EXIT" and "@" not in line[:match.start(2)]:
            last_exit = addresses[-1]
        elif target and int(target[1], 16) < addresses[-1]:  # to itself: the end of the code
            branches.append((int(target[1], 16), addresses[-1]))
    close()
    return codes


# Sums and products that say how they are rounded are never contracted, whatever the assembler is told.
LOOSE = re.compile(r"^\s*(?:@!?%p\d+ )?((?:add|sub|mul)\.(?:ftz\.|sat\.)*b?f(?:16|32|64)(?:x2)?)\b")
CONTRACTED = re.compile(r"^\s*(?:@!?%p\d+ )?((?:fma|mad)\.[a-z.]*(?:b?f\d+)\S*)")
ROUGH = re.compile(r"^\s*(?:@!?%p\d+ )?([a-z0-9]+\.(?:\w+\.)*(?:approx|full|ftz)\b\S*)")


def read_arithmetic(lines):
    """Of PTX: operations that are contracted, may become so, or are not exact, by the function that they stand in."""
    found = {}
    symbol = None
    for line in lines:
        if ".entry " in line or ".func " in line:
            symbol = re.split(r"[\s)]+", line.strip().rstrip("("))[-1]
            continue
        for pattern in (LOOSE, CONTRACTED, ROUGH):
            if match := pattern.match(line):
                found.setdefault(symbol, Counter())[match[1]] += 1
                break
    return found
