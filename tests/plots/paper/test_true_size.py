"""Sizes in the files to print, parsed from SVG and PDF, in mm; rectangles on pages are apart."""

import re
import xml.etree.ElementTree as ElementTree
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.cli.shared.output import figure_bytes
from brickphys.errors import InvalidValueError
from brickphys.odds.answer import odds_card
from brickphys.odds.law_choice import named_law
from brickphys.plots.army import FootprintPart, army_layout, footprint_parts
from brickphys.plots.paper import PAPERS, odds_card_figure, shelved
from brickphys.rules import registry
from brickphys.rules.report.sheets import ArmyUnit, Footprint

POINT_MM = 25.4 / 72
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
LAW = named_law("default")
CARD = odds_card(*LAW)


def layout(*words, paper="a4", game="bow"):
    found = registry.game(game)
    return army_layout(found.army(words), registry.painter(found), paper)


def pages(*words, paper="a4", game="bow"):
    return layout(*words, paper=paper, game=game).draw(*LAW)


def svg_sizes(content):
    """Size of the paper and of everything that has a name, in mm."""
    root = ElementTree.fromstring(content)
    sizes = {"paper": tuple(float(root.get(key)[:-2]) * POINT_MM for key in ("width", "height"))}
    assert root.get("viewBox").split()[2:] == [root.get(key)[:-2] for key in ("width", "height")]
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        name = group.get("id")
        if re.match("ruler|plate-|footprint-", name or ""):
            (path,) = group
            assert path.get("transform") is None
            numbers = [float(one) * POINT_MM for one in re.findall(NUMBER, path.get("d"))]
            across, up = numbers[::2], numbers[1::2]
            sizes[name] = (max(across) - min(across), max(up) - min(up))
    return sizes


def pdf_sizes(content):
    """Sizes of the papers, and of all paths of straight lines, in mm."""
    papers = {
        tuple(float(one) * POINT_MM for one in found.split()[2:])
        for found in re.findall(rb"/MediaBox \[([^\]]*)\]", content)
    }
    sizes = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL):
        try:
            text = zlib.decompress(stream).decode("latin-1")
        except zlib.error:
            continue
        for path in re.findall(rf"{NUMBER} {NUMBER} m\n(?:{NUMBER} {NUMBER} l\n)+", text):
            numbers = [float(one) * POINT_MM for one in re.findall(NUMBER, path)]
            across, up = numbers[::2], numbers[1::2]
            sizes.append((max(across) - min(across), max(up) - min(up)))
    return papers, sizes


def has(sizes, width, height):
    """Whether something has a size, to a thousandth of a mm."""
    return any(size == pytest.approx((width, height), abs=1e-3) for size in sizes)


def test_an_army_is_in_true_size():
    content = figure_bytes(pages("trooper=4", "horse"), "svg")
    assert b"dc:date" not in content
    sizes = svg_sizes(content)
    expected = {
        "paper": PAPERS["a4"],
        "ruler": (100.0, 0.0),
        "plate-trooper": (6 * 8.0, 8 * 8.0),
        "plate-horse": (6 * 8.0, 8 * 8.0),
        "footprint-trooper": (8.0, 8.0),
        "footprint-horse": (6 * 8.0, 16.0),
    }
    assert sizes.keys() == expected.keys()
    for name, size in expected.items():
        assert sizes[name] == pytest.approx(size, abs=1e-3), name


@pytest.mark.slow
def test_sheets_with_more_rows_and_vehicles_are_in_true_size_on_letter_paper():
    names, checked = ("wizard", "jedi", "truck", "tank", "horse"), 0
    for figure in pages(*names, paper="letter"):
        sizes = svg_sizes(figure_bytes([figure], "svg"))
        assert sizes.pop("paper") == pytest.approx(PAPERS["letter"], abs=1e-3)
        assert sizes.pop("ruler") == pytest.approx((100.0, 0.0), abs=1e-3)
        for name, size in sizes.items():
            what, _, sheet = name.partition("-")
            (unit,) = registry.game("bow").army(sheet).units
            expected = unit.footprint.size_mm
            if what == "plate":
                expected = (48.0, 8.0 * len(unit.sheet.plate.rows))
            assert sorted(size) == pytest.approx(sorted(expected), abs=1e-3), name
            checked += 1
    assert checked == 2 * len(names)


@pytest.mark.slow
def test_a_page_is_the_same_file_each_time_and_a_pdf_is_in_true_size():
    for kind in ("svg", "pdf"):
        contents = [figure_bytes(pages("trooper", "horse"), kind) for _ in range(2)]
        assert contents[0] == contents[1]
    assert b"CreationDate" not in contents[0]
    papers, sizes = pdf_sizes(contents[0])
    (size,) = papers
    assert size == pytest.approx(PAPERS["a4"], abs=1e-2)
    assert has(sizes, 100.0, 0.0)
    assert has(sizes, 48.0, 16.0)
    assert has(sizes, 8.0, 8.0)


@pytest.mark.parametrize("paper", [pytest.param("a6", marks=pytest.mark.slow), "index"])
def test_a_card_has_the_size_of_its_paper_and_its_texts_lie_apart(paper):
    figure = odds_card_figure(CARD, paper)
    width, height = figure.get_size_inches() * 25.4
    assert (width, height) == pytest.approx(PAPERS[paper])
    assert_apart(figure)


