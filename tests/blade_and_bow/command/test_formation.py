"""Formations: who can join, and why others cannot (BB 3.5, 5.4.4)."""

from random import Random

import pytest

from brickphys.blade_and_bow.command.actions import finished
from brickphys.blade_and_bow.command.formation import (
    All,
    Form,
    Include,
    Ready,
    Single,
    able,
    formation_problems,
    inability,
    joinable,
)
from brickphys.blade_and_bow.command.morale import Rallying
from brickphys.blade_and_bow.pieces import Activation, Box, FormationOrder
from tests.blade_and_bow.battle import PLAYERS, battle, leader, square, unit
from tests.blade_and_bow.crowd import scattered, square_names

GROUND = "\n".join(["........"] * 8)
KINDS = ("hoplite", "spears", "archers", "peltast", "light_cavalry", "immortals")


def random_battle(seed, units=14):
    """Return a battle of random units in random squares, some of them disrupted, with three leaders a side."""
    rng = Random(seed)
    squares = rng.sample(square_names(8), units)
    lines = scattered(rng, squares, PLAYERS[::-1], kinds=KINDS)
    leaders = [
        f"{'greeks' if n % 2 else 'persians'} leader ldr{n} {squares[n % 4]} {n}-{rng.randrange(2, 9)}-3/red"
        for n in range(6)
    ]
    return battle(GROUND, *lines, *leaders)


def same_as_problems(state, of, candidates):
    """Assert that the legal actions of a type are the candidates without problems, in one list."""
    legal = list(of.legal(state))
    assert len(set(legal)) == len(legal)
    assert set(legal) == {each for each in candidates if not list(each.problems(state))}


@pytest.mark.parametrize("seed", range(12))
def test_what_is_listed_is_what_has_no_problems(seed):
    state = random_battle(seed)
    units = [spec.name for spec in state.setting.units] + ["nobody"]
    leaders = [spec.name for spec in state.setting.leaders] + ["nobody"]
    same_as_problems(
        state, Form, [Form(name, order) for name in leaders for order in FormationOrder]
    )
    same_as_problems(
        state, Single, [Single(name, order) for name in units for order in FormationOrder]
    )
    for form in Form.legal(state):
        formed = form.apply(state)
        while formed.activation and not formed.activation.closed:
            same_as_problems(formed, Include, [Include(name) for name in units])
            formed = next(Include.legal(formed)).apply(formed)


def connected(state, units):
    """Whether steps of at most two squares lead from each unit to every other one: an oracle by search."""
    places = {n: state.setting.grid.xy(state.units[n].square) for n in units}
    found, todo = {units[0]}, [units[0]]
    while todo:
        x, y = places[todo.pop()]
        for other, (to_x, to_y) in places.items():
            if other not in found and max(abs(to_x - x), abs(to_y - y)) <= 2:
                found.add(other)
                todo.append(other)
    return found == set(units)


@pytest.mark.parametrize("seed", range(12))
def test_a_formation_is_in_range_without_gaps_and_able(seed):
    """BB 3.5: `all` takes a largest set; nobody left out could join it."""
    state = random_battle(seed)
    for form in Form.legal(state):
        started = form.apply(state)
        formed = started if started.activation.closed else All().apply(started)
        units, number = formed.activation.units, leader(state, form.leader)
        spec, square = state.setting.leaders[number], state.leaders[number].square
        x, y = state.setting.grid.xy(square)
        assert connected(state, units)
        for one in units:
            to_x, to_y = state.setting.grid.xy(state.units[one].square)
            corners, most = sorted((abs(to_x - x), abs(to_y - y)))
            assert 3 * corners + 2 * (most - corners) <= spec.range_points
            assert state.player_of(one) == 0
            assert not inability(state, one, form.order)
        assert not joinable(formed)
        assert formed.activation.waiting == units


