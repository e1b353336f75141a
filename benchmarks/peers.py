"""What other libraries miss: Box2D, shapely, Coal and PyBullet on the corpus of collisions, judged by the referee.

Box2D and Coal are not among the locked dependencies: ``pip install Box2D==2.3.10 coal==3.0.3``. What is not installed
is named and left out. What follows from what the libraries say (`peer_libraries`): the order of hits, what stops the
mover, the border, is worked out here, alike for all.
"""

import argparse
import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.peer_libraries import PEERS, Peer, Shares
from brickphys.geometry.polygon import TOLERANCE
from brickphys.text import table
from brickphys.vehicles.course import course_of, is_solid
from brickphys.vehicles.referee.answer_schema import AnswerDocument, answer_of
from brickphys.vehicles.referee.fault import Fault, FaultKind
from brickphys.vehicles.referee.judgement import judge_answer
from brickphys.vehicles.scene import ThingType
from brickphys.vehicles.validation.bisection import Leg, border
from brickphys.vehicles.validation.corpus_scenes import corpus_scene
from brickphys.vehicles.validation.random_things import SceneKind

SCENES, SEED = 25_260, 2026
"""Of which the peers are asked those of convex outlines that make one motion."""
CONVEX = tuple(SceneKind)[: tuple(SceneKind).index(SceneKind.SHAPES)]
BATCH = 200
"""Scenes that are asked for together, with one clock around them."""
_MISSED = (FaultKind.TUNNELLING, FaultKind.MISSED, FaultKind.GRAZE)
_ORDER = {ThingType.UNIT: 0, ThingType.DECOR: 1, ThingType.VEHICLE: 2}

Asked = list[tuple[str, SceneKind, Leg]]
"""Id and kind of scenes, and the one motion of their movers."""


def legs_of(scenes: int) -> Asked:
    """Return id, kind and motion of the scenes of the corpus in which a mover makes one motion."""
    found: Asked = []
    for index in range(scenes):
        one = corpus_scene(SEED, index)
        course = course_of(one.scene)
        if len(course) == 1 and one.kind in CONVEX:
            name = f"{one.kind.value}-{SEED}-{one.index}"
            found.append((name, one.kind, Leg.first(one.scene, course[0])))
    return found


def answer(leg: Leg, shares: Shares, slack: float) -> AnswerDocument:
    """Return what a leg hits, given what it meets, and by how much things may differ that are hit at once."""
    things = {thing.id: thing for thing in leg.scene.things}
    edge = border(leg)
    end = leg.extent if edge is None else edge
    met = {name: share * leg.extent for name, share in shares.items()}
    end = min([end, *(at for name, at in met.items() if is_solid(things[name]))])
    order = sorted(met, key=lambda name: (met[name], _ORDER[things[name].type], name))
    key, sign = (
        ("turned_deg", math.copysign(1, leg.angle_rad)) if leg.angle_rad else ("distance", 1)
    )
    hits = [{"id": name, key: sign * met[name]} for name in order if met[name] <= end + slack]
    return answer_of({"hits": hits}, "answer")


class Tally(NamedTuple):
    """What the referee says of the answers of a peer."""

    counts: dict[SceneKind, Counter[str]]
    faults: list[Fault]

    def add(self, kind: SceneKind, verdict: str, fault: Fault | None = None) -> None:
        self.counts[kind][verdict] += 1
        self.faults.extend([fault] if fault else [])

    @property
    def total(self) -> Counter[str]:
        return sum(self.counts.values(), Counter())


def asked(peer: Peer, legs: Asked) -> tuple[list[Shares | None], float]:
    """Return what a peer says, and the processor time that it takes."""
    found: list[Shares | None] = []
    seconds = 0.0
    for start in range(0, len(legs), BATCH):
        batch = [leg for _, _, leg in legs[start : start + BATCH]]
        begun = time.process_time()
        found += peer.shares(batch)
        seconds += time.process_time() - begun
    return found, seconds


def judged(
    legs: Asked,
    found: Sequence[Shares | None],
    slack: float,
    tolerance: float,
) -> Tally:
    """Judge the answers of a peer."""
    tally = Tally(defaultdict(Counter), [])
    for (name, kind, leg), shares in zip(legs, found, strict=True):
        if shares is None:
            tally.add(kind, "refused")
            continue
        verdict = judge_answer(name, leg.scene, answer(leg, shares, slack), tolerance)
        if verdict.fault:
            missed = verdict.fault.kind in _MISSED
            tally.add(kind, "missed" if missed else verdict.fault.kind.value, verdict.fault)
        else:
            tally.add(kind, "undecided" if verdict.is_undecided else "right")
    return tally


COLUMNS = (
    "right",
    "undecided",
    "missed",
    "false hit",
    "early",
    "late",
    "wrong stop",
    "wrong order",
    "refused",
)


def rows(tally: Tally) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table of a peer: each kind, and all."""
    for kind in SceneKind:
        if kind in tally.counts:
            yield kind.value, *(f"{tally.counts[kind][name]:,}" for name in COLUMNS)
    yield "all", *(f"{tally.total[name]:,}" for name in COLUMNS)


def worst(tally: Tally) -> Iterator[str]:
    """Yield the largest faults of each kind, and the largest error of a place."""
    for kind in FaultKind:
        those = sorted((one for one in tally.faults if one.kind is kind), key=lambda one: -one.off)
        for fault in those[:3]:
            yield f"  {fault.scene}: {kind.value} of {fault.thing}, off by {fault.size}; {fault.says}"


def tell(name: str, legs: Asked) -> None:
    """Ask a peer, and print what the referee says, at its own tolerance and at ours."""
    try:
        peer = PEERS[name]()
    except ModuleNotFoundError as error:
        print(f"{name} is left out: {error.name} is not installed\n")
        return
    found, seconds = asked(peer, legs)
    print(f"{name}: {len(legs):,} moves, {len(legs) / seconds:,.0f} a second")
    for tolerance in sorted({peer.tolerance, TOLERANCE}):
        tally = judged(legs, found, peer.tolerance, tolerance)
        print(f"\n{name}, judged to {tolerance:g} studs\n")
        print(table(("kind", *COLUMNS), rows(tally)))
        print("\n".join(worst(tally)))
    print(flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=SCENES, help="how many of the corpus")
    parser.add_argument(
        "--peer", action="append", choices=PEERS, help="one of them; may be repeated"
    )
    arguments = parser.parse_args()
    legs = legs_of(arguments.scenes)
    for name in arguments.peer or PEERS:
        tell(name, legs)


if __name__ == "__main__":
    main()
