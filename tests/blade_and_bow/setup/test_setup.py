"""Setups of battles: what is read, what may be left out, bounds, and every fault with its key."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from brickphys.blade_and_bow.deck import DECK_CARDS
from brickphys.blade_and_bow.pieces import Box
from brickphys.blade_and_bow.scenario import SCENARIOS, parse_scenario
from brickphys.blade_and_bow.setting import Special
from brickphys.blade_and_bow.setup import begin, first_state
from brickphys.blade_and_bow.state import Phase
from brickphys.errors import InvalidValueError, ScenarioFileError
from brickphys.grid.grid import FACING_NAMES, each

PLAIN: dict[str, Any] = {
    "players": [
        {"name": "red", "impulses": 3, "rout_level": 2, "ranks": 1, "most_ranks": 2},
        {"name": "blue", "impulses": 2, "rout_level": 1, "camp": ["F1"]},
    ],
    "initiative": "blue",
    "field": {"width": 6, "length": 5, "ground": {"sea": ["A1"], "hill": ["C3"]}},
    "units": [
        {"name": "tom", "player": "red", "kind": "hoplite", "square": "B4", "facing": "e"},
        {"name": "bob", "player": "blue", "kind": "spears", "square": "E2", "facing": "w"},
    ],
    "leaders": [
        {
            "name": "ann",
            "player": "red",
            "rank": 1,
            "range_points": 6,
            "value": 3,
            "colour": "red",
            "square": "B4",
        }
    ],
}


def given(**changes: Any) -> dict[str, Any]:
    """A plain battle with other tables."""
    return {**json.loads(json.dumps(PLAIN)), **changes}


def changed(table: str, number: int, **keys: Any) -> dict[str, Any]:
    """A plain battle with other keys of an entry of a list; None takes one out."""
    setup = given()
    entry = {**setup[table][number], **keys}
    setup[table][number] = {key: value for key, value in entry.items() if value is not None}
    return setup


def more(table: str, **keys: Any) -> dict[str, Any]:
    """A plain battle with one more entry of a list, which is the first one with other keys."""
    setup = given()
    setup[table].append({**setup[table][0], "name": "eve", **keys})
    return setup


def field(**keys: Any) -> dict[str, Any]:
    return given(field={**given()["field"], **keys})


def special(**keys: Any) -> dict[str, Any]:
    return given(special=keys)


def entry(*rolls: int) -> dict[str, Any]:
    return {"rolls": list(rolls), "squares": ["A3"], "facing": "e"}


def test_first_state_is_as_printed():
    state = first_state(given())
    setting = state.setting
    assert (state.phase, state.turn) == (Phase.SETUP, 0)
    tom, bob = state.units
    assert (tom.box, setting.squares[tom.square or 0], tom.facing, tom.ranks) == (
        Box.MAP,
        "B4",
        0,
        1,
    )
    assert (setting.units[0].most_ranks, setting.units[1].most_ranks) == (2, 0)
    assert (bob.facing, bob.ranks) == (4, 0)
    assert state.leaders[0].square == tom.square
    assert state.camps == (None, setting.square_numbers["F1"])
    assert len(state.deck) == DECK_CARDS
    assert state.hands == ((), ())
    assert (state.holder, state.mover) == (1, 1)
    assert setting.terrain[setting.square_numbers["C3"]].name == "hill"
    assert sum(ground.name == "clear" for ground in setting.terrain) == 28


def test_nothing_has_happened_before_the_first_turn():
    state = first_state(given())
    assert (state.hand_sizes, state.losses, state.sacked) == ((0, 0), (0, 0), (False, False))
    assert (state.impulses, state.actions, state.entry, state.delay) == ((3, 2), 0, 0, 0)
    assert (state.activation, state.combat, state.result) == (None, None, None)
    assert (state.pending, state.played, state.discards, state.discovered) == ((), (), (), False)
    for unit in state.units:
        assert (unit.lost, unit.disrupted, unit.wall, unit.marker, unit.seen) == (0, *[False] * 4)
    assert [leader.returns for leader in state.leaders] == [0]


@pytest.mark.parametrize(
    ("columns", "names"), [(["B", "B"], "B"), (["A", "C"], "ABC"), (["C", "F"], "CDEF")]
)
def test_the_limit_is_whole_columns_and_the_path(columns: list[str], names: str) -> None:
    """BB 14.2."""
    setting = first_state(special(path=["D4", "D3"], limit_columns=columns)).setting
    squares = {f"{column}{row}" for column in names for row in range(1, 6)}
    found = setting.special.limit, setting.special.path
    limit, path = ({setting.squares[square] for square in each(one)} for one in found)
    assert path == {"D3", "D4"}
    assert limit == squares | path


def test_reinforcements_come_through_the_squares_of_their_entry():
    late = more("units", square=None, ranks=1)
    entries = [{**entry(6, 1, 2), "facing": "s"}, {**entry(5, 3, 4), "squares": ["B1", "A2"]}]
    setting = first_state({**late, "special": {"entries": entries, "gates": ["D2"]}}).setting
    one, other = setting.special.entries
    assert (one.rolls, other.rolls) == ((1, 2, 6), (3, 4, 5))
    assert (FACING_NAMES[one.facing], FACING_NAMES[other.facing]) == ("s", "e")
    assert [setting.squares[square] for square in other.squares] == ["B1", "A2"]
    assert setting.special.gates == 1 << setting.square_numbers["D2"]
    assert not setting.special.hidden_path


def test_equal_setups_share_a_setting():
    """Tables that are worked out once for a setting serve every battle of it."""
    assert first_state(given()).setting is first_state(given()).setting


def test_an_army_without_ranks_has_none():
    setup = given()
    setup["players"] = [{**setup["players"][0], "rout_level": 1}, setup["players"][1]]
    del setup["players"][0]["ranks"]
    assert first_state(setup).units[0].ranks == 0


def test_ranks_of_units_may_differ_from_those_of_the_army():
    setup = more("units", square="B3", ranks=2)
    setup["units"][0]["ranks"] = 0
    assert [unit.ranks for unit in first_state(setup).units] == [0, 0, 2]


LATE = {"square": None}
RED, BLUE = partial(changed, "players", 0), partial(changed, "players", 1)
TOM, BOB = partial(changed, "units", 0), partial(changed, "units", 1)
ANN = partial(changed, "leaders", 0)
FAULTS = {
    "units[1].square: G2 is off the map of 6 x 5 squares": BOB(square="G2"),
    "units[1].square: E6 is off the map": BOB(square="E6"),
    "units[1].square: 'e2' is not a square: a column A to Z, then a row from 1": BOB(square="e2"),
    "units[1].square: 'E0' is not a square": BOB(square="E0"),
    "units[1].kind: unknown kind of unit 'speers': did you mean 'spears'?": BOB(kind="speers"),
    "units[1].player: unknown player 'green': known: red, blue": BOB(player="green"),
    "players[1]: blue has no unit on the map": BOB(player="red"),
    "units[1].square: tom is already in B4 (BB 3.2)": BOB(square="B4"),
    "units[1].square: no unit can enter A1, which is sea": BOB(square="A1"),
    "units[2].name: 'tom' is already taken": more("units", square="B3", name="tom"),
    "units[0].name: 'camp_blue' is a camp": TOM(name="camp_blue"),
    "units[1].ranks: spears cannot have ranks (BB 3.6)": BOB(ranks=1),
    "units[0].ranks: 3, at most 2 for a unit of red (BB 14.2 Steps)": TOM(ranks=3),
    "players[0].ranks: 1 for each of 1 units are 1, the units have 2 (BB 14.2 Steps)": TOM(ranks=2),
    "players[0].most_ranks: 7 should be less than or equal to 6": RED(most_ranks=7),
    "units[0].facing: 'up' should be": TOM(facing="up"),
    "players[0].rout_level: 3, the army has 1 units and 1 ranks to lose": RED(rout_level=3),
    "players[0].rout_level: missing": RED(rout_level=None),
    "players[0].impulses: 0 should be greater than or equal to 1": RED(impulses=0),
    "players: 3 players where at most 2 are needed": more("players"),
    "players: 1 player where at least 2 are needed": given(players=given()["players"][:1]),
    "players[1].name: 'red' is already taken": BLUE(name="red"),
    "players[1].camp[0]: no unit can enter A1, which is sea": BLUE(camp=["A1"]),
    "players[1].camp: 0 values where at least 1 is needed": BLUE(camp=[]),
    "players[1].camp: B4, where the enemy unit tom stands (BB 12)": BLUE(camp=["F1", "B4"]),
    "players[0].most_ranks: 0 is below ranks = 1 (BB 14.2 Steps)": RED(most_ranks=0),
    "players[1].camp[0]: Z9 is off the map": BLUE(camp=["Z9"]),
    "players[1].camp[1]: F1 is named twice": BLUE(camp=["F1", "F1"]),
    "players[1].camp: F1 is a place of the camp of red": RED(camp=["F1"]),
    "players[0].camp: missing, but camp_decides is 'at_once'": RED(camp_decides="at_once"),
    "initiative: unknown player 'rad': did you mean 'red'?": given(initiative="rad"),
    "leaders[0].value: missing": ANN(value=None),
    "leaders[0].colour: 'green' should be": ANN(colour="green"),
    "leaders[0].square: no unit of red is in C4 (BB 14.3)": ANN(square="C4"),
    "leaders[0].square: no unit of red is in E2 (BB 14.3)": ANN(square="E2"),
    "leaders[1].rank: 1 is already the rank of ann (BB 6.1.1)": more("leaders"),
    "leaders[0].name: 'tom' is already taken": ANN(name="tom"),
    "field.width: 27 should be less than or equal to 26": field(width=27),
    "field.ground.swamp: unknown terrain 'swamp'": field(ground={"swamp": ["A1"]}),
    "field.ground.sea[0]: H1 is off the map": field(ground={"sea": ["H1"]}),
    "field.ground.hill[1]: A1 is sea too": field(ground={"sea": ["A1"], "hill": ["C3", "A1"]}),
    "field.walls[0]: B2 and C3 have no side in common": field(walls=[["B2", "C3"]]),
    "field.walls[0]: B9 is off the map": field(walls=[["B2", "B9"]]),
    "special.path[1]: C4 has no side in common with B3 (BB 14.2)": special(path=["B3", "C4"]),
    "special.path[0]: R15 is off the map of 6 x 5 squares": special(path=["R15", "B3"]),
    "special.gates[0]: S11 is off the map of 6 x 5 squares": special(gates=["S11"]),
    "special.limit_columns: A to K on a map of A to F": special(
        path=["B3"], limit_columns=["A", "K"]
    ),
    "special.limit_columns: needs special.path, whose discovery lifts the limit": special(
        limit_columns=["A", "B"]
    ),
    "special.mortal: unknown leader 'xerxes'": special(mortal="xerxes"),
    "special.minor_to: unknown player 'green'": special(minor_to="green"),
    "special.entries: needs units that come later": special(entries=[entry(1, 2, 3, 4, 5, 6)]),
    "special.entries: rolls [1, 2] must have each number from 1 to 6 once": special(
        entries=[entry(1, 2)]
    ),
    "special.entries[0].squares[0]: no unit can enter A1": special(
        entries=[{**entry(1), "squares": ["A1"]}]
    ),
    "units[0].square: missing, but required without special.entries": TOM(**LATE),
    "units[1].square: missing, but only red can have reinforcements": {
        **BOB(**LATE),
        "special": {"entries": [entry(1)]},
    },
    "options.free_set: unknown key, did you mean 'free_setup'?": given(options={"free_set": True}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_named(fault: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        first_state(FAULTS[fault], "battle.toml")
    message = str(caught.value)
    assert message.startswith("battle.toml: ")
    assert fault in message
    assert "\n" not in message


def test_all_faults_of_meaning_are_named_at_once():
    setup = changed("units", 1, kind="speers", square="Z9")
    with pytest.raises(InvalidValueError, match=r"units\[1\]\.kind.*units\[1\]\.square"):
        first_state(setup)


def test_faults_of_a_scenario_have_their_place_on_the_map(tmp_path: Path) -> None:
    """The square has its name of the game, and the wrong word has no other fault in its wake."""
    text = """
