"""Units that move: each action, who is disrupted, pushed, carried along or captured (BB 6, 7, 13)."""

from fractions import Fraction
from typing import Any

import pytest

from brickphys.blade_and_bow.command.morale import LeaderRoll
from brickphys.blade_and_bow.command.movement import (
    MOVER_TYPES,
    Displacing,
    GoToSquare,
    Hurry,
    Push,
    Reverse,
    ReverseAt,
    ReverseRoll,
    Shield,
    Stay,
    TakeUnit,
    Unshield,
    points_left,
)
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.ground import zones
from brickphys.blade_and_bow.pieces import Activation, FormationOrder
from brickphys.blade_and_bow.setting import Special
from brickphys.blade_and_bow.state import State
from brickphys.errors import InvalidValueError
from brickphys.grid.grid import FACING_NAMES
from brickphys.odds.law import BinomialLaw
from brickphys.rules.turn_state import PendingRoll
from tests.blade_and_bow.battle import battle, place, square, squares, unit
from tests.blade_and_bow.crowd import crowd

GAME = BladeAndBow()
ROWS = "......\n" * 4
WALLS = Special(shield_walls=(True, True))
EAST = FACING_NAMES.index("e")


def moving(state: State, *names: str) -> State:
    """The state in which units are activated to move, and the first of them is taken."""
    units = tuple(unit(state, name) for name in names)
    activation = Activation(FormationOrder.MOVE, None, units, closed=True, waiting=units)
    return TakeUnit(names[0]).apply(state.replaced({"activation": activation}))


def taken(*pieces: str, ground: str = ROWS, **changes: Any) -> State:
    """A battle in which the first unit is taken to move alone."""
    state = battle(ground, *pieces, **changes)
    return moving(state, state.setting.units[0].name)


def words(state: State) -> set[str]:
    """The actions of the unit that moves, without the squares."""
    return {kind.word for kind in MOVER_TYPES if kind.is_possible(state)}


def test_units_of_a_formation_move_one_after_the_other():
    state = battle(ROWS, "greeks spears A1 e", "greeks psiloi A2 e", "persians archers F4 w")
    state = moving(state, "spears", "psiloi")
    assert not list(TakeUnit.legal(state))
    state = GoToSquare("B1", EAST).apply(state)
    assert place(state, "spears") == "B1 e"
    assert list(TakeUnit.legal(state)) == [TakeUnit("psiloi")]
    state = Stay().apply(TakeUnit("psiloi").apply(state))
    assert state.activation is None
    assert state.actions == 2


def test_the_listed_moves_are_those_without_problems():
    for seed in range(12):
        state = crowd(seed, units=12).state
        own = [n for n in range(len(state.units)) if state.player_of(n) == 0]
        state = moving(state, *(state.setting.units[n].name for n in own[:1]))
        every = [GoToSquare(name, facing) for name in state.setting.squares for facing in range(8)]
        assert set(GoToSquare.legal(state)) == {go for go in every if not list(go.problems(state))}
        every = [ReverseAt(name, facing) for name in state.setting.squares for facing in range(8)]
        assert set(ReverseAt.legal(state)) == {
            one for one in every if not list(one.problems(state))
        }
        for kind in (Hurry, Reverse, Shield, Unshield):
            assert list(kind.legal(state)) == [] or not list(kind().problems(state))


def test_a_move_is_refused_with_its_reason():
    state = taken("greeks hoplite A1 e")
    assert list(GoToSquare("F4", 2).problems(state)) == [
        "hoplite has no way to F4 n with 6 points: the way there costs 14 (BB 7)"
    ]
    assert list(GoToSquare("A1", EAST).problems(state)) == [
        "hoplite is already at A1 e: choose stay (BB 7.0)"
    ]
    (problem,) = GoToSquare("Z9", 2).problems(state)
    assert "'Z9'" in problem
    idle = state.replaced({"activation": None})
    for action in (GoToSquare("B1", 0), Stay(), Hurry()):
        assert list(action.problems(idle)) == ["take a unit first (BB 7.0)"]


