# SPDX-License-Identifier: Apache-2.0
"""Plumbline's recorder for PyTorch: one training step, every op and every byte with a name."""

__version__ = "0.1.0"

try:
    import torch as _torch  # noqa: F401
except ImportError as _error:  # `python -m plumbline engine` lives without, and tells the window so
    _reason = str(_error)
    __all__ = ["__version__"]

    def __getattr__(name: str):
        raise ImportError(f"plumbline.{name} needs PyTorch, which cannot be imported here ({_reason})")
else:
    from .callbacks import hugging_face_callback, lightning_callback
    from .fitting import advice, largest_batch
    from .prediction import Prediction, PredictionError, predict
    from .recording import RecordingError, record
    from .step_file import read_step, write_step
    from .validate import validate

    __all__ = ["Prediction", "PredictionError", "RecordingError", "advice", "hugging_face_callback", "largest_batch",
               "lightning_callback", "predict", "read_step", "record", "validate", "write_step", "__version__"]
