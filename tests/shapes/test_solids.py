import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from brickphys.shapes.solids import box, compose, cylinder, join

length = st.floats(0.5, 20.0)
place = st.tuples(*[st.floats(-20.0, 20.0)] * 3)


@given(place, st.tuples(length, length, length), place, st.tuples(length, length, length))
def test_two_boxes_match_the_integrals_over_their_meshes(at, size, there, other):
    meshes = [
        trimesh.creation.box(extents, trimesh.transformations.translation_matrix(centre))
        for centre, extents in ((at, size), (there, other))
    ]
    union = trimesh.util.concatenate(meshes)
    total = compose([box(at, size), box(there, other)], 1000.0)
    assert total.volume_mm3 == pytest.approx(union.volume)
    assert np.allclose(total.centre_mm, union.center_mass, atol=1e-8)
    near = 1e-9 * np.trace(union.moment_inertia) + 1e-5
    assert np.allclose(total.inertia_g_mm2, union.moment_inertia, rtol=1e-7, atol=near)


@given(place, st.tuples(length, length, length), length, length)
def test_cutting_out_what_was_added_leaves_the_rest(at, size, diameter, height):
    alone = compose([box((1, 2, 3), (4, 5, 6))], 1.0)
    parts = [box((1, 2, 3), (4, 5, 6))]
    parts += [box(at, size), box(at, size, -1)]
    parts += [cylinder(at, diameter, height), cylinder(at, diameter, height, -1)]
    total = compose(parts, 1.0)
    assert total.mass_g == pytest.approx(alone.mass_g)
    assert np.allclose(total.inertia_g_mm2, alone.inertia_g_mm2, atol=1e-7)


def test_cylinder_has_its_textbook_inertia():
    total = compose([cylinder((5, 0, 0), 4.0, 6.0)], 1000.0)
    across, along = total.mass_g * (3 * 2**2 + 6**2) / 12, total.mass_g * 2**2 / 2
    assert np.allclose(total.inertia_g_mm2, np.diag([across, across, along]))


@given(place, st.tuples(length, length, length), place, length, length, st.sampled_from([0, 1, 2]))
def test_joined_parts_of_one_material_are_the_composed_whole(
    at, size, there, diameter, height, axis
):
    solids = [box(at, size), cylinder(there, diameter, height, axis=axis)]
    whole = compose(solids, 1.05)
    joined = join(compose([solid], 1.05) for solid in solids)
    assert joined.mass_g == pytest.approx(whole.mass_g)
    assert np.allclose(joined.centre_mm, whole.centre_mm)
    assert np.allclose(joined.inertia_g_mm2, whole.inertia_g_mm2, atol=1e-9)
