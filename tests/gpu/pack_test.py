#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What travels to a machine with a GPU: small enough, complete, nothing of the C library or of NVIDIA in it, and no symbol
that an older system lacks. With the programs of this build."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import pack  # noqa: E402
from scripted_machine import InAFolder, write_program  # noqa: E402

CLI, MODULE = os.environ.get("PLUMBLINE_CLI", ""), os.environ.get("PLUMBLINE_MODULE", "")
GPU_TESTS = [pathlib.Path(file) for file in os.environ.get("PLUMBLINE_GPU_TESTS", "").split(":") if file]
NEEDED = "the program is not built" if not CLI else os.environ.get("PLUMBLINE_SANITIZE", "") and "a sanitizer's libraries"


class Libraries(unittest.TestCase):
    def test_those_of_the_c_library_the_compiler_and_nvidia_stay_behind(self):
        for name in ("libc.so.6", "libm.so.6", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2",
                     "libcublasLt.so.13", "libcuda.so.1", "libcudart.so.13", "libcupti.so.13", "libnvidia-ml.so.1",
                     "libnvperf_host.so"):
            self.assertTrue(pack.OF_THE_MACHINE.match(name), name)
        for name in ("libdnnl.so.2", "libfmt.so.9", "libzip.so.4", "libcrypto.so.3", "libgomp.so.1", "libz.so.1", "libOpenCL.so.1",
                     "libmd.so.0", "libcap.so.2"):
            self.assertFalse(pack.OF_THE_MACHINE.match(name), name)

    def test_versions_are_compared_as_numbers(self):
        self.assertGreater(pack.number("2.34"), pack.number("2.4"))
        self.assertGreater(pack.number("2.2.5"), pack.number("2.2"))


class Needs(InAFolder):
    """Of a library that is made here, and asks for what the compiler is told to ask for."""

    def library(self, source):
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            self.skipTest("there is no C compiler")
        file = self.out / "lib.c"
        file.write_text(source)
        built = self.out / "libmade.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", built, file], check=True)
        return built

    def test_a_symbol_that_is_too_new_is_named(self):
        # What every C library of today has, and none of 2005 had.
        built = self.library("#include <sched.h>\nint f(void) { return __sched_cpucount(sizeof(cpu_set_t), 0); }\n"
                             .replace("#include", "#define _GNU_SOURCE\n#include"))
        version, symbols = pack.needs_of(built)["GLIBC"]
        self.assertEqual((version, symbols), ("2.6", ["__sched_cpucount"]))
        self.assertEqual(pack.newest_needs([built], "2.6")["GLIBC"], "2.6")
        with self.assertRaisesRegex(pack.Unfit, r"libmade.so needs GLIBC 2.6 \(__sched_cpucount\).*--glibc 2.6"):
            pack.newest_needs([built], "2.5")