def small(*more, **changes):
    """Return four hoplites in a row, one of them far away, and a leader with the first."""
    return battle(
        GROUND,
        "greeks hoplite A1 e as=ann",
        "greeks hoplite C1 e as=bea",
        "greeks hoplite F1 e as=cat",
        "greeks hoplite H8 e as=far",
        "greeks leader leon A1 1-12-3/red",
        *more,
        **changes,
    )


def gap(at: str, *between: str) -> list[str]:
    """Why a unit cannot join ann in C3 with some pieces between them."""
    others = (f"{one} as=x{number}" for number, one in enumerate(between))
    state = battle(
        GROUND,
        "greeks hoplite C3 n as=ann",
        f"greeks hoplite {at} n as=bea",
        "greeks leader leon A8 1-60-3/red",
        *others,
    )
    state = Include("ann").apply(Form("leon", FormationOrder.MOVE).apply(state))
    listed = [action.unit for action in Include.legal(state)]
    problems = list(Include("bea").problems(state))
    assert ("bea" in listed) is (not problems)
    return problems


@pytest.mark.parametrize(
    ("at", "between", "breaks"),
    [
        ("C5", "C4", True),
        ("E3", "D3", True),
        ("A1", "B2", True),
        ("C5", "D4", False),  # beside the gap, not in it
        ("D5", "D4", False),  # oblique: C4 is open
        ("D4", "C4", False),  # neighbours have no gap
    ],
)
def test_an_enemy_in_the_gap_breaks_a_formation(at, between, breaks):
    """BB 3.5: no more than one *empty* square; a friend who does not join is none (ours)."""
    why = ["an enemy lies between bea and the formation (BB 3.5)"] if breaks else []
    foe = f"persians spears {between} s disrupted"
    assert gap(at, foe) == why
    assert gap(at) == []
    assert gap(at, f"greeks spears {between} s disrupted") == []


def test_an_oblique_gap_is_shut_by_enemies_in_both_squares():
    foes = ("persians spears D4 s disrupted", "persians spears C4 s disrupted")
    assert gap("D5", *foes) == ["an enemy lies between bea and the formation (BB 3.5)"]


def test_a_gap_and_the_range_are_each_refused_with_what_is_wrong():
    """BB 3.5, 6.1.2."""
    state = Include("ann").apply(Form("leon", FormationOrder.MOVE).apply(small()))
    assert [action.unit for action in Include.legal(state)] == ["bea"]
    assert list(Include("cat").problems(state)) == [
        "more than one square lies between cat and the formation (BB 3.5)"
    ]
    assert list(Include("far").problems(state)) == [
        "far is 21 points from leon, whose range is 12 (BB 6.1.2)",
        "more than one square lies between far and the formation (BB 3.5)",
    ]
    assert list(Include("ann").problems(state)) == ["ann is already in the formation (BB 3.5)"]


def test_what_a_unit_cannot_do_is_told():
    """BB 3.5, 7.2.2, 8.1, 9.1, 11.0."""
    state = small(
        "greeks archers D8 e as=bow",
        "greeks archers A8 e as=idle",
        "greeks spears D5 e as=broken disrupted",
        "persians spears E8 w as=foe",
        "persians spears D7 n as=other",
    )

    def why(name, order):
        return inability(state, unit(state, name), order)

    assert why("ann", FormationOrder.MELEE) == "has no enemy in front (BB 9.1)"
    assert why("ann", FormationOrder.SHOOT) == "has no missiles (BB 2.3.2.3)"
    assert why("ann", FormationOrder.RALLY) == "is in good order (BB 11.0)"
    assert why("bow", FormationOrder.MOVE) == "is in a strong enemy zone (BB 7.2.2)"
    assert why("bow", FormationOrder.SHOOT) == "is in an enemy zone (BB 8.1)"
    assert why("bow", FormationOrder.MELEE) == ""
    assert why("idle", FormationOrder.SHOOT) == ""
    assert (
        why("broken", FormationOrder.SHOOT)
        == why("broken", FormationOrder.MELEE)
        == "is disrupted (BB 3.5)"
    )
    assert why("broken", FormationOrder.RALLY) == why("broken", FormationOrder.MOVE) == ""
    assert able(state, FormationOrder.MELEE) == (unit(state, "bow"),)


