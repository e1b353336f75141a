from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.shapes.brick import BrickDimensions
from brickphys.shapes.catalogue import SHAPE_EXAMPLES, parse_shape

sizes = st.floats(0.5, 500.0)


@pytest.mark.parametrize("name", SHAPE_EXAMPLES)
def test_names_round_trip(name):
    assert parse_shape(name).name == name


@given(sizes, sizes, sizes)
def test_any_size_round_trips(a, b, c):
    for text in (f"cuboid:{a!r}x{b!r}x{c!r}", f"d6:{a!r}", f"coin:{a!r}x{b!r}"):
        body = parse_shape(text)
        assert parse_shape(body.name).name == body.name
        assert parse_shape(body.name).mass_g == body.mass_g


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4x2", "2x4"),
        (" 2X2 ", "2x2"),
        ("plate:8x1", "plate:1x8"),
        ("2\N{MULTIPLICATION SIGN}3", "2x3"),
        ("D6:16.0", "d6:16"),
        ("coin:1e1x2", "coin:10x2"),
    ],
)
def test_other_spellings_mean_the_same(text, name):
    assert parse_shape(text).name == name


def test_dimensions_apply_to_bricks_and_plates_only():
    heavy = BrickDimensions(density_g_cm3=2.1)
    for name in ("2x2", "plate:2x2"):
        assert parse_shape(name, heavy).mass_g == pytest.approx(2 * parse_shape(name).mass_g)
    assert parse_shape("d6:16", heavy).mass_g == parse_shape("d6:16").mass_g


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9x9", "'2x8'"),
        ("3x3", "'2x3'"),
        ("0x2", "'1x2'"),
        ("plate:1x9", "'1x8'"),
        ("", "expected something like 2x2"),
        (":", "expected something like 2x2"),
        ("2x", "did you mean"),
        ("-1x2", "known: 2x2"),
        ("2x2x2", "did you mean '2x2'"),
        ("cubiod:1x2x3", "did you mean 'cuboid'"),
        ("tetra.OBJ", "a mesh needs a body file (.toml)"),
        ("tetra.stl:r1", "a mesh needs a body file (.toml)"),
        ("body.toml:r1", "of a body file is set by --edge-radius-mm or in it"),
        ("sphere:3", "unknown kind of shape 'sphere'"),
        ("d6", "sizes are missing, as in d6:A"),
        ("d6:", "'' is not a positive number"),
        ("d6:1x2", "2 sizes where d6:A has 1"),
        ("coin:1x2x3", "3 sizes where coin:DxT has 2"),
        ("cuboid:1x2", "2 sizes where cuboid:AxBxC has 3"),
        ("cuboid:nanx1x1", "'nan' is not a positive number"),
        ("cuboid:1x1xinf", "'inf' is not a positive number"),
        ("cuboid:-1x1x1", "'-1' is not a positive number"),
        ("cuboid:0x1x1", "outside 0.5 mm to 500 mm"),
        ("cuboid:1x1x501", "outside 0.5 mm to 500 mm"),
        ("d6:1e999", "outside 0.5 mm to 500 mm"),
        ("plate:2.5x2", "such as plate:2x2"),
        ("d6:1_0", "'1_0' is not a positive number"),
    ],
)
def test_bad_names_get_one_clear_line(text, words):
    with pytest.raises(InvalidValueError) as caught:
        parse_shape(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=30))
def test_nothing_but_an_invalid_value_error_comes_out(text):
    with suppress(InvalidValueError):
        assert parse_shape(text).mass_g > 0
