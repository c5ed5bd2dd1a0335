#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that is to be known from a machine with a GPU: tests, calibration, eight standard runs, the same in PyTorch
and with the vendor's profiler. Runs from a pack (pack.py), which needs neither a compiler nor a network.

    proof.py OUTDIR [--part 1|2|3] [--resume FOLDER] [--minutes M] [--only PATTERN]

A part ends within M minutes (9), without --part all three run, each within that time. After every item everything that
is known is in five files of OUTDIR, which are complete at any moment. What OUTDIR, or FOLDER, holds of an earlier call of
the same build is taken over and not run again; with --only the items whose names match are run (again), and no others.

Exit status: 0 all was run, or this machine lacks what the rest needs; 1 something failed; 2 wrong arguments;
3 there is no GPU, or nothing can be run or written here; 4 nothing failed, but the time was over before everything was run:
the same command goes on.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import signal
import sys
import tarfile
import tempfile
import time

import machine
import plan
from goals import goals, readable
from items import Calls, Missing, Runner, Stopped, say, write
from measurements import RUNS, TINY_RUNS, Measurements
from record import Record

STARTED = time.monotonic()
HERE = pathlib.Path(__file__).resolve().parent
NO_GPU, FAILED, UNFINISHED = 3, 1, 4


class Refused(Exception):
    """Nothing can be run here."""


def first_gpu(calls):
    """As nvidia-smi lists it, with what tells it from all others, and its compute capability without the point."""
    program = machine.nvidia_smi()
    try:
        text = calls.call([program, "-L"], 30, "gpus") if program else ""
        capability = machine.query(calls, ("compute_cap",))[0]["compute_cap"].replace(".", "")
    except (Missing, RuntimeError):
        text = ""
    if not text.startswith("GPU"):
        raise Refused("this machine has no usable NVIDIA GPU (nvidia-smi finds none), so nothing was checked.")
    return text.splitlines()[0].strip(), capability


def unpack(home):
    """What pack.json says of the programs, which are then in `home`."""
    try:
        pack = json.loads((HERE / "pack.json").read_text(encoding="utf-8"))
        content = (HERE / "programs.tar.xz").read_bytes()
    except OSError as error:
        raise Refused(f"{HERE} is no pack ({error.filename} is not there): ./dev gpu-pack makes one.") from None
    if hashlib.sha256(content).hexdigest() != pack["programs_sha256"]:
        raise Refused(f"the pack is damaged ({HERE / 'programs.tar.xz'}): carry it here again.")
    with tarfile.open(HERE / "programs.tar.xz") as archive:
        archive.extractall(home, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return pack


def require_architecture(pack, capability):
    arch = re.match(r"\d+", pack["arch"]).group()
    if capability.isdigit() and int(capability) < int(arch):
        raise Refused(f"the programs of this pack are for sm_{arch} (this GPU is sm_{capability}): "
                      f"make one with ./dev gpu-pack --arch {capability}.")


def require_c_library(pack):
    have = re.findall(r"\d+", os.confstr("CS_GNU_LIBC_VERSION") or "")
    if [int(number) for number in have] < [int(number) for number in pack["needs"]["GLIBC"].split(".")]:
        raise Refused(f"the programs of this pack need GLIBC {pack['needs']['GLIBC']} (here is {'.'.join(have) or 'none'}): "
                      "make the pack on an older system.")


def ask(calls, program):
    name = re.sub(r"\W", "-", program)
    return json.loads(calls.call([program, "-c", machine.PLACES_OF_PYTHON], 20, f"python{name}"))


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"no regular expression ({text}): {error}") from None


