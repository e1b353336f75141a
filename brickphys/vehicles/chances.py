"""Chances: how likely a mover hits what, and on which side, if poses are known with a doubt only.

Poses are normal with covariances of x, y and heading. They are drawn by randomised quasi-Monte Carlo: several Sobol'
sequences, each scrambled anew (Owen, 1997), whose means give the interval. All moves are swept as arrays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf
from typing import Any, NamedTuple

import numpy as np

from brickphys.errors import InvalidValueError, naming
from brickphys.geometry.many.moves import Courses, sweep
from brickphys.geometry.many.outlines import Outlines, outlines
from brickphys.geometry.motion import Rotation
from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import Pose
from brickphys.geometry.shape import Part
from brickphys.interface import Displayed, Row, json_object, public
from brickphys.seeds import chosen_root, generator, normal_quantiles
from brickphys.text import counted, paragraphs, shown, table
from brickphys.units import Array, Mask
from brickphys.vehicles.collision import SceneLike, scene
from brickphys.vehicles.course import course_of, is_solid
from brickphys.vehicles.scene import Fixture, Scene, Straight, Thing, Vehicle, covariance_of
from brickphys.vehicles.sectors import Sector, facing_edge, scheme_named, sector

REPLICATES = 8
SAMPLES = 2048
MOST_SAMPLES = 2**17
_STUDENT_T = 2.3646
"""The 97.5 % quantile of Student's t with 7 degrees of freedom."""
_PIECE = 1e5
"""A place is a number: the piece times this, and how far that has come."""
_LEAST = 2.0**-33
"""No uniform number is nearer to 0 or 1."""


class Chance(NamedTuple):
    """A chance with its 95 % interval."""

    p: float
    ci95: tuple[float, float]

    @staticmethod
    def of(happens: Mask) -> "Chance":
        """Return the chance of what happens in samples, shape (replicates, n)."""
        means, total = happens.mean(axis=1), happens.size
        p = float(means.mean())
        half = _STUDENT_T * float(means.std(ddof=1)) / len(means) ** 0.5
        never = 1 - 0.025 ** (1 / total)  # Clopper and Pearson: of what never happened, or always
        low = max(p - half, 0.0) if p < 1.0 else 1 - never
        return Chance(p, (low, min(p + half, 1.0) if p > 0.0 else never))

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"p": self.p, "ci95": list(self.ci95)}


@dataclass(frozen=True)
class ThingChance:
    """How likely one thing is hit."""

    thing: Thing
    hit: Chance
    sectors: Mapping[Sector, Chance]
    """Of a vehicle: how likely it is hit on each side; these add up to the whole."""


