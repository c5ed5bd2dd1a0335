# SPDX-License-Identifier: Apache-2.0
"""Writes and reads a step file: one JSON document that is there whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Union

Path = Union[str, "os.PathLike[str]"]


def write_step(path: Path, document: dict[str, Any]) -> None:
    """Writes to a temporary name beside `path`, syncs and renames. Raises OSError, and ValueError for a number
    that JSON has no word for; nothing is left behind then."""
    target = os.fspath(path)
    folder = os.path.dirname(target) or "."
    handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(target)}.", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(folder)


def read_step(path: Path) -> dict[str, Any]:
    """Reads a step file and holds it to its form. Raises OSError and ValueError."""
    from .validate import validate

    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    problems = validate(document)
    if problems:
        raise ValueError(f"{os.fspath(path)} is no step file: {problems[0]}")
    return document


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: str) -> None:
    """Makes the new name last; where folders cannot be synced (Windows) the name is as lasting as it gets."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
