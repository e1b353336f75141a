"""Scenes: studies of compulsory moves; a run is one scene."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa
from pydantic import Field, FiniteFloat

from brickphys.batch.kinds.study_type import (
    DRAWN,
    Attached,
    CellWork,
    Estimate,
    Fields,
    Limits,
    Settings,
    StudyType,
    Summary,
    known_to,
    values,
)
from brickphys.errors import InvalidValueError, unknown
from brickphys.reading import MOST_SCENE_BYTES, read_text
from brickphys.schema import Strict
from brickphys.seeds import generator
from brickphys.vehicles.course import Hit, MoveResult, NamedObstacles, relative_speed, resolve
from brickphys.vehicles.scene import MAX_SPEED, Scene, ThingType, Vehicle, with_mover
from brickphys.vehicles.scene_file import parse_scene
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation.pybullet_check import (
    ContactWorld,
    contact_world,
    is_clear,
    struck_side,
)
from brickphys.vehicles.validation.random_scenes import IN_TURN, random_scene

RANDOM = "random"
ANY = "any"
_DRAWS = 2**32 - 1
"""Address of the numbers drawn for a mover, beyond any scene."""

Spread = Annotated[
    FiniteFloat | Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)] | None,
    Field(description="a number, or [low, high]"),
]
"""A number, or the ends between which each run draws one; None keeps what the scene says."""
_MOVER = {"x": "x_studs", "y": "y_studs", "heading_deg": "heading_deg", "speed": "speed"}
_SCHEMES = tuple(scheme.value for scheme in Scheme)
_SCHEMA = pa.schema(
    [
        ("travelled", pa.float64()),
        ("stopped", pa.bool_()),
        ("leaves_field", pa.bool_()),
        ("units_hit", pa.uint16()),
        ("vehicles_hit", pa.uint16()),
        ("bricks", pa.uint8()),
        ("hit_kind", pa.string()),
        ("hit_id", pa.string()),
        ("hit_distance", pa.float64()),
        *((f"sector_{scheme}", pa.string()) for scheme in _SCHEMES),
        ("struck_side", pa.string()),
        *((f"{DRAWN}{key}", pa.float64()) for key in _MOVER),
    ]
)
_ALWAYS = (
    *("travelled", "stopped", "leaves_field", "units_hit", "vehicles_hit"),
    *(f"{DRAWN}{key}" for key in _MOVER),
)
_COLUMNS = {
    "p_hit": "share of moves that hit something",
    "p_stopped": "share of moves that decor or a vehicle stops",
    "p_leaves_field": "share of moves that leave the field",
    "travelled": "studs travelled, mean",
    "bricks": "bricks that the first thing hit must resist, mean over the moves that hit",
}
_AGREEMENT = {
    f"p_{scheme}": f"share of struck vehicles whose {scheme} sector is the side that PyBullet's normal points out of"
    for scheme in _SCHEMES
}


def _check_layout(name: str) -> None:
    known = (ANY, *(kind.value for kind in IN_TURN))
    if name not in known:
        raise unknown("layout", name, known)


class CollideDocument(Strict):
    """The factors of a move; those of the mover replace what the scene says of it."""

    scene: str = RANDOM
    """A scene file, or `random`."""
    layout: Annotated[str, known_to(_check_layout)] = ANY
    """Kind of random scene: `any`, `pair`, `clutter`, `grazing`, ..."""
    physics: bool = False
    """Whether PyBullet's contact normal also says on which side a vehicle is struck."""
    sectors: Literal["quadrant", "corner", "contact"] | None = None
    """Sector scheme, in place of that of the scene."""
    vehicle: str | None = None
    """`id` of the mover, in place of that of the scene."""
    speed: Annotated[int, Field(ge=0, le=MAX_SPEED)] | None = None
    """Its speed."""
    x: Spread = None
    """Its centre in studs; a range is drawn from in each run."""
    y: Spread = None
    """Its centre in studs; a range is drawn from in each run."""
    heading_deg: Spread = None
    """Its heading, in degrees; a range is drawn from in each run."""


