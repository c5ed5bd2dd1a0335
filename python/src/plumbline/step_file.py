# SPDX-License-Identifier: Apache-2.0
"""Writes and reads a step file: one JSON document that is there whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from typing import Any, NamedTuple, Optional, Union

Path = Union[str, "os.PathLike[str]"]

# What to do about an error of the system, in the words of core/io/system_error.cpp.
_REMEDIES = {
    errno.EACCES: "check the permissions, or choose a place that you may use",
    errno.EPERM: "check the permissions, or choose a place that you may use",
    errno.ENOSPC: "free some space, or choose another disk",
    errno.EDQUOT: "free some space, or choose another disk",
    errno.EROFS: "choose a place that is not mounted read-only",
    errno.ENOENT: "check the name, or create the folder first",
    errno.ENOTDIR: "a part of the path is a file and not a folder: check the path",
    errno.EISDIR: "name a file inside the folder",
    errno.EFBIG: "the file is larger than the file system or the limit of this process allows (ulimit -f)",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "the symbolic links lead in a circle: name the file itself",
    errno.EEXIST: "choose another name",
    errno.EMFILE: "too many files are open: close some programs, or raise ulimit -n",
    errno.ENFILE: "too many files are open: close some programs, or raise ulimit -n",
}
_LONGEST_NAME = 200  # bytes of a name that a temporary one repeats, since file systems allow 255


class Target(NamedTuple):
    """Where a file is to be written."""

    asked: str    # as the caller named it, made absolute: a training may change its folder
    file: str     # behind symbolic links, which stay
    old: Optional[os.stat_result]  # of the file that is replaced; None for a new one


def find_target(path: Path) -> Target:
    """Where `path` leads, once it is known that a file can be written there. ValueError with the reason and a remedy
    for what is neither a plain file nor a new name: renaming onto a device or a pipe would put a plain file in its place."""
    asked = os.path.abspath(os.fsdecode(path))
    try:
        old: Optional[os.stat_result] = os.stat(asked)
    except FileNotFoundError:
        old = None
    except OSError as error:
        raise ValueError(sentence_of(error, asked)) from error
    if old is not None and stat.S_ISDIR(old.st_mode):
        raise ValueError(sentence_of(OSError(errno.EISDIR, os.strerror(errno.EISDIR)), asked))
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise ValueError(f"cannot write {asked} (neither a plain file nor a new name): name a file on disk")
    if old is not None and not os.access(asked, os.W_OK):
        raise ValueError(sentence_of(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), asked))
    target = Target(asked, os.path.realpath(asked), old)
    try:  # permissions do not tell of a folder that is mounted read-only, of quotas, or of root
        handle, temporary = _temporary(target)
        os.close(handle)
        os.unlink(temporary)
    except OSError as error:
        raise ValueError(sentence_of(error, asked)) from error
    return target


def write_step(path: Path, document: dict[str, Any]) -> None:
    """Writes to a temporary name beside `path`, syncs and renames. Raises OSError, and ValueError for a place where no
    file can be (find_target) or a number that JSON has no word for; nothing is left behind then."""
    write_to(find_target(path), document)


def write_to(target: Target, document: dict[str, Any]) -> None:
    """As write_step(), to what find_target() found. A file that is replaced gives the new one its owner and mode."""
    handle, temporary = _temporary(target)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        if target.old is None:
            os.chmod(temporary, 0o666 & ~_umask())
        else:
            _keep_owner(temporary, target.old)
        if os.path.exists(target.file) and not os.path.isfile(target.file):  # came to be while the step was recorded
            raise FileExistsError(errno.EEXIST, "no plain file any more")
        os.replace(temporary, target.file)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(os.path.dirname(target.file))


def sentence_of(error: BaseException, path: str) -> str:
    """One sentence of why a file was not written, with what can be done: "cannot write PATH (reason): remedy"."""
    if not isinstance(error, OSError) or error.errno is None:
        return f"cannot write {path} ({error}): this is a mistake of plumbline's, please report it"
    remedy = _REMEDIES.get(error.errno, "check the disk and the path, then try again")
    return f"cannot write {path} ({error.strerror}): {remedy}"


def read_step(path: Path) -> dict[str, Any]:
    """Reads a step file and holds it to its form. Raises OSError and ValueError."""
    from .validate import validate

    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    problems = validate(document)
    if problems:
        raise ValueError(f"{os.fspath(path)} is no step file: {problems[0]}")
    return document


def _temporary(target: Target) -> tuple[int, str]:
    name = os.fsdecode(os.fsencode(os.path.basename(target.file))[:_LONGEST_NAME])
    return tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=os.path.dirname(target.file))


def _keep_owner(temporary: str, old: os.stat_result) -> None:
    """The owner first, because changing it clears mode bits; only root may give files away."""
    if hasattr(os, "chown"):
        try:
            os.chown(temporary, old.st_uid, old.st_gid)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EINVAL):
                raise
    os.chmod(temporary, stat.S_IMODE(old.st_mode))


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
