"""The game as a whole: contract, perft, golden games, random battles with invariants, bots that sail and fight."""

from fractions import Fraction
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from brickphys.pirate_wars.firing import GunRoll
from brickphys.pirate_wars.orders import strike
from brickphys.pirate_wars.sailing import begin_move
from brickphys.pirate_wars.scenario import SCENARIOS
from brickphys.pirate_wars.setting import Options
from brickphys.pirate_wars.sheets import Role, ShipPlace
from brickphys.pirate_wars.state import MinifigState, Phase, State
from brickphys.pirate_wars.turns import state_problems
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.checks.perft import perft
from brickphys.rules.players.bots import bot
from brickphys.rules.record import Ending
from tests.cases import all_but, few
from tests.golden_games import perft_lines
from tests.pirate_wars.battle import GAME, LAW, NAMES, battle, random_states, setup, transcript
from tests.pirate_wars.fleet import Boat, boat, fleet

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
SECRET = setup(options={"simultaneous": True})


@pytest.mark.parametrize("given", few([SECRET, SCENARIOS["duel"]]), ids=["secret", "duel"])
def test_it_keeps_the_contract_in_part(given):
    assert check_game(GAME, {"a duel": given}, games=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"simultaneous": True}, {"boarding_by_attack": True}])
def test_it_keeps_the_contract(options):
    setups = {name: setup(name, options=options) for name in NAMES}
    assert check_game(GAME, setups, games=2, seed=3) == []


def perft_text() -> str:
    """Where a duel begins, and where the first guns are rolled for; a line for each depth."""
    states = (state for seed in count() for state in random_states(SCENARIOS["duel"], seed))
    first = next(state for state in states if isinstance(state.first_pending, GunRoll))
    lines = ["# a duel from its start, then from the first roll for a gun"]
    for state, depth in ((GAME.initial(SCENARIOS["duel"]), 4), (first, 3)):
        lines += perft_lines(GAME, state, depth, LAW)
    return "\n".join([*lines, ""])


def test_perft_of_a_duel_is_as_it_was():
    assert perft_text() == (GOLDEN / "pirate_wars_perft.txt").read_text(encoding="utf-8")


def test_perft_begins_as_counted_by_hand():
    """Two dice of initiative; 6 of 36 tie and are rolled again; else one ship leaps, and its turns are listed."""
    state = GAME.initial(SCENARIOS["duel"])
    rows = perft(GAME, state, 3, LAW)
    first, second = (
        GAME.apply(GAME.apply(state, (low,)), (high,)) for low, high in ((1, 2), (2, 1))
    )
    turns = [len(GAME.actions(one)) for one in (first, second)]
    assert [row.nodes for row in rows] == [1, 6, 36, 15 * turns[0] + 15 * turns[1] + 6 * 6]


@pytest.mark.parametrize("name", all_but(NAMES, "convoy_fair"))
def test_a_golden_battle_is_played_as_it_was(name):
    """A rule that changes shows here, line by line."""
    assert transcript(name) == (GOLDEN / f"pirate_wars_{name}.txt").read_text(encoding="utf-8")


def check_battle(name: str, seed: int, options: dict[str, bool]) -> None:
    """No state has a fault; hull and guns never grow, and who is gone is gone for good."""
    before: State | None = None
    for state in random_states(setup(name, options=options), seed):
        if before is None or state.ships != before.ships:
            assert list(GAME.invariant_problems(state)) == []
        if before is not None:
            check_step(before, state)
        before = state
    assert before is not None
    assert before.winners is not None


def check_step(before: State, state: State) -> None:
    """Nobody is lost twice, or in two crews, and nothing that is lost comes back."""
    if state.phase is not before.phase:
        assert list(state_problems(state)) == []
    if state.minifigs != before.minifigs:
        pairs = zip(before.minifigs, state.minifigs, strict=True)
        assert all(then.is_alive or now == then for then, now in pairs)
        crews = [number for crew in state.crews for number in crew]
        assert len(set(crews)) == len(crews)
    counts = zip(GAME.shrinking(before).values(), GAME.shrinking(state).values(), strict=True)
    assert all(now <= then for then, now in counts)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "seeds", [*([seed] for seed in range(4)), pytest.param(range(100, 350), marks=pytest.mark.slow)]
)
def test_random_battles_keep_the_invariants(name, seeds):
    for seed in seeds:
        by_attack = seed >= 100 and seed % 3 == 0
        check_battle(name, seed, {"simultaneous": bool(seed % 2), "boarding_by_attack": by_attack})


@pytest.mark.slow
def test_greedy_beats_random():
    """In 90 of 100 duels and more, half of them from each seat."""
    won = [
        battle(SCENARIOS["duel"], *names, root=root).returns[names.index("greedy")] == 1
        for root in range(100)
        for names in (("greedy", "random"), ("random", "greedy"))
    ]
    assert sum(won) >= 180


def test_a_greedy_duel_ends():
    record = battle(SCENARIOS["duel"], "greedy")
    assert record.ending is Ending.OVER


def choice(state: State) -> str:
    """What a greedy bot does."""
    chosen = bot("greedy", GAME, LAW).choose(state, GAME.actions(state), np.random.default_rng(1))
    return GAME.format_action(chosen)


def foe(**place: float) -> Boat:
    return boat(player=1, **place)


