"""Sheet files: what one can write, and every fault with its place."""

import copy
import tomllib

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.bow.sheets.catalogue import catalogue, parse_library, read_library, unit
from brickphys.bow.sheets.library import minifig_cost, vehicle_cost
from brickphys.bow.sheets.sheet import HealthColour
from brickphys.errors import SheetFileError
from brickphys.vehicles.sectors import Sector
from tests.cases import examples


def read(text: str):
    return parse_library(text, "mine.toml", catalogue())


def faults(text: str) -> list[str]:
    with pytest.raises(SheetFileError) as caught:
        read(text)
    name, _, told = str(caught.value).partition(": ")
    assert name == "mine.toml"
    return told.split("; ")


WHOLE = """
[[weapon]]
name = "whip"
damage = 1
kind = "melee"
reach_studs = 4

[[vehicle_weapon]]
name = "ballista"
damage = 4
shots_per_turn = 1

[[opposed_action]]
name = "scare"
colour = "orange"
acting = "dread"
resisting = "courage"
target = "enemy"
range_studs = 10
effect = { kind = "hold", points = 1 }

[[unit]]
name = "tamer"
base = "trooper"
attack = 2
custom = { dread = 3 }
held = ["whip"]

[[unit]]
name = "robot_tamer"
base = "tamer"
health_colour = "yellow"

[[vehicle]]
name = "war_cart"
speed = 2
armor = 4
health = 3
length_studs = 8.0
width_studs = 4.0
bottom_plates = 0.0
top_plates = 9.0
doors = ["rear"]
seat = [
    { name = "driver", pilot = true, exposed = true },
    { name = "gunner", weapon = "ballista", axis_deg = 90.0, arc_deg = 360 },
]

[[army]]
name = "circus"
units = { tamer = 2, trooper = 1 }
vehicles = { war_cart = 1 }
boarded = [{ unit = "tamer", vehicle = "war_cart", seat = "driver" }]
"""


def test_a_whole_file():
    library = read(WHOLE)
    tamer, robot = library.units.values()
    assert (tamer.attack_damage, tamer.dodge_armor, tamer.ability("dread")) == (3, 2, 3)
    assert tamer.gear.worn == unit("trooper").gear.worn
    assert robot.health_colour is HealthColour.YELLOW
    assert robot.gear == tamer.gear
    assert minifig_cost(tamer) == 2 + 5 + 2 + 3 + 3
    (cart,) = library.vehicles.values()
    assert vehicle_cost(cart) == (10 + 4 + 4) * 3
    assert cart.doors == (Sector.REAR,)
    weapon = cart.seat("gunner").weapon
    assert (weapon.arc_deg, weapon.axis_deg, weapon.shots_per_turn) == (360, 90, 1)
    (army,) = library.armies.values()
    assert [sheet.name for sheet in army.minifigs] == ["tamer", "tamer", "trooper"]
    assert "scare" in library.actions
    assert "firebolt" in library.actions


def test_what_a_base_is_about_is_not_what_its_heir_is():
    library = parse_library('[[unit]]\nname = "brute"\nbase = "knight"\n', "x", catalogue())
    assert catalogue().units["knight"].about
    assert library.units["brute"].about == ""


def test_a_model_gives_the_size_and_what_is_written_wins():
    base = '[[vehicle]]\nname = "mine"\nbase = "horse"\n'
    assert read(base).vehicles["mine"].footprint.length_studs == 6
    assert read(base + 'model = "tank"').vehicles["mine"].footprint.length_studs == 12
    sizes = read(base + 'model = "tank"\nwidth_studs = 3.5').vehicles["mine"].footprint
    assert (sizes.length_studs, sizes.width_studs) == (12, 3.5)


