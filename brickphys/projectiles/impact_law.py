"""Impact law: the shares of hits that knock a target over, by speed, fall, side and place of the hit, with intervals.

Speed and fall are nodes. Between speeds a share is linear in the logarithm of the speed, between falls in the angle;
beyond the ends the nearest node counts, but below the slowest a share falls with the speed to 0 at rest. Places of hits
are bins of height and of distance from the middle. The interval of a mean of independent shares combines theirs (MOVER:
Zou and Donner, Statistics in Medicine 27, 2008).

Laws are files of JSON, checked when read and written atomically; some ship.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from brickphys.errors import InvalidValueError, LawFileError, raised_as
from brickphys.files import write_whole
from brickphys.odds.distribution import Z95
from brickphys.projectiles.standing import Side
from brickphys.projectiles.target import Target
from brickphys.projectiles.weapons import Projectile, Weapon
from brickphys.reading import read_json
from brickphys.stamp import Stamp
from brickphys.text import listed
from brickphys.units import Array, Counts, Indices

if TYPE_CHECKING:
    from brickphys.projectiles.impact_schema import ImpactLawDocument

HEIGHTS_MM = (0.0, 10.0, 20.0, 30.0, 45.0, float("inf"))
"""Edges of the bins of the height of the projectile's centre at the contact."""
ASIDES_MM = (0.0, 4.0, 9.0, 18.0, float("inf"))
"""Edges of the bins of its distance from the target's middle, across the flight."""
_SIDES = list(Side)


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares and their 95 % intervals, of one shape."""

    share: Array
    low: Array
    high: Array

    def mean(self, weights: Array) -> "Shares":
        """Return sums of independent shares times weights over the last two axes, with their intervals."""
        share = (weights * self.share).sum(axis=(-2, -1))
        low = share - np.sqrt(((weights * (self.share - self.low)) ** 2).sum(axis=(-2, -1)))
        high = share + np.sqrt(((weights * (self.high - self.share)) ** 2).sum(axis=(-2, -1)))
        return Shares(share, low, high)


@dataclass(frozen=True, eq=False)
class ImpactLaw:
    """The measured law of a projectile and a body."""

    projectile: str
    body: str
    speeds_m_s: tuple[float, ...]
    falls_deg: tuple[float, ...]
    """Nodes, increasing."""
    hits: Counts
    knocked: Counts
    """Numbers of hits, and of those that knocked the target over, by `Side`, fall, speed, `HEIGHTS_MM` and `ASIDES_MM`,
    shape (3, falls, speeds, heights, asides)."""
    unsettled: int
    """Hits that the engine did not decide (`brickphys.engines.shoot.Shots`); they count as the target was last."""
    conditions: Mapping[str, float]
    """Coefficients of contact, settings, masses."""
    versions: Mapping[str, str]
    seed: int
    command: str = field(default="")
    stamp: Stamp | None = None
    """What computed the law; None in files of earlier versions."""

    def check(self, weapon: Weapon, target: Target) -> None:
        """Raise InvalidValueError unless the law is that of a weapon's projectile and of a target."""
        if weapon.projectile.name != self.projectile:
            raise InvalidValueError(
                f"the law is of {self.projectile} on {self.body}; {weapon.name} shoots {weapon.projectile.name}"
            )
        if target.name.partition(":")[0] != self.body:
            raise InvalidValueError(
                f"the law is of {self.projectile} on {self.body}, not on {target.name}"
            )

    def chances(
        self, sides: Sequence[Side], speed_m_s: Array | float, fall_deg: Array | float
    ) -> Shares:
        """Return the chances that hits of targets knock over, by bins: 0 at rest, and that of all in one without hits.

        Speed, and angle by which the projectile flies downwards, have the shape (targets, ..., heights, asides), or are
        one for all.
        """
        bins = self.hits.shape[3:]
        between = [1] * (max(np.ndim(speed_m_s), np.ndim(fall_deg), 1 + len(bins)) - 1)
        side = np.array([_SIDES.index(side) for side in sides]).reshape(-1, *between)
        shape = np.broadcast_shapes(side.shape, bins, np.shape(speed_m_s), np.shape(fall_deg))
        speeds, falls = np.broadcast_to(speed_m_s, shape), np.broadcast_to(fall_deg, shape)
        moves = speeds > 0.0
        height, aside = np.nonzero(moves)[-2:]
        of_side, speed = np.broadcast_to(side, shape)[moves], speeds[moves]
        share, below, above = np.zeros((3, len(speed)))
        for i, fall_weight in _between(falls[moves], np.asarray(self.falls_deg)):
            for j, speed_weight in _between(np.log(speed), np.log(self.speeds_m_s)):
                weight = fall_weight * speed_weight
                node = self._nodes[:, of_side, i, j, height, aside]
                share += weight * node[0]
                below += (weight * node[1]) ** 2
                above += (weight * node[2]) ** 2
        slow = np.minimum(speed / self.speeds_m_s[0], 1.0)
        low, high = np.maximum(share - np.sqrt(below), 0.0), np.minimum(share + np.sqrt(above), 1.0)
        found = np.zeros((3, *shape))
        found[:, moves] = slow * share, slow * low, slow * high
        return Shares(*found)

    @cached_property
    def _nodes(self) -> Array:
        """Shares at the nodes, and how far their intervals reach below and above them; shape (3, sides, falls, ...)."""
        hits, empty = self.hits, self.hits == 0
        knocked = np.where(empty, self.knocked.sum(axis=(3, 4), keepdims=True), self.knocked)
        found = wilson_chances(knocked, np.where(empty, hits.sum(axis=(3, 4), keepdims=True), hits))
        return np.stack([found.share, found.share - found.low, found.high - found.share])


