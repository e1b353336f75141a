"""Jit: Numba's compiler as decorators that type checkers can see through.

Only kernels import this module, and only a throw or a sweep imports kernels, so that nothing else waits for Numba.
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
    """Compile to machine code, as a part of the entries that call it.

    Nothing may be reordered: results may depend neither on the number of threads nor on how a loop is unrolled. Only
    products may go into sums unrounded, the same way in every throw. Kernels make no arrays, so that none need be
    counted (counting takes a fifth of the time); they are inlined, since a body and its workspace are some hundred
    arguments to a call (which takes a third).
    """
    compile_it: Callable[[Callable[P, R]], Callable[P, R]] = numba.njit(  # type: ignore[call-overload]
        error_model="numpy", _nrt=False, forceinline=True, fastmath={"contract"}
    )
    return compile_it(function)


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile likewise, for the few functions that make arrays."""
    return numba.njit(error_model="numpy")(function)


def entry(function: Callable[P, R]) -> Callable[P, R]:
    """Compile what Python calls, keep the machine code on disk for the next process, and let other threads run.

    Numba does not notice if a kernel in another file has changed: an entry that calls one must be a closure over
    `sources_stamp`, because what a closure holds is part of the key under which it is kept. Its parameters must have
    plain types.
    """
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)


class _Teller(Listener):
    """Notes once that something is being compiled."""

    def __init__(self, what: str) -> None:
        self._what, self._told = what, False

    def on_start(self, event: Event) -> None:  # noqa: ARG002 - one is like another
        if not self._told:
            NOTES.info("compiling %s (once: the next start takes it from the disk)", self._what)
        self._told = True

    def on_end(self, event: Event) -> None:
        """Nothing is to be told of the end."""


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Note it if an entry that is called in the block has to be compiled first, which takes many seconds."""
    with install_listener("numba:compile", _Teller(what)):
        yield


def sources_stamp(*sources: Path) -> int:
    """Return a number that changes with the text of any of these files, or of this one."""
    files = [*sources, Path(__file__)]
    return int.from_bytes(sha256(b"".join(map(Path.read_bytes, files))).digest()[:6], "big")
