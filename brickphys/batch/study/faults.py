"""Faults of a study: whatever is wrong with a file, each by its key path, and all of them at once; loads pydantic."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from pydantic import ValidationError

from brickphys.batch.kinds.registry import study_type
from brickphys.batch.kinds.study_type import StudyType
from brickphys.batch.study.design import CellFactors, count_cells, factors
from brickphys.batch.study.schema import MAX_CELLS, SpecDocument
from brickphys.errors import InvalidValueError, unknown
from brickphys.schema import faults, shown

Tables = Mapping[str, Any]
Place = tuple[str, Any]
"""Where a value of a factor is written, and the value."""

_DESIGNS = ("grid", "cell", "sample")
_LIMITS_OF_ALL = ("time_s", "memory_mb")
_DRAWN = " (any number between the ends is drawn; sample.choices takes a list)"
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


def file_faults(tables: Tables) -> list[str]:
    """Return what is wrong with a study as far as it shows without the files that it names.

    Parameters
    ----------
    tables
        The study file.
    """
    strange = list(_strange("", tables))
    if strange:  # each would be told of in many other ways
        return strange
    found = [*_rule_faults(tables), *_document_faults(tables)]
    name = tables.get("kind")
    if not isinstance(name, str):
        return found
    try:
        kind = study_type(name)
    except InvalidValueError as error:
        return [*found, f"kind: {error}"]
    written = _written(tables)
    return [*found, *_name_faults(tables, kind, written), *_value_faults(kind, written)]


def ignored_faults(
    document: SpecDocument, kind: StudyType, cells: Sequence[CellFactors]
) -> Iterator[str]:
    """Yield what is written and changes nothing in any cell."""
    each = [kind.ignored({**document.fixed, **cell}) for cell in cells]
    for name in sorted({name for ignored in each for name in ignored}):
        if all(name in ignored for ignored in each):
            table = "fixed" if name in document.fixed else _table(document)
            yield f"{table}.{name}: changes nothing: {each[0][name]}"
    for name in sorted(document.limits.model_fields_set - {*_LIMITS_OF_ALL, *kind.limits}):
        yield f"limits.{name}: changes nothing: {kind.unit} have no {name}"


def told_once(
    found: Sequence[tuple[int, str]],
    cells: Sequence[CellFactors],
    fixed: Collection[str],
    *,
    sampled: bool,
) -> list[str]:
    """Return faults of cells, each with the first cell that has it, and how many more do.

    One that all cells have, and that begins with a factor that is fixed, is told as that factor's.

    Parameters
    ----------
    found
        Numbers of cells, and what is wrong with them.
    cells
        All of them.
    fixed
        Factors that all cells share.
    sampled
        Whether their numbers were drawn: then messages that differ in numbers only tell of one range.
    """
    first: dict[str, tuple[int, str]] = {}
    counts: Counter[str] = Counter()
    for index, message in found:
        form = _NUMBER.sub("#", message) if sampled else message
        first.setdefault(form, (index, message))
        counts[form] += 1
    told = []
    for form, (index, message) in first.items():
        named = re.match(r"(\w+):? ", message)
        if named and named[1] in fixed and counts[form] == len(cells):
            told.append(f"fixed.{named[1]}: {message[named.end() :]}")
        else:
            told.append(f"{_cell_place(index, cells[index])}: {message}{_more(counts[form] - 1)}")
    return told


def _more(count: int) -> str:
    return f" (and {count} more cell{'s' if count > 1 else ''})" if count else ""


def _cell_place(index: int, cell: CellFactors) -> str:
    values = ", ".join(f"{name} = {_short(value)}" for name, value in cell.items())
    return f"cell {index} ({values})" if values else "fixed"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else json.dumps(value)


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


def _document_faults(tables: Tables) -> list[str]:
    try:
        document = SpecDocument.model_validate(tables)
    except ValidationError as error:
        return faults(error, SpecDocument)
    return list(_design_faults(document))


def _design_faults(document: SpecDocument) -> Iterator[str]:
    """Yield what is wrong with the cells as a whole."""
    if (count := count_cells(document)) > MAX_CELLS:
        yield f"grid: {count:,} cells, at most {MAX_CELLS:,} are allowed"
    names = factors(document)
    for index, cell in enumerate(document.cell):
        if missing := [name for name in names if name not in cell]:
            yield f"cell[{index}]: {', '.join(missing)} missing"


def _rule_faults(tables: Tables) -> Iterator[str]:
    """Yield what keys are there that exclude each other, or say nothing."""
    if ("repeats" in tables) == ("until" in tables):
        yield "either repeats or until: exactly one of them must be there"
    if sum(name in tables for name in _DESIGNS) > 1:
        yield "grid, cell and sample exclude each other"
    title = str(tables.get("title", "")).strip()
    if title.splitlines() not in ([], [title]):
        yield f"title: {shown(title)} should be one line"
    for name in ("grid", "cell"):
        if name in tables and tables[name] in ({}, []):
            yield f"{name}: is empty: name what differs between cells, or leave it out"
    cells = tables.get("cell")
    if isinstance(cells, list) and cells and not any(cells):
        yield "cell[0]: is empty: name what differs between cells, or leave it out"


def _table(document: SpecDocument) -> str:
    return next((name for name in _DESIGNS if getattr(document, name)), "fixed")


def _written(tables: Tables) -> dict[str, list[Place]]:
    """Return every value of every factor with its place, by the table and name of the factor: ``grid.surface``."""
    found: dict[str, list[Place]] = {}
    for name, value in _items(tables.get("fixed")):
        found[f"fixed.{name}"] = [(f"fixed.{name}", value)]
    for name, values in _items(tables.get("grid")):
        found[f"grid.{name}"] = _listed(f"grid.{name}", values)
    cells = tables.get("cell")
    for index, cell in enumerate(cells if isinstance(cells, list) else []):
        for name, value in _items(cell):
            found.setdefault(f"cell.{name}", []).append((f"cell[{index}].{name}", value))
    sample = dict(_items(tables.get("sample")))
    for name, ends in _items(sample.get("ranges")):
        place = f"sample.ranges.{name}"
        found[place] = [(place, float(end)) for _, end in _listed(place, ends) if _is_number(end)]
    for name, values in _items(sample.get("choices")):
        found[f"sample.choices.{name}"] = _listed(f"sample.choices.{name}", values)
    return found


def _items(table: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of a table, nothing of what is none: the schema tells."""
    yield from table.items() if isinstance(table, dict) else ()


