"""Lakes: how many squares, and where: an independent machine of questions is the oracle (MF Campaign, Terrain)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from brickphys.minifig.campaign.days import LakeRoll, LakeSizeRoll
from brickphys.minifig.campaign.state import Direction, SquareGround, parse_chart
from tests.cases import few
from tests.minifig.campaign.quest import GAME, after, quest

AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0))


def lake_state(size, chart="0,-1o"):
    """The party stands at 0,0, where it has come upon a lake from the south."""
    state = quest(LakeSizeRoll(), place=(0, 0), heading=Direction.NORTH, chart=parse_chart(chart))
    return after(state, str(size - 2))


def squares(state):
    wet = (SquareGround.LAKE, SquareGround.SHORE)
    return frozenset(at for at, square in state.chart.squares.items() if square.ground in wet)


def questions(size, known, answers):
    """Play the questions as the book tells them, by hand; return the lake and what was asked for.

    Round after round: all sides of the first square, then those of the second, and so on; no place twice in a round.
    """
    lake, asked = [(0, 0)], []
    while len(lake) < size:
        done, number = set(), 0
        before = len(asked)
        while number < len(lake) and len(lake) < size:
            x, y = lake[number]
            for dx, dy in AROUND:
                at = (x + dx, y + dy)
                if at in known or at in lake or at in done or len(lake) == size:
                    continue
                done.add(at)
                asked.append(at)
                answer = next(answers, None)
                if answer is None:
                    return lake, asked
                if answer:
                    lake.append(at)
            number += 1
        if len(asked) == before:
            break
    return lake, asked


@pytest.mark.parametrize("size", few((5, 8, 3, 4, 6, 7), 2))
def test_lakes_are_those_of_the_questions(size):
    """A hundred lakes of each size, with known squares here and there."""
    rng = np.random.default_rng(size)
    for _ in range(100):
        known = {(0, -1)} | {(int(x), int(y)) for x, y in rng.integers(-3, 4, (6, 2))} - {(0, 0)}
        state = lake_state(size, " ".join(f"{x},{y}o" for x, y in sorted(known)))
        faces, asked = [], []
        while isinstance(state.first_pending, LakeRoll):
            x, y = GAME.chance(state).reason.rpartition(" ")[2].split(",")
            asked.append((int(x), int(y)))
            faces.append(int(rng.integers(1, 7)))
            state = after(state, str(faces[-1]))
        lake, wanted = questions(size, known, iter(face % 2 == 0 for face in faces))
        assert (squares(state), asked) == (frozenset(lake), wanted)
        assert len(lake) == size or set_round(lake) <= known


def set_round(lake):
    """All squares that touch a lake along a side."""
    return {(x + dx, y + dy) for x, y in lake for dx, dy in AROUND} - {*lake}


def shapes(state, weight, found, least):
    """Sum up the chances of lakes by brute force, until a branch has less than `least`."""
    if weight < least:
        return
    if not isinstance(state.first_pending, LakeRoll):
        found[squares(state)] += weight
        return
    for face in ("1", "2"):  # odd and even are as likely
        shapes(after(state, face), weight / 2, found, least)


def test_the_law_of_lakes_of_three_squares():
    """All lakes that are complete after ten answers, by brute force on both sides."""
    most, known, wanted = 10, {(0, -1)}, Counter()
    for answers in product((False, True), repeat=most):
        lake, _ = questions(3, known, iter(answers))
        if len(lake) == 3:
            wanted[frozenset(lake)] += Fraction(1, 2**most)
    found = Counter()
    shapes(lake_state(3), Fraction(1), found, Fraction(1, 2**most))
    assert found == wanted
    assert Fraction(9, 10) < sum(found.values()) < 1


def test_a_lake_without_room_stays_smaller():
    state = lake_state(8, "-1,0o 0,-1o 1,0o -1,1o 1,1o 0,2o")
    state = after(
        state, "1", "1", "2"
    )  # only the north is unknown: it is asked for until it is wet
    assert squares(state) == {(0, 0), (0, 1)}
    assert not isinstance(state.first_pending, LakeRoll)


def test_the_party_stands_on_the_shore():
    state = after(lake_state(3), "2", "2")
    assert state.chart.squares[0, 0].ground is SquareGround.SHORE
    assert state.chart.is_open((0, 0))
    assert not state.chart.is_open((0, 1))
