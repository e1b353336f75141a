"""Scenario files, on a small game of ships: a square of its map is two studs wide."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from brickphys.errors import InvalidValueError, ScenarioFileError
from brickphys.rules import scenario_file
from brickphys.rules.report.char_map import text_map
from brickphys.rules.scenario import Rectangle, ShippedScenarios
from brickphys.rules.schema import DrawnKind, ScenarioDocument, Shape, SignDocument
from brickphys.schema import Strict
from tests.scenario_text import scenario_text


class SeaSign(SignDocument):
    things: ClassVar = {
        "rock": DrawnKind(Shape.BLOCKS, frozenset()),
        "ship": DrawnKind(Shape.RECTANGLE, frozenset({"id", "heading_deg"})),
        "buoy": DrawnKind(Shape.SQUARE, frozenset({"id"})),
    }
    ground_keys: ClassVar = frozenset({"area", "depth"})

    depth: int = 9
    rock: str | None = None
    ship: str | None = None
    buoy: str | None = None
    heading_deg: float = 0.0


class ShipTable(Strict):
    kind: str
    x: float
    y: float
    heading_deg: float = 0.0
    guns: list[str] = Field(default_factory=list)


class Goal(Strict):
    ship: str
    area: str | list[int]


class SeaDocument(ScenarioDocument[SeaSign]):
    wind_deg: float = 0.0
    sea: dict[str, object] = Field(default_factory=dict)
    ships: list[ShipTable] = Field(default_factory=list)
    guns: list[dict[str, object]] = Field(default_factory=list)
    goals: list[Goal] = Field(default_factory=list)


class SeaFormat(scenario_file.ScenarioFormat[SeaSign]):
    document = SeaDocument
    usual: ClassVar = {"~": SeaSign(), "#": SeaSign(rock="reef", depth=0)}
    cell = 2
    drawn_keys = ("sea.width", "sea.depths")
    inner_lists = ("sea.rocks",)

    def tables(self, drawing):
        depths = [[sign.depth for sign in row] for row in drawing.rows]
        return {"sea": {"width": self.cell * len(depths[0]), "depths": depths}}

    def entries(self, thing) -> Iterator[tuple[str, object]]:
        sign, (x, y, width, length) = thing.sign, thing.rectangle
        if sign.rock:
            yield "sea.rocks", [x, y, width, length]
        elif sign.ship:
            ship = {"kind": sign.ship, "x": x + width / 2, "y": y + length / 2}
            yield "ships", {**ship, "heading_deg": sign.heading_deg}
        else:
            yield "buoys", {"name": thing.name, "at": [x, y]}

    def complete(self, lists):
        """Guns are written with their ship, and have a list of their own in the setup."""
        ships = lists.get("ships", [])
        guns = [
            scenario_file.ListEntry(f"{ship.place}.guns[{index}]", {"ship": number, "gun": gun})
            for number, ship in enumerate(ships)
            for index, gun in enumerate(ship.entry.get("guns", []))
        ]
        return {**lists, "guns": guns}


FORM = SeaFormat()
BAY = """
title = "The bay"
text = "One brig, two reefs."
wind_deg = 45.0
map = '''
##~~~b
#~BB~~
~~BB~#
'''
goals = [{ ship = "brig", area = "harbour" }]
[legend]
B = { ship = "brig", heading_deg = 90.0 }
b = { buoy = "red", id = "mark", area = "harbour" }
[[ships]]
kind = "sloop"
x = 1.0
y = 1.0
guns = ["little", "big"]
"""


def read(text: str = BAY):
    return scenario_file.parse_scenario(text, "bay.toml", FORM)


def faults(text: str) -> list[str]:
    with pytest.raises(ScenarioFileError) as caught:
        read(text)
    name, _, told = str(caught.value).partition(": ")
    assert name == "bay.toml"
    return told.split("; ")


def test_a_setup_is_what_is_drawn_and_then_what_is_written():
    bay = read()
    assert (bay.title, bay.text) == ("The bay", "One brig, two reefs.")
    assert list(bay.setup) == ["wind_deg", "sea", "ships", "guns", "goals"]
    assert bay.setup["ships"] == [
        {"kind": "brig", "x": 6.0, "y": 2.0, "heading_deg": 90.0},
        {"kind": "sloop", "x": 1.0, "y": 1.0, "guns": ["little", "big"]},
    ]
    assert bay.setup["sea"]["width"] == 12
    assert bay.setup["sea"]["depths"][0] == [9, 9, 9, 9, 9, 0]
    assert sorted(bay.setup["sea"]["rocks"]) == [[0, 2, 2, 4], [2, 4, 2, 2], [10, 0, 2, 2]]


def test_areas_have_names_on_the_map_and_numbers_in_the_setup():
    assert read().areas == {"harbour": Rectangle(10, 4, 2, 2)}
    assert read().setup["goals"] == [{"ship": "brig", "area": [10, 4, 2, 2]}]


def test_faults_of_a_setup_are_told_with_their_places_in_the_file():
    with pytest.raises(ScenarioFileError) as caught:
        read().refuse("bay.toml", ["ships[0].kind: what", "ships[1].x: on ships[0]", "guns[1]: no"])
    assert str(caught.value) == (
        "bay.toml: legend.B at 2,0.kind: what; ships[0].x: on legend.B at 2,0; ships[0].guns[1]: no"
    )


def test_the_boxes_of_drawn_things_are_known():
    assert read().rectangles["ships[0]"] == Rectangle(4, 0, 4, 4)
    assert "ships[1]" not in read().rectangles


def test_a_scenario_without_a_map_is_its_tables():
    text = 'title = "Calm"\n[sea]\nwidth = 5\n'
    assert read(text).setup == {"sea": {"width": 5, "rocks": []}}


def test_a_scenario_reads_back_as_it_is_written():
    assert read(scenario_text(read())).setup == read().setup


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("title =", "titel =", ["titel: unknown key, did you mean 'title'?"]),
        ('title = "The bay"', "", ["title: missing"]),
        ("x = 1.0", 'x = "one"\ncolor = 3', ["ships[0].x: 'one' should be a valid number",
                                            "ships[0].color: unknown key, known: kind, x, y, heading_deg, guns"]),
        ("heading_deg = 90.0", "depth = 3, buoy = 'x'", ["legend.B: ship and buoy at once, but a sign is one thing"]),
        ("buoy = ", "heading_deg = 3.0, buoy = ", ["legend.b: heading_deg: not for buoy"]),
        ("buoy = \"red\", ", "", ["legend.b: id: not for bare ground"]),
        ("~~BB~#", "~~BB~", ["map: row 3 has 5 signs, but the first row has 6"]),
        ("~~BB~#", "?~BBB#", ["map: '?' at 0,0 is not in the legend"]),
        ("[legend]", "[legend]\nX = {}", ["legend.X: not on the map"]),
        ("[legend]", "[legend]\nBB = {}", ["legend.BB: not one character", "legend.BB: not on the map"]),
        ("[legend]", '[legend]\n"#" = { area = "reefs" }', ["map: the area 'reefs' is not a rectangle"]),
        ('"harbour" }]', '"harbor" }]', ["goals[0].area: unknown area 'harbor': did you mean 'harbour'?"]),
        ("[[ships]]", "[sea]\nwidth = 0\ndepths = []\n[[ships]]",
         ["sea.width: leave it out, since the map gives it", "sea.depths: leave it out, since the map gives it"]),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_place(old, new, told):
    assert old in BAY
    assert faults(BAY.replace(old, new)) == told


def test_signs_without_a_map_are_faults():
    assert faults('title = "Calm"\n[legend]\nx = {}\n') == [
        "legend.x: there is a legend, but no map"
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[move]\nvehicle = "car"\n[[decor]]\nid = "wall"\n', "a scene, for `brickphys collide`"),
        ('kind = "battles"\nrepeats = 4\n', "a study, for `brickphys batch run`"),
        ('[[army]]\nname = "reds"\n[[unit]]\n', "a file of sheets, for `brickphys sheet`"),
    ],
)
def test_a_file_of_another_kind_is_told_by_what_it_looks_like(text, kind):
    assert faults(text) == [f"this looks like {kind}"]


@pytest.mark.parametrize("rows", ["", "\\n", "\\n\\n"])
def test_a_map_without_rows_is_empty(rows):
    assert faults(f'title = "Calm"\nmap = "{rows}"\n') == [
        "map: it is empty, or its first row is empty"
    ]


def test_every_fault_of_form_is_told_before_those_of_the_drawing():
    text = BAY.replace("title =", "titel =").replace("~~BB~#", "?~BB~#").replace("x = 1.0", "")
    assert faults(text) == ["ships[0].x: missing", "titel: unknown key, did you mean 'title'?"]


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    shipped = ShippedScenarios(
        "brickphys.bow", lambda text, name: scenario_file.parse_scenario(text, name, FORM)
    )
    with pytest.raises(ScenarioFileError, match="No such file"):
        shipped.read(tmp_path / "none.toml")
    (tmp_path / "bay.toml").write_text("title = ")
    with pytest.raises(ScenarioFileError, match=r"bay\.toml: not TOML"):
        shipped.read(tmp_path / "bay.toml")


@given(st.lists(st.text("#~b", min_size=5, max_size=5), min_size=1, max_size=6))
def test_blocks_cover_what_is_drawn_once(rows):
    """Whatever is drawn: rectangles of rock lie on rock only, on all of it, and on each square once."""
    legend = {"b": SeaSign(buoy="red")} if "b" in "".join(rows) else {}
    drawing = scenario_file.read_map("\n".join(rows), legend, FORM.usual, "map")
    south_first = rows[::-1]
    covered = [
        (x, y)
        for thing in drawing.things
        if thing.sign.rock
        for x in range(thing.rectangle.x, thing.rectangle.x + thing.rectangle.width)
        for y in range(thing.rectangle.y, thing.rectangle.y + thing.rectangle.length)
    ]
    drawn = [
        (x, y) for y, row in enumerate(south_first) for x, sign in enumerate(row) if sign == "#"
    ]
    assert sorted(covered) == sorted(drawn)
    assert len([thing for thing in drawing.things if thing.sign.buoy]) == "".join(rows).count("b")


@given(st.lists(st.text("#~", min_size=4, max_size=4), min_size=1, max_size=12))
def test_a_map_that_is_written_shows_what_was_drawn(rows):
    signs = [sign for row in rows[::-1] for sign in row]
    lines = text_map(4, signs, {"#": "rock", "~": "sea", "b": "buoy"}).split("\n")
    assert [line[5:] for line in lines[: len(rows)]] == rows
    assert lines[len(rows)] == "     0"
    assert {line.strip() for line in lines[len(rows) + 1 :]} == {
        f"{sign} {meaning}" for sign, meaning in (("#", "rock"), ("~", "sea")) if sign in signs
    }


def test_rows_and_columns_are_numbered():
    lines = text_map(11, ["~"] * 66, {}).split("\n")
    assert [line[:4].strip() for line in lines[:6]] == ["5", "", "", "", "", "0"]
    assert lines[6].split() == ["0", "10"]
    lines = text_map(11, ["~"] * 66, {}, (3, 6)).split("\n")
    assert lines[0].startswith("  30 ~")
    assert lines[6].split() == ["0", "30"]


def test_a_scenario_that_ships_goes_before_a_file_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duel").write_text("")
    shipped = ShippedScenarios("brickphys.bow", lambda _, name: replace(read(), title=name))
    assert shipped.find("duel").title == "duel.toml"
    assert shipped.find("./duel").title == "./duel"
    assert shipped.titles()["duel"] == "duel.toml"


def test_shipped_scenarios_are_read_when_they_are_asked_for():
    asked = []

    def parse(text, name):
        asked.append(name)
        return read()

    shipped = ShippedScenarios("brickphys.bow", parse)
    assert "duel" in shipped
    assert len(shipped) == len(list(shipped))
    assert asked == []
    assert shipped["duel"] is shipped.scenario("duel").setup
    assert asked == ["duel.toml"]
    with pytest.raises(InvalidValueError, match="unknown scenario 'dual': did you mean 'duel'"):
        shipped.scenario("dual")
    with pytest.raises(KeyError):
        shipped["dual"]


def test_a_map_of_too_many_signs_is_refused_before_it_is_read():
    with pytest.raises(InvalidValueError, match="sea: map: more than 100,000 signs"):
        scenario_file.read_map("." * (scenario_file.MOST_SIGNS + 1), {}, FORM.usual, "sea")
