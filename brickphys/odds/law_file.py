"""Law files: laws as JSON, checked when they are read; the laws that ship with the package.

A check finds contradictions between values of a law file that are valid on their own. What follows from the counts is
computed again and compared. What does not is bounded by what does.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from importlib.resources import as_file, files
from math import ceil, floor, isclose, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.errors import LawFileError, raised_as
from brickphys.files import is_shipped, is_there
from brickphys.odds import provenance
from brickphys.odds.distribution import Z90, Z95, wilson
from brickphys.odds.law import SCHEMA, Law
from brickphys.odds.roll import ROUNDING, SIDE, Overdispersion, count_faults, overdispersion
from brickphys.reading import parse_json, read_text
from brickphys.stamp import Check
from brickphys.text import cut, listed, nearest

if TYPE_CHECKING:
    from brickphys.odds.law_schema import LawDocument, SourceDocument

BRICK_POSES = ("studs_up", "studs_down", SIDE, "leaning", "unsettled")
"""The poses of bricks and plates."""
_BRICKS = re.compile(r"(plate:)?[1-9]\d?x[1-9]\d?(:r\d+(\.\d+)?)?", re.ASCII)
_LONGEST = 300
"""Characters of a fault: a name or list of a file may have half a million."""
_WIDTHS = 0.5, 1.6
"""Width of the 95 % interval of any posterior of p over that of a normal one with its standard deviation: a flat one
has 0.84, one of two peaks 0.51."""
_LEAST_SHARE = 0.5
"""Width of its 90 % range over that of its 95 % interval."""
_RANGES = 0.5, 2.0
"""Width of the range of p over that of a normal variable whose variance is that of all sources, each uniform.

