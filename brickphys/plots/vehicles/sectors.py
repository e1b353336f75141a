"""Pictures of the sectors of a vehicle: wedges around it, and the differences between schemes."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, Wedge

from brickphys.arrays import Array
from brickphys.plots.charts import BLUE, GREEN, VERMILION
from brickphys.plots.glyphs import label
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.sectors import Scheme, Sector, sector

COLORS = {Sector.FRONT: VERMILION, Sector.LEFT: "#56b4e9", Sector.RIGHT: BLUE, Sector.REAR: GREEN}
_BEARINGS_DEG = np.linspace(-180.0, 180.0, 1441)


def draw_sectors(vehicle: Vehicle, scheme: Scheme, ax: Axes) -> None:
    """Draw the sectors around a vehicle as wedges; for CONTACT those of a hit on a corner."""
    radius = sectors_radius_studs(vehicle)
    size = (vehicle.length_studs, vehicle.width_studs)
    found = [sector(scheme, bearing, *size) for bearing in _BEARINGS_DEG.tolist()]
    _draw_ring(vehicle, _BEARINGS_DEG, found, (0.0, radius), 0.25, ax)


def sectors_radius_studs(vehicle: Vehicle) -> float:
    """Return the radius of the wedges around a vehicle."""
    return 0.75 * float(np.hypot(vehicle.length_studs, vehicle.width_studs))


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
        _draw_ring(vehicle, bearings_deg, found, (low, high), 0.9, ax)
        x, y = vehicle.x_studs, vehicle.y_studs + (low + high) / 2
        box = {"facecolor": "white", "alpha": 0.8, "lw": 0, "pad": 1.5}
        ax.text(x, y, scheme.value, ha="center", va="center", fontsize=8, bbox=box)
    ax.add_patch(
        Polygon(vehicle.prism.footprint.vertices_studs, facecolor="#c91a09", edgecolor="black")
    )
    ax.annotate(
        label(vehicle.id),
        (vehicle.x_studs, vehicle.y_studs),
        color="white",
        ha="center",
        va="center",
        weight="bold",
    )
    reach = 2.1 * inner
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.set_axis_off()


def _draw_ring(
    vehicle: Vehicle,
    bearings_deg: Array,
    sectors: Sequence[Sector],
    radii_studs: tuple[float, float],
    alpha: float,
    ax: Axes,
) -> None:
    """Draw one sector after the other, each over the bearings that name it."""
    low, high = radii_studs
    half = float(bearings_deg[1] - bearings_deg[0]) / 2
    # begin where a sector does, so that the one behind is a single wedge
    begin = next((i for i in range(1, len(sectors)) if sectors[i] is not sectors[i - 1]), 0)
    bearings_deg = np.append(bearings_deg[begin:], bearings_deg[:begin] + 360.0)
    sectors = [*sectors[begin:], *sectors[:begin]]
    ends = [i for i in range(1, len(sectors)) if sectors[i] is not sectors[i - 1]]
    for first, last in zip([0, *ends], [*ends, len(sectors)], strict=True):
        start, end = (vehicle.heading_deg + bearings_deg[i] for i in (first, last - 1))
        wedge = Wedge(
            vehicle.centre_studs,
            high,
            start - half,
            end + half,
            width=high - low,
            facecolor=COLORS[sectors[first]],
            alpha=alpha,
            lw=0,
            zorder=1.5,
        )
        ax.add_patch(wedge)
