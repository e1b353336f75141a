"""Spec: a study file, read and checked: what to run, how often, and until when."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.batch.design import Cell, cells, count_cells, factors
from brickphys.batch.kind import Attached, Kind, Limits, Settings
from brickphys.batch.registry import kind as kind_named
from brickphys.errors import InvalidValueError, StudyFileError, listed, unknown
from brickphys.seeds import fresh_root

if TYPE_CHECKING:
    from pydantic import ValidationError

    from brickphys.batch.spec_schema import SpecDocument

_FOLDER = files("brickphys.batch") / "studies"
_SUFFIX = ".toml"
_SHOWN = 5
"""Faults that one line lists."""


@dataclass(frozen=True)
class Until:
    """Repeat until the interval of a column is narrow enough; looked at only after `first` runs times powers of 2."""

    column: str
    half_width: float
    first: int
    at_most: int

    def looks(self) -> Iterator[int]:
        """Yield after how many runs a cell is looked at; the last one is `at_most`."""
        count = self.first
        while count < self.at_most:
            yield count
            count *= 2
        yield self.at_most


@dataclass(frozen=True)
class Spec:
    """A study, complete: nothing in it names a file outside.

    Attributes
    ----------
    document
        The tables of the study file, with its seed.
    attached
        Contents of the files that it names.
    seed
        Root seed.
    factors
        What differs between cells, in order.
    cells
        Values of the factors, cell by cell.
    repeats
        Runs in each cell; None if `until` decides.
    until
        When a cell has enough; None if `repeats` says.
    limits
        When a run is given up.
    """

    document: Mapping[str, Any]
    attached: Attached
    seed: int
    factors: tuple[str, ...]
    cells: tuple[Cell, ...]
    repeats: int | None
    until: Until | None
    limits: Limits

    @cached_property
    def kind(self) -> Kind:
        """What the study is about."""
        return kind_named(self.document["kind"])

    @property
    def title(self) -> str:
        """What people call it."""
        return str(self.document.get("title") or f"A study of {self.kind.unit}")

    @property
    def most_runs(self) -> int:
        """How many runs there can be."""
        return len(self.cells) * (self.repeats or (self.until.at_most if self.until else 0))

    @property
    def sha256(self) -> str:
        """Fingerprint of the study and of everything it names."""
        return hashlib.sha256(canonical(self.content).encode()).hexdigest()

    @property
    def content(self) -> dict[str, Any]:
        """Everything about the study as one JSON value; `spec_of` reads it."""
        return {"document": dict(self.document), "attached": dict(self.attached)}

    def settings(self, cell: int) -> Settings:
        """Return everything that is set in a cell."""
        return {**self.document.get("fixed", {}), **self.cells[cell]}


def studies() -> tuple[str, ...]:
    """Return the names of the studies that ship."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(_SUFFIX))
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names))


def find_spec(name: Path | str, seed: int | None = None, usual_seed: int | None = None) -> Spec:
    """Return the study in a file, or, where there is no such file, the shipped study of that name.

    Parameters
    ----------
    name
        Path or name.
    seed
        Replaces the seed of the study.
    usual_seed
        Is taken where neither says any; one is drawn if this is None too.

    Raises
    ------
    StudyFileError
        If there is neither; if the file has any fault, one line lists them as ``key.path: what``.
    """
    path = Path(name)
    if path.is_file():
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise StudyFileError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        return parse_spec(text, str(path), path.parent, seed, usual_seed)
    if path.suffix or path.exists():
        raise StudyFileError(f"{path}: {'is a folder' if path.is_dir() else 'no such file'}")
    if str(name) not in studies():
        raise StudyFileError(f"{unknown('study', str(name), studies())} (or a {_SUFFIX} file)")
    return parse_spec(study_text(str(name)), str(name), Path(), seed, usual_seed)


def study_text(name: str) -> str:
    """Return the file of a study that ships."""
    return (_FOLDER / f"{name}{_SUFFIX}").read_text(encoding="utf-8")


def parse_spec(
    text: str,
    name: str,
    folder: Path,
    seed: int | None = None,
    usual_seed: int | None = None,
) -> Spec:
    """Return the study in a text; see `find_spec`.

    Parameters
    ----------
    text
        TOML.
    name
        Begins the message of an error.
    folder
        Where the files lie that it names.
    seed, usual_seed
        As for `find_spec`.
    """
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise StudyFileError(f"{name}: not TOML: {error}") from None
    if seed is not None:
        tables["seed"] = seed
    tables.setdefault("seed", fresh_root() if usual_seed is None else usual_seed)
    try:
        if strange := list(_strange("", tables)):
            raise InvalidValueError(listed(strange))
        return _checked(tables, _attachments(tables, folder))
    except InvalidValueError as error:
        raise StudyFileError(f"{name}: {error}") from None


