# SPDX-License-Identifier: Apache-2.0
"""What there is on the machine that a proof runs on: its GPU, the Python that has PyTorch, NVIDIA's libraries and tools."""

import glob
import os
import pathlib
import shutil
import sys

from items import Missing, OutOfTime

CUDA_LIBRARY = "libcublasLt.so.13"
# CUPTI and what it opens by bare names come from the same folder.
LIBRARIES = (CUDA_LIBRARY, "libcupti.so.13", "libnvperf_host.so", "libnvperf_target.so")
FIRST_LINES = ("name", "uuid", "driver_version", "memory.total", "compute_cap", "clocks.max.sm", "clocks.max.mem",
               "power.limit", "ecc.mode.current", "mig.mode.current")
STATE_FIELDS = ("clocks.sm", "clocks.mem", "temperature.gpu", "power.draw", "memory.used")
# Where a Python looks for packages, in its order; nothing is imported, so it takes no time.
PLACES_OF_PYTHON = ("import importlib.util, json, sys\n"
                    "print(json.dumps({'path': sys.path, 'torch': importlib.util.find_spec('torch') is not None}))")


def tool(name, *patterns):
    """The path of a program, or None; patterns say where installers put it when it is not on the path."""
    found = shutil.which(name)
    for pattern in patterns:
        found = found or next((path for path in sorted(glob.glob(pattern), reverse=True) if os.access(path, os.X_OK)), None)
    return found


def nvidia_smi():
    return tool("nvidia-smi", "/usr/local/nvidia/bin/nvidia-smi", "/usr/bin/nvidia-smi")


def compute_sanitizer():
    return tool("compute-sanitizer", "/usr/local/cuda/bin/compute-sanitizer")


def ncu():
    return tool("ncu", "/usr/local/cuda/bin/ncu", "/opt/nvidia/nsight-compute/*/ncu")


def query(calls, fields):
    """Values of every GPU, by field."""
    program = nvidia_smi()
    if program is None:
        raise Missing("nvidia-smi is not installed")
    text = calls.call([program, f"--query-gpu={','.join(fields)}", "--format=csv,noheader"], 30, "nvidia-smi")
    rows = [dict(zip(fields, (value.strip() for value in row.split(",")))) for row in text.splitlines()]
    if not rows:
        raise Missing("nvidia-smi lists no GPU")
    return rows


def state(calls):
    """Clocks, power and temperature now, or why they are not known."""
    try:
        return query(calls, STATE_FIELDS)
    except (Missing, OutOfTime, RuntimeError) as error:  # what was measured counts without it
        return str(error)


def pythons(ask):
    """Every Python here, as {"program": ..., "path": [...], "torch": True}: what `ask(program)` says of each."""
    programs = [shutil.which("python3"), sys.executable, shutil.which("python")]
    found = []
    for program in dict.fromkeys(program for program in programs if program):
        try:
            found.append({"program": program, **ask(program)})
        except (RuntimeError, ValueError, TypeError, Missing):
            continue  # one that does not run has nothing
    return found


def with_torch(known):
    """The program of the first Python that has PyTorch, or None."""
    return next((python["program"] for python in known if python["torch"]), None)


def library_folders(known):
    """Where NVIDIA's libraries may be: in the wheels that PyTorch uses first, so that both run the same ones."""
    ordered = sorted(known, key=lambda python: not python["torch"])
    wheels = [pathlib.Path(place) / "nvidia" / "cu13" / "lib" for python in ordered for place in python["path"] if place]
    loader = [pathlib.Path(place) for place in os.environ.get("LD_LIBRARY_PATH", "").split(":") if place]
    roots = [pathlib.Path(root) for root in ("/usr/local/cuda", *sorted(glob.glob("/usr/local/cuda-13*"), reverse=True))]
    return [*wheels, *loader, *(root / folder for root in roots for folder in ("lib64", "targets/x86_64-linux/lib"))]


def link_libraries(folder, places):
    """Links the machine's own libraries into the folder in which the pack's programs look: {name: file}. Where the
    matrix library is nowhere the links are none, and the programs say what is missing."""
    home = next((place for place in places if (place / CUDA_LIBRARY).is_file()), None)
    found = {}
    for name in LIBRARIES if home is not None else ():
        inside = (home / name, home / ".." / "extras" / "CUPTI" / "lib64" / name)
        file = next((path.resolve() for path in inside if path.is_file()), None)
        if file is not None:
            (folder / name).symlink_to(file)
            found[name] = str(file)
    return found
