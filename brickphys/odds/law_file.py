"""Law files: laws as JSON, checked when they are read; the laws that ship with the package."""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.checks import Check
from brickphys.errors import LawFileError, raised_as
from brickphys.files import is_shipped, is_there
from brickphys.odds.law import SCHEMA, Law
from brickphys.odds.law_faults import law_checks
from brickphys.odds.overdispersion import Overdispersion
from brickphys.odds.provenance import (
    Combined,
    LawConditions,
    LawSurface,
    MeasuredCause,
    MeasuredSources,
    Source,
    Systematic,
)
from brickphys.reading import parse_json, read_text
from brickphys.text import listed, nearest

if TYPE_CHECKING:
    from brickphys.odds.law_schema import LawDocument

_NOT_LAWS = {
    r"[ \ufeff]*(bricks|score|surface|studs_up)\b[^\n{]*,": "counted throws, not a law; "
    "`brickphys infer {name} --out law.json` makes a law of them, from Python infer(file, combine=True).combined",
    r"(?s)[^{]*brickphys\.measurements/": "measurements, not a law; "
    "`brickphys measure law {name} --out law.json` makes a law of them, from Python measure(file).law",
}
"""How the text of another file begins (a pattern) -> what makes a law of it."""
_HEAD = 1000
"""Characters that tell what a file is."""
DEFAULT = "default"
"""The law that is used if none is named: a hand throws a 2x2 brick on wood."""
_BY_SURFACE = {"wood": DEFAULT, "plastic": "baseplate"}
"""Surfaces -> the shipped laws on them that have other names."""


def default_law() -> Law:
    """Return the law for a hand throwing 2x2 bricks on wood, which ships with the package.

    Raises
    ------
    LawFileError
        If the installation lacks it.
    """
    return shipped_law(DEFAULT)


def shipped_laws() -> list[str]:
    """Return the names of the shipped laws."""
    laws = files("brickphys") / "laws"
    return sorted(Path(entry.name).stem for entry in laws.iterdir() if entry.name.endswith(".json"))


def shipped_name(name: str) -> str | None:
    """Return the name of the shipped law that is called `name`, or lies on a surface called so; None if none does."""
    meant = _BY_SURFACE.get(name, name)
    return meant if meant in shipped_laws() else None


def shipped_law(name: str) -> Law:
    """Return the shipped law of a name.

    Raises
    ------
    LawFileError
        If no law of that name ships.
    """
    with as_file(files("brickphys") / "laws" / f"{name}.json") as path:
        return read_law(path)


def shipped_law_on(surface: str) -> Law | None:
    """Return the shipped law for a surface; None if there is none."""
    laws = (shipped_law(name) for name in shipped_laws())
    return next((law for law in laws if law.surface.name == surface), None)


def find_law(name: Path | str) -> Law:
    """Return the shipped law of a name or on a surface, or the law in a file; ``./NAME`` is always a file.

    Raises
    ------
    LawFileError
        If neither exists, and as `read_law`.
    """
    if is_shipped(str(name), [*shipped_laws(), *_BY_SURFACE]):
        return shipped_law(_BY_SURFACE.get(str(name), str(name)))
    if is_there(name) or not str(name):
        return read_law(name)
    meant = nearest(str(name), [*shipped_laws(), *_BY_SURFACE])
    hint = f"; did you mean {meant!r}?" if meant else ""
    raise LawFileError(
        f"{name}: no such file, nor a shipped law ({', '.join(shipped_laws())}){hint}"
    )


def read_law(path: Path | str) -> Law:
    """Read a law file.

    Raises
    ------
    LawFileError
        If the file cannot be read, is cut short, has another schema version, an unknown, missing or impossible
        value, or counts that do not add up. The message is one line with every fault as ``key.path: fault``.
    """
    return parse_law(_text(path), str(path))


