"""A game for the tests, installed as those of other packages are: by an entry point."""

import os
from multiprocessing import active_children
from pathlib import Path

import pytest

from brickphys.batch import chunk
from brickphys.stamp import stamp_here
from tests.batch.batches import left_over
from tests.installed_game import installed_game


@pytest.fixture(autouse=True, scope="module")
def pebbles_are_installed(tmp_path_factory):
    """Let this process, its children and programs find the game."""
    folder = tmp_path_factory.mktemp("installed")
    source = Path(__file__).parent
    with installed_game(folder, "pebbles", "pebbles_game:PebblesGame", source):
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


@pytest.fixture(scope="module")
def quick_disk():
    """Wait for no write, and look at no file after each job: for tests that lose no power and edit no sources."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(chunk, "stamp_now", stamp_here)
        yield
