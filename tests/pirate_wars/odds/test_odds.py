"""Exact odds: closed forms, and Monte Carlo through the game itself, at 4 sigma with fixed seeds."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution
from brickphys.pirate_wars.boarding import BoardingRoll, losses, strength
from brickphys.pirate_wars.boarding_odds import WAYS, BoardingEnd, Course, Crew, board, courses
from brickphys.pirate_wars.morale import MoraleRoll, morale_rolls, shark_rolls
from brickphys.pirate_wars.odds import (
    FIRES,
    TARGET,
    bearing,
    broadside,
    manned,
    morale,
    sharks,
    stage,
    swimmers,
)
from brickphys.pirate_wars.orders import gap_studs
from brickphys.pirate_wars.sheets import Role, ships
from brickphys.pirate_wars.state import Boarding, Fate, MoraleCause, Phase
from brickphys.rules.record import CHANCE
from tests.pirate_wars.battle import GAME, LAW, setup

SIGMAS = 4.0
THIRD = Fraction(1, 3)


def battle(apart=14.0, **crews):
    """A Clipper beside a Flagship on its left, in the phase of tasks; the Clipper's guns 0 and 1 bear."""
    clipper = {"id": "swift", "sheet": "caribbean_clipper", "player": "crown", "x": 100, "y": 100}
    other = {
        "id": "pride",
        "sheet": "imperial_flagship",
        "player": "pirates",
        "x": 100,
        "y": 100 + apart,
    }
    for entry, hands in zip((clipper, other), crews.values(), strict=False):
        entry["crew"] = hands
    state = GAME.initial(setup(ship=[clipper, other], aims=[]))
    return state.replaced({"pending": (), "phase": Phase.TASKS, "order": (0, 1)})


def settled(state, rng):
    """Roll all that is pending by the game; owners lose who is listed last, and nobody crosses."""
    while state.pending:
        if GAME.actor(state) == CHANCE:
            law = GAME.chance(state).law(LAW)
            at = rng.choice(len(law), p=[float(chance) for chance in law.values()])
            move = list(law)[at]
        else:
            legal = GAME.actions(state)
            wished = ("hold", "attack", "suffer surrender")
            move = next((one for one in legal if one.text() in wished), legal[-1])
        state = GAME.apply(state, move)
    return state


def assert_agrees(law, seen, count):
    """Every outcome was seen as often as the law says, within 4 sigma of a binomial number."""
    assert seen.keys() <= set(law)
    for outcome, chance in law.items():
        p = float(chance)
        sigma = sqrt(count * p * (1 - p))
        assert abs(seen[outcome] - count * p) <= SIGMAS * sigma + 1.0, outcome


@pytest.mark.parametrize("guns", [1, 2, 4])
def test_hits_of_ball_are_binomial_and_criticals_and_explosions_take_three_dice(guns):
    odds = broadside(guns, target="queen_annes_revenge")
    assert odds.laws["hits"] == Distribution.binomial(3 * guns, THIRD)
    assert odds.chances["a critical hit"] == 1 - Fraction(26, 27) ** guns
    assert odds.chances["a cannon explodes"] == 1 - Fraction(215, 216) ** guns


def test_light_guns_have_two_dice_no_critical_hits_and_no_explosions():
    odds = broadside(3, light=True)
    assert odds.laws["hits"] == Distribution.binomial(6, THIRD)
    assert odds.chances["a critical hit"] == odds.chances["a cannon explodes"] == 0
    assert odds.laws["lines lost"] == odds.laws["hits"]


def test_shot_crosses_off_sails_only_and_counts_twice_from_ahead_or_astern():
    plain, raking = broadside(1, "shot"), broadside(1, "shot", raking=True)
    assert plain.laws["HF lost"] == raking.laws["HF lost"] == Distribution.point(0)
    assert plain.laws["hits"] == raking.laws["hits"] == Distribution.binomial(3, Fraction(1, 2))
    assert {2 * k: p for k, p in plain.laws["SF lost"].items() if k < 3} == {
        k: p for k, p in raking.laws["SF lost"].items() if k < 5
    }
    assert raking.chances["the target has no sails left"] == Fraction(1, 8)