@pytest.mark.parametrize(
    ("others", "square", "facing", "why"),
    [
        ((), "F4", "n", "the way there costs 14"),
        ((), "D1", "w", "there it can face "),
        (("persians spears C1 e",), "C1", "e", "spears is there"),
        (("persians spears B1 w",), "A3", "e", "it is in a strong enemy zone"),
        (("greeks hoplite B1 e as=ann",), "B1", "e", "ann is there and cannot make room"),
    ],
)
def test_it_is_told_what_keeps_a_unit_from_a_square(others, square, facing, why):
    """BB 7.1: the points; BB 7.3: who stands there; BB 7.2.2: strong zones."""
    state = moving(battle(ROWS, "greeks hoplite A1 e", *others), "hoplite")
    (problem,) = GoToSquare(square, FACING_NAMES.index(facing)).problems(state)
    assert f": {why}" in problem


def test_a_shield_wall_is_given_up_before_a_unit_goes():
    state = battle(ROWS, "greeks hoplite A1 e", special=WALLS).change_unit(0, wall=True)
    (problem,) = GoToSquare("B1", EAST).problems(moving(state, "hoplite"))
    assert "it must give up its shield wall first" in problem


def test_dense_units_hurry_before_they_go():
    """BB 7.4: disrupted, with the movement of that side."""
    state = taken("greeks hoplite A1 e +1")
    assert words(state) == {"stay", "go", "hurry", "reverse", "reverse_at"}
    hurried = Hurry().apply(state)
    assert hurried.units[0].disrupted
    assert (points_left(state, 0), points_left(hurried, 0)) == (6, 8)
    assert words(hurried) == {"stay", "go"}
    assert place(GoToSquare("E1", EAST).apply(hurried), "hoplite") == "E1 e"
    assert words(taken("greeks spears A1 e")) == {"stay", "go"}


def test_dense_units_reverse_after_a_morale_check():
    """BB 7.1.3: two points either way; who fails keeps its facing and is disrupted."""
    pieces = ["greeks hoplite B2 e", "greeks leader leonidas D4 1-6-3/red"]
    state = Reverse().apply(moving(battle(ROWS, *pieces), "hoplite"))
    roll = state.first_pending
    assert isinstance(roll, PendingRoll)
    law = roll.event(state).law(BinomialLaw(Fraction(1, 2)))
    assert law == {(1, 0): Fraction(1, 2), (0, 1): Fraction(1, 2)}  # morale 3
    passed = roll.settle(state.pop_pending(), (1, 0))
    assert place(passed, "hoplite") == "B2 w"
    assert points_left(passed, 0) == 4
    failed = roll.settle(state.pop_pending(), (0, 1))
    assert place(failed, "hoplite") == "B2 e"
    assert failed.units[0].disrupted
    assert "reverse" not in words(failed)
    assert points_left(failed, 0) == 6
    assert place(Stay().apply(passed), "hoplite") == "B2 w"


def test_dense_units_reverse_also_after_they_have_moved():
    """BB 7.1.3: a hoplite of 6 points advances two squares and reverses, or one square, reverses and comes back."""
    pieces = ["greeks hoplite A2 e", "greeks leader leonidas A2 1-6-3/red"]
    state = moving(battle(ROWS, *pieces, "persians leader datis B2 1-6-3/white"), "hoplite")
    listed = {one.text() for one in ReverseAt.legal(state)}
    assert {"reverse_at B2 e", "reverse_at C2 e", "reverse_at A2 ne"} <= listed
    assert not {"reverse_at D2 e", "reverse_at A2 e", "reverse_at C2 ne"} & listed
    far = ReverseAt("C2", EAST).apply(state)
    assert [type(one) for one in far.pending] == [LeaderRoll, ReverseRoll]  # it rode over datis
    roll = far.pending[1]
    far = far.replaced({"pending": ()})
    assert place(far, "hoplite") == "C2 e"
    assert far.leaders[0].square == square(state, "C2")
    turned = roll.settle(far, (1, 0))
    assert (place(turned, "hoplite"), points_left(turned, 0)) == ("C2 w", 0)
    failed = roll.settle(far, (0, 1))
    assert (place(failed, "hoplite"), failed.units[0].disrupted) == ("C2 e", True)
    assert points_left(failed, 0) == 2
    assert words(failed) == {"stay", "go"}
    near = ReverseAt("B2", EAST).apply(state).replaced({"pending": ()})
    back = ReverseRoll(0).settle(near, (1, 0))
    assert place(GoToSquare("A2", FACING_NAMES.index("w")).apply(back), "hoplite") == "A2 w"


