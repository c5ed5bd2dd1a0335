#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that check_binaries.py finds what it looks for: links libraries and programs with every mistake.

    check_binaries_test.py COMPILER
"""

import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_binaries.py")
COMPILER = "c++"
GOOD = ["-Wl,-z,now", "-Wl,-z,relro", "-fstack-protector-all"]
PRINTS = r"""#include <cstdio>
int main(int count, char** words) { return std::fprintf(stderr, "%d %s\n", count, words[0]) < 0; }
"""


class CheckBinaries(unittest.TestCase):
    def check(self, flags, source="int main() { return 0; }", program=True, more=()):
        with tempfile.TemporaryDirectory() as folder:
            code = os.path.join(folder, "code.cpp")
            with open(code, "w", encoding="utf-8") as file:
                file.write(source)
            kind = ["-fPIE", "-pie"] if program else ["-fPIC", "-shared"]
            if "-no-pie" in flags:
                kind = []
            subprocess.run([COMPILER, code, *kind, *flags, "-o", os.path.join(folder, "it")], check=True)
            os.remove(code)
            run = subprocess.run([sys.executable, "-B", CHECK, *more, folder], capture_output=True, text=True,
                                 check=False)
            return run.returncode, run.stdout

    def test_what_is_right_passes(self):
        for program in (True, False):
            code, text = self.check(GOOD + ["-Wl,-rpath,/usr/lib:$ORIGIN/../lib"], program=program,
                                    more=["--guarded"])
            self.assertEqual(code, 0, text)

    def expect(self, flags, what, program=True, **more):
        code, text = self.check(flags, program=program, **more)
        self.assertEqual(code, 1, text)
        self.assertIn(what, text)

    def test_an_empty_entry_is_found(self):
        for path in ("/usr/lib:", "/usr/lib::", ":/usr/lib", "/usr/lib::/lib"):
            self.expect([*GOOD, f"-Wl,-rpath,{path}"], "searches the current folder", program=False)

    def test_a_relative_entry_is_found(self):
        self.expect([*GOOD, "-Wl,-rpath,lib"], "entry 'lib'")
        self.expect([*GOOD, "-Wl,-rpath,/usr/lib:.", "-Wl,--disable-new-dtags"], "entry '.'")

    def test_lazy_binding_is_found(self):
        self.expect(["-Wl,-z,lazy", "-Wl,-z,relro"], "-z now")

    def test_writable_tables_are_found(self):
        self.expect(["-Wl,-z,now", "-Wl,-z,norelro"], "-z relro")

    def test_an_executable_stack_is_found(self):
        self.expect([*GOOD, "-Wl,-z,execstack"], "executable stack")

    def test_a_program_at_a_fixed_place_is_found(self):
        self.expect([*GOOD, "-no-pie"], "position-independent")

    def test_a_stack_without_guard_is_found(self):
        self.expect(["-Wl,-z,now", "-Wl,-z,relro", "-fno-stack-protector"], "guard its stack",
                    more=["--guarded"])

    def test_sizes_that_are_not_checked_are_found(self):
        checked = ["-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]
        code, text = self.check(GOOD + checked, PRINTS, more=["--guarded"])
        self.assertEqual(code, 0, text)
        for flags in (["-O2", "-U_FORTIFY_SOURCE"], ["-O2", "-D_FORTIFY_SOURCE=2", "-U_FORTIFY_SOURCE"],
                      ["-O0", *checked[1:]]):
            self.expect(GOOD + flags, "sizes that are known (fprintf", source=PRINTS, more=["--guarded"])

    def test_an_empty_folder_proves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([sys.executable, "-B", CHECK, folder], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        COMPILER = sys.argv.pop(1)
    unittest.main()
