#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that check_tree.py can fail: plants each forbidden thing in a small tree and expects it to be found."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import check_tree  # noqa: E402

APACHE = "// SPDX-License-Identifier: Apache-2.0\n"
GPL = "// SPDX-License-Identifier: GPL-3.0-or-later\n"


ROOMS = ("# SPDX-License-Identifier: GPL-3.0-or-later\nset(plumb_shared_rooms theme charts)\n"
         "set(plumb_view_rooms memory roofline)\nset(plumb_house_rooms shell)\n")


class Tree:
    """A source tree that obeys every rule, to be spoilt by one file at a time."""

    CLEAN = {
        "core/base/result.h": APACHE + "#include <vector>\n#include <queue>\n",
        "core/plan/plan.h": APACHE + '#include "core/base/result.h"\n#include <cstdint>\n',
        "core/plan/plan.cpp": APACHE + '#include "core/plan/plan.h"\n// not an include: #include <QString>\n',
        "kernels/cpu/backend.cpp": APACHE + '#include "core/plan/plan.h"\n#include <oneapi/dnnl/dnnl.hpp>\n',
        "kernels/cuda/backend.cpp": APACHE + '#include <cuda_runtime.h>\n#include "core/plan/plan.h"\n',
        "ui/shell/window.h": GPL + '#include <QWidget>\n#include <QtCharts/QChart>\n#include "core/plan/plan.h"\n',
        "app/gui/main.cpp": GPL + '#include "ui/shell/window.h"\n#include "core/base/result.h"\n',
        "app/cli/backends.h": APACHE,
        "app/cli/backends.cpp": APACHE + '#include "app/cli/backends.h"\n',
        "app/cli/main.cpp": APACHE + '#include "app/cli/backends.h"\n#include "kernels/cpu/backend.h"\n',
        "tests/core/plan/plan_test.cpp": APACHE + '#include "core/plan/plan.h"\nauto s = "QVERIFY(true)";\n',
        "tests/ui/shell/window_test.cpp": GPL + '#include "ui/shell/window.h"\n#include <QTest>\nint n = 1\'000\'000;\n',
        "core/plan/step.cpp": APACHE + '#include "core/model/config.h"\n#include "core/base/result.h"\n',
        "core/model/config.h": APACHE,
        "core/CMakeLists.txt":
            "# SPDX-License-Identifier: Apache-2.0\n# never Qt6::Core\nset(plumb_floors base model plan)\n",
        "ui/CMakeLists.txt": ROOMS,
        "ui/theme/theme.h": GPL,
        "ui/memory/memory.h": GPL + '#include "ui/theme/theme.h"\n',
        "ui/shell/window.cpp": GPL + '#include "ui/shell/window.h"\n#include "ui/memory/memory.h"\n',
        "tests/CMakeLists.txt":
            "# SPDX-License-Identifier: Apache-2.0\nplumb_test(a SOURCES core/plan/plan_test.cpp core/a_test.cpp)\n",
        "tests/ui/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nplumb_test(b SOURCES shell/window_test.cpp)\n",
    }

    def __init__(self, root):
        self.root = root
        for path, text in self.CLEAN.items():
            self.write(path, text)

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as target:
            target.write(text)

    def fatal(self):
        return [finding for finding in check_tree.check_tree(self.root)[1] if finding.fatal]


