"""Corpus: scenes of all kinds with answers that need no referee: what must be hit, how exactly, and what is undecided.

The move is made three times: as it is, with the mover larger by the tolerance, and with it smaller. What all three hit
must be hit; how far the places differ says how exactly they are known. What only some of them hit is undecided.
"""

import gzip
import json
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from brickphys.files import digest, make_folder, write_whole
from brickphys.geometry.polygon import TOLERANCE
from brickphys.vehicles.collision import resolve
from brickphys.vehicles.encounter import SceneEncounters, encounters_of
from brickphys.vehicles.referee.exact_move import ExactMove, at_most, end_of
from brickphys.vehicles.referee.scene_lines import ID, scene_line, scene_range
from brickphys.vehicles.scene import Scene
from brickphys.vehicles.validation.bisection import UNDECIDED
from brickphys.vehicles.validation.corpus_scenes import corpus_scene

NAMES = ("scenes", "answers")
"""Of the files, each of which is packed JSON Lines."""
_HIT = (
    "id", "piece", "distance", "turned_deg", "point", "normal", "impact_deg", "sector", "bricks"
)  # fmt: skip
_SLOWEST = 1e-3
"""Studs a second: bodies that close no faster touch at a time that the tolerance decides."""
_MOVE = ("travelled", "stopped_by", "leaves_field")
"""Keys of `brickphys collide --json` that an answer keeps."""


class Corpus(NamedTuple):
    """Scenes and answers as texts of JSON Lines."""

    scenes: str
    answers: str

    def digests(self) -> dict[str, str]:
        """Return the digest of each text, which is that of the file once it is unpacked."""
        return {name: digest(text) for name, text in zip(NAMES, self, strict=True)}

    def write(self, folder: Path) -> list[Path]:
        """Write both packed into a new or empty folder; InvalidValueError if a file cannot be written."""
        return [
            write_whole(
                gzip.compress(text.encode(), mtime=0), make_folder(folder) / f"{name}.jsonl.gz"
            )
            for name, text in zip(NAMES, self, strict=True)
        ]


def corpus(scenes: int, root: int, progress: Callable[[int], None] = lambda _: None) -> Corpus:
    """Return the first scenes of the corpus of a root seed, with their answers; see `scene_range`."""
    lines: list[tuple[str, str]] = []
    for index in scene_range(scenes):
        one = corpus_scene(root, index)
        name = f"{one.kind.value}-{root}-{one.index}"
        answer = json.dumps({ID: name, **corpus_answer(one.scene)}, allow_nan=False)
        lines.append((scene_line(name, one.scene), answer + "\n"))
        progress(len(lines))
    return Corpus(*("".join(column) for column in zip(*lines, strict=True)))


def corpus_answer(scene: Scene) -> dict[str, Any]:
    """Return the answer to a scene.

    Its hits have the key ``within``: studs, or degrees of a turn, by which another place is as good. ``undecided`` has
    the things of which the tolerance decides whether they are hit, or in which piece. Vehicles with trajectories have
    ``encounters``.
    """
    exact, document = ExactMove(scene, TOLERANCE), resolve(scene).document()
    moves = exact.doubtful_moves()
    doubtful = [{hit.id: hit for hit in move.hits} for move in moves]
    last_end = max(exact.end, *map(end_of, moves))
    undecided = set(exact.hits).union(*doubtful) | {
        name for name, place in exact.earliest.items() if at_most(place, last_end, exact.slack)
    }
    hits = [{key: told[key] for key in _HIT} for told in document["hits"]]
    for told in hits:
        name, place = told["id"], exact.hits[told["id"]]
        others = [found[name] for found in doubtful if name in found]
        is_sure = len(others) == len(doubtful) and {hit.piece for hit in others} == {place.piece}
        if is_sure and not exact.is_after_end(name):
            undecided.remove(name)
            told["within"] = TOLERANCE + max(abs(hit.at - place.at) for hit in others)
    move = {key: document["move"][key] for key in _MOVE}
    met = {"encounters": list(_encounters(scene))} if scene.in_time else {}
    return {"hits": hits, "move": move, "undecided": sorted(undecided), **met}


def _encounters(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield of each pair of vehicles when they touch or how near they come, and how exactly that is known."""
    tolerances = (TOLERANCE, 1e-3 * TOLERANCE, (1 + UNDECIDED[1]) * TOLERANCE)
    for one, *others in zip(*(_met(scene, tolerance) for tolerance in tolerances), strict=True):
        told = {key: one[key] for key in ("first", "second", "time_s", "gap_studs")}
        touch = [other["time_s"] for other in (one, *others)]
        is_sure = None not in touch and one["closing_studs_s"] > _SLOWEST
        if is_sure:
            told["within_s"] = (
                TOLERANCE * (1 + 1 / one["closing_studs_s"]) + max(touch) - min(touch)
            )
        elif touch == [None] * 3:
            is_sure = (inf if one["gap_studs"] is None else one["gap_studs"]) > UNDECIDED[
                1
            ] * TOLERANCE
        yield told | {"undecided": not is_sure}


def _met(scene: Scene, tolerance: float) -> tuple[dict[str, Any], ...]:
    return (encounters_of(scene, tolerance) or SceneEncounters(())).found