def wilson_chances(knocked: Counts, hits: Counts) -> Shares:
    """Return shares and Wilson's intervals (`brickphys.odds.distribution.wilson`) of counts of one shape."""
    hits = np.asarray(hits, dtype=float)  # squares of whole numbers would overflow
    share = knocked / hits
    scale = 1 + Z95**2 / hits
    middle = (share + Z95**2 / (2 * hits)) / scale
    reach = Z95 / scale * np.sqrt(share * (1 - share) / hits + Z95**2 / (4 * hits**2))
    return Shares(share, np.maximum(middle - reach, 0.0), np.minimum(middle + reach, 1.0))


def _between(values: Array, nodes: Array) -> tuple[tuple[Indices, Array], tuple[Indices, Array]]:
    """Return the nodes before and after values, each with its weight in linear interpolation."""
    place = np.interp(values, nodes, np.arange(len(nodes)))
    before = place.astype(np.intp)
    after = np.minimum(before + 1, len(nodes) - 1)
    return (before, 1.0 - (place - before)), (after, place - before)


SCHEMA = "brickphys.impact_law/1"
_DIGIT = 1e-4
"""The last digit of an interval in a file."""
LAWS = Path(str(files("brickphys") / "laws" / "impact"))


def impact_law(projectile: Projectile, target: Target) -> ImpactLaw:
    """Return the law of a projectile and a target that ships.

    Raises LawFileError if none ships.
    """
    return _shipped(projectile.name, target.name.partition(":")[0])


@lru_cache
def _shipped(projectile: str, body: str) -> ImpactLaw:
    path = LAWS / f"{projectile}-{body}.json"
    if not path.is_file():
        raise LawFileError(f"no impact law of {projectile} on {body} ships")
    return read_law(path)


def write_law(law: ImpactLaw, folder: Path, *, force: bool = False) -> Path:
    """Write a law into a folder, as ``PROJECTILE-BODY.json``; errors as `brickphys.files.write_whole`."""
    head = {
        "schema": SCHEMA,
        "projectile": law.projectile,
        "body": law.body,
        "engine": "bullet",
        "versions": dict(law.versions),
        "seed": law.seed,
        "command": law.command,
        **({"stamp": law.stamp.document()} if law.stamp else {}),
        "conditions": dict(law.conditions),
        "unsettled": law.unsettled,
        "speeds_m_s": list(law.speeds_m_s),
        "falls_deg": list(law.falls_deg),
        "height_mm": list(HEIGHTS_MM[:-1]),
        "aside_mm": list(ASIDES_MM[:-1]),
    }
    text = json.dumps(head, indent=1).removesuffix("\n}")
    rows = ",\n".join(json.dumps(row) for row in _rows(law))
    path = folder / f"{law.projectile}-{law.body}.json"
    return write_whole(f'{text},\n "arrivals": [\n{rows}\n]}}\n', path, force=force)


