"""Spec: a study as it was read from its file and checked: the cells, the number of runs, the limits."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import ValidationError

from brickphys.batch.kinds.study_type import (
    Attached,
    CellWork,
    Fields,
    Limits,
    Settings,
    StudyType,
    Summary,
    study_type,
)
from brickphys.batch.schema import (
    MAX_CELLS,
    CellFactors,
    SpecDocument,
    Until,
    cell_faults,
    cells,
    count_cells,
    factors,
    form_faults,
    ignored_faults,
    meaning_faults,
    until_most,
)
from brickphys.errors import InvalidValueError, StudyFileError, naming, raised_as, unknown
from brickphys.files import is_shipped
from brickphys.notes import each_note_once
from brickphys.reading import MOST_STUDY_BYTES, parse_json, parse_toml, read_text, shipped_text
from brickphys.rules.registry import beside
from brickphys.schema import faults
from brickphys.seeds import fresh_root
from brickphys.text import listed

_FOLDER = files("brickphys.batch") / "studies"
_SUFFIX = ".toml"


@dataclass(frozen=True)
class Spec:
    """A study, with the contents of all files that it names."""

    document: Mapping[str, Any]
    """The tables of the study file, with its seed."""
    attached: Attached
    """Contents of the files that it names."""
    seed: int
    factors: tuple[str, ...]
    """Names of what differs between cells, in order."""
    cells: tuple[CellFactors, ...]
    repeats: int | None
    """Runs of each cell; None if `until` decides."""
    until: Until | None
    """When a cell has enough runs; None if `repeats` decides."""
    limits: Limits
    """When a run is given up."""

    @cached_property
    def study_type(self) -> StudyType:
        """The type of the study."""
        return study_type(self.document["kind"])

    @property
    def title(self) -> str:
        """Its title, for people."""
        return str(self.document.get("title") or f"A study of {self.study_type.unit}")

    @property
    def least_runs_a_cell(self) -> int:
        """The least number of runs a cell has: all of them, or those before it is first judged."""
        return self.repeats or (self.until.first if self.until else 0)

    @property
    def most_runs_a_cell(self) -> int:
        """The largest number of runs a cell can have."""
        return self.repeats or (self.until.at_most if self.until else 0)

    @property
    def most_runs(self) -> int:
        """The largest number of runs it can have."""
        return len(self.cells) * self.most_runs_a_cell

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """Names of the packages whose code its rows depend on, besides this one and its libraries."""
        kind = self.study_type
        cells = range(len(self.cells))
        return tuple(
            sorted({name for cell in cells for name in kind.packages(self.settings(cell))})
        )

    @cached_property
    def sha256(self) -> str:
        """Fingerprint of the study and of all files that it names."""
        return hashlib.sha256(canonical(self.content).encode()).hexdigest()

    @property
    def content(self) -> dict[str, Any]:
        """The whole study as one JSON value, which `spec_of` reads."""
        return {"document": dict(self.document), "attached": dict(self.attached)}

    def settings(self, cell: int) -> Settings:
        """Return the fixed factors and those of a cell."""
        return {**self.document.get("fixed", {}), **self.cells[cell]}

    def work(self, cell: int) -> CellWork:
        """Prepare a cell, see `StudyType.work`."""
        with _understood(cell):
            return self.study_type.work(
                self.settings(cell), self.attached, self.seed, cell, self.limits
            )

    def columns(self, cell: int) -> Mapping[str, str]:
        """Return the estimates of a cell, see `StudyType.columns`."""
        with _understood(cell):
            return self.study_type.columns(self.settings(cell), self.attached)

    @cached_property
    def headings(self) -> Mapping[str, str]:
        """What tables and pictures call the estimates, by column; a column keeps its name where cells differ."""
        found: dict[str, set[str]] = {}
        for cell in range(len(self.cells)):
            with _understood(cell):
                words = self.study_type.headings(self.settings(cell), self.attached)
            for column, heading in words.items():
                found.setdefault(column, set()).add(heading)
        return {column: min(words) for column, words in found.items() if len(words) == 1}

    def heading(self, column: str) -> str:
        """Return what tables and pictures call an estimate."""
        return self.headings.get(column, column)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """Names of the sides whose wins are counted; none where cells differ."""
        found = set[tuple[str, ...]]()
        for cell in range(len(self.cells)):
            with _understood(cell):
                found.add(self.study_type.sides(self.settings(cell), self.attached))
        return found.pop() if len(found) == 1 else ()

    @cached_property
    def side_colours(self) -> tuple[str, ...]:
        """The colours of the sides; none where cells differ in their sides."""
        return self.study_type.side_colours(self.settings(0), self.attached) if self.sides else ()

    def fields(self, cell: int) -> Fields:
        """Return the columns of the rows of a cell, see `StudyType.fields`."""
        key = tuple(map(self.cells[cell].get, self.study_type.row_factors))
        if key not in self._fields:
            with _understood(cell):
                self._fields[key] = self.study_type.fields(self.settings(cell), self.attached)
        return self._fields[key]

    @cached_property
    def _fields(self) -> dict[tuple[Any, ...], Fields]:
        return {}

    def summary(self, cell: int, rows: pa.Table) -> Summary:
        """Return the results of a cell from its rows, see `StudyType.summary`."""
        with _understood(cell):
            return self.study_type.summary(self.settings(cell), self.attached, rows)

    def ratio(self, cell: int, rows: pa.Table) -> float | None:
        """Return the log-likelihood ratio of the sequential test of a cell; None if the study has no test."""
        if self.until is None or (test := self.until.test) is None:
            return None
        with _understood(cell):
            return test.ratio(self.study_type.blocks(self.settings(cell), self.attached, rows))


def studies() -> tuple[str, ...]:
    """Return the names of the studies that ship."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(_SUFFIX))
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names))