def test_no_unit_reverses_where_it_has_halted_or_stands_with_a_friend():
    """BB 7.2, 7.3.4; and none is left with too few points."""
    state = taken("greeks hoplite A2 e", "greeks psiloi B2 e", "persians spears E2 w as=foe")
    squares = {one.square for one in ReverseAt.legal(state)}
    assert "C2" in squares
    assert not {"B2", "D2"} & squares  # of a friend; in an enemy zone
    assert list(ReverseAt("D2", EAST).problems(state)) == [
        "hoplite cannot come to D2 e without a halt, with 2 of 6 points left (BB 7.1.3)"
    ]
    (wrong,) = ReverseAt("Z9", EAST).problems(state)
    assert "'Z9'" in wrong
    spears = taken("greeks spears A2 e")
    assert list(ReverseAt("B2", EAST).problems(spears)) == [
        "spears is not dense: it turns as it moves (BB 7.1.3)"
    ]


def test_the_way_of_a_move_can_be_named():
    """BB 7.0, 6.4: a unit rides round a leader alone, or over him; both texts read back."""
    state = taken("greeks light_cavalry A2 e", "persians leader datis C1 1-6-3/white")
    past = GAME.parse_action("go E2 e")
    assert not past.apply(state).pending
    over = GAME.parse_action("go E2 e via C1")
    assert over == GoToSquare("E2", EAST, ("C1",))
    assert over.text() == over.shown() == "go E2 e via C1"
    assert not list(over.problems(state))
    assert over in list(GoToSquare.legal(state))  # what matters is listed, for bots too
    ridden = over.apply(state)
    assert ridden.pending == (LeaderRoll(0, True),)
    assert place(ridden, "light_cavalry") == "E2 e"
    round_him = GAME.parse_action("go E1 e via B3 D3")
    assert round_him not in list(GoToSquare.legal(state))
    assert not list(round_him.problems(state))
    assert not round_him.apply(state).pending
    here = GAME.parse_action("go A2 e via B2")  # away and back
    assert not list(here.problems(state))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("go E2 e via A2", "via takes squares between the start and the end, none twice in a row"),
        ("go E2 e via E2", "via takes squares between the start and the end, none twice in a row"),
        (
            "go E2 e via C2 C2",
            "via takes squares between the start and the end, none twice in a row",
        ),
        ("go E2 e via Z9", "'Z9'"),
        ("go E2 e via F1 A4", "has no way to E2 e via F1 A4 with 16 points: the way there costs"),
        ("go E2 e via " + " ".join(["B2", "A2"] * 3000), "enemies, their zones and the ground"),
        ("go F1 e via D2", "has no way to F1 e via D2 with 16 points: "),
    ],
)
def test_a_way_that_cannot_be_gone_is_refused_with_its_reason(text, why):
    """The zone of the foe in E3 halts whoever comes to D2."""
    state = taken("greeks light_cavalry A2 e", "persians archers E3 sw as=foe")
    (problem,) = GAME.parse_action(text).problems(state)
    assert why in problem


@pytest.mark.parametrize("text", ["go E2 e via", "go E2 via C2 e", "go via C2", "go E2 e over C2"])
def test_a_way_that_is_no_way_is_not_read(text):
    with pytest.raises(InvalidValueError):
        GAME.parse_action(text)


def test_a_way_is_read_as_people_type_it():
    state = taken("greeks light_cavalry A2 e", "persians leader datis C1 1-6-3/white")
    for typed in ("go e2 e via c1", "GO E2 E via C1", "go E2 e via C1,", "go E 2 e via c1"):
        assert GAME.readings(state, typed).meant == ("go E2 e via C1",)
    some = GAME.readings(state, "go E2 via C1").meant
    assert {"go E2 e via C1", "go E2 ne via C1"} <= set(some)


def test_a_friend_is_displaced_at_the_end_of_a_named_way():
    cavalry = "greeks heavy_cavalry A3 e as=horse"
    state = taken(cavalry, "greeks psiloi B1 n", "persians leader dat C3 1-6-3/white")
    ride = next(one for one in GoToSquare.legal(state) if one.square == "B1" and one.via == ("C3",))
    asked = ride.apply(state)
    end, via = (square(state, "B1"), ride.facing), (square(state, "C3"),)
    assert asked.first_pending == Displacing(*end, via)
    assert not asked.first_pending.problems(asked)
    assert Displacing(*end, via * 2).problems(asked)
    assert Displacing(*end, (square(state, "A3"),)).problems(asked)
    pushed = Push("C1").apply(asked)
    assert pushed.pending == (LeaderRoll(0, True),)


