# SPDX-License-Identifier: Apache-2.0
"""A machine with a GPU, as far as programs on the path go: each says what the real one would. For tests."""

import pathlib
import shutil
import stat
import sys
import tempfile
import unittest

NVIDIA_SMI = """
fields = next((word.split("=", 1)[1].split(",") for word in sys.argv if word.startswith("--query-gpu=")), None)
print("GPU 0: Scripted (UUID: none)" if fields is None else ", ".join({"name": "Scripted", "compute_cap": "9.0"}.get(f, "1") for f in fields))
"""
# Runs what it is to look at, as compute-sanitizer does.
COMPUTE_SANITIZER = """
import os
words = sys.argv[1:]
while words[0].startswith("--"):
    words = words[2:]
assert "--tune" in words and words[words.index("--tune") + 1] == "off", words
os.execv(words[0], words)
"""
NCU = """
import subprocess
at = next(i for i, word in enumerate(sys.argv) if word.endswith("plumbline-cli"))
subprocess.run(sys.argv[at:], check=True, stdout=subprocess.DEVNULL)
names = sys.argv[sys.argv.index("--metrics") + 1].split(",")
print("==PROF== Connected")
for row in (["ID", "Kernel Name", *names], ["", "", *("" for _ in names)], ["0", "gemm", *("1,024" for _ in names)]):
    print(",".join(f'"{cell}"' for cell in row))
"""
# The Python that has PyTorch. What it trains is trained by our program on the processor.
PYTHON = """
import json, os, subprocess
if sys.argv[1] == "-c":
    print(json.dumps({"path": ["", WHEELS], "torch": True}))
    sys.exit(0)
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
if "--losses" in options:
    run = [word for name in ("--precision", "--optimizer", "--dim", "--layers", "--batch", "--lr") for word in (name, options[name])]
    done = subprocess.run([CLI, "train", "--backend", "cpu", *run, "--activation", "relu", "--steps", "20", "--json", "--data",
                           options["--losses"] + "/x.npy", "--targets", options["--losses"] + "/t.npy"],
                          capture_output=True, text=True, check=True, env={**os.environ, "XDG_DATA_HOME": "/nowhere"})
    print(json.dumps({"losses": json.loads(done.stdout)["training"]["loss"]}))
    sys.exit(0)
for number, mode in enumerate(options["--modes"].split(",")):
    print(json.dumps({"name": mode, "seconds": 10.0 + number, "cublaslt": WHEELS + "/nvidia/cu13/lib/libcublasLt.so.13"}))
"""


def write_program(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def write_programs(folder, cli, library):
    """All of them, and a wheel in which `library` stands in for NVIDIA's."""
    wheels = pathlib.Path(folder) / "wheels"
    (wheels / "nvidia" / "cu13" / "lib").mkdir(parents=True)
    shutil.copy(library, wheels / "nvidia" / "cu13" / "lib" / "libcublasLt.so.13")
    head = f"#!{sys.executable} -B\nimport sys\nCLI, WHEELS = {str(cli)!r}, {str(wheels)!r}\n"
    for name, text in {"nvidia-smi": NVIDIA_SMI, "compute-sanitizer": COMPUTE_SANITIZER, "ncu": NCU, "python3": PYTHON}.items():
        write_program(folder, name, head + text)


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
