"""Schema: the form of a study file, the cells of its design, and its faults with their key paths.

Cells are every combination of factors, a list, or points that fill a space. Faults are first of form, then of meaning,
then of cells.
"""

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice
from math import isfinite
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, FiniteFloat, ValidationError, model_validator

from brickphys.batch.kinds.study_type import Count, Limits, StudyType, study_type
from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.sequential import SequentialTest
from brickphys.schema import Strict, faults
from brickphys.seeds import MAX_ROOT, generator

MAX_CELLS = 100_000


class Steps(Strict):
    """Numbers at equal steps, in place of a list: `{from = 50, to = 300, step = 50}`."""

    first: FiniteFloat = Field(alias="from")
    """The first number."""
    to: FiniteFloat
    """The last number, if a step ends there; none is beyond it."""
    step: Annotated[FiniteFloat, Field(gt=0)]
    """Distance from each number to the next."""

    @model_validator(mode="after")
    def _ends(self) -> "Steps":
        if self.first > self.to:
            raise ValueError(f"from: {self.first:g} is above to, {self.to:g}")
        if self._count() > MAX_CELLS:
            raise ValueError(f"more than {MAX_CELLS:,} values")
        return self

    def values(self) -> list[int] | list[float]:
        """Return the numbers: those nearest to the decimal fractions, or integers if all of them are."""
        first, step = Fraction(str(self.first)), Fraction(str(self.step))
        found = [first + n * step for n in range(self._count())]
        if all(value.is_integer() for value in (self.first, self.step)):
            return [*map(int, found)]
        return [*map(float, found)]

    def _count(self) -> int:
        first, to, step = (Fraction(str(value)) for value in (self.first, self.to, self.step))
        return (to - first) // step + 1


def _stepped(values: Any) -> Any:
    """Return the numbers at equal steps that a table says; anything else as it is."""
    if not isinstance(values, dict):
        return values
    try:
        return Steps.model_validate(values).values()
    except ValidationError as error:
        raise ValueError("; ".join(faults(error, Steps))) from None


Values = Annotated[
    list[Any],
    Field(min_length=1),
    BeforeValidator(_stepped, json_schema_input_type=list[Any] | Steps),
]
"""Values of a factor."""


class Until(Strict):
    """Repeat until the 95 % interval of a column is narrow enough in each cell, or a sequential test has decided.

    A cell is judged after `first` runs, and whenever their number has doubled, up to `at_most`; by a test after as many
    more, later after a quarter more.
    """

    column: str
    """The estimate, such as `p_side`."""
    half_width: Annotated[FiniteFloat, Field(gt=0)] | None = None
    """Largest half-width of its 95 % interval."""
    sprt: Annotated[list[FiniteFloat], Field(min_length=2, max_length=4)] | None = None
    """In place of `half_width`: the smaller and the larger share between which Wald's test decides, and its error
    rates, 0.05 each by default; only for a `ladder`."""
    first: Count = 1000
    """Runs before a cell is judged for the first time."""
    at_most: Count = 1_000_000
    """Largest number of runs of a cell."""

    @model_validator(mode="after")
    def _looks_once(self) -> "Until":
        if self.first > self.at_most:
            raise ValueError(f"first: {self.first} is above at_most, {self.at_most}")
        if (self.half_width is None) == (self.sprt is None):
            raise ValueError("exactly one of half_width and sprt is required")
        if self.sprt is not None:
            SequentialTest(*self.sprt)
        return self

    @property
    def test(self) -> SequentialTest | None:
        """The sequential test; None where an interval decides."""
        return None if self.sprt is None else SequentialTest(*self.sprt)

    @property
    def aim(self) -> str:
        """What each cell is repeated for, in words."""
        if self.sprt is None:
            return f"the interval of {self.column} is ±{self.half_width:g} or narrower"
        return f"a test decides whether {self.column} is {self.sprt[0]:.4g} or {self.sprt[1]:.4g}"

    def looks(self) -> Iterator[int]:
        """Yield the numbers of runs after which a cell is judged; the last one is `at_most`."""
        count = self.first
        while count < self.at_most:
            yield count
            steps = max(count // self.first // 4, 1)
            count += count if self.sprt is None else steps * self.first
        yield self.at_most


class SampleDocument(Strict):
    """Cells that fill a space."""

    method: Literal["latin_hypercube", "sobol"]
    """Sampling method."""
    cells: Annotated[int, Field(ge=1, le=MAX_CELLS)]
    """Number of cells."""
    ranges: dict[str, Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]] = Field(
        default_factory=dict
    )
    """Factor → low and high end."""
    choices: dict[str, Values] = Field(default_factory=dict)
    """Factor → values to choose from."""

    @model_validator(mode="after")
    def _has_factors(self) -> "SampleDocument":
        if not self.ranges and not self.choices:
            raise ValueError("neither ranges nor choices: nothing to sample")
        if shared := sorted(self.ranges.keys() & self.choices.keys()):
            raise ValueError(f"{', '.join(shared)}: in ranges and in choices")
        for name, (low, high) in self.ranges.items():
            if not low < high:
                raise ValueError(f"ranges.{name}: {low:g} is not below {high:g}")
        return self


