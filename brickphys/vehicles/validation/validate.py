"""Validate: random scenes resolved, and every result checked by bisection, by PyBullet, and by construction."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Self

from brickphys.errors import InvalidValueError
from brickphys.files import make_folder, write_whole
from brickphys.vehicles.course import MoveResult, course_of, relative_speed, resolve
from brickphys.vehicles.scene import Scene, ThingType, Vehicle
from brickphys.vehicles.scene_file import scene_text
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation import comparison, pybullet_check
from brickphys.vehicles.validation.bisection import Leg, Meeting, meetings, shapely
from brickphys.vehicles.validation.corpus_scenes import corpus_scene
from brickphys.vehicles.validation.random_scenes import IN_TURN, RandomScene
from brickphys.vehicles.validation.random_things import SceneKind
from brickphys.workers import LocalExecutor

CHUNK = 220
"""Scenes in a job."""
MAX_SCENES = 10**9
MAX_FILES = 20
"""Most scene files that are written of one check."""
_AS_ON_A_TABLE = {SceneKind.CLUTTER, SceneKind.PAIR}
"""Kinds that are not laid on a boundary: their sectors occur as often as in play."""


LegComparison = tuple[comparison.MoveComparison, dict[str, Meeting]]
"""A piece compared, and what its mover meets there by bisection."""


@dataclass(frozen=True)
class SceneDisagreement:
    """A disagreement, and the scene that it is of."""

    scene: RandomScene
    disagreement: comparison.Disagreement


@dataclass(frozen=True)
class Findings:
    """The results of checking some scenes."""

    scenes: Counter[SceneKind] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    """How many ``legs``, ``hits``, ``known`` facts, ``touches`` and ``clearances`` were compared; how many questions
    were ``undecided``."""
    disagreements: tuple[SceneDisagreement, ...] = ()
    largest: dict[SceneKind, float] = field(default_factory=dict)
    """Kind -> largest difference of a distance in studs, or of an angle in degrees, from bisection."""
    sides: Counter[tuple[Scheme, Sector, Sector]] = field(default_factory=Counter)
    """(scheme, side that PyBullet's normal points out of, sector) -> vehicles hit."""
    speeds: Counter[tuple[Scheme, ...]] = field(default_factory=Counter)
    """Pair of schemes -> vehicles hit whose relative speeds differ; ``()`` -> all of them."""

    def __add__(self, other: Self) -> "Findings":
        """Put two together."""
        return Findings(
            self.scenes + other.scenes,
            self.counts + other.counts,
            self.disagreements + other.disagreements,
            {
                kind: max(self.largest.get(kind, 0.0), other.largest.get(kind, 0.0))
                for kind in {**self.largest, **other.largest}
            },
            self.sides + other.sides,
            self.speeds + other.speeds,
        )

    @property
    def checked(self) -> int:
        """How many scenes."""
        return self.scenes.total()

    def by_check(self) -> dict[comparison.CheckKind, int]:
        """Return how many disagreements each check raised."""
        found = Counter(one.disagreement.check for one in self.disagreements)
        return {check: found[check] for check in comparison.CheckKind}


@dataclass(frozen=True)
class Job:
    """Scenes ``first .. first + count - 1`` of a root seed, with or without PyBullet."""

    root: int
    first: int
    count: int
    pybullet: bool


def validate_collisions(
    scenes: int,
    root: int,
    *,
    pybullet: bool = True,
    workers: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Findings:
    """Check random scenes.

    InvalidValueError if there are no scenes or too many, or no such number of workers; MissingExtraError without
    shapely. They are the same for any number of workers. `progress` is called with the number of scenes done.
    """
    if not 1 <= scenes <= MAX_SCENES:
        raise InvalidValueError(f"scenes {scenes} is outside 1..{MAX_SCENES}")
    shapely()
    jobs = [
        Job(root, first, min(CHUNK, scenes - first), pybullet) for first in range(0, scenes, CHUNK)
    ]
    total = Findings()
    with LocalExecutor(check_scenes, workers) as executor:
        for found in executor.map(jobs):
            total += found
            progress(total.checked)
    return total


def check_scenes(job: Job) -> Findings:
    """Check the scenes of a job."""
    drawn = [corpus_scene(job.root, index) for index in range(job.first, job.first + job.count)]
    moves = [resolve(one.scene) for one in drawn]
    compared = compare_moves([one.scene for one in drawn], moves)
    total = Findings()
    with pybullet_check.contact_world() if job.pybullet else nullcontext() as world:
        for one, move, legs in zip(drawn, moves, compared, strict=True):
            total += check_scene(one, move, legs, world if one.kind in IN_TURN else None)
    return total


def compare_moves(
    scenes: Sequence[Scene], moves: Sequence[MoveResult]
) -> list[list[LegComparison]]:
    """Compare moves with bisection, piece by piece, as far as they go on and are right."""
    courses = [course_of(scene) for scene in scenes]
    found: list[list[LegComparison]] = [[] for _ in scenes]
    legs = {
        number: Leg.first(scene, course[0])
        for number, (scene, course) in enumerate(zip(scenes, courses, strict=True))
        if course
    }
    while legs:
        onward = {}
        for (number, leg), met in zip(legs.items(), meetings(list(legs.values())), strict=True):
            compared = comparison.compare(leg, moves[number], met)
            found[number].append((compared, met))
            after = leg.number + 1
            if compared.goes_on and after < len(courses[number]):
                hit = frozenset(name for name, meeting in met.items() if meeting.is_hit)
                onward[number] = leg.next(courses[number][after], hit)
        legs = onward
    return found


def check_scene(
    one: RandomScene,
    move: MoveResult,
    legs: Sequence[LegComparison],
    world: pybullet_check.ContactWorld | None = None,
) -> Findings:
    """Check the move of a random scene.

    `legs` are its pieces compared with bisection. PyBullet checks it in a world, if there is one.
    """
    wrong, counts, samples = _check(one.scene, move, legs, world)
    wrong += comparison.known_disagreements(one.scene, move, one.known)
    counts["known"] = len(one.known)
    as_in_play = one.kind in _AS_ON_A_TABLE
    return Findings(
        Counter([one.kind]),
        counts,
        tuple(SceneDisagreement(one, each) for each in wrong),
        {one.kind: max((compared.largest for compared, _ in legs), default=0.0)},
        Counter(_sides(samples) if as_in_play else ()),
        Counter(_speeds(one.scene, move) if as_in_play else ()),
    )


def validate_scene(
    scene: Scene, *, pybullet: bool = True
) -> tuple[list[comparison.Disagreement], Counter[str]]:
    """Check the move of any scene; return the disagreements, and what was compared, see `Findings.counts`.

    Raises MissingExtraError without shapely.
    """
    move = resolve(scene)
    (legs,) = compare_moves([scene], [move])
    with pybullet_check.contact_world() if pybullet else nullcontext() as world:
        wrong, counts, _ = _check(scene, move, legs, world)
    return wrong, counts


def _check(
    scene: Scene,
    move: MoveResult,
    legs: Sequence[LegComparison],
    world: pybullet_check.ContactWorld | None,
) -> tuple[list[comparison.Disagreement], Counter[str], list[pybullet_check.ContactSample]]:
    """Return what is wrong with a move, how much was compared, and PyBullet's contacts."""
    wrong = [fault for compared, _ in legs for fault in compared.disagreements]
    counts = Counter(
        legs=len(legs),
        hits=sum(compared.hits for compared, _ in legs),
        undecided=sum(compared.undecided for compared, _ in legs),
    )
    if world is None or not legs or any(thing.shape for thing in scene.things):
        return wrong, counts, []  # Bullet's bodies are convex, and have no arcs
    overlaps = {
        (number, name)
        for number, (_, met) in enumerate(legs)
        for name, meeting in met.items()
        if meeting.overlaps_at_start
    }
    compared = [hit for hit in move.hits if hit.piece < len(legs)]
    samples = world.samples(scene, [hit for hit in compared if (hit.piece, hit.id) not in overlaps])
    clearances = world.clearances(scene, move)
    wrong += pybullet_check.contact_disagreements(scene, samples)
    wrong += pybullet_check.clearance_disagreements(clearances)
    counts.update(touches=len(samples), clearances=len(clearances))
    return wrong, counts, samples


def disagreement_files(found: Findings, root: int) -> Iterator[tuple[str, str]]:
    """Yield name and text of a scene file for each scene with a disagreement, up to some of each check."""
    files: dict[str, list[SceneDisagreement]] = {}
    written: Counter[comparison.CheckKind] = Counter()
    for one in found.disagreements:
        written[one.disagreement.check] += 1
        if written[one.disagreement.check] <= MAX_FILES:
            name = f"{one.scene.kind.value}-{root}-{one.scene.index}"
            files.setdefault(name, []).append(one)
    for name, those in files.items():
        notes = [f"# {one.disagreement.check.value}: {one.disagreement.detail}\n" for one in those]
        yield f"{name}.toml", "".join(notes) + "\n" + scene_text(those[0].scene.scene)


def write_disagreements(found: Findings, root: int, folder: Path) -> list[Path]:
    """Write the scene files of disagreements into a new or empty folder and return their paths."""
    paths = []
    for name, text in disagreement_files(found, root):
        paths.append(write_whole(text, make_folder(folder) / name))
    return paths


def check_folder(folder: Path, option: str = "--out") -> None:
    """Raise InvalidValueError if a folder, the value of an option, holds anything already."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidValueError(f"{option} {folder}: not a new or empty folder")


def _sides(
    samples: Iterable[pybullet_check.ContactSample],
) -> Iterator[tuple[Scheme, Sector, Sector]]:
    for sample in samples:
        if isinstance(sample.hit.thing, Vehicle) and pybullet_check.is_clear(sample):
            side = pybullet_check.struck_side(sample, sample.hit.thing)
            for scheme in Scheme:
                sector = sample.hit.sector(scheme)
                if sector is not None:
                    yield scheme, side, sector


def _speeds(scene: Scene, move: MoveResult) -> Iterator[tuple[Scheme, ...]]:
    """Yield (), and every pair of schemes that do not agree, for each vehicle that is hit."""
    for hit in move.hits:
        if hit.type is ThingType.VEHICLE:
            yield ()
            speeds = {scheme: relative_speed(scene.mover, hit, scheme) for scheme in Scheme}
            yield from (
                pair for pair in combinations(Scheme, 2) if speeds[pair[0]] != speeds[pair[1]]
            )
