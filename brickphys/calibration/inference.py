"""Inference: what bricks that were thrown and counted say of one surface, or of several, for people and programs."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from brickphys.calibration.combined_law import (
    LawCheck,
    MoreThrows,
    own_throws,
    own_weight,
    prior_worth,
)
from brickphys.calibration.home_counts import HomeCounts
from brickphys.calibration.posterior import MAX_RHO, Posterior, SharePosterior, SurfacePosterior
from brickphys.calibration.response import Response, is_named
from brickphys.calibration.response_design import RESPONSE_POSES
from brickphys.interface import Drawn, Row
from brickphys.odds.law import Law
from brickphys.odds.law_choice import chance_words, law_words
from brickphys.odds.roll import overdispersion
from brickphys.text import cleaned_line, counted, percent, percent_range
from brickphys.throws.conditions import Surface


@dataclass(frozen=True, eq=False)
class Inference:
    """The results for one surface."""

    surface: str
    counts: HomeCounts
    share: SharePosterior
    """Posterior of the probability of a side and of the correlation of bricks in a hand."""
    ranges: Surface
    contact: SurfacePosterior | None
    """Posterior of friction and restitution; None without a response surface."""
    law: Law | None
    """The law for this surface; None if there is none."""
    check: LawCheck | None
    """Test of the law against the counts; None without a law."""
    more: MoreThrows


@dataclass(frozen=True, repr=False, eq=False)
class Inferred(Drawn):
    """The evaluation of counted throws."""

    file: Path
    surfaces: tuple[Inference, ...]
    laws: Mapping[str, Law | None]
    """Surface -> the law with which its counts are compared; None if there is none."""
    main: Law
    """The law of the throws that the response surface is for."""
    response: Response | None
    """The response surface, from which friction and restitution follow; None if there is none."""
    prior: str
    seed: int
    combined: Law | None = None
    """The law that combines `main` with the counts; None without ``combine=True``."""
    confidence: tuple[float, float] | None = None
    """The 95 % interval of the chance by both that holds the truth also where the range of `main` is wrong."""
    given: str | None = None
    """The name or the file of the law that the counts are compared with; None for the shipped ones."""

    drawn_by = "validation:inferred_figure"
    instead: ClassVar = {"law": "infer(file, combine=True).combined is the law of law and counts"}

    @property
    def compared_with(self) -> str:
        """The names of the laws with which the counts are compared; empty without one."""
        return "; ".join(dict.fromkeys(law_words(law) for law in self.laws.values() if law))

    @property
    def own_weight(self) -> float | None:
        """How much of `combined` comes from the counts, 0 to 1, the rest from `main`; None without ``combine=True``."""
        return None if self.combined is None else own_weight(self.main, self.combined)

    def line(self) -> str:
        """Return one line: the chance of a side on each surface with its 95 % interval."""
        found = (
            f"{percent(one.share.p.mean)} on {one.surface} (95 % interval {percent_range(*one.share.p.ci95)})"
            for one in self.surfaces
        )
        together = ""
        if self.combined is not None and self.own_weight is not None:
            together = (
                f"; together with the law {percent(float(self.combined.p))}, where these throws weigh "
                f"{percent(self.own_weight, 0)}"
            )
        return f"{self.file}: chance of a side {'; '.join(found)}{together}"

    def rows(self) -> list[Row]:
        """Return a row for each surface; ``law_fits`` is None without a law, or if the throws are too few to tell."""
        return [
            {
                "surface": one.surface,
                "hands": one.counts.hands,
                "bricks": one.counts.thrown,
                "sides": one.counts.sides,
                "p_side": one.share.p.mean,
                "ci95_low": one.share.p.ci95[0],
                "ci95_high": one.share.p.ci95[1],
                "friction": one.contact and one.contact.friction.mean,
                "restitution": one.contact and one.contact.restitution.mean,
                "law_fits": one.check and one.check.fits,
            }
            for one in self.surfaces
        ]

    @property
    def title(self) -> str:
        """The names of the laws that the counts are compared with, and where they come from."""
        names = self.compared_with
        if self.given is not None:
            source = self.given
        elif names:
            source = "the shipped laws" if ";" in names else "the shipped law"
        else:
            source = "no law"
        return f"{source} ({names})" if names else source

    def document(self, law_file: Path | None = None) -> dict[str, Any]:
        """Return the evaluation as values of JSON, with the file of the combined law if it was written."""
        response, combined = self.response, self.combined
        return {
            "file": str(self.file),
            "law": self.title,
            "prior": self.prior,
            "seed": self.seed,
            "surfaces": [_surface_document(one) for one in self.surfaces],
            "response": response
            and {
                "throws": response.throws,
                "chi2": response.chi2,
                "freedom": response.freedom,
                "p_value": response.p_value,
                "r_squared": response.r_squared,
            },
            "combined": combined
            and {
                "surface": combined.surface.name,
                "p_side": float(combined.p),
                "ci95": combined.ci95,
                "confidence95": self.confidence,
                "own_weight": self.own_weight,
                "contradiction": combined.contradiction,
                "law_file": law_file and str(law_file),
            },
        }

    def text(self, law_file: Path | None = None) -> str:
        return "\n".join(self._lines(law_file))

    def _lines(self, law_file: Path | None) -> Iterator[str]:
        own = self.combined
        yield cleaned_line(f"{self.file}: compared with {self.title}; seed {self.seed}")
        for one in self.surfaces:
            yield from _share_lines(one)
            yield from _law_lines(one, self.given)
            if own is not None and one.surface == own.surface.name:
                yield from _combined_lines(self, own, one)
        if law_file is not None and own is not None:
            yield f"law: {law_file}"
        has_poses = self.response is None or self.response.poses == len(RESPONSE_POSES)
        for one in self.surfaces:
            yield f"\nin detail, on {one.surface} (95 % intervals in brackets)"
            is_of = own is not None and one.surface == own.surface.name
            yield from _contact_lines(one, self.prior, own if is_of else None, has_poses=has_poses)
            yield from _check_lines(one)
            yield from _more_lines(one)
        yield from _missing_lines(self)


_INDENT = " " * 21
_LARGE_HAND = 12
"""Few games roll more bricks at once: a larger hand may be a total of several throws."""


def _spread(posterior: Posterior | None) -> dict[str, Any] | None:
    return None if posterior is None else {"mean": posterior.mean, "ci95": posterior.ci95}


def _surface_document(one: Inference) -> dict[str, Any]:
    contact = one.contact
    return {
        "surface": one.surface,
        "hands": one.counts.hands,
        "bricks": one.counts.thrown,
        "sides": one.counts.sides,
        "poses": one.counts.pose_totals(),
        "p_side": one.share.p.mean,
        "ci95": one.share.p.ci95,
        "rho": _spread(one.share.rho),
        "friction": None if contact is None else _spread(contact.friction),
        "restitution": None if contact is None else _spread(contact.restitution),
        "fit_p_value": None if contact is None else contact.fit_p_value,
        "law": one.law and law_words(one.law),
        "law_check": _check_document(one),
        "more": asdict(one.more),
    }


def _check_document(one: Inference) -> dict[str, Any] | None:
    if one.law is None or one.check is None:
        return None
    return {"p_law": float(one.law.p), "fits": one.check.fits, **asdict(one.check)}


def _share_lines(one: Inference) -> Iterator[str]:
    counts, p = one.counts, one.share.p
    hands = "one at a time" if counts.largest == 1 else f"in {counted(counts.hands, 'hand')}"
    thrown = "1 body" if counts.thrown == 1 else f"{counts.thrown:,} bodies {hands}"
    stops, scored = (one.law.stops, one.law.scored) if one.law else ("on a side", "a side")
    yield (
        f"\non {one.surface}: {thrown}, {counts.sides:,} {stops} ({percent(counts.sides / counts.thrown)})\n"
        f"  {f'chance of {scored}':<18} {percent(p.mean)} (95 % interval {percent_range(*p.ci95)}) by these throws"
    )
    if counts.largest > _LARGE_HAND:
        yield (
            f"  hands              {counts.largest} bodies in a row are one hand thrown together; for bodies\n"
            "                     that were thrown one by one, write a row for each: 1,0 or 1,1"
        )


def _law_lines(one: Inference, given: str | None) -> Iterator[str]:
    if one.law is None or one.check is None:
        reason = "none ships for" if given is None else f"{given} is not for"
        yield (f"  the law            {reason} {one.surface}")
        return
    law, known = one.law, ""
    if law.p_range90 is not None:
        known = f" (90 % range {percent_range(*law.p_range90)}: {law.range_meaning})"
    yield (f"  by the law         {percent(float(law.p))}{known}\n{_INDENT}{one.check.verdict}")


def _combined_lines(found: Inferred, combined: Law, one: Inference) -> Iterator[str]:
    """Print the chance by law and counts together, and how much of it is a person's own."""
    known = f"95 % interval {percent_range(*combined.ci95)}: {combined.interval_meaning}"
    yield (f"  both together      {chance_words(combined, known)}")
    if combined.contradiction:
        yield (f"{_INDENT}your counts weigh more than the simulated range, which they contradict")
    weight = found.own_weight
    if weight is None or found.confidence is None:
        return
    ends = percent_range(*found.confidence)
    yield f"{_INDENT}{ends} if the law's range may be wrong (95 % confidence interval)"
    own = round(own_throws(found.main, combined))
    law = round(own / weight - own if weight else prior_worth(found.main))
    bodies = counted(one.counts.thrown, "body", "bodies")
    yield (
        f"{_INDENT}{percent(weight, 0)} of the weight is yours: your {bodies} count as much as "
        f"{counted(own, 'single throw')}, the law as much as {law:,}"
    )