# path of the offender, its text, the line of the finding, a part of its message
OFFENDERS = (
    ("core/plan/a.cpp", APACHE + "#include <QString>\n", 2, "no Qt"),
    ("core/plan/a.cpp", APACHE + "#include <QtCore/QString>\n", 2, "no Qt"),
    ("core/plan/a.cpp", APACHE + "  #  include <qglobal.h>\n", 2, "no Qt"),
    ("core/base/a.h", APACHE + "#include <QtGlobal>\n", 2, "no Qt"),
    ("kernels/cpu/a.cpp", APACHE + '#include "QDebug"\n', 2, "no Qt"),
    ("app/cli/a.cpp", APACHE + "#include <QProcess>\n", 2, "no Qt"),
    ("core/plan/a.cpp", APACHE + '#include "kernels/cpu/backend.h"\n', 2, "forbidden include of kernels/"),
    ("core/plan/a.cpp", APACHE + "#include <kernels/cpu/backend.h>\n", 2, "forbidden include of kernels/"),
    ("core/plan/a.cpp", APACHE + '#include "ui/shell/window.h"\n', 2, "forbidden include of ui/"),
    ("core/base/a.h", APACHE + '#include "core/plan/plan.h"\n', 2, "forbidden include of core/plan/"),
    ("core/model/a.cpp", APACHE + '#include "core/plan/plan.h"\n', 2, "this folder may include core/base/, core/model/"),
    ("core/unknown/a.cpp", APACHE + '#include "core/base/result.h"\n', 2, "may include nothing of ours"),
    ("tests/core/b_test.cpp", APACHE, 1, "never built"),
    ("tests/ui/plan_test.cpp", APACHE, 1, "never built"),
    ("kernels/cpu/a.cpp", APACHE + '#include "kernels/cuda/backend.h"\n', 2, "forbidden include of kernels/cuda"),
    ("kernels/common/a.h", APACHE + '#include "kernels/cpu/backend.h"\n', 2, "forbidden include of kernels/cpu"),
    ("kernels/cpu/a.cpp", APACHE + '#include "ui/shell/window.h"\n', 2, "forbidden include of ui/"),
    ("ui/theme/a.cpp", GPL + '#include "ui/charts/axis.h"\n', 2, "this folder may include core/, ui/theme/"),
    ("ui/charts/a.cpp", GPL + '#include "ui/memory/memory.h"\n', 2, "forbidden include of ui/memory/"),
    ("ui/roofline/a.cpp", GPL + '#include "ui/memory/memory.h"\n', 2, "forbidden include of ui/memory/"),
    ("ui/memory/a.cpp", GPL + '#include "ui/shell/window.h"\n', 2, "forbidden include of ui/shell/"),
    ("ui/memory/a.cpp", GPL + "// a StepPlan\nvoid f(const StepPlan&);\n", 3, "StepPlan is of the deep linear model"),
    ("ui/memory/a.cpp", GPL + "auto a = toText(all[i].target.machine.name);\n", 2, "deviceText()"),
    ("ui/memory/a.cpp", GPL + "auto a = coreText(scene.measured->machine().name);\n", 2, "deviceText()"),
    ("ui/training/loss_chart.h", GPL + "void f(const RunConfig&);\n", 2, "RunConfig is of the deep linear model"),
    ("core/export/tables.cpp", APACHE + "OpKind kind;\n", 2, "OpKind is of the deep linear model"),
    ("ui/workbench/prediction_difference.h", GPL + "int f(const StepPlan&);\n", 2, "StepPlan is of the deep linear model"),
    ("ui/lost/a.cpp", GPL + '#include "ui/theme/theme.h"\n', 2, "may include nothing of ours"),
    ("ui/shell/a.cpp", GPL + '#include "kernels/cpu/backend.h"\n', 2, "forbidden include of kernels/"),
    ("ui/shell/a.cpp", GPL + '#include "app/cli/backends.h"\n', 2, "forbidden include of app/"),
    ("app/gui/a.cpp", GPL + '#include "kernels/cpu/backend.h"\n', 2, "forbidden include of kernels/"),
    ("app/gui/a.cpp", GPL + '#include "app/cli/backends.h"\n', 2, "forbidden include of app/cli/"),
    ("app/cli/a.cpp", APACHE + '#include "ui/shell/window.h"\n', 2, "forbidden include of ui/"),
    ("tests/cli/a.cpp", APACHE + '#include "app/cli/backends.h"\n', 2, "forbidden include of app/"),
    ("tests/fuzz/a.cpp", APACHE + '#include "app/cli/backends.h"\n', 2, "forbidden include of app/"),
    ("core/a.cpp", APACHE + '#include "../kernels/cpu/backend.cpp"\n', 2, "forbidden include of kernels/"),
    ("core/plan/a.cpp", APACHE + '#include "plan.h"\n', 2, "from the root"),
    ("core/plan/a.cpp", APACHE + "#include <cuda_runtime.h>\n", 2, "CUDA stays"),
    ("kernels/cpu/a.cpp", APACHE + "#include <cublasLt.h>\n", 2, "CUDA stays"),
    ("tests/gpu/a.cpp", APACHE + "#include <cupti.h>\n", 2, "CUDA stays"),
    ("tests/ui/a.cpp", GPL + "/* two\nlines */ void f() { QVERIFY(true); }\n", 3, "QVERIFY"),
    ("tests/ui/a.cpp", GPL + "void f() { QCOMPARE (1, 1); }\n", 2, "QCOMPARE"),
    ("tests/ui/a.cpp", GPL + "void f() { QTRY_VERIFY_WITH_TIMEOUT(true, 1); }\n", 2, "QTRY_VERIFY"),
    ("core/plan/a.cpp", "int a;\n", 1, "no licence line"),
    ("tests/tool.py", "import os\n", 1, "no licence line"),
    ("kernels/CMakeLists.txt", "add_library(k)\n", 1, "no licence line"),
    ("core/plan/a.cpp", GPL, 1, "licence GPL-3.0-or-later"),
    ("ui/shell/a.cpp", APACHE, 1, "licence Apache-2.0"),
    ("app/gui/a.cpp", APACHE, 1, "licence Apache-2.0"),
    ("core/plan/version.h.in", "int a;\n", 1, "no licence line"),
    ("core/plan/a.cpp", APACHE + "int a;\n" * 600, 601, "601 lines"),
    ("core/plan/CMakeLists.txt", "# SPDX-License-Identifier: Apache-2.0\ntarget_link_libraries(c Qt6::Core)\n", 2,
     "forbidden target Qt6::"),
    ("ui/CMakeLists.txt", ROOMS + "link(ui plumb::kernels_cpu)\n", 5,
     "forbidden target plumb::kernels"),
)


