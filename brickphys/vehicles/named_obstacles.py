"""Named obstacles: the things on a field, prepared once for many moves among them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from brickphys.geometry.obstacles import Obstacles
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.sweep import SweepTouch, sweep
from brickphys.vehicles.scene import ORDER, Bounds, Thing, Vehicle


@dataclass(frozen=True, eq=False)
class NamedObstacles:
    """Everything that a vehicle may hit; a mover among it does not hit itself.

    Attributes
    ----------
    bounds
        Of the field.
    things
        What stands there, each with a name of its own.
    prisms
        The prisms of the things, in the same order.
    """

    bounds: Bounds
    things: tuple[Thing, ...]
    prisms: Obstacles

    @staticmethod
    def of(bounds: Bounds, things: Iterable[Thing]) -> "NamedObstacles":
        """Prepare the things on a field."""
        everything = tuple(things)
        prisms = Obstacles.of([thing.prism for thing in everything])
        return NamedObstacles(bounds, everything, prisms)

    def updated(
        self, remove: Collection[str] = (), add: Collection[Thing] = ()
    ) -> "NamedObstacles":
        """Return them without the things of some names and with others; the rest is not prepared anew."""
        gone = [index for index, thing in enumerate(self.things) if thing.id in remove]
        kept = (thing for thing in self.things if thing.id not in remove)
        prisms = self.prisms.updated(gone, [thing.prism for thing in add])
        return NamedObstacles(self.bounds, (*kept, *add), prisms)

    def touches(self, mover: Vehicle, distance_studs: float) -> list[SweepTouch]:
        """Return what a vehicle meets that goes so far straight ahead, itself left out.

        The order is that of distance, type and name; distances within the tolerance of each other become one.
        """
        found = sweep(mover.prism, mover.heading, distance_studs, self.prisms)
        met = [touch for touch in found if self.things[touch.index].id != mover.id]
        for index in range(1, len(met)):
            before = met[index - 1].distance_studs
            if before < met[index].distance_studs <= before + TOLERANCE:
                met[index] = replace(met[index], distance_studs=before)
        return sorted(met, key=self._rank) if len(met) > 1 else met

    def _rank(self, touch: SweepTouch) -> tuple[float, int, str]:
        thing = self.things[touch.index]
        return touch.distance_studs, ORDER[thing.type], thing.id