Least: a uniform variable has 0.95, and of few throws the deviations by causes are reduced by up to a half, those by
engines and the contact law not at all. Greatest: a source by which p only rises, or only falls, has up to three times
the variance of a uniform one, hence 1.73; the rest is for causes that act together. The laws that ship have 1.09 to
1.49."""
_ERRORS = 4.0
"""Standard errors of its ends by which a range may be wider still: two for each end."""
_MOST_ERROR = 3.0
"""The standard error of the ends of a range, over the width of that normal variable: of few throws up to 1.8."""
_PLACE = 1.0
"""Distance of the middle of a range from p, over that width and the standard error of its ends: up to 0.75, where p
bends or another engine shifts it; the laws that ship have 0.05 to 0.24."""


def law_checks(document: "LawDocument") -> Iterator[Check]:
    """Yield what is compared within a law file, with the faults of each as ``key.path: fault``."""
    more = {**(_COMBINED if document.combined else {}), **(_MEASURED if document.measured else {})}
    for what, find in {**_CHECKS, **more}.items():
        faults = [cut(fault, _LONGEST) for fault in find(document)]
        told = _WITHOUT_HANDS if find is _test_faults and _lacks_hands(document) else what
        yield Check(told, listed(faults) or None)
        if faults and find is _count_faults:
            return  # nothing follows from such counts


def _count_faults(document: "LawDocument") -> Iterator[str]:
    scores = {bricks: tuple(hands.counts) for bricks, hands in sorted(document.scores.items())}
    for place, what in count_faults(document.counts, scores, document.scoring):
        yield f"{place}: {what}"
    for bricks, hands in document.scores.items():
        if hands.hands != sum(hands.counts):
            yield f"scores.{bricks}.hands: {hands.hands}, but its counts add up to {sum(hands.counts)}"
    kept = {"prior_hands": document.prior_hands or {}}
    kept |= {"combined.scores": document.combined.scores} if document.combined else {}
    for place, found in kept.items():
        for bricks, hands_counted in found.items():
            if len(hands_counted) != bricks + 1:
                yield (
                    f"{place}.{bricks}: {len(hands_counted)} counts where {bricks} bricks have "
                    f"{bricks + 1} scores"
                )
    several = max(document.scores, default=1) > 1
    if several != (document.hands_engine is not None):
        there = "there are none" if document.hands_engine else "there are some"
        yield f"hands_engine: {document.hands_engine or 'null'}, but of hands of several bricks {there}"


def _body_faults(document: "LawDocument") -> Iterator[str]:
    """Yield contradictions between shape, poses and what scores; a body of a file has poses of its own."""
    if document.files:
        return
    if not _BRICKS.fullmatch(document.shape):
        yield f"shape: {document.shape!r} is not a brick or plate, and there is no file of such a body"
    if set(document.counts) != set(BRICK_POSES):
        yield f"counts: the poses are {', '.join(document.counts)}, those of bricks {', '.join(BRICK_POSES)}"
    if document.scoring != (SIDE,):
        yield f"scoring: {list(document.scoring)}, but of bricks the side scores"


def _share_faults(document: "LawDocument") -> Iterator[str]:
    throws, p = sum(document.counts.values()), document.p_side
    sides = sum(document.counts[pose] for pose in document.scoring)
    if p.throws != throws:
        yield f"p_side.throws: {p.throws}, but the counts add up to {throws}"
    if Fraction(p.fraction) != Fraction(sides, throws):
        yield f"p_side.fraction: {p.fraction}, but the counts give {sides}/{throws}"
    elif not p.ci95[0] <= Fraction(p.fraction) <= p.ci95[1]:
        yield f"p_side.ci95: {list(p.ci95)} does not contain {p.fraction}"
    elif document.combined or document.measured:
        yield from _posterior_faults("p_side", sides / throws, throws, p.ci95, p.range90)
    else:
        yield from _compared("p_side.ci95", p.ci95, wilson(sides, throws))
    if document.poses_ci95:
        found = {pose: wilson(count, throws) for pose, count in document.counts.items()}
        yield from _compared("poses_ci95", document.poses_ci95, found)


def _posterior_faults(
    place: str,
    p: float,
    throws: int,
    ci95: tuple[float, float],
    range90: tuple[float, float] | None,
) -> Iterator[str]:
    """Yield where interval and range are none of a posterior that is worth so many throws."""
    width, normal = ci95[1] - ci95[0], 2 * Z95 * sqrt(p * (1 - p) / (throws + 1))
    if not _WIDTHS[0] * normal <= width <= _WIDTHS[1] * normal:
        yield f"{place}.ci95: {list(ci95)} is not the interval of a share of {p:g} in {throws} throws"
    elif range90 and not (
        ci95[0] <= range90[0]
        and range90[1] <= ci95[1]
        and range90[1] - range90[0] >= _LEAST_SHARE * width
    ):
        yield f"{place}.range90: {list(range90)} is not the 90 % range within {list(ci95)}"


def _test_faults(document: "LawDocument") -> Iterator[str]:
    """Yield where the test of independence is not that of the hands."""
    if document.combined or document.measured:
        expected = _own(document) or overdispersion(document.prior_hands or {})
        if _lacks_hands(document):
            yield from _inherited_faults(document)
            return
    else:
        expected = overdispersion({k: hands.counts for k, hands in document.scores.items()})
        if document.prior_hands is not None:
            yield "prior_hands: there is no prior law"
    test = document.overdispersion
    if (test is None) != (expected is None):
        yield f"overdispersion: {'missing' if expected else 'there are no hands of several bricks'}"
    elif test and expected:
        yield from _compared("overdispersion", dict(test), asdict(expected))


def _lacks_hands(document: "LawDocument") -> bool:
    """Return whether the hands of the test of independence are not in the file."""
    rests_on_others = bool(document.combined or document.measured)
    return rests_on_others and document.prior_hands is None and not _own(document)


def _own(document: "LawDocument") -> Overdispersion | None:
    """Return the test of hands at home, if it found a correlation."""
    test = overdispersion(document.combined.scores) if document.combined else None
    return test if test and test.found else None


def _inherited_faults(document: "LawDocument") -> Iterator[str]:
    """Yield contradictions within a test whose hands are not in the file, as in files of earlier versions."""
    test = document.overdispersion
    if test is None:
        return
    if not test.ci95[0] <= test.rho <= test.ci95[1]:
        yield f"overdispersion.ci95: {list(test.ci95)} does not contain rho = {test.rho:g}"
    each = [(factor - 1) / (k - 1) for k, factor in test.factor.items() if k > 1]
    if not min(each, default=1.0) - ROUNDING <= test.rho <= max(each, default=-1.0) + ROUNDING:
        yield f"overdispersion.rho: {test.rho:g} is not between those of the hands, by factor {dict(test.factor)}"


def _range_faults(document: "LawDocument") -> Iterator[str]:
    """Yield contradictions between the range of p and its sources, and ranges that are reversed."""
    systematic, range90 = document.systematic, document.p_side.range90
    height = document.conditions.height_mm
    if height[0] > height[1]:
        yield f"conditions.height_mm: {list(height)} is reversed"
    if range90 and range90[0] > range90[1]:
        yield f"p_side.range90: {list(range90)} is reversed"
    yield from _nominal_faults(document)
    if document.combined or document.measured:
        if systematic:
            yield "systematic: the interval of p has all uncertainties, there is no range by sources"
        return
    if systematic is None:
        if range90:
            yield "systematic: null, but p_side.range90 rests on it"
        return
    for name, source in systematic.sources.items():
        if source.low > source.high:
            yield f"systematic.sources.{name}: low {source.low:g} is above high {source.high:g}"
    sides, bricks = systematic.reference_counts or (0, 1)
    if not 0 <= sides <= bricks or not bricks:
        yield f"systematic.reference_counts: {sides} of {bricks} bricks"
    if (range90 is None) != (systematic.range_error is None):  # earlier versions had neither
        missing = "systematic.range_error" if range90 else "p_side.range90"
        yield f"{missing}: missing, but the other of range90 and its error is there"
    elif range90:
        offset = systematic.sources.get(provenance.ENGINE)
        p = float(Fraction(document.p_side.fraction)) + (offset.shift if offset else 0.0)
        if provenance.CONTACT_LAW not in systematic.sources:
            yield f"systematic.sources.{provenance.CONTACT_LAW}: missing"
        error = systematic.range_error or 0.0
        yield from _doubt_faults(p, range90, systematic.sources, error)


def _nominal_faults(document: "LawDocument") -> Iterator[str]:
    """Yield what of a nominal chance lacks, and where chance and range are not those of the posterior's draws."""
    p, draws = document.p_side, document.posterior
    error = document.systematic and document.systematic.nominal_error
    parts = {"p_side.nominal": p.nominal, "posterior": draws, "systematic.nominal_error": error}
    if all(part is None for part in parts.values()):
        return
    lacking = [key for key, part in {**parts, "p_side.range90": p.range90}.items() if part is None]
    yield from (f"{key}: missing, but there is a nominal chance" for key in lacking)
    rows = draws or {}
    ordered = sorted(rows.get("p", ()))
    if not ordered or any(len(row) != len(ordered) for row in rows.values()):
        sizes = ", ".join(f"{len(row)} of {name}" for name, row in rows.items()) or "none"
        yield f"posterior: should be as many draws of all, p among them: {sizes}"
    elif p.nominal and p.range90:
        told = {0.5: (p.nominal, 6e-4), 0.05: (p.range90[0], 6e-5), 0.95: (p.range90[1], 6e-5)}
        for part, (value, rounding) in told.items():
            place = part * len(ordered) - 0.5  # a row is from the middle of its equal part
            low, high = ordered[max(floor(place), 0)], ordered[ceil(place)]
            if not low - rounding <= value <= high + rounding:
                key = "nominal" if part == 0.5 else "range90"
                yield f"p_side.{key}: {value:g}, but {part:.0%} of posterior.p are below {low:g}"


