# SPDX-License-Identifier: Apache-2.0
"""What cannot be done: one sentence with the value, and a remedy, as the protocol's `error` has them."""

from __future__ import annotations

CODES = ("bad_input", "run_failed", "unavailable", "out_of_memory", "device_lost", "io", "internal")
# What CUDA says to everything once a device does nothing more for the process.
_LOST = ("illegal memory access", "unspecified launch failure", "device-side assert", "illegal instruction",
         "misaligned address", "launch timed out", "uncorrectable ECC", "uncorrectable NVLink")


class Refusal(Exception):
    """An error for the window; everything before it stays as it was."""

    def __init__(self, message: str, hint: str = "", code: str = "bad_input") -> None:
        super().__init__(message)
        assert code in CODES
        self.message, self.hint, self.code = message, hint, code

    def document(self) -> dict[str, str]:
        """The fields of an `error` event."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


def refusal_of(error: BaseException, doing: str) -> Refusal:
    """Any exception as a refusal. `doing`: what failed, as "the step failed"."""
    if isinstance(error, Refusal):
        return error
    said = (str(error).strip().splitlines() or [""])[0][:300]
    if type(error).__name__ == "OutOfMemoryError" or isinstance(error, MemoryError):
        return Refusal(f"{doing}: there is no memory left ({said or 'MemoryError'})", "lower batch, dim or layers",
                       "out_of_memory")
    if "DefaultCPUAllocator" in said or "can't allocate memory" in said:
        return Refusal(f"{doing}: there is no memory left ({said})", "lower batch, dim or layers", "out_of_memory")
    if "CUDA error" in said and any(words in said for words in _LOST):
        return Refusal(f"the GPU is lost to this process of PyTorch ({said})",
                       "run again, with another one; where it is lost again see nvidia-smi and the system's log (Xid)",
                       "device_lost")
    return Refusal(f"{doing} ({type(error).__name__}: {said})" if said else f"{doing} ({type(error).__name__})", "",
                   "run_failed")
