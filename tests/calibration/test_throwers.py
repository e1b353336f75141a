"""Who throws, and in which pieces, changes nothing; counts add up, and intervals cover what they claim to cover."""

import itertools
import math
from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np
import pytest

from brickphys.calibration.throw import cell_of, drop
from brickphys.calibration.throwers import (
    Tally,
    ThrowCell,
    ThrowChunk,
    Throwers,
    chunk_hands,
    chunks,
    half_width,
    live_count,
    share_interval,
    side_interval,
    sides_difference,
    tally,
    throw,
)
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Landing
from brickphys.engines.registry import ENGINES
from brickphys.errors import CancelledRunError
from brickphys.odds.distribution import wilson
from brickphys.signals import cancelled_by
from brickphys.throws.conditions import preset, surface
from brickphys.throws.flight import States
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


def singles(sides: int, throws: int) -> Tally:
    return Tally({"side": sides, "studs_up": throws - sides}, (throws - sides, sides), 0.0)


def test_tally_counts_bricks_and_scores_of_hands() -> None:
    nothing = np.zeros((3, 2, 3))
    landing = Landing(
        ("side", "studs_up"),
        np.array([[0, 0], [0, 1], [1, 1]]),
        States(nothing, np.zeros((3, 2, 4)), nothing, nothing),
        np.zeros(3),
        np.array([0.0, 0.2, 0.1]),
    )
    counted = tally(landing)
    assert counted == Tally({"side": 3, "studs_up": 3}, (1, 1, 1), 0.2, {"side": 5, "studs_up": 5})
    assert (counted.hands, counted.bricks, counted.sides) == (3, 6, 3)


def test_tallies_add_up() -> None:
    assert singles(3, 10) + singles(1, 5) == singles(4, 15)


def test_a_shape_without_sides_scores_nothing() -> None:
    zero = np.zeros((2, 1, 3))
    landing = Landing(
        ("heads", "tails", "leaning", "unsettled"),
        np.array([[0], [1]]),
        States(zero, np.zeros((2, 1, 4)), zero, zero),
        np.zeros(2),
        np.zeros(2),
    )
    assert tally(landing).scores == (2, 0)
    assert tally(landing).sides == 0


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (3, 10), (10, 10), (1, 100_000)])
def test_wilson_solves_its_own_equation(successes: int, trials: int) -> None:
    # the ends of Wilson's interval are the p for which the score test is exactly at its limit
    p = successes / trials
    for end in wilson(successes, trials):
        if 0 < end < 1:
            z = abs(p - end) / math.sqrt(end * (1 - end) / trials)
            assert z == pytest.approx(1.959964, abs=1e-5)


def test_single_bricks_have_wilson_s_interval() -> None:
    assert side_interval(singles(300, 1000)) == wilson(300, 1000)
    assert half_width(singles(300, 1000)) == pytest.approx(0.0283, abs=2e-4)


def test_hands_of_independent_bricks_have_nearly_the_same_interval() -> None:
    rng = np.random.default_rng(1)
    scores = np.bincount(rng.binomial(6, 0.3, 20_000), minlength=7)
    sides = int(scores @ np.arange(7))
    hands = Tally({"side": sides, "studs_up": 120_000 - sides}, tuple(scores.tolist()), 0.0)
    assert side_interval(hands) == pytest.approx(wilson(sides, 120_000), abs=1e-4)


def test_hands_that_fall_alike_have_the_interval_of_as_many_single_bricks() -> None:
    hands = Tally({"side": 300 * 6, "studs_up": 700 * 6}, (700, 0, 0, 0, 0, 0, 300), 0.0)
    assert side_interval(hands) == pytest.approx(wilson(300, 1000), abs=1e-4)


def test_hands_that_all_score_the_same_claim_no_certainty() -> None:
    low, high = side_interval(Tally({"side": 0, "studs_up": 60}, (10, 0, 0, 0, 0, 0, 0), 0.0))
    assert low == 0.0
    assert high >= wilson(0, 10)[1]


