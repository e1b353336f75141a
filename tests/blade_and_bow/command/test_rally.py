"""Rally: who returns to good order without a roll, and what changes the die of others (BB 11.0)."""

import pytest

from brickphys.blade_and_bow.command.cards import NoCard, PlayCards
from brickphys.blade_and_bow.command.formation import All, Form, Single
from brickphys.blade_and_bow.command.morale import Facing, RallyRoll, TurnUnit
from brickphys.blade_and_bow.deck import Moment, card_numbers
from brickphys.blade_and_bow.game import BladeAndBow
from brickphys.blade_and_bow.pieces import FormationOrder
from tests.blade_and_bow.battle import battle, unit

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


def proceed(state):
    """Return the state after all follow-ups before the next roll or question."""
    while state.pending and hasattr(state.first_pending, "happen"):
        state = state.first_pending.happen(state.pop_pending())
    return state


def test_a_unit_alone_rallies_by_itself_and_faces_as_it_likes():
    """BB 11.0."""
    state = proceed(Single("bea", FormationOrder.RALLY).apply(broken()))
    assert not state.units[1].disrupted
    assert state.first_pending == Facing(1)
    assert [one.facing for one in TurnUnit.legal(state)] == list(range(8))
    state = proceed(TurnUnit(6).apply(state))
    assert state.units[1].facing == 6
    assert state.activation is None
    assert state.actions == 2


def test_a_formation_rallies_unit_by_unit_and_rolls_without_a_leader():
    """BB 11.0: who is stacked with a leader needs no roll."""
    state = proceed(All().apply(Form("leon", FormationOrder.RALLY).apply(broken())))
    assert state.first_pending == PlayCards(0, Moment.IMPULSE)
    assert state.first_pending.lapses(state)
    state = proceed(state.pop_pending())
    assert state.first_pending == Facing(0)
    state = proceed(TurnUnit(0).apply(state))
    assert state.first_pending == RallyRoll(1)
    state = proceed(state.first_pending.settle(state.pop_pending(), (0, 1)))
    assert state.units[1].disrupted
    assert state.first_pending == RallyRoll(2)
    state = proceed(state.first_pending.settle(state.pop_pending(), (1, 0)))
    assert state.first_pending == Facing(2)
    state = proceed(TurnUnit(0).apply(state))
    assert [one.disrupted for one in state.units[:3]] == [False, True, False]
    assert state.pending == ()
    assert state.actions == 2


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
    speech = card_numbers()["stirring_speech"]
    state = proceed(
        All().apply(Form("leon", FormationOrder.RALLY).apply(broken(hands=((speech,), ()))))
    )
    assert {one.unit for one in state.answers[0].legal(state)} == {"ann", "bea", "cat"}
    played = state.answers[0]("stirring_speech", "cat").apply(state)
    assert RallyRoll(2).least(played) == RallyRoll(2).least(state) + 2
    assert proceed(NoCard().apply(state)).first_pending == Facing(0)


def test_a_unit_that_a_card_has_rallied_does_not_rally_again():
    trumpet = card_numbers()["trumpet_call"]
    state = proceed(
        All().apply(Form("leon", FormationOrder.RALLY).apply(broken(hands=((trumpet,), ()))))
    )
    state = TurnUnit(1).apply(state.answers[0]("trumpet_call", "ann").apply(state))
    state = proceed(state.pop_pending())
    assert state.first_pending == RallyRoll(1)
    assert state.units[0].facing == 1


def test_a_rallied_unit_that_turns_shows_and_sees_ranks():
    """BB 2.3.2.8: the zone of a unit in good order shows the ranks of an enemy in it."""
    state = broken("persians hoplite B3 n +1 as=deep")
    deep = unit(state, "deep")
    state = state.change_unit(1, square=state.units[deep].square + state.setting.grid.width)
    state = proceed(Single("bea", FormationOrder.RALLY).apply(state))
    assert BladeAndBow().apply(state, TurnUnit(6)).units[deep].seen
    assert not BladeAndBow().apply(state, TurnUnit(2)).units[deep].seen
