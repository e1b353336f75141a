"""Rally: who returns to good order without a roll, and what changes the die of others (BB 11.0)."""

import pytest

from brickphys.blade_and_bow.command.cards import NoCard, Play
from brickphys.blade_and_bow.command.formation import All, Form, Single
from brickphys.blade_and_bow.command.morale import Facing, RallyRoll, TurnUnit
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.pieces import FormationOrder
from tests.blade_and_bow.battle import battle, hand, unit
from tests.blade_and_bow.fight import after

GROUND = "\n".join(["........"] * 6)


def broken(*more, value=3, **changes):
    """Return three disrupted units, the first with a leader, and an enemy far away."""
    return battle(
        GROUND,
        "greeks hoplite A1 e as=ann disrupted",
        "greeks hoplite B1 e as=bea disrupted",
        "greeks hoplite C1 e as=cat disrupted",
        f"greeks leader leon A1 1-12-{value}/red",
        "persians spears H6 w as=foe",
        *more,
        **changes,
    )


def rallying(**changes):
    """Return the state in which the leader's formation is ordered to rally."""
    return after(All().apply(Form("leon", FormationOrder.RALLY).apply(broken(**changes))))


def test_a_unit_alone_rallies_by_itself_and_faces_as_it_likes():
    """BB 11.0."""
    state = after(Single("bea", FormationOrder.RALLY).apply(broken()))
    assert not state.units[1].disrupted
    assert state.first_pending == Facing(1)
    assert [one.facing for one in TurnUnit.legal(state)] == list(range(8))
    state = after(state, TurnUnit(6))
    assert (state.units[1].facing, state.activation, state.actions) == (6, None, 2)


def test_a_formation_rallies_unit_by_unit_and_rolls_without_a_leader():
    """BB 11.0: who is stacked with a leader needs no roll."""
    state = rallying()
    for pending, answer in (
        (Facing(0), TurnUnit(0)),
        (RallyRoll(1), (0, 1)),
        (RallyRoll(2), (1, 0)),
        (Facing(2), TurnUnit(0)),
    ):
        assert state.first_pending == pending
        state = after(state, answer)
    assert [one.disrupted for one in state.units[:3]] == [False, True, False]
    assert (state.pending, state.actions) == ((), 2)


@pytest.mark.parametrize(
    ("name", "more", "least"),
    [
        ("cat", (), 4),
        ("bea", (), 5),
        ("cat", ("persians spears C2 s as=near",), 4),
        ("cat", ("persians spears C2 n as=near",), 3),
        ("bea", ("persians spears B2 n as=near",), 4),
        ("imm", ("greeks immortals F1 e as=imm disrupted",), 5),
    ],
)
def test_a_leader_beside_immortals_and_enemy_zones_change_the_die(name, more, least):
    """BB 11.1 to 11.3; a face from this on fails."""
    state = broken(*more)
    assert RallyRoll(unit(state, name)).least(state) == least


def test_cards_are_played_before_a_formation_rolls():
    state = rallying(hands=(hand("stirring_speech"), ()))
    assert {one.unit for one in Play.legal(state)} == {"ann", "bea", "cat"}
    played = Play("stirring_speech", "cat").apply(state)
    assert RallyRoll(2).least(played) == RallyRoll(2).least(state) + 2
    assert after(state, NoCard()).first_pending == Facing(0)


def test_a_unit_that_a_card_has_rallied_does_not_rally_again():
    state = rallying(hands=(hand("trumpet_call"), ()))
    state = after(state, Play("trumpet_call", "ann"), TurnUnit(1))
    assert state.first_pending == RallyRoll(1)
    assert state.units[0].facing == 1


def test_a_rallied_unit_that_turns_shows_and_sees_ranks():
    """BB 2.3.2.8: the zone of a unit in good order shows the ranks of an enemy in it."""
    state = broken("persians hoplite B3 n +1 as=deep")
    deep = unit(state, "deep")
    state = state.change_unit(1, square=state.units[deep].square + state.setting.grid.width)
    state = after(Single("bea", FormationOrder.RALLY).apply(state))
    assert BladeAndBow().apply(state, TurnUnit(6)).units[deep].seen
    assert not BladeAndBow().apply(state, TurnUnit(2)).units[deep].seen