@dataclass(frozen=True, repr=False)
class Chances(Displayed):
    """How likely the mover of a scene hits something."""

    scene: Scene
    samples: int
    """In each replicate."""
    seed: int
    hit: Chance
    """Of a hit of anything."""
    stopped: Chance
    """Of being stopped by decor or a vehicle."""
    things: tuple[ThingChance, ...]
    """Those that are ever hit, the likeliest first."""

    def line(self) -> str:
        """Return one line: the chance of a hit."""
        return f"{self.scene.mover_id}: hits something with a chance of {_percent(self.hit)[0]}"

    def text(self) -> str:
        many = counted(REPLICATES * self.samples, "move")
        struck = [side for side in Sector if any(self._side(one, side) for one in self.things)]
        rows = [
            (one.thing.id, one.thing.type.value, *_percent(one.hit),
             *(self._side(one, side) for side in struck))
            for one in self.things
        ]  # fmt: skip
        rows.insert(0, ("anything", "", *_percent(self.hit), *[""] * len(struck)))
        columns = (
            "thing",
            "kind",
            "is hit",
            "95 % interval",
            *(f"on {one.value}" for one in struck),
        )
        also = "vehicles with trajectories stand still here: encounters know no doubt"
        head = f"chances if poses are in doubt, of {many} (seed {self.seed})"
        notes = [also] if self.scene.in_time else []
        if not np.any([covariance for _, covariance in self.scene.doubt]):
            notes.append("no pose is in doubt: all deviations are 0, and all moves are the same")
        return paragraphs(head, table(columns, rows), "\n".join(notes))

    @staticmethod
    def _side(one: ThingChance, side: Sector) -> str:
        """Return the chance that a vehicle is hit on a side, in words; empty if that is 0."""
        chance = one.sectors.get(side)
        return _percent(chance)[0] if chance and chance.p else ""

    def rows(self) -> list[Row]:
        """Return one row for each thing that may be hit."""
        return [
            {
                "id": one.thing.id,
                "kind": one.thing.type.value,
                "p": one.hit.p,
                "ci95_low": one.hit.ci95[0],
                "ci95_high": one.hit.ci95[1],
                **{f"p_{side.value}": chance.p for side, chance in one.sectors.items()},
            }
            for one in self.things
        ]

    def document(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        things = [
            {
                "id": one.thing.id,
                "kind": one.thing.type.value,
                **one.hit.document(),
                "sectors": {side.value: chance.document() for side, chance in one.sectors.items()},
            }
            for one in self.things
        ]
        found = {"samples": self.samples, "replicates": REPLICATES, "seed": self.seed}
        whole = {"hit": self.hit.document(), "stopped": self.stopped.document()}
        return json_object("chances", {**found, **whole, "things": things})


def _percent(chance: Chance) -> tuple[str, str]:
    p, low, high = (f"{100 * each:.2f}" for each in (chance.p, *chance.ci95))
    return f"{p} %", f"{low} to {high} %"


@public()
def hit_chances(
    source: SceneLike,
    *,
    doubt: Mapping[str, Any] | None = None,
    sectors: str | None = None,
    samples: int = SAMPLES,
    seed: int | None = None,
) -> Chances:
    """Find how likely the mover of a scene hits what, and on which side, if poses are in doubt.

    Parameters
    ----------
    source
        A scene file, its text as TOML, its tables as a dict, a scene, or a collision.
    doubt
        Id of a thing -> three standard deviations (x and y in studs, heading in degrees), or a covariance matrix of
        these, shape (3, 3). Besides those of the scene, or in their place. Decor turns about the middle of its outline.
    sectors
        Sector scheme; None for that of the scene.
    samples
        Moves in each of 8 replicates, rounded up to a power of 2.
    seed
        Root seed; drawn if it is None.

    Raises
    ------
    InvalidValueError
        If the scene has a fault, nothing is in doubt, or a covariance is impossible.

    Examples
    --------
    >>> import brickphys
    >>> tables = {
    ...     "field": {"width": 60, "height": 40},
    ...     "move": {"vehicle": "jeep"},
    ...     "vehicle": [{"id": "jeep", "x": 10, "y": 20, "heading_deg": 0, "length": 10, "width": 6, "speed": 4}],
    ...     "unit": [{"id": "guard", "x": 25, "y": 23.5}],
    ... }
    >>> brickphys.hit_chances(tables, doubt={"jeep": (0, 0.1, 0)}, seed=1).hit.p
    0.5
    """
    found = scene(source)
    if doubt:
        wanted = dict(found.doubt)
        for name, value in doubt.items():
            with naming(f"doubt of {shown(name)}"):
                wanted[str(name)] = covariance_of(value)
        found = replace(found, doubt=tuple(wanted.items()))
    if sectors is not None:
        found = replace(found, scheme=scheme_named(sectors))
    if not found.doubt:
        raise InvalidValueError("no pose is in doubt: give the scene a table [doubt], or `doubt`")
    if not 2 <= samples <= MOST_SAMPLES:
        raise InvalidValueError(f"samples {samples} is outside 2..{MOST_SAMPLES}")
    root = chosen_root(seed)
    each = 1 << (samples - 1).bit_length()
    outcomes = outcomes_of(found, _drawn(found, each, root))
    shape = (REPLICATES, each)
    hits = {name: met.reshape(shape) for name, met in outcomes.hits.items() if met.any()}
    things = [
        ThingChance(thing, Chance.of(hits[thing.id]), _by_side(outcomes, thing, shape))
        for thing in found.things
        if thing.id in hits
    ]
    things.sort(key=lambda one: (-one.hit.p, one.thing.id))
    anything = np.any([*hits.values(), np.zeros(shape, bool)], axis=0)
    stopped = outcomes.stopped.reshape(shape)
    return Chances(found, each, root, Chance.of(anything), Chance.of(stopped), tuple(things))


def _drawn(found: Scene, each: int, root: int) -> dict[str, Array]:
    """Return how far x, y and heading of each thing in doubt are off in all samples, shape (n, 3)."""
    from scipy.stats import qmc

    roots = {name: _root_of(np.array(covariance)) for name, covariance in found.doubt}
    width = sum(root_of.shape[1] for root_of in roots.values())
    uniforms = [
        qmc.Sobol(max(width, 1), scramble=True, rng=generator(root, number)).random(each)
        for number in range(REPLICATES)
    ]
    normals = normal_quantiles(np.concatenate(uniforms).clip(_LEAST, 1 - _LEAST))
    drawn, first = {}, 0
    for name, root_of in roots.items():
        drawn[name] = normals[:, first : first + root_of.shape[1]] @ root_of.T
        first += root_of.shape[1]
    return drawn


def _root_of(covariance: Array) -> Array:
    """Return a matrix of as few columns as possible whose product with its transpose is a covariance."""
    values, vectors = np.linalg.eigh(covariance)
    some = values > values.max(initial=0.0) * 1e-14
    root: Array = vectors[:, some] * np.sqrt(values[some])
    return root


class Outcomes(NamedTuple):
    """What many moves of a scene come to."""

    hits: Mapping[str, Mask]
    """Thing -> whether it is hit in each sample, shape (n,)."""
    sides: Mapping[str, Array]
    """Vehicle -> the number of the sector on which it is hit; -1 if it is not."""
    stopped: Mask


class _Course(NamedTuple):
    """The courses of many movers; points are complex."""

    pieces: Array
    """Rows of `sweep`, shape (n, p, 3)."""
    centres: list[Any]
    """Of the mover before each piece, shape (n,)."""
    headings_deg: list[Array]
    leaves: Array
    """The place where the centre leaves the field, shape (n,); infinite if it does not."""


def outcomes_of(found: Scene, drawn: Mapping[str, Array]) -> Outcomes:
    """Return what the moves of a scene come to whose poses are off by what was drawn, shape (n, 3) for some things."""
    count, mover = len(next(iter(drawn.values()))), found.mover
    poses = _poses(mover, drawn, count)
    course = _followed(found, poses)
    moving = [
        _at_poses(one, Pose(mover.x_studs, mover.y_studs, mover.heading_deg), poses)
        for one in found.moving
    ]  # fmt: skip
    others = [thing for thing in found.things if thing not in found.moving]
    first = {thing.id: np.full(count, inf) for thing in others}
    faces = {thing.id: np.full((count, 2), np.nan) for thing in others}
    if course_of(found):
        for body in moving:
            _meet(body, course, others, drawn, first, faces)
    solid = [first[thing.id] for thing in others if is_solid(thing)]
    stops = np.min([*solid, np.full(count, inf)], axis=0)
    ends = np.minimum(stops, course.leaves) + TOLERANCE
    hits = {thing.id: (first[thing.id] <= ends) & np.isfinite(first[thing.id]) for thing in others}
    sides = {
        thing.id: _sides(found, thing, course, drawn, hits[thing.id], first[thing.id], faces[thing.id])
        for thing in others
        if isinstance(thing, Vehicle)
    }  # fmt: skip
    return Outcomes(hits, sides, np.isfinite(stops) & (stops <= ends))


def _by_side(outcomes: Outcomes, thing: Thing, shape: tuple[int, int]) -> dict[Sector, Chance]:
    """Return the chance of each sector of a vehicle."""
    if thing.id not in outcomes.sides:
        return {}
    numbers = outcomes.sides[thing.id].reshape(shape)
    return {side: Chance.of(numbers == number) for number, side in enumerate(Sector)}


def _place(thing: Thing) -> Pose:
    """Return the pose of a thing; that of decor is in the middle of its outline."""
    if isinstance(thing, Fixture):
        x, y = thing.prism.footprint.centroid_studs.tolist()
        return Pose(x, y, 0.0)
    return Pose(*thing.centre_studs, thing.heading_deg if isinstance(thing, Vehicle) else 0.0)


def _poses(thing: Thing, drawn: Mapping[str, Array], count: int) -> Array:
    """Return the poses of a thing in all samples, shape (n, 3)."""
    poses: Array = np.array(_place(thing)) + drawn.get(thing.id, np.zeros((count, 3)))
    return poses


def outline_of(thing: Thing, to: Any) -> dict[str, Any]:
    """Return the outline of a thing as `outlines` reads it, its points mapped."""
    if isinstance(thing, Fixture):
        parts = thing.outline
    elif isinstance(thing, Vehicle) and thing.parts:
        parts = tuple(part.placed(_place(thing)) for part in thing.parts)
    else:
        corners: list[Point] = [(x, y) for x, y in thing.prism.footprint.vertices_studs.tolist()]
        parts = (Part((tuple(corners),)),)
    tables = [part.mapped(to).table() for part in parts]
    return tables[0] if len(tables) == 1 else {"part": tables}


def _at_poses(thing: Thing, frame: Pose, poses: Array) -> Outlines:
    """Return the outline of a thing, taken in the frame of a pose, at other poses; these are no radians for sure."""
    heights = {"bottom_plates": thing.bottom_plates, "top_plates": thing.top_plates}
    return (
        outlines([outline_of(thing, frame.in_frame)], **heights).repeated(len(poses)).placed(poses)
    )


def _followed(found: Scene, poses: Array) -> _Course:
    """Return the courses of all samples, and where their centres leave the field."""
    centre, heading = poses[:, 0] + 1j * poses[:, 1], poses[:, 2]
    size = (found.bounds.width_studs, found.bounds.height_studs)
    leaves = np.full(len(poses), inf)
    rows, centres, headings = [], [], []
    for number, piece in enumerate(course_of(found)):
        centres.append(centre)
        headings.append(heading)
        motions = [
            piece.motion(Pose(point.real, point.imag, angle))
            for point, angle in zip(centre.tolist(), heading.tolist(), strict=True)
        ]
        borders = [
            motion.to_border((point.real, point.imag), size)
            for motion, point in zip(motions, centre.tolist(), strict=True)
        ]
        leaves = np.minimum(leaves, number * _PIECE + np.array(borders))
        if isinstance(piece, Straight):
            ways = np.array([motion.numbers(0.0)[:2] for motion in motions]) * piece.ahead_studs
            rows.append(np.column_stack([ways, np.full(len(ways), np.nan)]))
            centre = centre + ways[:, 0] + 1j * ways[:, 1]
        else:
            pivots = np.array([m.pivot_studs for m in motions if isinstance(m, Rotation)])
            rows.append(np.column_stack([pivots, np.full(len(pivots), piece.turn_deg)]))
            pivot = pivots[:, 0] + 1j * pivots[:, 1]
            centre = pivot + (centre - pivot) * np.exp(1j * np.radians(piece.turn_deg))
            heading = heading + piece.turn_deg
    pieces = np.stack(rows, axis=1) if rows else np.empty((len(poses), 0, 3))
    return _Course(pieces, centres, headings, leaves)


def _meet(
    body: Outlines,
    course: _Course,
    others: Sequence[Thing],
    drawn: Mapping[str, Array],
    first: Mapping[str, Array],
    faces: Mapping[str, Array],
) -> None:
    """Write where a body first meets each thing, and the normals of the faces, if that is before what is known."""
    count, each, _ = course.pieces.shape
    motions = Courses(
        np.ascontiguousarray(course.pieces.reshape(-1, 3)), np.arange(count + 1) * each
    )
    fixed = [thing for thing in others if thing.id not in drawn]
    groups = [([thing], np.arange(count + 1)) for thing in others if thing.id in drawn]
    for things, own in [*groups, *([(fixed, None)] if fixed else [])]:
        heights: dict[str, Any] = {
            "bottom_plates": [one.bottom_plates for one in things],
            "top_plates": [one.top_plates for one in things],
        }
        if own is None:
            around = outlines([outline_of(one, lambda point: point) for one in things], **heights)
        else:
            around = _at_poses(things[0], _place(things[0]), _poses(things[0], drawn, count))
        met = sweep(body, motions, around, own=own).array
        at = np.where(np.isnan(met["turned_deg"]), met["distance_studs"], abs(met["turned_deg"]))
        places = met["piece"] * _PIECE + at
        normals = np.column_stack([met["normal_x"], met["normal_y"]])
        normals[np.isnan(met["impact_deg"])] = np.nan
        numbers = met["obstacle"] if own is None else np.zeros(len(met), np.intp)
        for number, thing in enumerate(things):
            some = np.flatnonzero(numbers == number)
            some = some[places[some] < first[thing.id][met["mover"][some]]]
            first[thing.id][met["mover"][some]] = places[some]
            faces[thing.id][met["mover"][some]] = normals[some]


def _sides(
    found: Scene,
    thing: Vehicle,
    course: _Course,
    drawn: Mapping[str, Array],
    hits: Mask,
    places: Array,
    faces: Array,
) -> Array:
    """Return the number of the sector on which a vehicle is hit in each sample; -1 where it is not."""
    sides, theirs = np.full(len(hits), -1), _poses(thing, drawn, len(hits))
    for number in np.flatnonzero(hits).tolist():
        piece, at = divmod(float(places[number]), _PIECE)
        start = course.centres[int(piece)][number]
        pose = Pose(start.real, start.imag, float(course.headings_deg[int(piece)][number]))
        mover = course_of(found)[int(piece)].motion(pose).pose(pose, at)
        x, y, heading = theirs[number].tolist()
        off = Pose(x, y, heading).in_frame(mover.centre_studs)
        bearing = float(np.degrees(np.arctan2(off[1], off[0])))
        edge = _edge(thing, faces[number].tolist(), heading)
        size = (thing.length_studs, thing.width_studs)
        side = sector(found.scheme, bearing, *size, edge)
        sides[number] = list(Sector).index(side)
    return sides


def _edge(thing: Vehicle, normal: Sequence[float], heading_deg: float) -> int | None:
    """Return which edge of a vehicle is touched; None at a corner, and for an overlap at the start."""
    if np.isnan(normal[0]):
        return None
    along, across = Pose(0.0, 0.0, heading_deg).in_frame((normal[0], normal[1]))
    is_side = min(abs(along), abs(across)) <= TOLERANCE * hypot(along, across)
    if not (thing.shape or is_side):
        return None
    return facing_edge((normal[0], normal[1]), heading_deg)
