"""Schema: what every file that a person writes is checked with, and its faults in plain words; loads pydantic."""

from collections.abc import Sequence
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from brickphys.errors import nearest

Place = tuple[int | str, ...]


class Strict(BaseModel):
    """A document whose keys are all known and whose values have exactly the right type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


M = TypeVar("M", bound=Strict)


def faults(error: ValidationError, document: type[BaseModel]) -> list[str]:
    """Return every fault as ``key.path: what``, with the nearest known key for an unknown one.

    Parameters
    ----------
    error
        What validation found.
    document
        The model of the whole document.
    """
    return [
        f"{key_path(fault['loc'])}: {_in_words(fault, document)}"
        for fault in error.errors(include_url=False)
    ]


def key_path(place: Place) -> str:
    """Write a place in a document: ``vehicle[0].x``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(steps).removeprefix(".")


def entries(raw: dict[str, Any], table: str) -> list[dict[str, Any]]:
    """Return the tables of an array of tables, none if it is anything else."""
    found = raw.get(table)
    whole = isinstance(found, list) and all(isinstance(entry, dict) for entry in found)
    return found if isinstance(found, list) and whole else []


def read_part(model: type[M], raw: Any) -> M | None:
    """Return a part of a document, unknown keys left out, or None if it has any other fault."""
    try:
        known = {key: value for key, value in raw.items() if key in model.model_fields}
        return model.model_validate(known)
    except (AttributeError, ValidationError):
        return None


def _in_words(fault: Any, document: type[BaseModel]) -> str:
    kind, message = fault["type"], fault["msg"]
    if kind == "missing":
        return "missing"
    if kind == "extra_forbidden":
        return f"unknown key{_nearest(fault['loc'], document)}"
    if kind == "value_error":
        return str(message).removeprefix("Value error, ")
    reason = str(message).removeprefix("Input ")
    return f"{fault['input']!r} {reason}" if reason.startswith("should") else reason


def _nearest(place: Place, document: type[BaseModel]) -> str:
    known = _keys(_model_at(place[:-1], document))
    meant = nearest(str(place[-1]), known)
    return f", did you mean {meant!r}?" if meant else f", known: {', '.join(known)}"


def _keys(model: type[BaseModel]) -> list[str]:
    return [entry.alias or name for name, entry in model.model_fields.items()]


def _model_at(place: Place, document: type[BaseModel]) -> type[BaseModel]:
    """Follow a place through the documents within documents, lists and tables."""
    model = document
    for step in place:
        names = {entry.alias or name: entry for name, entry in model.model_fields.items()}
        if isinstance(step, str) and step in names:
            model = next(iter(_models(names[step].annotation)), model)
    return model


def _models(annotation: Any) -> Sequence[type[BaseModel]]:
    """Return the documents that an annotation mentions, such as ``list[Vehicle] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]
