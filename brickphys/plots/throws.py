"""Throws: the flight of one brick, the share of many as it settles, their poses, and in what a body can rest."""

from collections.abc import Sequence
from math import isfinite, nan
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from scipy.spatial import ConvexHull

from brickphys.calibration.throw import Poses, Throws
from brickphys.odds.law import Law
from brickphys.plots import charts
from brickphys.shapes.body import Body
from brickphys.shapes.brick import regular_polygon
from brickphys.throws.flight import States, rotate
from brickphys.units import Array

_ROOM_MM = 12.0
"""Margin around what is drawn."""
_EDGE_SEGMENTS = 16
"""Corners of the circle that rounds an edge."""


def draw_throw(body: Body, states: States, ax: Axes, every: int = 1) -> None:
    """Draw the hulls of thrown bricks from the side at even times.

    The view is at a right angle to the travel of the first brick. Both axes get the same scale.

    Parameters
    ----------
    states : States, shape (frames, k)
        The bricks at even times, as `brickphys.engines.recording.record` gives them.
    every
        Frames from one outline to the next; the paths go through all frames.
    """
    way = ahead(states)
    outlines = [
        [_outline(body, states[frame, brick], way) for frame in _shown(len(states), every)]
        for brick in range(states.position_mm.shape[1])
    ]
    between = [outline for brick in outlines for outline in brick[1:-1]]
    _draw_outlines(between, charts.PALE_BLUE, charts.BLUE, 0.6, "in flight", ax)
    _draw_outlines([brick[0] for brick in outlines], "none", charts.GREEN, 2.0, "release", ax)
    _draw_outlines(
        [brick[-1] for brick in outlines], charts.VERMILION, charts.VERMILION, 2.0, "end", ax
    )
    along, height = states.position_mm @ way, states.position_mm[..., 2]
    ax.plot(along, height, color="0.35", linewidth=0.8, linestyle=":")
    ax.axhline(0, color="black", linewidth=1.5)
    _frame_throw(outlines, ax)


def _shown(frames: int, every: int) -> list[int]:
    """Return the frames with an outline: evenly spaced, the first and the last included."""
    return [*range(0, frames - 1, every), frames - 1]


def ahead(states: States) -> Array:
    """Return the horizontal direction of the first brick's travel, a unit vector."""
    way = states.position_mm[-1, 0] - states.position_mm[0, 0]
    way = np.array([way[0], way[1], 0.0])
    length = float(np.linalg.norm(way))
    return way / length if length > 0 else np.array([1.0, 0.0, 0.0])


def _outline(body: Body, state: States, ahead: Array) -> Array:
    """Return the corners of the body's shadow on the plane of the picture, in order, shape (n, 2)."""
    corners = state.position_mm + rotate(state.quaternion, body.vertices_mm)
    rounding = regular_polygon(body.edge_radius_mm, _EDGE_SEGMENTS)
    shadow = (np.column_stack([corners @ ahead, corners[:, 2]])[:, None] + rounding).reshape(-1, 2)
    return np.asarray(shadow[ConvexHull(shadow).vertices])


def _draw_outlines(
    outlines: Sequence[Array], face: str, edge: str, width: float, name: str, ax: Axes
) -> None:
    filling = to_rgba(face, 0.35) if face != "none" else face
    style: dict[str, Any] = {"edgecolors": edge, "linewidths": width, "label": name}
    ax.add_collection(PolyCollection(outlines, facecolors=filling, **style))


def _frame_throw(outlines: Sequence[Sequence[Array]], ax: Axes) -> None:
    corners = np.concatenate([outline for brick in outlines for outline in brick])
    (left, _), (right, top) = corners.min(axis=0), corners.max(axis=0)
    ax.set(xlim=(left - _ROOM_MM, right + _ROOM_MM), ylim=(-_ROOM_MM, top + _ROOM_MM))
    ax.set(aspect="equal", xlabel="along the throw (mm)", ylabel="height (mm)")
    ax.set_title("One throw, from the side")
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    charts.open_frame(ax)


_BAR = 0.8


def draw_poses(thrown: Law | Throws, ax: Axes) -> None:
    """Draw the share of each pose with its 95 % interval; the bars of poses that score have another colour."""
    bodies = sum(thrown.counts.values())
    places = range(len(thrown.counts))
    shares = [100 * count / bodies for count in thrown.counts.values()]
    ends = 100 * np.array(list(thrown.poses_ci95.values())).T
    colours = [
        charts.BLUE if pose in thrown.scoring else charts.PALE_BLUE for pose in thrown.counts
    ]
    ax.bar(places, shares, width=_BAR, color=colours)
    charts.draw_intervals(places, shares, ends, ax, fmt="none", ecolor="black", capsize=4)
    for place, share, high in zip(places, shares, ends[1].tolist(), strict=True):
        ax.text(place, high + 1, share_figure(share), ha="center", va="bottom")
    ax.set_xticks(places, [pose.replace("_", "\n") for pose in thrown.counts], fontsize=9)
    ax.set(ylim=(0, 1.12 * float(ends[1].max())), ylabel="share of single bodies (%)")
    ax.set_title("How a body stops")
    charts.open_frame(ax)


def throws_figure(thrown: Throws) -> Figure:
    """Return the share of each pose of some throws."""
    figure, ax = charts.one_chart(6.5, 4.5)
    draw_poses(thrown, ax)
    ax.set_ylabel("share of bodies (%)")
    ax.set_title(charts.heading(thrown.line().replace(": ", ":\n", 1)), fontsize=10)
    return figure


def poses_figure(poses: Poses) -> Figure:
    """Return the solid angle of each pose, and the height over which a body must rise to leave it."""
    figure = Figure(figsize=(8, 3.6), dpi=120, layout="constrained")
    left, right = figure.subplots(1, 2)
    names = [rest.pose.replace("_", "\n") for rest in poses.rests]
    left.bar(names, [100 * rest.solid_angle_share for rest in poses.rests], _BAR, color=charts.BLUE)
    left.set_ylabel("solid-angle share (%)")
    barriers = [rest.barrier_mm if isfinite(rest.barrier_mm) else nan for rest in poses.rests]
    right.bar(names, barriers, _BAR, color=charts.PALE_BLUE)
    right.set_ylabel("barrier (mm)")
    for ax in (left, right):
        charts.open_frame(ax)
    figure.suptitle(charts.heading(poses.line()), fontsize=10)
    return figure


def share_figure(share: float) -> str:
    """Return per cents; a share that is not 0 is never rounded to 0."""
    if share == 0:
        return "0"
    return f"{share:.1f}" if share >= 0.05 else "<0.1"
