"""Schema: the base of the documents that files are checked with, and their faults of form; loads pydantic."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic.fields import FieldInfo

from brickphys.errors import InvalidValueError
from brickphys.text import KeyPath, cleaned_line, counted, key_path, listed, nearest, shown

MOST_FAULTS = 500
"""More are not told apart: each is compared with all others."""
_SHOWN = 5
LARGEST = 1e12
"""Number that is not an integer: no length, time, mass, angle or share in a file is larger."""
LOOKS_LIKE = "this looks like"
"""How a fault begins that tells of what kind a file is, where another kind was wanted."""
_WORDS = {
    r"a valid dictionary or instance of \w+": "a table",
    "a valid dictionary": "a table",
    "a valid list": "an array",
    "a valid boolean": "true or false",
    "^List": "an array",
    "^String": "a text",
    " after validation": "",
}
"""Words of pydantic (patterns), and the words of TOML for them."""


_FILES = {
    "kind": "a study, for `brickphys batch run`",
    "players": "a scenario, for `brickphys scenario` and `brickphys play`",
    "survivor": "a roster, for `brickphys play --roster`",
    "move": "a scene, for `brickphys collide`",
    "army": "a file of sheets, for `brickphys sheet`",
    "weapon": "a file of sheets, for `brickphys sheet`",
}
"""The kinds of files, by a key that only they have on top: the files of other kinds are told by it."""


Positive = Annotated[FiniteFloat, Field(gt=0)]
NonNegative = Annotated[FiniteFloat, Field(ge=0)]
Probability = Annotated[FiniteFloat, Field(ge=0, le=1)]


class Strict(BaseModel):
    """A document whose keys are all known and whose values have exactly the right type.

    Every text in it is one line without control characters: it may be printed among lines of our own. Numbers are at
    most `LARGEST`, so that none of their powers and products overflows. Those with a meaning have narrower bounds.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
    not_lines: ClassVar[frozenset[str]] = frozenset()
    """Keys of texts that may have several lines, and of tables that other documents check."""

    @field_validator("*")
    @classmethod
    def _has_plain_values(cls, value: Any, field: ValidationInfo) -> Any:
        if field.field_name not in cls.not_lines:
            _check_plain(value)
        return value


