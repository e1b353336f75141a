"""Headings are shown as they can be typed: in the tables of a situation, and in what is told of a move."""

import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brickphys.odds.law import BinomialLaw
from brickphys.rules.names import degrees_text, facing_text, heading_text
from brickphys.rules.record import CHANCE, OVER
from brickphys.rules.registry import game as game_of
from brickphys.rules.words import ANGLE, TURN
from tests.cases import few

LAW = BinomialLaw(Fraction(3, 10))
CLOSE_DEG = 5e-7
"""Angles that are typed have six decimals."""


def typed(text: str) -> float:
    """The heading that somebody means who types what is shown."""
    value: float = ANGLE.parse(ANGLE.tidy(text))
    return value


def apart(one: float, other: float) -> float:
    return abs((one - other + 180.0) % 360.0 - 180.0)


@given(st.floats(-720.0, 720.0) | st.integers(-16, 16).map(lambda n: 45.0 * n))
@example(heading_deg=2.0**-14)  # 0.000061
def test_what_is_shown_of_a_heading_is_typed_back(heading_deg: float) -> None:
    for shown in (heading_text(heading_deg), facing_text(heading_deg)):
        assert apart(typed(shown), heading_deg) <= CLOSE_DEG
        assert 0.0 <= typed(shown) < 360.0
        assert heading_text(typed(shown)) == heading_text(heading_deg)
    assert abs(TURN.parse(TURN.tidy(degrees_text(heading_deg))) - heading_deg) <= CLOSE_DEG


@given(st.sampled_from(["north", "south-east", "west"]))
def test_a_direction_is_no_turn(word: str) -> None:
    assert ANGLE.fits(ANGLE.tidy(word))
    assert not TURN.fits(TURN.tidy(word))


def headings(state: Any) -> dict[str, float]:
    """The headings of all that turns freely, by name."""
    found = dict[str, float]()
    for kind, rows, key in (
        ("vehicles", getattr(state, "vehicles_left", ()), "heading_deg"),
        ("ships", [n for n, _ in getattr(state, "afloat", ())], "heading_deg"),
        ("figures", getattr(state, "alive", ()), "facing_deg"),
    ):
        specs, now = getattr(state.setting, kind, ()), getattr(state, kind, ())
        found |= {specs[number].name: getattr(now[number], key) for number in rows}
    return found


def shown_headings(text: str) -> dict[str, str]:
    """The headings in the tables of a situation, by the names in their rows."""
    found, lines = dict[str, str](), text.splitlines()
    for number, line in enumerate(lines):
        head = re.search(r"\b(heading|facing)\b", line)
        if not head or not re.search(r"\b(vehicle|ship|figure)\b", line):
            continue
        for row in lines[number + 1 :]:
            if not row.strip():
                break
            name = re.search(r"[a-z]\w+", row)
            assert name is not None
            found[name[0]] = row[head.start() :].split("  ")[0].strip()
    return found


BATTLES = [
    ("minifig", "skirmish"),
    ("pirate_wars", "two_against_two"),
    ("bow", "chase"),
    ("minifig", "siege"),
    ("pirate_wars", "convoy"),
    ("bow", "flight"),
]


@pytest.mark.parametrize("battle", few(BATTLES, 3))
def test_the_headings_of_a_situation_are_those_of_the_state(battle: tuple[str, str]) -> None:
    """Turns by odd angles, such as those towards an enemy, are preferred."""
    name, setup = battle
    game, rng, odd = game_of(name), Random(3), 0
    state = game.initial(game.setups[setup])
    law = {"pirate_wars": 400, "bow": 400, "minifig": 150}[name]
    for step in range(law):
        actor = game.actor(state)
        if actor == OVER:
            break
        if actor == CHANCE:
            chances = game.chance(state).law(LAW)
            (move,) = rng.choices([*chances], [float(chance) for chance in chances.values()])
        else:
            move = rng.choice(game.actions(state))
        state = game.apply(state, move)
        if step % 10 == 0 and game.actor(state) >= 0:
            shown = shown_headings(game.describe(game.observe(state, game.actor(state))))
            known = headings(state)
            assert {*shown} == {*known}
            for one, deg in known.items():
                assert apart(typed(shown[one]), deg) <= CLOSE_DEG, (one, shown[one], deg)
            odd += sum(bool(deg % 45) for deg in known.values())
    assert odd > 10
