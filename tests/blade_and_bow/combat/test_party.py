"""Who attacks whom, in melee (BB 9.1, 9.4.1, 12) and with missiles (BB 8.1 to 8.6)."""

import pytest

from brickphys.blade_and_bow.combat.attack import AttackUnit, With, targets
from brickphys.blade_and_bow.pieces import Stage
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACING_NAMES
from tests.blade_and_bow.battle import battle
from tests.blade_and_bow.fight import choices, melee, play, volley

FIELD = "....... ....... ....... ....... ......."


def names(state: State) -> dict[str, set[str]]:
    """Return the targets, and who can attack them, by name."""
    specs = state.setting.units
    return {
        "camp" if target is None else specs[target].name: {specs[unit].name for unit in able}
        for target, able in targets(state).items()
    }


def test_targets_are_in_front_squares() -> None:  # 9.4.1
    foes = [f"persians spears {at} s as=at_{at.lower()}" for at in ("C2", "E2", "C3", "D4", "A1")]
    state = melee(battle(FIELD, "greeks spears D3 n", *foes))
    assert names(state) == {"at_c2": {"spears"}, "at_e2": {"spears"}}


def test_who_has_an_enemy_straight_ahead_attacks_only_that() -> None:  # 9.1
    state = battle(
        FIELD,
        "greeks spears D3 n as=ann",
        "greeks spears E3 n as=amy",
        "persians spears D2 s as=bob",
        "persians spears C2 s as=ben",
    )
    assert names(melee(state)) == {"bob": {"ann", "amy"}}
    assert names(melee(state.change_unit(0, facing=3))) == {"bob": {"amy"}, "ben": {"ann"}}


def test_the_disrupted_do_not_attack() -> None:  # 10.2
    state = battle(FIELD, "greeks spears D3 n disrupted", "persians spears D2 s as=bob")
    assert names(melee(state)) == {}


def test_nobody_fights_across_a_wall() -> None:  # ours
    pieces = ("greeks spears D3 n", "persians spears D2 s as=bob")
    assert names(melee(battle(FIELD, *pieces))) == {"bob": {"spears"}}
    assert names(melee(battle(FIELD, *pieces, walls=("D2 D3",)))) == {}


def test_a_camp_is_attacked_after_its_unit() -> None:  # 12
    pieces = ("greeks spears D3 n", "persians camp D2")
    alone = melee(battle(FIELD, *pieces))
    assert choices(alone) == ["attack camp_persians"]
    assert names(melee(battle(FIELD, *pieces, "persians psiloi D2 s"))) == {"psiloi": {"spears"}}
    sacked = battle(FIELD, *pieces, sacked=(False, True))
    assert choices(melee(sacked)) == []
    own = battle(FIELD, "greeks spears D3 n", "greeks camp D2", "persians spears A1 s as=bob")
    assert choices(melee(own)) == []


def test_the_only_attacker_attacks_at_once_and_all_who_have_joined_do() -> None:
    two = battle(
        FIELD,
        "greeks spears D3 n as=ann",
        "greeks spears E3 nw as=amy",
        "persians spears D2 s as=bob",
    )
    state = play(melee(two, "ann"), "attack bob")
    assert state.combat is not None
    assert state.combat.stage is not Stage.PARTY
    state = play(melee(two), "attack bob")
    assert choices(state) == ["with ann", "with amy"]
    state = play(state, "with amy")
    assert choices(state) == ["with ann", "charge"]
    both = play(state, "with ann")
    alone = play(state, "charge")
    for after, units in ((both, (1, 0)), (alone, (1,))):
        assert after.combat is not None
        assert after.combat.units == units
        assert after.combat.stage is not Stage.PARTY


def test_faults_name_the_choice_and_the_section() -> None:
    state = melee(battle(FIELD, "greeks spears D3 n", "persians spears D2 s as=bob"))
    (fault,) = AttackUnit("bib").problems(state)
    assert "bib" in fault
    assert "bob" in fault
    assert "9.1" in fault
    two = melee(
        battle(FIELD, "greeks spears D3 n", "greeks spears E3 nw", "persians spears D2 s as=bob")
    )
    (fault,) = With("bob").problems(play(two, "attack bob"))
    assert "bob belongs to persians" in fault


