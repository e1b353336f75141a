"""Named obstacles: the things on a field, prepared once for many moves among them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from brickphys.geometry.body import Body
from brickphys.geometry.motion import Motion, Touch, Translation
from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.scene import ORDER, Bounds, Thing, Vehicle


@dataclass(frozen=True, eq=False)
class NamedObstacles:
    """Everything that a mover may hit; a mover among it does not hit itself.

    Attributes
    ----------
    bounds
        Of the field.
    things
        What stands there, each with a name of its own.
    prisms
        The prisms of the things, in the same order.
    numbers
        Name of a thing -> its place in that order.
    """

    bounds: Bounds
    things: tuple[Thing, ...]
    prisms: Obstacles
    numbers: Mapping[str, int]

    @staticmethod
    def of(bounds: Bounds, things: Iterable[Thing]) -> "NamedObstacles":
        """Prepare the things on a field."""
        everything = tuple(things)
        prisms = Obstacles.of([thing.prism for thing in everything])
        return NamedObstacles(bounds, everything, prisms, _numbers(everything))

    def updated(
        self, remove: Collection[str] = (), add: Collection[Thing] = ()
    ) -> "NamedObstacles":
        """Return them without the things of some names and with others; the rest is not prepared anew."""
        gone = [index for index, thing in enumerate(self.things) if thing.id in remove]
        kept = (thing for thing in self.things if thing.id not in remove)
        prisms = self.prisms.updated(gone, [thing.prism for thing in add])
        things = (*kept, *add)
        return NamedObstacles(self.bounds, things, prisms, _numbers(things))

    def replaced(self, thing: Thing) -> "NamedObstacles":
        """Return them with another thing in place of the one of its name, which is cheap even among many."""
        number = self.numbers[thing.id]
        things = (*self.things[:number], thing, *self.things[number + 1 :])
        prisms = self.prisms.replaced(number, thing.prism)
        return NamedObstacles(self.bounds, things, prisms, self.numbers)

    def touches(self, mover: Vehicle, distance_studs: float) -> list[Touch]:
        """Return what a vehicle meets that goes so far straight ahead, itself left out (see `met`)."""
        return self.met(
            (mover.prism,), Translation(distance_studs, mover.heading), frozenset({mover.id})
        )

    def met(self, body: Body, motion: Motion, besides: Collection[str]) -> list[Touch]:
        """Return what a body meets on a motion, without the things of some names.

        The order is that of place, type and name; touches within the tolerance of each other become one.
        """
        found = motion.touches(body, self.prisms)
        if len(body) > 1:
            found = _first_of_each(found)
        met = [touch for touch in found if self.things[touch.number].id not in besides]
        for number in range(1, len(met)):
            before = met[number - 1].at
            if met[number].at <= before + TOLERANCE:
                met[number] = met[number]._replace(at=before)
        return sorted(met, key=self._rank)

    def _rank(self, touch: Touch) -> tuple[float, int, str]:
        thing = self.things[touch.number]
        return touch.at, ORDER[thing.type], thing.id


def _numbers(things: Iterable[Thing]) -> dict[str, int]:
    return {thing.id: number for number, thing in enumerate(things)}


def _first_of_each(touches: Iterable[Touch]) -> list[Touch]:
    """Return the first touch of each obstacle with any part, in their order; an overlap at the start is before it."""
    order = sorted(touches, key=lambda touch: (touch.at, not touch.overlaps_at_start, touch.number))
    first: dict[int, Touch] = {}
    for touch in order:
        first.setdefault(touch.number, touch)
    return list(first.values())
