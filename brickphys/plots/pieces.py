"""Pieces on a field: figures, vehicles and objects in the colours of their players, with their names beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Circle, Ellipse, RegularPolygon

from brickphys.arrays import Array
from brickphys.geometry.polygon import unit_vector
from brickphys.plots.colors import array_of
from brickphys.plots.labels import Box, Label, draw_labels
from brickphys.text import spoken
from brickphys.vehicles.scene import Vehicle

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
        Of its torso: a name of `brickphys.shapes.palette`.
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
    """A vehicle from above: its place in studs, the colour of its bricks, and the crew by seats."""

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


def draw_pieces(
    figures: Sequence[Figure],
    vehicles: Sequence[VehiclePiece],
    tiles: Sequence[Tile],
    labels: Sequence[Label],
    written: Sequence[Box],
    ax: Axes,
) -> None:
    """Draw pieces on a field, and write their names and other labels where they cover nothing.

    The other labels are placed before the names. No label should cover the spaces `written`. The limits of the axes are
    the field.
    """
    for tile in tiles:
        _draw_tile(tile, ax)
    for piece in vehicles:
        _draw_vehicle(piece, ax)
    for figure in figures:
        _draw_figure(figure, ax)
    halves = [0.6 * figure.stud for figure in figures]
    bodies = [Box(one.x, one.y, half, half) for one, half in zip(figures, halves, strict=True)]
    names = [Label(one.name, box) for one, box in zip(figures, bodies, strict=True) if one.name]
    names += [Label(piece.label, Box.around(piece.vehicle.prism.footprint)) for piece in vehicles]
    names += [Label(tile.name, Box(tile.x, tile.y, 0.45, 0.45)) for tile in tiles if tile.name]
    draw_labels([*labels, *names], [*bodies, *written], ax)


def short_name(name: str, players: Sequence[str]) -> str:
    """Return a name as it is read, without that of its player, which the colour shows."""
    for player in players:
        name = name.removeprefix(f"{player}_")
    return spoken(name)


def draw_polygons(polygons: Sequence[Array], ax: Axes, **style: Any) -> None:
    """Draw polygons of one style, each of shape (n, 2)."""
    ax.add_collection(PolyCollection(polygons, **style), autolim=False)


def draw_shadow(corners: Array, length: float, zorder: float, ax: Axes) -> None:
    """Draw the shadow of something, darkest at its foot; `length` is along x and along -y."""
    for shift in np.linspace(0.25, 1.0, 4) * length:
        shadow = corners + np.array([shift, -shift])
        draw_polygons([shadow], ax, facecolor="black", alpha=0.1, lw=0, zorder=zorder)


def _draw_vehicle(piece: VehiclePiece, ax: Axes) -> None:
    """Draw a vehicle: its body, and a windscreen and a nose towards its front."""
    vehicle, color = piece.vehicle, array_of(piece.color)
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
    skin, color = array_of("yellow"), array_of(figure.color)
    style = {"ec": "black", "lw": 0.7}
    x, y, shift = figure.x, figure.y, 0.12 * size
    ax.add_artist(Circle((x + shift, y - shift), 0.5 * size, fc="black", alpha=0.3, lw=0, zorder=6))
    for side in (1, -1):
        hand = tuple((middle + 0.36 * ahead + side * 0.36 * left).tolist())
        ax.add_artist(Circle(hand, 0.13 * size, fc=skin, zorder=6.1, **style))
    shoulders = Ellipse(
        (x, y), 0.62 * size, 1.08 * size, angle=figure.heading_deg, fc=color, **style
    )
    shoulders.set_zorder(6.2)
    ax.add_artist(shoulders)
    nose = np.array([middle + 0.2 * left, middle - 0.2 * left, middle + 0.5 * ahead])
    draw_polygons([nose], ax, facecolor=skin, edgecolor="black", lw=0.7, zorder=6.3)
    ax.add_artist(Circle((x, y), 0.28 * size, fc=skin, zorder=6.4, **style))
