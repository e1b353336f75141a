"""The game as a whole: contract, perft, golden games, random battles with invariants, bots that fight."""

from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brickphys.minifig.ground import opponents
from brickphys.minifig.melee import attack_bricks
from brickphys.minifig.scenario import SCENARIOS
from brickphys.minifig.setting import WallSpec
from brickphys.minifig.shooting import ShotRoll
from brickphys.minifig.state import State
from brickphys.minifig.turns import ChooseKind, state_problems
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.checks.perft import perft
from brickphys.rules.players.bots import bot
from tests.cases import all_but, few
from tests.golden_games import perft_lines
from tests.minifig.battle import (
    GAME,
    LAW,
    NAMES,
    fought,
    laws_digest,
    random_states,
    setup,
    transcript,
)
from tests.minifig.small_battle import Fighter, battle, fighter

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
OPTIONS = ({}, {"experience_bricks": True, "wall_attack": "against"})


def test_it_keeps_the_contract_in_part():
    short = setup("duel", aims=[{"kind": "rounds", "rounds": 2}])
    assert check_game(GAME, {"a short duel": short}, games=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", OPTIONS)
def test_it_keeps_the_contract(name, options):
    assert check_game(GAME, {name: setup(name, options=options)}, games=1, seed=3) == []


def perft_text() -> str:
    """Where a duel begins, and where the first shot is made; a line for each depth."""
    states = (state for seed in count() for state in random_states(SCENARIOS["duel"], seed))
    first = next(state for state in states if isinstance(state.first_pending, ShotRoll))
    lines = ["# a duel from its start, then from the first shot"]
    for state, depth in ((GAME.initial(SCENARIOS["duel"]), 4), (first, 3)):
        lines += perft_lines(GAME, state, depth, LAW)
    return "\n".join([*lines, ""])


def test_perft_of_a_duel_is_as_it_was():
    assert perft_text() == (GOLDEN / "minifig_perft.txt").read_text(encoding="utf-8")


def test_perft_begins_as_counted_by_hand():
    """Two dice for the order; 6 of 36 tie and are rolled again; else one of three figures is taken, or none."""
    rows = perft(GAME, GAME.initial(SCENARIOS["duel"]), 3, LAW)
    assert [row.nodes for row in rows] == [1, 6, 36, 30 * 4 + 6 * 6]


@pytest.mark.parametrize("name", all_but(NAMES, "raid_fair"))
def test_a_golden_battle_is_fought_as_it_was(name):
    """A rule that changes shows here, line by line."""
    assert transcript(name) == (GOLDEN / f"minifig_{name}.txt").read_text(encoding="utf-8")


def test_the_version_names_the_laws_of_missiles():
    """Where this fails, laws, weapons or targets have changed: the version of the game takes their new digest."""
    assert GAME.version.endswith(f"+laws.{laws_digest()}")


def check_battle(name: str, seed: int, options: dict[str, object]) -> None:
    """No state has a fault; a figure is in one place, weapons are conserved, and nothing lost comes back."""
    before: State | None = None
    for state in random_states(setup(name, options=options), seed):
        if before is None or (state.turn, state.phase) != (before.turn, before.phase):
            assert list(GAME.invariant_problems(state)) == []
            assert list(state_problems(state)) == []
        if before is not None:
            check_step(before, state)
        before = state
    assert before is not None
    assert before.winners is not None


def check_step(before: State, state: State) -> None:
    """The dead stay dead, walls never grow, and every weapon is held by one figure or lies in one place."""
    pairs = zip(before.figures, state.figures, strict=True)
    assert all(then.is_alive or now == then for then, now in pairs)
    counts = zip(GAME.shrinking(before).values(), GAME.shrinking(state).values(), strict=True)
    assert all(now <= then for then, now in counts)
    assert GAME.conserved(before) == GAME.conserved(state)
    assert GAME.conserved(state)["items"] == len(state.setting.items)


@pytest.mark.parametrize("name", all_but(NAMES, "raid_fair"))
@pytest.mark.parametrize("seed", few(range(2)))
def test_random_battles_keep_the_invariants(name, seed):
    check_battle(name, seed, OPTIONS[seed])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_more_random_battles_keep_the_invariants(name):
    for seed in range(100, 160):
        check_battle(name, seed, OPTIONS[seed % 2])


@pytest.mark.slow
def test_greedy_beats_random():
    """In 54 of 60 battles and more, half of them from each seat."""
    won = [
        fought(SCENARIOS[name], *bots, root=root).returns[bots.index("greedy")] == 1
        for root in range(15)
        for name in ("duel", "skirmish")
        for bots in (("greedy", "random"), ("random", "greedy"))
    ]
    assert sum(won) >= 54


def choice(state: State) -> str:
    """What the search of single choices does: a complete action."""
    greedy, rng = bot("greedy1", GAME, LAW), np.random.default_rng(1)
    chosen = greedy.choose(state, GAME.actions(state), rng)
    if isinstance(chosen, ChooseKind):
        state = chosen.apply(state)
        chosen = greedy.choose(state, GAME.actions(state), rng)
        assert not isinstance(chosen, ChooseKind)
    return GAME.format_action(chosen)


def taken(*fighters: Fighter, figure: int = 0, **more: Any) -> State:
    """A battle in which a figure of red acts."""
    return battle(*fighters, active=figure, **more)


FOE = fighter("bob", 16, 10, "shield", "helmet", player=1, facing=180)


def test_a_bot_takes_figures_until_all_are_done():
    assert choice(battle(fighter("tom", 10, 10, "sword"), FOE)).startswith("take ")


def test_a_bot_attacks_from_behind():
    """Bob looks at tom, who can run round him."""
    state = taken(fighter("tom", 10, 10, "sword"), FOE)
    moved = GAME.parse_action(choice(state)).apply(state)
    assert list(opponents(moved, 0)) == [1]
    assert "rear" in attack_bricks(moved, 0, 1)


def test_a_bot_shoots_rather_than_comes_nearer():
    assert choice(taken(fighter("tom", 1, 10, "bow"), FOE)) == "shoot bob"


def test_a_bot_shoots_at_the_nearer_of_two_alike():
    far = fighter("ben", 40, 16, "shield", "helmet", player=1, facing=180)
    assert choice(taken(fighter("tom", 1, 10, "bow"), far, FOE)) == "shoot bob"


def test_a_bot_does_not_shoot_through_a_friend():
    """Bob is nearer, until tim stands between."""
    ben = fighter("ben", 16, 22, "shield", "helmet", player=1, facing=180)
    red = fighter("tom", 1, 10, "bow"), fighter("tim", 5, 3)
    assert choice(taken(*red, FOE, ben)) == "shoot bob"
    between = fighter("tim", 5, 10)
    assert choice(taken(red[0], between, FOE, ben)) == "shoot ben"


def test_a_bot_reloads_an_empty_crossbow_far_from_the_enemy():
    state = taken(fighter("tom", 1, 10, "crossbow"), fighter("bob", 40, 10, player=1))
    assert choice(state.change_item(0, is_loaded=False)) == "reload tom_crossbow"


def test_a_bot_brings_home_what_its_aim_asks_for():
    """The relic lies six inches east, home is in the west, and the enemy is far in the north."""
    given = setup(
        table={"width": 40, "length": 40},
        figure=[
            {"name": "tom", "player": "york", "x": 14, "y": 5},
            {"name": "bob", "player": "lancaster", "x": 38, "y": 38},
        ],
        zone=[],
        item=[{"name": "relic", "arm": "sword", "x": 20, "y": 5}],
        aims=[{"kind": "carry", "player": "york", "item": "relic", "area": [3, 5, 2]}],
    )
    record = fought(given, "greedy", root=2)
    assert record.returns == (1, -1)
    assert record.final.round < 8


def test_a_bot_besieges_a_wall_behind_which_it_sees_nobody():
    """The crew touches a big catapult; bob is behind five courses."""
    wall = WallSpec("gate", 20.0, 10.0, 180.0, 8, 5)
    state = taken(
        fighter("tom", 8, 10),
        fighter("bob", 20.7, 10, player=1),
        things={"sling": ("big_catapult", 9.6, 10)},
        walls=(wall,),
    )
    assert choice(state) == "besiege gate"
