"""An evening of bots at ten tables of a server."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")

from benchmarks.tables import soak


@pytest.mark.slow
def test_an_evening_of_bots_does_not_fill_memory():
    """Garbage of NiceGUI and caches fill some 60 MB in the first 4,000 games: a leak of a page a game is 50 kB each."""
    minutes = soak(10)
    (games, begun_mb), (more, end_mb) = minutes[5], minutes[10]
    assert more > games > 0
    assert end_mb - begun_mb < max(20, 0.02 * (more - games)), minutes