@unittest.skipIf(NEEDED, NEEDED)
class ThePack(InAFolder):
    def make(self, **more):
        source = HERE.parents[1]
        return pack.make(None, source, self.out / "pack", "90", programs=([pathlib.Path(CLI)], []), **more)

    def make_all(self, **more):
        """Of everything that ./dev gpu-pack packs, as this build has it."""
        programs = [pathlib.Path(file) for file in (CLI, MODULE)] + GPU_TESTS
        return pack.make(None, HERE.parents[1], self.out / "pack", "90", programs=(programs, GPU_TESTS), **more)

    def most_glibc(self):
        """Of this machine: what is built on a newer system than the oldest one needs more, and says so."""
        have = os.confstr("CS_GNU_LIBC_VERSION").split()[1]
        return "2.34" if pack.number(have) <= [2, 36] else have

    def test_is_small_and_complete_and_runs_from_any_folder(self):
        made = self.make(most_glibc=self.most_glibc())
        folder = self.out / "pack"
        self.assertLessEqual(pack.size_of(folder), 40_000_000)
        content = (folder / "programs.tar.xz").read_bytes()
        self.assertEqual(hashlib.sha256(content).hexdigest(), made["programs_sha256"])
        self.assertEqual(json.loads((folder / "pack.json").read_text()), made)
        for name in made["files"]:
            self.assertFalse(name.startswith("lib/") and pack.OF_THE_MACHINE.match(name[4:]), name)
        self.assertFalse([path for path in folder.rglob("*") if path.is_symlink()], "links may not travel")
        with tarfile.open(folder / "programs.tar.xz") as archive:
            archive.extractall(self.out / "unpacked")
        unpacked = self.out / "unpacked"
        done = subprocess.run([unpacked / "bin" / "plumbline-cli", "devices"], capture_output=True, text=True, cwd="/",
                              env={"XDG_DATA_HOME": str(self.out), "PLUMBLINE_CUDA_MODULE": "none"})
        self.assertEqual(done.returncode, 0, done.stderr)
        # Every library of the pack is taken from it, also those that libraries of it need, whatever the environment says.
        placed = subprocess.run(["ldd", unpacked / "bin" / "plumbline-cli"], capture_output=True, text=True,
                                env={"LD_LIBRARY_PATH": "/usr/lib/x86_64-linux-gnu"}).stdout
        for library in (unpacked / "lib").iterdir():
            self.assertRegex(placed, rf"{library.name.replace('+', '.')} => {unpacked}/bin/../lib/")
        self.assertTrue((unpacked / "data" / "digits" / "features.npy").exists())

    @unittest.skipUnless(MODULE and GPU_TESTS, "this build has no CUDA backend")
    def test_with_all_programs_it_is_small_enough_and_needs_no_newer_system(self):
        made = self.make_all(most_glibc=self.most_glibc())
        self.assertLessEqual(pack.size_of(self.out / "pack"), pack.MOST_BYTES)
        self.assertEqual(made["tests"], [path.name for path in GPU_TESTS])
        packed = {name.removeprefix("bin/") for name in made["files"] if name.startswith("bin/")}
        self.assertEqual(packed, {"plumbline-cli", "libplumbline_cuda.so", *made["tests"]})
        for name in made["files"]:
            self.assertFalse(name.startswith("lib/") and pack.OF_THE_MACHINE.match(name[4:]), name)
        # Each file by itself, stripped as it travels: it names the one that would not start.
        with tarfile.open(self.out / "pack" / "programs.tar.xz") as archive:
            archive.extractall(self.out / "unpacked")
        limits = {"GLIBC": self.most_glibc(), "GLIBCXX": made["needs"]["GLIBCXX"], "CXXABI": made["needs"]["CXXABI"]}
        for file in sorted((self.out / "unpacked").glob("*/*")):
            if file.is_file() and file.parent.name in ("bin", "lib"):
                for interface, (version, symbols) in pack.needs_of(file).items():
                    self.assertLessEqual(pack.number(version), pack.number(limits[interface]), f"{file.name}: {symbols}")
                self.assertNotIn(".debug_info", subprocess.run(["objdump", "-h", file], capture_output=True, text=True).stdout)
        self.assertLessEqual(pack.number(made["needs"]["GLIBCXX"]), [3, 4, 30])

    @unittest.skipUnless(MODULE and GPU_TESTS, "this build has no CUDA backend")
    def test_one_that_would_be_too_large_is_refused(self):
        most, pack.MOST_BYTES = pack.MOST_BYTES, 1_000_000
        self.addCleanup(setattr, pack, "MOST_BYTES", most)
        with self.assertRaisesRegex(pack.Unfit, r"the pack has [0-9.]+ MB and may have 1:"):
            self.make_all(most_glibc=self.most_glibc())
        self.assertFalse((self.out / "pack").exists())

    def test_every_script_that_it_brings_is_enough(self):
        first, second = (self.make(most_glibc=self.most_glibc()) for _ in range(2))
        self.assertEqual(first["programs_sha256"], second["programs_sha256"], "the same programs make the same archive")
        done = subprocess.run([sys.executable, "-B", "-E", self.out / "pack" / "proof.py", "--help"], capture_output=True,
                              text=True, cwd="/")
        self.assertEqual(done.returncode, 0, done.stderr)
        here = {path.name for path in HERE.glob("*.py")} - {path.name for path in HERE.glob("*_test.py")}
        self.assertEqual(here - {"pack.py", "scripted_machine.py"},
                         {script for script in pack.SCRIPTS if "/" not in script}, "a script is packed or is a test's")

    def test_what_needs_a_newer_system_is_refused_and_leaves_the_old_pack(self):
        (self.out / "pack").mkdir()
        (self.out / "pack" / "old").write_text("")
        with self.assertRaisesRegex(pack.Unfit, "needs GLIBC .* and the pack is to run with 2.17"):
            self.make(most_glibc="2.17")
        self.assertTrue((self.out / "pack" / "old").exists())

    def test_results_belong_to_a_commit_or_to_the_programs_themselves(self):
        self.assertEqual(pack.build_name("c0ffee", "", b"x"), "c0ffee")
        changed = pack.build_name("c0ffee", " M file", b"x")
        self.assertTrue(changed.startswith("c0ffee+"))
        self.assertNotEqual(changed, pack.build_name("c0ffee", " M file", b"y"))
        self.assertTrue(pack.build_name("", "", b"x").startswith("unknown+"))


