"""Client: PyBullet, imported only when something is thrown, and without its greeting."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from brickphys.errors import MissingLibraryError


def pybullet() -> ModuleType:
    """Import PyBullet, silently.

    Raises
    ------
    MissingLibraryError
        If there is no PyBullet for this Python.
    """
    if "pybullet" in sys.modules:
        return sys.modules["pybullet"]
    try:
        with _silence():
            import pybullet as module
    except ImportError as error:
        raise MissingLibraryError(
            f"PyBullet cannot be imported ({error}): it has wheels for CPython 3.10 and 3.11 only"
        ) from error
    return module  # type: ignore[no-any-return]


@contextmanager
def _silence() -> Iterator[None]:
    """Send file descriptor 2 to nowhere, since the greeting is printed by C code."""
    sys.stderr.flush()
    saved = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)


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
