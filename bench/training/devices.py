"""Where a training computes: numpy on the processor, or CuPy, which has the same functions, on a GPU."""

import importlib
import sys
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special


def arrays_of(array: npt.NDArray[Any]) -> ModuleType:
    """The module whose array it is: numpy, or CuPy, which is loaded where one of its arrays is there."""
    return sys.modules[type(array).__module__.split(".", 1)[0]]


def erf(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The error function of each element, where the array is."""
    on_gpu = not isinstance(array, np.ndarray)
    module: Any = importlib.import_module("cupyx.scipy.special") if on_gpu else special
    found: npt.NDArray[np.float32] = module.erf(array)
    return found


def on_processor(array: Any) -> npt.NDArray[np.float32]:
    """The same as an array of numpy."""
    return np.asarray(array if isinstance(array, np.ndarray) else array.get(), np.float32)
