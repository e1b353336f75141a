"""Cost points (BOW A.4) and the army_totals of armies (BOW 1.4.3)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.sheets.catalogue import catalogue, unit, vehicle
from brickphys.bow.sheets.gear import Loadout
from brickphys.bow.sheets.library import Army, army_cost, army_totals, minifig_cost, vehicle_cost
from brickphys.bow.sheets.sheet import Seat, VehicleWeapon
from tests.bow.strategies import sheets

GEAR = catalogue().gear


def armed(*names: str, **places: list[str]):
    back = tuple(GEAR[name] for name in places.get("back", []))
    held = tuple(GEAR[name] for name in names)
    return replace(unit("basic_trooper"), gear=Loadout(held=held, back=back))


WORKED = {  # by hand: 2 + 5 + 1 + (1 + damage) + 0, times 1 HP, times the damage if long-range
    (): 9,
    ("knife",): 10,
    ("little_hammer",): 10,
    ("spear",): 10,
    ("stick",): 10,
    ("mace",): 11,
    ("sword",): 11,
    ("polearm",): 11,
    ("light_saber",): 13,
    ("bow",): 22,
    ("crossbow",): 22,
    ("gun",): 22,
    ("blaster",): 22,
    ("submachine_gun",): 36,
    ("flamethrower",): 36,
    ("rocket_launcher",): 52,
    # no attack in the basic rules
    ("grenade",): 9,
    ("bomb",): 9,
    ("dynamite",): 9,
    # together
    ("knife", "knife"): 11,
    ("sword", "sword"): 13,
    ("knife", "sword"): 12,
    ("gun", "gun"): 52,
    # both kinds: the dearer
    ("gun", "sword"): 22,
    # shield: one more armor
    ("sword", "shield"): 12,
    ("gun", "shield"): 24,
}


@pytest.mark.parametrize(("names", "points"), WORKED.items(), ids=str)
def test_the_basic_trooper_with_each_weapon(names, points):
    """BOW A.4."""
    assert minifig_cost(armed(*names)) == points


def test_every_weapon_was_worked_out():
    weapons = {name for name, item in GEAR.items() if hasattr(item, "damage")}
    assert weapons == {names[0] for names in WORKED if len(names) == 1}


def test_a_weapon_in_reserve_counts_if_it_is_dearer():
    """BOW A.4, ours: of both kinds the dearer."""
    assert minifig_cost(armed("sword", back=["bow"])) == 22
    assert minifig_cost(armed("bow", back=["sword"])) == 22
    assert minifig_cost(armed("knife", back=["sword"])) == 11


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("trooper", 12),  # 2 + 5 + 3 + 2
        ("knight", 30),  # (2 + 4 + 5 + 4) x 2
        ("medic", 14),  # 2 + 5 + 2 + 2 + 3
        ("rocketeer", 56),  # (2 + 5 + 2 + 5) x 4
        ("jedi", 100),  # (3 + 6 + 4 + 6 + 2 + magic 4) x 4
    ],
)
def test_worked_units(name, points):
    assert minifig_cost(unit(name)) == points


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("horse", 18),  # (3 x 5 + 3 + 0) x 1
        ("jeep", 48),  # (4 x 5 + 4 + 0) x 2
        ("truck", 50),  # (4 x 5 + 5 + 0) x 2
        ("tank", 44),  # (2 x 5 + 5 + 3 + 4) x 2
        ("snowspeeder", 100),  # (8 x 5 + 4 + 3 + 3) x 2
        ("catapult", 24),  # (1 x 5 + 3 + 4) x 2
    ],
)
def test_worked_vehicles(name, points):
    """BOW A.4, with the brackets of the printed book: the health multiplies the whole sum."""
    assert vehicle_cost(vehicle(name)) == points


@pytest.mark.parametrize(
    "name", ["action_budget", "move", "dodge", "attack", "health", "treat", "repair"]
)
@given(sheets())
def test_cost_grows_with_each_ability(name, sheet):
    better = replace(sheet, **{name: getattr(sheet, name) + 1})
    assert minifig_cost(better) > minifig_cost(sheet)


@given(sheets())
def test_cost_grows_with_a_new_ability(sheet):
    """BOW B.3, ours: it counts like the others."""
    better = replace(sheet, custom=(("magic", sheet.ability("magic") + 1),))
    assert minifig_cost(better) > minifig_cost(sheet)


@given(sheets())
def test_cost_is_a_multiple_of_health(sheet):
    assert minifig_cost(sheet) == sheet.health * minifig_cost(replace(sheet, health=1))


@pytest.mark.parametrize("name", ["speed", "armor", "health"])
@given(sheet=st.sampled_from(list(catalogue().vehicles.values())))
def test_cost_grows_with_each_characteristic(name, sheet):
    better = replace(sheet, **{name: getattr(sheet, name) + 1})
    assert vehicle_cost(better) > vehicle_cost(sheet)


@given(st.sampled_from(list(catalogue().vehicles.values())), st.integers(1, 6))
def test_all_weapons_of_a_vehicle_cost(sheet, damage):
    """BOW A.4."""
    seat = Seat("extra", weapon=VehicleWeapon("extra", damage))
    more = replace(sheet, seats=(*sheet.seats, seat))
    assert vehicle_cost(more) - vehicle_cost(sheet) == damage * sheet.health


def test_armies_are_the_sum_of_their_sheets():
    """BOW 1.4.3."""
    reds = Army("reds", (unit("trooper"),) * 5 + (unit("driver"),), (vehicle("jeep"),))
    assert army_cost(reds) == 5 * 12 + 26 + 48


def test_balance_of_armies():
    """BOW 1.4.3: minifigs, vehicles and cost points side by side."""
    reds = Army("reds", (unit("trooper"),) * 5)
    blues = Army("blues", (unit("driver"),), (vehicle("jeep"),))
    first, second = army_totals([reds, blues])
    assert (first.counts, first.cost_points) == ({"minifigs": 5, "vehicles": 0}, 60)
    assert (second.counts, second.cost_points) == ({"minifigs": 1, "vehicles": 1}, 74)
    assert (first.share, second.share) == (Fraction(30, 37), 1)


def test_balance_of_no_army():
    assert army_totals([]) == ()


def test_an_army_that_costs_nothing_is_as_strong_as_another():
    """Ours: shares of nothing are whole."""
    first, second = army_totals([Army("reds", ()), Army("blues", ())])
    assert (first.cost_points, first.share, second.share) == (0, 1, 1)
