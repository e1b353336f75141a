"""Maps in characters: as plain text, with numbers of choices on them, whole and in part."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.rules.players.prompt import MarkedMap
from brickphys.rules.report import char_map
from brickphys.rules.report.story import Status, map_in, status_text

ROWS = ("A..b", "..1#", "....")
MEANINGS = {"#": "rock", "1": "1 brick high", "T": "tree"}


def chart(rows=ROWS, square=(1, 1)):
    """A map of rows from the top, on which A is of the first player and b of the second."""
    signs = [sign for row in reversed(rows) for sign in row]
    return char_map.text_map(
        len(rows[0]), signs, MEANINGS, square, inks={"A": 0, "b": 1, "#": char_map.Ink.STONE}
    )


def marked(places, rows=ROWS, here=None, square=(1, 1)):
    return MarkedMap.of(chart(rows, square).layout, places, here)


def test_a_map_as_text_is_what_it_draws_without_marks():
    shown = chart()
    assert shown == "\n".join(shown.layout.lines())
    assert shown.splitlines() == [
        "     A..b",
        "     ..1#",
        "   0 ....",
        "     0",
        "     # rock",
        "     1 1 brick high",
    ]


def test_numbers_stand_in_their_squares_and_behind_units():
    lines = marked([(1, 0), (3, 2), (3, 2), None, (2, 1)]).whole()
    assert lines == [
        "     A   .   .   b2+",
        "     .   .   5   #",
        "   0 .   1   .   .",
        "     0",
        "     # rock",
        "     numbers: choices of the list, + several choices",
    ]


def test_a_sign_that_is_a_digit_is_no_number_of_the_list():
    text = "\n".join(marked([(0, 0)]).whole())
    assert "¹" in text
    assert "     ¹ 1 brick high" in text
    assert text.count("1") == 2  # the mark, and the word in the legend


def test_tones_are_those_of_players_marks_and_ground():
    line = marked([(3, 2)]).whole()[0]
    tones = {line[start:end]: tone for start, end, tone in line.spans}
    assert tones["A"] == 0
    assert tones["b"] == 1
    assert tones["1"] is char_map.Ink.MARK


def test_a_part_shows_what_is_near_the_marks_and_who_acts():
    rows = ["." * 40] * 20
    part = marked([(10, 10), (12, 10)], rows, here=(11, 9)).part()
    assert len(part) == 7  # two rows around, and the ruler
    assert part[-1].split() == ["0", "5", "10", "15", "20"]
    assert any("1" in line and "2" in line for line in part)


def test_a_part_never_is_wider_than_the_screen():
    rows = ["." * 60] * 6
    places = [(x, 3) for x in range(60)]
    for columns in (20, 40, 80):
        lines = marked(places, rows, here=(30, 3)).part(columns)
        assert max(map(len, lines)) <= columns


def test_where_there_is_no_room_the_next_number_tells_that_there_are_more():
    rows = ["." * 10] * 8
    places = [None] * 9 + [(2, 2), (2.5, 2), (3, 2)]
    lines = marked(places, rows, square=(0.5, 1)).part(legend=True)
    (row,) = [line for line in lines if "10+" in line]
    assert "11" not in row


def test_where_units_look_is_shown_where_there_is_room():
    signs = ["A", ".", ".", "b"]
    looks = char_map.text_map(4, signs, {}, inks={"A": 0, "b": 1}, arrows={0: "→", 3: "↙"})
    assert looks.splitlines()[0] == "   0 A..b"
    shown = MarkedMap.of(looks.layout, [(0, 0), (2, 0)], None)
    assert shown.whole()[0] == "   0 A→1 .   2   b↙"
    assert "     arrows: facings of units" in shown.whole()
    assert shown.whole(21) == shown.whole()
    assert shown.whole(20)[0] == "   0 A1 .  2  b↙"  # an arrow goes where its number needs the room
    assert shown.whole(13)[0] == "   0 A1. 2 b↙"
    assert shown.whole(9)[0] == "   0 A1+b"


def test_a_number_covers_empty_squares_where_there_is_no_other_room():
    shown = marked([*[None] * 9, (1, 0)], ["...."])
    assert shown.whole(13)[0] == "   0 . 10. ."
    assert shown.whole(9)[0] == "   0 .10."


@given(
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 19)), max_size=300),
    st.tuples(st.integers(0, 39), st.integers(0, 19)),
    st.sampled_from([60, 100, 110, 140, 200]),
)
def test_columns_stay_where_they_are_whatever_is_asked(places, here, columns):
    """The ruler of the whole map is the same with any numbers on it; a part has always as many columns."""
    rows = ["." * 40] * 20
    plain, asked = marked([], rows), marked(places, rows, here)
    ruler = plain.whole(columns)[20]
    assert asked.whole(columns)[20] == ruler
    *part, shown = asked.part(columns)
    if asked.has_room(columns):
        assert shown == ruler
    else:
        end = 5 + (columns - 5) // 4 * 4
        assert all(end - 4 < len(line) <= end for line in part)


def test_a_part_goes_on_by_leaps_when_the_unit_walks():
    """Of a map that is wider than the screen: from one step to the next mostly nothing moves."""
    rows = ["." * 90] * 20
    starts = []
    for x in range(20, 60):
        places = [(column, 10) for column in range(x - 5, x + 6)]
        part = marked(places, rows, here=(x, 10)).part(100)
        assert all(any(f" {n}" in line for line in part) for n in range(1, 12))
        starts.append(int(part[-1].split()[0]))
    moves = sum(one != other for one, other in pairwise(starts))
    assert moves <= 9


def test_all_choices_of_a_walk_in_the_open_are_shown():
    """121 studs, each with its own number; the unit's own loses only the arrow."""
    rows = ["." * 20 for _ in range(15)]
    rows[7] = "." * 9 + "A" + "." * 10
    places = [(x, y) for y in range(2, 13) for x in range(4, 15)]
    shown = " ".join(marked(places, rows, here=(9, 7)).part(100)).split()
    numbers = {word.lstrip("A") for word in shown}
    assert {str(number) for number in range(1, 122)} <= numbers


