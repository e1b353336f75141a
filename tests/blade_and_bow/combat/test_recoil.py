"""Where units recoil to, and what becomes of those who cannot (BB 9.4.8, 8.5.3)."""

import pytest

from brickphys.blade_and_bow.combat.hits import FallBack, RecoilChoice
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.state import State
from tests.blade_and_bow.battle import battle, names_of, place, unit
from tests.blade_and_bow.fight import after, choices
from tests.blade_and_bow.strikes import melee, volley

FIELD = """
    .......
    .......
    .......
    .......
    .......
"""
GENERALS = ("greeks leader miltiades A1 1-9-3/red", "persians leader datis G5 1-6-3/white")
PASS, FAIL = (1, 0), (0, 1)


def struck(*others: str, kind: str = "archers", hits: int = 1) -> State:
    """Spears in C3 hit a disrupted unit in D3 that faces them."""
    state = battle(
        FIELD,
        "greeks spears C3 e as=lead",
        f"persians {kind} D3 w disrupted as=them",
        *others,
        *GENERALS,
    )
    return after(melee(state, "them", "lead", hits=hits))


def psiloi(names: str, facing: str = "e") -> tuple[str, ...]:
    """Disrupted enemies in some squares: without zones."""
    return tuple(f"greeks psiloi {name} {facing} disrupted" for name in names.split())


@pytest.mark.parametrize(
    ("others", "found"),
    [
        ((), "E3 e"),
        (psiloi("E2 E3"), "E4 se"),
        (psiloi("E3 E4"), "E2 ne"),
        # the zone of the hoplite in F1 has E2; that of the unit in G3 has only F2 to F4
        ((*psiloi("E3"), "greeks hoplite F1 sw", "greeks spears G3 w"), "E4 se"),
        (psiloi("E2 E3 E4 C2 C4"), "eliminated"),
    ],
)
def test_it_goes_straight_back_or_beside_that_and_faces_away(
    others: tuple[str, ...], found: str
) -> None:
    """Who has no way back is eliminated, and a loss (BB 9.4.8.1, 9.4.8.2)."""
    state = struck(*others)
    assert place(state, "them") == found
    assert state.losses == (0, int(found == "eliminated"))


def test_its_owner_chooses_between_squares() -> None:
    state = struck("greeks psiloi E3 e disrupted")
    assert choices(state) == ["recoil E2", "recoil E4"]
    choice = state.awaited(RecoilChoice)
    assert choice.player(state) == 1
    assert place(after(state, FallBack("E4")), "them") == "E4 se"


def test_it_turns_to_any_other_square_last() -> None:
    around = battle(
        FIELD,
        "greeks spears C3 se as=lead",  # its zone has D2, D4, C4 and B4
        "persians archers D3 w disrupted as=them",
        *psiloi("E2 E3 E4"),
        *GENERALS,
    )
    assert place(after(melee(around, "them", "lead", hits=1)), "them") == "C2 nw"


def test_who_recoils_off_the_map_is_eliminated() -> None:
    state = battle(FIELD, "greeks spears F3 e", "persians archers G3 w disrupted", *GENERALS)
    state = after(melee(state, "archers", "spears", hits=1))
    assert place(state, "archers") == "eliminated"
    assert state.losses == (0, 1)
    assert not state.pending  # nobody advances (BB 9.4.9)


def test_cavalry_that_recoils_off_the_map_in_its_pursuit_is_eliminated() -> None:
    """BB 9.4.8.1; only who chases a unit off the map is rallied (BB 9.4.11)."""
    horse = "greeks heavy_cavalry A3 e disrupted as=horse"
    state = battle(FIELD, horse, "persians spears B3 w as=them", *GENERALS)
    state = after(melee(state, "them", "horse", back=1).change_combat(again=True))
    assert place(state, "horse") == "eliminated"
    assert state.losses == (1, 0)


def test_it_recoils_through_friends_who_are_disrupted() -> None:
    state = struck("persians hoplite E3 w")
    assert place(after(state, PASS), "them") == "F3 e"
    assert state.units[unit(state, "hoplite")].disrupted
    assert state.event.dice == 1
    assert place(after(state, FAIL), "them") == "routed"