class TheVerbs(InAFolder):
    """./dev in a folder without anything else, on a machine that has these programs in place of its own."""

    def dev(self, *arguments, **programs):
        for name, text in programs.items():
            write_program(self.out, name.replace("_", "-"), "#!/bin/sh\n" + text + "\n")
        shutil.copy(HERE.parents[1] / "dev", self.out / "dev")
        return subprocess.run(["bash", self.out / "dev", *arguments], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL,
                              env={**os.environ, "PATH": f"{self.out}:{os.environ['PATH']}", "PLUMBLINE_SKIP_INSTALL": ""})

    def test_without_a_pack_gpu_says_how_to_make_one(self):
        done = self.dev("gpu", "out", "--part", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("./dev gpu-pack", done.stderr)
        self.assertEqual(self.dev("gpu").returncode, 2)

    def test_gpu_runs_the_pack_and_nothing_else(self):
        (self.out / "build" / "gpu-pack").mkdir(parents=True)
        (self.out / "build" / "gpu-pack" / "proof.py").write_text("import sys; print(sys.argv[1:]); sys.exit(4)")
        done = self.dev("gpu", "out", "--part", "2", dpkg_query="exit 1", apt_get="echo apt was called >&2; exit 1")
        self.assertEqual((done.returncode, done.stdout), (4, "['out', '--part', '2']\n"), done.stderr)
        self.assertNotIn("apt was called", done.stderr)

    def test_gpu_says_when_the_pack_is_of_another_commit(self):
        (self.out / "build" / "gpu-pack").mkdir(parents=True)
        (self.out / "build" / "gpu-pack" / "proof.py").write_text("")
        for commit, other in (("c0ffee", True), ("decade", False)):
            (self.out / "build" / "gpu-pack" / "pack.json").write_text(json.dumps({"commit": commit}, indent=1))
            done = self.dev("gpu", "out", git="echo decade")
            self.assertEqual((done.returncode, "another commit" in done.stderr), (0, other), done.stderr)

    def test_gpu_pack_takes_architectures_only(self):
        for wrong in (("--arch", "native"), ("--arch",), ("--arch", "9.0"), ("90",)):
            self.assertEqual(self.dev("gpu-pack", *wrong).returncode, 2, wrong)

    def test_gpu_pack_names_the_packages_that_are_missing_where_apt_cannot_be_reached(self):
        done = self.dev("gpu-pack", dpkg_query="exit 1", sudo='[ "$1" = -n ] && shift; "$@"',
                        apt_get="echo could not resolve >&2; exit 100", apt_cache="exit 0")
        self.assertEqual(done.returncode, 1, done.stderr)
        sentence = [line for line in done.stderr.splitlines() if "apt cannot be reached" in line]
        self.assertEqual(len(sentence), 1, done.stderr)
        for package in ("libfmt-dev", "libgtest-dev", "nlohmann-json3-dev"):
            self.assertIn(package, sentence[0])


if __name__ == "__main__":
    unittest.main()
