"""A game of another package, as tests install it."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest


@contextmanager
def installed_game(folder: Path, name: str, where: str, source: Path) -> Iterator[None]:
    """Let this process, its children and programs find a game as one of another package, by an entry point.

    Parameters
    ----------
    folder
        An empty folder for the metadata of the package.
    name, where
        Of the game, and its class: ``package.module:Class``.
    source
        The folder that is imported from.
    """
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[brickphys.games]\n{name} = {where}\n")
    paths = [str(folder), str(source)]
    with pytest.MonkeyPatch.context() as patch:
        for path in paths:
            patch.syspath_prepend(path)
        given = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", os.pathsep.join([*paths, *([given] if given else [])]))
        yield


def installed_pebbles(folders: pytest.TempPathFactory) -> AbstractContextManager[None]:
    """Install the game of the tests of studies."""
    source = Path(__file__).parent / "batch"
    folder = folders.mktemp("installed")
    return installed_game(folder, "pebbles", "pebbles_game:PebblesGame", source)