def test_names_of_others_are_refused():
    state = small("persians spears H1 w as=foe", "persians leader xerxes H1 1-5-2/white")
    assert list(Single("foe", FormationOrder.MOVE).problems(state)) == [
        "foe belongs to persians (BB 3.5)"
    ]
    assert "did you mean 'ann'?" in next(Single("anne", FormationOrder.MOVE).problems(state))
    assert list(Form("xerxes", FormationOrder.MOVE).problems(state)) == [
        "xerxes belongs to persians (BB 6.1)"
    ]
    assert list(Form("leon", FormationOrder.SHOOT).problems(state)) == [
        "no unit in the range of leon can shoot (BB 3.5)"
    ]


def test_a_leader_or_unit_off_the_map_does_nothing():
    state = small().out_of_play(0, Box.ROUTED).change_leader(0, box=Box.ROUTED, square=None)
    assert list(Form("leon", FormationOrder.MOVE).problems(state)) == [
        "leon is not on the map (BB 6.1)"
    ]
    assert list(Single("ann", FormationOrder.RALLY).problems(state)) == ["ann is not on the map"]


def test_who_reaches_nobody_does_not_shoot():
    """BB 8.2, 8.3: no enemy in range, or in sight."""
    state = small("greeks archers A8 n as=bow", "persians spears H1 w as=foe")
    for place, why in (("H1", "has no target in reach (BB 8.2, 8.3)"), ("A4", "")):
        near = state.change_unit(unit(state, "foe"), square=square(state, place))
        assert inability(near, unit(near, "bow"), FormationOrder.SHOOT) == why


def test_only_the_ranking_leader_of_a_square_commands():
    """BB 6.1.1."""
    state = small("greeks leader second A1 2-4-3/red")
    assert list(Form("second", FormationOrder.MOVE).problems(state)) == [
        "leon outranks second in this square (BB 6.1.1)"
    ]
    assert {form.leader for form in Form.legal(state)} == {"leon"}


def test_a_formation_is_ready_once_nobody_else_can_join():
    state = Form("leon", FormationOrder.MOVE).apply(small())
    assert list(Ready.legal(state)) == []
    assert list(Ready().problems(state)) == ["no unit is in the formation (BB 3.5)"]
    one = Include("ann").apply(state)
    assert not one.activation.closed
    assert list(Ready.legal(one)) == [Ready()]
    assert Ready().apply(one).activation.waiting == (0,)
    assert Include("bea").apply(one).activation.closed


def test_a_formation_of_one_needs_no_choice():
    state = small().change_unit(1, disrupted=True)
    formed = Form("leon", FormationOrder.RALLY).apply(state)
    assert formed.activation == Activation(FormationOrder.RALLY, 0, (1,), closed=True, waiting=(1,))
    assert formed.first_pending == Rallying()


def test_the_enemys_markers_stay():
    state = small("persians spears H1 w as=foe marker")
    assert finished(state).units[unit(state, "foe")].marker


@pytest.mark.parametrize(
    ("activation", "fault"),
    [
        (Activation(FormationOrder.MOVE, None, (0,)), "activation: no leader chooses its units"),
        (
            Activation(FormationOrder.MOVE, 0, (0, 1)),
            "activation: all units that can join are chosen",
        ),
        (Activation(FormationOrder.RALLY, 0, (0,), closed=True), "activation: no unit rallies"),
        (Activation(FormationOrder.MOVE, 0, (0,)), None),
        (Activation(FormationOrder.MOVE, 0, (0,), closed=True, waiting=(0,)), None),
    ],
)
def test_activations_that_cannot_go_on_are_no_states(activation, fault):
    state = small().replaced({"activation": activation})
    assert list(formation_problems(state)) == ([fault] if fault else [])
