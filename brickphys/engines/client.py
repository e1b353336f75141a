"""Client: PyBullet, imported only when something is thrown, and without a word on standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from brickphys.errors import MissingLibraryError


def pybullet() -> ModuleType:
    """Import PyBullet; its greeting goes to standard error, which is not parsed by programs."""
    if "pybullet" in sys.modules:
        return sys.modules["pybullet"]
    try:
        with _stdout_to_stderr():
            import pybullet as module
    except ImportError as error:
        raise MissingLibraryError(
            f"PyBullet cannot be imported ({error}): it has wheels for CPython 3.10 and 3.11 only"
        ) from error
    return module  # type: ignore[no-any-return]


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Redirect file descriptor 1, since the greeting is printed by C code."""
    sys.stdout.flush()
    saved = os.dup(1)
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(saved, 1)
        os.close(saved)


@contextmanager
def connection() -> Iterator[tuple[ModuleType, int]]:
    """Open a physics world without a window, and free it afterwards.

    Yields
    ------
    tuple
        The module, and the client's number that its functions want as ``physicsClientId``.
    """
    module = pybullet()
    client = module.connect(module.DIRECT)
    try:
        yield module, client
    finally:
        module.disconnect(client)