UNIT = '[[unit]]\nname = "me"\nbase = "trooper"\n'
CAR = '[[vehicle]]\nname = "car"\nbase = "jeep"\n'
ARMY = '[[army]]\nname = "mine"\nunits = { trooper = 1, driver = 1 }\nvehicles = { jeep = 1 }\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        # form
        ("[[unit]", "not TOML"),
        ("[[unti]]", "unti: unknown key, did you mean 'unit'?"),
        (UNIT + "mvoe = 3", "unit[0].mvoe: unknown key, did you mean 'move'?"),
        (UNIT + "move = 3.0", "unit[0].move: 3.0 should be a valid integer"),
        (UNIT + "move = -3", "unit[0].move: -3 should be greater than or equal to 0"),
        (
            UNIT + 'health_colour = "green"',
            "unit[0].health_colour: 'green' is not one of red, yellow",
        ),
        ('[[unit]]\nbase = "trooper"', "unit[0].name: missing"),
        ('[[unit]]\nname = "Big Boss"\nbase = "trooper"', "unit[0].name: 'Big Boss' is not a name"),
        (CAR + "seat = [{ pilot = true }]", "vehicle[0].seat[0].name: missing"),
        (
            CAR + 'doors = ["roof"]',
            "vehicle[0].doors[0]: 'roof' is not one of front, left, right, rear",
        ),
        # names
        ('[[unit]]\nname = "me"\nbase = "troper"', "unit[0].base: unknown unit 'troper'"),
        (
            '[[unit]]\nname = "trooper"\nbase = "trooper"',
            "unit[0].name: 'trooper' is already taken",
        ),
        ('[[unit]]\nname = "jeep"\nbase = "trooper"', "unit[0].name: 'jeep' is already taken"),
        (
            '[[weapon]]\nname = "sword"\ndamage = 2\nkind = "long_range"',
            "weapon[0].name: 'sword' is already taken",
        ),
        (UNIT + 'held = ["swrod"]', "unit[0].held[0]: unknown gear 'swrod': did you mean 'sword'?"),
        (UNIT + 'held = ["harpoon"]', "unit[0].held[0]: 'harpoon' is a weapon of vehicles"),
        (UNIT + "custom = { magik = 1 }", "unit[0].custom.magik: unknown ability of a new action"),
        (CAR + 'model = "jep"', "vehicle[0].model: unknown thing 'jep': did you mean 'jeep'?"),
        (
            CAR + 'seat = [{ name = "a", pilot = true, weapon = "sword" }]',
            "vehicle[0].seat[0].weapon: unknown vehicle weapon 'sword'",
        ),
        (
            CAR + 'seat = [{ name = "a", pilot = true, arc_deg = 360 }]',
            "vehicle[0].seat[0].arc_deg: the seat has no weapon",
        ),
        (ARMY.replace("trooper", "troper"), "army[0].units.troper: unknown sheet 'troper'"),
        # rules
        (UNIT + "move = 13", "unit[0].move: 13 is more than the 12 studs of Move (BOW 1.4)"),
        (UNIT + "attack = 6", "unit[0].attack_damage: 7 (6 + 1) is more than the 6 studs"),
        (UNIT + 'held = ["bow", "shield"]', "unit[0].held: bow, shield need 3 hands"),
        (UNIT + "custom = { magic = 9 }", "unit[0].custom.magic: 9 is not from 0 to 6"),
        (CAR + "speed = 13", "vehicle[0].speed: 13 is more than the 12 studs of Speed (BOW 1.4)"),
        (CAR + 'seat = [{ name = "bench" }]', "vehicle[0].seat: no pilot's seat"),
        (
            '[[vehicle]]\nname = "car"\nspeed = 1\narmor = 1\nhealth = 1\nmodel = "jeep"',
            "vehicle[0].seat: missing, and there is no base",
        ),
        (
            ARMY + 'boarded = [{ unit = "driver", vehicle = "tank", seat = "driver" }]',
            "army[0].boarded[0].vehicle: seat without vehicle",
        ),
        (
            '[[trivial_action]]\nname = "hit"\ntarget = "enemy"\neffect = { kind = "damage", points = 1 }',
            "trivial_action[0].effect: damage needs an opposed action (BOW B.1)",
        ),
    ],
)
def test_a_fault_and_its_place(text, fault):
    (found,) = faults(text)
    assert found.startswith(fault)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            'acting = "will"\nresisting = "nerve"\ncolour = "blue"',
            "colour: blue marks the line of firebolt",
        ),
        (
            'acting = "magic"\nresisting = "nerve"\ncolour = "tan"',
            "acting: magic is already in the line of firebolt",
        ),
        (
            'acting = "magic"\nresisting = "magic_protection"\ncolour = "tan"',
            "colour: the line of firebolt is blue",
        ),
    ],
)
def test_a_line_has_one_colour_of_its_own(line, fault):
    """BOW B.3."""
    text = (
        f'[[opposed_action]]\nname = "x"\ntarget = "enemy"\neffect = {{ kind = "damage" }}\n{line}'
    )
    assert any(found.startswith(f"opposed_action[0].{fault}") for found in faults(text))