def _check_lines(one: Inference) -> Iterator[str]:
    if one.check is None:
        return
    check = one.check
    yield (
        f"  fit of the law     p-value {check.p_value:.2g} by its 95 % interval, "
        f"{check.p_value_all:.2g} with the law's 90 % range"
    )
    if check.poses_p_value is not None:
        yield (
            f"{_INDENT}p-value of the poses {check.poses_p_value:.2g} by the counting error alone"
        )


def _contact_lines(
    one: Inference, prior: str, combined: Law | None, *, has_poses: bool
) -> Iterator[str]:
    if one.share.rho is not None:
        bound = _bound(one.share.rho, (0.0, MAX_RHO), " between the bodies of one hand")
        yield (f"  correlation        {bound}")
        for line in _test_lines(one, combined):
            yield (f"{_INDENT}{line}")
    contact = one.contact
    if contact is None:
        return
    ends = (
        f"friction {one.ranges.friction[0]:g} to {one.ranges.friction[1]:g}, "
        f"restitution {one.ranges.restitution[0]:g} to {one.ranges.restitution[1]:g}"
    )
    yield (
        f"  friction           {_bound(contact.friction, one.ranges.friction)}\n"
        f"  restitution        {_bound(contact.restitution, one.ranges.restitution)}\n"
        f"{_INDENT}prior: {ends} ({prior} ranges, uniform)"
    )
    if one.counts.poses is None or not has_poses:
        advice = "; record the poses" if has_poses else ""
        yield (f"{_INDENT}the score alone cannot separate friction from restitution{advice}")
    if contact.fit_p_value < 0.05:
        yield (
            f"{_INDENT}no friction and restitution in these ranges explain the counts "
            f"(p-value {contact.fit_p_value:.2g})"
        )


