"""Gear: the tables of BOW A.2, and what can be used together."""

import pytest

from brickphys.bow.sheets import gear
from brickphys.bow.sheets.catalogue import catalogue

GEAR = catalogue().gear
MELEE, LONG = gear.WeaponKind.MELEE, gear.WeaponKind.LONG_RANGE

DAMAGE = {  # BOW A.2, all of it
    1: ("knife", "little_hammer", "spear", "stick"),
    2: ("mace", "sword", "bow", "crossbow", "gun", "blaster"),
    3: ("submachine_gun", "flamethrower", "grenade"),
    4: ("rocket_launcher", "bomb", "dynamite", "light_saber"),
}
ARMOR = {  # BOW A.2, all of it
    1: ("helmet", "shield", "coat_of_mail", "body_armor", "bulletproof_vest"),
    2: ("suit_of_armor",),
}
REACH = {
    "knife": 1,
    "little_hammer": 1,
    "sword": 2,
    "mace": 2,
    "light_saber": 2,
    "spear": 3,
    "polearm": 3,
}


def held(*names: str) -> list:
    return [GEAR[name] for name in names]


@pytest.mark.parametrize(("damage", "names"), DAMAGE.items())
def test_weapons_have_the_damage_of_the_table(damage, names):
    """BOW A.2."""
    assert {name: GEAR[name].damage for name in names} == dict.fromkeys(names, damage)


def test_vehicle_weapons_have_the_damage_of_the_table():
    """BOW A.2: little 3, big 4, and every other is one of the two."""
    weapons = catalogue().vehicle_weapons
    assert weapons["little_vehicle_weapon"].damage == 3
    assert weapons["big_vehicle_weapon"].damage == 4
    assert {weapon.damage for weapon in weapons.values()} == {3, 4}


@pytest.mark.parametrize(("armor", "names"), ARMOR.items())
def test_armor_has_the_value_of_the_table(armor, names):
    """BOW A.2."""
    assert {name: GEAR[name].armor for name in names} == dict.fromkeys(names, armor)


def test_only_the_polearm_is_not_in_the_tables():
    weapons = {name for name, item in GEAR.items() if isinstance(item, gear.HandWeapon)}
    assert weapons - {name for names in DAMAGE.values() for name in names} == {"polearm"}
    armor = {name for name, item in GEAR.items() if isinstance(item, gear.Armor)}
    assert armor == {name for names in ARMOR.values() for name in names}


@pytest.mark.parametrize(("name", "reach"), REACH.items())
def test_reach_of_melee_weapons(name, reach):
    """BOW 2.4.2: the weapon must touch; in studs it is ours."""
    assert (GEAR[name].kind, GEAR[name].reach_studs) == (MELEE, reach)


@pytest.mark.parametrize("name", ["bow", "crossbow", "rocket_launcher"])
def test_weapons_of_two_hands_have_no_second(name):
    """BOW A.2."""
    assert GEAR[name].hands == 2
    assert not GEAR[name].paired


@pytest.mark.parametrize(
    ("names", "ways"),
    [
        ((), [((), MELEE, 0, 1)]),
        (("sword",), [(("sword",), MELEE, 2, 2)]),
        (("sword", "shield"), [(("sword",), MELEE, 2, 2)]),
        (("sword", "sword"), [(("sword", "sword"), MELEE, 4, 2)]),
        (("gun", "gun"), [(("gun", "gun"), LONG, 4, 0)]),
        (("blaster", "gun"), [(("blaster", "gun"), LONG, 4, 0)]),
        # both must touch, so that the longer alone reaches farther
        (("knife", "sword"), [(("knife", "sword"), MELEE, 3, 1), (("sword",), MELEE, 2, 2)]),
        # of two kinds: not together
        (("gun", "sword"), [(("sword",), MELEE, 2, 2), (("gun",), LONG, 2, 0)]),
        # a spear is no half of a pair
        (("knife", "spear"), [(("spear",), MELEE, 1, 3), (("knife",), MELEE, 1, 1)]),
        # only an object in the basic rules (BOW 2.3.2)
        (("grenade",), [((), MELEE, 0, 1)]),
        (("grenade", "knife"), [(("knife",), MELEE, 1, 1)]),
        (("wand",), [((), MELEE, 0, 1)]),
    ],
)
def test_ways_to_attack(names, ways):
    """BOW A.2: two weapons that go together add up."""
    found = gear.armaments(held(*names))
    shown = [
        (tuple(weapon.name for weapon in way.weapons), way.kind, way.damage, way.reach_studs)
        for way in found
    ]
    assert shown == ways


@pytest.mark.parametrize(
    ("item", "fault"),
    [
        (gear.HandWeapon(name="hands", damage=1, kind=LONG), "name: hands is reserved"),
        (gear.HandWeapon(name="pea", damage=0, kind=LONG), "damage: 0"),
        (gear.HandWeapon(name="whip", damage=1, kind=MELEE), "reach_studs: 0 of a melee weapon"),
        (
            gear.HandWeapon(name="sling", damage=1, kind=LONG, reach_studs=2),
            "reach_studs: 2 of a long_range",
        ),
        (
            gear.HandWeapon(name="pike", damage=1, kind=MELEE, reach_studs=3, hands=2, paired=True),
            "paired",
        ),
        (gear.HandWeapon(name="ram", damage=1, kind=MELEE, reach_studs=3, hands=3), "hands: 3"),
        (gear.Tool(name="air", hands=0), "hands: 0 is neither 1 nor 2"),
        (gear.Armor(name="wig", armor=0, place=gear.ArmorPlace.HEAD), "armor: 0 is less than 1"),
        (gear.Armor(name="bell", armor=1, place=gear.ArmorPlace.HEAD, hands=3), "hands: 3"),
        (gear.Bag(name="sock", holds=0), "holds: 0 is less than 1"),
        (gear.Bag(name="trunk", holds=1, hands=3), "hands: 3"),
    ],
)
def test_faults_of_gear(item, fault):
    assert any(found.startswith(fault) for found in item.problems())


def test_the_least_gear_has_no_fault():
    found = [
        gear.HandWeapon(name="pea", damage=1, kind=LONG, paired=True),
        gear.HandWeapon(name="pin", damage=1, kind=MELEE, reach_studs=1),
        gear.Armor(name="cap", armor=1, place=gear.ArmorPlace.HEAD),
        gear.Bag(name="purse", holds=1),
        gear.Tool(name="ladder", hands=2),
    ]
    assert [fault for item in found for fault in item.problems()] == []


def test_of_equal_damage_the_longer_reach_comes_first():
    short, long = (
        gear.HandWeapon(name=name, damage=2, kind=MELEE, reach_studs=reach)
        for name, reach in (("a", 1), ("b", 3))
    )
    assert [way.weapons for way in gear.armaments([short, long])] == [(long,), (short,)]
