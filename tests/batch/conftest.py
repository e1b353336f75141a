"""A game for the tests, installed as those of other packages are: by an entry point."""

import os
from multiprocessing import active_children
from pathlib import Path

import pytest
from batches import left_over


@pytest.fixture(autouse=True, scope="module")
def pebbles_are_installed(tmp_path_factory):
    """Let this process, its children and programs find the game."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "pebbles-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[brickphys.games]\npebbles = pebbles_game:PebblesGame\n"
    )
    paths = [str(folder), str(Path(__file__).parent)]
    with pytest.MonkeyPatch.context() as patch:
        for path in paths:
            patch.syspath_prepend(path)
        given = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", os.pathsep.join([*paths, *([given] if given else [])]))
        yield


@pytest.fixture(autouse=True)
def nothing_is_left_running():
    """Whatever a test starts, workers or programs with all that these start, ends with it."""
    yield
    groups = left_over()
    workers = active_children()
    for worker in workers:
        worker.kill()
    assert (groups, workers) == ([], [])