@pytest.mark.parametrize(
    ("piece", "action", "spent", "reasons"),
    [
        ("hoplite B2 e", Hurry(), 0, []),
        ("maniple B2 e", Hurry(), 0, []),
        ("spears B2 e", Hurry(), 0, ["own is neither dense nor flexible (BB 7.4)"]),
        ("hoplite B2 e disrupted", Hurry(), 0, ["own is already disrupted (BB 7.4)"]),
        ("hoplite B2 e wall", Hurry(), 0, ["own has a shield wall (BB 13.2)"]),
        (
            "hoplite B2 e",
            Hurry(),
            2,
            ["own has spent 2 points: it can hurry only before it spends any (BB 7.4)"],
        ),
        ("hoplite B2 e", Reverse(), 4, []),
        ("hoplite B2 e", Reverse(), 5, ["own has fewer than 2 movement points left (BB 7.1.3)"]),
        ("maniple B2 e", Reverse(), 0, ["own is not dense: it turns as it moves (BB 7.1.3)"]),
        ("hoplite B2 e disrupted", Reverse(), 0, ["own is disrupted (BB 7.1.3)"]),
        ("hoplite B2 e wall", Reverse(), 0, ["own has a shield wall (BB 13.2)"]),
        ("hoplite B2 e", Shield(), 0, []),
        ("hoplite B2 e wall", Shield(), 0, ["own has a shield wall (BB 13.2)"]),
        (
            "hoplite B2 e",
            Shield(),
            1,
            [
                "own has spent 1 points: it can form a shield wall only before it spends any (BB 13.1)"
            ],
        ),
        ("hoplite B2 e", Unshield(), 0, ["own has no shield wall (BB 13.3)"]),
        ("hoplite B2 e wall", Unshield(), 0, []),
    ],
)
def test_what_a_unit_cannot_do_before_it_goes_is_told(piece, action, spent, reasons):
    state = moving(battle(ROWS, f"greeks {piece} as=own", special=WALLS), "own")
    state = state.change_activation(spent=spent)
    assert list(action.problems(state)) == reasons
    assert list(type(action).legal(state)) == [action] * (not reasons)


def test_shield_walls_are_formed_in_place_of_a_move():
    """BB 7.1.4, 13.1."""
    state = moving(battle(ROWS, "persians spears B2 e", special=WALLS, mover=1), "spears")
    formed = Shield().apply(state)
    assert formed.units[0].wall
    assert formed.activation is None


@pytest.mark.parametrize(
    ("piece", "others", "special", "reason"),
    [
        ("spears B2 e", (), Special(), "cannot form shield walls in this battle (BB 13)"),
        ("light_cavalry B2 e", (), WALLS, "is cavalry (BB 13)"),
        ("spears B2 e disrupted", (), WALLS, "is already disrupted"),
        ("spears B2 e", ("persians spears C2 ne",), WALLS, "is in an enemy zone (BB 7.1.4)"),
    ],
)
def test_who_forms_no_shield_wall(piece, others, special, reason):
    if others:
        others = ("persians spears C3 nw as=foe",)
    state = battle(ROWS, f"greeks {piece} as=own", *others, special=special)
    (problem,) = Shield().problems(moving(state, "own"))
    assert reason in problem


def test_a_shield_wall_is_formed_in_no_square_of_an_enemy_zone():
    """BB 7.1.4."""
    places = [f"{file}{rank}" for file in "ABCDEF" for rank in "124"]
    foe = "persians spears C3 nw as=foe"
    states = [battle(ROWS, f"greeks spears {one} e as=own", foe, special=WALLS) for one in places]
    threatened = [
        any("zone" in why for why in Shield().problems(moving(one, "own"))) for one in states
    ]
    zone = zones(states[0], 1).all
    assert threatened == [bool(zone & squares(states[0], one)) for one in places]
    assert 0 < sum(threatened) < len(places)


def test_a_shield_wall_has_no_gaps():
    """BB 13.1: each unit is beside another one of the formation."""
    pieces = ["greeks spears A1 e as=a", "greeks spears B2 e as=b", "greeks spears D2 e as=c"]
    state = battle(ROWS, *pieces, special=WALLS)
    assert "shield" in words(moving(state, "a", "b", "c"))
    assert "shield" not in words(moving(state, "c", "a", "b"))
    assert "shield" in words(moving(state, "c"))


