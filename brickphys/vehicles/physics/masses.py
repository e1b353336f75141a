"""Masses: the masses of things on the field without their crews, from their models or their sizes."""

from functools import lru_cache

from brickphys.shapes.assembly_file import assembly
from brickphys.shapes.solids import MassProperties, box, compose
from brickphys.units import PLATE_MM, STUD_MM
from brickphys.vehicles.scene import Fixture, Thing, Unit, Vehicle

VEHICLE_DENSITY_G_CM3 = 0.28
"""Mass of a vehicle over the volume of its prism: about the median of the project's models (0.09 to 0.42)."""
FIGURE = "minifig"
"""Model of every unit that names none."""


@lru_cache
def model_mass(model: str) -> MassProperties:
    """Return mass, centre of mass and inertia of a model without its crew, in the frame of the thing."""
    return assembly(model).hull.mass


def mass_of(thing: Thing) -> MassProperties | None:
    """Return the mass of a thing in its own frame (origin on the ground, x ahead), None for decor, which is fixed.

    A thing with a model has the mass of the model's hull, whatever its size in the scene, and so has a unit without
    one: that of the minifig. Exposed crew are bodies of their own. A vehicle without a model is a box of
    `VEHICLE_DENSITY_G_CM3`, of the same density everywhere.
    """
    if isinstance(thing, Fixture):
        return None
    if thing.model is not None:
        return model_mass(thing.model)
    if isinstance(thing, Unit):
        return model_mass(FIGURE)
    return box_mass(thing)


def box_mass(vehicle: Vehicle) -> MassProperties:
    """Return the mass of a vehicle without a model."""
    low, high = vehicle.bottom_plates * PLATE_MM, vehicle.top_plates * PLATE_MM
    size = (vehicle.length_studs * STUD_MM, vehicle.width_studs * STUD_MM, high - low)
    return compose([box((0.0, 0.0, (low + high) / 2), size)], VEHICLE_DENSITY_G_CM3)
