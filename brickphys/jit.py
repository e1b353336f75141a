"""Jit: Numba's compiler as decorators that keep a function's type hints.

Only kernel modules import this module at the top, and they are imported only when a throw or a sweep is computed.
Everything else starts without loading Numba.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba
from numba.core.event import Event, Listener, install_listener

from brickphys.notes import NOTES

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code, inlined into the entries that call it.

    Floating-point operations are not reordered, so results depend neither on the number of threads nor on loop
    unrolling; only multiply-add is fused (``contract``), in the same way for every throw. Kernels allocate no arrays,
    so reference counting is off: it takes 20 % of the time. They are inlined because a call with a body and its
    workspace passes about a hundred arguments, which takes 33 % of the time.
    """
    compile_it: Callable[[Callable[P, R]], Callable[P, R]] = numba.njit(  # type: ignore[call-overload]
        error_model="numpy", _nrt=False, forceinline=True, fastmath={"contract"}
    )
    return compile_it(function)


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code with reference counting, for functions that allocate arrays."""
    return numba.njit(error_model="numpy")(function)


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that Python calls; cache the machine code on disk and release the GIL while it runs.

    Numba's cache does not notice a change of a kernel in another file. An entry that calls one must therefore be a
    closure over `sources_stamp`: the values of a closure are part of the cache key. The parameters must be arrays and
    numbers.
    """
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


class _CompileListener(Listener):
    """Writes a note at the first compilation."""

    def __init__(self, what: str) -> None:
        self._what, self._is_noted = what, False

    def on_start(self, event: Event) -> None:
        if not self._is_noted:
            NOTES.info("compiling %s (once: the next start takes it from the disk)", self._what)
        self._is_noted = True

    def on_end(self, event: Event) -> None:
        """Do nothing."""


@contextmanager
def compile_notice(what: str) -> Iterator[None]:
    """Write a note if an entry called in the block has to be compiled, which takes many seconds.

    Parameters
    ----------
    what
        Name and usual duration of the compilation, such as ``"the fast engine, some 20 s"``.
    """
    with install_listener("numba:compile", _CompileListener(what)):
        yield


def sources_stamp(*sources: Path) -> int:
    """Return a 48-bit hash of the text of these files and of this one."""
    files = [*sources, Path(__file__)]
    return int.from_bytes(sha256(b"".join(map(Path.read_bytes, files))).digest()[:6], "big")
