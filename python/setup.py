# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: the data sheets of devices, which the source tree has once, go into the wheel."""

import os

from setuptools import setup
from setuptools.command.build_py import build_py

SHEETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "resources", "hardware.json")


class WithDataSheets(build_py):
    """Adds hardware.json to the package; built elsewhere than in the source tree it has none."""

    def run(self):
        super().run()
        if os.path.isfile(SHEETS) and not self.editable_mode:
            self.copy_file(SHEETS, os.path.join(self.build_lib, "plumbline", "hardware.json"))


setup(cmdclass={"build_py": WithDataSheets})