class SpecDocument(Strict):
    """A study file.

    Either `grid` (every combination, the last factor fastest), or `cell` (a list), or `sample`; without them there is
    one cell. `fixed` holds for all cells. Either `repeats` or `until`.
    """

    kind: str
    """What a run is: `drop`, `collide`, `battle` or `ladder`."""
    title: str = ""
    """Title of the report."""
    seed: Annotated[int, Field(ge=0, lt=MAX_ROOT)] | None = None
    """Root seed; default: drawn and stored."""
    repeats: Count | None = None
    """Runs of each cell."""
    until: Until | None = None
    """Repeat each cell until its interval is narrow enough, in place of `repeats`."""
    limits: Limits = Limits()
    """Limits at which a run is abandoned."""
    fixed: dict[str, Any] = Field(default_factory=dict)
    """Factor → its value in all cells."""
    grid: dict[str, Values] = Field(default_factory=dict)
    """Factor → values, or `{from = .., to = .., step = ..}`; every combination is a cell, the last factor fastest."""
    cell: list[dict[str, Any]] = Field(default_factory=list)
    """A table of factors for each cell, in place of `grid`."""
    sample: SampleDocument | None = None
    """Cells that fill a space, in place of `grid`."""


CellFactors = Mapping[str, Any]
"""Values of the factors of one cell."""


def factors(document: SpecDocument) -> tuple[str, ...]:
    """Return the names of the factors that differ between cells, in the order of the file."""
    if document.sample is not None:
        return (*document.sample.ranges, *document.sample.choices)
    if document.cell:
        return tuple(dict.fromkeys(name for cell in document.cell for name in cell))
    return tuple(document.grid)


def count_cells(document: SpecDocument) -> int:
    """Return the number of cells without making them."""
    if document.sample is not None:
        return document.sample.cells
    return len(document.cell) or math.prod(len(values) for values in document.grid.values())


def cells(document: SpecDocument, root: int) -> tuple[CellFactors, ...]:
    """Return the cells in their fixed order: the last factor of a grid is the fastest.

    The root seed decides on the points of a sampled design.
    """
    if document.sample is not None:
        return tuple(_sampled(document.sample, root))
    names = factors(document)
    if document.cell:
        return tuple({name: cell[name] for name in names} for cell in document.cell)
    combinations = itertools.product(*document.grid.values())
    return tuple(dict(zip(names, values, strict=True)) for values in combinations)


def _sampled(sample: SampleDocument, root: int) -> Iterator[CellFactors]:
    from scipy.stats import qmc  # loads scipy.stats

    width = len(sample.ranges) + len(sample.choices)
    rng = generator(root)
    if sample.method == "sobol":
        # a Sobol sequence is balanced at powers of two: draw the next one and keep the first points
        points = qmc.Sobol(width, rng=rng).random_base2(math.ceil(math.log2(sample.cells)))
    else:
        points = qmc.LatinHypercube(width, rng=rng).random(sample.cells)
    for point in points[: sample.cells]:
        shares = iter(point.tolist())
        numbers = {
            name: low + next(shares) * (high - low) for name, (low, high) in sample.ranges.items()
        }
        chosen = {
            name: values[min(int(next(shares) * len(values)), len(values) - 1)]
            for name, values in sample.choices.items()
        }
        yield {**numbers, **chosen}


