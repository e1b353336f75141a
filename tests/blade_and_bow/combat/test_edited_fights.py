"""Combats that no state holds are found; states with a value that is edited are refused, or good enough to go on."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from brickphys.blade_and_bow.combat.commitment import combat_problems
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.pieces import Checked, Combat, Stage
from brickphys.blade_and_bow.state import State
from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.record import CHANCE, OVER
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.crowd import scattered, square_names
from tests.blade_and_bow.fight import clash, melee, play, volley
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


STATE = battle(
    "....... ....... ....... ....... .......",
    "greeks spears D3 n as=ann",
    "greeks archers E5 n as=amy",
    "greeks spears A5 n as=far",
    "persians spears D2 s as=bob",
    "persians spears F2 s as=ben",
    "persians camp G1",
)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"units": (0, 0)}, "are not units that act"),
        ({"units": ()}, "no unit attacks"),
        ({"units": (0, 2)}, "unit 2 is too far"),
        ({"lead": 1}, "does not attack"),
        ({"lead": None}, "no unit leads"),
        ({"target": 4}, "the target is not at D2"),
        ({"target": 1}, "unit 1 is not an enemy"),
        ({"target": None}, "no camp of the enemy is at D2"),
        ({"ranged": True}, "no unit is activated to shoot"),
        ({"attack": (1, 2)}, "hits, blanks and cancels"),
        ({"rerolls": (1,)}, "one for each side"),
        ({"checked": (Checked(1, (1,)),)}, "[1] lack commitment"),
        ({"stage": Stage.PARTY, "target": 4, "square": 26}, "cannot be attacked"),
    ],
)
def test_faults_are_named(changes: dict[str, Any], words: str) -> None:
    state = clash(STATE, "bob", "ann")
    assert not list(combat_problems(state))
    faults = list(combat_problems(state.change_combat(**changes)))
    assert any(words in fault for fault in faults), faults


def test_a_combat_needs_an_order() -> None:
    state = melee(STATE)
    combat = Combat(3, 24, ())
    for activation in (None, state.activation and state.activation.replaced({"closed": False})):
        (fault,) = combat_problems(state.replaced({"activation": activation, "combat": combat}))
        assert "no unit is activated to melee" in fault


def test_a_volley_has_no_commitment_and_no_camp() -> None:
    shot = play(volley(STATE, "amy"), "aim ben")
    assert not list(combat_problems(shot))
    for changes in ({"stage": Stage.COMMITMENT}, {"target": None}, {"again": True}):
        faults = list(combat_problems(shot.change_combat(**changes)))
        assert any("a volley cannot be at a camp" in fault for fault in faults)
