# SPDX-License-Identifier: Apache-2.0
"""Which items the three parts of a proof have, in which order, and how many seconds are each one's own.

A part has to end within nine minutes on a machine on which nothing is known to be quick. So the seconds that are an item's
own add up to less than that, and what earlier items leave over is lent to those that may need more."""

from items import Item
from measurements import COUNTED_RUN, NARROW, PRECISIONS

PART_SECONDS = 9 * 60
WRITING_SECONDS = 10  # at the end of a part, for what is being written
AUTOTUNED_FIRST = ("compute", "compute-tf32", "optimizer")  # by FLOPs of a step, the largest first


def machine_item(measurements, part):
    return Item(f"machine {part}", 15, measurements.about)


def first_part(measurements, programs):
    """Whether it is right at all, and what everything else needs."""
    m = measurements
    return [
        machine_item(m, 1),
        Item("libraries", 10, m.loaded_from),
        Item("devices", 25, m.devices),
        *(Item(f"smoke {precision}", 13, lambda calls, p=precision: m.smoke(calls, p), 30) for precision in PRECISIONS),
        Item("smoke digits", 13, m.digits, 30),
        *(Item(f"tests {program}", 85, lambda calls, p=program: m.tests(calls, p), 180) for program in programs),
        Item("memcheck bf16", 45, lambda calls: m.sanitizer(calls, "memcheck", "bf16"), 90),
        Item("calibrate", 80, m.calibrate, 160),
        Item(f"counters {m.runs[COUNTED_RUN][0]}", 60, lambda calls: m.counters(calls, m.runs[COUNTED_RUN]), 120),
        *(losses(m, run) for run in m.runs if is_narrow(run)),
    ]


def second_part(measurements):
    """The standard runs, ours and then PyTorch's: eager, CUDA graph, compiled, and the slow ways of the three largest."""
    m = measurements
    wide = [run for run in m.runs if not is_narrow(run)]
    largest = [run for name in AUTOTUNED_FIRST for run in wide if run[0] == name]
    return [
        machine_item(m, 2),
        *(ours(m, run) for run in wide),
        # Before times count, both have to train the same: in the precisions and optimizers that are compared.
        *(losses(m, run) for run in wide[:2]),
        *(theirs(m, run, 35) for run in wide),
        *(Item(f"torch {run[0]} autotune", 55, lambda calls, r=run: m.theirs(calls, r, autotune_modes(r)), 150)
          for run in largest),
    ]


def third_part(measurements, results):
    """Fp16 and fp8, whether our counters are the vendor's, what the second part left, and how well it repeats."""
    m = measurements
    narrow = [run for run in m.runs if is_narrow(run)]
    others = [run for number, run in enumerate(m.runs) if number != COUNTED_RUN]
    smaller = [run for run in m.runs if run[0] not in AUTOTUNED_FIRST and not is_narrow(run)]
    return [
        machine_item(m, 3),
        *(ours(m, run) for run in narrow),
        *(theirs(m, run, 30) for run in narrow),
        Item("ncu", 70, lambda calls: m.vendor(calls, results), 150),
        *(Item(f"counters {run[0]}", 20, lambda calls, r=run: m.counters(calls, r), 90) for run in others),
        *(Item(f"torch {run[0]} autotune", 35, lambda calls, r=run: m.theirs(calls, r, autotune_modes(r)), 150)
          for run in smaller),
        *(Item(f"again {run[0]}", 6, lambda calls, r=run: m.again(calls, r), 30) for run in m.runs),
        *(Item(f"{check} {precision}", 20, lambda calls, c=check, p=precision: m.sanitizer(calls, c, p), 90)
          for check, precision in (("memcheck", "fp16"), ("racecheck", "fp32"), ("initcheck", "fp32"))),
    ]


def is_narrow(run):
    return run[2] in NARROW


def ours(m, run):
    return Item(f"plumbline {run[0]}", 15, lambda calls: m.ours(calls, run), 90)


def theirs(m, run, seconds):
    return Item(f"torch {run[0]} quick", seconds, lambda calls: m.theirs(calls, run, quick_modes(run)), 120)


def losses(m, run):
    return Item(f"losses {run[0]}", 20, lambda calls: m.same_training(calls, run), 60)


def quick_modes(run):
    return ["eager", "graph", *(["graph-parameters"] if run[2] in ("bf16", "fp16") else []), "compile"]


def autotune_modes(run):
    return ["autotune", *(["autotune-parameters"] if run[2] == "bf16" else [])]


def items_of(part, measurements, programs, results):
    if part == 1:
        return first_part(measurements, programs)
    if part == 2:
        return second_part(measurements)
    return third_part(measurements, results)