def test_light_units_disrupt_nobody_and_nobody_disrupts_them() -> None:
    for mover, friend in (("psiloi", "hoplite"), ("archers", "peltast")):
        state = struck(f"persians {friend} E3 w", kind=mover)
        assert place(state, "them") == "F3 e"
        assert not state.units[unit(state, friend)].disrupted


def test_each_square_beyond_the_first_is_a_rout_check_besides_those_for_hits() -> None:
    state = struck("persians hoplite E3 w as=one", "persians hoplite F3 w as=two", hits=2)
    assert place(state, "them") == "G3 e"
    assert state.event.dice == 3
    assert place(after(state, (3, 0)), "them") == "G3 e"
    assert place(after(state, (2, 1)), "them") == "routed"


def test_traffic_has_branches_of_its_own() -> None:
    """Beyond the friend the straight square is taken, so its owner chooses again."""
    state = struck("persians hoplite E3 w", "greeks psiloi F3 e disrupted")
    assert choices(state) == ["recoil F2", "recoil F4"]
    assert place(after(state, FallBack("F4")), "them") == "F4 se"


def test_a_unit_that_enters_the_square_of_an_enemy_leader_captures_him() -> None:
    state = struck("greeks leader callimachus E3 2-4-3/red")
    assert state.event.reason == "danger for callimachus"
    state = after(state, (0, 1))
    caught = state.leaders[0]
    assert (caught.box, caught.returns) == (Box.CAPTURED, 3)


def shot(unit: str, *others: str) -> State:
    """Archers in A3 shoot at disrupted spears."""
    lines = ("greeks archers A3 e as=bows", f"persians spears {unit} disrupted")
    return battle(FIELD, *lines, *others, *GENERALS)


def test_missiles_drive_a_unit_to_its_own_rear_after_its_check() -> None:
    state = after(volley(shot("D3 n"), "spears", "bows", hits=2))
    assert state.event.dice == 2
    back = after(state, (2, 0))
    assert choices(back) == ["recoil D4", "recoil E4", "recoil C4"]  # its owner's choice at once
    assert back.awaited(RecoilChoice).player(back) == 1
    for name, facing in (("D4", "s"), ("E4", "se"), ("C4", "sw")):
        assert place(after(back, FallBack(name)), "spears") == f"{name} {facing}"
    assert place(after(state, (1, 1)), "spears") == "routed"


def test_after_missiles_a_unit_with_its_rear_off_the_map_goes_beside_it_or_is_eliminated() -> None:
    for at_edge, found in (("D5 ne", "C5 w"), ("D5 n", "eliminated")):
        state = after(volley(shot(at_edge), "spears", "bows", hits=1), PASS)
        assert place(state, "spears") == found


def test_after_missiles_a_unit_that_is_blocked_routs() -> None:
    shut = (f"persians hoplite {name} n as={name.lower()}" for name in ("C4", "D4", "E4"))
    state = after(volley(shot("D3 n", *shut), "spears", "bows", hits=1), PASS)
    assert place(state, "spears") == "routed"
    assert not any(state.units[unit(state, name)].disrupted for name in ("c4", "d4", "e4"))


def test_after_missiles_a_unit_displaces_smaller_friends() -> None:
    state = shot(
        "D3 n",
        "persians peltast D4 w",
        "persians leader mardonius D3 2-4-3/white",
        "persians leader artabazus D4 3-4-3/white",
    )
    state = after(volley(state, "spears", "bows", hits=1), (0, 1), FallBack("D4"))
    assert place(state, "spears") == "D4 s"  # its leader has cancelled the check
    assert place(state, "peltast") == "D3 w"
    assert state.units[unit(state, "peltast")].disrupted
    assert [names_of(state, 1 << one.square) for one in state.leaders[:2]] == ["D4", "D3"]


def test_a_displaced_friend_captures_the_leader_into_whose_square_it_goes() -> None:
    """The zone of the unit in C2 shuts D3, the square that is left."""
    state = shot(
        "D3 n",
        "greeks psiloi C2 e",
        "persians peltast D4 w",
        "greeks leader callimachus E4 2-4-3/white",
        "persians leader mardonius D3 2-4-3/white",
    )
    state = after(volley(state, "spears", "bows", hits=1), (0, 1), FallBack("D4"))
    assert (place(state, "spears"), place(state, "peltast")) == ("D4 s", "E4 w")
    assert state.event.reason == "danger for callimachus"
    assert after(state, (0, 1)).leaders[0].box == Box.CAPTURED
