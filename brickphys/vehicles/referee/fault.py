"""Fault: what is wrong with an answer, by how much, and the kinds of faults."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

GRAZE_STUDS = 0.01
"""A hit that a mover with its sides drawn in by this length would not make is a graze."""


class FaultKind(Enum):
    """What is wrong with an answer, in the order in which tables list it."""

    TUNNELLING = "tunnelling"
    """A thing is not hit that the mover passes through from one side to the other."""
    GRAZE = "missed graze"
    """A thing is not hit that overlaps the path by less than a hundredth of a stud."""
    MISSED = "missed hit"
    """Any other thing that is not hit."""
    FALSE = "false hit"
    """Something is hit that the mover does not touch."""
    EARLY = "early"
    """A hit comes before the first touch."""
    LATE = "late"
    """A hit comes after the first touch."""
    STOP = "wrong stop"
    """The move ends elsewhere or by something else, or a hit is behind its end."""
    ORDER = "wrong order"
    """The hits are right, but not their order."""
    POINT = "wrong point"
    NORMAL = "wrong normal"
    IMPACT = "wrong impact angle"
    SECTOR = "wrong sector"
    SPEED = "wrong relative speed"


@dataclass(frozen=True)
class Fault:
    """What is wrong with an answer."""

    scene: str
    """Id of its scene."""
    kind: FaultKind
    thing: str | None
    """Id of the thing; None for the end of the move."""
    seen: Mapping[str, Any] | None
    """What the answer says; None if it does not have the hit."""
    right: Mapping[str, Any] | None
    """What is right; None if there is no hit."""
    off: float = 0.0
    """How wrong it is, in `unit`; 0 if that has no size."""
    unit: str = "studs"
    cause: str = ""
    """What explains it; empty if that is not known."""

    @property
    def size(self) -> str:
        """How wrong it is, for people."""
        size = f"{self.off:.2g}" if self.off < 100 else f"{self.off:,.0f}"
        return f"{size} {self.unit}" if self.off else ""

    @property
    def says(self) -> str:
        """What the answer says and what is right, for people."""
        return f"answer: {_words(self.seen)}; right: {_words(self.right)}"

    def document(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "scene": self.scene,
            "kind": self.kind.value,
            "id": self.thing,
            "seen": self.seen,
            "right": self.right,
            "off": self.off,
            "unit": self.unit,
            "cause": self.cause or None,
        }


def _words(said: Mapping[str, Any] | None) -> str:
    """Return a part of an answer for people; the first piece of a course is not named."""
    if said is None:
        return "no hit"
    words = {key: value for key, value in said.items() if (key, value) != ("piece", 0)}
    return ", ".join(f"{key.replace('_', ' ')} {_value(value)}" for key, value in words.items())


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"({', '.join(map(_value, value))})" if value else "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


class Verdict(NamedTuple):
    """The judgement of one answer; without a fault and an open question it is right."""

    fault: Fault | None
    is_undecided: bool = False


def by_kind(faults: Iterable[Fault]) -> dict[FaultKind, list[Fault]]:
    """Return the faults of each kind that there is, in the order of the kinds, the largest first."""
    found: dict[FaultKind, list[Fault]] = {kind: [] for kind in FaultKind}
    for fault in sorted(faults, key=lambda fault: -fault.off):
        found[fault.kind].append(fault)
    return {kind: those for kind, those in found.items() if those}
