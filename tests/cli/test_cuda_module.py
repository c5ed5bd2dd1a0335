# SPDX-License-Identifier: Apache-2.0
"""The CUDA backend is a module that is loaded where it can be: every way in which it cannot is told in one sentence,
and everything else goes on. PLUMBLINE_MODULE is the module of this build, empty when it has none."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from plumbline_cli import BINARY, SMALL, CliTest

MODULE = os.environ.get("PLUMBLINE_MODULE", "")
STUBS = pathlib.Path("/usr/local/cuda/lib64/stubs/libcuda.so")


class CudaModule(CliTest):
    def use(self, path):
        self.environment["PLUMBLINE_CUDA_MODULE"] = str(path)

    def reason(self):
        """Why there is no GPU; the CPU is there whatever happens, and a run that asks for CUDA says the same."""
        devices = {device["backend"]: device for device in self.ok_json("devices")}
        self.assertTrue(devices["cpu"]["available"])
        self.assertFalse(devices["cuda"]["available"])
        reason = devices["cuda"]["reason"]
        for command in (["profile", *SMALL], ["train", *SMALL, "--steps", 1], ["predict", *SMALL], ["calibrate"]):
            self.refused(3, *command, "--backend", "cuda", says=[reason])
        self.assertIn("Peak memory", self.ok("predict", *SMALL, "--backend", "auto"))
        self.assertNotIn("\n", reason)
        return reason

    def patched(self, old, new):
        """A copy of the module in which one text is another of the same length."""
        self.assertEqual(len(old), len(new))
        content = pathlib.Path(MODULE).read_bytes()
        self.assertIn(old, content)
        copy = self.folder / "libplumbline_cuda.so"
        copy.write_bytes(content.replace(old, new))
        return copy

    def test_an_installation_without_the_module_works(self):
        self.use("none")
        self.assertIn("this installation has no CUDA backend (libplumbline_cuda.so is not there): install a build for "
                      "CUDA, or use the CPU", self.reason())

    def test_a_file_that_is_not_there_is_named(self):
        self.use(self.folder / "nowhere.so")
        self.assertIn("nowhere.so", self.reason())

    def test_a_file_that_is_no_library_is_refused(self):
        path = self.folder / "text.so"
        path.write_text("no library")
        self.use(path)
        self.assertIn("the CUDA backend cannot be loaded", self.reason())

    def test_a_foreign_library_is_refused(self):
        self.use("libm.so.6")
        self.assertIn("the file is no CUDA backend of Plumbline (libm.so.6)", self.reason())

    @unittest.skipUnless(MODULE, "this build has no CUDA backend")
    def test_a_copy_of_the_module_that_was_cut_short_is_refused(self):
        content = pathlib.Path(MODULE).read_bytes()
        copy = self.folder / "libplumbline_cuda.so"
        self.use(copy)
        for size in (len(content) - 1, len(content) // 2, 100_000, 1000, 64, 63, 0):
            copy.write_bytes(content[:size])
            devices = {device["backend"]: device for device in self.ok_json("devices")}
            self.assertTrue(devices["cpu"]["available"], size)
            self.assertRegex(devices["cuda"]["reason"], "the CUDA backend cannot be loaded .*libplumbline_cuda.so", size)
        copy.write_bytes(content[:5000])
        self.assertIn("a part of the file is missing): install it again, or use the CPU", self.reason())
        copy.write_bytes(content)
        devices = {device["backend"]: device for device in self.ok_json("devices")}
        self.assertNotIn("cannot be loaded", devices["cuda"]["reason"] or "")

    def test_a_folder_or_a_pipe_is_not_opened(self):
        for make in (pathlib.Path.mkdir, os.mkfifo):
            path = self.folder / make.__name__
            make(path)
            self.use(path)
            self.assertIn("not a file", self.reason())

    @unittest.skipUnless(MODULE, "this build has no CUDA backend")
    def test_a_missing_library_of_cuda_is_named_with_the_remedy(self):
        self.use(self.patched(b"libcublasLt.so.", b"libnotThere.so."))
        self.assertRegex(self.reason(), r"a library of CUDA is not installed \(libnotThere\.so\.\d+\): install")

    @unittest.skipUnless(MODULE, "this build has no CUDA backend")
    def test_a_module_of_another_build_is_refused_with_both_builds(self):
        version = self.ok("--version").split()[1].encode() + b" "
        other = b"9" + version[1:]
        self.use(self.patched(version, other))
        self.assertIn("the CUDA backend is of another build (9", self.reason())

    @unittest.skipUnless(MODULE and STUBS.exists(), "this build has no CUDA backend, or its toolkit no stubs")
    def test_the_toolkits_stub_is_not_taken_for_a_driver(self):
        (self.folder / "libcuda.so.1").symlink_to(STUBS)
        self.environment["LD_LIBRARY_PATH"] = str(self.folder)
        self.use(MODULE)
        self.assertIn("stub", self.reason())

    @unittest.skipUnless(MODULE, "this build has no CUDA backend")
    def test_the_module_is_found_beside_the_program_and_says_what_the_driver_lacks(self):
        del self.environment["PLUMBLINE_CUDA_MODULE"]
        devices = {device["backend"]: device for device in self.ok_json("devices")}
        if devices["cuda"]["available"]:
            self.skipTest("this machine has a GPU")
        self.assertRegex(devices["cuda"]["reason"], "NVIDIA driver|GPU")

    def test_the_driver_is_asked_before_the_module_is_loaded(self):
        program = self.folder / "plumbline-cli"
        shutil.copy(BINARY, program)
        (self.folder / "libplumbline_cuda.so").write_text("no library")
        self.environment["PLUMBLINE_CUDA_MODULE"] = ""
        done = subprocess.run([program, "devices", "--json"], env=self.environment, capture_output=True, check=True)
        reason = {device["backend"]: device for device in json.loads(done.stdout)}["cuda"]["reason"]
        if "cannot be loaded" in reason and shutil.which("nvidia-smi"):
            self.skipTest("this machine has a driver")
        self.assertRegex(reason, "NVIDIA driver|GPU")

    @unittest.skipUnless(MODULE, "this build has no CUDA backend")
    def test_without_a_driver_no_library_of_cuda_is_loaded(self):
        self.environment |= {"PLUMBLINE_CUDA_MODULE": "", "LD_DEBUG": "files"}
        done = self.run_cli("devices")
        if "no NVIDIA driver is installed" not in done.stdout:
            self.skipTest("this machine has a driver")
        self.assertIn("libdnnl", done.stderr)
        self.assertNotIn("libcublasLt", done.stderr)


if __name__ == "__main__":
    unittest.main()
