"""Ground: what a vehicle stands on, and how high (BOW 3.2, 3.6.2)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import inf

from brickphys.bow.driving.obstacles import decor, fixed, ground, other_vehicles, placed, solids
from brickphys.bow.field.field import Field
from brickphys.bow.state.state import State
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.passage import first_free_studs
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.prism import Prism
from brickphys.geometry.sweep import overlaps
from brickphys.vehicles.scene import Vehicle


def raised(mover: Vehicle, bottom_plates: float) -> Vehicle:
    """Return a vehicle with its bottom at a height."""
    top = bottom_plates + mover.top_plates - mover.bottom_plates
    return replace(mover, bottom_plates=bottom_plates, top_plates=top)


def column(mover: Vehicle) -> Prism:
    """Return the space under a vehicle, its own included."""
    return Prism(mover.prism.footprint, -inf, mover.top_plates)


def standing_plates(state: State, mover: Vehicle, most_plates: float) -> float:
    """Return how high a vehicle comes to stand: on the highest thing under it that is no higher than a limit.

    That is ground, decor or another vehicle; the limit itself if there is none.
    """
    tops = _tops_under(state.setting.field, state.open_ids, mover)
    low = [
        body for body in other_vehicles(state, mover) if body.top_plates <= most_plates + TOLERANCE
    ]
    if low:
        met = overlaps(column(mover), Obstacles.of([body.prism for body in low]))
        tops = (*tops, *(low[touch.number].top_plates for touch in met))
    return max((top for top in tops if top <= most_plates + TOLERANCE), default=most_plates)


def ground_plates(state: State, mover: Vehicle) -> float:
    """Return how high a vehicle stands that is set down: on the highest ground under it, or on decor a step higher."""
    field = state.setting.field
    met = overlaps(column(mover), ground(field).prisms)
    tops = [ground(field).things[touch.number].prism.top_plates for touch in met]
    limit = max(tops, default=0.0) + field.step_plates + TOLERANCE
    tops += (top for top in _tops_under(field, state.open_ids, mover) if top <= limit)
    return max(tops, default=0.0)


def stood(state: State, mover: Vehicle) -> Vehicle | None:
    """Return a vehicle on what is under it; None if that is more than a step lower, or if it has no room there.

    It has room at the height that it has.
    """
    step = state.setting.field.step_plates
    base = standing_plates(state, mover, mover.bottom_plates + step)
    if base == mover.bottom_plates:
        return mover
    after = raised(mover, base)
    is_too_low = base < mover.bottom_plates - step - TOLERANCE
    return None if is_too_low or solids(state, after, base).touches(after, 0.0) else after


def come_down(state: State, flyer: Vehicle, back_studs: float) -> Vehicle:
    """Return a flyer that comes down: at the last place back along its way where no decor nor vehicle stands.

    If there is none, it comes to rest where it is, on top of what is there.

    Parameters
    ----------
    state
        The battle.
    flyer
        Where it is in the air.
    back_studs
        How far it has come.
    """
    x, y = flyer.heading
    standing = decor(state.setting.field, state.open_ids).updated(add=other_vehicles(state, flyer))
    back = first_free_studs(column(flyer), (-x, -y), back_studs, standing.prisms) or 0.0
    flyer = placed(flyer, (flyer.x_studs - back * x, flyer.y_studs - back * y))
    return raised(flyer, standing_plates(state, flyer, flyer.bottom_plates))


def unsupported(state: State) -> tuple[int, float] | None:
    """Return a vehicle that stands on nothing any more, and how high it comes to stand; None if there is none."""
    if not state.falling:
        state.falling.append(next(_unsupported(state), None))
    return state.falling[0]


def _unsupported(state: State) -> Iterator[tuple[int, float]]:
    for vehicle in state.vehicles_left:
        if not state.flies(vehicle):
            body = state.vehicle_body(vehicle)
            height = standing_plates(state, body, body.bottom_plates)
            if height < body.bottom_plates - TOLERANCE:
                yield vehicle, height


@lru_cache(maxsize=4096)
def _tops_under(field: Field, open_ids: frozenset[str], mover: Vehicle) -> tuple[float, ...]:
    """Return the tops of the ground and decor under a vehicle or where it is, in no order."""
    around = fixed(field, open_ids, -inf).prisms
    met = overlaps(Prism(mover.prism.footprint, -inf, inf), around)
    return tuple(around.prisms[touch.number].top_plates for touch in met)
