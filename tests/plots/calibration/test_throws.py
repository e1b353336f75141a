"""The pictures of throws show the path, the outlines and the shares that they were given."""

import numpy as np
import pytest

from brickphys.plots.throws import draw_throw
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import preset
from brickphys.throws.flight import States, fly, rotate
from brickphys.throws.release import release

FRAMES = 11


@pytest.fixture
def body():
    return parse_shape("2x2")


@pytest.fixture
def states(body):
    """One brick in free flight, a state every five milliseconds; shape (11, 1)."""
    start = release(body, preset("hand"), 3, (0,), 0, 1)[:, 0]
    frames = [fly(body, start, np.array([0.005 * i])) for i in range(FRAMES)]
    return States.concatenate(frames)[:, None]


def corners(ax):
    """Outlines in flight, at the start and at the end."""
    return [[path.vertices[:-1] for path in one.get_paths()] for one in ax.collections]


@pytest.mark.parametrize("radius", [0.0, 1.0])
def test_the_outline_is_the_shadow_of_the_hull(radius, states, ax):
    body = parse_shape("2x2", edge_radius_mm=radius)
    draw_throw(body, states, ax)
    way = states.position_mm[-1, 0, :2] - states.position_mm[0, 0, :2]
    ahead = way / np.linalg.norm(way)
    between, start, end = corners(ax)
    outlines = [*start, *between, *end]
    assert len(outlines) == FRAMES
    for frame, outline in enumerate(outlines):
        state = states[frame, 0]
        points = state.position_mm + rotate(state.quaternion, body.vertices_mm)
        shadow = np.column_stack([points[:, :2] @ ahead, points[:, 2]])
        # support in every direction of the picture is the same: one convex set
        angle = np.linspace(0, 2 * np.pi, 73)
        direction = np.array([np.cos(angle), np.sin(angle)])
        reach = (shadow @ direction).max(axis=0) + radius
        assert (outline @ direction).max(axis=0) == pytest.approx(reach, abs=0.02 * radius + 1e-9)


def test_fewer_outlines_keep_the_first_the_last_and_the_whole_path(body, states, ax):
    draw_throw(body, states, ax, every=4)
    assert list(map(len, corners(ax))) == [2, 1, 1]  # frames 4 and 8, the first and the last
    path = ax.lines[0]
    assert path.get_ydata() == pytest.approx(states.position_mm[:, 0, 2])
    travel = np.linalg.norm(states.position_mm[-1, 0, :2] - states.position_mm[0, 0, :2])
    assert np.ptp(path.get_xdata()) == pytest.approx(travel)
    middle = corners(ax)[2][0].mean(axis=0)
    assert middle == pytest.approx([path.get_xdata()[-1], path.get_ydata()[-1]], abs=5.0)


def test_everything_drawn_is_in_view_to_one_scale_with_the_floor(body, states, ax):
    draw_throw(body, states, ax)
    assert ax.get_aspect() == 1
    assert set(ax.lines[-1].get_ydata()) == {0}
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert bottom < 0
    for outline in (one for outlines in corners(ax) for one in outlines):
        assert left < outline[:, 0].min()
        assert outline[:, 0].max() < right
        assert outline[:, 1].max() < top


def test_bricks_thrown_together_are_all_drawn(body, ax):
    start = release(body, preset("hand"), 3, (0,), 0, 1)[:, :1].flat()
    pair = States.concatenate([start, fly(body, start, np.array([0.01]))])
    together = pair.map(lambda array: np.stack([array, array], axis=1))
    draw_throw(body, together, ax)
    *paths, _ = ax.lines
    assert list(map(len, [*corners(ax)[1:], paths])) == [2, 2, 2]


def test_a_brick_let_go_of_without_speed_is_drawn(body, states, ax):
    upright = np.array([0.0, 0.0, 0.0, 1.0])
    still = States(
        np.array([[[0.0, 0.0, z]] for z in (100.0, 50.0, 5.9)]),
        np.tile(upright, (3, 1, 1)),
        np.zeros((3, 1, 3)),
        np.zeros((3, 1, 3)),
    )
    draw_throw(body, still, ax)
    _, _, (end,) = corners(ax)
    assert np.ptp(end[:, 0]) == pytest.approx(15.8)
    assert np.ptp(end[:, 1]) == pytest.approx(11.3)  # 9.6 and a stud
