"""Validation: random scenes resolved, and every answer doubted: by bisection, by PyBullet, and by construction."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Self

from brickphys.errors import InvalidValueError
from brickphys.files import make_folder, write_whole
from brickphys.vehicles.compulsory_move import (compulsory_move)
from brickphys.vehicles.named_obstacles import (NamedObstacles)
from brickphys.vehicles.compulsory_move import (MoveResult)
from brickphys.vehicles.scene_rules import (STUDS_PER_SPEED)
from brickphys.vehicles.scene import Scene
from brickphys.vehicles.scene_file import scene_text
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.bisection import Meeting, meetings, shapely
from brickphys.vehicles.validation.comparison import Check, Fault, compare, known_faults
from brickphys.vehicles.validation.contact_disagreements import (
    is_clear,
    rest_faults,
    sighting_faults,
    struck_side,
)
from brickphys.vehicles.validation.pybullet_check import Sighting, WitnessWorld, witness_world
from brickphys.vehicles.validation.random_scenes import RandomScene, SceneKind, random_scene
from brickphys.workers import LocalExecutor

CHUNK = 220
"""Scenes a job."""
MAX_SCENES = 10**9
MAX_FILES = 20
"""Scene files of each check: more tell nothing new."""
_AS_ON_A_TABLE = {SceneKind.CLUTTER, SceneKind.PAIR}
"""Kinds that are not built upon a boundary: what they say of sectors is what players would meet."""


@dataclass(frozen=True)
class Disagreement:
    """A scene whose answer is doubted.

    Attributes
    ----------
    index, kind
        Which scene.
    fault
        What is wrong.
    """

    index: int
    kind: SceneKind
    fault: Fault


@dataclass(frozen=True)
class Findings:
    """What came of some scenes.

    Attributes
    ----------
    scenes
        How many, by kind.
    counts
        How many ``hits``, ``known`` facts, ``touches`` and ``rests`` were compared; how many questions were
        ``undecided``.
    disagreements
        All of them.
    largest_studs
        Kind -> largest difference of a distance from bisection.
    sides
        (scheme, side that PyBullet's normal points out of, sector) -> vehicles hit.
    speeds
        Pair of schemes -> vehicles hit whose relative speeds differ; ``()`` -> all of them.
    """

    scenes: Counter[SceneKind] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    disagreements: tuple[Disagreement, ...] = ()
    largest_studs: dict[SceneKind, float] = field(default_factory=dict)
    sides: Counter[tuple[Scheme, Sector, Sector]] = field(default_factory=Counter)
    speeds: Counter[tuple[Scheme, ...]] = field(default_factory=Counter)

    def __add__(self, other: Self) -> "Findings":
        """Put two together."""
        kinds = self.largest_studs.keys() | other.largest_studs.keys()
        return Findings(
            self.scenes + other.scenes,
            self.counts + other.counts,
            self.disagreements + other.disagreements,
            {
                kind: max(self.largest_studs.get(kind, 0.0), other.largest_studs.get(kind, 0.0))
                for kind in kinds
            },
            self.sides + other.sides,
            self.speeds + other.speeds,
        )

    @property
    def checked(self) -> int:
        """How many scenes."""
        return self.scenes.total()

    def by_check(self) -> dict[Check, int]:
        """Return how many disagreements each check raised."""
        found = Counter(one.fault.check for one in self.disagreements)
        return {check: found[check] for check in Check}


@dataclass(frozen=True)
class Job:
    """Scenes ``first .. first + count - 1`` of a root, with or without PyBullet."""

    root: int
    first: int
    count: int
    witness: bool


def validate_collisions(
    scenes: int,
    root: int,
    *,
    witness: bool = True,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Findings:
    """Check random scenes.

    Parameters
    ----------
    scenes, root
        How many, and of which seed; the same for any number of workers.
    witness
        Whether PyBullet is asked too.
    workers
        Processes.
    progress
        Is told how many scenes are done.

    Raises
    ------
    InvalidValueError
        If there are no scenes or too many, or no such number of workers.
    MissingExtraError
        Without shapely.
    """
    if not 1 <= scenes <= MAX_SCENES:
        raise InvalidValueError(f"scenes {scenes} is outside 1..{MAX_SCENES}")
    shapely()
    jobs = [
        Job(root, first, min(CHUNK, scenes - first), witness) for first in range(0, scenes, CHUNK)
    ]
    total = Findings()
    with LocalExecutor(check_scenes, workers) as executor:
        for found in executor.map(jobs):
            total += found
            progress(total.checked)
    return total


def check_scenes(job: Job) -> Findings:
    """Check the scenes of a job."""
    drawn = [random_scene(job.root, index) for index in range(job.first, job.first + job.count)]
    moving = [one for one in drawn if one.scene.mover.speed]
    lengths = [float(STUDS_PER_SPEED * one.scene.mover.speed) for one in moving]
    by_bisection = meetings([one.scene for one in moving], lengths)
    met = {one.index: found for one, found in zip(moving, by_bisection, strict=True)}
    total = Findings()
    with witness_world() if job.witness else nullcontext() as world:
        for one in drawn:
            total += check_scene(one, met.get(one.index, {}), world)
    return total


def check_scene(
    one: RandomScene, met: dict[str, Meeting], world: WitnessWorld | None = None
) -> Findings:
    """Resolve a scene and doubt the answer.

    Parameters
    ----------
    one
        The scene.
    met
        What its mover meets by bisection; empty if it stands still.
    world
        Where PyBullet looks at it.
    """
    scene = one.scene
    around = NamedObstacles(scene.field, scene.vehicles, scene.units, scene.decor)
    moves = {scheme: compulsory_move(scene.mover, around, scheme) for scheme in Scheme}
    move = moves[scene.scheme]
    compared = compare(scene, move, met)
    faults = [*compared.faults, *known_faults(move, one.known)]
    counts = Counter(hits=compared.hits, known=len(one.known), undecided=compared.undecided)
    sightings: list[Sighting] = []
    if world is not None and scene.mover.speed:
        overlaps = {name for name, meeting in met.items() if meeting.overlaps_at_start}
        sightings = world.sightings(scene, [hit for hit in move.hits if hit.id not in overlaps])
        rests = world.rests(scene, move)
        faults += [*sighting_faults(scene, sightings), *rest_faults(rests)]
        counts.update(touches=len(sightings), rests=len(rests))
    told = one.kind in _AS_ON_A_TABLE
    return Findings(
        Counter([one.kind]),
        counts,
        tuple(Disagreement(one.index, one.kind, fault) for fault in faults),
        {one.kind: compared.largest_studs},
        Counter(_sides(scene, sightings, moves) if told else ()),
        Counter(_speeds(moves) if told else ()),
    )


def disagreement_files(found: Findings, root: int) -> Iterator[tuple[str, str]]:
    """Yield name and text of a scene file for each scene with a disagreement, up to some of each check."""
    files: dict[int, list[Disagreement]] = {}
    written: Counter[Check] = Counter()
    for one in found.disagreements:
        written[one.fault.check] += 1
        if written[one.fault.check] <= MAX_FILES:
            files.setdefault(one.index, []).append(one)
    for index, faults in files.items():
        notes = [f"# {one.fault.check.value}: {one.fault.detail}\n" for one in faults]
        scene = random_scene(root, index)
        head = f"# scene {index} of seed {root}, kind {scene.kind.value}\n"
        yield f"scene-{root}-{index}.toml", head + "".join(notes) + "\n" + scene_text(scene.scene)


def write_disagreements(found: Findings, root: int, folder: Path) -> list[Path]:
    """Write the scene files of disagreements into a new or empty folder and return their paths."""
    paths = []
    for name, text in disagreement_files(found, root):
        paths.append(write_whole(text, make_folder(folder) / name))
    return paths


def check_folder(folder: Path) -> None:
    """Raise InvalidValueError if a folder holds anything already."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidValueError(f"--out {folder}: not a new or empty folder")


def _sides(
    scene: Scene, sightings: Sequence[Sighting], moves: dict[Scheme, MoveResult]
) -> Iterator[tuple[Scheme, Sector, Sector]]:
    vehicles = {vehicle.id: vehicle for vehicle in scene.vehicles}
    for sighting in sightings:
        if sighting.hit.id in vehicles and is_clear(sighting):
            side = struck_side(sighting, vehicles[sighting.hit.id])
            for scheme, move in moves.items():
                (sector,) = (hit.sector for hit in move.hits if hit.id == sighting.hit.id)
                if sector is not None:
                    yield scheme, side, sector


def _speeds(moves: dict[Scheme, MoveResult]) -> Iterator[tuple[Scheme, ...]]:
    """Yield (), and every pair of schemes that do not agree, for each vehicle that is hit."""
    for hits in zip(*(move.hits for move in moves.values()), strict=True):
        if hits[0].sector is not None:
            yield ()
            pairs = combinations(zip(moves, hits, strict=True), 2)
            yield from (
                (first, second)
                for (first, one), (second, other) in pairs
                if one.relative_speed != other.relative_speed
            )