Tables = Mapping[str, Any]

MOST_FAULTS = 100
"""Largest number of faulty names, values or cells to search for, since each is compared with all known names."""
_SHOWN = 5
_DESIGNS = ("grid", "cell", "sample")
_GENERAL_LIMITS = ("time_s", "memory_mb")
_RANGES = "sample.ranges"
_DRAWN = " (any number between the ends is drawn; sample.choices takes a list)"
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


class _Value(NamedTuple):
    """A value of a factor: the table it is in, the name of the factor, the key path, and the value."""

    table: str
    name: str
    place: str
    value: Any


def form_faults(tables: Tables) -> list[str]:
    """Return where the tables of a study file do not fit the schema of all studies."""
    if not_json := list(_not_json("", tables)):
        return not_json
    try:
        SpecDocument.model_validate(tables)
    except ValidationError as error:
        return [*_rule_faults(tables), *faults(error, SpecDocument)]
    return list(_rule_faults(tables))


def meaning_faults(document: SpecDocument) -> list[str]:
    """Return which names and values of a well-formed study its study type does not know."""
    try:
        kind = study_type(document.kind)
    except InvalidValueError as error:
        return [f"kind: {error}"]
    values = list(_values(document))
    return _first(
        chain(
            _design_faults(document),
            _name_faults(document, kind, values),
            _value_faults(kind, values),
            _limit_faults(document, kind),
        )
    )


def _first(found: Iterator[str]) -> list[str]:
    """Return faults; of more than `MOST_FAULTS` the first ones, and no more are looked for."""
    first = list(islice(found, MOST_FAULTS))
    if next(found, None) is None:
        return first
    return [*first[:_SHOWN], f"and more than {MOST_FAULTS - _SHOWN} others"]


def ignored_faults(
    document: SpecDocument, kind: StudyType, cells: Sequence[CellFactors]
) -> Iterator[str]:
    """Yield the factors that change nothing in any cell."""
    each = [kind.ignored({**document.fixed, **cell}) for cell in cells]
    table = next((name for name in _DESIGNS if getattr(document, name)), "")
    for name in sorted(set.intersection(*map(set, each))):
        place = "fixed" if name in document.fixed else table
        yield f"{place}.{name}: has no effect: {each[0][name]}"


def cell_faults(
    found: Sequence[tuple[int, str]],
    cells: Sequence[CellFactors],
    fixed: Collection[str],
    *,
    sampled: bool,
) -> list[str]:
    """Return each fault of cells once, with the first cell that has it and the number of the others.

    `found` are numbers of cells with their faults. A fault that all cells have, and that begins with the name of a
    fixed factor, is one of that factor. If numbers were sampled, messages that differ only in numbers are one fault.
    Of more than `MOST_FAULTS` only the first ones are told.
    """
    first: dict[str, tuple[int, str]] = {}
    counts: Counter[str] = Counter()
    for index, message in found:
        pattern = _NUMBER.sub("#", message) if sampled else message
        first.setdefault(pattern, (index, message))
        counts[pattern] += 1
    listed = []
    for pattern, (index, message) in first.items():
        named = re.match(r"(\w+):? ", message)
        if named and named[1] in fixed and counts[pattern] == len(cells):
            listed.append(f"fixed.{named[1]}: {message[named.end() :]}")
        else:
            others = _others(counts[pattern] - 1)
            listed.append(f"{_cell_place(index, cells[index])}: {message}{others}")
    return _first(iter(listed))


