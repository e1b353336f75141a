"""Assemblies: bodies of pieces, and their files."""

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from brickphys.errors import InvalidValueError
from brickphys.shapes.assembly import assemble, assembly, assembly_names, build_assembly
from brickphys.shapes.brick import BRICK_DIMENSIONS, default_dimensions
from brickphys.shapes.export import colour_meshes
from brickphys.shapes.mesh import brick_mesh
from brickphys.shapes.piece import GRID_MM, ON_GRID, Piece, density_g_cm3, piece_mass, piece_mesh
from brickphys.units import PLATE_MM
from tests.cases import few

THINGS = [assembly(name) for name in assembly_names()]
BODIES = [body for thing in THINGS for body in thing.bodies]
coordinate = st.integers(-40, 40).map(lambda n: n / 4)
size = st.integers(1, 40).map(lambda n: n / 4)
blocks = st.lists(
    st.builds(
        Piece,
        st.just("block"),
        st.tuples(coordinate, coordinate, coordinate),
        st.tuples(size, size, size),
        st.just("red"),
    ),
    min_size=1,
    max_size=5,
)


def by_name(value) -> str:
    return value.name


def test_the_things_of_the_rules_are_there():
    wanted = {"horse", "jeep", "landspeeder", "truck", "tank", "snowspeeder", "catapult"}
    assert wanted | {"rowing_boat", "wall", "tree", "minifig"} == set(assembly_names())
    assert all(thing.about for thing in THINGS)


def test_a_minifig_is_a_stud_square_and_forty_millimetres_tall():
    figure = assembly("minifig")
    assert (figure.length_studs, figure.width_studs) == (1, 1)
    assert (figure.bottom_plates, figure.top_plates) == (0, 12.5)
    assert figure.hull.prism.size_mm[2] == 40.0
    assert 3.0 <= figure.mass_g <= 4.0  # what collectors weigh


@pytest.mark.parametrize(
    ("name", "length", "width", "top"), [("jeep", 10, 6, 9), ("wall", 1, 12, 15)]
)
def test_things_of_scene_files_have_the_size_that_scenes_assume(name, length, width, top):
    thing = assembly(name)
    assert (thing.length_studs, thing.width_studs, thing.top_plates) == (length, width, top)


def test_only_what_flies_or_hovers_is_off_the_ground():
    off = {thing.name for thing in THINGS if thing.bottom_plates > 0}
    assert off == {"snowspeeder", "landspeeder"}


@given(blocks, st.floats(0.0, 20.0))
def test_the_prism_is_the_box_around_the_pieces_and_the_origin_is_below_its_middle(pieces, raised):
    thing = assemble("x", "decor", "", pieces, raised_plates=raised)
    low = np.min([piece.corner for piece in pieces], axis=0)
    high = np.max([piece.high for piece in pieces], axis=0)
    prism = thing.hull.prism
    assert (prism.x_studs, prism.y_studs) == (0.0, 0.0)
    spans = (prism.length_studs, prism.width_studs, prism.top_plates - prism.bottom_plates)
    assert spans == pytest.approx(tuple(high - low))
    assert prism.bottom_plates == pytest.approx(raised, abs=1e-9)
    placed = np.array([piece.corner for piece in thing.hull.pieces])
    assert placed[:, :2].min(axis=0) == pytest.approx([-spans[0] / 2, -spans[1] / 2])


@given(blocks)
def test_the_whole_weighs_the_sum_of_its_pieces_wherever_it_stands(pieces):
    thing = assemble("x", "decor", "", pieces)
    parts = [piece_mass(piece) for piece in pieces]
    assert thing.mass_g == pytest.approx(sum(part.mass_g for part in parts))
    first = np.sum([part.mass_g * part.centre_mm for part in parts], axis=0) / thing.mass_g
    shift = (np.array(thing.hull.pieces[0].corner) - pieces[0].corner) * GRID_MM
    assert np.allclose(thing.hull.mass.centre_mm, first + shift, atol=1e-6)


