# SPDX-License-Identifier: Apache-2.0
"""The wheel: built of the source tree without a network, installed into an environment of its own, and used there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from importlib.metadata import PackageNotFoundError, version

from support import HERE, plumbline

PYTHON = os.path.dirname(HERE)
SHEETS = os.path.join(os.path.dirname(PYTHON), "resources", "hardware.json")


def can_build() -> bool:
    """Whether this Python has what makes wheels: setuptools does by itself since 70.1."""
    try:
        return bool(version("pip")) and tuple(map(int, version("setuptools").split(".")[:2])) >= (70, 1)
    except PackageNotFoundError:
        return False


def run(*words: str, folder: str) -> str:
    """Standard output of a program that succeeds, run where nothing of the source tree is in sight."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PLUMBLINE_MACHINES")}
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=environment)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


@unittest.skipUnless(can_build(), "no setuptools here that makes wheels")
class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory(prefix="plumbline-wheel-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = temporary.name
        # A copy, since setuptools builds in the folder of its source.
        source = os.path.join(cls.folder, "tree", "python")
        shutil.copytree(PYTHON, source, ignore=shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info", "tests"))
        os.makedirs(os.path.join(cls.folder, "tree", "resources"))
        shutil.copy(SHEETS, os.path.join(cls.folder, "tree", "resources"))
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        made = os.path.join(cls.folder, "made")
        run(*pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", made, source, folder=cls.folder)
        cls.name, = os.listdir(made)
        cls.wheel = os.path.join(made, cls.name)
        place = os.path.join(cls.folder, "fresh")
        run(sys.executable, "-m", "venv", "--without-pip", place, folder=cls.folder)
        cls.python = os.path.join(place, "bin", "python")
        run(*pip, "--python", cls.python, "install", "--no-index", "--no-deps", cls.wheel, folder=cls.folder)
        cls.site = run(cls.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=cls.folder).strip()
        # What it depends on is that of this Python, behind what was installed.
        with open(os.path.join(cls.site, "around.pth"), "w", encoding="utf-8") as file:
            file.write("".join(f"{path}\n" for path in sys.path if path.endswith("-packages")))
        asked = ("import json, plumbline; from importlib.metadata import version; from plumbline.machines import find_machine; "
                 "print(json.dumps({'version': plumbline.__version__, 'installed': version('plumbline-profiler'), "
                 "'file': plumbline.__file__, 'device': find_machine('H200 SXM').name}))")
        cls.told = json.loads(run(cls.python, "-c", asked, folder=cls.folder))  # at once: importing torch takes seconds

    def test_its_version_is_that_of_the_module_everywhere(self) -> None:
        with open(os.path.join(PYTHON, "pyproject.toml"), encoding="utf-8") as file:
            stated = re.search(r'^version = "(.*)"$', file.read(), re.MULTILINE).group(1)
        self.assertEqual(self.name, f"plumbline_profiler-{stated}-py3-none-any.whl")
        self.assertEqual(self.told["version"], stated)
        self.assertEqual(self.told["installed"], stated)

    def test_it_is_what_was_installed_and_not_the_source_tree(self) -> None:
        self.assertEqual(self.told["file"], os.path.join(self.site, "plumbline", "__init__.py"))

    def test_it_has_every_module_and_the_data_sheets_and_nothing_else(self) -> None:
        with zipfile.ZipFile(self.wheel) as wheel:
            names = {name for name in wheel.namelist() if ".dist-info/" not in name}
            sheets = json.loads(wheel.read("plumbline/hardware.json"))
        source = os.path.join(PYTHON, "src")
        modules = {os.path.relpath(os.path.join(folder, name), source).replace(os.sep, "/")
                   for folder, _, files in os.walk(source) for name in files if name.endswith(".py")}
        self.assertEqual(names, modules | {"plumbline/hardware.json"})
        with open(SHEETS, encoding="utf-8") as file:
            self.assertEqual(sheets, json.load(file))

    def test_a_device_is_found_by_its_name(self) -> None:
        self.assertIn("H200", self.told["device"])

    def test_it_says_how_it_is_used(self) -> None:
        self.assertIn("python -m plumbline", run(self.python, "-m", "plumbline", "--help", folder=self.folder))

    def test_a_script_is_recorded_with_it(self) -> None:
        script = os.path.join(self.folder, "train.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write("import torch\n"
                       "model = torch.nn.Linear(4, 4)\n"
                       "optimizer = torch.optim.SGD(model.parameters(), 0.1)\n"
                       "for _ in range(7):\n"
                       "    model(torch.randn(2, 4)).sum().backward()\n"
                       "    optimizer.step()\n")
        run(self.python, "-m", "plumbline", "--steps", "1", "--out", "s.plumb", script, folder=self.folder)
        self.assertEqual(plumbline.read_step(os.path.join(self.folder, "s.plumb"))["source"], "measured")


if __name__ == "__main__":
    unittest.main()
