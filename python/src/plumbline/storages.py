# SPDX-License-Identifier: Apache-2.0
"""Every storage that lives during the recorded step: who made it, who freed it, what is known of it."""

from __future__ import annotations

import weakref
from typing import Any, Optional

import torch

from .dtypes import dtype_name
from .tensors import storage_of

BEFORE = -1  # first op of what lived before the step
INSIDE_LIBRARY = "inside a library"  # role of memory that is no tensor's


class Stored:
    """One storage, from the first byte it had to the last. A storage that is emptied and filled again
    (FSDP does so) is several."""

    __slots__ = ("name", "tag", "tag_role", "module", "dtype", "shape", "bytes", "pointer", "first_op", "last_op",
                 "made_phase", "packed", "read_in", "given_to_model", "made_by",
                 "__weakref__")

    def __init__(self, dtype: str, shape: list[int], size: int, pointer: int, first_op: int) -> None:
        self.name = ""
        self.tag: Optional[str] = None  # a category known by identity
        self.tag_role = ""
        self.module = ""
        self.dtype = dtype
        self.shape = shape
        self.bytes = size
        self.pointer = pointer         # 0 where nobody asked for it
        self.first_op = first_op
        self.last_op: Optional[int] = None  # None: lives on
        self.made_phase: Optional[str] = None
        self.packed = False            # whether autograd saved it
        self.read_in: set[str] = set()  # phases of the ops that read it
        self.given_to_model = False
        self.made_by: Optional[int] = None  # of what no op names among its results

    @classmethod
    def inside_library(cls, size: int, first_op: int, last_op: Optional[int], module: str, kind: str) -> "Stored":
        """Memory that the library behind an op took for itself."""
        row = cls("uint8", [size], size, 0, first_op)
        row.last_op, row.module, row.made_by = last_op, module, first_op
        row.tag, row.tag_role, row.name = "workspace", INSIDE_LIBRARY, f"{module or 'step'}:{kind} (library)"
        return row


class StorageTable:
    """Follows storages by weak reference: a callback says when one is freed.

    Ops are counted by whoever owns the table: `current` is the index of the op that runs or ran last, and what
    is freed then is resident up to it. What lives elsewhere than on `device` ("cpu", "cuda") has no row.
    """

    def __init__(self, device: str, with_pointers: bool = False) -> None:
        """with_pointers: rows know where they lie, which storages without data (fake ones) do not."""
        self._device = device
        self._with_pointers = with_pointers
        self.rows: list[Stored] = []
        self.current = BEFORE
        self._live: dict[int, tuple[int, Any]] = {}  # storage -> row, weak reference

    def find(self, tensor: torch.Tensor) -> Optional[int]:
        """The row of a tensor's storage while it lives."""
        storage = storage_of(tensor)
        entry = None if storage is None else self._live.get(storage._cdata)
        return None if entry is None else entry[0]

    def row_of(self, tensor: torch.Tensor, first_op: int) -> Optional[int]:
        """The row of a tensor's storage, which begins at `first_op` if it is new. None without a storage."""
        storage = storage_of(tensor) if tensor.device.type == self._device else None
        if storage is None:
            return None
        entry = self._live.get(storage._cdata)
        if entry is not None:
            row = self.rows[entry[0]]
            if row.bytes == storage.nbytes():
                return entry[0]
            self._end(entry[0])  # resized: what it was is gone
        return self._begin(tensor, storage, first_op)

    def resized(self, storage: torch.UntypedStorage) -> None:
        """Notes that a storage was given another size by resize_()."""
        entry = self._live.get(storage._cdata)
        if entry is None or self.rows[entry[0]].bytes == storage.nbytes():
            return
        old = self.rows[entry[0]]
        self._end(entry[0])
        row = Stored.__new__(Stored)
        for slot in Stored.__slots__:
            if slot != "__weakref__":
                setattr(row, slot, getattr(old, slot))
        row.bytes, row.first_op, row.last_op = storage.nbytes(), self.current + 1, None
        row.pointer = self._pointer(storage)
        row.read_in = set()
        self._live[storage._cdata] = (len(self.rows), entry[1])
        self.rows.append(row)

    def live_bytes(self) -> int:
        """Bytes of all storages that live now."""
        return sum(self.rows[row].bytes for row, _ in self._live.values() if self.rows[row].last_op is None)

    def close(self) -> None:
        """Forgets the references; what still lives outlives the step."""
        self._live.clear()

    def _begin(self, tensor: torch.Tensor, storage: torch.UntypedStorage, first_op: int) -> int:
        key, number = storage._cdata, len(self.rows)
        self.rows.append(Stored(dtype_name(tensor.dtype), [int(extent) for extent in tensor.shape],
                                storage.nbytes(), self._pointer(storage), first_op))
        table = weakref.ref(self)

        def freed(reference: Any) -> None:
            owner = table()
            entry = None if owner is None else owner._live.get(key)
            if entry is not None and entry[1] is reference:
                owner._end(entry[0])
                del owner._live[key]

        self._live[key] = (number, weakref.ref(storage, freed))
        return number

    def _pointer(self, storage: torch.UntypedStorage) -> int:
        return storage.data_ptr() if self._with_pointers else 0

    def _end(self, number: int) -> None:
        row = self.rows[number]
        if row.last_op is None:
            row.last_op = self.current