def spec_of(content: Mapping[str, Any]) -> Spec:
    """Return the study that `Spec.content` is of."""
    return _spec(content["document"], content["attached"])


def canonical(value: Any) -> str:
    """Write a JSON value in the one way from which fingerprints are taken."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _strange(place: str, value: Any) -> Iterator[str]:
    """Yield what TOML knows and no study: dates, and numbers that are none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _strange(f"{place}.{key}".removeprefix("."), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _strange(f"{place}[{index}]", inner)
    elif isinstance(value, float) and not isfinite(value):
        yield f"{place}: {value} should be a finite number"
    elif not isinstance(value, str | int | float):
        yield f"{place}: {value} should be a number, a text, or a list or table of them"


def _document(tables: Mapping[str, Any]) -> "SpecDocument":
    from pydantic import ValidationError

    from brickphys.batch.spec_schema import SpecDocument

    try:
        return SpecDocument.model_validate(tables)
    except ValidationError as error:
        raise InvalidValueError(listed(_faults(error, SpecDocument))) from None


def _spec(tables: Mapping[str, Any], attached: Attached) -> Spec:
    document = _document(tables)
    until, limits = document.until, document.limits
    seed = int(tables["seed"])
    return Spec(
        document=dict(tables),
        attached=attached,
        seed=seed,
        factors=factors(document),
        cells=cells(document, seed),
        repeats=document.repeats,
        until=Until(until.column, until.half_width, until.first, until.at_most) if until else None,
        limits=Limits(limits.time_s, limits.rounds, limits.memory_mb),
    )


def _attachments(tables: Mapping[str, Any], folder: Path) -> Attached:
    """Read every file that some cell names, once the names and values of factors are known to be right."""
    from brickphys.batch.spec_schema import MAX_CELLS

    document = _document(tables)
    kind = kind_named(document.kind)
    if (count := count_cells(document)) > MAX_CELLS:
        raise InvalidValueError(f"grid: {count:,} cells, at most {MAX_CELLS:,} are allowed")
    if faults := list(_factor_faults(document, kind)):
        raise InvalidValueError(listed(faults))
    attached: dict[str, Any] = {}
    for index, cell in enumerate(cells(document, int(tables["seed"]))):
        settings = {**document.fixed, **cell}
        _check_values(kind, settings, index, cell)
        attached.update(kind.attachments(settings, folder))
    return attached


def _checked(tables: Mapping[str, Any], attached: Attached) -> Spec:
    """Return the study if every cell of it can be made ready."""
    spec = _spec(tables, attached)
    faults: dict[str, int] = {}
    for index, cell in enumerate(spec.cells):
        settings = spec.settings(index)
        try:
            spec.kind.work(settings, attached, spec.seed, index, spec.limits)
        except InvalidValueError as error:
            faults.setdefault(f"{_place(index, cell)}: {error}", index)
            if len(faults) >= _SHOWN:
                break
        else:
            columns = spec.kind.columns(settings)
            if spec.until and spec.until.column not in columns:
                raise InvalidValueError(
                    f"until.column: {unknown('column', spec.until.column, columns)}"
                )
    if faults:
        raise InvalidValueError(listed(list(faults)))
    return spec


def _factor_faults(document: "SpecDocument", kind: Kind) -> Iterator[str]:
    """Yield names that are no factors, and factors that are named twice."""
    known = tuple(kind.document.model_fields)
    varied = factors(document)
    table = "grid" if document.grid else "cell" if document.cell else "sample"
    for where, names in (("fixed", tuple(document.fixed)), (table, varied)):
        for name in names:
            if name not in known:
                yield f"{where}.{name}: {unknown('factor of ' + kind.name, name, known)}"
    for name, values in document.grid.items():
        words = [canonical(value) for value in values]
        for word in sorted({word for word in words if words.count(word) > 1}):
            yield f"grid.{name}: {word} is there {words.count(word)} times"
    for name in varied:
        if name in document.fixed:
            yield f"{table}.{name}: is fixed as well"


def _check_values(kind: Kind, settings: Settings, index: int, cell: Cell) -> None:
    from pydantic import ValidationError

    try:
        kind.document.model_validate(settings)
    except ValidationError as error:
        found = _faults(error, kind.document)
        raise InvalidValueError(f"{_place(index, cell)}: {listed(found)}") from None


def _faults(error: "ValidationError", document: Any) -> list[str]:
    from brickphys.schema import faults

    return [fault.removeprefix(": ") for fault in faults(error, document)]


def _place(index: int, cell: Cell) -> str:
    values = ", ".join(f"{name} = {json.dumps(value)}" for name, value in cell.items())
    return f"cell {index} ({values})" if values else "fixed"