def until_most(found: Iterator[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the faults of cells until more than `MOST_FAULTS` different ones are found."""
    kept, different = [], set[str]()
    for index, message in found:
        kept.append((index, message))
        different.add(message)
        if len(different) > MOST_FAULTS:
            break
    return kept


def _others(count: int) -> str:
    return f" (and {count} more cell{'s' if count > 1 else ''})" if count else ""


def _cell_place(index: int, cell: CellFactors) -> str:
    values = ", ".join(f"{name} = {_short(value)}" for name, value in cell.items())
    return f"cell {index} ({values})" if values else "fixed"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else json.dumps(value)


def _not_json(place: str, value: Any) -> Iterator[str]:
    """Yield the values of TOML that JSON lacks: dates, infinity and nan."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _not_json(f"{place}.{key}".removeprefix("."), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _not_json(f"{place}[{index}]", inner)
    elif isinstance(value, float) and not isfinite(value):
        yield f"{place}: {value} should be a finite number"
    elif not isinstance(value, str | int | float):
        yield f"{place}: {value} should be a number, a text, or a list or table of them"


def _rule_faults(tables: Tables) -> Iterator[str]:
    """Yield keys that exclude each other or are empty; manifests of older batches may have them."""
    if ("repeats" in tables) == ("until" in tables):
        yield "exactly one of repeats and until is required"
    if sum(name in tables for name in _DESIGNS) > 1:
        yield "only one of grid, cell and sample is allowed"
    for name in ("grid", "cell"):
        if name in tables and tables[name] in ({}, []):
            yield f"{name}: is empty: name what differs between cells, or leave it out"
    if tables.get("cell") == [{}]:
        yield "cell[0]: is empty: name what differs between cells, or leave it out"


def _design_faults(document: SpecDocument) -> Iterator[str]:
    if (count := count_cells(document)) > MAX_CELLS:
        yield f"grid: {count:,} cells, at most {MAX_CELLS:,} are allowed"
    names = factors(document)
    for index, cell in enumerate(document.cell):
        if missing := [name for name in names if name not in cell]:
            yield f"cell[{index}]: {', '.join(missing)} missing"


def _values(document: SpecDocument) -> Iterator[_Value]:
    for name, value in document.fixed.items():
        yield _Value("fixed", name, f"fixed.{name}", value)
    yield from _listed("grid", document.grid)
    for index, cell in enumerate(document.cell):
        for name, value in cell.items():
            yield _Value("cell", name, f"cell[{index}].{name}", value)
    if document.sample is not None:
        for name, ends in document.sample.ranges.items():
            yield from (_Value(_RANGES, name, f"{_RANGES}.{name}", float(end)) for end in ends)
        yield from _listed("sample.choices", document.sample.choices)


def _listed(table: str, lists: Mapping[str, Sequence[Any]]) -> Iterator[_Value]:
    for name, values in lists.items():
        for index, value in enumerate(values):
            yield _Value(table, name, f"{table}.{name}[{index}]", value)


def _name_faults(
    document: SpecDocument, kind: StudyType, values: Sequence[_Value]
) -> Iterator[str]:
    """Yield factors that are unknown, fixed as well, or missing, and values of a grid that are there twice."""
    known = kind.document.model_fields
    for table, name in dict.fromkeys((value.table, value.name) for value in values):
        if name not in known:
            yield f"{table}.{name}: {unknown('factor of ' + kind.name, name, known)}"
        elif table != "fixed" and name in document.fixed:
            yield f"{table}.{name}: is also in fixed"
    for name, grid_values in document.grid.items():
        counts = Counter(json.dumps(value, sort_keys=True) for value in grid_values)
        yield from (
            f"grid.{name}: {word} is there {n} times" for word, n in counts.items() if n > 1
        )
    named = {value.name for value in values}
    for name, entry in known.items():
        if entry.is_required() and name not in named:
            yield f"fixed.{name}: missing"


def _value_faults(kind: StudyType, values: Sequence[_Value]) -> Iterator[str]:
    """Yield values that their factor cannot have; of the ends of a range only one."""
    faulty_ranges = set()
    for value in values:
        if value.name not in kind.document.model_fields or value.place in faulty_ranges:
            continue
        for fault in _wrong(kind, value):
            if value.table == _RANGES:
                faulty_ranges.add(value.place)
                yield f"{fault}{_DRAWN}"
                break
            yield fault


def _wrong(kind: StudyType, value: _Value) -> Iterator[str]:
    try:
        kind.document.model_validate({value.name: value.value})
    except ValidationError as error:
        for fault in faults(error, kind.document):
            if re.match(rf"{value.name}[:.\[]", fault):  # not that other factors are missing
                yield f"{value.place}{fault.removeprefix(value.name)}"


def _limit_faults(document: SpecDocument, kind: StudyType) -> Iterator[str]:
    for name in sorted(document.limits.model_fields_set - {*_GENERAL_LIMITS, *kind.limits}):
        yield f"limits.{name}: has no effect: {kind.unit} have no {name}"
