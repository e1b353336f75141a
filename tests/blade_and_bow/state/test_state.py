"""States: what is left out of a piece, how pieces leave the map, who commands, and parts that are shared."""

import pytest

from brickphys.blade_and_bow.pieces import Box, Checked
from brickphys.blade_and_bow.state import State, StatePart, part_of_pieces
from tests.blade_and_bow.battle import battle, square

ANN, AMY, BOB = range(3)


def field() -> State:
    """Two units with three leaders, of whom the first stands with the second unit, and an enemy."""
    return battle(
        "....\n....",
        "greeks hoplite A1 e +2 as=ann wall marker",
        "greeks spears B1 e as=amy",
        "persians spears D2 w as=bob",
        "greeks leader leo A1 1-6-4/red",
        "greeks leader sub A1 2-6-2/black",
        "greeks leader low B1 3-6-3/yellow",
        "persians camp D1",
    )


def test_points_that_are_lacking_are_counted_by_how_much() -> None:
    assert Checked(0, ()).cost == 0
    assert Checked(0, (2, 0, 3)).cost == 2 * 1 + 3 * 3


@pytest.mark.parametrize("box", [box for box in Box if box is not Box.MAP])
def test_a_unit_off_the_map_has_no_square_and_no_marks(box: Box) -> None:
    """Only one that is eliminated is a loss (BB 2.3.3.3); its leaders stay."""
    state = field().out_of_play(ANN, box)
    now = state.units[ANN]
    assert (now.box, now.square, now.wall, now.marker) == (box, None, False, False)
    assert (now.ranks, now.lost) == (2, 0)
    assert state.losses == (int(box is Box.ELIMINATED), 0)
    assert state.leaders == field().leaders
    assert (state.leaders_with(ANN), state.leader_of(ANN)) == ((), None)


def test_the_highest_leader_on_the_map_commands() -> None:
    """BB 6.1.1, 4.0: his value is the morale, his colour counts, and one more card than his value is held."""
    state, found = field(), []
    for leader in (*range(3), None):
        found.append((state.morale(0), state.colour(0), state.next_hand_sizes[0]))
        if leader is not None:
            assert state.commanders[0] == leader
            state = state.change_leader(leader, box=Box.ROUTED, square=None)
    assert found == [(4, "red", 5), (2, "black", 3), (3, "yellow", 4), (2, "white", 1)]
    assert state.leaders_killed(0) == 0
    killed = state.change_leader(1, box=Box.ELIMINATED)
    assert (killed.leaders_killed(0), killed.leaders_killed(1)) == (1, 0)


def test_leaders_of_both_units_go_along_with_who_is_pushed() -> None:
    state = field()
    b1, c1 = square(state, "B1"), square(state, "C1")
    state = state.placed(ANN, b1, 3, (AMY, c1))
    assert [now.square for now in state.units[:2]] == [b1, c1]
    assert [now.facing for now in state.units[:2]] == [3, 0]
    assert [now.square for now in state.leaders] == [b1, b1, c1]
    assert state.leaders_with(ANN) == (0, 1)


def test_a_lost_camp_is_no_place_and_lowers_the_rout_level() -> None:
    state = field()
    assert state.camp_set(0) == 0
    assert state.camp_set(1) == 1 << square(state, "D1")
    lost = state.replaced({"sacked": (False, True)})
    assert lost.camp_set(1) == 0
    assert (state.rout_level(1), lost.rout_level(1), lost.rout_level(0)) == (7, 6, 7)


def test_values_are_those_of_the_side_that_is_up() -> None:
    state = field()
    counter = state.setting.units[BOB].counter
    assert state.side(BOB) is counter.good
    assert state.change_unit(BOB, disrupted=True).side(BOB) is counter.disrupted


def test_a_part_is_that_of_every_state_with_the_same_pieces() -> None:
    state = field()
    part = part_of_pieces(state)
    assert part == part_of_pieces(state.replaced({"turn": 3, "hands": ((1,), ())}))
    assert hash(part) == hash(part_of_pieces(state.replaced({"turn": 3})))
    for other in (
        state.change_unit(ANN, facing=3),
        state.change_leader(0, square=1),
        state.replaced({"sacked": (True, False)}),
        state.replaced({"discovered": True}),
    ):
        assert part != part_of_pieces(other)
    assert part != part.key
    assert StatePart(state, (1,), 7) == StatePart(field(), (1,), 8)