class CheckTree(unittest.TestCase):
    def clean_tree(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Tree(folder.name)

    def test_accepts_a_tree_that_obeys(self):
        tree = self.clean_tree()
        self.assertEqual([], [str(finding) for finding in tree.fatal()])

    def test_finds_every_offender_at_its_line(self):
        for path, text, line, message in OFFENDERS:
            with self.subTest(path=path, text=text[:120]):
                tree = self.clean_tree()
                tree.write(path, text)
                self.assertTrue(any(f.path == path and f.line == line and message in f.message
                                    for f in tree.fatal()),
                                [str(f) for f in tree.fatal()])

    def test_a_long_file_is_a_note_before_it_is_a_violation(self):
        tree = self.clean_tree()
        tree.write("core/plan/a.cpp", APACHE + "int a;\n" * 400)
        notes = [finding for finding in check_tree.check_tree(tree.root)[1] if not finding.fatal]
        self.assertEqual([], tree.fatal())
        self.assertEqual(["core/plan/a.cpp"], [note.path for note in notes])

    def test_does_not_mistake_comments_and_literals_for_code(self):
        tree = self.clean_tree()
        tree.write("tests/core/a_test.cpp", APACHE + 'auto a = R"x(\nstrtod(b) // )" )x"; // QVERIFY(1)\n'
                   "auto b = 'x'; auto c = \"/*\"; auto d = \"*/ strtod(b)\";\n")
        self.assertEqual([], [str(finding) for finding in tree.fatal()])

    def test_finds_numbers_that_depend_on_the_locale(self):
        for line in ('double a = std::strtod("1.5", nullptr);', 'double a = std::stod(text);', 'int a = atoi (text);',
                     'std::sscanf(text, "%d", &a);', 'std::printf("%.2f", 1.5);',
                     'std::snprintf(text, sizeof text,\n              "%d %-8.3Lg", 1, 1.5L);'):
            tree = self.clean_tree()
            tree.write("core/plan/a.cpp", APACHE + line + "\n")
            self.assertEqual(["core/plan/a.cpp"], [finding.path for finding in tree.fatal()], line)
        for line in ('std::from_chars(begin, end, a);', '// not strtod("1.5")', 'auto a = "strtod(x)";',
                     'std::printf("%d of 100 %%f\\n", 1);', 'int customstod(int);'):
            tree = self.clean_tree()
            tree.write("core/plan/a.cpp", APACHE + line + "\n")
            self.assertEqual([], [str(finding) for finding in tree.fatal()], line)

    def test_finds_a_seventh_folder_at_the_top(self):
        tree = self.clean_tree()
        tree.write("tools/a.py", "# SPDX-License-Identifier: Apache-2.0\n")
        subprocess.run(["git", "init", "-q", tree.root], check=True)
        subprocess.run(["git", "-C", tree.root, "add", "tools"], check=True)
        self.assertEqual(["tools"], [finding.path for finding in tree.fatal()])

    def test_the_program_exits_1_on_a_violation_and_on_an_empty_tree_and_0_on_a_clean_one(self):
        def run(root):
            command = [sys.executable, os.path.join(HERE, "check_tree.py"), "--root", root]
            return subprocess.run(command, capture_output=True, text=True)

        tree = self.clean_tree()
        self.assertEqual(0, run(tree.root).returncode)
        tree.write("core/plan/a.cpp", APACHE + "#include <QString>\n")
        spoilt = run(tree.root)
        self.assertEqual(1, spoilt.returncode)
        self.assertIn("core/plan/a.cpp:2: forbidden include of QString", spoilt.stdout)
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(1, run(empty).returncode)


if __name__ == "__main__":
    unittest.main()