def _doubt_faults(
    p: float, range90: tuple[float, float], sources: Mapping[str, "SourceDocument"], error: float
) -> Iterator[str]:
    """Yield where width and place of the range of p are far from what its sources give, each uniform over its range.

    The shift by another engine and the effect of another law of contact are drawn as in `calibration.systematic`.
    """
    squares = {name: source.shift**2 for name, source in sources.items()}
    engine, contact = sources.get(provenance.ENGINE), sources.get(provenance.CONTACT_LAW)
    if engine is not None:  # the whole shift, with its error
        squares[provenance.ENGINE] = 12 * engine.error**2
    if contact is not None:  # a triangular distribution
        product = contact.low * contact.high
        squares[provenance.CONTACT_LAW] *= (
            1 + product / max(contact.high - contact.low, 1e-9) ** 2
        ) / 1.5
    normal = 2 * Z90 * sqrt(sum(squares.values()) / 12)
    width = range90[1] - range90[0]
    if not _RANGES[0] * normal <= width <= _RANGES[1] * normal + _ERRORS * error:
        yield (
            f"p_side.range90: {list(range90)} is {width:.3g} wide, but the shifts of its sources give "
            f"some {normal:.3g}"
        )
    if error > _MOST_ERROR * normal:
        yield f"systematic.range_error: {error:.3g}, but the shifts of its sources give a width of {normal:.3g}"
    elif abs(sum(range90) / 2 - p) > _PLACE * (normal + error):
        yield f"p_side.range90: {list(range90)} is far from p = {p:.3g} for sources that give a width of {normal:.3g}"