def _rows(law: ImpactLaw) -> list[dict[str, Any]]:
    rows = []
    for i, side in enumerate(Side):
        for j, fall in enumerate(law.falls_deg):
            for k, speed in enumerate(law.speeds_m_s):
                hits, knocked = law.hits[i, j, k], law.knocked[i, j, k]
                whole = wilson_chances(knocked.sum(), hits.sum())
                rows.append(
                    {
                        "side": side.value,
                        "fall_deg": fall,
                        "speed_m_s": speed,
                        "ci95": [round(float(whole.low), 4), round(float(whole.high), 4)],
                        "hits": hits.tolist(),
                        "knocked": knocked.tolist(),
                    }
                )
    return rows


def read_law(path: Path) -> ImpactLaw:
    """Read the file of an impact law.

    Raises LawFileError if it cannot be read, is no such file or one of other bins, has a missing or impossible value,
    or an interval that does not follow from its counts.
    """
    with raised_as(LawFileError):
        document = read_json(path)
    try:
        found = _document(document)
        law = _law(found)
    except ValueError as error:
        raise LawFileError(f"{path}: is not an impact law: {error}") from None
    faults = list(_count_faults(law)) or list(_interval_faults(law, found))
    if faults:
        raise LawFileError(f"{path}: {listed(faults)}")
    return law


def _count_faults(law: ImpactLaw) -> Iterator[str]:
    if not np.all(law.knocked <= law.hits):
        yield "more targets knocked over than hit"
    if not np.all(law.hits.sum(axis=(3, 4)) > 0):
        yield "an arrival without hits"
    if law.unsettled > law.hits.sum():
        yield f"unsettled: {law.unsettled} are more than were hit"


def _interval_faults(law: ImpactLaw, document: "ImpactLawDocument") -> Iterator[str]:
    """Yield the intervals that are not those of the counts, which are written with four digits."""
    for place, (said, row) in enumerate(zip(document.arrivals, _rows(law), strict=True)):
        if not np.allclose(said.ci95, row["ci95"], rtol=0, atol=_DIGIT / 2):
            yield f"arrivals[{place}].ci95: {said.ci95}, but the counts give {row['ci95']}"


def _increases(nodes: tuple[float, ...]) -> bool:
    return len(nodes) > 0 and all(low < high for low, high in pairwise(nodes))


def _document(document: Any) -> "ImpactLawDocument":
    from brickphys.projectiles.impact_schema import parse

    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        raise ValueError(f"schema {schema!r} is not {SCHEMA!r}")
    found = parse(document)
    if isinstance(found, list):
        raise ValueError(listed(found))
    return found


def _law(document: "ImpactLawDocument") -> ImpactLaw:
    speeds, falls = tuple(document.speeds_m_s), tuple(document.falls_deg)
    if (tuple(document.height_mm), tuple(document.aside_mm)) != (HEIGHTS_MM[:-1], ASIDES_MM[:-1]):
        raise ValueError("it has other bins")
    if not (_increases(speeds) and _increases(falls)):
        raise ValueError("speeds_m_s or falls_deg do not increase")
    places = [(row.side, row.fall_deg, row.speed_m_s) for row in document.arrivals]
    if places != [(side.value, fall, speed) for side in Side for fall in falls for speed in speeds]:
        raise ValueError("its arrivals are not all sides, falls and speeds in order")
    shape = (len(Side), len(falls), len(speeds), len(HEIGHTS_MM) - 1, len(ASIDES_MM) - 1)
    hits, knocked = (
        np.array([getattr(row, key) for row in document.arrivals], dtype=np.int64).reshape(shape)
        for key in ("hits", "knocked")
    )
    return ImpactLaw(
        document.projectile,
        document.body,
        speeds,
        falls,
        hits,
        knocked,
        document.unsettled,
        document.conditions,
        document.versions,
        document.seed,
        document.command,
        Stamp(**dict(document.stamp)) if document.stamp else None,
    )
