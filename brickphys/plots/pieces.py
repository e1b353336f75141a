"""Pieces on a field: figures, vehicles and objects in the colours of their players, with their names beside them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from string import digits
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, RegularPolygon

from brickphys.arrays import Array
from brickphys.geometry.polygon import unit_vector
from brickphys.plots.colors import array_of, player_rgb
from brickphys.plots.labels import Box, Label
from brickphys.plots.marks import Mark
from brickphys.text import spoken
from brickphys.vehicles.scene import Vehicle

_TURNS = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
MOST_NAMES = 18
"""Of more units pictures show the letters of the map, not the names, which would hide each other."""
ROUND = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
"""The outline of a circle of radius 1."""
SHADOW_A_PLATE = 0.045
"""Length of the shadow of a plate along x and along -y, in studs: light comes from the upper left."""


@dataclass(frozen=True)
class Figure:
    """A figure from above.

    Attributes
    ----------
    x, y
        Its middle.
    heading_deg
        Where it looks, counter-clockwise from +x.
    color
        Of its torso: one of `brickphys.plots.colors.player_colors`.
    name
        Written beside it.
    stud
        Length of a stud in the unit of the field: a figure is about as wide.
    """

    x: float
    y: float
    heading_deg: float
    color: str
    name: str = ""
    stud: float = 1.0


@dataclass(frozen=True)
class VehiclePiece:
    """A vehicle from above: its place in studs, the colour of its player, and the crew by seats."""

    vehicle: Vehicle
    color: str = "red"
    crew: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The text beside it."""
        name = spoken(self.vehicle.id)
        return f"{name} ({', '.join(self.crew)})" if self.crew else name


@dataclass(frozen=True)
class Tile:
    """An object that lies on the field: its middle and the name beside it."""

    x: float
    y: float
    name: str


@dataclass(frozen=True)
class Pieces:
    """What stands on a field.

    Attributes
    ----------
    marks
        What is drawn, the lowest first where it overlaps.
    labels
        Names, which are written beside the things that they name.
    taken
        More spaces that no label should cover.
    """

    marks: tuple[Mark, ...] = ()
    labels: tuple[Label, ...] = ()
    taken: tuple[Box, ...] = ()

    def __add__(self, other: "Pieces") -> "Pieces":
        """Return these and, above them, others."""
        return Pieces(
            self.marks + other.marks, self.labels + other.labels, self.taken + other.taken
        )


def pieces_of(
    figures: Sequence[Figure] = (),
    vehicles: Sequence[VehiclePiece] = (),
    tiles: Sequence[Tile] = (),
) -> Pieces:
    """Return figures, vehicles and objects with their names, the figures above all."""
    marks = [Mark(_draw_tile, (tile,)) for tile in tiles]
    marks += [Mark(_draw_vehicle, (piece,)) for piece in vehicles]
    marks += [Mark(_draw_figure, (figure,)) for figure in figures]
    halves = [0.6 * figure.stud for figure in figures]
    bodies = [Box(one.x, one.y, half, half) for one, half in zip(figures, halves, strict=True)]
    names = [
        Label(one.name, box, one.color)
        for one, box in zip(figures, bodies, strict=True)
        if one.name
    ]
    for piece in vehicles:
        space = Box.around(piece.vehicle.prism.footprint)
        names.append(Label(piece.label, space, piece.color))
    names += [Label(tile.name, Box(tile.x, tile.y, 0.45, 0.45)) for tile in tiles if tile.name]
    return Pieces(tuple(marks), tuple(names), tuple(bodies))


def letter_groups(named: Iterable[tuple[str, str]]) -> str:
    """Return what letters stand for, given as pairs with the names: ``A: reeve, B to E: archer``."""
    stems = [(letter, name.rstrip(digits).rstrip("_ ")) for letter, name in named]
    groups = ((name, [letter for letter, _ in run]) for name, run in groupby(stems, itemgetter(1)))
    return ", ".join(
        f"{' to '.join(dict.fromkeys([run[0], run[-1]]))}: {spoken(name)}" for name, run in groups
    )


