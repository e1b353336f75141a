"""Combats are the same whoever of the players is on the move."""

from fractions import Fraction

import numpy as np
import pytest

from brickphys.blade_and_bow.pieces import FormationOrder
from brickphys.blade_and_bow.state import State
from brickphys.odds.law import BinomialLaw
from brickphys.rules.turn_state import PendingRoll
from tests.blade_and_bow.battle import PLAYERS, battle
from tests.blade_and_bow.crowd import crowd
from tests.blade_and_bow.fight import activated, choices, play

LAW = BinomialLaw(Fraction(1, 2))
CAMP = (
    "{} spears C2 s as=ann",
    "{} spears D2 sw as=amy",
    "{} hoplite B2 se +1 as=abe",
    "{} camp C3",
)


def camps() -> list[State]:
    """Return three units of either player that may attack a camp of the other one."""
    found = []
    for mover in (0, 1):
        sides = [PLAYERS[mover]] * 3 + [PLAYERS[1 - mover]]
        pieces = [line.format(side) for line, side in zip(CAMP, sides, strict=True)]
        found.append(battle("..... ..... .....", *pieces, mover=mover))
    return found


def played_out(one: State, other: State, seed: int) -> tuple[set[str], State]:
    """Play the same moves in two fights, of which the second has the players exchanged.

    Return what was asked, and the end of the first.
    """
    rng, asked = np.random.default_rng(seed), set()
    for _ in range(150):
        assert (one.units, one.losses, one.sacked) == (
            other.units,
            other.losses[::-1],
            other.sacked[::-1],
        )
        texts = choices(one), choices(other)
        enemies = [f"camp_{player}" for player in PLAYERS]
        assert texts[0] == [text.replace(*enemies) for text in texts[1]]
        first, second = one.first_pending, other.first_pending
        assert type(first) is type(second)
        asked.add(type(first).__name__)
        if isinstance(first, PendingRoll):
            assert isinstance(second, PendingRoll)
            law = first.event(one).law(LAW)
            assert dict(law) == dict(second.event(other).law(LAW))
            move = list(law)[rng.integers(len(law))]
            one, other = play(one, move), play(other, move)
            continue
        if not texts[0]:
            break
        if first is not None and second is not None:
            assert first.player(one) == 1 - second.player(other)
        at = rng.integers(len(texts[0]))
        one, other = play(one, texts[0][at]), play(other, texts[1][at])
    return asked, one


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (
            FormationOrder.MELEE,
            {"RetreatQuestion", "CommitmentRoll", "SideRoll", "Rerolls", "AdvanceChoice"},
        ),
        (FormationOrder.SHOOT, {"SideRoll"}),
    ],
)
def test_fights_are_the_same_with_the_players_exchanged(
    order: FormationOrder, words: set[str]
) -> None:
    asked = set[str]()
    for seed in range(15):
        drawn = crowd(seed, units=22, ground="....^")
        states = drawn.state, drawn.exchanged.state.replaced({"mover": 1})
        asked |= played_out(*(activated(state, order) for state in states), seed)[0]
    assert asked >= words


def test_camps_are_attacked_by_either_player() -> None:
    ends = [
        played_out(*(activated(state, FormationOrder.MELEE) for state in camps()), seed)[1]
        for seed in range(20)
    ]
    assert {end.sacked for end in ends} == {(False, False), (False, True)}
