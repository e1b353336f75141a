"""The game as a whole: contract, perft, golden games, battles with invariants, nothing hidden that shows."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import count, islice
from pathlib import Path

import numpy as np
import pytest

from brickphys.blade_and_bow.combat.dice import SideRoll
from brickphys.blade_and_bow.command.morale import RoutRoll
from brickphys.blade_and_bow.command.movement import MOVER_TYPES
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.ground import noticed
from brickphys.blade_and_bow.notation import ACTION_TYPES, PENDING_TYPES, state_problems
from brickphys.blade_and_bow.pieces import Activation, Box, FormationOrder
from brickphys.blade_and_bow.scenario import SCENARIOS
from brickphys.blade_and_bow.state import Phase, State
from brickphys.errors import InvalidValueError
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.checks.hidden_information import imagination_check, secrecy_check
from brickphys.rules.checks.perft import perft
from brickphys.rules.checks.state_checks import Finding, Position, foreign_action_check
from brickphys.rules.players.bots import bot
from brickphys.rules.record import CHANCE
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.game import GAME, LAW, NAMES, fought, setup, transcript, warlike_states
from tests.cases import few
from tests.golden_games import perft_lines

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"


def test_no_two_actions_share_a_word_and_nothing_is_listed_twice() -> None:
    words = [each.word for each in ACTION_TYPES]
    assert len(set(words)) == len(words)
    assert len(set(PENDING_TYPES)) == len(PENDING_TYPES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("free_setup", [True, False])
def test_it_keeps_the_contract(name: str, free_setup: bool) -> None:
    given = setup(name, free_setup=free_setup)
    assert check_game(GAME, {name: given}, games=2, seed=3) == []


def perft_text() -> str:
    """Where Marathon begins as printed, and where dice of a melee are rolled first; a line for each depth."""
    given = setup(free_setup=False)
    states = (state for seed in count() for state in warlike_states(given, seed))
    first = next(state for state in states if isinstance(state.first_pending, SideRoll))
    lines = ["# Marathon from its start as printed, then from the first dice of a combat"]
    for state, depth in ((GAME.initial(given), 2), (first, 3)):
        lines += perft_lines(GAME, state, depth, LAW)
    return "\n".join([*lines, ""])


def test_perft_of_marathon_is_as_it_was() -> None:
    assert perft_text() == (GOLDEN / "blade_and_bow_perft.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_battle_is_fought_as_it_was(name: str) -> None:
    """A rule that changes shows here, line by line."""
    golden = GOLDEN / f"blade_and_bow_{name}.txt"
    assert transcript(name) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_ranks_that_the_enemy_sees_when_the_battle_begins_are_known(name: str) -> None:
    """BB 2.3.2.8."""
    states = warlike_states(setup(name), 1)
    state = next(state for state in states if state.phase is not Phase.SETUP)
    assert noticed(state) == state


def test_perft_begins_as_counted_by_hand() -> None:
    """Sixty cards can be drawn; after the reshuffle sixty again, after any other 59."""
    rows = perft(GAME, GAME.initial(setup(free_setup=False)), 2, LAW)
    assert [row.nodes for row in rows] == [1, 60, 59 * 59 + 60]


def test_returns_are_grades() -> None:
    record = fought(SCENARIOS["thermopylae"], "random", root=5)
    winner, grade = record.final.result.winner, record.final.result.grade.value
    worth = {"major": Fraction(1), "minor": Fraction(2, 3), "marginal": Fraction(1, 3)}[grade]
    assert winner is not None
    assert record.returns[winner] == worth
    assert sum(record.returns) == 0


def test_a_horse_on_a_tiny_field_comes_near_the_bound_of_actions() -> None:
    """It gets everywhere in every facing, but where it is, or stays."""
    state = battle("..\n..", "greeks heavy_cavalry A1 e as=ann")
    moves = Activation(FormationOrder.MOVE, None, (0,), closed=True, waiting=(0,), active=0)
    state = state.replaced({"activation": moves})
    count, most = len(GAME.actions(state)), GAME.most_actions(state)
    assert count == 4 * 8 <= most <= 4 * 8 + len(MOVER_TYPES) + 1


def test_orders_of_a_full_field_are_within_the_bound() -> None:
    """A leader with each unit; cards of a full hand."""
    places = [f"{column}{row}" for column in "ABC" for row in (1, 2, 3)]
    kinds = ("archers {} n", "spears {} s", "psiloi {} w disrupted", "hoplite {} n")
    lines = [f"greeks {kinds[n % 4].format(place)}" for n, place in enumerate(places[1:])]
    lines += [f"greeks leader l{n} {place} {n + 1}-60-6/red" for n, place in enumerate(places[1:])]
    state = battle("...\n...\n...", "persians spears A1 n disrupted", *lines, hands=(range(7), ()))
    assert 50 < len(GAME.actions(state)) <= GAME.most_actions(state)


def test_what_is_conserved_and_what_shrinks_is_counted() -> None:
    state = GAME.initial(setup(free_setup=False))
    units, leaders = len(state.units), len(state.leaders)
    assert GAME.conserved(state) == {"units": units, "leaders": leaders, "cards": 60}
    fewer = state.replaced({"deck": state.deck[3:], "hands": (state.deck[:1], state.deck[1:2])})
    assert GAME.conserved(fewer)["cards"] == 59
    lost = state.change_leader(0, box=Box.ELIMINATED, square=None).replaced(
        {"losses": (2, 1), "sacked": (False, True)}
    )
    before, after = GAME.shrinking(state), GAME.shrinking(lost)
    levels = state.setting.rout_levels
    own = [sum(one.player == player for one in state.setting.leaders) for player in (0, 1)]
    assert list(before.values()) == [levels[0], own[0], levels[1], own[1]]
    assert list(after.values()) == [levels[0] - 2, own[0] - 1, levels[1] - 2, own[1]]


def test_only_morale_is_not_reckoned_with_by_the_estimate() -> None:
    state = battle("..", "greeks spears A1 e", "persians spears B1 w")
    assert GAME.settled(state)
    assert GAME.settled(state.push_pending(SideRoll(0)))
    assert not GAME.settled(state.push_pending(RoutRoll(0)))


def check_battle(name: str, seed: int, *, free_setup: bool) -> Counter[str]:
    """No state has a fault, and nothing that is lost comes back; return what happened how often."""
    before, seen = None, Counter[str]()
    for state in warlike_states(setup(name, free_setup=free_setup), seed):
        assert list(GAME.invariant_problems(state)) == []
        assert len(GAME.actions(state)) <= GAME.most_actions(state)
        if before is not None:
            check_step(before, state)
        if before is None or state.phase is not before.phase:
            assert list(state_problems(state)) == []
            assert GAME.parse_state(GAME.format_state(state)) == state
        seen.update(unit.box.value for unit in state.units)
        before = state
    assert before is not None
    assert before.result is not None
    return seen


def check_step(before: State, state: State) -> None:
    """Cards, units and leaders are conserved; losses grow; what is out stays out; what was seen stays known."""
    assert GAME.conserved(before) == GAME.conserved(state)
    assert GAME.conserved(state)["cards"] == 60
    counts = zip(GAME.shrinking(before).values(), GAME.shrinking(state).values(), strict=True)
    assert all(now <= then for then, now in counts)
    for then, now in zip(before.units, state.units, strict=True):
        if then is not now:
            assert now.seen >= then.seen
            assert now.box is then.box or then.box not in (Box.ELIMINATED, Box.LEFT)


@pytest.mark.parametrize("name", few(NAMES, 2))
def test_battles_keep_the_invariants(name: str) -> None:
    check_battle(name, 1, free_setup=True)


@pytest.mark.slow
def test_a_hundred_battles_keep_the_invariants() -> None:
    seen = Counter[str]()
    for seed in range(100):
        seen += check_battle(NAMES[seed % 4], seed, free_setup=seed % 8 < 4)
    # leaders are captured, and units leave, in few battles of random players
    assert {box.value for box in Box} - seen.keys() <= {Box.CAPTURED.value, Box.LEFT.value}


def sampled(every: int) -> Iterator[Position]:
    """Yield positions from warlike battles of all scenarios, the more the later."""
    for seed in count():
        rng, foreign = np.random.default_rng(seed), list[object]()
        states = warlike_states(SCENARIOS[NAMES[seed % 4]], seed)
        initial = None
        for state in states:
            initial = initial or state
            actor = GAME.actor(state)
            if actor >= 0:
                foreign = [*foreign[-40:], *list(GAME.actions(state))[:1]]
            if rng.random() * every < 1:
                yield Position(GAME, state, initial, LAW, foreign, rng)


def leaks(positions: Iterator[Position]) -> list[Finding]:
    """What anything hidden changes: views, lists, problems, prompts, events, news; what imagination gets wrong."""
    checks = (secrecy_check, imagination_check, foreign_action_check)
    return [found for position in positions for check in checks for found in check(position)]


def test_nothing_hidden_shows() -> None:
    assert leaks(islice(sampled(60), 16)) == []


@pytest.mark.slow
def test_nothing_hidden_shows_in_a_thousand_states() -> None:
    assert leaks(islice(sampled(8), 1000)) == []


def test_the_fuzz_finds_a_leak() -> None:
    class Leaky(BladeAndBow):
        def prompt(self, state: State) -> str:
            return f"{super().prompt(state)} {state.hands}"

    game = Leaky()
    positions = (
        Position(game, one.state, one.initial, LAW, one.foreign, one.rng)
        for one in sampled(40)
        if GAME.actor(one.state) != CHANCE and all(one.state.hands)
    )
    assert leaks(islice(positions, 5))


@pytest.mark.slow
def test_nothing_hidden_changes_what_a_bot_chooses() -> None:
    greedy, tried = bot("greedy", GAME, LAW), 0
    for position in islice(sampled(20), 1000):
        player = position.actor
        if player < 0:
            continue
        tried += 1
        other = GAME.alternative(position.state, player, position.rng)
        one, two = (
            greedy.choose(
                GAME.observe(state, player), GAME.actions(state), np.random.default_rng(3)
            )
            for state in (position.state, other)
        )
        assert one == two
    assert tried > 500


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"losses":[0,0]', '"losses":[0,3]', "losses of 3, not 0"),
        ('"sacked":[false,false]', '"sacked":[false,7]', "sacked[1]: 7 is not of type bool"),
        ('"phase":"cards"', '"phase":"setup"', "turn: 1 in the phase setup"),
    ],
)
def test_an_edited_state_is_refused(old: str, new: str, fault: str) -> None:
    text = GAME.format_state(GAME.initial(setup(free_setup=False)))
    assert old in text
    with pytest.raises(InvalidValueError) as error:
        GAME.parse_state(text.replace(old, new))
    assert fault in str(error.value)