class Scenes(StudyType):
    """Studies of compulsory moves: what they hit, and in which sector."""

    name = "collide"
    unit = "scenes"
    document = CollideDocument

    def ignored(self, settings: Settings) -> dict[str, str]:
        drawn = settings.get("scene", RANDOM) == RANDOM
        return {} if drawn or "layout" not in settings else {"layout": "the scene is a file"}

    def attachments(self, settings: Settings, folder: Path) -> Attached:
        name = CollideDocument.model_validate(settings).scene
        if name == RANDOM:
            return {}
        try:
            return {name: read_text(folder / name, MOST_SCENE_BYTES)}
        except InvalidValueError as error:
            raise InvalidValueError(f"scene {error}") from None

    def work(
        self, settings: Settings, attached: Attached, root: int, cell: int, limits: Limits
    ) -> "SceneWork":
        wanted = CollideDocument.model_validate(settings)
        for name in ("x", "y", "heading_deg"):
            ends = getattr(wanted, name)
            if isinstance(ends, list) and ends[0] > ends[1]:
                raise InvalidValueError(f"{name}: {ends[0]:g} is above {ends[1]:g}")
        fixed = (
            None
            if wanted.scene == RANDOM
            else parse_scene(attached[wanted.scene], f"scene {wanted.scene}")
        )
        work = SceneWork(wanted, fixed, root)
        work.scene(0)  # settings that cannot be placed are refused before any run
        return work

    def fields(self, settings: Settings, attached: Attached) -> Fields:
        """Return the columns, of which those of what was hit may be empty."""
        return frozenset(field.with_nullable(field.name not in _ALWAYS) for field in _SCHEMA)

    def columns(self, settings: Settings, attached: Attached) -> dict[str, str]:
        return {**_COLUMNS, **(_AGREEMENT if settings.get("physics") else {})}

    def summary(self, settings: Settings, attached: Attached, rows: pa.Table) -> Summary:
        n = rows.num_rows
        if not n:
            return {"scenes": 0, **dict.fromkeys(self.columns(settings, attached))}
        hit = values(rows["hit_id"].is_valid())
        columns = {name: values(rows[name]) for name in ("stopped", "leaves_field")}
        found: dict[str, Any] = {
            "scenes": n,
            "p_hit": Estimate.of_share(int(hit.sum()), n),
            **{
                f"p_{name}": Estimate.of_share(int(happened.sum()), n)
                for name, happened in columns.items()
            },
            "travelled": Estimate.of_mean(values(rows["travelled"])),
            "bricks": Estimate.of_mean(values(rows["bricks"].drop_null())),
        }
        if settings.get("physics"):
            found.update(_agreement(rows))
        return found


@dataclass(frozen=True)
class _Run:
    """A scene, its move, and the side on which PyBullet saw a vehicle struck."""

    scene: Scene
    move: MoveResult
    side: Sector | None


