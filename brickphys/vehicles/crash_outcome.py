"""Crash outcome: the result of a simulated compulsory move, in values and words, and where the rule disagrees.

Figures that a vehicle has hit lie on the free studs nearest to where they came to rest; `collide --physics` reports
them. By the book a figure that survives is put beside the vehicle instead, near to where it stood (BOW 3.6.1).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from math import ceil, floor, hypot
from os import PathLike
from typing import ClassVar

import numpy as np

from brickphys.geometry.obstacles import Obstacles, Prism
from brickphys.geometry.polygon import Point
from brickphys.geometry.sweep import overlap, overlaps
from brickphys.interface import Displayed, Drawn, Row, drawer, public
from brickphys.text import counted
from brickphys.units import STUD_MM, Array
from brickphys.vehicles.course import MoveResult
from brickphys.vehicles.scene import Bounds, Fixture, Thing, ThingType, Unit, Vehicle

_MOVED_STUDS = 0.01
"""What has moved less and was not hit is not told."""
FALLEN_DEG = 45.0
"""A thing whose axis is farther off upright than this, in the end, has been knocked over."""


@dataclass(frozen=True, repr=False)
class Impact(Displayed):
    """The first impact of two things."""

    first: str
    second: str
    """Their names; the mover, if it is one of them, is the first."""
    time_s: float
    """Of the touch, since the start of the move."""
    travelled_studs: float | None
    """How far the mover had come; None without it, or after its drive has ended."""
    point_studs: Point
    height_plates: float
    """Where: the middle of their contact points."""
    normal: tuple[float, float, float]
    """Unit vector from the second to the first: x, y and up."""
    closing_speed_m_s: float
    """With which the two approach there, along the normal."""
    delta_v_m_s: tuple[float, float]
    """Change of velocity of the first and of the second, by all things that touch them during the impact: its size,
    with the vertical part. The floor is left out, so the slide after the impact does not follow from it."""
    impulse_mn_s: float
    """Impulse (its size) that the two give each other; on a thing that is squeezed others may balance it."""
    energy_lost_mj: float
    """Kinetic energy lost between them."""

    instead: ClassVar = {
        "point": "point_studs is the place in plan, height_plates the height",
        "energy": "energy_lost_mj is the kinetic energy that is lost",
        "speed": "closing_speed_m_s is the speed of approach",
    }

    def line(self) -> str:
        """Return one line: who hits whom, when and how fast."""
        return f"{self.first} hits {self.second} at {self.closing_speed_m_s:.3f} m/s, after {self.time_s:.3f} s"

    def rows(self) -> list[Row]:
        return [asdict(self)]


@dataclass(frozen=True, repr=False)
class ThingOutcome(Displayed):
    """Where and how one thing ends."""

    type: ThingType
    id: str
    end_studs: Point
    """Its centre of mass in plan (of decor: the middle of its footprint)."""
    heading_deg: float
    """Where its front points, from -180 to 180."""
    moved_studs: float
    """How far its centre of mass came, in plan."""
    tilt_deg: float
    """How far its axis is off upright."""
    was_hit: bool
    """Whether anything hit it, or it hit anything."""
    knocked_over: bool
    """Whether it is tilted by more than `FALLEN_DEG`."""
    thrown_off: bool
    """Whether it is crew that is no longer on its vehicle."""
    left_field: bool
    """Whether its centre is beyond the border."""
    fell_off: bool
    settled: bool
    """Whether it came to rest within the time, or fell off the table."""

    instead: ClassVar = {
        "x": "end_studs is (x, y)",
        "y": "end_studs is (x, y)",
        "name": "id is its name",
        "kind": "type is its kind",
    }

    @property
    def is_affected(self) -> bool:
        """Whether anything happened to it that people want to know."""
        happened = self.was_hit or self.thrown_off or not self.settled
        return happened or self.moved_studs > _MOVED_STUDS

    @property
    def state(self) -> str:
        """How it ends, in words."""
        state = "knocked over" if self.knocked_over else "upright"
        state = "thrown off" if self.thrown_off else state
        state = "off the table" if self.fell_off else state
        state += ", beyond the border" if self.left_field and not self.fell_off else ""
        return state if self.settled else f"{state}, still moving"

    def line(self) -> str:
        """Return one line: where and how it ends."""
        x, y = self.end_studs
        over = ", knocked over" if self.knocked_over else ""
        return f"{self.id} ends at ({x:.2f}, {y:.2f}) studs, moved by {self.moved_studs:.2f}{over}"

    def rows(self) -> list[Row]:
        """Return one row: where and how it ends."""
        more = asdict(self)
        x, y = more.pop("end_studs")
        head = {"id": more.pop("id"), "kind": more.pop("type").value}
        return [{**head, "x_studs": x, "y_studs": y, **more}]


@dataclass(frozen=True, eq=False)
class Recording:
    """Where everything was, for pictures."""

    things: tuple[Thing, ...]
    """The mover, then all others."""
    riders: tuple[str, ...]
    """Names of the exposed crew."""
    poses: Array
    """Frames of the things and then of the riders, shape (frames, n, 7): the origin in mm, and the quaternion, scalar
    last. The origin is at the ground below the middle of the footprint of a thing that stands, not at its centre of
    mass. A rider has the frame of the thing that it rides on, until they part. The last 0.1 s show that all are at
    rest; films end before."""
    frame_s: float
    """Time between two of them."""
    bounds: Bounds

    @property
    def mover(self) -> Vehicle:
        """The vehicle that moves, as it stood at the start."""
        mover = self.things[0]
        assert isinstance(mover, Vehicle)
        return mover


@dataclass(frozen=True, repr=False)
class Crash(Drawn):
    """The result of a compulsory move with rigid bodies.

    `plot` draws what lies where in the end; `animate` films the move.
    """

    mover_id: str
    """The vehicle that moves."""
    speed_m_s: float
    travelled_studs: float
    """The distance that it was driven, in turns that of the point which has the speed (`docs/crash.md`); up to the
    touch if an impact of its own ends the drive."""
    impacts: tuple[Impact, ...]
    """In the order of their times."""
    outcomes: tuple[ThingOutcome, ...]
    """Of all things: the mover, then units, decor and vehicles as in the scene."""
    riders: tuple[ThingOutcome, ...]
    """Outcomes of the exposed crew of the models, named ``jeep/driver``."""
    energy_mj: float
    """Kinetic energy that was put in: the mover's with its crew at the start, and what its drive and the speeds of hit
    vehicles add. What the drive takes back when it stops the mover is not subtracted."""
    time_s: float
    """Time until everything was at rest, to 8 ms (a frame of `recording`); the whole time if not everything was."""
    recording: Recording = field(compare=False)

    drawn_by = "physics_film:aftermath_figure"

    @public()
    def animate(self, path: str | PathLike[str]) -> None:
        """Film the move, slowed down, into a .gif file, which is replaced if it exists.

        Raises
        ------
        InvalidValueError
            If the name of the file does not end in .gif.
        """
        drawer("physics_film:save_film")(self, path)

    @property
    def energy_lost_mj(self) -> float:
        """Energy lost in the first impacts of all pairs; later ones, the floor and the brake take the rest."""
        return sum(impact.energy_lost_mj for impact in self.impacts)

    def line(self) -> str:
        """Return one line: speed and distance of the mover, and the number of impacts."""
        driven = f"{self.mover_id} as bodies, at {self.speed_m_s:g} m/s: driven for {self.travelled_studs:.1f} studs"
        return f"{driven}, {counted(len(self.impacts), 'impact')}{'' if self.settled else ', not at rest'}"

    def rows(self) -> list[Row]:
        """Return one row for each thing: where and how it ends."""
        return [row for one in (*self.outcomes, *self.riders) for row in one.rows()]

    @property
    def settled(self) -> bool:
        """Whether everything came to rest within the time."""
        return all(outcome.settled for outcome in (*self.outcomes, *self.riders))


def standing(crash: Crash) -> list[Thing]:
    """Return what still takes up room after a crash: all but the units that were hit.

    Vehicles stand where they came to rest; one that lies on its side is taken as if it stood.
    """
    ends = {outcome.id: outcome for outcome in crash.outcomes}
    left: list[Thing] = []
    for thing, pose in zip(crash.recording.things, crash.recording.poses[-1], strict=False):
        if isinstance(thing, Vehicle):
            x, y = (pose[:2] / STUD_MM).tolist()
            left.append(
                replace(thing, x_studs=x, y_studs=y, heading_deg=ends[thing.id].heading_deg)
            )
        elif not (isinstance(thing, Unit) and ends[thing.id].was_hit):
            left.append(thing)
    return left


_STILL_MM = 0.5
"""Nothing moves any more once all is within this of its last place."""


def last_moving_frame(crash: Crash) -> int:
    """Return the number of the frame after which nothing moves any more."""
    poses = crash.recording.poses
    away = np.abs(poses[..., :3] - poses[-1, :, :3]).max(axis=(1, 2))
    turned = np.abs(poses[..., 3:] - poses[-1, :, 3:]).max(axis=(1, 2)) * STUD_MM
    moving = np.flatnonzero(np.maximum(away, turned) > _STILL_MM)
    return min(len(poses) - 1, int(moving[-1]) + 1) if len(moving) else 0


def aftermath_text(crash: Crash) -> str:
    """Return in a line what fell off the table, was thrown off or knocked over, and which hit figures still stand."""
    gone = [one.id for one in (*crash.outcomes, *crash.riders) if one.fell_off]
    thrown = [one.id for one in crash.riders if one.thrown_off and not one.fell_off]
    hit = [outcome for outcome in crash.outcomes if outcome.was_hit and not outcome.fell_off]
    fallen = [outcome.id for outcome in hit if outcome.knocked_over]
    standing = [o.id for o in hit if o.type is ThingType.UNIT and not o.knocked_over]
    notes = [f"off the table: {', '.join(gone)}"] * bool(gone)
    notes += [f"thrown off: {', '.join(thrown)}"] * bool(thrown)
    notes += [f"knocked over: {', '.join(fallen)}"] * bool(fallen)
    notes += [f"still upright: {', '.join(standing)}"] * bool(standing)
    return "; ".join(notes)


@dataclass(frozen=True)
class RuleDifference:
    """One thing to which rule and bodies do different things."""

    id: str
    rule: str
    bodies: str
    """What happens to it by the rule, and as bodies: ``is hit``, ``is not hit``, ``is hit through`` with the names of
    the figures in between, ``stays on the table``, ``falls off the table``."""

    def __str__(self) -> str:
        return f"by the rule {self.id} {self.rule}; as rigid bodies it {self.bodies}"


def differences(move: MoveResult, crash: Crash) -> list[RuleDifference]:
    """Return where the rule of a compulsory move and its bodies differ.

    What is thrown against something else is no difference: the rule has nothing that is thrown.
    """
    return [*_hits(move, crash), *_falls(move, crash)]


def _hits(move: MoveResult, crash: Crash) -> Iterator[RuleDifference]:
    through = _through(crash)
    by_rule = {hit.id for hit in move.hits}
    for outcome in crash.outcomes:
        between, ruled = through.get(outcome.id), outcome.id in by_rule
        if ruled and between is None:
            yield RuleDifference(outcome.id, "is hit", "is not hit")
        elif ruled and between:
            yield RuleDifference(outcome.id, "is hit", f"is hit through {' and '.join(between)}")
        elif between == () and not ruled and outcome.id != crash.mover_id:
            yield RuleDifference(outcome.id, "is not hit", "is hit")


def _falls(move: MoveResult, crash: Crash) -> Iterator[RuleDifference]:
    for outcome in crash.outcomes:
        if outcome.fell_off and not (outcome.id == move.vehicle_id and move.leaves_field):
            yield RuleDifference(outcome.id, "stays on the table", "falls off the table")


def _through(crash: Crash) -> dict[str, tuple[str, ...]]:
    """Return the figures between the mover and each thing that it reaches; none if the mover itself hits it.

    Figures pass a hit on, through as few others as possible. If several hit a thing, the one that hits it hardest
    counts: it is squeezed, while others may only be thrown against the thing.
    """
    mover = crash.mover_id
    hardest = sorted(
        crash.impacts,
        key=lambda impact: (mover in (impact.first, impact.second), impact.impulse_mn_s),
        reverse=True,
    )
    pairs = [pair for i in hardest for pair in ((i.first, i.second), (i.second, i.first))]
    figures = {outcome.id for outcome in crash.outcomes if outcome.type is ThingType.UNIT}
    chains: dict[str, tuple[str, ...]] = {mover: ()}
    to_do = [mover]
    for name in to_do:  # it grows
        for one, other in pairs:
            if one == name and other in figures - chains.keys():
                chains[other] = (*chains[name], other)
                to_do.append(other)
    found = {name: chain[:-1] for name, chain in chains.items()}
    for one, other in pairs:
        if one in chains:
            found.setdefault(other, chains[one])
    return found


def landing_spots(
    ends_studs: Mapping[str, Point],
    bounds: Bounds,
    standing: Iterable[Thing],
    bottoms_plates: Mapping[str, float] | None = None,
) -> dict[str, Point | None]:
    """Return the free studs nearest to where figures came to rest.

    Parameters
    ----------
    ends_studs
        Where each figure came to rest, by name.
    bounds
        Of the field; the middles of its studs have halves.
    standing
        Everything else that takes up room after the move: vehicles where they stopped, decor, other units.
    bottoms_plates
        How high each figure stood, by name; 0 if not named. A figure from raised ground may lie on decor up to that
        height, but on no vehicle.

    Returns
    -------
    dict
        For each name the middle of a stud, no two alike; None for a figure that lies beyond the border, and if no
        stud is free. Figures are placed in the order of their names. Of two studs equally near, the one of the
        smaller x and then y is taken.
    """
    things = list(standing)
    obstacles = Obstacles.of([thing.prism for thing in things])
    taken: dict[str, Point | None] = {}
    for name in sorted(ends_studs):
        end = ends_studs[name]
        bottom = (bottoms_plates or {}).get(name, 0.0)
        ground = [t.prism for t in things if isinstance(t, Fixture) and 0 < t.top_plates <= bottom]
        studs = _studs_by_distance(end, bounds) if bounds.contains(end) else iter(())
        places = set(taken.values())
        taken[name] = next(
            (stud for stud in studs if stud not in places and _is_free(stud, obstacles, ground)),
            None,
        )
    return taken


def _is_free(stud: Point, obstacles: Obstacles, ground: Sequence[Prism]) -> bool:
    """Tell whether a figure has room on a stud, on the highest of the ground that is there."""
    unit = Unit("", *stud)
    below = [prism.top_plates for prism in ground if overlap(unit.prism, prism)]
    low = max(below, default=0.0)
    raised = replace(unit, bottom_plates=low, top_plates=low + unit.top_plates)
    return not overlaps(raised.prism, obstacles)


def _studs_by_distance(end: Point, bounds: Bounds) -> Iterator[Point]:
    """Yield the middles of all studs, the nearest first: ring by ring, so that large fields stay cheap."""
    inner, reach = -1.0, 2.0
    farthest = hypot(bounds.width_studs, bounds.height_studs)
    while inner < farthest:
        columns = _cells(end[0], reach, bounds.width_studs)
        rows = _cells(end[1], reach, bounds.height_studs)
        far = ((hypot(x - end[0], y - end[1]), x, y) for x, y in product(columns, rows))
        for _, x, y in sorted(key for key in far if inner < key[0] <= reach):
            yield x, y
        inner, reach = reach, 2 * reach


def _cells(middle: float, reach: float, size: float) -> list[float]:
    """Return the middles of the studs within reach along one axis."""
    first, last = max(0, floor(middle - reach)), min(floor(size), ceil(middle + reach))
    return [number + 0.5 for number in range(first, last)]