def test_a_shield_wall_is_formed_beside_units_that_form_one():
    """BB 13.1: not beside a unit of the formation that has moved, is disrupted or rides."""
    pieces = ["greeks spears A1 e as=a", "greeks spears B2 e as=b"]
    state = moving(battle(ROWS, *pieces, special=WALLS), "a", "b")
    walled = Shield().apply(state)
    stayed = Stay().apply(state)
    assert "shield" in words(TakeUnit("b").apply(walled))
    assert "shield" not in words(TakeUnit("b").apply(stayed))
    for other in ("spears B2 e disrupted", "light_cavalry B2 e"):
        state = battle(ROWS, pieces[0], f"greeks {other} as=b", special=WALLS)
        (problem,) = Shield().problems(moving(state, "a", "b"))
        assert (
            problem == "a is not beside another unit of its formation that forms a wall (BB 13.1)"
        )


def test_a_shield_wall_is_given_up_for_a_point():
    """BB 13.3."""
    state = taken("greeks hoplite B2 e wall", special=WALLS)
    assert words(state) == {"stay", "unshield"}
    free = Unshield().apply(state)
    assert not free.units[0].wall
    assert words(free) == {"stay", "go", "reverse", "reverse_at"}
    assert points_left(free, 0) == 5
    assert "D2 e" in {f"{go.square} {FACING_NAMES[go.facing]}" for go in GoToSquare.legal(free)}
    assert "E2 e" not in {f"{go.square} {FACING_NAMES[go.facing]}" for go in GoToSquare.legal(free)}


def test_leaders_go_along():
    """BB 6."""
    leaders = ["greeks leader ann A1 1-6-3/red", "greeks leader bob B1 2-4-3/red"]
    state = moving(battle(ROWS, "greeks hoplite A1 e", *leaders), "hoplite")
    state = GoToSquare("C1", EAST).apply(state)
    assert state.leaders[0].square == square(state, "C1")
    assert state.leaders[1].square == square(state, "B1")


def test_a_displaced_unit_is_pushed_and_disrupted():
    """BB 7.3.4: the mover chooses the square, even its own; facing and leaders of the pushed unit stay."""
    pieces = ["greeks hoplite A1 e", "greeks spears B1 n", "greeks leader ann A1 1-6-3/red"]
    asked = GoToSquare("B1", EAST).apply(moving(battle("...\n#..", *pieces), "hoplite"))
    assert isinstance(asked.first_pending, Displacing)
    assert not asked.first_pending.problems(asked)
    assert asked.first_pending.player(asked) == 0
    pushes = {push.square for push in Push.legal(asked)}
    assert pushes == {"A1", "C1", "B2", "C2"}
    assert list(Push("A2").problems(asked))
    state = Push("A1").apply(asked)
    assert (place(state, "hoplite"), place(state, "spears")) == ("B1 e", "A1 n")
    assert state.units[1].disrupted
    assert not state.units[0].disrupted
    assert state.leaders[0].square == square(state, "B1")
    assert state.activation is None
    assert not state.pending


def test_a_displaced_unit_captures_too():
    """BB 6.4."""
    pieces = ["greeks hoplite A1 e", "greeks spears B1 n", "persians leader dat C1 1-6-3/white"]
    asked = GoToSquare("B1", EAST).apply(moving(battle(ROWS, *pieces), "hoplite"))
    assert Push("C1").apply(asked).pending == (LeaderRoll(0, True),)
    assert Push("A1").apply(asked).pending == ()


def test_an_edited_question_is_refused():
    state = taken("greeks hoplite A1 e", "greeks spears B1 n", "greeks archers A2 n")
    assert Displacing(square(state, "C1"), 0).problems(state)
    assert Displacing(square(state, "A2"), 2).problems(state)
    assert Displacing(square(state, "B1"), 0).problems(state.replaced({"activation": None}))


def test_medium_units_disrupt_each_other_on_the_way():
    """BB 7.3.2."""
    state = battle("....", "greeks spears A1 e", "greeks archers B1 e", "greeks psiloi D1 e")
    state = GoToSquare("C1", EAST).apply(moving(state, "spears"))
    assert [one.disrupted for one in state.units] == [True, True, False]


def test_moves_show_ranks():
    """BB 2.3.2.8: who comes behind a unit sees its ranks, and who comes before it shows its own."""
    pieces = ["greeks psiloi A1 s", "persians hoplite C1 e +2", "greeks hoplite A4 n +1"]
    state = battle(ROWS, *pieces)
    behind = GAME.apply(moving(state, "psiloi"), GoToSquare("A2", FACING_NAMES.index("s")))
    assert behind.units[1].seen
    assert not behind.units[2].seen
