"""A film file gives flights, or the place of each fault."""

import numpy as np
import pytest

from brickphys.calibration.measure.film import read_film
from brickphys.errors import InvalidValueError

GOOD = """\
throw,frame,x,z,turns
a,10,0,200,0
a,12,20,195,
a,14,40,181,0.25
b,3,0,210,
b,4,5,209,
"""


def read(tmp_path, text, **how):
    path = tmp_path / "film.csv"
    path.write_text(text)
    return read_film(path, **{"fps": 100.0, **how})


def test_frames_become_times_and_places(tmp_path):
    first, second = read(tmp_path, GOOD)
    assert first.time_s == pytest.approx([0, 0.02, 0.04])
    assert first.position_mm.tolist() == [[0, 0, 200], [20, 0, 195], [40, 0, 181]]
    assert (first.turns, first.turns_s) == (0.25, pytest.approx(0.04))
    assert second.turns is None


def test_rows_of_the_picture_are_heights_above_the_table(tmp_path):
    upside_down = read(tmp_path, GOOD, mm_per_px=0.5, floor_px=1000.0)
    assert upside_down[0].position_mm[:, 2].tolist() == [400, 402.5, 409.5]
    assert upside_down[0].position_mm[:, 0].tolist() == [0, 10, 20]


def test_depth_is_read_where_it_is_filmed(tmp_path):
    found = read(tmp_path, "throw,frame,x,y,z\n1,0,0,5,9\n1,1,1,6,8\n2,0,0,0,9\n2,1,1,1,8\n")
    assert found[0].position_mm[:, 1].tolist() == [5, 6]
    assert np.all(found[1].position_mm[0] == [0, 0, 9])


def film(throws: int) -> str:
    rows = (
        f"{throw},{frame},{10 * frame}.00,{300 - 5 * frame}.00"
        for throw in range(throws)
        for frame in range(30)
    )
    return "\n".join(["throw,frame,x,z", *rows, ""])


def test_a_film_of_two_thousand_throws_is_read(tmp_path):
    text = film(2000)
    assert len(text) > 1_000_000  # once the limit
    flights = read(tmp_path, text)
    assert len(flights) == 2000
    assert flights[-1].position_mm[:, 0].tolist() == [10.0 * frame for frame in range(30)]


BAD = [
    ("", "the file is empty"),
    ("throw,frame,x\na,1,0\n", "column 'z' is missing"),
    ("throw,frame,x,z\n", "0 throws"),
    ("throw,frame,x,z\na,1,0,9\na,2,0,9\n", "1 throws"),
    ("throw,frame,x,z\na,1,0,9\nb,1,0,9\nb,2,0,9\n", "throw a: 1 frame; a speed needs at least 2"),
    ("throw,frame,x,z\na,1,nan,9\n", r"row 1 \(line 2\), column x: 'nan' is not a number"),
    ("throw,frame,x,z\na,-1,0,9\n", "column frame: '-1' is not a whole number"),
    ("throw,frame,x,z\na,1,0\n", "3 cells for 4 columns"),
    ("throw,frame,x,z\na,2,0,9\na,1,0,9\nb,1,0,9\nb,2,0,9\n", "throw a: frames do not ascend"),
    (
        "throw,frame,x,z\na,1,0,9\na,2,0,9\nb,1,0,9\nb,2,0,9\na,3,0,9\n",
        "the rows of throw a are not together",
    ),
    (GOOD.replace("0.25", "-1"), "'-1' is not a number of turns"),
    (GOOD.replace("12,20,195,", "12,20,195,1"), "throw a: turns decrease"),
    (GOOD.replace("200,0\n", "200,0.5\n"), "throw a: turns "),
    (GOOD.replace("0,200,0", "0,-20,0"), "throw a begins 20 mm below the table"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_faults_are_found(tmp_path, text, says):
    with pytest.raises(InvalidValueError, match=says) as found:
        read(tmp_path, text)
    assert "film.csv: " in str(found.value)


@pytest.mark.parametrize(
    "how", [{"fps": 0.0}, {"fps": float("nan")}, {"mm_per_px": -1.0}, {"floor_px": float("nan")}]
)
def test_impossible_settings_are_refused(tmp_path, how):
    with pytest.raises(InvalidValueError, match=next(iter(how)).replace("_", "-")):
        read(tmp_path, GOOD, **how)
