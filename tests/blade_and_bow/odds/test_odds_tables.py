"""The tables of ``odds blade_and_bow``: what each argument changes, and its bounds."""

from collections.abc import Callable
from typing import Any

import pytest

from brickphys.blade_and_bow import dice_law
from brickphys.blade_and_bow.odds import (
    MOST_POINTS,
    MOST_RIGHTS,
    commit,
    dice,
    fighter,
    lacking,
    melee,
    missile,
    party,
    stage,
)
from brickphys.blade_and_bow.sheets import Density
from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution
from brickphys.rules.report.parts import OddsReport, distribution


def of_sides(
    own: dice_law.DiceSide, other: dice_law.DiceSide, stakes: dice_law.Stakes
) -> list[Distribution]:
    """Return the laws of the hits on the target and on the attackers."""
    law = dice_law.clash(own, other, stakes)
    counts: list[dict[int, int]] = [{}, {}]
    for hits, weight in law.items():
        for side, number in enumerate(hits):
            counts[side][number] = counts[side].get(number, 0) + weight
    return [Distribution.from_counts(one) for one in counts]


def two_laws(report: OddsReport) -> list[Distribution]:
    return list(report.laws.values())[:2]


@pytest.mark.parametrize(
    ("cards", "own", "other"),
    [
        ({}, dice_law.DiceSide(2, rerolls=1), dice_law.DiceSide(2)),
        ({"attack_dice": 2}, dice_law.DiceSide(4, rerolls=1), dice_law.DiceSide(2)),
        ({"attack_dice": 8}, dice_law.DiceSide(8, rerolls=1), dice_law.DiceSide(2)),
        ({"defence_dice": 1}, dice_law.DiceSide(2, rerolls=1), dice_law.DiceSide(3)),
        ({"attack_rerolls": 2}, dice_law.DiceSide(2, rerolls=3), dice_law.DiceSide(2)),
        ({"defence_rerolls": 1}, dice_law.DiceSide(2, rerolls=1), dice_law.DiceSide(2, rerolls=1)),
    ],
)
def test_cards_add_dice_and_rights_to_their_side(
    cards: dict[str, int], own: dice_law.DiceSide, other: dice_law.DiceSide
) -> None:
    stakes = dice_law.combat_stakes(stage(fighter("spears"), party("spears")))
    assert two_laws(melee("spears", "spears", **cards)) == of_sides(own, other, stakes)