class SceneWork(CellWork):
    """One cell of moves."""

    def __init__(self, wanted: CollideDocument, fixed: Scene | None, root: int) -> None:
        self._wanted, self._root = wanted, root
        self._fixed = self._changed(fixed) if fixed else None
        self._around = NamedObstacles.of(fixed.bounds, fixed.things) if fixed else None
        self._open = ExitStack()
        self._world: ContactWorld | None = None

    def warm_up(self) -> None:
        if self._wanted.physics and self._world is None:
            self._world = self._open.enter_context(contact_world())

    def rows(self, first: int, count: int) -> pa.Table:
        """Resolve scenes; a row has the start and the end of the move, and the first thing that was hit."""
        self.warm_up()
        runs = [self._run(self.scene(index)) for index in range(first, first + count)]
        return pa.Table.from_pylist([_row(run) for run in runs], schema=_SCHEMA)

    def scene(self, index: int) -> Scene:
        """Return the scene of a run."""
        scene = self._fixed or self._changed(random_scene(self._root, self._address(index)).scene)
        wanted = {ours: getattr(self._wanted, key) for key, ours in _MOVER.items()}
        if all(value is None for value in wanted.values()):
            return scene
        # the same run of every cell draws the same numbers: cells are compared on the same scenes
        shares = generator(self._root, _DRAWS, index).random(len(_MOVER)).tolist()
        drawn = {
            ours: _between(value, share)
            for (ours, value), share in zip(wanted.items(), shares, strict=True)
            if value is not None
        }
        return with_mover(scene, replace(scene.mover, **drawn))

    def _changed(self, scene: Scene) -> Scene:
        """Return a scene with the sectors and the mover that are wanted."""
        changes: dict[str, Any] = {}
        if self._wanted.sectors is not None:
            changes["scheme"] = Scheme(self._wanted.sectors)
        if self._wanted.vehicle is not None:
            changes["mover_id"] = self._wanted.vehicle
        return replace(scene, **changes) if changes else scene

    def _address(self, index: int) -> int:
        """Return the address of the scene: kinds take turns there."""
        if self._wanted.layout == ANY:
            return index
        kinds = [kind.value for kind in IN_TURN]
        return index * len(kinds) + kinds.index(self._wanted.layout)

    def _run(self, scene: Scene) -> _Run:
        move = resolve(scene, self._around)
        struck = [hit for hit in move.hits if hit.type is ThingType.VEHICLE][:1]
        return _Run(scene, move, self._side(scene, struck))

    def _side(self, scene: Scene, struck: Sequence[Hit]) -> Sector | None:
        """Return on which side PyBullet sees the vehicle struck; None if it is not asked or cannot tell."""
        if self._world is None or not struck or not struck[0].distance_studs:
            return None
        for sample in self._world.samples(scene, struck):
            if is_clear(sample) and isinstance(sample.hit.thing, Vehicle):
                return struck_side(sample, sample.hit.thing)
        return None


def _row(run: _Run) -> dict[str, Any]:
    move, mover = run.move, run.scene.mover
    first = move.hits[0] if move.hits else None
    struck = next((hit for hit in move.hits if hit.type is ThingType.VEHICLE), None)
    sectors = {scheme: struck.sector(scheme) if struck else None for scheme in Scheme}
    return {
        "travelled": move.travelled_studs,
        "stopped": bool(move.stopped_by),
        "leaves_field": move.leaves_field,
        "units_hit": sum(hit.type is ThingType.UNIT for hit in move.hits),
        "vehicles_hit": sum(hit.type is ThingType.VEHICLE for hit in move.hits),
        "bricks": relative_speed(mover, first, run.scene.scheme) if first else None,
        "hit_kind": first.type.value if first else None,
        "hit_id": first.id if first else None,
        "hit_distance": first.distance_studs if first else None,
        **{f"sector_{scheme.value}": side and side.value for scheme, side in sectors.items()},
        "struck_side": run.side and run.side.value,
        **{f"{DRAWN}{key}": float(getattr(mover, ours)) for key, ours in _MOVER.items()},
    }


def _agreement(rows: pa.Table) -> dict[str, Estimate | None]:
    """Return how often each scheme's sector is the side that PyBullet saw struck."""
    sides = np.asarray(rows["struck_side"].to_pylist(), dtype=object)
    decided = sides != None  # noqa: E711 - elementwise
    found: dict[str, Estimate | None] = {}
    for scheme in _SCHEMES:
        sectors = np.asarray(rows[f"sector_{scheme}"].to_pylist(), dtype=object)
        agree = int((sectors[decided] == sides[decided]).sum())
        found[f"p_{scheme}"] = (
            Estimate.of_share(agree, int(decided.sum())) if decided.any() else None
        )
    return found


def _between(value: Any, share: float) -> Any:
    """Return the number at a share of the way between two ends; anything else as it is."""
    return value[0] + (value[1] - value[0]) * share if isinstance(value, list) else value
