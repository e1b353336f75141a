"""An evening of bots at ten tables of a server."""

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")

from benchmarks.tables import soak


@pytest.mark.slow
def test_an_evening_of_bots_does_not_fill_memory():
    """Caches and pages fill some 100 MB in the first two minutes; then a game leaves nothing.

    Without frequent collection of garbage the last five minutes added 108 MB (685 games). A false alarm would be an
    allocator or an interpreter that gives less memory back: load of other programs changes only how many games are
    played.
    """
    minutes = soak(10)
    (games, begun_mb), (more, end_mb) = minutes[5], minutes[10]
    assert more > games > 0
    assert end_mb - begun_mb < 40, minutes
