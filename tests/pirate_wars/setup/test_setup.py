"""Setups: the first state, the crew and its rooms, every fault with its key, and duels that are drawn for studies."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError, ScenarioFileError
from brickphys.pirate_wars.firing import cannon
from brickphys.pirate_wars.scenario import SCENARIOS, parse_scenario
from brickphys.pirate_wars.setup import figures, first_state, rooms, stations
from brickphys.pirate_wars.sheets import Allegiance, Ammunition, Role, ShipPlace, ships
from brickphys.rules.checks.conformance import check_game
from brickphys.seeds import generator
from tests.pirate_wars.battle import GAME, NAMES, setup

SHEETS = list(ships().values())


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_that_ships_has_no_fault_and_tells_what_it_is_about(name):
    found = SCENARIOS.scenario(name)
    state = first_state(found.setup)
    assert found.title
    assert len(found.text.split()) > 10
    assert state.ships == GAME.initial(found.setup).ships
    for ship, spec in zip(state.ships, state.setting.ships, strict=True):
        assert (ship.hull, ship.sails) == (spec.sheet.chart.hull, spec.sheet.chart.sails)


def test_what_is_left_out_is_plain():
    """A ship sails along +x, and the rules are read as their charts are."""
    plain = setup(options={})
    for ship in plain["ship"]:
        ship.pop("heading_deg", None)
    state = first_state(plain)
    assert [ship.heading_deg for ship in state.ships] == [0.0] * len(state.ships)
    assert not any(vars(state.setting.options).values())


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_full_crew_is_that_of_the_chart_with_its_captain(sheet):
    crew = sheet.full_crew
    assert sum(crew.values()) == sheet.crew + sum(sheet.extra.values())
    assert crew[Role.CAPTAIN] == 1
    assert bool(crew[Role.SAILOR]) == (sheet.side is Allegiance.IMPERIAL)
    assert sum(crew.values()) <= rooms(sheet).total()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_crew_begins_at_its_stations(sheet):
    """The captain steers, two hands serve each gun as far as sails can spare them, marines are on deck."""
    crew = list(figures("a", 0, 0, sheet.full_crew, {}))
    at = stations(sheet, 0, crew)
    assert at[0].place is ShipPlace.HELM
    assert crew[0].role is Role.CAPTAIN
    guns = Counter(now.gun for now in at if now.place is ShipPlace.GUN)
    assert set(guns) == set(range(len(sheet.guns)))
    assert max(guns.values()) <= 2
    if sheet.name != "caribbean_clipper":  # eight men for four sails and four guns
        assert set(guns.values()) == {2}
    sailing = [
        now for now, who in zip(at, crew, strict=True) if who.sheet.sails and now.gun is None
    ]
    assert len(sailing) >= sheet.chart.sails
    for who, now in zip(crew, at, strict=True):
        if who.role in (Role.MARINE, Role.LIEUTENANT):
            assert now.place is ShipPlace.DECK
        if now.gun is not None:
            assert who.role in (Role.PIRATE, Role.SAILOR)


@given(st.sampled_from(SHEETS), st.lists(st.integers(0, 20), min_size=5, max_size=5))
def test_any_crew_that_fits_finds_places(sheet, counts):
    crew = list(figures("a", 0, 3, dict(zip(Role, counts, strict=True)), {}))[
        : rooms(sheet).total()
    ]
    taken = Counter((now.place, now.gun) for now in stations(sheet, 3, crew))
    assert sum(taken.values()) == len(crew)
    assert all(count <= sheet.room(place) for (place, _), count in taken.items())


def test_women_are_the_first_of_their_role():
    given = setup()
    given["ship"][1]["women"] = {"pirate": 2, "captain": 1}
    minifigs = first_state(given).setting.minifigs
    women = [minifig.name for minifig in minifigs if minifig.is_woman]
    assert women == ["scorpion_captain", "scorpion_pirate_1", "scorpion_pirate_2"]
    assert {minifig.attack for minifig in minifigs if minifig.is_woman} == {6, 4}


def test_a_crew_differs_in_the_roles_that_are_written():
    given = setup()
    given["ship"][0]["crew"] = {"marine": 2, "pirate": 1}
    roles = Counter(each.role for each in first_state(given).setting.minifigs if each.ship == 0)
    assert roles == {
        Role.CAPTAIN: 1,
        Role.LIEUTENANT: 1,
        Role.MARINE: 2,
        Role.PIRATE: 1,
        Role.SAILOR: 7,
    }


def faults_of(change) -> str:
    given = setup()
    change(given)
    with pytest.raises(InvalidValueError) as caught:
        first_state(given)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("setup: ")


FAULTS = """
ship 0 sheet | "imperial_flagshp" | ship[0].sheet: unknown ship 'imperial_flagshp': did you mean 'imperial_flagship'?
ship 0 player | "crwn" | ship[0].player: unknown player 'crwn': did you mean 'crown'?
ship 0 crew | {"saylor": 3} | ship[0].crew.saylor: unknown role 'saylor': did you mean 'sailor'?
ship 0 x | 240.5 | ship[0].x: 240.5 is off the sea, which ends at 240
ship 1 y | 201 | ship[1].y: 201 is off the sea, which ends at 200
ship 1 | {"x": 62, "y": 82} | ship[1]: scorpion overlaps swift
ship 0 crew | {"marine": 30} | ship[0].crew: 39 minifigs, but the Caribbean Clipper has room for 1 to 25
ship 1 crew | {"captain": 2} | ship[1].crew.captain: 2, but a ship has at most one
ship 1 women | {"pirate": 14} | ship[1].women.pirate: 14 of 13
ship 1 id | "swift" | ship: 2 have the name 'swift'
ship 1 | - | ship: 1 ship where at least 2 are needed
players + | {"name": "crown"} | players: 2 have the name 'crown'
players | [{"name": "crown", "team": 1}, {"name": "pirates", "team": 1}] | players: there must be at least two teams
players + | {"name": "dutch"} | players[2]: dutch has no ship
aims + | {"kind": "reach", "player": "crown", "area": [60, 80, 5]} | aims[1]: already met at the start of the battle
aims + | {"kind":"carry","player":"crown","item":"gem","area":[9,9,5]} | aims[1].item: there is no 'gem' in this battle
aims 0 area | [1, 2] | aims[0].area: [1, 2] should be [x, y, radius] of a circle on the sea, in studs
wind_deg | 400 | wind_deg: 400 should be less than or equal to 360
wind_deg | - | wind_deg: missing
wind_deg | "north" | wind_deg: 'north' should be a valid number
ship 0 heading | 3 | ship[0].heading: unknown key, did you mean 'heading_deg'?
ship 0 x | -1 | ship[0].x: -1 should be greater than or equal to 0
ship 0 crew | {"marine": -1} | ship[0].crew.marine: -1 should be greater than or equal to 0
options | {"simultanous": true} | options.simultanous: unknown key, did you mean 'simultaneous'?
""".strip().splitlines()
"""The steps to a value, with a + for a further one; the value, - for none, or changes of a table; the fault."""


@pytest.mark.parametrize("row", FAULTS)
def test_a_fault_is_named_with_its_key(row):
    path, value, fault = row.split(" | ")
    *steps, last = (int(step) if step.isdigit() else step for step in path.split())

    def change(given):
        for step in steps:
            given = given[step]
        if value == "-":
            given.pop(last)
        elif last == "+":
            given.append(json.loads(value))
        elif isinstance(last, int):
            given[last].update(json.loads(value))
        else:
            given[last] = json.loads(value)

    assert faults_of(change) == fault


def test_a_crew_of_nobody_is_refused():
    nobody = dict.fromkeys(("captain", "lieutenant", "marine", "sailor"), 0)
    assert faults_of(lambda given: given["ship"][0].update(crew=nobody)) == (
        "ship[0].crew: 0 minifigs, but the Caribbean Clipper has room for 1 to 25"
    )


def test_all_faults_of_meaning_are_named_at_once():
    def change(given):
        given["ship"][0] |= {"sheet": "galleon", "x": 300, "crew": {"cook": 1}}
        given["ship"][1] |= {"crew": {"captain": 3}, "women": {"pirate": 50}}
        given["ship"].append({**given["ship"][1], "id": "wasp"})
        given["aims"] += [
            {"kind": "reach", "player": "nobody", "area": [9, 9, 5]},
            {"kind": "reach", "player": "pirates", "area": [given["ship"][1]["x"], 80, 99]},
        ]

    keys = [fault.split(": ")[0] for fault in faults_of(change).split("; ")]
    assert keys == [
        "aims[1].player",
        "aims[2]",
        "ship[0].sheet",
        "ship[0].x",
        "ship[0].crew.cook",
        *("ship[1].crew.captain", "ship[1].women.pirate"),
        *("ship[2].crew.captain", "ship[2].women.pirate"),
        "ship[2]",
    ]


def test_faults_of_form_come_before_those_of_meaning():
    def change(given):
        given["ship"][0] |= {"sheet": "galleon", "x": "here"}
        given["wnd_deg"] = given.pop("wind_deg")

    assert faults_of(change) == (
        "ship[0].x: 'here' should be a valid number; wnd_deg: unknown key, did you mean 'wind_deg'?"
    )


def test_a_file_is_read_with_its_faults(tmp_path):
    path = tmp_path / "battle.toml"
    text = (
        'title = "A test"\nwind_deg = 90\nplayers = [{ name = "red" }, { name = "blue" }]\n'
        "[sea]\nwidth = 200\nlength = 200\n"
    )
    ship_text = '[[ship]]\nid = "{0}"\nsheet = "black_pearl"\nplayer = "{0}"\nx = {1}\ny = 50\n'
    path.write_text(text + ship_text.format("red", 40) + ship_text.format("blue", 100))
    assert GAME.read_setup(path) == SCENARIOS.read(path).setup
    path.write_text(text + ship_text.format("red", 40) + ship_text.format("blue", 60))
    fault = re.escape(f"{path}: ship[1]: blue overlaps red")
    for read in (GAME.read_setup, GAME.scenario):
        with pytest.raises(ScenarioFileError, match=f"^{fault}$"):
            read(str(path))
    with pytest.raises(ScenarioFileError, match="title: missing"):
        parse_scenario(text.removeprefix('title = "A test"\n'))


BROADSIDE = [
    {"ahead": 4, "left": 3, "bearing_deg": 90, "light": True},
    {"ahead": -4, "left": 3, "bearing_deg": 90, "below": True},
    {"ahead": 10, "left": 0, "bearing_deg": 0},
]


def armed(guns: list[dict[str, object]]) -> dict[str, object]:
    """A duel whose second ship has other guns than its sheet."""
    given = setup()
    given["ship"][1]["guns"] = guns
    return given


def test_a_ship_of_ones_own_carries_light_guns():
    """PW, Weapons Chart: two dice, 6 studs with shot, 9 with ball; no other ship of that sheet has them."""
    state = first_state(armed(BROADSIDE))
    sheet = state.setting.ships[1].sheet
    assert [(gun.is_light, gun.is_below, gun.side) for gun in sheet.guns] == [
        (True, False, "port"),
        (False, True, "port"),
        (False, False, "bow"),
    ]
    assert len(state.ships[1].guns) == 3
    light = [cannon(state, 1, 0, each) for each in Ammunition]
    assert [(one.dice, one.range_studs, one.target) for one in light] == [(2, 6, 3), (2, 9, 2)]
    assert cannon(state, 1, 2, Ammunition.BALL).dice == 3
    assert len(ships()[sheet.name].guns) == 2
    at_guns = {now.gun for n, now in enumerate(state.minifigs) if n in state.crews[1]}
    assert at_guns == {None, 0, 1, 2}


def test_a_ship_may_have_no_guns():
    given = setup()
    given["ship"][0]["guns"] = []
    assert not first_state(given).ships[0].guns


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"ahead": 13}, "ship[1].guns[0]: 13 ahead and 3 to the left is not aboard the Renegade"),
        ({"left": -4}, "ship[1].guns[0]: 4 ahead and -4 to the left is not aboard the Renegade"),
        ({"left": float("nan")}, "ship[1].guns[0].left"),
        ({"bearing_deg": 400}, "ship[1].guns[0].bearing_deg"),
        ({"light": 2}, "ship[1].guns[0].light"),
        ({"calibre": 12}, "ship[1].guns[0].calibre"),
    ],
)
def test_a_gun_that_cannot_be_is_refused_with_its_key(changes, fault):
    with pytest.raises(InvalidValueError, match=re.escape(fault)):
        first_state(armed([BROADSIDE[0] | changes]))


def test_too_many_guns_are_refused():
    with pytest.raises(InvalidValueError, match=re.escape("ship[1].guns")):
        first_state(armed(BROADSIDE * 14))


def test_a_battle_with_light_guns_keeps_the_contract():
    """PW Firing: no hit of a light gun is critical, and none explodes."""
    assert check_game(GAME, {"light guns": armed(BROADSIDE)}, games=1) == []


def drawn(number, **options):
    return GAME.draw_setup(options, generator(1, number))


def test_any_two_different_ships_meet_and_begin():
    labels = set()
    for number in range(60):
        label, duel = drawn(number)
        pair = label.split(" | ")
        state = GAME.initial(duel)
        assert [spec.sheet.name for spec in state.setting.ships] == pair
        assert len({*pair}) == 2
        labels.update(pair)
    assert labels == set(ships())


@pytest.mark.parametrize(("windward", "upwind"), [("first", 0), ("second", 1)])
def test_who_has_the_weather_gauge_is_upwind_and_both_sail_across_the_wind(windward, upwind):
    for number in range(8):
        _, duel = drawn(number, ships=["black_pearl", "black_pearl"], windward=windward, apart=60)
        one, other = duel["ship"][upwind], duel["ship"][1 - upwind]
        assert duel["wind_deg"] == 90.0
        assert other["y"] - one["y"] == 60
        assert one["x"] == other["x"]
        assert one["heading_deg"] == other["heading_deg"]
        assert one["heading_deg"] in (0.0, 180.0)


def test_the_same_draw_is_the_same_duel():
    assert drawn(3) == drawn(3)
    assert len({drawn(number)[0] for number in range(20)}) > 10


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ships": ["raft", "black_pearl"]}, "ships[0]: unknown ship 'raft'"),
        ({"ships": ["black_pearl"]}, "ships"),
        ({"windward": "north"}, "windward"),
        ({"apart": 5}, "apart"),
        ({"sea": 3}, "sea"),
    ],
)
def test_faults_are_named_with_their_key(options, says):
    with pytest.raises(InvalidValueError) as error:
        drawn(0, **options)
    assert str(error.value).startswith("draw: ")
    assert says in str(error.value)
