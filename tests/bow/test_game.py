"""The game as a whole: contract, invariants of random games, perft, an exact chain."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.actions.attack import AttackEnemy, attack_plan
from brickphys.bow.actions.damage import Treat
from brickphys.bow.actions.driving import BoardVehicle, LeaveVehicle
from brickphys.bow.actions.movement import Walk
from brickphys.bow.actions.obstacles import door_studs
from brickphys.bow.actions.targets import weapon_in_use
from brickphys.bow.scenario import SCENARIOS
from brickphys.bow.sheets.sheet import MinifigSheet
from brickphys.bow.state import NOBODY, State
from brickphys.bow.turns import ACTION_TYPES
from brickphys.errors import IllegalActionError, InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.checks.perft import perft
from brickphys.rules.game import advance
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import CHANCE, OVER, Setup
from brickphys.rules.replay import format_replay, parse_replay, play_back
from brickphys.rules.sources import LawSource
from tests.bow.battle import GAME, Battle, duel, setup, unit, vehicle
from tests.cases import few
from tests.golden_games import perft_lines

LAW = BinomialLaw(Fraction(1, 4))
ROOT = Path(__file__).parent.parent.parent
BATTLES = ("duel", "skirmish", "ambush")
"""Those that everything is tried with; test_scenarios plays all of them."""
GOLDEN = ROOT / "tests" / "golden" / "bow_perft.txt"


@pytest.mark.parametrize("name", few(["duel", "ambush"]))
def test_it_keeps_the_contract_in_part(name):
    assert check_game(GAME, {name: short(name, 1)}, games=1) == []


@pytest.mark.slow
def test_it_keeps_the_contract():
    assert check_game(GAME, games=1, max_steps=6_000) == []


def random_states(state: State, seed: int, most: int) -> Iterator[State]:
    """Yield the states of a game in which everything is chosen blindly."""
    rng = np.random.default_rng(seed)
    for _ in range(most):
        yield state
        actor = GAME.actor(state)
        if actor == OVER:
            return
        moves = GAME.chance(state).law(LAW) if actor == CHANCE else GAME.actions(state)
        state = GAME.apply(state, list(moves)[int(rng.integers(len(moves)))])


@lru_cache(maxsize=4096)
def sheet_problems(sheet: MinifigSheet) -> list[str]:
    return sheet.problems()


def check_invariants(state: State) -> None:
    """Check what holds in every state of every battle."""
    board = state.board
    standing = [figure.stud for _, figure in state.in_play() if figure.stud is not None]
    seats = [figure.seat for _, figure in state.in_play() if figure.seat is not None]
    assert len(set(standing)) == len(standing), "two units on one stud"
    assert len(set(seats)) == len(seats), "two units in one seat"
    assert all(not state.vehicles[vehicle].gone for vehicle, _ in seats)
    for unit_, figure in state.in_play():
        assert 0 <= figure.damage < figure.sheet.health
        assert sheet_problems(figure.sheet) == []
        if figure.stud is not None and not state.pending:
            assert board.terrain.standable >> figure.stud & 1
        beside = figure.seat is not None and state.setting.seat(figure.seat).beside
        assert (figure.stud is None) == (figure.seat is not None and not beside), unit_
        if beside and not state.pending:
            assert door_studs(state, figure.seat[0]) >> figure.stud & 1, "a walker is left behind"
    for craft, spec in zip(state.vehicles, state.setting.vehicles, strict=True):
        assert craft.speed in spec.sheet.speeds
        assert craft.gone or craft.damage < spec.sheet.health
    if state.active != NOBODY:
        assert state.setting.units[state.active].player == state.player
        most = state.setting.units[state.active].sheet.action_budget
        assert 0 <= state.actions_left <= most
        assert GAME.actor(state) == OVER or not state.me.plays or state.is_unplayed(state.active)
    if state.result is None and state.round and not state.pending and state.active == NOBODY:
        assert state.player in state.to_play


@pytest.mark.parametrize("name", BATTLES)
@pytest.mark.parametrize("seed", few(range(4)))
def test_random_games_never_break_an_invariant(name, seed):
    begin = GAME.initial(SCENARIOS[name])
    before = GAME.conserved(begin)
    for state in random_states(begin, seed, 400):
        check_invariants(state)
        assert GAME.conserved(state) == before
        assert len(GAME.format_state(state)) < 100_000


@pytest.mark.parametrize("name", few(BATTLES))
def test_what_is_listed_of_walks_attacks_and_seats_is_all_that_is_legal(name):
    """Against every stud, every name and every weapon there is, one by one."""
    for state in list(random_states(GAME.initial(SCENARIOS[name]), 77, 300))[::23]:
        if GAME.actor(state) < 0 or state.pending or state.active == NOBODY or state.menu:
            continue
        setting = state.setting
        names = [*setting.unit_numbers, *setting.vehicle_numbers]
        cells = [(x, y) for x in range(setting.field.width) for y in range(setting.field.length)]
        weapons = ["hands", *setting.gear, "front_blasters", "harpoon"]
        seats = [seat.name for vehicle in setting.vehicles for seat in vehicle.sheet.seats]
        every = {
            Walk: [Walk(cell) for cell in cells],
            LeaveVehicle: [LeaveVehicle(cell) for cell in cells],
            AttackEnemy: [AttackEnemy(target, weapon) for target in names for weapon in weapons],
            Treat: [Treat(target) for target in names],
            BoardVehicle: [
                BoardVehicle(vehicle, seat) for vehicle in names for seat in dict.fromkeys(seats)
            ],
        }
        for kind, actions in every.items():
            legal = {action for action in actions if not GAME.problems(state, action)}
            assert legal == set(kind.legal(state))


def test_after_a_type_is_chosen_an_action_of_another_may_be_typed():
    state = (
        Battle(setup(unit("a", "trooper", "red", 5, 5), unit("b", "trooper", "blue", 20, 5)))
        .do("unit a")
        .state
    )
    chosen = state.replaced({"menu": "walk"})
    assert not GAME.problems(chosen, GAME.parse_action("end"))
    for text in ("end", "walk 6,5", "facing"):
        assert GAME.readings(chosen, text) == GAME.readings(state, text)
    assert GAME.readings(chosen, "end").meant == ("end",)


def test_attacks_are_rolled_as_they_were_planned():
    """The listed attack is what apply and the story read, and what a fresh state works out."""
    attacks, begin = 0, GAME.initial(SCENARIOS["ambush"])
    for state in chain.from_iterable(random_states(begin, seed, 1_500) for seed in (5, 6, 7)):
        if state.menu != "attack":
            continue
        for action in GAME.actions(state):
            weapon = weapon_in_use(state, action.weapon)
            plan = attack_plan(state.replaced({"units": state.units}), action.target, weapon)
            after = GAME.apply(state, action)
            roll = after.pending[-1]
            known = attack_plan(state, action.target, weapon)
            assert attack_plan(after, action.target, weapon) is known
            assert (roll.attack, roll.defence) == (plan.attack, plan.defence)
            assert plan.attack > 0
            attacks += 1
    assert attacks > 20


def short(name: str, rounds: int) -> Setup:
    """A scenario that ends after so many rounds, or by its other aims."""
    others = [
        {**aim, "rounds": min(aim["rounds"], rounds)} if "rounds" in aim else aim
        for aim in SCENARIOS[name].get("aims", [])
        if aim["kind"] != "rounds"
    ]
    return {**SCENARIOS[name], "aims": [*others, {"kind": "rounds", "rounds": rounds}]}


@pytest.mark.slow
def test_a_thousand_random_games_never_break_an_invariant():
    """Of all scenarios, each to its end: after one to four rounds, every fiftieth as long as the scenario lasts."""
    names = list(SCENARIOS)
    starts = [
        [GAME.initial(SCENARIOS[name]), *(GAME.initial(short(name, last)) for last in range(1, 5))]
        for name in names
    ]
    for seed in range(1000):
        rounds = 1 + seed // len(names) % 4 if seed % 50 else 0
        begin = starts[seed % len(names)][rounds]
        before = GAME.conserved(begin)
        for state in random_states(begin, 1_000 + seed, 20_000):
            check_invariants(state)
        assert GAME.actor(state) == OVER
        assert GAME.conserved(state) == before


@given(st.text(max_size=40))
def test_any_text_is_an_action_or_an_invalid_value(text):
    try:
        action = GAME.parse_action(text)
    except InvalidValueError:
        return
    assert GAME.format_action(action) == text


@pytest.mark.parametrize(
    "text",
    ["unit knight", "walk 12,7", "face ne", "attack archer bow", "attack t gun+gun", "end",
     "grab sword 3,4 held", "throw spear bag", "to 0,0", "give key held jedi_2", "take back",
     "turn -22.5", "speed 12", "advance", "drift car", "extra rider", "use firebolt orc", "do walk"],
)  # fmt: skip
def test_actions_read_back(text):
    assert GAME.format_action(GAME.parse_action(text)) == text


@pytest.mark.parametrize(
    "text", ["walk 1,2 3", "walk 01,2", "face north", "turn 1e3", "turn 15.0", "", " end", "end now", "speed -1"]
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidValueError):
        GAME.parse_action(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("use", "'use' needs action, target"),
        ("board car", "'board' takes vehicle, seat; got 'car'"),
        ("walk", "'walk' needs to (stud such as 12,7)"),
        ("end now", "'end' takes nothing; got 'now'"),
    ],
)
def test_what_an_action_lacks_is_told_by_name(text, told):
    with pytest.raises(InvalidValueError, match=f"{re.escape(told)}$"):
        GAME.parse_action(text)


@given(st.text(max_size=80))
def test_any_text_is_a_state_or_an_invalid_value(text):
    with pytest.raises(InvalidValueError):
        GAME.parse_state(text)


def test_a_fresh_game_reads_states_of_the_setups_that_ship():
    state = GAME.initial(SCENARIOS["duel"])
    assert type(GAME)().parse_state(GAME.format_state(state)) == state
    foreign = GAME.initial(
        setup(unit("a", "trooper", "red", 1, 1), unit("b", "trooper", "blue", 3, 1))
    )
    with pytest.raises(InvalidValueError, match="no game with it"):
        type(GAME)().parse_state(GAME.format_state(foreign))


def test_an_illegal_action_tells_every_reason():
    battle = Battle(SCENARIOS["duel"]).do("unit red_trooper")
    with pytest.raises(IllegalActionError) as caught:
        advance(GAME, battle.state, GAME.parse_action("attack blue_trooper sword"))
    assert "unknown weapon of red_trooper" in str(caught.value)


def tiny():
    return setup(
        unit("a", "trooper", "red", 0, 0),
        unit("b", "swordsman", "blue", 2, 0, "w"),
        width=3,
        length=2,
        aims=[{"kind": "rounds", "rounds": 2}],
    )


def perft_text() -> str:
    lines = perft_lines(GAME, Battle(tiny()).state, 8, LAW)
    about = "# A trooper to move against a swordsman, on 3 x 2 studs, for 2 rounds."
    return "\n".join([about, "# depth nodes states chances over mass over_mass", *lines, ""])


def test_perft_of_a_tiny_battle_is_as_it_was():
    assert perft_text() == GOLDEN.read_text()


def test_perft_begins_as_counted_by_hand():
    """The unit; what it does; 1 target, 2 things to throw, 5 studs, 3 to put or drop; after the end the next unit."""
    nodes = [row.nodes for row in perft(GAME, Battle(tiny()).state, 3, LAW)]
    assert nodes == [1, 1, 6, 1 + 2 + 5 + 3 + 3 + 1]


def transcript(name: str) -> str:
    record = play(GAME, short(name, 4), [RandomBot()] * 2, LawSource(LAW, 7), root=7)
    return format_replay(GAME, record, "independent bricks, chance 1/4")


@pytest.mark.parametrize("name", ["skirmish", "ambush"])
def test_a_golden_battle_is_played_as_it_was(name):
    """Written by `transcript`; a rule that changes shows here, line by line."""
    text = (ROOT / "tests" / "golden" / f"bow_{name}.jsonl").read_text()
    record = play_back(GAME, parse_replay(text))
    assert record.returns is not None
    assert transcript(name) == text


def exact_win(mine, theirs, budget: int) -> float:
    """The chance of whoever begins if both do nothing but attack each other: a Markov chain on the damage of both.

    `mine` and `theirs` are (attack, defence, health) of the two.
    """
    laws = [
        {damage: float(p) for damage, p in opposed(one[0], other[1], LAW).damage.items()}
        for one, other in ((mine, theirs), (theirs, mine))
    ]
    worth = np.full((mine[2], theirs[2], 2), 0.5)
    for _ in range(2_000):
        new = np.zeros_like(worth)
        for a, b in np.ndindex(mine[2], theirs[2]):
            new[a, b, 0] = after(laws[0], b, budget, worth[a, :, 1], 1.0)
            new[a, b, 1] = after(laws[1], a, budget, worth[:, b, 0], 0.0)
        if np.abs(new - worth).max() < 1e-13:
            break
        worth = new
    return float(worth[0, 0, 0])


def after(law, damage, budget, worth, won) -> float:
    """The expectation over a turn of so many attacks on somebody with damage; `worth` if he lives, by his damage."""
    if damage >= len(worth):
        return won
    if not budget:
        return worth[damage]
    return sum(p * after(law, damage + d, budget - 1, worth, won) for d, p in law.items())


def share_won(first: str, second: str, games: int, seed: int) -> float:
    """The share of duels that whoever begins wins, if both attack whenever they can."""
    begin = duel(first, second, rounds=500)
    begin["units"][1] = begin["units"][1] | {"x": 4}
    rng, start, won = np.random.default_rng(seed), Battle(begin).state, 0
    laws = {}
    for _ in range(games):
        state = start
        while (actor := GAME.actor(state)) != OVER:
            if actor == CHANCE:
                event = GAME.chance(state)
                if event not in laws:
                    law = event.law(LAW)
                    laws[event] = list(law), np.cumsum([float(p) for p in law.values()])
                outcomes, ends = laws[event]
                at = min(int(ends.searchsorted(rng.random())), len(outcomes) - 1)
                state = GAME.apply(state, outcomes[at])
            else:
                menu = GAME.actions(state)
                attack = [action for action in menu if "attack" in action.text()]
                state = GAME.apply(state, (attack or menu)[0])
        won += state.result == 0
    return won / games


@pytest.mark.parametrize("games", [300, pytest.param(4_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("first", "second"), [("swordsman", "knight"), ("knight", "swordsman")])
def test_the_share_of_duels_won_is_that_of_the_exact_chain(first, second, games):
    """False alarm below 1e-4 (4 standard errors)."""
    sheets = {"swordsman": (3, 3, 1), "knight": (4, 5, 2)}
    exact = exact_win(sheets[first], sheets[second], 2)
    error = sqrt(exact * (1 - exact) / games)
    assert abs(share_won(first, second, games, seed=games) - exact) < 4 * error


PAGE = (ROOT / "docs" / "bow.md").read_text()


def test_the_code_of_the_page_runs(capsys):
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL).group(1), {})
    assert "do walk" in capsys.readouterr().out


def test_every_kind_of_action_is_on_the_page_and_reads_back():
    table = PAGE.split("## Actions")[1].split("## Setups")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    texts = [text for row in rows for text in re.findall(r"`([^`]*)`", row)]
    words = {GAME.parse_action(text).word for text in texts}
    assert words | {"do"} == {kind.word for kind in ACTION_TYPES}


def test_what_an_attack_has_done_and_what_is_left():
    """By the roll: nothing, a point of damage, the death of a unit, the end of a vehicle."""
    begin = setup(
        unit("a", "jedi", "red", 5, 5),
        unit("b", "knight", "blue", 6, 5),
        unit("foe", "trooper", "blue", 20, 5),
        vehicles=[vehicle("mare", "horse", "blue", 6.0, 8.0)],
    )
    start = Battle(begin).do("unit a")
    costs = start.state.setting
    whole = {
        "units in play": 3,
        "vehicles in play": 1,
        "cost points of red": costs.unit_costs[0],
        "cost points of blue": sum(costs.unit_costs[1:]) + costs.vehicle_costs[0],
    }
    assert costs.army_costs == (whole["cost points of red"], whole["cost points of blue"])
    dead = {
        "units in play": 2,
        "cost points of blue": whole["cost points of blue"] - costs.unit_costs[1],
    }
    gone = {
        "vehicles in play": 0,
        "cost points of blue": whole["cost points of blue"] - costs.vehicle_costs[0],
    }
    assert GAME.strikes(start.state, start.state) == {}
    for target, damage, hit, kill, left in (
        ("b", 0, False, False, {}),
        ("b", 1, True, False, {}),
        ("b", 2, True, True, dead),
        ("mare", 0, False, False, {}),
        ("mare", 1, True, True, gone),
    ):
        battle = Battle(begin).do("unit a", f"attack {target} light_saber")
        before = battle.state
        assert not GAME.settled(before)
        battle.roll(damage, 0)
        assert GAME.settled(battle.state)
        assert GAME.strikes(before, battle.state) == {"hit": hit, "kill": kill}
        assert GAME.shrinking(battle.state) == whole | left


def test_a_choice_is_settled_once_its_details_are():
    battle = Battle(duel()).do("unit red_trooper")
    assert GAME.settled(battle.state)
    assert not GAME.settled(battle.do("do walk").state)
    assert not GAME.settled(battle.do("walk 4,4").state)
    assert GAME.settled(battle.do("face e").state)


def test_there_are_never_more_actions_than_the_bound_says():
    """A leap over a whole wide field: as many studs as there are to choose from."""
    leap = {"name": "jump", "target": "self", "effect": {"kind": "leap", "points": 100}}
    begin = setup(unit("a", "trooper", "red", 9, 9), unit("b", "trooper", "blue", 1, 1), width=50,
                  length=40, library={"trivial_action": [leap]}, actions=["jump"])  # fmt: skip
    battle = Battle(begin).do("unit a", "use jump a")
    assert len(battle.menu()) == 50 * 40 - 1 < GAME.most_actions(GAME.initial(begin))
