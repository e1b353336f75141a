"""Fights of crowds by the game, and their states with a value that is edited: refused, or good enough to go on."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.state import State
from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.record import CHANCE, OVER
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.crowd import scattered, square_names
from tests.cases import few

GAME = BladeAndBow()
LAW = BinomialLaw(Fraction(1, 2))
FIGHT = ("attack", "aim", "with", "all", "ready", "stand")
WORDS = ("party", "commitment", "cards", "dice", "hits", "shoot", "melee")
PENDING = ("SideRoll", "Rerolls", "CommitmentRoll", "LeadQuestion", "Flight", "CommitmentQuestion")


def crowd(rng: Random) -> State:
    """Return 26 units on 64 squares, with leaders, camps and hands."""
    places, facings = square_names(8), (("ne", "n", "nw"), ("se", "s", "sw"))
    rng.shuffle(places)
    marks = ("", "", "", "wall", "disrupted")
    pieces = [*scattered(rng, places[:26], ranks=3, marks=marks, facings=facings)]
    pieces += [f"greeks leader leo {places[0]} 1-6-3/red", f"greeks camp {places[30]}"]
    pieces += [f"persians leader datis {places[1]} 1-6-2/white", f"persians camp {places[31]}"]
    cards = rng.sample(range(59), 8)
    return GAME.proceed(battle("........\n" * 8, *pieces, hands=(cards[:4], cards[4:])))


def moved(state: State, rng: Random) -> State | None:
    """Return the state after a random move, an attack where possible; None if the battle is over."""
    if (actor := GAME.actor(state)) == OVER:
        return None
    if actor == CHANCE:
        return GAME.apply(state, rng.choice(list(GAME.chance(state).law(LAW))))
    assert GAME.prompt(state)
    actions = GAME.actions(state)
    assert actions
    bold = [each for each in actions if each.word in FIGHT or each.text().endswith("melee")]
    return GAME.apply(state, rng.choice(bold or actions))


def edited(text: str, rng: Random) -> str:
    """Return the text of a state with a value changed in what concerns its combat."""
    row = json.loads(text)
    node: Any = row[rng.choice(("combat", "combat", "activation", "pending", "units"))]
    while node:
        place = rng.randrange(len(node))
        old = node[place]
        if isinstance(old, list) and old:
            node = old
            continue
        if isinstance(old, bool):
            node[place] = not old
        elif isinstance(old, str):
            node[place] = rng.choice(PENDING if place == 0 else WORDS)
        else:
            node[place] = [0] if old == [] else rng.choice((0, 1, 2, 5, None))
        break
    return json.dumps(row, separators=(",", ":"))


def read(text: str, state: State) -> State | None:
    """Return the state of a text as the game reads it; None if it is refused."""
    try:
        found = GAME.codec.parse(text, lambda _: state.setting)
    except InvalidValueError:
        return None
    faults = list(GAME.state_problems(found))
    faults = faults or [fault for each in found.pending for fault in each.problems(found)]
    faults = faults or list(GAME.invariant_problems(found)) or list(GAME.wait_problems(found))
    return None if faults else found


@pytest.mark.parametrize("seed", few(range(2)))
def test_edited_fights_are_refused_or_go_on(seed: int) -> None:
    rng, kept, refused = Random(seed), 0, 0
    state: State | None = crowd(rng)
    for _ in range(100):
        assert state is not None
        text = GAME.codec.format(state)
        assert read(text, state) == state
        for _ in range(0 if state.combat is None else 4):
            found = read(edited(text, rng), state)
            refused += found is None
            kept += found is not None
            for _ in range(4):
                found = None if found is None else moved(found, rng)
        state = moved(state, rng) or crowd(rng)
    assert kept > 40
    assert refused > 40
