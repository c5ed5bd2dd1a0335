#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that check_names.py can fail: plants each mistake in a small tree and expects it to be found."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check_names  # noqa: E402

CLEAN = {
    "core/plan/plan.h": "int planStep();  ///< see core/plan/plan.cpp, plan.cpp and PLUMB_CHECK\n",
    "core/plan/plan.cpp": "// planStep() of <vector.h>, https://example.invalid/x\n#define PLUMB_CHECK(x) x\n",
    "docs/a.md": "# A\n`core/plan/plan.h` has planStep(), PLUMBLINE_CUDA is an option\n",
    "cmake/Options.cmake": "set(PLUMBLINE_CUDA AUTO)\n",
    "CHANGELOG.md": "What gone.cpp, PLUMB_GONE and planStop() once did\n",
}


class CheckNames(unittest.TestCase):
    def findings(self, path="core/plan/new.cpp", text=""):
        with tempfile.TemporaryDirectory() as root:
            for name, content in {**CLEAN, path: text}.items():
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(content)
            return list(check_names.check_names(root))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.findings(), [])

    def test_each_mistake_is_found_where_it_stands(self):
        for path, text, said in (
            ("core/plan/new.cpp", "\n// as core/plan/gone.cpp has it\n", ":2: there is no file core/plan/gone.cpp"),
            ("core/plan/new.cpp", "int x;  ///< see gone.h\n", ":1: there is no file gone.h"),
            ("core/plan/new.cpp", "// core/base/plan.h\n", ":1: there is no file core/base/plan.h"),
            ("docs/b.md", "# B\nsee CLI.md\n", ":2: there is no file CLI.md"),
            ("core/plan/new.cpp", "// only with PLUMB_HAVE_CUDA\n", ":1: nothing is called PLUMB_HAVE_CUDA"),
            ("docs/b.md", "`PLUMB_ASSERT`\n", ":1: nothing is called PLUMB_ASSERT"),
            ("core/plan/new.cpp", "// planStop() ends it\n", ":1: nothing has planStop()"),
        ):
            with self.subTest(text):
                self.assertEqual(self.findings(path, text), [path + said])

    def test_a_comment_does_not_define_what_it_names(self):
        self.assertEqual(len(self.findings(text="// planStop()\n// planStop()\n")), 2)

    def test_two_slashes_in_a_text_are_no_comment(self):
        self.assertEqual(self.findings(text='const char* x = "a // gone.h planStop()";\n'), [])


if __name__ == "__main__":
    unittest.main()