def _combined_faults(document: "LawDocument") -> Iterator[str]:
    """Yield contradictions within the data of a combined law."""
    combined = document.combined
    if combined is None:
        return
    thrown = sum(bricks * sum(counts) for bricks, counts in combined.scores.items())
    if combined.poses is not None and sum(combined.poses.values()) != thrown:
        yield f"combined.poses: of {sum(combined.poses.values())} bricks, but the scores are of {thrown}"
    sides = sum(score * n for counts in combined.scores.values() for score, n in enumerate(counts))
    if (
        combined.poses is not None
        and combined.poses.get(SIDE, sides) != sides
        and not document.files
    ):
        yield f"combined.poses.{SIDE}: {combined.poses[SIDE]}, but the scores add up to {sides}"
    p, throws = combined.prior_p, combined.prior_throws
    if not combined.prior_ci95[0] <= p <= combined.prior_ci95[1]:
        yield f"combined.prior_ci95: {list(combined.prior_ci95)} does not contain {p:g}"
    elif document.measured or not _is_wilson(p, throws, combined.prior_ci95):
        yield from _posterior_faults(
            "combined.prior", p, throws, combined.prior_ci95, combined.prior_range90
        )
    if max(document.scores, default=1) > 1:
        yield "scores: a combined law has single bricks only"


def _is_wilson(p: float, throws: int, ci95: tuple[float, float]) -> bool:
    """Return whether a share and its interval are those of a whole number of bricks."""
    sides = round(p * throws)
    found = wilson(sides, throws)
    return all(
        _alike(*pair) for pair in ((p, sides / throws), (ci95[0], found[0]), (ci95[1], found[1]))
    )


def _measured_faults(document: "LawDocument") -> Iterator[str]:
    """Yield contradictions within the measurements of a law."""
    if document.measured is None:
        return
    for name, cause in document.measured.causes.items():
        if not cause.ci95[0] <= cause.mean <= cause.ci95[1]:
            yield f"measured.causes.{name}: {list(cause.ci95)} does not contain {cause.mean:g}"
    for name in ("friction", "restitution"):
        found = document.measured.causes.get(name)
        if found:
            yield from _compared(f"surface.{name}", getattr(document.surface, name), found.mean)
    if max(document.scores, default=1) > 1:
        yield "scores: a measured law has single bricks only"


def _stamp_faults(document: "LawDocument") -> Iterator[str]:
    """Yield versions that are not those of the stamp; a combined law has the versions of its prior law."""
    if document.stamp is None or (document.combined and not document.measured):
        return
    for name, version in document.versions.items():
        stamped = document.stamp.versions.get(name)
        if stamped not in (None, version):
            yield f"versions.{name}: {version!r}, but the stamp says {stamped!r}"