def find_spec(name: Path | str, seed: int | None = None, usual_seed: int | None = None) -> Spec:
    """Return the study that ships under a name, or else the one in a file (``./NAME`` where a study has its name).

    StudyFileError if there is no such study, or it has faults: one line lists them as ``key.path: fault``. `seed`
    replaces that of the study. If there is neither, it is the usual one, or else drawn.
    """
    path = Path(name)
    if is_shipped(str(name), studies()):
        return parse_spec(study_text(str(name)), str(name), Path(), seed, usual_seed)
    if path.exists() and not path.is_dir():
        with raised_as(StudyFileError):
            text = read_text(path, MOST_STUDY_BYTES)
        return parse_spec(text, str(path), path.parent, seed, usual_seed)
    if path.suffix or path.exists():
        raise StudyFileError(f"{path}: {'is a folder' if path.is_dir() else 'no such file'}")
    raise StudyFileError(f"{unknown('study', str(name), studies())} (or a {_SUFFIX} file)")


def study_text(name: str) -> str:
    """Return the file of a study that ships."""
    return shipped_text(_FOLDER / f"{name}{_SUFFIX}")


def parse_spec(
    text: str, name: str, folder: Path, seed: int | None = None, usual_seed: int | None = None
) -> Spec:
    """Return the study in a TOML text, as `find_spec` does; the files and modules that it names are in `folder`."""
    with raised_as(StudyFileError):
        tables = parse_toml(text, name)
    if seed is not None:
        tables["seed"] = seed
    tables.setdefault("seed", fresh_root() if usual_seed is None else usual_seed)
    with naming(name, StudyFileError), beside(folder):
        return checked_spec(tables, folder)


def spec_of(content: Mapping[str, Any]) -> Spec:
    """Return the study whose `Spec.content` this is."""
    tables = content["document"]
    document = _document(tables)
    if (count := count_cells(document)) > MAX_CELLS:
        raise InvalidValueError(f"{count:,} cells, at most {MAX_CELLS:,} are allowed")
    seed = int(tables["seed"])
    return Spec(
        document=dict(tables),
        attached=content["attached"],
        seed=seed,
        factors=factors(document),
        cells=cells(document, seed),
        repeats=document.repeats,
        until=document.until,
        limits=document.limits,
    )


def canonical(value: Any) -> str:
    """Return a JSON value as text, always the same for the same value: fingerprints are taken of it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _document(tables: Mapping[str, Any]) -> SpecDocument:
    try:
        return SpecDocument.model_validate(tables)
    except ValidationError as error:  # a manifest that was edited
        raise InvalidValueError(listed(faults(error, SpecDocument))) from None


@contextmanager
def _understood(cell: int) -> Iterator[None]:
    """Turn what a study that was not checked, as that of a manifest is not, makes of its settings into one line."""
    try:
        yield
    except ValidationError as error:
        what = error.errors(include_url=False)[0]
        place = ".".join(map(str, what["loc"]))
        raise InvalidValueError(f"cell {cell}: {place}: {what['msg']}") from None
    except KeyError as error:
        raise InvalidValueError(f"cell {cell}: {error} is not there") from None


def checked_spec(tables: Mapping[str, Any], folder: Path) -> Spec:
    """Return the study of tables that have a seed, with the files that it names, if every cell can be prepared.

    All faults of form are reported together. If there is none, so are all faults of meaning; then those of cells. The
    study is as JSON gives it back: a manifest, which is compared with it, can be read again.
    """
    _refuse(form_faults(tables))
    document = _document(tables)
    _refuse(meaning_faults(document))
    kind, sampled = study_type(document.kind), document.sample is not None
    made = cells(document, int(tables["seed"]))
    _refuse(list(ignored_faults(document, kind, made)))
    attached, missing = _attachments(kind, document, made, folder)
    _refuse(cell_faults(missing, made, document.fixed, sampled=sampled))
    content = {"document": tables, "attached": attached}
    spec = spec_of(parse_json(json.dumps(content, indent=2), "the study with its files"))
    found = until_most(_unprepared_cells(spec))
    _refuse(cell_faults(found, made, document.fixed, sampled=sampled))
    columns = list(kind.tested) if spec.until and spec.until.sprt else _common_columns(spec)
    if spec.until and spec.until.column not in columns:
        fault = unknown("column", spec.until.column, columns)
        raise InvalidValueError(f"until.column: {fault}")
    return spec


def _refuse(found: Sequence[str]) -> None:
    if found:
        raise InvalidValueError(listed(found))


def _attachments(
    kind: StudyType, document: SpecDocument, made: Sequence[CellFactors], folder: Path
) -> tuple[Attached, list[tuple[int, str]]]:
    """Read the files that cells name; return their contents, and each cell whose file cannot be read, and why."""
    attached: dict[str, Any] = {}

    def missing() -> Iterator[tuple[int, str]]:
        for index, cell in enumerate(made):
            try:
                attached.update(kind.attachments({**document.fixed, **cell}, folder))
            except InvalidValueError as error:
                yield index, str(error)

    with each_note_once():  # several cells may name the same file
        found = until_most(missing())
    return attached, found


def _unprepared_cells(spec: Spec) -> Iterator[tuple[int, str]]:
    for index in range(len(spec.cells)):
        settings = spec.settings(index)
        try:
            spec.study_type.work(settings, spec.attached, spec.seed, index, spec.limits)
        except InvalidValueError as error:
            yield index, str(error)


def _common_columns(spec: Spec) -> list[str]:
    names = list(spec.study_type.columns(spec.settings(0), spec.attached))
    for index in range(1, len(spec.cells)):
        known = spec.study_type.columns(spec.settings(index), spec.attached)
        names = [name for name in names if name in known]
    return names
