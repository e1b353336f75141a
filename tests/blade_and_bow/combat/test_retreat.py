"""Retreat before a melee (BB 9.4.2), and the lead attacker (BB 9.4.4.4)."""

import pytest

from brickphys.blade_and_bow.combat.attack import RetreatQuestion, retreats
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import squares_of
from tests.blade_and_bow.battle import battle, names_of, square
from tests.blade_and_bow.fight import choices, melee, play

FIELD = "....... ....... ....... ....... ....... ....... ......."


def charged(attacker: str, target: str, *more: str) -> State:
    """Return the state after an attack from D5 on D4, north of it."""
    kind, _, marks = target.partition(" ")
    state = battle(
        FIELD, f"greeks {attacker} D5 n as=ann", f"persians {kind} D4 s as=bob {marks}", *more
    )
    return play(melee(state, "ann"), "attack bob")


@pytest.mark.parametrize(
    ("attacker", "target", "may"),
    [
        ("hoplite", "peltast", True),
        ("spears", "psiloi", True),
        ("immortals", "psiloi", True),
        ("psiloi", "peltast", False),  # light foot only from medium and heavy foot
        ("heavy_cavalry", "peltast", False),
        ("light_cavalry", "peltast", False),
        ("hoplite", "light_cavalry", True),  # light horse from all but light horse
        ("psiloi", "light_cavalry", True),
        ("heavy_cavalry", "light_cavalry", True),
        ("light_cavalry", "light_cavalry", False),
        ("hoplite", "spears", False),  # only light units
        ("hoplite", "peltast disrupted", False),  # in good order
        ("hoplite", "peltast wall", False),  # 13.2
    ],
)
def test_who_may_retreat(attacker: str, target: str, may: bool) -> None:
    state = charged(attacker, target)
    assert isinstance(state.first_pending, RetreatQuestion) == may


def test_one_attacker_from_whom_it_cannot_get_away_holds_it() -> None:  # ours
    state = battle(
        FIELD,
        "greeks spears D5 n as=ann",
        "greeks heavy_cavalry C5 ne as=amy",
        "persians peltast D4 s as=bob",
    )
    both = play(melee(state), "attack bob", "with ann", "with amy")
    assert not isinstance(both.first_pending, RetreatQuestion)


def test_it_goes_two_squares_away() -> None:
    state = charged("spears", "peltast")
    assert names_of(state, squares_of(retreats(state))) == "B2 C2 D2 E2 F2"
    corner = battle(FIELD, "greeks spears C5 ne as=ann", "persians peltast D4 s as=bob")
    state = play(melee(corner), "attack bob")
    assert names_of(state, squares_of(retreats(state))) == "B2 C2 D2 E2 F2 F3 F4 F5 F6"


def test_it_does_not_enter_zones_or_end_on_a_friend() -> None:
    far = charged("spears", "peltast", "greeks spears F1 e as=amy", "persians psiloi C2 s as=ben")
    found = names_of(far, squares_of(retreats(far)))
    assert found == "B2 D2 E2"  # F2 is in amy's zone, C2 is taken


def test_it_passes_through_friends_and_not_through_closed_ground() -> None:
    friends = [f"persians psiloi {at} s as=at_{at.lower()}" for at in ("C3", "D3", "E3")]
    state = charged("spears", "peltast", *friends)
    assert names_of(state, squares_of(retreats(state))) == "B2 C2 D2 E2 F2"
    pieces = ("greeks spears D5 n as=ann", "persians peltast D4 s as=bob")
    sea = battle("....... ....... ===.=== ....... ....... ....... .......", *pieces)
    state = play(melee(sea), "attack bob")
    assert names_of(state, squares_of(retreats(state))) == "C2 D2 E2"


def test_who_cannot_retreat_is_not_asked() -> None:
    pieces = ("greeks spears D5 n as=ann", "persians peltast D4 s as=bob")
    shut = battle("....... ....... ======= ....... ....... ....... .......", *pieces)
    assert not isinstance(play(melee(shut), "attack bob").first_pending, RetreatQuestion)


def test_it_is_disrupted_and_faces_away_and_the_attacker_advances() -> None:  # 9.4.2, 9.4.9
    state = charged("spears", "peltast", "persians leader datis D4 1-6-3/white")
    assert "retreat C2" in choices(state)
    state = play(state, "retreat C2")
    bob = state.units[1]
    assert bob.square == square(state, "C2")
    assert bob.facing == 3  # straight on first, then to the north-west
    assert bob.disrupted
    assert state.leaders[0].square == bob.square
    assert choices(state) == ["advance nw", "advance n", "advance ne"]
    state = play(state, "advance n")
    assert state.units[0].square == square(state, "D4")
    assert not state.units[0].marker
    assert state.combat is None


def test_who_stands_fights() -> None:
    state = play(charged("spears", "peltast"), "stand")
    assert state.units[1].square == square(state, "D4")
    assert state.combat is not None


LEADS = {
    "ahead": ("D5 n", "C5 ne", "D3 s"),
    "front": ("C5 ne", "E5 nw", "D3 s"),
    "rear": ("C4 e", "D3 s"),
}


@pytest.mark.parametrize(("where", "able"), [("ahead", [0]), ("front", [0, 1]), ("rear", [0, 1])])
def test_the_lead_is_before_the_target_if_anybody_is(where: str, able: list[int]) -> None:
    units = [f"greeks spears {at} as=unit{n}" for n, at in enumerate(LEADS[where])]
    state = battle(
        FIELD, *units, "persians spears D4 s as=bob disrupted", "greeks leader leo A1 1-6-3/red"
    )
    state = play(melee(state), "attack bob", *(f"with unit{n}" for n in range(len(units))))
    if len(able) > 1:
        assert choices(state) == [f"lead unit{n}" for n in able]
        state = play(state, f"lead unit{able[-1]}")
    assert state.combat is not None
    assert state.combat.lead == able[-1]


def test_the_lead_advances_after_a_retreat() -> None:
    units = ("greeks spears C5 ne as=ann", "greeks spears E5 nw as=amy")
    state = battle(FIELD, *units, "persians peltast D4 s as=bob")
    state = play(melee(state), "attack bob", "with ann", "with amy", "retreat D2")
    assert choices(state) == ["lead ann", "lead amy"]
    state = play(state, "lead amy", "advance nw")
    assert state.units[2].square == square(state, "D2")
    assert state.units[1].square == square(state, "D4")
