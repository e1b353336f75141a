"""Jit: Numba's compiler as a decorator that type checkers can see through.

Only the kernels import this module, and only a throw imports the kernels, so that nothing else waits for Numba.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code and keep it on disk for the next process.

    Strict IEEE arithmetic: results may depend neither on the number of threads nor on how a loop is unrolled.
    """
    return numba.njit(cache=True, error_model="numpy")(function)  # type: ignore[no-any-return]


def parallel_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile likewise; the turns of ``numba.prange`` are shared among threads."""
    return numba.njit(cache=True, error_model="numpy", parallel=True)(function)  # type: ignore[no-any-return]