def draw_polygons(polygons: Sequence[Array], ax: Axes, **style: Any) -> None:
    """Draw polygons of one style, each of shape (n, 2)."""
    ax.add_collection(PolyCollection(polygons, **style), autolim=False)


def draw_way(places: Sequence[Sequence[float]] | Array, ax: Axes, **style: Any) -> None:
    """Draw lines from place to place, or the markers of a style at them; limits of the axes stay as they are."""
    ax.add_artist(Line2D(*np.asarray(places, dtype=float).T, **style))


def draw_shadow(corners: Array, length: float, zorder: float, ax: Axes) -> None:
    """Draw the shadow of something, darkest at its foot; `length` is along x and along -y."""
    for shift in np.linspace(0.25, 1.0, 4) * length:
        shadow = corners + np.array([shift, -shift])
        draw_polygons([shadow], ax, facecolor="black", alpha=0.1, lw=0, zorder=zorder)


def _draw_vehicle(piece: VehiclePiece, ax: Axes) -> None:
    """Draw a vehicle: its body, and a windscreen and a nose towards its front."""
    vehicle, color = piece.vehicle, player_rgb(piece.color)
    corners = vehicle.prism.footprint.vertices_studs
    draw_shadow(corners, SHADOW_A_PLATE * vehicle.top_plates, 4.4, ax)
    draw_polygons([corners], ax, facecolor=color, edgecolor="black", lw=1.2, zorder=4.5)
    ahead = np.array(vehicle.heading)
    left = np.array([-ahead[1], ahead[0]])
    middle = np.array(vehicle.centre_studs)
    half_length, half_width = vehicle.length_studs / 2, 0.8 * vehicle.width_studs / 2
    screen = ((0.25, 1), (0.25, -1), (0.45, -0.85), (0.45, 0.85))
    nose = ((0.6, 0.45), (0.6, -0.45), (0.9, 0.0))
    for outline, facecolor in ((screen, array_of("glass")), (nose, "white")):
        polygon = [
            middle + along * half_length * ahead + aside * half_width * left
            for along, aside in outline
        ]
        style = {"facecolor": facecolor, "edgecolor": "black", "lw": 0.8, "zorder": 4.6}
        draw_polygons([np.array(polygon)], ax, **style)


def _draw_tile(tile: Tile, ax: Axes) -> None:
    diamond = RegularPolygon((tile.x, tile.y), 4, radius=0.42, fc="white", ec="black")
    diamond.set_zorder(5.45)
    ax.add_artist(diamond)


def _draw_figure(figure: Figure, ax: Axes) -> None:
    """Draw a figure from above: shoulders, hands in front of them, and a head with a nose to the front."""
    size, middle = figure.stud, np.array([figure.x, figure.y])
    ahead = size * np.array(unit_vector(figure.heading_deg))
    left = np.array([-ahead[1], ahead[0]])
    skin, color = array_of("yellow"), player_rgb(figure.color)
    at, shift = (figure.x + 0.12 * size, figure.y - 0.12 * size), 0.36
    ax.add_artist(Circle(at, 0.5 * size, fc="black", alpha=0.3, lw=0, zorder=6))
    outlines = [
        *(middle + shift * (ahead + side * left) + 0.13 * size * ROUND for side in (1, -1)),
        middle + ROUND * (0.31, 0.54) @ np.array([ahead, left]),
        np.array([middle + 0.2 * left, middle - 0.2 * left, middle + 0.5 * ahead]),
        middle + 0.28 * size * ROUND,
    ]
    fills = [skin, skin, color, skin, skin]
    draw_polygons(outlines, ax, facecolors=fills, edgecolors="black", lw=0.7, zorder=6.2)
