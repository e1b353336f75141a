"""Manifest: the study of a batch, and the stamps of what has computed its rows."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from brickphys.batch.study.spec import Spec, spec_of
from brickphys.chain import CHECK, START, is_sealed, sealed
from brickphys.errors import InvalidValueError
from brickphys.stamp import Stamp, stamp_here, stamp_of
from brickphys.text import LONGEST

SCHEMA = "brickphys.batch/2"
_OLDER = "brickphys.batch/1"


@dataclass(frozen=True)
class Manifest:
    """The manifest of a batch folder: its study, and the stamps, that of its beginning first."""

    spec: Spec
    stamps: tuple[Stamp, ...]

    def text(self) -> str:
        """Return the content of the file."""
        body = {
            "schema": SCHEMA,
            "seed": self.spec.seed,
            "spec_sha256": self.spec.sha256,
            "stamps": [stamp.document() for stamp in self.stamps],
            "spec": self.spec.content,
        }
        return json.dumps(sealed(START, body), indent=2) + "\n"

    def spec_differences(self, other: Spec) -> list[str]:
        """Return the differences from another study, key by key."""
        return list(_differences("", self.spec.content, other.content))

    def stamp_differences(self, other: Stamp) -> list[str]:
        """Return the differences of a stamp from that of these which is nearest to it; none if it is one of them."""
        return min((stamp.differences(other) for stamp in self.stamps), key=len)

    def like(self, stamp: Stamp) -> Stamp:
        """Return that of its stamps from which a stamp does not differ, else the stamp itself."""
        return next((one for one in self.stamps if not one.differences(stamp)), stamp)

    def with_stamp(self, stamp: Stamp) -> "Manifest":
        """Return the manifest with one more stamp, unless it has it."""
        known = stamp in self.stamps
        return self if known else replace(self, stamps=(*self.stamps, stamp))


def manifest_here(spec: Spec) -> Manifest:
    """Return the manifest of a study that begins now on this machine."""
    return Manifest(spec, (stamp_here(*spec.packages),))


def manifest_of(document: Any) -> Manifest:
    """Return the manifest in a JSON value.

    Raises
    ------
    InvalidValueError
        If it is not a manifest, or was edited.
    """
    if isinstance(document, Mapping) and document.get("schema") == _OLDER:
        raise InvalidValueError(
            "an earlier version wrote it: run the study again in another folder"
        )
    tables = _table(document, ("spec", "stamps", CHECK), "the manifest")
    spec = _table(tables["spec"], ("document", "attached"), "spec")
    _table(spec["document"], ("kind", "seed"), "spec.document")
    _table(spec["attached"], (), "spec.attached")
    if not is_sealed(START, tables):
        raise InvalidValueError("it was edited")
    if tables.get("schema") != SCHEMA:
        raise InvalidValueError(f"its schema is not {SCHEMA}")
    if not isinstance(tables["stamps"], list) or not tables["stamps"]:
        raise InvalidValueError("stamps is not a list, or is empty")
    made = Manifest(spec_of(spec), tuple(map(stamp_of, tables["stamps"])))
    if (tables.get("spec_sha256"), tables.get("seed")) != (made.spec.sha256, made.spec.seed):
        raise InvalidValueError("it was edited: its study has another fingerprint or seed")
    return made


def _table(value: Any, keys: Sequence[str], place: str) -> Mapping[str, Any]:
    """Return a table that has these keys."""
    if not isinstance(value, Mapping):
        raise InvalidValueError(f"{place} is not a JSON object")
    if missing := [key for key in keys if key not in value]:
        raise InvalidValueError(f"{place} lacks {', '.join(missing)}")
    return value


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
    if any("{" in text or len(text) > LONGEST for text in texts):
        return "has changed"
    return f"is {texts[0]}, was {texts[1]}"