def parse_law(text: str, name: str = "law") -> Law:
    """Return the law in the text of a law file; error messages start with `name` (see `read_law`)."""
    document = _document(text, name)
    faults = [check.fault for check in law_checks(document) if check.fault]
    if faults:
        raise LawFileError(f"{name}: {listed(faults)}")
    return _law(document)


def checks(path: Path) -> Iterator[Check]:
    """Yield what is found out about a law file from the file alone."""
    form = "JSON with the keys of a law, each once, and values that each may have"
    try:
        document = _document(_text(path), str(path))
    except LawFileError as error:
        yield Check(form, str(error).removeprefix(f"{path}: "))
        return
    yield Check(form)
    yield from law_checks(document)


def _text(path: Path | str) -> str:
    if not str(path):
        raise LawFileError("the name of the law file is empty")
    with raised_as(LawFileError):
        return read_text(path)


def _document(text: str, name: str) -> "LawDocument":
    """Return the document in a text, valid value by value."""
    from brickphys.odds.law_schema import parse

    for pattern, instead in _NOT_LAWS.items():
        if re.match(pattern, text[:_HEAD], re.IGNORECASE):
            raise LawFileError(f"{name}: {instead.replace('{name}', name)}")
    with raised_as(LawFileError):
        content = parse_json(text, name)
    found = list(_schema_faults(content)) or parse(text)
    if isinstance(found, list):
        raise LawFileError(f"{name}: {listed(found)}")
    return found


def _schema_faults(content: Any) -> Iterator[str]:
    """Yield a fault if the content is not a JSON object of this schema version."""
    if not isinstance(content, dict):
        yield "is not a JSON object"
    elif "schema" not in content:
        yield f"schema: missing, should be {SCHEMA!r}"
    elif content["schema"] != SCHEMA:
        yield f"schema: {content['schema']!r} is not {SCHEMA!r}"


def _scores(document: "LawDocument") -> Mapping[int, tuple[int, ...]]:
    return {bricks: tuple(hands.counts) for bricks, hands in sorted(document.scores.items())}


def _combined(document: "LawDocument") -> Combined | None:
    combined = document.combined
    if combined is None:
        return None
    scores = {bricks: tuple(counts) for bricks, counts in sorted(combined.scores.items())}
    kept = {key: value for key, value in combined if key != "prior_systematic"}
    return Combined(**{**kept, "scores": scores})


def _measured(document: "LawDocument") -> MeasuredSources | None:
    measured = document.measured
    if measured is None:
        return None
    causes = {name: MeasuredCause(**dict(cause)) for name, cause in measured.causes.items()}
    return MeasuredSources(measured.file, causes, measured.assumptions)


def _law(document: "LawDocument") -> Law:
    from brickphys.stamp import Stamp

    test, systematic = document.overdispersion, document.systematic
    return Law(
        counts=document.counts,
        ci95=document.p_side.ci95,
        scores=_scores(document),
        shape=document.shape,
        surface=LawSurface(**dict(document.surface)),
        conditions=LawConditions(**dict(document.conditions)),
        engine=document.engine,
        hands_engine=document.hands_engine,
        versions=document.versions,
        seed=document.seed,
        overdispersion=Overdispersion(**dict(test)) if test else None,
        p_range90=document.p_side.range90,
        systematic=Systematic(
            systematic.range_error,
            systematic.throws,
            {name: Source(**dict(source)) for name, source in systematic.sources.items()},
            systematic.reference,
        )
        if systematic
        else None,
        complete=document.complete,
        command=document.command,
        validation=document.validation,
        prior_hands=None
        if document.prior_hands is None
        else {bricks: tuple(counts) for bricks, counts in sorted(document.prior_hands.items())},
        combined=_combined(document),
        measured=_measured(document),
        contradiction=document.contradiction,
        scoring=document.scoring,
        files=document.files,
        stamp=Stamp(**dict(document.stamp)) if document.stamp else None,
    )