@pytest.mark.parametrize(
    "body", few(sorted(BODIES, key=lambda body: len(body.pieces)), len(BODIES) - 7), ids=by_name
)
def test_mass_and_inertia_match_the_integrals_over_meshes_of_the_pieces(body):
    """The meshes are made apart from the closed forms: hollow bricks, hulls, rings of many corners."""
    centre = body.mass.centre_mm
    mass, moment, inertia = 0.0, np.zeros(3), np.zeros((3, 3))
    for piece in body.pieces:
        for triangles, density in hollow_meshes(piece):
            part = trimesh.triangles.mass_properties(
                triangles - centre, density=density, center_mass=np.zeros(3)
            )
            weight = density * trimesh.Trimesh(**trimesh.triangles.to_kwargs(triangles)).volume
            mass += weight
            moment += weight * np.asarray(trimesh.triangles.mass_properties(triangles).center_mass)
            inertia += part.inertia
    assert mass == pytest.approx(body.mass.mass_g, rel=1e-3)
    assert moment / mass == pytest.approx(centre, abs=0.02)
    assert np.allclose(inertia, body.mass.inertia_g_mm2, atol=2e-3 * inertia.max())


def hollow_meshes(piece: Piece) -> list[tuple[np.ndarray, float]]:
    """Return closed meshes (n, 3, 3) of a piece, and their densities in g/mm3."""
    middle = piece.low_mm + piece.size_mm / 2
    if piece.form in ON_GRID:
        return list(hollow_layers(piece, middle))
    if piece.form == "cylinder":
        mesh = ring_of_many_corners(piece)
        mesh.apply_translation(middle)
    elif piece.form == "prism":
        ends = [0.0, 1.0]
        corners = [np.insert(point, piece.axis_number, e) for point in piece.outline for e in ends]
        mesh = trimesh.Trimesh(piece.low_mm + np.array(corners) * piece.size_mm).convex_hull
    else:
        mesh = trimesh.creation.box(piece.size_mm)
        mesh.apply_translation(middle)
    density = density_g_cm3(piece.material) / 1000.0
    if piece.mass_g is not None:
        density = piece.mass_g / mesh.volume
    return [(mesh.triangles, density)]


def hollow_layers(piece: Piece, middle: np.ndarray):
    nx, ny, layer = round(piece.size[0]), round(piece.size[1]), ON_GRID[piece.form]
    prefix = "plate:" if layer == 1 else ""
    dimensions = default_dimensions(f"{prefix}{nx}x{ny}")
    count = round(piece.size[2] / layer)
    for index in range(count):
        mesh = brick_mesh(nx, ny, layer * PLATE_MM, dimensions)
        bottom = piece.low_mm[2] + index * layer * PLATE_MM
        triangles = mesh.vertices_mm[mesh.triangles] + [middle[0], middle[1], bottom]
        density = dimensions.density_g_cm3 / 1000.0
        yield triangles, density
        if piece.form == "tile" and index == count - 1:
            yield from studs_taken_off(nx, ny, dimensions, density, [middle[0], middle[1], bottom])


def studs_taken_off(nx, ny, dimensions, density, place):
    """Yield what a tile lacks of a plate: studs; and what it has more: the holes below them are filled."""
    ceiling = PLATE_MM - dimensions.top_mm
    for x in (np.arange(nx) - (nx - 1) / 2) * 8.0:
        for y in (np.arange(ny) - (ny - 1) / 2) * 8.0:
            stud, hole = dimensions.stud_height_mm, dimensions.hole_depth_mm
            disc = trimesh.creation.cylinder(dimensions.stud_diameter_mm / 2, stud, sections=256)
            yield disc.triangles + place + [x, y, PLATE_MM + stud / 2], -density
            if hole:
                plug = trimesh.creation.cylinder(
                    dimensions.hole_diameter_mm / 2, hole, sections=256
                )
                yield plug.triangles + place + [x, y, ceiling + hole / 2], density


def ring_of_many_corners(piece: Piece) -> trimesh.Trimesh:
    across = [axis for axis in range(3) if axis != piece.axis_number]
    radius, long = piece.size_mm[across[0]] / 2, piece.size_mm[piece.axis_number]
    ring = (
        trimesh.creation.annulus(piece.bore * radius, radius, long, sections=128)
        if piece.bore
        else trimesh.creation.cylinder(radius, long, sections=128)
    )
    turn = {0: [2, 0, 1], 1: [1, 2, 0], 2: [0, 1, 2]}[piece.axis_number]
    return trimesh.Trimesh(ring.vertices[:, turn], ring.faces)


