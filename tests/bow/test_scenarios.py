"""Scenarios: those that ship are without fault and are played as they were; every fault of a file is found."""

import json
import re
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import pytest

from brickphys.bow.field import DecorType
from brickphys.bow.scenario import (
    SCENARIOS,
    aim_faults,
    aim_texts,
    begin,
    parse_scenario,
    scenario_map,
    totals,
)
from brickphys.errors import ScenarioFileError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import Ending, Record
from brickphys.rules.registry import game, games
from brickphys.rules.sources import LawSource
from tests import golden_games
from tests.bow.battle import GAME
from tests.scenario_text import scenario_text

GOLDEN = Path(__file__).parents[1] / "golden"
LAW = BinomialLaw(Fraction(3, 10))
NAMES = tuple(SCENARIOS)
MAX_STEPS = 5_000
SHOWN_STEPS = 250

SMALL = """
title = "A test"
players = [{ name = "red" }, { name = "blue" }]
map = '''
..#..1
R.+..B
..=..1
'''
[legend]
R = { unit = "trooper", player = "red" }
B = { unit = "archer", player = "blue", facing = "w", ground = 1 }
"""


@lru_cache
def battle(name: str, root: int = 11) -> Record:
    """A whole game of random bots."""
    bots = [RandomBot()] * 2
    return play(GAME, SCENARIOS[name], bots, LawSource(LAW, root), root=root, max_steps=MAX_STEPS)


def transcript(name: str) -> str:
    """The first steps of a game of random bots."""
    about = "bricks: independent, chance 3/10; random bots"
    return golden_games.transcript(battle(name), about, SHOWN_STEPS)


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_has_no_fault_and_tells_what_it_is_about(name):
    found = SCENARIOS.scenario(name)
    state = begin(found, name)
    assert found.title
    assert len(found.text.split()) > 10
    assert len(totals(state)) == 2
    assert GAME.initial(SCENARIOS[name]) == state
    assert all(unit.name for unit in state.setting.units)


@pytest.mark.parametrize("name", NAMES)
def test_its_text_reads_back(name):
    found = SCENARIOS.scenario(name)
    again = parse_scenario(scenario_text(found))
    assert (again.title, again.text, again.setup) == (found.title, found.text, found.setup)
    assert json.loads(json.dumps(found.setup)) == found.setup


@pytest.mark.parametrize("name", NAMES)
def test_bots_play_it_to_its_end_as_they_did(name):
    """Written by `transcript`; a rule or a scenario that changes shows here, line by line."""
    assert battle(name).ending is Ending.OVER
    assert transcript(name) == (GOLDEN / f"scenario_{name}.txt").read_text(encoding="utf-8")


def test_every_setup_of_every_registered_game_has_a_golden_game():
    missing = [
        f"{name} {setup}"
        for name in games()
        for setup in game(name).setups
        if not (GOLDEN / f"{'scenario' if name == 'bow' else name}_{setup}.txt").exists()
    ]
    assert missing == []


def test_setups_are_read_when_they_are_asked_for():
    assert list(SCENARIOS) == list(NAMES)
    assert "duel" in SCENARIOS
    assert "nothing" not in SCENARIOS
    assert SCENARIOS["duel"] is SCENARIOS["duel"]


def test_a_map_is_a_field_with_its_units():
    state = begin(parse_scenario(SMALL))
    field = state.setting.field
    assert (field.width, field.length) == (6, 3)
    assert field.grounds_plates == (0, 0, 0, 0, 0, 3) * 3
    kinds = {decor.id: (decor.kind, decor.span_plates) for decor in field.decor}
    assert kinds == {
        "wall": (DecorType.WALL, (0, 15)),
        "door": (DecorType.DOOR, (0, 15)),
        "window_sill": (DecorType.WALL, (0, 6)),
        "window": (DecorType.WINDOW, (6, 15)),
    }
    places = {
        unit.name: field.xy(figure.stud)
        for unit, figure in zip(state.setting.units, state.units, strict=True)
    }
    assert places == {"red_trooper": (0, 1), "blue_archer": (5, 1)}


