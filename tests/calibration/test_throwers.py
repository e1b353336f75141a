"""Who throws, and in which pieces, changes nothing."""

from dataclasses import replace
from functools import reduce
from operator import add

import pytest

from brickphys.calibration.throwers import (
    Tally,
    ThrowCell,
    ThrowChunk,
    Throwers,
    chunk_hands,
    chunks,
    throw,
)
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.registry import ENGINES
from brickphys.throws.conditions import preset, surface
from brickphys.throws.release import BASEPLATE

CELL = ThrowCell("2x2", preset("hand"), surface("wood").nominal, "bullet", (1,))
TOGETHER = replace(CELL, conditions=replace(CELL.conditions, bricks=3))
STUDS = replace(CELL, floor=BASEPLATE)


def total(tallies: list[Tally]) -> Tally:
    return reduce(add, tallies)


@pytest.mark.parametrize("cell", [CELL, TOGETHER], ids=["single", "together"])
def test_chunks_add_up_to_the_whole(cell: ThrowCell) -> None:
    whole = throw(7, ThrowChunk(cell, 0, 3))
    parts = [throw(7, ThrowChunk(cell, first, count)) for first, count in ((0, 1), (1, 2))]
    assert total(parts) == whole


@pytest.mark.slow
def test_one_and_two_workers_give_the_same_tallies() -> None:
    work = [ThrowChunk(CELL, first, 4) for first in (0, 4, 8)]
    with Throwers(7, 1) as alone, Throwers(7, 2) as both:
        assert list(both.tallies(work)) == list(alone.tallies(work))


def test_totals_are_those_of_each_cell_however_they_are_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ENGINES, "compiled", CompiledEngine(chunk_bricks=128))
    wood = replace(CELL, engine="compiled")
    cells = {"wood": wood, "cloth": replace(wood, contact=surface("cloth").nominal)}
    hands = chunk_hands(wood) + 5
    with Throwers(7, 1) as throwers:
        totals = throwers.totals(cells, hands)
    assert totals == {name: throw(7, ThrowChunk(cell, 0, hands)) for name, cell in cells.items()}


def test_cells_and_roots_throw_different_bricks() -> None:
    cell = replace(CELL, engine="compiled")
    here = throw(7, ThrowChunk(cell, 0, 1000)).counts
    assert throw(8, ThrowChunk(cell, 0, 1000)).counts != here
    assert throw(7, ThrowChunk(replace(cell, address=(2,)), 0, 1000)).counts != here


@pytest.mark.slow
def test_chunks_on_studs_add_up_whatever_companies_they_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ENGINES, "bullet", BulletEngine(BulletSettings(hands=2)))
    assert chunk_hands(STUDS) == 2
    whole = throw(7, ThrowChunk(STUDS, 0, 6))
    parts = [throw(7, ThrowChunk(STUDS, first, count)) for first, count in ((0, 1), (1, 3), (4, 2))]
    assert total(parts) == whole


def test_chunks_cover_every_hand_once() -> None:
    pieces = list(chunks(TOGETHER, 1000))
    assert [piece.first for piece in pieces] == [
        i * chunk_hands(TOGETHER) for i in range(len(pieces))
    ]
    assert sum(piece.count for piece in pieces) == 1000
