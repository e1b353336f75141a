"""Law files: impact laws as JSON, checked when read and written atomically; the laws that ship."""

import json
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from brickphys.errors import LawFileError, raised_as
from brickphys.files import write_whole
from brickphys.projectiles.bodies.silhouette import Side
from brickphys.projectiles.bodies.target import Target
from brickphys.projectiles.impact.impact_law import (
    ASIDES_MM,
    HEIGHTS_MM,
    ImpactLaw,
    wilson_chances,
)
from brickphys.projectiles.weapons import Projectile
from brickphys.reading import read_json
from brickphys.stamp import stamp_of

SCHEMA = "brickphys.impact_law/1"
LAWS = Path(str(files("brickphys.projectiles") / "laws"))


def impact_law(projectile: Projectile, target: Target) -> ImpactLaw:
    """Return the law of a projectile and a target that ships.

    Raises
    ------
    LawFileError
        If none ships.
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
    """Return a row for each arrival, with the interval of all its hits."""
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

    Raises
    ------
    LawFileError
        If it cannot be read, is no such file or one of other bins, or has a missing or impossible value.
    """
    with raised_as(LawFileError):
        document = read_json(path)
    try:
        law = _law(document)
    except (ValueError, KeyError, TypeError) as error:
        raise LawFileError(f"{path}: is no impact law: {error}") from None
    if not (np.all(law.knocked >= 0) and np.all(law.knocked <= law.hits)):
        raise LawFileError(f"{path}: more targets knocked over than hit")
    if not np.all(law.hits.sum(axis=(3, 4)) > 0):
        raise LawFileError(f"{path}: an arrival without hits")
    return law


def _increases(nodes: tuple[float, ...]) -> bool:
    is_finite = len(nodes) > 0 and isfinite(nodes[-1])
    return is_finite and all(low < high for low, high in pairwise(nodes))


def _law(document: dict[str, Any]) -> ImpactLaw:
    if document["schema"] != SCHEMA:
        raise ValueError(f"schema {document['schema']!r} is not {SCHEMA!r}")
    speeds, falls = tuple(document["speeds_m_s"]), tuple(document["falls_deg"])
    if (
        tuple(document["height_mm"]) != HEIGHTS_MM[:-1]
        or tuple(document["aside_mm"]) != ASIDES_MM[:-1]
    ):
        raise ValueError("it has other bins")
    if not (_increases(speeds) and _increases(falls) and speeds[0] > 0):
        raise ValueError("speeds_m_s or falls_deg do not increase, or a speed is not above 0")
    places = [(row["side"], row["fall_deg"], row["speed_m_s"]) for row in document["arrivals"]]
    if places != [(side.value, fall, speed) for side in Side for fall in falls for speed in speeds]:
        raise ValueError("its arrivals are not all sides, falls and speeds in order")
    shape = (len(Side), len(falls), len(speeds), len(HEIGHTS_MM) - 1, len(ASIDES_MM) - 1)
    hits, knocked = (
        np.array([row[key] for row in document["arrivals"]], dtype=np.int64).reshape(shape)
        for key in ("hits", "knocked")
    )
    return ImpactLaw(
        document["projectile"],
        document["body"],
        speeds,
        falls,
        hits,
        knocked,
        document["unsettled"],
        document["conditions"],
        document["versions"],
        document["seed"],
        document["command"],
        stamp_of(document["stamp"]) if "stamp" in document else None,
    )
