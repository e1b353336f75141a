"""Perft with chance of every scenario that ships: golden tables, and a naive count beside them at small depths.

One table begins where the scenario does, with the rolls for the start; the other where bricks are first rolled for a
hit or a crash in a game of random bots.
"""

from fractions import Fraction
from itertools import count, product
from pathlib import Path

import pytest

from brickphys.bow.scenario import SCENARIOS
from brickphys.bow.state import State
from brickphys.bow.turns import StartRoll
from brickphys.rules.game import advance, parse_move
from brickphys.rules.record import CHANCE, OVER
from tests.bow.battle import GAME
from tests.bow.test_scenarios import LAW, NAMES, battle
from tests.cases import few
from tests.golden_games import perft_lines

GOLDEN = Path(__file__).parents[1] / "golden"
STARTS = ("start", "roll")
LARGE = ("skirmish", "princess", "ambush_fair", "confrontation")
"""After a roll they have the most ways of their kind."""
DEPTHS = {"start": 7, "roll": 5}
FAST_DEPTHS = {"start": 5, "roll": 4}
WAYS = [
    pytest.param(name, where, marks=[pytest.mark.slow] * (where == "roll" and name in LARGE))
    for name, where in product(NAMES, STARTS)
]
MOST_NAIVE = 800
FAST_NAIVE = 150
"""Sequences that the naive count replays, of all tests and of the fast ones."""


def begin(name: str, where: str) -> State:
    if where == "start":
        return GAME.initial(SCENARIOS[name])
    states = (step.after for root in count(11) for step in battle(name, root).steps)
    return next(
        state
        for state in states
        if GAME.actor(state) == CHANCE and not isinstance(state.pending[0], StartRoll)
    )


def table(name: str, where: str) -> str:
    """The file as it should be."""
    lines = perft_lines(GAME, begin(name, where), DEPTHS[where], LAW)
    about = f"# {name}, from the first {where}; bricks: independent, chance 3/10"
    return "\n".join([about, "# depth nodes states chances over mass over_mass", *lines, ""])


def path(name: str, where: str) -> Path:
    return GOLDEN / f"perft_{name}_{where}.txt"


def golden(name: str, where: str) -> list[str]:
    return path(name, where).read_text(encoding="utf-8").splitlines()[2:]


@pytest.mark.parametrize(("name", "where"), WAYS)
def test_a_scenario_has_as_many_ways_as_it_had(name, where):
    lines = list(perft_lines(GAME, begin(name, where), FAST_DEPTHS[where], LAW))
    assert lines == golden(name, where)[: len(lines)]


@pytest.mark.slow
@pytest.mark.parametrize("where", STARTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_has_as_many_ways_as_it_had_to_the_end_of_its_table(name, where):
    """Written by `table`."""
    assert table(name, where) == path(name, where).read_text(encoding="utf-8")


def paths(state: State, depth: int) -> list[tuple[tuple[str, ...], Fraction]]:
    """Every sequence of texts of so many moves with its chance: what is seen, listed and rolled, one by one."""
    if not depth:
        return [((), Fraction(1))]
    found = []
    for before, chance in paths(state, depth - 1):
        here = replayed(state, before)
        actor = GAME.actor(here)
        if actor == CHANCE:
            event = GAME.chance(here)
            law = event.law(LAW).items()
            found += [((*before, event.format(outcome)), chance * p) for outcome, p in law]
        elif actor != OVER:
            actions = GAME.actions(GAME.observe(here, actor))
            texts = map(GAME.format_action, actions)
            found += [((*before, text), chance / len(actions)) for text in texts]
    return found


def replayed(state: State, texts: tuple[str, ...]) -> State:
    """The state after moves that are read from their texts, each checked as if a stranger had made it."""
    here = GAME.parse_state(GAME.format_state(state))
    for text in texts:
        here = advance(GAME, here, parse_move(GAME, here, text))
    return here


def naive(state: State, depth: int) -> str:
    """A row of perft, by replaying every sequence from the start."""
    ways = paths(state, depth)
    ends = [(replayed(state, texts), chance) for texts, chance in ways]
    over = [chance for end, chance in ends if GAME.actor(end) == OVER]
    waiting = sum(GAME.actor(end) == CHANCE for end, _ in ends)
    different = {GAME.format_state(end) for end, _ in ends}
    mass = sum((chance for _, chance in ways), Fraction(0))
    ended = sum(over, Fraction(0))
    return f"{depth} {len(ways)} {len(different)} {waiting} {len(over)} {mass} {ended}"


@pytest.mark.parametrize("most", [FAST_NAIVE, pytest.param(MOST_NAIVE, marks=pytest.mark.slow)])
@pytest.mark.parametrize("where", STARTS)
@pytest.mark.parametrize("name", few(NAMES, 2))
def test_a_naive_count_finds_the_same(name, where, most):
    row = [row for row in golden(name, where) if int(row.split()[1]) <= most][-1]
    depth = int(row.split()[0])
    assert depth >= 2
    assert naive(begin(name, where), depth) == row