@pytest.mark.parametrize(
    ("enemy", "attack", "against", "struck"),
    [
        ("spears D2 s as=bob", "attack bob", (0, 2, 0), (2,)),  # 9.1, 8.6
        ("camp D2", "attack camp_persians", (0, 0, 3), ()),  # 9.1, 12
    ],
)
def test_an_enemy_is_attacked_once_in_an_action(enemy, attack, against, struck) -> None:
    state = battle(
        FIELD,
        "greeks spears D3 n as=ann",
        "greeks spears E3 nw as=amy",
        f"persians {enemy}",
        "greeks leader leonidas D3 1-6-3/red",
    )
    state = play(melee(state), attack, "with ann", "charge", (0, 2, 0), against, "enough")
    assert state.combat is None
    assert not any(state.sacked)
    assert state.activation is not None
    assert state.activation.struck == struck
    assert state.activation.waiting == (1,)
    assert choices(state) == []


def shooters(*pieces: str, ground: str = FIELD) -> State:
    return volley(battle(ground, *pieces))


def test_range_is_in_directional_points() -> None:  # 8.2, 3.1.3
    foes = [f"persians spears {at} s as=at_{at.lower()}" for at in ("D2", "F3", "F2", "G3", "G1")]
    state = shooters("greeks psiloi D4 n", *foes)  # range 6
    assert set(names(state)) == {"at_d2", "at_f3", "at_f2"}  # 4, 5, 6 points; G3 7, G1 9


def test_nobody_shoots_from_an_enemy_zone() -> None:  # 8.1
    pieces = ("greeks archers D4 n", "persians spears D1 s as=bob")
    assert set(names(shooters(*pieces))) == {"bob"}
    assert not names(shooters(*pieces, "persians psiloi D3 s as=near"))
    assert set(names(shooters(*pieces, "persians psiloi E4 e as=near"))) == {"near", "bob"}


def test_sight_is_needed() -> None:  # 8.3
    pieces = ("greeks archers D4 n", "persians spears D1 s as=bob")
    ground = '....... ....... ..."... ....... .......'
    assert not names(shooters(*pieces, ground=ground))


def test_only_who_has_missiles_and_is_in_good_order_shoots() -> None:
    state = shooters(
        "greeks spears C4 n", "greeks archers D4 n disrupted", "persians spears D1 s as=bob"
    )
    assert not names(state)


def test_a_camp_is_not_shot_at() -> None:  # 12
    assert not names(shooters("greeks archers D4 n", "persians camp D1"))


@pytest.mark.parametrize(
    ("facing", "turns"),
    [
        ("n", {"": 0}),
        ("ne", {"": 0}),
        ("se", {"e": 1, "ne": 2, "n": 3}),
        ("sw", {"e": 3, "n": 3, "ne": 4}),
    ],
)
def test_turning_counts_and_stays(facing: str, turns: dict[str, int]) -> None:  # 8.4
    """Who must turn may choose any facing with the target in the arc; each direction is a die for the target."""
    pieces = (f"greeks archers B4 {facing}", f"greeks psiloi C4 {facing}", "persians spears D2 s")
    state = play(shooters(*pieces), "aim spears", "with archers", "loose")
    if turns == {"": 0}:
        check_turned(state, facing, 0, facing)
        return
    assert state.fight.turned == min(turns.values())
    assert choices(state) == [f"face {one}" for one in sorted(turns, key=lambda one: turns[one])]
    for after, turned in turns.items():
        check_turned(play(state, f"face {after}"), facing, turned, after)


def check_turned(state: State, facing: str, turned: int, after: str) -> None:
    assert state.fight.turned == turned
    assert state.pending[1].event(state).dice == turned + 2  # type: ignore[attr-defined]
    assert FACING_NAMES[state.units[0].facing] == after
    assert FACING_NAMES[state.units[1].facing] == facing  # who does not shoot does not turn


def test_who_has_a_shield_wall_does_not_turn_to_shoot() -> None:  # 13.2
    foe = "persians spears D1 s"
    assert set(names(shooters("greeks archers D4 nw wall", foe))) == {"spears"}
    assert not names(shooters("greeks archers D4 w wall", foe))
    assert set(names(shooters("greeks archers D4 w", foe))) == {"spears"}


def test_turns_of_all_shooters_add_up() -> None:
    pieces = ("greeks archers C4 e as=ann", "greeks archers D4 w as=amy", "persians spears D1 s")
    state = play(shooters(*pieces), "aim spears", "with ann", "with amy")
    assert state.fight.turned == 1 + 1
    state = play(state, "face ne", "face nw")
    assert state.fight.turned == 1 + 1
    assert state.pending[0].event(state).dice == 2 + 2  # type: ignore[attr-defined]
    assert [FACING_NAMES[one.facing] for one in state.units[:2]] == ["ne", "nw"]