def _test_lines(one: Inference, combined: Law | None) -> Iterator[str]:
    """Yield what a test of the hands shows, and which correlation a combined law has: another estimate."""
    yield f"prior: any correlation from 0 to {MAX_RHO:g} is as likely"
    test = overdispersion(one.counts.scores())
    if test is None:
        return
    shown = "shows one" if test.found else "does not show one"
    yield f"a test against no correlation {shown} (p-value {test.p_value:.2g})"
    if combined is None:
        return
    kept = combined.overdispersion
    if kept is None:
        yield "the law of both has none: its prior law has no hands"
        return
    whose = "of this test" if test.found else "of the prior law"
    yield f"the law of both has that {whose}: {kept.words}"


def _more_lines(one: Inference) -> Iterator[str]:
    more, points = one.more, 100 * one.more.half_width
    reached = _more_bodies(more.to_half_width) or "reached already"
    yield (f"  more throws        to +- {points:g} points: {reached}")
    if one.check is None:
        return
    if one.check.lacking:
        lacking = _more_bodies(one.check.lacking)
        yield (f"{_INDENT}to find a difference of ten points from the law: {lacking}")
        return
    for what, number in (
        ("its 95 % interval", more.by_chance),
        ("with its 90 % range", more.all_doubt),
    ):
        if number is None:
            answer = "impossible, the law itself is too uncertain"
        else:
            answer = _more_bodies(number) or "enough already"
        yield (f"{_INDENT}to distinguish this from the law ({what}): {answer}")


def _missing_lines(found: Inferred) -> Iterator[str]:
    main = found.main
    if found.response is not None:
        return
    if main.surface.floor != "plane":
        note = (
            f"friction and restitution are inferred on planes only, not on a {main.surface.floor}"
        )
    elif not is_named(main):
        note = (
            f"no response surface ships for {main.shape}, a body of a file: --shape FILE.toml --throws 100000 "
            "computes one;\nfriction and restitution can then be inferred"
        )
    else:
        note = (
            f"no response surface ships for {main.shape}, {main.conditions.preset}: --throws 1000000 makes "
            "one (some minutes);\nfriction and restitution can then be inferred"
        )
    yield (f"\nnote: {note}")


def _more_bodies(number: int) -> str:
    return counted(number, "more body", "more bodies") if number else ""


def _bound(posterior: Posterior, before: tuple[float, float], of: str = "") -> str:
    """Write the posterior of a number that had a uniform prior, and whether the counts say anything of it."""
    doubt = "; these counts hardly determine it" if posterior.is_open(before) else ""
    low, high = posterior.ci95
    return f"{posterior.mean:.3f} ({low:.3f} to {high:.3f}){of}{doubt}"