def test_a_single_hand_tells_nothing() -> None:
    assert side_interval(Tally({"side": 2, "studs_up": 1}, (0, 0, 1, 0), 0.0)) == (0.0, 1.0)


@pytest.mark.parametrize("hands", [5, 20, 100])
def test_the_interval_of_hands_covers_the_truth(hands: int) -> None:
    # 2000 sets of hands of 4 independent bricks; 93.5 % would be missed once in 1000 such tests at a true 95 %
    rng = np.random.default_rng(hands)
    hits = 0
    for scores in rng.binomial(4, 0.3, (2000, hands)):
        sides = int(scores.sum())
        counts = tuple(np.bincount(scores, minlength=5).tolist())
        low, high = side_interval(
            Tally({"side": sides, "studs_up": 4 * hands - sides}, counts, 0.0)
        )
        hits += low <= 0.3 <= high
    assert hits / 2000 >= 0.935


@pytest.mark.parametrize("bricks", [1, 4])
def test_every_pose_has_the_interval_of_its_hands(bricks: int) -> None:
    rng = np.random.default_rng(3)
    poses = ("side", "studs_up", "studs_down")
    pose = rng.integers(3, size=(60, bricks))
    pose[:20] = pose[:20, :1]  # hands that clump
    zero = np.zeros((60, bricks, 3))
    states = States(zero, np.zeros((60, bricks, 4)), zero, zero)
    halves = [slice(0, 25), slice(25, 60)]
    landing = Landing(poses, pose, states, np.zeros(60), np.zeros(60))
    first, second = (tally(landing[half], ("studs_up", "side")) for half in halves)
    found = (first + second).poses_ci95
    for index, name in enumerate(poses):
        scores = np.bincount((pose == index).sum(axis=1), minlength=bricks + 1).tolist()
        assert found[name] == pytest.approx(share_interval(scores), abs=1e-12)
    scored = np.bincount((pose < 2).sum(axis=1), minlength=bricks + 1).tolist()
    assert list((first + second).scores) == scored


@pytest.mark.parametrize(
    ("one", "other", "ends"),
    [
        (singles(56, 70), singles(48, 80), (0.0524, 0.3339)),
        (singles(9, 10), singles(3, 10), (0.1705, 0.8090)),
        (singles(10, 10), singles(0, 20), (0.6791, 1.0)),
    ],
)
def test_the_difference_of_two_shares_has_the_published_intervals(one, other, ends):
    """R. Newcombe, Statistics in Medicine 17 (1998), table II, method 10."""
    more, found = sides_difference(one, other)
    assert more == one.sides / one.bricks - other.sides / other.bricks
    assert found == pytest.approx(ends, abs=5e-5)
    assert sides_difference(other, one)[1] == pytest.approx((-ends[1], -ends[0]), abs=5e-5)


@pytest.mark.parametrize(("bricks", "floor", "hands"), [(1, "plane", 700), (2, "plane", 3)])
def test_the_last_total_is_that_of_a_drop(bricks, floor, hands):
    cell = cell_of("2x2", None, "hand", bricks=bricks, floor_name=floor)
    totals = list(live_count(cell, 5, hands))
    assert totals[-1] == drop(cell, hands, 5, 1).tally
    done = [total.hands for total in totals]
    assert done == sorted(set(done))
    assert done[-1] == hands
    assert bricks > 1 or len(done) > 5


def test_chunks_of_throws_that_take_long_stay_small():
    cell = cell_of("2x2", None, "hand", bricks=6)
    counted = live_count(cell, 5, 10**6)
    done = [next(counted).hands for _ in range(3)]
    assert done[0] == 1
    assert done[-1] <= 1 + 2 * 10


def test_hands_that_share_a_world_end_while_they_are_thrown():
    cell = cell_of("2x2", None, "hand", bricks=12, floor_name="baseplate")
    asked = itertools.count()
    with pytest.raises(CancelledRunError), cancelled_by(lambda: next(asked) == 2):
        next(live_count(cell, 5, 100))
    assert next(asked) == 3