class Proof:
    def __init__(self, options, work):
        self.options, self.work = options, pathlib.Path(work)
        self.home, self.out = self.work / "pack", pathlib.Path(options.out).resolve()
        self.only = options.only

    def prepare(self):
        """Everything that is needed before the first item."""
        if self.options.resume and not (pathlib.Path(self.options.resume) / "parts.json").is_file():
            raise Refused(f"there is nothing to go on from in {self.options.resume} (it has no parts.json): give the folder "
                          "with the files of an earlier call, or leave --resume out.")
        logs = self.work / "logs"
        logs.mkdir()
        calls = Calls(logs, 120)
        self.device, capability = first_gpu(calls)
        self.pack = unpack(self.home)
        require_architecture(self.pack, capability)
        require_c_library(self.pack)
        self.require_start(calls)
        known = machine.pythons(lambda program: ask(calls, program))
        libraries = machine.link_libraries(self.home / "lib", machine.library_folders(known))
        self.measurements = Measurements(self.home, self.work, self.pack, libraries, machine.with_torch(known),
                                         TINY_RUNS if self.options.dry_run else RUNS)
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            write(self.out / "parts.json.probe", "")
            (self.out / "parts.json.probe").unlink()
        except OSError as error:
            raise Refused(f"{self.out} cannot be written ({error.strerror}): give another folder.") from None

    def require_start(self, calls):
        try:
            calls.call([self.home / "bin" / "plumbline-cli", "--version"], 60, "starts")
        except (Missing, RuntimeError) as error:
            raise Refused(f"the programs of this pack do not start here: {error}") from None

    def record(self, part):
        record = Record(self.out, self.work, self.pack, part, self.summary, self.device)
        again = self.only.search if self.only else (lambda name: False)
        for folder in dict.fromkeys([self.options.resume or self.out, self.out]):
            record.resume(folder, again)
        return record

    def summary(self, results):
        summary = goals(results, self.measurements.runs)
        return summary, readable(results, summary, self.pack)

    def run_part(self, part, deadline):
        """The record when it is done."""
        record = self.record(part)
        environment = self.measurements.environment()
        runner = Runner(record, self.work / "logs", deadline - time.monotonic(), environment)
        items = plan.items_of(part, self.measurements, self.pack["tests"], record.results)
        chosen = [item for item in items if self.only is None or self.only.search(item.name)]
        if not chosen:
            say(f"part {part} has no item of which the name matches ({self.only.pattern}).")
        runner.run(chosen)
        record.save()
        return record


def status_of(record):
    if record.failures():
        say(f"FAILED: {', '.join(record.failures())}")
        return FAILED
    if record.unfinished():
        say(f"not run, for want of time: {', '.join(record.unfinished())}. The same command goes on.")
        return UNFINISHED
    return 0


def stop(number, _):
    raise Stopped(signal.Signals(number).name)


def run(options):
    """The exit status."""
    with tempfile.TemporaryDirectory(prefix="plumbline-proof-", ignore_cleanup_errors=True) as work:
        proof = Proof(options, work)
        try:
            proof.prepare()
            record = None
            begin = STARTED
            for part in [options.part] if options.part else [1, 2, 3]:
                record = proof.run_part(part, begin + options.minutes * 60 - plan.WRITING_SECONDS)
                begin = time.monotonic()
            page = proof.out / "summary.md"
            print(page.read_text(encoding="utf-8") if page.exists() else "there is no summary")
            return status_of(record)
        except Refused as refusal:
            say(str(refusal))
            return NO_GPU
        except Stopped as asked:
            say(f"stopped ({asked}): the files in {proof.out} hold what was known by then.")
            return FAILED


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("out", metavar="OUTDIR")
    parser.add_argument("--part", type=int, choices=(1, 2, 3))
    parser.add_argument("--resume", metavar="FOLDER", help="where the five files of an earlier call are")
    parser.add_argument("--minutes", type=float, default=plan.PART_SECONDS / 60, help="for a part (9)")
    parser.add_argument("--only", metavar="PATTERN", type=pattern, help="a regular expression for the names of items")
    parser.add_argument("--dry-run", action="store_true", help="sizes so small that a simulated device gets through them")
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    return run(options)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(main())
