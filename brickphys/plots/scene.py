"""Pictures of a compulsory move: footprints, the way, sectors, and where things touch."""

from math import atan2, degrees
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from brickphys.vehicles.polygon import Polygon
    from brickphys.vehicles.resolve import Hit, Move
    from brickphys.vehicles.scene import Scene, Thing, Vehicle

_BASE, _STUD = "#dfe8d5", "#d3dec7"
_MOVER, _VEHICLE, _UNIT, _DECOR, _WAY = "#0055bf", "#c91a09", "#f2cd37", "#8a8a86", "#9ec3e6"
_FRONT, _SIDE, _REAR = "#d55e00", "#e3b505", "#009e73"
_REACH = 0.8
"""How far sectors are drawn, in lengths of the vehicle."""


def draw_scene(scene: "Scene", move: "Move", ax: "Axes") -> None:
    """Draw a scene, the move of its vehicle, and what it hits.

    Parameters
    ----------
    scene
        Where everything stands.
    move
        What became of the move.
    ax
        Where to.
    """
    from brickphys.vehicles.scene import Kind

    _draw_field(scene, ax)
    _draw_way(scene.mover, move, ax)
    hit_ids = {hit.id for hit in move.hits}
    for _, kind, thing in scene.things():
        if thing.id == scene.mover_id:
            continue
        color = {Kind.UNIT: _UNIT, Kind.DECOR: _DECOR, Kind.VEHICLE: _VEHICLE}[kind]
        if kind is Kind.VEHICLE and thing.id in hit_ids:
            draw_sectors(thing, scene.scheme, ax)  # type: ignore[arg-type]
        _draw_thing(thing, color, ax)
    _draw_vehicle_arrow(scene.mover, ax)
    for number, hit in enumerate(move.hits, start=1):
        _draw_hit(number, hit, ax)
    ax.set_title(f"{move.vehicle_id}, speed {scene.mover.speed}: {_summary(move)}", fontsize=11)
