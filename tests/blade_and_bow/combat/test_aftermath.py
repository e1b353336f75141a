"""What follows the hits of a melee: order, advance, pursuit, camps, shield walls (BB 9.4.7 to 9.4.11, 12, 13.3)."""

from brickphys.blade_and_bow.combat import pursuit
from brickphys.blade_and_bow.combat.hits import FallBack, apply_hits
from brickphys.blade_and_bow.pieces import Box, Stage
from tests.blade_and_bow.battle import battle, names_of, place, unit
from tests.blade_and_bow.fight import after, choices
from tests.blade_and_bow.strikes import fought, melee, volley

FIELD = """
    .......
    .......
    .......
    .......
    .......
"""
GENERALS = ("greeks leader miltiades A1 1-9-3/red", "persians leader datis G5 1-6-3/white")
PASS, FAIL = (1, 0), (0, 1)


def test_hits_go_to_attackers_in_front_the_lead_first() -> None:
    """Of three hits the lead takes two, the other in front one, and the one behind none (BB 9.4.6.2)."""
    state = battle(
        FIELD,
        "greeks hoplite C3 e +3 as=lead",
        "greeks hoplite C2 se +3 as=beside",
        "greeks hoplite E3 w +3 as=behind",
        "persians hoplite D3 w +3 as=them",
        *GENERALS,
    )
    state = after(melee(state, "them", "lead", "behind", "beside", back=3))
    found = {name: state.units[unit(state, name)] for name in ("lead", "beside", "behind")}
    assert {name: (now.disrupted, now.lost) for name, now in found.items()} == {
        "lead": (True, 1),
        "beside": (True, 0),
        "behind": (False, 0),
    }
    assert state.losses == (1, 0)


def test_the_lead_takes_all_hits_if_nobody_is_in_front() -> None:
    state = battle(
        FIELD,
        "greeks hoplite D2 s +3 as=lead",
        "greeks hoplite D4 n +3 as=other",
        "persians hoplite D3 w +3 as=them",
        *GENERALS,
    )
    state = after(melee(state, "them", "lead", "other", back=3))
    assert state.units[unit(state, "lead")].lost == 2
    assert not state.units[unit(state, "other")].disrupted


def test_cancels_take_hits_away() -> None:
    state = battle(FIELD, "greeks spears C3 e", "persians spears D3 w as=them", *GENERALS)
    state = fought(state, "them", ("spears",), ranged=False)
    state = after(apply_hits(state.change_combat(attack=(2, 0, 1), defence=(2, 1, 3))))
    assert not state.units[unit(state, "them")].disrupted
    assert state.units[unit(state, "spears")].disrupted
    assert place(state, "spears") == "C3 e"


def test_an_attacker_recoils_after_the_defender_if_its_morale_fails() -> None:
    state = battle(FIELD, "greeks spears C3 e", "persians spears D3 w disrupted as=them", *GENERALS)
    state = after(melee(state, "them", "spears", hits=1, back=3))
    assert place(state, "them") == "E3 e"
    assert state.event.reason == "steadiness of spears"
    stayed, gone = after(state, PASS), after(state, FAIL)
    for then, where in ((stayed, "C3 e"), (gone, "B3 w")):
        assert place(then, "spears") == where
        assert then.event.reason == "rout check of spears"
        assert then.event.dice == 1
        assert not after(then, PASS).pending  # who is disrupted does not advance
    assert place(after(stayed, FAIL), "spears") == "routed"


def test_an_attacker_recoils_without_a_roll_if_the_defender_does_not() -> None:
    state = battle(FIELD, "greeks spears C3 e", "persians spears D3 w as=them", *GENERALS)
    state = after(melee(state, "them", "spears", hits=1, back=2))
    assert place(state, "spears") == "B3 w"
    assert place(state, "them") == "D3 w"
    camp = battle(FIELD, "greeks spears C3 e", "persians camp D3", *GENERALS)
    assert place(after(melee(camp, "camp", "spears", hits=1, back=2)), "spears") == "B3 w"


def test_the_lead_must_advance_and_may_turn_by_one_point() -> None:
    state = battle(FIELD, "greeks spears C3 e", "persians spears D3 w disrupted as=them", *GENERALS)
    state = after(melee(state, "them", "spears", hits=1))
    assert choices(state) == ["advance ne", "advance e", "advance se"]
    assert list(pursuit.HoldSquare().problems(state))
    state = after(state, pursuit.AdvanceFacing(7))
    assert place(state, "spears") == "D3 se"
    assert not state.pending
    assert state.combat.stage is Stage.HITS


def test_who_is_stacked_with_a_leader_may_stay() -> None:
    state = battle(
        FIELD,
        "greeks spears C3 e",
        "greeks leader leonidas C3 2-4-3/red",
        "persians spears D3 w disrupted as=them",
        *GENERALS,
    )
    state = after(melee(state, "them", "spears", hits=1))
    assert choices(state)[-1] == "hold"
    assert place(after(state, pursuit.HoldSquare()), "spears") == "C3 e"
    state = after(state, pursuit.AdvanceFacing(0))
    assert names_of(state, state.leader_squares(0)) == "A1 D3"


