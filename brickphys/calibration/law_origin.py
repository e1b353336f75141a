"""Law origin: what a law file says of its body, table, throw and command, compared with those that are known.

`brickphys.odds.law_file` compares a law with itself, whenever it is read. What is here loads the physics and takes
longer, so it is done only by `checks`.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import pairwise
from math import isclose, tanh
from pathlib import Path

from brickphys.calibration.combined_law import (
    combined_posterior,
    contradiction_by,
    equivalent_counts,
    hand_factor,
    law_beta,
    robust_prior,
)
from brickphys.calibration.law_stamp import law_stamp_check
from brickphys.calibration.plan import Plan
from brickphys.calibration.response_design import causes
from brickphys.calibration.systematic import CONTACT_LAW_LOGITS, to_limit
from brickphys.calibration.throwers import ThrowCell
from brickphys.engines.registry import ENGINES, REFERENCE, default_engine
from brickphys.errors import InvalidValueError
from brickphys.files import fingerprint
from brickphys.odds import law_file
from brickphys.odds.law import Law
from brickphys.odds.provenance import CONTACT_LAW, ENGINE, Systematic
from brickphys.odds.roll import ROUNDING, is_same, overdispersion
from brickphys.shapes.catalogue import parse_shape
from brickphys.stamp import TRUSTED, WARNING, Check
from brickphys.throws import conditions
from brickphys.throws.release import FLOORS

_GRID = 1e-6
"""A posterior on a grid depends on the versions of libraries a little."""


def checks(path: Path) -> Iterator[Check]:
    """Yield what is found out about a law file, by itself and by what is known of bricks, tables and throws."""
    found = list(law_file.checks(path))
    yield from found
    if any(check.fault for check in found):
        return
    law = law_file.read_law(path)
    own_posterior = law.combined is not None and law.measured is None
    for what, find in {**_CHECKS, **(_COMBINED if own_posterior else {})}.items():
        fault = "; ".join(find(law)) or None
        yield Check(what, fault)
        if fault and find is _table_faults:
            return  # no throws follow from such a table
    if law.files:
        yield _files(law, path)
    if law.contradiction:
        yield Check(f"{WARNING}: {law.contradiction}")
    yield law_stamp_check(law.stamp)
    yield Check(f"{TRUSTED}: {'; '.join(_trusted(law))}")


def _body_faults(law: Law) -> Iterator[str]:
    if law.files:
        return
    with suppress(InvalidValueError):  # else the shape is none
        if parse_shape(law.shape).name == law.shape:
            return
    yield f"shape: {law.shape!r} is not the name of a brick or plate"


def _engine_faults(law: Law) -> Iterator[str]:
    reference = law.systematic.reference if law.systematic else None
    names = {
        "engine": law.engine,
        "hands_engine": law.hands_engine,
        "systematic.reference": reference,
    }
    for key, name in names.items():
        if name is not None and name not in ENGINES:
            yield f"{key}: {name!r} is not one of {', '.join(ENGINES)}"


def _table_faults(law: Law) -> Iterator[str]:
    table, thrown = law.surface, law.conditions
    contact = conditions.ContactCoefficients(table.friction, table.restitution)
    if table.floor not in FLOORS:
        yield f"surface.floor: {table.floor!r} is not one of {', '.join(FLOORS)}"
    if not law.has_all_doubt:
        yield from _surface_faults(law, contact)
    try:
        said = conditions.Conditions(**asdict(law.conditions))
    except InvalidValueError as error:
        yield f"conditions: {error}"
        return
    if thrown.preset != "custom" and conditions.PRESETS.get(thrown.preset) != said:
        yield f"conditions: are not those of the preset {thrown.preset!r}"


def _surface_faults(law: Law, said: conditions.ContactCoefficients) -> Iterator[str]:
    known = conditions.SURFACES.get(law.surface.name)
    if known is None and not any(map(conditions.is_surface_file, law.files)):
        yield f"surface.name: {law.surface.name!r} does not ship, and there is no file of it"
    if known and known.nominal != said:
        yield f"surface: friction and restitution are not those of {law.surface.name}"
    if known is None and law.systematic is not None:
        yield from _own_surface_faults(law.systematic, said)


def _own_surface_faults(
    systematic: Systematic, said: conditions.ContactCoefficients
) -> Iterator[str]:
    """Yield what of a table of one's own, thrown in the middle of its ranges, is not where these ranges have it.

    The range of friction is that of impacts, which may begin below that of sliding.
    """
    for name, value in (("friction", said.friction), ("restitution", said.restitution)):
        one = systematic.sources.get(name)
        if one is None:
            continue
        ends = f"{one.low:g} to {one.high:g}"
        if name == "restitution" and abs((one.low + one.high) / 2 - value) > _GRID:
            yield f"surface.{name}: {value:g} is not the middle of its range, {ends}"
        elif not one.low - _GRID <= value <= one.high + _GRID:
            yield f"surface.{name}: {value:g} is outside its range, {ends}"


def _source_faults(law: Law) -> Iterator[str]:
    """Yield the sources of the range of p whose ends are not those of the table, the mould and the throw."""
    if law.systematic is None or law.p_range90 is None:
        return
    sources = law.systematic.sources
    # the logistic function rises by tanh(x / 2) from -x to x at most
    least, most = CONTACT_LAW_LOGITS
    if (
        not 0 <= sources[CONTACT_LAW].shift <= tanh((most - least) / 4)
        or sources[CONTACT_LAW].error
    ):
        yield f"systematic.sources.{CONTACT_LAW}: is beyond the largest difference that was found"
    limit = to_limit(law.systematic.reference, law.scoring)
    if law.systematic.to_limit not in (None, limit):
        yield f"systematic.to_limit: should be {list(limit)}"
    ends = {CONTACT_LAW: CONTACT_LAW_LOGITS}
    if ENGINE in sources or (law.complete and law.engine != law.systematic.reference):
        ends[ENGINE] = (0.0, 1.0)
    known = conditions.SURFACES.get(law.surface.name)
    if known is None or law.files:  # the ranges are in files
        ends = {**{name: (one.low, one.high) for name, one in sources.items()}, **ends}
    else:
        cell = ThrowCell(
            law.shape,
            conditions.Conditions(**asdict(law.conditions)),
            known.nominal,
            law.engine,
            (1,),
            floor=FLOORS[law.surface.floor],
        )
        found = causes(cell, known)
        ends |= {name: (cause.low, cause.high) for name, cause in found.items()}
    for name in dict.fromkeys([*ends, *sources]):
        if name not in sources or name not in ends:
            words = "missing" if name in ends else "is not a source of such a law"
            yield f"systematic.sources.{name}: {words}"
        elif not _alike((sources[name].low, sources[name].high), ends[name], ROUNDING):
            yield f"systematic.sources.{name}: should be from {ends[name][0]:g} to {ends[name][1]:g}"


def _command_faults(law: Law) -> Iterator[str]:
    """Yield what contradicts the command that threw the law, with the defaults of what it does not say."""
    try:
        words = shlex.split(law.command.replace("=", " "))
    except ValueError as error:
        yield f"command: {error}"
        return
    if words[:2] != ["brickphys", "calibrate"] or law.has_all_doubt:
        return  # the command is that of counts or measurements, much of the rest that of the prior law
    given = {word: value for word, value in pairwise(words) if word.startswith("--")}
    for key, said, told in _told(law, given):
        if said != told and not str(told).endswith(".toml"):
            yield f"{key}: {said}, but the command gives {told}"
    half_width = (law.share_ci95[1] - law.share_ci95[0]) / 2
    with suppress(ValueError):
        if law.complete and half_width > float(given.get("--half-width", Plan.half_width)):
            yield f"complete: true, but the half-width is {half_width:.2g}, wider than the command asks for"


def _told(law: Law, given: Mapping[str, str]) -> Iterator[tuple[str, object, object]]:
    """Yield keys of a law, each with its value and the one that the options of `calibrate` give."""
    form = FLOORS.get(given.get("--floor", Plan.floor), FLOORS[Plan.floor])
    name = given.get("--shape", Plan.shape)
    with suppress(InvalidValueError):  # the name of a body file is kept
        name = parse_shape(name).name
    yield "seed", str(law.seed), given.get("--seed", "drawn: not in the command")
    yield "shape", law.shape, name
    yield "conditions.preset", law.conditions.preset, given.get("--preset", Plan.preset)
    yield "surface.floor", law.surface.floor, form.name
    yield "surface.name", law.surface.name, given.get("--surface", form.surface)
    # another one where PyBullet is missing
    reference = law.systematic.reference if law.systematic else REFERENCE
    usual = reference if form.studs and law.systematic else default_engine(1, form)
    yield "engine", law.engine, given.get("--engine", usual)
    if law.hands_engine:
        yield "hands_engine", law.hands_engine, given.get("--engine", reference)


def _posterior_faults(law: Law) -> Iterator[str]:
    """Yield what in a combined law does not follow from the prior law and the counts."""
    combined = law.combined
    assert combined is not None
    expected = []
    alone = ({law_beta(prior, systematic=True): 1.0} for prior in _priors(law))  # earlier versions
    for mixture in (*(robust_prior(prior, combined.scores) for prior in _priors(law)), *alone):
        p = combined_posterior(mixture, combined.scores, hand_factor(law))
        size, sides = equivalent_counts(p)
        low, high = p.ci95
        ends = (min(low, sides / size), max(high, sides / size), *p.range90)
        expected.append((size, sides, ends))
    said = (*law.share_ci95, *(law.p_range90 or expected[0][2][2:]))
    if not any(
        abs(law.throws - size) <= 1 and abs(law.sides - sides) <= 1 and _alike(said, ends, _GRID)
        for size, sides, ends in expected
    ):
        size, sides, ends = expected[0]
        yield (
            f"p_side: {law.sides}/{law.throws} from {said[0]:.6g} to {said[1]:.6g}, but prior law and counts give "
            f"{sides}/{size} from {ends[0]:.6g} to {ends[1]:.6g}, 90 % from {ends[2]:.6g} to {ends[3]:.6g}"
        )


def _contradiction_faults(law: Law) -> Iterator[str]:
    """Yield that the counts contradict the prior law, if the file does not say so."""
    combined = law.combined
    assert combined is not None
    found = [contradiction_by(prior, combined.scores, combined.file) for prior in _priors(law)]
    if all(found) and not law.contradiction:
        yield f"contradiction: missing, but {found[0]}"


def _priors(law: Law) -> Iterator[Law]:
    """Yield the prior law of a combined one, as thrown and as one whose interval has all doubt already."""
    combined = law.combined
    assert combined is not None
    sides = round(combined.prior_p * combined.prior_throws)
    pose = law.scoring[0]
    whole = replace(
        law,
        counts={**dict.fromkeys(law.counts, 0), pose: sides, _OTHER: combined.prior_throws - sides},
        share_ci95=_around(combined.prior_ci95, Fraction(sides, combined.prior_throws)),
        scores={},
        p_range90=combined.prior_range90,
    )
    yield replace(whole, combined=None)
    yield whole


_OTHER = "in no pose that scores"


def _around(ends: tuple[float, float], p: Fraction) -> tuple[float, float]:
    return min(ends[0], float(p)), max(ends[1], float(p))


def _alike(values: tuple[float, ...], expected: tuple[float, ...], tolerance: float) -> bool:
    pairs = zip(values, expected, strict=True)
    return all(isclose(*pair, abs_tol=tolerance) for pair in pairs)


def _files(law: Law, path: Path) -> Check:
    """Return whether the files of the body and of the surface are as they were thrown, where they are there."""
    found = {
        name: place
        for name in law.files
        for place in (Path(name), path.parent / name)  # the last one counts
        if place.is_file()
    }
    changed = [name for name, place in found.items() if fingerprint(place) != law.files[name]]
    fault = f"files: {', '.join(changed)} has changed since the throws" if changed else None
    return Check(f"files of body and surface: {len(found)} of {len(law.files)} are there", fault)


def _trusted(law: Law) -> Iterator[str]:
    """Yield what of a law nothing determines."""
    if not law.has_all_doubt:
        yield "what was thrown: counts, scores, seed, versions, stamp"
    if law.systematic:
        draws = "posterior; " if law.posterior else ""
        yield f"{draws}systematic: shifts, errors, throws; within bounds p_side.range90"
    if law.measured:
        yield "measured; within bounds p_side, counts"
    if law.combined:
        yield "combined: what was counted at home, and the prior law"
    if law.has_all_doubt:
        yield "shape, surface, conditions, seed, versions, stamp; the other poses in counts; prior_hands"
        if law.prior_hands is None and not _shows_own(law):
            yield "overdispersion: its hands are not in the file"
    yield "complete, validation, command"


def _shows_own(law: Law) -> bool:
    return law.combined is not None and is_same(
        overdispersion(law.combined.scores), law.overdispersion
    )


_CHECKS: Mapping[str, Callable[[Law], Iterator[str]]] = {
    "shape is that of a brick or plate, or of a file": _body_faults,
    "engines are known": _engine_faults,
    "surface and conditions are those of their names": _table_faults,
    "sources of range90, if there is one, are those of table, mould and throw": _source_faults,
    "the command fits the law": _command_faults,
}
_COMBINED: Mapping[str, Callable[[Law], Iterator[str]]] = {
    "p_side follows from the prior law and what was counted": _posterior_faults,
    "a contradiction between the prior law and what was counted is told": _contradiction_faults,
}
