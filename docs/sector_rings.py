"""Write img/sectors.png: from which side a car and a truck are hit, by each scheme.

python docs/sector_rings.py
"""

from collections.abc import Mapping, Sequence
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Polygon

from brickphys.geometry.motion import Translation
from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import rectangle, unit_vector
from brickphys.plots.charts import label
from brickphys.plots.vehicles import COLORS, draw_ring
from brickphys.units import Array
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, sector

BEARINGS_DEG = np.arange(-179.75, 180.0, 0.5)
HIT = (Vehicle("car", 0, 0, 90, 10, 6), Vehicle("truck", 0, 0, 90, 18, 6))
MOVER_STUDS = (10.0, 6.0)


def sectors_around(
    hit: Vehicle, length_studs: float, width_studs: float, bearings_deg: Sequence[float]
) -> dict[Scheme, list[Sector]]:
    """Return from which side a vehicle is hit by another that comes from each bearing, straight at its centre.

    Parameters
    ----------
    length_studs, width_studs
        Of the vehicle that comes.
    bearings_deg
        Where it comes from, off the heading of the vehicle that is hit.
    """
    size = (hit.length_studs, hit.width_studs)
    far = (hypot(*size) + hypot(length_studs, width_studs)) / 2
    obstacles = Obstacles.of([hit.prism])
    found: dict[Scheme, list[Sector]] = {scheme: [] for scheme in Scheme}
    for bearing in bearings_deg:
        outward = unit_vector(hit.heading_deg + bearing)
        start = (hit.x_studs + far * outward[0], hit.y_studs + far * outward[1])
        heading_deg = hit.heading_deg + bearing + 180.0
        shape = rectangle(*start, heading_deg, length_studs, width_studs)
        mover = (Prism(shape, hit.bottom_plates, hit.top_plates),)
        ahead = Translation(far, unit_vector(heading_deg))
        (touch,) = ahead.touches(mover, obstacles)
        edge = ahead.contact(mover, touch, obstacles).edge
        for scheme in Scheme:
            found[scheme].append(sector(scheme, bearing, *size, edge))
    return found


def draw_schemes(
    vehicle: Vehicle, bearings_deg: Array, sectors: Mapping[Scheme, Sequence[Sector]], ax: Axes
) -> None:
    """Draw the sectors by each scheme as rings around a vehicle.

    Parameters
    ----------
    bearings_deg : ndarray, shape (n,)
        Bearings of the mover off the heading, ascending and evenly spaced.
    sectors
        The sectors by each scheme for a mover that comes from there straight at the centre: n for each scheme.
    """
    inner = 0.55 * float(np.hypot(vehicle.length_studs, vehicle.width_studs))
    for number, (scheme, found) in enumerate(sectors.items()):
        low = inner * (1 + 0.32 * number)
        high = low + 0.27 * inner
        draw_ring(vehicle, bearings_deg, found, (low, high), 0.9, ax)
        x, y = vehicle.x_studs, vehicle.y_studs + (low + high) / 2
        box = {"facecolor": "white", "alpha": 0.8, "lw": 0, "pad": 1.5}
        ax.text(x, y, scheme.value, ha="center", va="center", fontsize=8, bbox=box)
    corners = vehicle.prism.footprint.vertices_studs
    ax.add_patch(Polygon(corners, facecolor="#c91a09", edgecolor="black"))
    style: dict[str, Any] = {"color": "white", "ha": "center", "va": "center", "weight": "bold"}
    ax.annotate(label(vehicle.id), (vehicle.x_studs, vehicle.y_studs), **style)
    reach = 2.1 * inner
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.set_axis_off()


def main() -> None:
    """Draw both vehicles, their fronts upwards, side by side."""
    figure = Figure(figsize=(10, 5.6), dpi=120, layout="constrained")
    for vehicle, ax in zip(HIT, figure.subplots(1, 2), strict=True):
        sectors = sectors_around(vehicle, *MOVER_STUDS, BEARINGS_DEG.tolist())
        draw_schemes(vehicle, BEARINGS_DEG, sectors, ax)
        size = f"{vehicle.length_studs:g} x {vehicle.width_studs:g} studs, front upwards"
        ax.set_title(f"{vehicle.id}: {size}", fontsize=10)
    figure.legend(
        handles=[Patch(color=color, label=side.value) for side, color in COLORS.items()],
        loc="outside lower center",
        ncols=len(COLORS),
        title="a vehicle of 10 x 6 studs that comes from there, straight at the centre, hits the sector",
        frameon=False,
    )
    figure.savefig(Path(__file__).parent / "img" / "sectors.png")


if __name__ == "__main__":
    main()