def test_the_lead_takes_the_odd_hit_of_those_on_the_attackers() -> None:
    """BB 9.4.4.4; who attacks from the rear takes none, and leaves the lead with all."""
    for attackers, count in (("2*spears", 2), ("spears+spears,rear", 1)):
        report = melee(attackers, "hoplite,ranks=4")
        hits = report.laws["hits on the attackers"]
        of_lead: dict[int, Any] = {}
        for number, chance in hits.items():
            share = -(-number // count)
            of_lead[share] = of_lead.get(share, 0) + chance
        expected, _ = dice_law.fates(
            "lead", dice_law.UnitCondition(Density.OPEN), distribution(of_lead.items())
        )
        assert {name: report.chances[name] for name in expected} == expected


def test_morale_of_either_army_is_that_of_its_own_unit() -> None:
    deep = "spears", "hoplite,ranks=4"
    base, better = melee(*deep), melee(*deep, attacker_morale=5)
    assert better.chances["the lead routs"] < base.chances["the lead routs"]
    many = "3*spears", "spears"
    base, firmer = melee(*many), melee(*many, target_morale=5)
    assert firmer.chances["the target routs"] < base.chances["the target routs"]
    shot, firm = missile("3*archers", "psiloi"), missile("3*archers", "psiloi", target_morale=5)
    assert firm.chances["the target routs"] < shot.chances["the target routs"]
    assert firm.laws["hits"] == shot.laws["hits"]


@pytest.mark.parametrize(
    ("words", "changes", "rolls"),
    [
        (("spears", "spears"), {}, "2 dice, failing from 4"),
        (("spears,left", "hoplite"), {}, "2 dice, failing from 4"),
        (("spears", "spears"), {"morale": 5}, "2 dice, failing from 6"),
        (("spears", "spears"), {"lost_camp": True}, "2 dice, failing from 3"),
        (("spears,near", "spears"), {}, "2 dice, failing from 5"),
        (("spears,beside", "spears"), {}, "2 dice, failing from 6"),
        (("spears,beside,wall", "spears"), {}, "no roll is needed (BB 9.4.3)"),
        (("spears", "spears"), {"morale": 1, "lost_camp": True}, "2 dice, failing from 1"),
        (("spears,leader", "spears"), {}, "no roll is needed (BB 9.4.3)"),
        (("spears,rear", "spears"), {}, "no roll is needed (BB 9.4.3)"),
        (("spears", "hoplite,disrupted"), {}, "no roll is needed (BB 9.4.3)"),
    ],
)
def test_commitment_by_its_dice_and_the_face_that_fails(
    words: tuple[str, str], changes: dict[str, Any], rolls: str
) -> None:
    """The law is that of the points that such dice lack."""
    report = commit(*words, points=3, **changes)
    assert report.title.endswith(f": {rolls}")
    law = report.laws["points that it lacks"]
    if "no roll" in rolls:
        assert dict(law) == {0: 1}
        return
    count, least = int(rolls[0]), int(rolls[-1])
    assert law == lacking(count, least)
    assert report.chances["it attacks without points"] == law.probability(0)
    enough = sum(chance for lack, chance in law.items() if lack <= 3)
    assert report.chances["it attacks with 3 points"] == enough


def test_dice_by_numbers_are_those_of_the_sides() -> None:
    report = dice(3, 2, 1, 3, 3, 1, attack_rerolls=2, defence_rerolls=1)
    laws = of_sides(dice_law.DiceSide(3, 1, 3, 2), dice_law.DiceSide(2, 3, 1, 1), dice_law.EACH_HIT)
    assert two_laws(report) == laws
    assert report.title == (
        "3 dice (1 face to hit, 3 to cancel, 2 re-rolls) against "
        "2 dice (3 faces to hit, 1 to cancel, 1 re-roll)"
    )
    hit, back = (1 - law.probability(0) for law in laws)
    assert report.chances == {"the target is hit": hit, "an attacker is hit": back}
    bare = "1 die (2 faces to hit, 2 to cancel, 1 re-roll) against 0 dice (2 faces to hit, 2 to cancel)"
    assert dice(1, 0, defence_rerolls=2).title == bare


BOUNDS: list[tuple[Callable[..., OddsReport], tuple[Any, ...], str, int, int, str]] = [
    (dice, (), "attack", 1, 8, "attack: dice"),
    (dice, (1,), "defence", 0, 8, "defence: dice"),
    (dice, (1, 0), "attack_hits", 0, 4, "attack: faces that are cancellations"),
    (dice, (1, 0), "attack_cancels", 0, 4, "attack: faces that are cancellations"),
    (dice, (1, 1), "defence_hits", 0, 4, "defence: faces that are cancellations"),
    (dice, (1, 1), "defence_cancels", 0, 4, "defence: faces that are cancellations"),
    (dice, (1, 0), "attack_rerolls", 0, MOST_RIGHTS, "attack: re-rolls"),
    (dice, (1, 1), "defence_rerolls", 0, MOST_RIGHTS, "defence: re-rolls"),
    (melee, ("psiloi", "psiloi"), "attack_dice", 0, 8, "attack: dice of cards"),
    (melee, ("psiloi", "psiloi"), "defence_dice", 0, 8, "defence: dice of cards"),
    (melee, ("psiloi", "psiloi"), "attack_rerolls", 0, MOST_RIGHTS - 1, "attack: re-rolls"),
    (melee, ("psiloi", "psiloi"), "defence_rerolls", 0, MOST_RIGHTS, "defence: re-rolls of cards"),
    (melee, ("psiloi", "psiloi"), "attacker_morale", 1, 5, "morale"),
    (melee, ("psiloi", "psiloi"), "target_morale", 1, 5, "morale"),
    (missile, ("psiloi", "psiloi"), "turned", 0, 12, "turned"),
    (missile, ("psiloi", "psiloi"), "target_morale", 1, 5, "morale"),
    (commit, ("psiloi", "psiloi"), "points", 0, MOST_POINTS, "points"),
    (commit, ("psiloi", "psiloi"), "morale", 1, 5, "morale"),
]


@pytest.mark.parametrize(("table", "given", "key", "least", "most", "fault"), BOUNDS)
def test_arguments_have_bounds(
    table: Callable[..., OddsReport],
    given: tuple[Any, ...],
    key: str,
    least: int,
    most: int,
    fault: str,
) -> None:
    extra = {"defence": 0} if key == "attack" else {}
    for number in (least, most):
        assert table(*given, **extra, **{key: number}).chances
    for number in (least - 1, most + 1):
        with pytest.raises(InvalidValueError) as error:
            table(*given, **extra, **{key: number})
        assert f"{number} is outside" in str(error.value) or fault in str(error.value)


@pytest.mark.parametrize("shooter", ["archers,disrupted", "spears", "archers+spears"])
def test_who_is_disrupted_or_has_no_missiles_does_not_shoot(shooter: str) -> None:
    with pytest.raises(InvalidValueError, match=r"cannot shoot \(BB 3\.5, 8\.0\)"):
        missile(shooter, "spears")
