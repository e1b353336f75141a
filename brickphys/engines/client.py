"""Client: import of PyBullet, only when it is needed and without its greeting, and connections to it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from brickphys.errors import MissingLibraryError


def pybullet() -> ModuleType:
    """Return the module PyBullet, imported without its greeting.

    Raises
    ------
    MissingLibraryError
        If PyBullet is not installed.
    """
    if loaded := sys.modules.get("pybullet"):
        return loaded
    try:
        with _silence():
            import pybullet as module
    except ImportError as error:
        raise MissingLibraryError(
            f"PyBullet cannot be imported ({error}): it has wheels for Python 3.10 and 3.11 only;"
            " the engine compiled and all games work without it"
        ) from error
    return module  # type: ignore[no-any-return]


@contextmanager
def _silence() -> Iterator[None]:
    """Redirect file descriptor 2 to the null device, since C code prints the greeting."""
    if sys.stderr is None:  # it is closed
        yield
        return
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
def connections(count: int) -> Iterator[tuple[ModuleType, list[int]]]:
    """Open some physics worlds without a window, and close them afterwards.

    Yields
    ------
    tuple
        The module, and the numbers of the clients for the argument ``physicsClientId`` of its functions.
    """
    module = pybullet()
    clients = [module.connect(module.DIRECT) for _ in range(count)]
    try:
        yield module, clients
    finally:
        for client in clients:
            module.disconnect(client)


@contextmanager
def connection() -> Iterator[tuple[ModuleType, int]]:
    """Open one physics world; see `connections`."""
    with connections(1) as (module, (client,)):
        yield module, client
