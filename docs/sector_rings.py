"""Write img/sectors.png: from which side a car and a truck are hit, by each scheme.

python docs/sector_rings.py
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from brickphys.plots.vehicles import COLORS, draw_schemes
from brickphys.vehicles.scene import Vehicle
from brickphys.vehicles.validation.comparison import sectors_around

BEARINGS_DEG = np.arange(-179.75, 180.0, 0.5)
HIT = (Vehicle("car", 0, 0, 90, 10, 6), Vehicle("truck", 0, 0, 90, 18, 6))
MOVER_STUDS = (10.0, 6.0)


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
