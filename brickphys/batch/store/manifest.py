"""Manifest: the study of a batch, the versions and the platform: everything that its rows depend on."""

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from brickphys.batch.study.spec import Spec, spec_of
from brickphys.errors import InvalidValueError

SCHEMA = "brickphys.batch/1"
_LONGEST = 60
"""The most characters of a value in a message."""
_TABLES = ("spec", "versions", "platform")
_PACKAGES = ("brickphys", "numpy", "scipy", "numba", "pybullet", "mujoco", "pyarrow")


@dataclass(frozen=True)
class Manifest:
    """The manifest of a batch folder.

    Attributes
    ----------
    versions
        Package or game -> version; packages that are not installed are left out.
    platform
        What floating-point results depend on: system, machine, processor, Python.
    """

    spec: Spec
    versions: Mapping[str, str]
    platform: Mapping[str, str]

    def document(self) -> dict[str, Any]:
        """Return the JSON object that the file holds."""
        return {
            "schema": SCHEMA,
            "seed": self.spec.seed,
            "spec_sha256": self.spec.sha256,
            "versions": dict(self.versions),
            "platform": dict(self.platform),
            "spec": self.spec.content,
        }

    def spec_differences(self, other: Spec) -> list[str]:
        """Return the differences from another study, key by key."""
        return list(_differences("", self.spec.content, other.content))

    def place_differences(self, other: "Manifest") -> list[str]:
        """Return the differences from the versions and the platform of another manifest."""
        return [
            *_differences("versions", self.versions, other.versions),
            *_differences("platform", self.platform, other.platform),
        ]


def manifest_here(spec: Spec) -> Manifest:
    """Return the manifest of a study that begins now on this machine."""
    versions = dict(_versions())
    for cell in range(len(spec.cells)):
        versions.update(spec.study_type.versions(spec.settings(cell)))
    return Manifest(spec, versions, _platform())


def manifest_of(document: Any) -> Manifest:
    """Return the manifest in a JSON value.

    Raises
    ------
    InvalidValueError
        If it is not a manifest.
    """
    tables = _table(document, _TABLES, "the manifest")
    spec = _table(tables["spec"], ("document", "attached"), "spec")
    _table(spec["document"], ("kind", "seed"), "spec.document")
    return Manifest(spec_of(spec), tables["versions"], tables["platform"])


def _table(value: Any, keys: Sequence[str], place: str) -> Mapping[str, Any]:
    """Return a table that has these keys."""
    if not isinstance(value, Mapping):
        raise InvalidValueError(f"{place} is no JSON object")
    if missing := [key for key in keys if key not in value]:
        raise InvalidValueError(f"{place} lacks {', '.join(missing)}")
    return value


def _versions() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _platform() -> dict[str, str]:
    from llvmlite.binding import get_host_cpu_name

    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": get_host_cpu_name(),  # compiled throws use what it can do
        "python": platform.python_version(),
    }


def _differences(path: str, ours: Any, theirs: Any) -> Iterator[str]:
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for key in dict.fromkeys([*ours, *theirs]):
            place = f"{path}.{key}".removeprefix(".").removeprefix("document.")
            yield from _differences(place, ours.get(key), theirs.get(key))
    elif ours != theirs:
        yield f"{path} {_change(ours, theirs)}"


def _change(was: Any, now: Any) -> str:
    """Return how a value has changed, in words; tables are not written out."""
    if was is None or now is None:
        return "is new" if was is None else "is left out"
    texts = [json.dumps(value) for value in (now, was)]
    if any("{" in text or len(text) > _LONGEST for text in texts):
        return "has changed"
    return f"is {texts[0]}, was {texts[1]}"