title = "a"
initiative = "red"
map = '''
..h
=..
s..
'''
[legend.h]
unit = "hoplite"
player = "red"
[legend.s]
unit = "spear"
player = "blue"
[[players]]
name = "red"
impulses = 1
rout_level = 1
[[players]]
name = "blue"
impulses = 1
rout_level = 1
"""
    fault = "a.toml: legend.s at A3.kind: unknown kind of unit 'spear': did you mean 'spears'?"
    with pytest.raises(ScenarioFileError, match=f"^{re.escape(fault)}$"):
        begin(parse_scenario(text, "a.toml"), "a.toml")
    twice = text.replace("s..", "s.s")
    with pytest.raises(ScenarioFileError, match=f"^{re.escape(fault)}$"):
        begin(parse_scenario(twice, "a.toml"), "a.toml")
    with pytest.raises(ScenarioFileError, match="'%' at A2 is not in the legend"):
        parse_scenario(text.replace("=..", "%.."), "a.toml")
    path = tmp_path / "a.toml"
    path.write_text(text.replace('"spear"', '"spears"'), encoding="utf-8")
    state = begin(SCENARIOS.read(path), str(path))
    assert [state.setting.squares[unit.square or 0] for unit in state.units] == ["C1", "A3"]
    assert state.setting.terrain[state.setting.square_numbers["A2"]].name == "sea"


def test_map_has_a_letter_for_each_column():
    players = "".join(
        f'[[players]]\nname = "{name}"\nimpulses = 1\nrout_level = 1\n' for name in ("red", "blue")
    )
    text = f'title = "a"\ninitiative = "red"\nmap = "{27 * "."}"\n{players}'
    with pytest.raises(ScenarioFileError, match="map: 27 columns, and 26 letters for them"):
        parse_scenario(text)


def test_what_is_left_out_is_plain():
    """No ranks, facing north, no special rule for a player, and a free setup."""
    setup = changed("units", 1, facing=None)
    setting, bob = first_state(setup).setting, first_state(setup).units[1]
    assert (bob.ranks, FACING_NAMES[bob.facing]) == (0, "n")
    assert setting.special == Special()
    assert not any((*setting.special.camp_decides, *setting.special.shield_walls))
    assert setting.options.free_setup


BOUNDS = [
    ("field", "width", 2, 26),
    ("field", "length", 2, 99),
    ("players", "impulses", 1, 12),
    ("players", "rout_level", 1, 200),
    ("players", "ranks", 0, 6),
    ("players", "most_ranks", 0, 6),
    ("leaders", "rank", 1, 9),
    ("leaders", "range_points", 0, 60),
    ("leaders", "value", 1, 6),
    ("units", "ranks", 0, 6),
]


def form_faults(setup: dict[str, Any]) -> str:
    """Return the faults of a setup, empty if there are none."""
    try:
        first_state(setup)
    except InvalidValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("table", "key", "least", "most"), BOUNDS)
def test_numbers_have_bounds(table: str, key: str, least: int, most: int) -> None:
    is_field = table == "field"
    fault = f"{table if is_field else f'{table}[0]'}.{key}: {{}} should be"
    for number in (least - 1, least, most, most + 1):
        setup = field(**{key: number}) if is_field else changed(table, 0, **{key: number})
        is_told = fault.format(number) in form_faults(setup)
        assert is_told == (not least <= number <= most)


@pytest.mark.parametrize("name", ["", "3", "AB", "A0", "A01", "A100", "a1", "A1x", "ab1"])
def test_squares_have_a_letter_and_a_number(name: str) -> None:
    fault = f"units[1].square: {name!r} is not a square: a column A to Z, then a row from 1"
    assert fault in form_faults(changed("units", 1, square=name))
    assert "is not a square" not in form_faults(changed("units", 1, square="Z99"))