def test_all_odds_are_whole_laws():
    odds = [broadside(3, hull=2), board("black_pearl", "24/10"), sharks(5, captain=True, turns=2)]
    assert all(sum(law.values()) == 1 for one in odds for law in one.laws.values())
    assert sum(odds[1].chances[result.value] for result in BoardingEnd) == 1


@pytest.mark.parametrize("count", [400, pytest.param(6000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("ammunition", ["ball", "shot"])
def test_a_broadside_of_the_game_agrees(ammunition, count):
    start, rng = battle(), np.random.default_rng(15)
    target, lines, lost = start.ships[1], Counter(), Counter()
    exploded = sunk = 0
    for _ in range(count):
        state = start
        for gun in range(2):
            order = f"fire swift gun{gun} {ammunition} pride"
            state = GAME.apply(state, GAME.parse_action(order))
        state = settled(GAME.apply(state, GAME.parse_action("done")), rng)
        after = state.ships[1]
        lines[target.hull + target.sails - after.hull - after.sails] += 1
        lost[len(start.crews[1]) - len(state.crews[1])] += 1
        exploded += any(gun.is_lost for gun in state.ships[0].guns)
        sunk += not after.hull
    odds = broadside(2, ammunition)
    assert_agrees(odds.laws["lines lost"], lines, count)
    assert_agrees(odds.laws["crew lost"], lost, count)
    for name, seen in (("a cannon explodes", exploded), ("the target sinks", sunk)):
        assert_agrees(
            {1: odds.chances[name], 0: 1 - odds.chances[name]},
            Counter({1: seen, 0: count - seen}),
            count,
        )


@pytest.mark.parametrize("count", [150, pytest.param(3000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("to_the_death", [True, False])
def test_a_boarding_of_the_game_agrees(count, to_the_death):
    """Round by round to its end; without tests of morale also who is left."""
    none = dict.fromkeys((role.value for role in Role), 0)
    crews = {"captain": 1, "sailor": 14}, {"captain": 1, "sailor": 9, "marine": 2}
    state = battle(10.0, first=none | crews[0], second=none | crews[1])
    start = state.lash(0, 1).replaced({"boardings": (Boarding(0, 1),)})
    rng, rounds, left, lost = np.random.default_rng(7), Counter(), Counter(), Counter()
    for _ in range(count):
        state, played = start, 0
        while state.boardings:
            one, played = state.boardings[0], played + 1
            assert {one.attacker, one.defender} == {0, 1}
            state = settled(state.push_pending(BoardingRoll(one.attacker, one.defender)), rng)
            if not to_the_death and state.boardings:
                state = settled(state.push_pending(*morale_rolls(state)), rng)
            state = state.replaced({"causes": ()})
        rounds[played] += 1
        left[sum(now.is_alive for now in state.minifigs[:15])] += 1
        lost[
            tuple(state.ships[n].owner != n or state.ships[n].fate is Fate.STRUCK for n in (0, 1))
        ] += 1
    texts = (",".join(f"{role}={n}" for role, n in hands.items()) for hands in crews)
    odds = board(*texts, to_the_death=to_the_death)
    assert_agrees(odds.laws["rounds"], rounds, count)
    loses = [
        odds.chances[f"the {side} is destroyed"] + odds.chances[f"the {side} surrenders"]
        for side in ("attacker", "defender")
    ]
    results = {(True, False): loses[0], (False, True): loses[1], (False, False): 1 - sum(loses)}
    assert_agrees(results, lost, count)
    if to_the_death:
        assert_agrees(odds.laws["attackers left"], left, count)


@pytest.mark.parametrize("gunners", range(5))
def test_the_first_round_of_a_boarding_agrees_with_gunners_who_have_fired(gunners):
    """All 36 rolls of the game, of a defender of whom some have a task in the turn (PW Tasks)."""
    state = battle(10.0, first={"captain": 1, "marine": 4}, second={"captain": 1, "sailor": 8})
    busy = frozenset(n for n in state.crews[1] if "sailor" in state.setting.minifigs[n].name)
    state = state.lash(0, 1).replaced({"busy": frozenset(sorted(busy)[:gunners])})
    texts = [
        ",".join(
            f"{role.value}={count}"
            for role, count in Counter(state.setting.minifigs[n].role for n in crew).items()
        )
        for crew in state.crews
    ]
    lost = [
        losses((one, other), (strength(state, 0), strength(state, 1)))
        for one, other in product(range(1, 7), repeat=2)
    ]
    odds = board(*texts, at_work=f"sailor={gunners}" if gunners else "")
    assert odds.chances["the attacker wins round 1"] == Fraction(sum(a < d for a, d in lost), 36)
    for name, side in (("attackers lost in round 1", 0), ("defenders lost in round 1", 1)):
        there = len(state.crews[side])
        seen = Counter(min(one[side], there) for one in lost)
        assert odds.laws[name] == Distribution.from_counts(seen)
    if not gunners:
        assert odds == board(*texts)


CREWS = st.builds(
    lambda values, attack, gone: Crew(tuple(sorted(values)), attack, len(values) + gone),
    st.lists(st.integers(1, 8), min_size=1, max_size=9),
    st.none() | st.integers(1, 6),
    st.integers(0, 9),
)
SWAPPED = {
    BoardingEnd.ATTACKER_DESTROYED: BoardingEnd.DEFENDER_DESTROYED,
    BoardingEnd.DEFENDER_DESTROYED: BoardingEnd.ATTACKER_DESTROYED,
    BoardingEnd.ATTACKER_YIELDS: BoardingEnd.DEFENDER_YIELDS,
    BoardingEnd.DEFENDER_YIELDS: BoardingEnd.ATTACKER_YIELDS,
}


@settings(max_examples=40, deadline=None)
@given(CREWS, CREWS)
def test_a_round_is_the_same_whoever_boards(one, other):
    mirrored = {
        Course(course.lost[::-1], SWAPPED.get(course.result, course.result)): ways
        for course, ways in courses(one, other)
    }
    assert mirrored == dict(courses(other, one))
    assert sum(mirrored.values()) == WAYS


def plain_round(attacker, defender, dice):
    """Who is lost in a round and how it ends, by the book: the dice of both sides, then of morale of both crews."""
    surplus = sum(attacker.values) - sum(defender.values)
    lost = dice[1] + max(-surplus, 0), dice[0] + max(surplus, 0)
    there = [len(side.values) for side in (attacker, defender)]
    gone = min(lost[0], there[0]), min(lost[1], there[1])
    if gone == tuple(there):
        return Course(gone, BoardingEnd.BOTH_DESTROYED)
    if gone[0] == there[0]:
        return Course(gone, BoardingEnd.ATTACKER_DESTROYED)
    if gone[1] == there[1]:
        return Course(gone, BoardingEnd.DEFENDER_DESTROYED)
    mutinies = False
    for n, side in enumerate((attacker, defender)):
        has_lost, left = lost[n] > lost[1 - n], there[n] - gone[n]
        halved = left <= side.full / 2 < there[n]
        if side.attack is None or not (has_lost or halved):
            continue
        if dice[2 + n] > min(side.attack - 2 * has_lost - 2 * halved, 5):
            if has_lost:  # surrender is as grave as mutiny, and its owner chooses it
                return Course(gone, (BoardingEnd.ATTACKER_YIELDS, BoardingEnd.DEFENDER_YIELDS)[n])
            mutinies = True
    return Course(gone, BoardingEnd.BROKEN_OFF if mutinies else None)


@settings(max_examples=20, deadline=None)
@given(CREWS, CREWS)
def test_the_courses_of_a_round_are_those_of_its_four_dice(one, other):
    """All 1,296 ways, one after the other."""
    counted = Counter(plain_round(one, other, dice) for dice in product(range(1, 7), repeat=4))
    assert {course: ways for course, ways in courses(one, other) if ways} == dict(counted)


def test_boarding_is_fair_between_like_crews():
    odds = board("9/9", "9/9")
    assert odds.chances["round 1 is equal"] == Fraction(1, 6)
    assert odds.chances["the attacker is destroyed"] == odds.chances["the defender is destroyed"]
    assert odds.laws["attackers left"] == odds.laws["defenders left"]


@pytest.mark.parametrize(
    "causes", [("boarding",), ("adrift",), ("captain", "adrift"), ("half_crew", "boarding")]
)
def test_morale_is_that_of_the_rolls_of_the_game(causes):
    start = battle()
    for cause in causes:
        start = start.with_cause(0, MoraleCause(cause))
    start = start.push_pending(MoraleRoll(0))
    after = [MoraleRoll(0).settle(start.pop_pending(), (face,)) for face in range(1, 7)]
    holds = sum(
        state.ships[0].fate is Fate.AFLOAT and not state.ships[0].fled_round and not state.pending
        for state in after
    )
    assert morale(5, causes).chances["the crew holds"] == Fraction(holds, 6)


def test_morale_of_two_grave_causes_brings_either_effect():
    assert morale(5, ("boarding", "captain")).chances["surrender or flee"] == Fraction(5, 6)


def test_sharks_eat_a_third_and_a_captain_of_pirates_only_if_no_other_is_left():
    assert sharks(6).laws["eaten"] == Distribution.binomial(6, THIRD)
    assert sharks(6).chances["nobody is eaten"] == Fraction(2, 3) ** 6
    odds = sharks(4, captain=True)
    others = Distribution.binomial(3, THIRD)
    assert {k: odds.laws["eaten"][k] for k in range(3)} == {k: others[k] for k in range(3)}
    assert odds.chances["all are eaten"] == others[3] * THIRD
    assert sharks(1, captain=True).chances["all are eaten"] == THIRD


def test_sharks_come_back_every_turn():
    """A minifig lives through each turn with two thirds."""
    assert sharks(5, turns=3).laws["eaten"] == Distribution.binomial(5, 1 - Fraction(2, 3) ** 3)


@pytest.mark.parametrize("count", [400, pytest.param(4000, marks=pytest.mark.slow)])
def test_sharks_of_the_game_agree(count):
    start, rng, seen = swimmers(4, captain=True), np.random.default_rng(3), Counter()
    for _ in range(count):
        state = start
        for _ in range(2):
            state = settled(state.push_pending(*shark_rolls(state)), rng)
        seen[sum(not now.is_alive for now in state.minifigs)] += 1
    assert_agrees(sharks(4, captain=True, turns=2).laws["eaten"], seen, count)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: broadside(0), "guns: 0 is outside 1..6"),
        (lambda: broadside(1, hull=9), "9 HF"),
        (lambda: broadside(1, hull=2, sails=3), "2 HF and 3 SF cannot be left"),
        (lambda: broadside(1, target="black_perl"), "did you mean 'black_pearl'"),
        (lambda: board("black_pearl", "cook=3"), "unknown role 'cook'"),
        (lambda: board("black_pearl", "pirate=x"), "'pirate=x'"),
        (lambda: board("black_pearl", "5/0"), "0 minifigs"),
        (lambda: morale(7), "attack: 7 is outside 1..6"),
        (lambda: morale(0), "attack: 0 is outside 1..6"),
        (lambda: morale(5, ()), "cause"),
        (lambda: sharks(0), "minifigs: 0"),
        (lambda: sharks(3, turns=99), "turns: 99"),
    ],
)
def test_bad_input_is_one_clear_line(wrong, says):
    with pytest.raises(InvalidValueError) as error:
        wrong()
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_cannons_are_counted_by_the_sides_that_they_bear_on():
    """Of port and starboard, which are one side of the card, the stronger one counts."""
    guns = [("port", False)] * 2 + [("starboard", False)] * 3 + [("bow", True)]
    found = bearing([SimpleNamespace(side=side, is_light=light) for side, light in guns])
    assert found == {("a side", False): 3, ("the bow", True): 1}


PAIRS = list(product(ships().values(), repeat=2))


@pytest.mark.parametrize("rakes", [False, True])
def test_the_hulls_of_any_two_ships_are_as_far_apart(rakes):
    gaps = [gap_studs(stage(a, b, manned(b), rakes=rakes), FIRES, TARGET) for a, b in PAIRS]
    assert gaps == pytest.approx([4.0] * len(PAIRS), abs=1e-9)


def test_the_ships_lie_side_by_side_or_one_crosses_the_bow_of_the_other():
    fires, target = PAIRS[0]
    beside, across = (stage(fires, target, manned(target), rakes=rakes) for rakes in (False, True))
    assert [ship.pose.heading_deg for ship in beside.ships] == [0.0, 0.0]
    assert [ship.pose.heading_deg for ship in across.ships] == [90.0, 0.0]
    assert across.ships[FIRES].pose.y_studs == across.ships[TARGET].pose.y_studs
    assert beside.ships[FIRES].pose.x_studs == beside.ships[TARGET].pose.x_studs