def _check_plain(value: Any) -> None:
    if isinstance(value, float) and abs(value) > LARGEST:
        raise ValueError(f"{value:g} is beyond {LARGEST:g}, the largest number in a file")
    if isinstance(value, str):
        if not value.isprintable() and cleaned_line(value) != value:
            raise ValueError(
                f"{shown(value)} has control characters, where one line of text belongs"
            )
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check_plain(key)
            _check_plain(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _check_plain(inner)


class StampDocument(Strict):
    """What computed the numbers of a file; see `brickphys.stamp.Stamp`."""

    sources: dict[str, str]
    """Package, or folder of this one → digest of its definitions."""
    kernels: dict[str, str]
    """Settings of the compiler that are not as usual."""
    processor: dict[str, str]
    """Name of the processor, and a digest of its features."""
    platform: dict[str, str]
    """Operating system and C library."""
    versions: dict[str, str]
    """Package → version."""
    results: dict[str, str] | None = None
    """Fixed results → a digit for each; missing in stamps of an older form."""


M = TypeVar("M", bound=Strict)


def _check_name(name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise ValueError(
            f"{shown(name)} is not a name: up to 40 small letters, digits and _, a letter first"
        )
    return name


Name = Annotated[str, AfterValidator(_check_name)]
"""A name that a person gives to a thing in a file."""


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


NumberOrText = Annotated[str, BeforeValidator(_as_text)]
"""A name, or a whole number taken as the name that it writes: programs count things."""


def validated(model: type[M], raw: Any, name: str) -> M:
    """Return what a file says (as `tomllib` or `json` reads it) as a document; its name begins the message of an error.

    InvalidValueError with every fault of form, as ``key.path: what``.
    """
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        found = faults(error, model)
    raise InvalidValueError(f"{name}: {listed(found)}")


def faults(error: ValidationError, document: type[BaseModel]) -> list[str]:
    """Return every fault of a whole document as ``key.path: what``, with the nearest known key for an unknown one.

    A misspelt key is one fault: the unknown key, not the missing one. A value of a field with several types is one
    fault, too, if it has none of them: the `description` of such a field says what its value should be.
    """
    found = error.errors(include_url=False)
    if len(found) > MOST_FAULTS:
        first = [_fault_text(fault, found[:_SHOWN], document) for fault in found[:_SHOWN]]
        return [*first, f"and {len(found) - _SHOWN:,} more"]
    strange = [fault["loc"][0] for fault in found if _is_strange_table(fault)]
    if len(strange) > 1 and (key := next((key for key in _FILES if key in strange), None)):
        return [f"{LOOKS_LIKE} {_FILES[key]}"]
    misspelt = {
        (*fault["loc"][:-1], _nearest(fault["loc"], document))
        for fault in found
        if fault["type"] == "extra_forbidden"
    }
    texts = (
        _fault_text(fault, found, document)
        for fault in found
        if fault["type"] != "missing" or fault["loc"] not in misspelt
    )
    return list(dict.fromkeys(texts))


def _is_strange_table(fault: Any) -> bool:
    return fault["type"] == "extra_forbidden" and len(fault["loc"]) == 1


def _fault_text(fault: Any, found: Sequence[Any], document: type[BaseModel]) -> str:
    path, description = _described(fault["loc"], document)
    if description is None:
        words = _in_words(fault, document)
        return f"{key_path(fault['loc'])}: {words}" if fault["loc"] else words
    around = [one for one in found if one["loc"][: len(path)] == path]
    whole = min(around, key=lambda one: len(one["loc"]))["input"]
    return f"{key_path(path)}: {shown(whole)} should be {description}"


def _noun(fault: Any) -> str:
    """Return what a list holds: of tables, the singular of their key."""
    tables = fault["input"] and isinstance(fault["input"][0], dict)
    return str(fault["loc"][-1]).removesuffix("s") if tables else "value"


def _in_words(fault: Any, document: type[BaseModel]) -> str:
    kind, message = fault["type"], fault["msg"]
    if kind == "missing":
        return "missing"
    if kind == "extra_forbidden":
        return f"unknown key{_hint(fault['loc'], document)}"
    if kind == "value_error":
        return str(message).removeprefix("Value error, ")
    if kind == "list_type" and isinstance(fault["input"], dict):
        return f"one table, where an array of tables is wanted: [[{key_path(fault['loc'])}]]"
    if kind in ("too_short", "too_long"):
        few, found = kind == "too_short", counted(fault["ctx"]["actual_length"], _noun(fault))
        limit = fault["ctx"]["min_length" if few else "max_length"]
        return f"{found} where {'at least' if few else 'at most'} {limit} {'is' if limit == 1 else 'are'} needed"
    reason = str(message).removeprefix("Input ")
    for theirs, ours in _WORDS.items():
        reason = re.sub(theirs, ours, reason)
    return f"{shown(fault['input'])} {reason}" if reason.startswith("should") else reason


def _hint(path: KeyPath, document: type[BaseModel]) -> str:
    meant = _nearest(path, document)
    known = ", ".join(_keys(_model_at(path[:-1], document)))
    return f", did you mean {meant!r}?" if meant else f", known: {known}"


def _nearest(path: KeyPath, document: type[BaseModel]) -> str | None:
    return nearest(str(path[-1]), _keys(_model_at(path[:-1], document)))


def _keys(model: type[BaseModel]) -> list[str]:
    return [entry.alias or name for name, entry in model.model_fields.items()]


def _model_at(path: KeyPath, document: type[BaseModel]) -> type[BaseModel]:
    """Return the document within documents, lists and tables to which a path leads."""
    model = document
    for _, _, entry in _fields_along(path, document):
        model = next(iter(_models(entry.annotation)), model)
    return model


def _described(path: KeyPath, document: type[BaseModel]) -> tuple[KeyPath, str | None]:
    """Return the path to the first field on the way that has a description, and that; else the whole path, and None."""
    for length, model, entry in _fields_along(path, document):
        is_docstring = model.model_config.get("use_attribute_docstrings", False)
        if entry.description and not is_docstring:
            return path[:length], entry.description
    return path, None


def _fields_along(
    path: KeyPath, document: type[BaseModel]
) -> Iterator[tuple[int, type[BaseModel], FieldInfo]]:
    """Yield the fields on the way along a path, each with the length of the path to it and its document."""
    model = document
    for length, step in enumerate(path, start=1):
        names = {entry.alias or name: entry for name, entry in model.model_fields.items()}
        if isinstance(step, str) and step in names:
            yield length, model, names[step]
            model = next(iter(_models(names[step].annotation)), model)


def _models(annotation: Any) -> Sequence[type[BaseModel]]:
    """Return the documents that an annotation mentions, such as ``list[Vehicle] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]