def test_a_place_beyond_the_map_has_no_square():
    layout = chart().layout
    assert layout.cell_of((-0.1, 0)) is None
    assert layout.cell_of((4, 0)) is None
    assert layout.cell_of((3.9, 2.9)) == (3, 2)


@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 7)), max_size=9),
    st.sets(st.tuples(st.integers(0, 11), st.integers(0, 7)), max_size=8),
)
def test_every_square_of_a_map_of_squares_shows_its_lowest_number(places, units):
    """And every unit is there: what is drawn between two blanks is the sign of a square, or its number."""
    names = iter("ABCDEFGH")
    signs = ["."] * 96
    for x, y in units:
        signs[y * 12 + x] = next(names)
    layout = char_map.MapLayout(
        signs=tuple(signs),
        rulers=char_map.Rulers(tuple(f"{y:>2} " for y in range(8)), tuple(map(str, range(12)))),
        inks=dict.fromkeys("ABCDEFGH", 0),
    )
    shown = MarkedMap.of(layout, places, None)
    assert len(shown.whole()[0]) <= 3 + 12 * 4
    for y in range(8):
        found = shown.whole()[7 - y][3:].replace(".", " ").split()
        expected = []
        for x in range(12):
            sign = signs[y * 12 + x].replace(".", "")
            numbers = [n for n, place in enumerate(places, start=1) if place == (x, y)]
            if sign or numbers:
                expected.append(sign + (char_map.mark_text(numbers) if numbers else ""))
        assert "".join(found) == "".join(expected)


def test_a_window_is_cut_out_of_the_map():
    lines = chart().layout.lines(window=char_map.Window(1, 1, 4, 3))
    assert lines[:2] == ["     ..b", "     .1#"]


@pytest.mark.parametrize("field", [chart(), status_text("Turn 1", chart(), ())])
def test_a_status_knows_its_map(field):
    text = status_text("Round 1", field, [[("", "unit"), ("A", "anna")]], ["a note"])
    assert isinstance(text, Status)
    assert map_in(text) == chart()
    assert text == f"Round 1\n\n{field}\n\n     unit\n  A  anna\n\na note"
    assert map_in("no map") is None
    assert status_text("Round 1", "..", ()).chart is None


def test_a_map_of_named_squares_has_its_names_above():
    rulers = char_map.Rulers(("2  ", "1  "), ("A", "B"), every=1, above=True)
    layout = char_map.MapLayout(
        signs=(".", "U→", "x", "."), rulers=rulers, wide=4, notes=("", "  x y")
    )
    assert str(char_map.CharMap(layout)) == "\n".join(
        ["   A1  B1", "1  x   .", "2  .   U→", "", "  x y"]
    )
    assert char_map.joined(layout.lines(), "\n") == char_map.CharMap(layout)
    assert layout.lines(window=char_map.Window(0, 0, 2, 1), legend=False)[0] == "   A2  B2"
