"""A file of bricks thrown at home is read whole, or refused with row and column."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.calibration.home_counts import (
    HomeCounts,
    parse_home_counts,
    problems,
    read_home_counts,
)
from brickphys.calibration.posterior import side_hands
from brickphys.errors import CountsFileError
from brickphys.reading import MOST_COUNTS_BYTES

FULL = "bricks,score,surface,studs_up,studs_down,side,leaning\n"


@pytest.fixture
def written(tmp_path):
    def write(content, encoding="utf-8"):
        path = tmp_path / "counts.csv"
        path.write_bytes(content.encode(encoding))
        return path

    return write


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_ends_of_lines_blank_lines_and_a_mark_do_not_matter(written, end, encoding):
    counts = read_home_counts(written(f"bricks,score{end}3, 1{end}2,2{end}", encoding))
    assert counts.bricks.tolist() == [3, 2]
    assert counts.score.tolist() == [1, 2]
    assert counts.poses is None
    assert counts.surfaces is None


def test_a_text_is_read_as_a_file_is(written):
    text = "bricks,score\n3, 1\n2,2\n"
    found, filed = parse_home_counts(text, "typed"), read_home_counts(written(text))
    assert found.bricks.tolist() == filed.bricks.tolist()
    with pytest.raises(CountsFileError, match="typed: 1 fault: row 1"):
        parse_home_counts("bricks,score\n1,2\n", "typed")


def test_order_of_columns_and_other_columns_do_not_matter(written):
    counts = read_home_counts(written("who,score,bricks\nAnn,1,4\n"))
    assert (counts.bricks.tolist(), counts.score.tolist()) == ([4], [1])


def test_capitals_and_blanks_of_names_do_not_matter(written):
    text = "Bricks, Score ,SURFACE,Studs up,studs-down,Side\n3,1,Wood,1,1,1\n"
    counts = read_home_counts(written(text))
    assert counts.surfaces == ("wood",)
    assert counts.pose_totals() == {"studs_up": 1, "studs_down": 1, "side": 1, "leaning": 0}


def test_names_that_differ_in_capitals_only_are_one_column_twice():
    assert problems("bricks,score,Score\n3,1,1\n") == ["column 'score' occurs twice"]


def test_leaning_may_be_left_out(written):
    counts = read_home_counts(written("bricks,score,studs_up,studs_down,side\n3,1,1,1,1\n"))
    assert counts.pose_totals() == {"studs_up": 1, "studs_down": 1, "side": 1, "leaning": 0}


def test_hands_that_are_alike_are_counted_once_however_they_are_written(written):
    rows = ["3,1,wood,1,1,1,0", " 3 ,01,WOOD,1,1,1,-0", "2,1,wood,0,1,1,0", "", "3,1,wood,1,1,1,0"]
    counts = read_home_counts(written(FULL + "\n".join(rows) + "\n"))
    assert (counts.bricks.tolist(), counts.times.tolist()) == ([3, 2], [3, 1])
    assert (counts.hands, counts.thrown, counts.sides, counts.largest) == (4, 11, 4, 3)
    assert counts.scores() == {2: (0, 1, 0), 3: (0, 3, 0, 0)}
    one_by_one = HomeCounts(np.array([3, 3, 2, 3]), np.ones(4, dtype=int))
    for whole, each in zip(
        (side_hands(counts).above, side_hands(counts).bricks_above),
        (side_hands(one_by_one).above, side_hands(one_by_one).bricks_above),
        strict=True,
    ):
        np.testing.assert_array_equal(whole, each)


def test_of_many_faults_the_first_are_told(written):
    with pytest.raises(CountsFileError) as caught:
        read_home_counts(written("bricks,score\n" + "2,3\n" * 5000))
    assert "counts.csv: more than 1,000 faults: row 1 (line 2), column score" in str(caught.value)
    assert str(caught.value).endswith("and more")


def test_hands_are_told_apart_by_surface(written):
    rows = "2,1,cloth,1,0,1,0\n3,0,wood,1,1,0,1\n1,1,cloth,0,0,1,0\n"
    found = read_home_counts(written(FULL + rows)).by_surface()
    assert list(found) == ["cloth", "wood"]
    assert found["cloth"].bricks.tolist() == [2, 1]
    assert found["wood"].pose_totals()["leaning"] == 1
    assert found["cloth"].scores() == {1: (0, 1), 2: (0, 1, 0)}


@given(
    st.lists(
        st.integers(1, 60).flatmap(lambda k: st.tuples(st.just(k), st.integers(0, k))), min_size=1
    )
)
def test_every_hand_that_can_be_thrown_is_accepted(hands):
    text = "bricks,score\n" + "".join(f"{k},{score}\n" for k, score in hands)
    assert problems(text) == []


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text):
    assert all(
        isinstance(fault, str) for fault in problems("bricks,score\n" + text.replace("\r", ""))
    )


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("3,4,wood,0,0,4,0", "row 1 (line 2), column score: 4 of 3 bricks cannot stop on a side"),
        ("3,-1,wood,2,2,-1,0", "row 1 (line 2), column score: -1 is negative"),
        ("3,1.5,wood,1,1,1,0", "row 1 (line 2), column score: '1.5' is not a whole number"),
        ("3,,wood,1,1,1,0", "row 1 (line 2), column score: '' is not a whole number"),
        ("x,1,wood,1,1,1,0", "row 1 (line 2), column bricks: 'x' is not a whole number"),
        ("٣,1,wood,1,1,1,0", "row 1 (line 2), column bricks: '٣' is not a whole number"),
        ("0,0,wood,0,0,0,0", "row 1 (line 2), column bricks: 0 is outside 1..60"),
        ("61,1,wood,30,30,1,0", "row 1 (line 2), column bricks: 61 is outside 1..60"),
        ("3,1,wod,1,1,1,0", "column surface: unknown surface 'wod': did you mean 'wood'?"),
        ("3,1,wood,1,1,1,1", "+ side 1 + leaning 1: together 4, but column bricks has 3"),
        ("3,1,wood,0,1,2,0", "column side: 2, but column score has 1"),
        ("3,1,wood,1,1,1", "row 1 (line 2): 6 values for 7 columns"),
        ("3," + "9" * 5000 + ",wood,1,1,1,0", "has more than 9 digits"),
    ],
)
def test_a_fault_is_named_with_row_and_column(row, fault):
    (found, *_) = problems(FULL + row + "\n")
    assert fault in found
    assert len(found) < 160


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("bricks,score\n", "no throws below the header"),
        ("bricks\n3\n", "column 'score' is missing (the columns are 'bricks')"),
        ("bricks,scores\n3,1\n", "column 'score' is missing (is 'scores' meant for it?)"),
        ("score,bricks,score\n1,3,1\n", "column 'score' occurs twice"),
        ("bricks;score\n3;1\n", "separated by semicolons; write commas"),
        ("bricks\tscore\n3\t1\n", "separated by tabs"),
        ("bricks,score,side\n3,1,1\n", "'studs_up' and 'studs_down' missing among the columns"),
        ("bricks,score,leaning\n3,1,1\n", "and 'side' missing among the columns"),
        ('bricks,score\n"' + "a" * 200_000 + '",1\n', "not a CSV file"),
    ],
)
def test_a_file_that_is_no_table_of_throws_is_refused(written, content, fault):
    with pytest.raises(CountsFileError, match=re.escape(fault)):
        read_home_counts(written(content))


def test_what_is_no_readable_text_is_refused(tmp_path, written):
    for path in (tmp_path, tmp_path / "nowhere.csv"):
        with pytest.raises(CountsFileError, match="cannot be read"):
            read_home_counts(path)
    with pytest.raises(CountsFileError, match="UTF-8"):
        read_home_counts(written("bricks,score\n1,1\n", "utf-16"))
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(MOST_COUNTS_BYTES + 1)
    with pytest.raises(CountsFileError, match="larger than"):
        read_home_counts(huge)


def test_scores_add_up_to_the_hands(thrown):
    rng = np.random.default_rng(1)
    counts = thrown(rng, 50, rng.integers(1, 7, 50))
    assert sum(sum(row) for row in counts.scores().values()) == counts.hands == 50
    assert sum(k * n for row in counts.scores().values() for k, n in enumerate(row)) == counts.sides