MEANINGLESS = (
    UNIT
    + 'move = 13\nheld = ["swrod"]\n'
    + CAR
    + "armor = 13\n"
    + '[[army]]\nname = "mine"\nunits = { me = 1 }\n'
    + 'boarded = [{ unit = "me", vehicle = "car", seat = "driver" }]'
)
"""Over capacity, unknown gear, a seat without vehicle."""


def places(text: str) -> list[str]:
    return [fault.split(":")[0] for fault in faults(text)]


def test_every_fault_of_meaning_is_told_in_one_line():
    assert places(MEANINGLESS) == [
        "unit[0].held[0]",
        "unit[0].move",
        "vehicle[0].armor",
        "army[0].boarded[0].vehicle",
    ]


def test_every_fault_of_form_is_told_before_those_of_meaning():
    text = MEANINGLESS.replace("armor = 13", "armour = 13") + '\n[[weapon]]\nname = "whip"\n'
    assert places(text) == ["weapon[0].damage", "weapon[0].kind", "vehicle[0].armour"]


def test_what_names_a_thing_with_a_fault_is_no_further_fault():
    text = (
        '[[weapon]]\nname = "whip"\ndamage = 1\nkind = "melee"\nhands = 9\n'
        + '[[unit]]\nname = "me"\nbase = "trooper"\nmove = 13\nheld = ["whip"]\n'
        + '[[army]]\nname = "mine"\nunits = { me = 1 }\n'
    )
    assert "army[0].units.me" not in places(text)
    assert "unit[0].held[0]" not in places(text)


PARTS = tomllib.loads(WHOLE)
KEYS = sorted({key for table in PARTS.values() for entry in table for key in entry})
VALUES = st.one_of(
    st.integers(-3, 2000),
    st.floats(),
    st.booleans(),
    st.sampled_from(["trooper", "tamer", "sword", "jeep", "whip", "enemy", "magic", "", "Ä"]),
    st.just([]),
    st.just({}),
    st.lists(st.sampled_from(["sword", "x", "left"]), max_size=3),
    st.just([{"name": "driver", "pilot": True}]),
    st.just({"trooper": 1, "x": 2}),
)


@settings(max_examples=examples(3), deadline=None)
@given(st.data())
def test_a_file_is_read_or_refused_and_nothing_else(data):
    """Any values at any keys: a library whose sheets have no fault, or one error with places."""
    parts = copy.deepcopy(PARTS)
    for _ in range(data.draw(st.integers(1, 3))):
        table = data.draw(st.sampled_from(sorted(parts)))
        entry = data.draw(st.sampled_from(parts[table]))
        entry[data.draw(st.sampled_from(KEYS))] = data.draw(VALUES)
    try:
        library = read(tomli_w.dumps(parts))
    except SheetFileError:
        pass
    else:
        assert [fault for sheet in library.sheets.values() for fault in sheet.problems()] == []
        assert [fault for army in library.armies.values() for fault in army.problems()] == []


@pytest.mark.parametrize("text", ["unit = 3", "unit = [3]", "[unit]\nname = 'x'", "army = ['x']"])
def test_tables_of_another_form(text):
    assert faults(text)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SheetFileError, match="No such file"):
        read_library(tmp_path / "none.toml", catalogue())


def test_a_file_on_disk(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(WHOLE)
    assert read_library(path, catalogue()) == read(WHOLE)
