"""Leaders who move on their own, and those who come back (BB 6.2 to 6.4)."""

from brickphys.blade_and_bow.command import formation
from brickphys.blade_and_bow.command.morale import RoutChecks
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.setting import Special
from tests.blade_and_bow.battle import battle, names_of, square, unit

GROUND = "......\n......\n...=..\n......"


def led(*more, **changes):
    """Return a unit with two leaders in a corner, and another one that an enemy holds."""
    return battle(
        GROUND,
        "greeks hoplite A1 e +1 as=ann",
        "greeks hoplite D4 e as=dot",
        "greeks leader leon A1 1-6-3/red",
        "greeks leader second A1 2-4-3/red",
        "persians spears E4 w as=foe",
        *more,
        **changes,
    )


def test_a_move_costs_an_action_and_no_roll_outside_enemy_zones():
    """BB 6.2."""
    state = formation.To("C4").apply(formation.Relocate("leon").apply(led()))
    assert state.leaders[0].square == square(state, "C4")
    assert (state.actions, state.pending) == (2, ())
    assert formation.To("C4") in formation.To.legal(formation.Relocate("leon").apply(led()))


def test_the_unit_that_a_leader_leaves_in_an_enemy_zone_checks_its_morale():
    """BB 6.2.2: without him."""
    state = led("persians spears B2 nw as=near")
    left = formation.To("C3").apply(formation.Relocate("leon").apply(state))
    assert left.first_pending == formation.DepartureRoll(unit(state, "ann"))
    assert left.actions == 2
    passed = left.first_pending.settle(left.pop_pending(), (1, 0))
    assert passed.units == state.units
    failed = left.first_pending.settle(left.pop_pending(), (0, 1))
    assert failed.units[unit(state, "ann")].disrupted


def test_a_disrupted_unit_loses_a_rank_or_checks_for_rout():
    """BB 6.2.2."""
    state = led().change_unit(0, disrupted=True)
    lost = formation.DepartureRoll(0).failed(state)
    assert (lost.units[0].ranks, lost.units[0].lost, lost.losses) == (0, 1, (1, 0))
    assert formation.DepartureRoll(0).failed(lost).first_pending == RoutChecks(0, 1)


def test_a_leader_goes_where_units_of_his_army_may_go():
    """BB 14.2: no Greek on the goat path, no Persian beyond the limit."""
    path = battle(GROUND).setting.square_numbers["B1"]
    state = led(special=Special(path=1 << path)).change_leader(0, box=Box.ROUTED, square=None)
    assert "B1" not in names_of(state, formation.open_places(state, 0)).split()


def test_a_leader_comes_back_anywhere_but_in_strong_zones_or_where_enemies_are():
    """BB 6.3, 6.4: to a friendly unit or an open square, such as that of the camp."""
    state = led().change_leader(0, box=Box.CAPTURED, square=None, returns=3)
    asked = state.push_pending(formation.LeaderReturn(0))
    assert formation.LeaderReturn(0).problems(asked) == []
    assert formation.Relocation(0).problems(asked) != []
    assert {*state.setting.squares} - {one.square for one in formation.To.legal(asked)} == {
        "D3",
        "D4",
        "E4",
    }
    back = formation.To("B2").apply(asked)
    assert back.leaders[0].box is Box.MAP
    assert back.leaders[0].square == square(back, "B2")
    assert back.leaders[0].returns == 0
    assert back.commanders[0] == 0