def manned(state: State) -> State:
    """The first ship with a minifig at each gun."""
    for number, gun in zip(state.crews[0][1:], range(4), strict=False):
        state = state.with_entry("minifigs", number, MinifigState(0, ShipPlace.GUN, gun))
    return state


def sailing(state: State) -> State:
    """The state in which the enemy has moved, and the first ship is to turn for the last time in its move."""
    turns = {"order": (1, 0), "turn": 1, "done": frozenset({1}), "active": 0}
    return state.replaced({**turns, "move_studs": 60.0, "may_turn_deg": 90.0})


def test_a_bot_beats_up_to_a_point_upwind():
    """The wind blows east, the point is 240 studs to the west: the ship is never in irons on its way."""
    aims = [{"kind": "reach", "player": "pirates", "units": ["scorpion"], "area": [60, 200, 30]}]
    given = setup(wind_deg=0.0, sea={"width": 400, "length": 400}, aims=aims)
    given["ship"][0] |= {"x": 20, "y": 20, "crew": {"sailor": 0, "marine": 0, "lieutenant": 0}}
    given["ship"][1] |= {"x": 300, "y": 200, "heading_deg": 135}
    record = battle(given, "greedy", root=1)
    assert record.returns == (-1, 1)
    assert record.final.round < 15
    assert not any(state.ships[1].is_adrift for state in record.states)


def test_a_bot_keeps_its_broadside_to_an_enemy():
    """An enemy lies abeam, 10 studs off; with one sail left, a ram would do little."""
    state = sailing(manned(fleet(boat(x=200, y=150, sails=1), foe(x=200, y=172), wind=90)))
    bearing = {
        GAME.format_action(action): strike(GAME.apply(state, action), 0, 0, 12.0) is not None
        for action in GAME.actions(state)
    }
    assert bearing[choice(state)]
    assert not all(bearing.values())


def test_a_bot_avoids_a_ram_that_costs_it_more_than_the_enemy():
    """Its bow points at a larger ship with four times its crew, and the next leap would ram it."""
    weak = boat("renegade_runner", x=100, y=150, heading=0, crew=(Role.CAPTAIN, Role.PIRATE))
    state = sailing(fleet(weak, foe(x=125, y=150, heading=90), wind=0.0))
    kept, taken = (GAME.apply(state, GAME.parse_action(text)) for text in ("turn 0", choice(state)))
    assert begin_move(kept, 0).lashed
    assert not begin_move(taken, 0).lashed


def test_a_bot_fires_at_what_it_points_at():
    """Among its orders; hands that the sails want are moved, too."""
    state = manned(fleet(boat(x=200, y=150, heading=90), foe(x=222, y=150, heading=90), wind=90))
    state, orders = state.replaced({"phase": Phase.TASKS}), [""]
    while orders[-1] != "done" and not orders[-1].startswith("fire a "):
        orders.append(choice(state))
        state = GAME.apply(state, GAME.parse_action(orders[-1]))
    assert orders[-1] != "done"


def test_an_order_to_fire_has_odds():
    """Three dice with ball hit on 1 and 2, two sail lines are above the hull; what is out of range is wasted."""
    state = manned(fleet(boat(x=200, y=150), foe(x=200, y=172), wind=90))
    state = state.replaced({"phase": Phase.TASKS})
    for text, far in (("fire a gun0 ball b", False), ("fire a gun2 ball b", True)):
        (found,) = GAME.forecasts(state, GAME.parse_action(text), LAW)
        if far:
            assert found.outcomes == {"wasted": 1}
        else:
            assert found.outcomes["3 hits"] == Fraction(1, 27)
            assert sum(found.outcomes.values()) == 1
            assert found.losses == {"HF of b": Fraction(1, 27)}
    done = GAME.parse_action("done")
    assert GAME.forecasts(state, done, LAW) is None
    state = GAME.apply(state, GAME.parse_action("fire a gun0 ball b"))
    (found,) = GAME.forecasts(state, done, LAW)
    assert (found.text, found.question) == ("done: fire a gun0 ball b", "3 dice, 2 or less hits")
    assert found.outcomes["3 hits"] == Fraction(1, 27)


def test_orders_to_one_who_was_rescued_by_an_ally_are_as_secret_as_others():
    """PW Moving, PW Firing: the owner of the ship writes them; the minifig's own player does not see them."""
    boats = [boat(x=100, y=100 + 50 * n, player=n) for n in range(3)]
    state = fleet(*boats, teams=(0, 0, 1), options=Options(simultaneous=True), phase=Phase.TASKS)
    state = state.with_entry("minifigs", 3, MinifigState(1, ShipPlace.DECK)).replaced({"turn": 1})
    action = GAME.parse_action("move a_pirate3 castle")
    assert not list(action.problems(state))
    after = action.apply(state)
    assert [len(GAME.observe(after, player).orders) for player in range(3)] == [0, 1, 0]
    swims = action.apply(state).with_entry(
        "minifigs", 4, MinifigState(None, ShipPlace.WATER, at_studs=(1.0, 1.0))
    )
    swims = GAME.parse_action("swim a_pirate4 b").apply(swims.replaced({"turn": 0, "orders": ()}))
    assert [len(GAME.observe(swims, player).orders) for player in range(3)] == [1, 0, 0]
