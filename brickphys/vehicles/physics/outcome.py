"""Outcome: the result of a simulated compulsory move, as values."""

from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from typing import ClassVar

from brickphys.arguments import public
from brickphys.arrays import Array
from brickphys.display import Displayed, Drawn, Row, drawer
from brickphys.geometry.polygon import Point
from brickphys.text import counted
from brickphys.units import STUD_MM
from brickphys.vehicles.scene import Bounds, Thing, ThingType, Unit, Vehicle

_MOVED_STUDS = 0.01
"""What has moved less and was not hit is not told."""
FALLEN_DEG = 45.0
"""A thing whose axis is farther off upright than this, in the end, has been knocked over."""


@dataclass(frozen=True, repr=False)
class Impact(Displayed):
    """The first impact of two things.

    Attributes
    ----------
    first, second
        Their names; the mover, if it is one of them, is the first.
    time_s
        Of the touch, since the start of the move.
    travelled_studs
        How far the mover had come; None without it, or after its drive has ended.
    point_studs, height_plates
        Where: the middle of their contact points.
    normal
        Unit vector from the second to the first: x, y and up.
    closing_speed_m_s
        With which the two approach there, along the normal.
    delta_v_m_s
        Change of velocity of the first and of the second, by all things that touch them during the impact: its size,
        with the vertical part. The floor is left out, so the slide after the impact does not follow from it.
    impulse_mn_s
        Impulse (its size) that the two give each other; on a thing that is squeezed others may balance it.
    energy_lost_mj
        Kinetic energy lost between them.
    """

    first: str
    second: str
    time_s: float
    travelled_studs: float | None
    point_studs: Point
    height_plates: float
    normal: tuple[float, float, float]
    closing_speed_m_s: float
    delta_v_m_s: tuple[float, float]
    impulse_mn_s: float
    energy_lost_mj: float

    instead: ClassVar = {
        "point": "point_studs is the place in plan, height_plates the height",
        "energy": "energy_lost_mj is the kinetic energy that is lost",
        "speed": "closing_speed_m_s is the speed of approach",
    }

    def line(self) -> str:
        """Return one line: who hits whom, when and how fast."""
        return f"{self.first} hits {self.second} at {self.closing_speed_m_s:.3f} m/s, after {self.time_s:.3f} s"

    def rows(self) -> list[Row]:
        """Return its attributes as one row."""
        return [asdict(self)]


@dataclass(frozen=True, repr=False)
class ThingOutcome(Displayed):
    """Where and how one thing ends.

    Attributes
    ----------
    type, id
        What it is.
    end_studs
        Its centre of mass in plan (of decor: the middle of its footprint).
    heading_deg
        Where its front points, from -180 to 180.
    tilt_deg
        How far its axis is off upright.
    moved_studs
        How far its centre of mass came, in plan.
    was_hit
        Whether anything hit it, or it hit anything.
    knocked_over
        Whether it is tilted by more than `FALLEN_DEG`.
    left_field
        Whether its centre is beyond the border.
    fell_off
        Whether it fell off the table.
    settled
        Whether it came to rest within the time, or fell off the table.
    thrown_off
        Whether it is crew that is no longer on its vehicle.
    """

    type: ThingType
    id: str
    end_studs: Point
    heading_deg: float
    tilt_deg: float
    moved_studs: float
    was_hit: bool
    knocked_over: bool
    left_field: bool
    fell_off: bool
    settled: bool
    thrown_off: bool

    instead: ClassVar = {
        "x": "end_studs is (x, y)",
        "y": "end_studs is (x, y)",
        "name": "id is its name",
        "kind": "type is its kind",
    }

    @property
    def is_told(self) -> bool:
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
        return [
            {
                "id": self.id,
                "kind": self.type.value,
                "x_studs": self.end_studs[0],
                "y_studs": self.end_studs[1],
                "heading_deg": self.heading_deg,
                "moved_studs": self.moved_studs,
                "tilt_deg": self.tilt_deg,
                "was_hit": self.was_hit,
                "knocked_over": self.knocked_over,
                "thrown_off": self.thrown_off,
                "left_field": self.left_field,
                "fell_off": self.fell_off,
                "settled": self.settled,
            }
        ]


@dataclass(frozen=True, eq=False)
class Recording:
    """Where everything was, for pictures.

    Attributes
    ----------
    things
        The mover, then all others.
    riders
        Names of the exposed crew.
    poses : ndarray, shape (frames, n, 7)
        Frames of the things and then of the riders: the origin in mm, and the quaternion, scalar last. The origin is at
        the ground below the middle of the footprint of a thing that stands, not at its centre of mass. A rider has the
        frame of the thing that it rides on, until they part. The last 0.1 s show that all are at rest; films
        end before.
    frame_s
        Time between two of them.
    bounds
        Of the field.
    """

    things: tuple[Thing, ...]
    riders: tuple[str, ...]
    poses: Array
    frame_s: float
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

    Attributes
    ----------
    mover_id
        The vehicle that moves.
    speed_m_s
        Its initial speed.
    travelled_studs
        The distance that it was driven; up to the touch if an impact of its own ends the drive.
    impacts
        In the order of their times.
    outcomes
        Of all things: the mover, then units, decor and vehicles as in the scene.
    riders
        Outcomes of the exposed crew of the models, named ``jeep/driver``.
    energy_mj
        Kinetic energy that was put in: the mover's with its crew at the start, and what its drive and the speeds of
        hit vehicles add. What the drive takes back when it stops the mover is not subtracted.
    time_s
        Time until everything was at rest, to 8 ms (a frame of `recording`); the whole time if not everything was.
    recording
        Where everything was.
    """

    mover_id: str
    speed_m_s: float
    travelled_studs: float
    impacts: tuple[Impact, ...]
    outcomes: tuple[ThingOutcome, ...]
    riders: tuple[ThingOutcome, ...]
    energy_mj: float
    time_s: float
    recording: Recording = field(compare=False)

    drawn_by = "vehicles.crash_film:aftermath_figure"

    @public()
    def animate(self, path: str | PathLike[str]) -> None:
        """Film the move, slowed down, into a .gif file, which is replaced if it exists.

        Raises
        ------
        InvalidValueError
            If the name of the file does not end in .gif.
        """
        drawer("vehicles.crash_film:save_film")(self, path)

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
