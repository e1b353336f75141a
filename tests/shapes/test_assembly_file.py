import pytest

from brickphys.errors import InvalidValueError
from brickphys.shapes.assembly import assembly, assembly_names, build_assembly

BLOCK = 'form = "block", at = [0, 0, 0], size = [4, 2, 3], colour = "red"'


def text(piece: str = BLOCK, kind: str = "decor", more: str = "") -> str:
    return f'kind = "{kind}"\nabout = "a test"\npieces = [{{ {piece} }}]\n{more}\n'


def test_names_are_sorted_and_parts_are_no_things():
    assert list(assembly_names()) == sorted(assembly_names())
    assert not {"bust", "steed", "seated", "mounted"} & set(assembly_names())


def test_an_unknown_thing_is_refused_with_the_nearest_name():
    with pytest.raises(InvalidValueError, match="unknown thing 'jep': did you mean 'jeep'"):
        assembly("jep")
    with pytest.raises(InvalidValueError, match="unknown thing 'bust'"):
        assembly("bust")


def test_copies_and_mirror_images_are_pieces_of_their_own():
    piece = f"{BLOCK}, copies = [[4, 0, 0], [0, 0, 3]], mirror = true"
    thing = build_assembly("x", text(piece))
    assert len(thing.hull.pieces) == 6
    assert (thing.length_studs, thing.width_studs, thing.top_plates) == (8, 4, 6)
    assert thing.mass_g == pytest.approx(6 * build_assembly("x", text()).mass_g)


def test_an_included_file_is_moved_turned_and_recoloured():
    front, back = (
        build_assembly(
            "x",
            text(
                more='[crew.rider]\ninclude = [{ of = "bust", at = [2, 1, 3], recolour = '
                f'{{ red = "green" }}, backwards = {backwards} }}]'
            ),
        ).crew[0]
        for backwards in ("false", "true")
    )
    assert {piece.colour for piece in front.pieces} == {"green", "yellow", "black", "brown"}
    eyes = [[p.corner[0] for p in body.pieces if p.colour == "black"] for body in (front, back)]
    assert min(eyes[0]) > 0 > max(eyes[1])
    assert front.prism == back.prism
    assert front.name == "x/rider"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("kind = ", r"x\.toml: not TOML: Invalid value"),
        (text(kind="ship"), r"x\.toml: kind: Input should be 'vehicle'"),
        (text(BLOCK + ", weight = 3"), r"x\.toml: pieces\.0\.weight: Extra inputs"),
        (text(BLOCK.replace("4", '"four"')), r"pieces\.0\.size\.0: .* valid number"),
        (text(BLOCK.replace("4", "nan")), r"pieces\.0\.size\.0: .* finite number"),
        (text(BLOCK.replace("red", "pink")), r"x\.toml: block at \[0, 0, 0\]: unknown colour"),
        (text(BLOCK.replace("block", "brick").replace("3]", "2]")), "not in whole studs"),
        (text(more="raised_plates = -1"), r"raised_plates: .* greater than or equal to 0"),
        (text(kind="part"), "x.toml is a part of other things"),
        (text(more='include = [{ of = "bist", at = [0, 0, 0] }]'), "did you mean 'bust'"),
        (text(more='[crew.a]\ninclude = [{ of = "bust", at = [0, 0, -8] }]'), "x/a is not exposed"),
    ],
)
def test_a_faulty_file_is_refused_with_its_name_and_place(content, fault):
    with pytest.raises(InvalidValueError, match=fault):
        build_assembly("x", content)


def test_a_file_cannot_include_itself():
    with pytest.raises(InvalidValueError, match="unknown file to include 'jeep'"):
        build_assembly("jeep", text(more='include = [{ of = "jeep", at = [0, 0, 0] }]'))


def test_the_outline_of_a_prism_may_be_a_closed_ring():
    outline = "[[0, 0], [1, 0], [0, 1]]"
    prism = text().replace('"brick"', '"prism"').replace("colour", f"outline = {outline}, colour")
    closed = prism.replace("[0, 1]]", "[0, 1], [0, 0]]")
    assert closed != prism
    assert build_assembly("x", closed).hull.pieces == build_assembly("x", prism).hull.pieces
