"""Collision: the result of the move of a scene, for people and programs; how near the mover comes to what it misses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.geometry.clearance import approaches
from brickphys.geometry.polygon import TOLERANCE
from brickphys.geometry.pose import Pose
from brickphys.interface import Drawn, Row, json_object, public
from brickphys.text import counted, paragraphs, table
from brickphys.vehicles.course import (
    Hit,
    Mover,
    MoveResult,
    NamedObstacles,
    PieceResult,
    relative_speed,
)
from brickphys.vehicles.course import resolve as move_of
from brickphys.vehicles.geojson import HIT, feature
from brickphys.vehicles.scene import PivotTurn, Scene, Thing
from brickphys.vehicles.scene_file import parse_scene, read_scene, scene_geojson, scene_in
from brickphys.vehicles.sectors import scheme_named


class NearMiss(NamedTuple):
    """The nearest approach to one thing."""

    thing: Thing
    clearance_studs: float
    """The least distance in plan."""
    number: int
    """In which piece of the course that is first reached, to the tolerance; from 0."""
    piece: PieceResult
    """That piece up to there."""


def near_misses(
    mover: Mover, move: MoveResult, obstacles: NamedObstacles, within_studs: float
) -> list[NearMiss]:
    """Return what a mover comes near to without a hit, the nearest first.

    Only things whose heights overlap the mover's count; those that it hits anywhere do not.
    """
    besides = {*mover.ids, *(hit.id for hit in move.hits)}
    body, nearest = mover.body, dict[str, NearMiss]()
    for number, piece in enumerate(move.pieces):
        for one in approaches(body, piece.motion, piece.at, within_studs, obstacles.prisms):
            thing = obstacles.things[obstacles.owners[one.number]]
            known = nearest.get(thing.id)
            least = known.clearance_studs - TOLERANCE if known else inf
            if thing.id in besides or one.distance_studs >= least:
                continue
            upto = piece._replace(at=one.at)
            nearest[thing.id] = NearMiss(thing, one.distance_studs, number, upto)
        body = piece.motion.placed(body, piece.at)
    return sorted(nearest.values(), key=lambda miss: (miss.clearance_studs, miss.thing.id))


@dataclass(frozen=True, repr=False)
class Collision(Drawn):
    """A scene, the move of its vehicle, its hits and its near misses."""

    scene: Scene
    move: MoveResult
    misses: tuple[NearMiss, ...] | None = None
    """Near misses of the mover; None if not requested."""

    drawn_by = "vehicles:collision_figure"

    @property
    def hits(self) -> Sequence[Hit]:
        """The hits in order."""
        return self.move.hits

    @property
    def wanted(self) -> str:
        """What the mover should do, in words."""
        move = self.move
        if len(move.course) > 1:
            return f"a course of {len(move.course)} pieces"
        turns = [piece.turn_deg for piece in move.course if isinstance(piece, PivotTurn)]
        return f"a turn by {turns[0]:g} degrees" if turns else f"{move.distance_studs:g} studs"

    def line(self) -> str:
        """Return one line: what the mover does, and how many things it hits."""
        mover = f"{self.move.vehicle_id} at speed {self.scene.mover.speed}"
        return f"{mover}, {self.wanted}: {self.move.ending}; {counted(len(self.move.hits), 'hit')}"

    def text(self) -> str:
        scene, move, document = self.scene, self.move, self.document()
        also = f" with {' and '.join(scene.lashed)} lashed to it" if scene.lashed else ""
        misses = document.get("clearances")
        near = "no near miss within this distance" if misses == [] else ""
        if misses:
            rows = [
                (miss["id"], miss["kind"], f"{miss['clearance']:.3f} studs", self._after(miss))
                for miss in misses
            ]
            near = table(("near miss", "kind", "distance", "after"), rows)
        return paragraphs(
            f"{move.vehicle_id}{also}: speed {scene.mover.speed}, {self.wanted}; {move.ending}",
            self._hit_table(document["hits"]) if move.hits else "nothing is hit",
            near,
        )

    def _hit_table(self, hits: list[dict[str, Any]]) -> str:
        lashed = self.scene.lashed
        named = [key for key in ("part", "struck_part") if any(hit[key] for hit in hits)]
        rows = [
            (
                hit["id"],
                hit["kind"],
                self._after(hit),
                "({:.2f}, {:.2f})".format(*hit["point"]),
                hit["sector"] or "",
                str(hit["bricks"]),
                *([hit["struck_by"]] if lashed else []),
                *(hit[key] or "" for key in named),
            )
            for hit in hits
        ]
        columns = ("hit", "kind", "after", "at", "sector", "bricks to resist")
        more = ("struck by",) if lashed else ()
        more = (*more, *(key.replace("struck", "struck by") for key in named))
        return table((*columns, *[key.replace("_", " ") for key in more]), rows)

    def _after(self, hit: dict[str, Any]) -> str:
        """Tell when a hit is: after so many studs or degrees of which piece (from 0), if there are several."""
        turned = hit["turned_deg"]
        after = f"{hit['distance']:.3f} studs" if turned is None else f"{turned:.3f} degrees"
        return after if len(self.move.course) == 1 else f"{after} of piece {hit['piece']}"

    def rows(self) -> list[Row]:
        """Return the hits in order; lengths are in studs."""
        columns = {
            "id": "hit",
            "kind": "kind",
            "distance": "distance_studs",
            "turned_deg": "turned_deg",
            "sector": "sector",
            "bricks": "bricks_to_resist",
        }
        return [
            {
                **{name: hit[key] for key, name in columns.items()},
                "x_studs": hit["point"][0],
                "y_studs": hit["point"][1],
            }
            for hit in self.document()["hits"]
        ]

    def document(self) -> dict[str, Any]:
        """Return the result as the JSON of the command ``collide``."""
        found: dict[str, Any] = {
            "move": {**_move_document(self.move), "lashed": list(self.scene.lashed)},
            "hits": [_hit_document(self.scene, hit) for hit in self.move.hits],
        }
        if self.misses is not None:
            found["clearances"] = [_miss_document(miss) for miss in self.misses]
        return json_object("collide", found)

    def geojson(self) -> dict[str, Any]:
        """Return the scene as GeoJSON, which `scene` reads, with a feature of the kind ``hit`` for each hit."""
        found = scene_geojson(self.scene)
        for hit in self.document()["hits"]:
            point = {"type": "Point", "coordinates": hit["point"]}
            found["features"].append(feature(point, {**hit, "kind": HIT, "thing": hit["kind"]}))
        return found


SceneLike = Scene | Collision | Path | str | Mapping[str, Any]
"""A scene, the one of a collision, its file, its text as TOML, or its tables as a dict."""


@public()
def scene(source: SceneLike) -> Scene:
    """Return a scene from its file, from its text as TOML or GeoJSON, or from the tables of such a text.

    Parameters
    ----------
    source
        A scene file, its text of several lines, its tables as a dict, a scene, or a collision.

    Raises
    ------
    SceneFileError
        If the file cannot be read, or has any fault; one line lists the faults as ``key.path: what``.
    """
    if isinstance(source, Scene | Collision):
        return source if isinstance(source, Scene) else source.scene
    if isinstance(source, Mapping):
        return scene_in(dict(source))
    return parse_scene(source) if isinstance(source, str) and "\n" in source else read_scene(source)


@public()
def resolve(
    source: SceneLike, *, sectors: str | None = None, clearance_studs: float | None = None
) -> Collision:
    """Resolve the compulsory move of a scene: what the vehicle hits, where, and how many bricks the victim resists.

    Parameters
    ----------
    source
        A scene file, its text as TOML, its tables as a dict, a scene, or a collision.
    sectors
        Sector scheme: ``"quadrant"``, ``"corner"`` or ``"contact"``; None for that of the scene.
    clearance_studs
        Also find near misses up to this distance; None for no such search.

    Raises
    ------
    InvalidValueError
        If the scene has a fault, or another value is impossible.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.resolve('''
    ... [field]
    ... width = 48
    ... height = 32
    ... [move]
    ... vehicle = "jeep"
    ... [[vehicle]]
    ... id = "jeep"
    ... x = 10.0
    ... y = 16.0
    ... heading_deg = 0.0
    ... length = 10.0
    ... width = 6.0
    ... speed = 2
    ... [[unit]]
    ... id = "peasant"
    ... x = 18.5
    ... y = 16.0
    ... ''')
    <jeep at speed 2, 10 studs: completed; 1 hit>
    """
    if clearance_studs is not None and not clearance_studs >= 0:
        raise InvalidValueError(f"clearance {clearance_studs:g} is not 0 or more")
    found = scene(source)
    if sectors is not None:
        found = replace(found, scheme=scheme_named(sectors))
    move = move_of(found)
    if clearance_studs is None:
        return Collision(found, move)
    mover = Mover.of(found.mover, found.lashed_vehicles)
    obstacles = NamedObstacles.of(found.bounds, found.things)
    return Collision(found, move, tuple(near_misses(mover, move, obstacles, clearance_studs)))


def _miss_document(miss: NearMiss) -> dict[str, Any]:
    turned = miss.piece.turned_deg
    return {
        "kind": miss.thing.type.value,
        "id": miss.thing.id,
        "clearance": miss.clearance_studs,
        "piece": miss.number,
        "distance": miss.piece.at if turned is None else None,
        "turned_deg": turned,
    }


def _move_document(move: MoveResult) -> dict[str, Any]:
    return {
        "vehicle": move.vehicle_id,
        "distance": move.distance_studs,
        "travelled": move.travelled_studs,
        "stopped_by": list(move.stopped_by),
        "leaves_field": move.leaves_field,
        "pieces": [_piece_document(piece) for piece in move.pieces],
        "end": _pose_document(move.end),
    }


def _pose_document(pose: Pose) -> dict[str, float]:
    return {"x": pose.x_studs, "y": pose.y_studs, "heading_deg": pose.heading_deg}


def _piece_document(piece: PieceResult) -> dict[str, Any]:
    turned = piece.turned_deg
    done = {"travelled": piece.travelled_studs} if turned is None else {"turned_deg": turned}
    return {**done, "stopped_by": list(piece.stopped_by)}


def _hit_document(scene: Scene, hit: Hit) -> dict[str, Any]:
    sector, bricks = hit.sector(scene.scheme), relative_speed(scene.mover, hit, scene.scheme)
    return {
        "kind": hit.type.value,
        "id": hit.id,
        "struck_by": scene.moving[hit.part].id,
        "part": hit.thing_part or None,
        "struck_part": hit.struck_part or None,
        "piece": hit.piece,
        "distance": hit.distance_studs if hit.turned_deg is None else None,
        "turned_deg": hit.turned_deg,
        "impact_deg": hit.impact_deg,
        "point": list(hit.contact.point_studs),
        "normal": list(hit.contact.normal),
        "edge": _edge(hit),
        "pose": _pose_document(hit.pose),
        "sector": sector and sector.value,
        "relative_speed": bricks,
        "bricks": bricks,
    }


def _edge(hit: Hit) -> list[list[float]] | None:
    """Return both ends of the edge that is touched; None at a corner, and for an overlap at the start."""
    if hit.contact.edge is None:
        return None
    if hit.thing.shape:
        row = hit.thing.border[hit.contact.edge].tolist()
        return [row[2:4], row[4:6]]
    corners: list[list[float]] = hit.thing.prism.footprint.vertices_studs.tolist()
    return [corners[hit.contact.edge], corners[(hit.contact.edge + 1) % len(corners)]]