def test_equal_signs_make_few_blocks_and_numbered_names():
    rows = "\n".join(["###..R", "#.#..R", "###..B"])
    setup = parse_scenario(SMALL.replace(drawing(SMALL), rows).replace(", ground = 1", "")).setup
    blocks = [piece["block"] for piece in setup["field"]["decor"]]
    covered = sorted((x + a, y + b) for x, y, w, h in blocks for a in range(w) for b in range(h))
    assert covered == [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert len(blocks) == 4
    assert [unit["id"] for unit in setup["units"]] == [
        "red_trooper_1",
        "red_trooper_2",
        "blue_archer",
    ]


def drawing(text: str) -> str:
    return re.search(r"'''\n(.*?)\n'''", text, flags=re.S)[1]


def parked(block: str) -> str:
    """Return a scenario with a jeep drawn over so many columns of 12."""
    row = f"{block:.<12}"
    rows = "\n".join([f"R.{row[:-1]}B", *[f"..{row}"] * 5])
    return SMALL.replace(drawing(SMALL), rows).replace(", ground = 1", "") + (
        'J = { vehicle = "jeep", player = "red", crew = { driver = "driver" } }'
    )


def test_a_vehicle_stands_where_its_block_is_drawn_with_its_crew():
    state = begin(parse_scenario(parked("J" * 10)))
    assert (state.vehicles[0].x_studs, state.vehicles[0].y_studs) == (7, 3)
    assert [state.setting.units[unit].name for unit in state.occupants(0)] == ["jeep_driver"]


REACH = '[[aims]]\nkind = "reach"\nplayer = "red"\narea = "east"\n'


def changed(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new)


FAULTS = {
    "no TOML": ("title = ", "not TOML"),
    "no title": (changed('title = "A test"', ""), "title: missing"),
    "unknown key": (changed("[legend]", "[legnd]"), "legnd: unknown key, did you mean 'legend'?"),
    "a short row": (changed("..#..1\n", "..#..\n"), "map: row 2 has 6 signs, but the first row has 5"),
    "a sign without meaning": (changed("..#..1", "..?..1"), "map: '?' at 2,2 is not in the legend"),
    "a sign that is not on the map": (SMALL + "x = {}\n", "legend.x: not on the map"),
    "a sign of two characters": (SMALL + "xx = {}\n", "legend.xx: not one character"),
    "two things on a sign": (
        changed('unit = "trooper"', 'unit = "trooper", item = "sword"'),
        "legend.R: unit and item at once",
    ),
    "a key of something else": (
        changed('unit = "trooper"', 'unit = "trooper", locked = true'),
        "legend.R: locked: not for unit",
    ),
    "no player": (changed(', player = "red"', ""), "legend.R: player: missing"),
    "a legend without a map": (
        changed(f"map = '''\n{drawing(SMALL)}\n'''", "field = { width = 6, length = 3 }"),
        "legend.R: there is a legend, but no map",
    ),
    "a size beside the map": (
        SMALL + "[field]\nwidth = 3\n",
        "field.width: leave it out, since the map gives it",
    ),
    "an area that is not drawn": (
        changed("ground = 1 }", 'ground = 1, area = "east" }') + REACH.replace("east", "eats"),
        "aims[0].area: unknown area 'eats': did you mean 'east'?",
    ),
    "an area that is not a rectangle": (
        SMALL + '"." = { area = "all" }\n',
        "map: the area 'all' is not a rectangle",
    ),
    "an unknown sheet": (
        changed('"trooper"', '"troper"'),
        "legend.R at 0,1.sheet: unknown sheet of a unit 'troper': did you mean 'trooper'?",
    ),
    "an unknown player": (
        changed('player = "red"', 'player = "rot"'),
        "legend.R at 0,1.player: unknown player 'rot'",
    ),
    "a unit in a door": (
        SMALL + '[[units]]\nid = "x"\nsheet = "trooper"\nplayer = "red"\nx = 2\ny = 1\n',
        "units[0]: there is no room to stand on 2,1",
    ),
    "a crew without its seat": (
        SMALL
        + '[[vehicles]]\nid = "mare"\nsheet = "horse"\nplayer = "red"\nx = 3.0\ny = 2.0\n'
        + 'crew = { rder = "rider" }\n',
        "vehicles[0].crew.rder.seat: unknown seat 'rder': did you mean 'rider'?",
    ),
    "a crew that is none": (
        SMALL + '[[vehicles]]\nid = "mare"\ncrew = { rider = 3 }\n',
        "vehicles[0].crew.rider: 3 should be a valid string",
    ),
    "no way to an aim": (
        SMALL + '"+" = { decor = "door", locked = true }\n' + REACH.replace('"east"', "[5, 1, 1, 1]"),
        "aims[0]: no unit of the team can walk there",
    ),
    "no way for one": (
        SMALL
        + '"+" = { decor = "door", locked = true }\n'
        + REACH.replace('"east"', "[5, 1, 1, 1]")
        + 'units = ["red_trooper"]\n',
        "aims[0]: red_trooper cannot walk there",
    ),
    "an item behind a lock": (
        SMALL
        + '"+" = { decor = "door", locked = true }\n'
        + '[[objects]]\nitem = "key"\nx = 4\ny = 1\n'
        + '[[aims]]\nkind = "carry"\nplayer = "red"\narea = [0, 1, 1, 1]\nitem = "key"\n',
        "aims[0]: no unit that can walk there can reach a key",
    ),
    "held for longer than it lasts": (
        SMALL
        + '[[aims]]\nkind = "hold"\nplayer = "red"\narea = [0, 1, 1, 1]\nrounds = 9\n'
        + '[[aims]]\nkind = "rounds"\nrounds = 5\n',
        "aims[0]: 9 rounds to hold, but the game ends after round 5",
    ),
    "a block that is too small for its vehicle": (
        parked("J" * 8),
        "legend.J at 2,0: the block is 8 x 6 studs, but a jeep heading 0 takes 10 x 6",
    ),
    "a vehicle over the border": (
        parked("J" * 10).replace("crew", "heading_deg = 90, crew"),
        "legend.J at 2,0: jeep reaches over the border of the field of 14 x 6 studs: x 4 to 10, y -2 to 8",
    ),
    "a block one stud too short for its vehicle": (
        parked("J" * 9),
        "legend.J at 2,0: the block is 9 x 6 studs, but a jeep heading 0 takes 10 x 6",
    ),
    "too few who can come": (
        SMALL
        + '"+" = { decor = "door", locked = true }\n'
        + '[[units]]\nid = "x"\nsheet = "trooper"\nplayer = "red"\nx = 3\ny = 0\n'
        + REACH.replace('"east"', "[4, 0, 2, 1]\ncount = 2"),
        "aims[0]: not enough units can walk there",
    ),
    "an item of one behind a lock": (
        SMALL
        + '"+" = { decor = "door", locked = true }\n'
        + '[[aims]]\nkind = "carry"\nplayer = "red"\narea = [0, 0, 1, 1]\nitem = "knife"\n',
        "aims[0]: no unit that can walk there can reach a knife",
    ),
    "an enemy on board": (
        parked("J" * 10)
        + '\n[[units]]\nid = "x"\nsheet = "archer"\nplayer = "blue"\nvehicle = "jeep"\nseat = "passenger"\n',
        "units[0].vehicle: x belongs to blue, jeep to red",
    ),
    "a second end by rounds": (
        SMALL + '[[aims]]\nkind = "rounds"\nrounds = 9\n[[aims]]\nkind = "rounds"\nrounds = 5\n',
        "aims[1]: aims[0] already limits the rounds",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_its_place(name):
    text, fault = FAULTS[name]
    with pytest.raises(ScenarioFileError) as caught:
        begin(parse_scenario(text, "mine.toml"), "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml: ")
    assert fault in message
    assert "\n" not in message


def test_several_faults_are_told_at_once():
    text = changed('"trooper"', '"troper"').replace('"archer"', '"acher"')
    with pytest.raises(ScenarioFileError, match=r"legend\.R at 0,1.*legend\.B at 5,1"):
        begin(parse_scenario(text))


def test_of_thousands_of_faults_the_first_and_their_number_are_told():
    """Each place is looked up: trying every place for every fault took minutes."""
    unit = '[[units]]\nid = "u{}"\nsheet = "troper"\nplayer = "red"\nx = 1\ny = 1\nfacing = "e"\n'
    with pytest.raises(ScenarioFileError) as caught:
        begin(parse_scenario(changed("", "") + "".join(map(unit.format, range(3000)))))
    assert str(caught.value).startswith(
        "scenario: units[0].sheet: unknown sheet of a unit 'troper'"
    )
    assert str(caught.value).endswith("; and 2995 more")


@pytest.mark.parametrize(
    ("written", "fault"),
    [("3.5", "3.5 should be an array"), ('"wall"', "'wall' should be an array")],
)
def test_decor_beside_a_map_that_is_no_list_is_one_fault(written, fault):
    text = changed("", "") + f"[field]\ndecor = {written}\n"
    with pytest.raises(ScenarioFileError, match=f"^scenario: field.decor: {fault}$"):
        begin(parse_scenario(text))


CHESS = '[[objects]]\nitem = "chess"\nx = 1\ny = 1\n'
"""An object that does not exist."""


def places(text: str) -> list[str]:
    """Return the places of all faults of a scenario."""
    with pytest.raises(ScenarioFileError) as caught:
        begin(parse_scenario(text))
    message = str(caught.value).removeprefix("scenario: ")
    return sorted(fault.split(": ")[0] for fault in message.split("; "))


def test_every_fault_of_form_is_told_before_those_of_meaning():
    text = (
        changed('"trooper"', '"troper"').replace('title = "A test"', "titel = 3")
        + CHESS
        + '[[units]]\nid = "x"\nsheet = "archer"\nplayer = "red"\nx = 77\ny = 1\ncolor = 3\n'
        + '[[units]]\nid = "y"\nplayer = "red"\n'
    )
    assert places(text) == ["titel", "units[0].color", "units[1].sheet"]


def test_every_fault_of_meaning_is_told_at_once():
    text = (
        changed('"trooper"', '"troper"')
        + CHESS
        + '[[units]]\nid = "x"\nsheet = "acher"\nplayer = "red"\nx = 1\ny = 1\n'
        + REACH.replace('"east"', "[2, 5, 1, 1]")
    )
    assert places(text) == [
        "aims[0].area",
        "legend.R at 0,1.sheet",
        "objects[0].item",
        "units[0].sheet",
    ]


def test_a_fault_of_form_hides_what_may_follow_from_it():
    """The sign at fault stands for red's only unit: neither its aim nor its side is doubted."""
    text = changed('player = "red"', 'palyer = "red"') + REACH.replace(
        '"east"', '[3, 2, 1, 1]\nunits = ["red_trooper"]'
    )
    assert len(places(text)) == 1


@pytest.mark.parametrize(
    ("aim", "told"),
    [
        (
            'kind = "carry"\nplayer = "red"\narea = [5, 1, 1, 1]\nitem = "kee"',
            "aims[0].item: there is no 'kee' in this battle",
        ),
        (
            'kind = "reach"\nplayer = "red"\narea = [50, 50, 1, 1]',
            "aims[0].area: [50, 50, 1, 1] reaches beyond the field of 6 x 3 studs",
        ),
        (
            'kind = "reach"\nplayer = "red"\narea = [5, 1, 1, 1]\ncount = 5',
            "aims[0]: 5 units, but the area has room for only 1",
        ),
        (
            'kind = "reach"\nplayer = "red"\narea = [4, 1, 1, 1]\nunits = ["blue_archer"]',
            "aims[0].units[0]: blue_archer is of another team",
        ),
    ],
)
def test_of_an_aim_the_first_cause_alone_is_told(aim, told):
    locked = '"+" = { decor = "door", locked = true }\n[[aims]]\n'
    text = SMALL + locked + aim
    with pytest.raises(ScenarioFileError) as caught:
        begin(parse_scenario(text))
    assert str(caught.value) == f"scenario: {told}"


def test_one_of_a_kind_is_told_as_one():
    aims = (
        '[[aims]]\nkind = "reach"\nplayer = "red"\narea = [5, 1, 1, 1]\n'
        '[[aims]]\nkind = "hold"\nplayer = "red"\narea = [5, 1, 1, 1]\nrounds = 1\n'
        '[[aims]]\nkind = "rounds"\nrounds = 1\n'
    )
    assert aim_texts(parse_scenario(SMALL + aims))[:3] == [
        "red: bring 1 unit to 5,1.",
        "red: be alone in 5,1 at the end of a round.",
        "After 1 round, the side that has destroyed the most cost points wins.",
    ]


def test_an_unlocked_door_is_a_way():
    state = begin(parse_scenario(SMALL + REACH.replace('"east"', "[5, 1, 1, 1]")))
    assert aim_faults(state) == []


def test_an_item_is_fetched_from_the_ground_or_from_whoever_has_it():
    aim = '[[aims]]\nkind = "carry"\nplayer = "red"\narea = [0, 0, 1, 1]\nitem = '
    key = '[[objects]]\nitem = "key"\nx = 4\ny = 1\n'
    for text in (aim + '"knife"\n', key + aim + '"key"\n'):
        assert aim_faults(begin(parse_scenario(SMALL + text))) == []


@pytest.mark.parametrize(("action", "moves"), [("shove", True), ("firebolt", False)])
def test_where_new_actions_move_units_no_way_to_an_area_is_looked_for(action, moves):
    text = f'actions = ["{action}"]\n' + FAULTS["no way to an aim"][0]
    if moves:
        assert begin(parse_scenario(text)).setting.aims
    else:
        with pytest.raises(ScenarioFileError, match="no unit of the team can walk there"):
            begin(parse_scenario(text))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ScenarioFileError, match="No such file"):
        SCENARIOS.read(tmp_path / "none.toml")


def test_the_game_reads_scenario_files_and_refuses_what_cannot_be(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SMALL)
    assert GAME.initial(GAME.read_setup(path)).setting.players == ("red", "blue")
    path.write_text(FAULTS["no way to an aim"][0])
    with pytest.raises(ScenarioFileError, match=r"mine\.toml: aims\[0\]"):
        GAME.read_setup(path)


def test_the_map_and_the_aims_are_told():
    found = SCENARIOS.scenario("princess")
    shown = scenario_map(begin(found))
    assert "P rescuers: princess (princess)" in shown
    assert "~ sunk ground" in shown
    assert aim_texts(found)[0] == "rescuers: bring princess to the wood (0,11 to 2,15)."