def _listed(place: str, values: Any) -> list[Place]:
    items = values if isinstance(values, list) else []
    return [(f"{place}[{index}]", value) for index, value in enumerate(items)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _name_faults(
    tables: Tables, kind: StudyType, written: Mapping[str, Sequence[Place]]
) -> Iterator[str]:
    """Yield names that are no factors, factors that are named twice or not at all, and values that are there twice."""
    known = tuple(kind.document.model_fields)
    named = {factor.rpartition(".")[2] for factor in written}
    for factor, places in written.items():
        table, _, name = factor.rpartition(".")
        if name not in known:
            yield f"{factor}: {unknown('factor of ' + kind.name, name, known)}"
        elif table != "fixed" and name in dict(_items(tables.get("fixed"))):
            yield f"{factor}: is fixed as well"
        if table == "grid":
            words = Counter(json.dumps(value, sort_keys=True) for _, value in places)
            yield from (
                f"{factor}: {word} is there {n} times" for word, n in words.items() if n > 1
            )
    for name, entry in kind.document.model_fields.items():
        if entry.is_required() and name not in named:
            yield f"fixed.{name}: missing"


def _value_faults(kind: StudyType, written: Mapping[str, Sequence[Place]]) -> Iterator[str]:
    """Yield values that are none for their factor, each once, by its own place."""
    for factor, places in written.items():
        name = factor.rpartition(".")[2]
        if name in kind.document.model_fields:
            drawn = factor.startswith("sample.ranges")
            found = [fault for place, value in places for fault in _wrong(kind, name, place, value)]
            yield from (f"{fault}{_DRAWN}" for fault in found[:1]) if drawn else found


def _wrong(kind: StudyType, name: str, place: str, value: Any) -> Iterator[str]:
    """Yield what is wrong with one value of a factor."""
    try:
        kind.document.model_validate({name: value})
    except ValidationError as error:
        for fault in faults(error, kind.document):
            if re.match(rf"{name}[:.\[]", fault):
                yield f"{place}{fault.removeprefix(name)}"