@pytest.mark.parametrize("body", BODIES, ids=by_name)
def test_what_collides_is_the_box_around_what_is_drawn(body):
    """Without what overhangs; studs stick out at the top, and of the crew the part above the hull collides."""
    shown = [piece for piece in body.pieces if not piece.overhangs]
    meshes = colour_meshes(type(body)(body.name, tuple(shown), body.prism)).values()
    points = np.vstack([mesh.vertices_mm for mesh in meshes])
    low, high = (body.prism.centre_mm + sign * body.prism.size_mm / 2 for sign in (-1, 1))
    assert points.min(axis=0)[:2] == pytest.approx(low[:2], abs=1e-6)
    assert points.max(axis=0)[:2] == pytest.approx(high[:2], abs=1e-6)
    studs = points[:, 2].max() - high[2]
    assert studs == pytest.approx(0.0, abs=1e-6) or studs == pytest.approx(
        BRICK_DIMENSIONS.stud_height_mm
    )
    if "/" in body.name:
        assert points[:, 2].min() <= low[2] + 1e-6
    else:
        assert points[:, 2].min() == pytest.approx(low[2], abs=1e-6)


@pytest.mark.parametrize("body", BODIES, ids=by_name)
def test_every_surface_is_closed_and_seen_from_outside(body):
    for mesh in colour_meshes(body).values():
        solid = trimesh.Trimesh(mesh.vertices_mm, mesh.triangles, process=False)
        assert solid.is_watertight
        assert all(part.volume > 0 for part in solid.split())


@pytest.mark.parametrize("thing", THINGS, ids=by_name)
def test_prisms_of_hull_and_crew_touch_and_never_overlap(thing):
    hull = thing.hull.prism
    for member in thing.crew:
        assert member.prism.bottom_plates >= hull.top_plates
        assert abs(member.prism.x_studs) + member.prism.length_studs / 2 <= hull.length_studs / 2
        assert abs(member.prism.y_studs) + member.prism.width_studs / 2 <= hull.width_studs / 2
        assert (member.prism.length_studs, member.prism.width_studs) == (1, 1)


@pytest.mark.parametrize("thing", THINGS, ids=by_name)
def test_every_hull_would_stand_on_its_footprint(thing):
    x, y, z = thing.hull.mass.centre_mm - thing.hull.prism.centre_mm
    length, width, height = thing.hull.prism.size_mm
    assert abs(x) < 0.4 * length
    assert abs(y) < 0.1 * width
    assert abs(z) < 0.4 * height


def test_what_overhangs_is_weighed_and_not_met():
    block = Piece("block", (0, 0, 0), (4, 2, 3), "red")
    barrel = Piece("block", (4, 0, 5), (6, 1, 1), "red", overhangs=True)
    alone = assemble("x", "vehicle", "", [block])
    armed = assemble("x", "vehicle", "", [block, barrel])
    assert armed.hull.prism == alone.hull.prism
    assert armed.mass_g == pytest.approx(alone.mass_g + piece_mass(barrel).mass_g)


@pytest.mark.parametrize(
    ("corner", "fault"),
    [((0, 0, 0), "x/rider is not exposed: its top, 2 plates"), ((9, 0, 9), "beside the hull")],
)
def test_a_crew_that_is_hidden_or_beside_is_refused(corner, fault):
    hull = [Piece("block", (0, 0, 0), (2, 2, 3), "red")]
    rider = [Piece("block", corner, (1, 1, 2), "blue")]
    with pytest.raises(InvalidValueError, match=fault):
        assemble("x", "vehicle", "", hull, {"rider": rider})


def test_a_body_needs_a_piece_that_collides():
    with pytest.raises(InvalidValueError, match="no piece that collides"):
        assemble("x", "decor", "", [])


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.name)
def test_each_rigid_body_is_one_that_can_be(body):
    """Its volume is within its hull, its centre of mass, too, and no moment is above the sum of the others."""
    mass = body.mass
    corners = np.vstack([piece_mesh(piece).vertices_mm for piece in body.pieces])
    hull = ConvexHull(corners)
    assert mass.volume_mm3 <= hull.volume
    assert (hull.equations @ [*mass.centre_mm, 1.0]).max() < 0
    moments = np.linalg.eigvalsh(mass.inertia_g_mm2)
    assert 2 * moments.max() <= moments.sum()


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