def _compared(place: str, value: Any, expected: Any) -> Iterator[str]:
    """Yield where a value is not the expected one, up to rounding."""
    if isinstance(expected, Mapping):
        for key in dict.fromkeys([*expected, *value]):
            if key not in expected or key not in value:
                yield f"{place}.{key}: {'missing' if key in expected else 'not expected here'}"
            else:
                yield from _compared(f"{place}.{key}", value[key], expected[key])
    elif isinstance(expected, tuple):
        if len(value) != len(expected) or not all(map(_alike, value, expected)):
            yield f"{place}: {list(value)}, but the counts give {list(expected)}"
    elif not _alike(value, expected):
        yield f"{place}: {value!r}, but {expected!r} follows from the rest of the file"


def _alike(value: Any, expected: Any) -> bool:
    if isinstance(expected, float):
        return isclose(value, expected, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return bool(value == expected)


_WITHOUT_HANDS = "overdispersion agrees with itself; its hands are not in the file"
_Find = Callable[["LawDocument"], Iterator[str]]
_CHECKS: Mapping[str, _Find] = {
    "counts of poses and hands add up": _count_faults,
    "shape, poses and what scores are of one kind of body": _body_faults,
    "p_side and poses_ci95 follow from the counts": _share_faults,
    "overdispersion follows from the hands": _test_faults,
    "range90, if there is one, has its sources and is as wide as they give": _range_faults,
    "versions are those of the stamp": _stamp_faults,
}
_COMBINED: Mapping[str, _Find] = {"the counts at home and the prior law agree": _combined_faults}
_MEASURED: Mapping[str, _Find] = {"the measurements and the surface agree": _measured_faults}


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

    Raises LawFileError if the installation lacks it.
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

    Raises LawFileError if no law of that name ships.
    """
    with as_file(files("brickphys") / "laws" / f"{name}.json") as path:
        return read_law(path)


def shipped_law_on(surface: str) -> Law | None:
    """Return the shipped law for a surface; None if there is none."""
    laws = (shipped_law(name) for name in shipped_laws())
    return next((law for law in laws if law.surface.name == surface), None)


def find_law(name: Path | str) -> Law:
    """Return the shipped law of a name or on a surface, or the law in a file; ``./NAME`` is always a file.

    Raises LawFileError if neither exists, and as `read_law`.
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

    Raises LawFileError if the file cannot be read, is cut short, has another schema version, an unknown, missing or
    impossible value, or counts that do not add up. The message is one line with every fault as ``key.path: fault``.
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


def _combined(document: "LawDocument") -> provenance.Combined | None:
    combined = document.combined
    if combined is None:
        return None
    scores = {bricks: tuple(counts) for bricks, counts in sorted(combined.scores.items())}
    kept = {key: value for key, value in combined if key != "prior_systematic"}
    return provenance.Combined(**{**kept, "scores": scores})


def _measured(document: "LawDocument") -> provenance.MeasuredSources | None:
    measured = document.measured
    if measured is None:
        return None
    causes = {
        name: provenance.MeasuredCause(**dict(cause)) for name, cause in measured.causes.items()
    }
    return provenance.MeasuredSources(measured.file, causes, measured.assumptions)


def _law(document: "LawDocument") -> Law:
    from brickphys.stamp import Stamp

    test, systematic = document.overdispersion, document.systematic
    return Law(
        counts=document.counts,
        share_ci95=document.p_side.ci95,
        scores=_scores(document),
        shape=document.shape,
        surface=provenance.LawSurface(**dict(document.surface)),
        conditions=provenance.LawConditions(**dict(document.conditions)),
        engine=document.engine,
        hands_engine=document.hands_engine,
        versions=document.versions,
        seed=document.seed,
        overdispersion=Overdispersion(**dict(test)) if test else None,
        p_range90=document.p_side.range90,
        nominal=document.p_side.nominal,
        posterior=None
        if document.posterior is None
        else {name: tuple(row) for name, row in document.posterior.items()},
        systematic=provenance.Systematic(
            systematic.range_error,
            systematic.throws,
            {
                name: provenance.Source(**dict(source))
                for name, source in systematic.sources.items()
            },
            systematic.reference,
            systematic.nominal_error,
            systematic.to_limit,
            systematic.reference_counts,
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