@pytest.mark.slow
def test_the_widest_words_of_an_army_lie_apart_on_the_paper():
    for figure in pages("rocketeer=10000", "repair_droid", "wizard"):
        assert_apart(figure)


def assert_apart(figure):
    """No text of a page reaches beyond the paper or into another."""
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
    assert boxes
    for number, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
        for other in boxes[:number]:
            wide = min(box.x1, other.x1) - max(box.x0, other.x0)
            high = min(box.y1, other.y1) - max(box.y0, other.y0)
            # boxes have room for letters that reach below the line
            assert min(wide, high) < 0.35 * min(box.height, other.height)


def test_a_large_army_needs_several_pages_and_what_is_larger_than_the_paper_none(tmp_path):
    assert layout("trooper", "horse").pages == 1
    assert layout("truck", "tank", "jeep", "catapult").pages == 2
    path = tmp_path / "big.toml"
    text = '[[vehicle]]\nname = "ark"\nbase = "rowing_boat"\nlength_studs = 30\nwidth_studs = 4\n'
    path.write_text(text)
    assert layout(str(path)).pages == 1  # its footprint is turned by a quarter
    path.write_text(text.replace("30", "35"))
    ark = layout(str(path))
    parts = [piece for piece in ark.pieces if isinstance(piece, FootprintPart)]
    assert [part.part_mm for part in parts] == [(140.0, 32.0)] * 2
    path.write_text(text.replace("30", "900"))
    with pytest.raises(InvalidValueError, match="ark: its footprint in true size has 27 parts"):
        layout(str(path))


@given(st.tuples(st.floats(11, 1000), st.floats(11, 600)))
def test_the_parts_of_a_footprint_fit_on_the_paper_and_make_up_the_whole(size):
    room = 196.0, 268.0
    parts = list(footprint_parts(ArmyUnit("ark", 1, footprint=Footprint(size)), room))
    columns, rows = parts[0].parts
    assert len(parts) == columns * rows
    assert sorted(part.number for part in parts) == [
        (column, row) for column in range(columns) for row in range(rows)
    ]
    wide, high = parts[0].part_mm
    assert wide <= room[0] + 1e-5
    assert high <= room[1] + 1e-5
    assert sorted((wide * columns, high * rows)) == pytest.approx(sorted(size))


def test_a_ship_in_parts_is_in_true_size():
    """Each part has the outline of the whole hull, of which the paper shows its part."""
    (content,) = (
        figure_bytes([page], "svg") for page in pages("red_beards_runner", game="pirate_wars")
    )
    sizes = svg_sizes(content)
    hulls = [sizes[name] for name in sizes if name.startswith("footprint-")]
    assert len(hulls) == 2
    for hull in hulls:
        assert sorted(hull) == pytest.approx([80.0, 320.0], abs=1e-3)


def test_figures_and_things_are_in_true_size():
    content = figure_bytes(pages("soldier,sword", "big_catapult", game="minifig"), "svg")
    sizes = svg_sizes(content)
    assert sizes["footprint-soldier,sword"] == pytest.approx((16.002, 16.002), abs=1e-3)
    assert sizes["footprint-big_catapult"] == pytest.approx((64.0, 40.0), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "words"),
    [
        (
            "minifig",
            ("soldier,sword,shield,helmet,plate=12", "soldier,spear,mounted,black", "wagon"),
        ),
        ("pirate_wars", ("imperial_flagship_large", "renegade_runner", "captain")),
        ("blade_and_bow", ("hoplite=12", "light_cavalry=3", "archers")),
    ],
)
def test_the_texts_of_the_pages_of_a_game_lie_apart_on_the_paper(game, words):
    for figure in pages(*words, game=game):
        assert_apart(figure)


ROOM = 100.0, 150.0
GAP = 2.0
SIZES = st.lists(st.tuples(st.floats(1, ROOM[0]), st.floats(1, ROOM[1])), min_size=1, max_size=12)


@given(SIZES)
def test_all_lie_in_the_room_and_apart(sizes):
    boxes = [
        (place.page, place.x, place.y, place.x + wide, place.y + high)
        for place, (wide, high) in zip(shelved(sizes, ROOM, GAP), sizes, strict=True)
    ]
    for number, (page, left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        assert right <= ROOM[0] + 1e-9
        assert bottom <= ROOM[1] + 1e-9
        for other in boxes[:number]:
            apart = right <= other[1] or other[3] <= left or bottom <= other[2] or other[4] <= top
            assert page != other[0] or apart
    pages = {box[0] for box in boxes}
    assert pages == set(range(len(pages)))


def test_rectangles_are_read_in_their_order_unless_that_needs_more_pages():
    sizes = [(30.0, 20.0), (60.0, 40.0), (40.0, 60.0), (50.0, 10.0)]
    places = shelved(sizes, ROOM, GAP)
    assert places == sorted(places, key=lambda place: (place.page, place.y, place.x))
    assert {place.page for place in places} == {0}
    loose = [(90.0, 60.0), (40.0, 100.0), (90.0, 25.0), (40.0, 48.0)] * 2
    packed = shelved(loose, ROOM, GAP)
    assert packed != sorted(packed, key=lambda place: (place.page, place.y, place.x))


def test_a_page_is_filled_before_the_next_begins():
    places = shelved([(48.0, 70.0)] * 5, ROOM, GAP)
    assert [place.page for place in places] == [0, 0, 0, 0, 1]
    assert len({(place.x, place.y) for place in places[:4]}) == 4