def test_a_leader_left_alone_is_captured_by_the_advance() -> None:
    shut = (f"greeks psiloi {name} e disrupted" for name in ("E2", "E3", "E4", "C2", "C4"))
    state = battle(
        FIELD,
        "greeks spears C3 e",
        *shut,
        "persians spears D3 w disrupted as=them",
        "persians leader mardonius D3 2-4-3/white",
        *GENERALS,
    )
    state = after(melee(state, "them", "spears", hits=1), (0, 1))
    assert place(state, "them") == "eliminated"
    assert state.leaders[0].box is Box.MAP
    state = after(state, pursuit.AdvanceFacing(0))
    assert state.event.reason == "danger for mardonius"
    assert after(state, (0, 1)).leaders[0].box is Box.CAPTURED
    assert after(state, (1, 0), (1, 0)).leaders[0].box is Box.ELIMINATED
    assert after(state, (1, 0), (0, 1)).leaders[0].box is Box.CAPTURED


def horse(at: str = "C3", they: str = "D3") -> tuple[str, ...]:
    return f"greeks heavy_cavalry {at} e", f"persians spears {they} w disrupted as=them", *GENERALS


def test_cavalry_may_attack_again_and_is_disrupted_if_its_morale_fails() -> None:
    state = after(melee(battle(FIELD, *horse()), "them", "heavy_cavalry", hits=1))
    state = after(state, pursuit.AdvanceFacing(0))
    assert state.awaited(pursuit.PursuitChoice).player(state) == 0
    assert not after(state, pursuit.Halt()).pending
    state = after(state, pursuit.Pursue())
    assert state.event.dice == 1
    for roll, shaken in ((PASS, False), (FAIL, True)):
        combat = after(state, roll).combat
        assert (combat.again, combat.shaken, combat.stage) == (True, shaken, Stage.CARDS)
        assert combat.square == state.units[unit(state, "them")].square


def test_who_helped_cavalry_before_its_pursuit_has_acted() -> None:
    """BB 9.1: a unit attacks once in an action."""
    state = battle(FIELD, *horse(), "greeks spears D4 n as=helper", "greeks spears A1 s as=other")
    state = melee(state, "them", "heavy_cavalry", "helper", hits=1)
    state = state.change_activation(waiting=tuple(state.on_map(0)))
    state = after(state, pursuit.AdvanceFacing(0), pursuit.Pursue(), PASS)
    assert state.activation.waiting == (unit(state, "other"),)


def test_shaken_cavalry_is_disrupted_after_its_advance() -> None:
    state = battle(FIELD, *horse("D3", "E3"))
    state = melee(state, "them", "heavy_cavalry", hits=1).change_combat(again=True, shaken=True)
    state = after(state, pursuit.AdvanceFacing(0))
    assert place(state, "heavy_cavalry") == "E3 e"
    assert state.units[unit(state, "heavy_cavalry")].disrupted
    assert not state.pending


def test_cavalry_that_chases_a_unit_off_the_map_is_rallied() -> None:
    state = battle(FIELD, *horse("F3", "G3"), "greeks leader leonidas F3 2-4-3/red")
    once = melee(state, "them", "heavy_cavalry", hits=1)
    assert place(after(once), "heavy_cavalry") == "F3 e"  # not a pursuit
    state = after(once.change_combat(again=True))
    assert place(state, "them") == "eliminated"
    assert place(state, "heavy_cavalry") == "rallied"
    assert state.losses == (0, 1)
    assert state.leaders[2].box is Box.ROUTED


def test_a_shield_wall_falls_after_the_rout_checks() -> None:
    state = battle(FIELD, "greeks spears C3 e", "persians spears D3 w wall as=them", *GENERALS)
    state = after(melee(state, "them", "spears", hits=3))
    assert dict(state.event.classes)["pass"] == 4  # morale 3, and 1 for the wall
    assert not after(state, PASS).units[unit(state, "them")].wall


def test_a_camp_cancels_the_first_hit_on_the_unit_on_it() -> None:
    ground = FIELD, "greeks spears C3 e", "persians hoplite D3 w +1", "persians camp D3", *GENERALS
    state = after(melee(battle(*ground), "hoplite", "spears", hits=2))
    assert state.losses == (0, 0)
    assert state.units[unit(state, "hoplite")].disrupted
    state = battle(*ground).replaced({"sacked": (False, True)})
    assert after(melee(state, "hoplite", "spears", hits=2)).losses == (0, 1)
    state = after(volley(battle(*ground), "hoplite", "spears", hits=2))
    assert state.losses == (0, 1)


def test_a_camp_is_sacked_by_the_second_hit_and_its_sacker_leaves() -> None:
    state = battle(
        FIELD, "greeks spears C3 e", "greeks spears C2 se as=other", "persians camp D3", *GENERALS
    )
    assert after(melee(state, "camp", "spears", hits=1)).sacked == (False, False)
    state = after(melee(state, "camp", "spears", "other", hits=2, back=2))
    assert state.sacked == (False, True)
    assert place(state, "spears") == "left"
    assert state.units[unit(state, "other")].disrupted  # a camp has no front: hits go to all
    assert state.losses == (0, 0)
    assert not state.pending


def test_an_owner_chooses_before_anybody_advances() -> None:
    state = battle(FIELD, *horse(), "greeks psiloi E3 e disrupted")
    state = after(melee(state, "them", "heavy_cavalry", hits=1), FallBack("E2"))
    assert choices(state)[0].startswith("advance")
