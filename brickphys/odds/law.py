"""Laws: the distribution of the score of a roll of n bricks, stated or measured."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from brickphys.errors import InvalidValueError
from brickphys.files import write_whole
from brickphys.interface import Displayed, Drawn, Row, plain, public, share_rows
from brickphys.odds import provenance
from brickphys.odds.distribution import Z95, Distribution, check_probability, move_odds, wilson
from brickphys.odds.roll import (
    SIDE,
    HandFit,
    Overdispersion,
    check_bricks,
    count_faults,
    fit_hands,
    is_same,
    overdispersion,
    scored,
)
from brickphys.text import counted, percent, percent_range

if TYPE_CHECKING:
    from brickphys.stamp import Stamp

SCHEMA = "brickphys.law/1"


class RollLaw(Protocol):
    """The interface of laws that the odds use."""

    @property
    def p(self) -> Fraction:
        """Probability that a single brick stops on a side."""
        ...

    def roll(self, n: int) -> Distribution:
        """Return the distribution of the score of `n` bricks thrown together."""
        ...

    def extrapolated(self, n: int) -> bool:
        """Return whether no hands of `n` bricks were measured."""
        ...

    def share_error(self, n: int) -> float:
        """Return the standard error of the share of sides in a hand of `n` bricks, in addition to that of `p`."""
        ...

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """The 95 % interval of the correlation between bricks of a hand."""
        ...

    def at(self, q: Fraction, rho: Fraction | None = None) -> "RollLaw":
        """Return this law with `p` moved to `q`, and the correlation to `rho` if given."""
        ...


@dataclass(frozen=True, repr=False)
class BinomialLaw(Displayed):
    """The law of independent bricks with a stated probability.

    Raises InvalidValueError if `p` is outside 0..1.
    """

    p: Fraction
    """Probability that a brick stops on a side."""

    instead: ClassVar = {
        "save": "a stated chance needs no file: give the number itself (0.3) where a law is wanted"
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", check_probability(self.p))

    def line(self) -> str:
        """Return one line: the chance, as it was stated."""
        return f"law of independent bricks: a side in {percent(float(self.p))} (p = {self.p} as stated)"

    def rows(self) -> list[Row]:
        return _side_rows(self.p)

    def roll(self, n: int) -> Distribution:
        """Return the binomial distribution of `n` bricks."""
        return Distribution.binomial(check_bricks(n), self.p)

    def extrapolated(self, n: int) -> bool:
        """Return False: the law is stated for every number of bricks."""
        check_bricks(n)
        return False

    def share_error(self, n: int) -> float:
        """Return 0: the probability is stated."""
        check_bricks(n)
        return 0.0

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """An interval of width 0: independence is stated."""
        return Fraction(0), Fraction(0)

    def at(self, q: Fraction, rho: Fraction | None = None) -> "BinomialLaw":
        """Return the binomial law of probability `q`."""
        return BinomialLaw(q)


@dataclass(frozen=True, repr=False)
class Law(Drawn):
    """A measured law.

    A single brick stops on a side with probability `p`. A roll of n > 1 bricks has a beta-binomial distribution with
    two parameters, fitted to all measured hands (`brickphys.odds.roll`): the share of sides in hands and the
    correlation between bricks of a hand. It holds for every n, whether hands of n bricks were measured or not. Raises
    InvalidValueError if the counts do not add up; the message lists every fault.
    """

    counts: Mapping[str, int]
    """Pose -> number of bricks, of those thrown one at a time."""
    share_ci95: tuple[float, float]
    """Wilson interval of `share`."""
    scores: Mapping[int, tuple[int, ...]]
    """Bricks K in a hand -> counts of hands that scored 0, 1, ..., K."""
    shape: str
    surface: provenance.LawSurface
    conditions: provenance.LawConditions
    engine: str
    versions: Mapping[str, str]
    seed: int
    """Name of the shape, surface, throw conditions, engine, versions of libraries by name, and root seed."""
    overdispersion: Overdispersion | None = None
    """Test of independence of bricks thrown together; None if not made."""
    p_range90: tuple[float, float] | None = None
    """Range of p in 90 % of cases (5th to 95th percentile), over tables of this kind, bricks and hands; for a measured
    or combined law, of its own table and hand. None if not measured."""
    systematic: provenance.Systematic | None = None
    """The sources of that range: table, mould, edges, throw, engine and contact law; None if not measured."""
    hands_engine: str | None = None
    """The engine that threw hands of several bricks; None without such hands."""
    complete: bool = True
    """Whether the calibration reached its target."""
    command: str = ""
    validation: Mapping[str, object] | None = None
    """Results of further checks, JSON values in free form."""
    combined: provenance.Combined | None = None
    """The throws at home and the prior law that this law combines; None for a law that was only simulated. The counts
    are then scaled to the number of throws that would give the same precision, and the interval includes all
    uncertainties."""
    measured: provenance.MeasuredSources | None = None
    """The measurements of one table and one hand that the law rests on; None if there are none. Counts and interval are
    then as those of a combined law."""
    scoring: tuple[str, ...] = (SIDE,)
    """Poses that score: the side of a brick. For other bodies, these are meant where a docstring says side."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Name -> SHA-256 of the content of the body file, mesh and surface file from which the law was thrown."""
    nominal: float | None = None
    """The median of the posterior of p over tables of this kind, bricks and hands; None for the share itself."""
    posterior: Mapping[str, tuple[float, ...]] | None = None
    """Name -> draws of that posterior: of ``p`` and of all that it depends on."""
    prior_hands: Mapping[int, tuple[int, ...]] | None = None
    """Hands of several bricks of the prior law, of which `overdispersion` is the test; None if it is that of `scores`
    or of hands at home."""
    stamp: "Stamp | None" = None
    """What computed the law; None in files of earlier versions."""
    contradiction: str = ""
    """A sentence: which of the data behind the law contradict each other; empty if none do. A combination of data that
    contradict each other is supported by neither."""
    name: str = field(default="", compare=False)
    """The shipped law or the file that it was taken from, as it was named; empty if it is from neither."""

    drawn_by = "law:law_figure"
    instead: ClassVar = {
        "p_side": "p is the chance of a side",
        "side": "p is the chance of a side",
        "odds": "brickphys.odds(3, 2, law) has the odds by this law",
    }

    def __post_init__(self) -> None:
        found = count_faults(self.counts, self.scores, self.scoring)
        faults = [f"{place}: {what}" for place, what in found]
        if not faults and not 0 <= self.share_ci95[0] <= self.share <= self.share_ci95[1] <= 1:
            faults.append(
                f"share_ci95: {self.share_ci95} is not an interval around p = {float(self.share):g}"
            )
        if self.nominal is not None and not 0 < self.nominal < 1:
            faults.append(f"nominal: {self.nominal} is not between 0 and 1")
        if self.p_range90 and not 0 <= self.p_range90[0] <= self.p_range90[1] <= 1:
            faults.append(f"p_range90: {self.p_range90} is not a range of probabilities")
        if faults:
            raise InvalidValueError("; ".join(faults))

    @property
    def throws(self) -> int:
        """Number of bricks thrown one at a time."""
        return sum(self.counts.values())

    @property
    def sides(self) -> int:
        """Number of bricks on a side, of those thrown one at a time."""
        return sum(self.counts[pose] for pose in self.scoring)

    @property
    def share(self) -> Fraction:
        """Share of bricks on a side, of those thrown one at a time."""
        return Fraction(self.sides, self.throws)

    @property
    def p(self) -> Fraction:
        """Chance of a side of a single brick: `nominal`, or `share` without one."""
        return self.share if self.nominal is None else Fraction(str(self.nominal))

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % interval of `p`, or of a share without a nominal: `share_ci95`.

        Of a nominal it has the error by the throws and that by the time steps of the reference engine.
        """
        if self.nominal is None or self.systematic is None:
            return self.share_ci95
        half = Z95 * (self.systematic.nominal_error or 0.0)
        return max(0.0, self.nominal - half), min(1.0, self.nominal + half)

    @property
    def scored(self) -> str:
        """What scores, in words: ``a side``, or the names of other poses."""
        return scored(self.scoring)

    @property
    def stops(self) -> str:
        """How a brick stops that scores: ``on a side``, or as other poses."""
        return f"{'on' if self.scoring == (SIDE,) else 'as'} {self.scored}"

    @property
    def range90(self) -> tuple[float, float] | None:
        """`p_range90`."""
        return self.p_range90

    @property
    def poses_ci95(self) -> dict[str, tuple[float, float]]:
        """Wilson's 95 % interval of the share of each pose, of bricks thrown one at a time."""
        return {pose: wilson(count, self.throws) for pose, count in self.counts.items()}

    def line(self) -> str:
        """Return one line: what was thrown, and the chance of a side with its 90 % range or its 95 % interval."""
        nominal = percent(float(self.p))
        known = f"{nominal} (95 % interval {percent_range(*self.ci95)})"
        if self.p_range90:
            known = f"{percent_range(*self.p_range90)} (90 % range), nominal {nominal}"
        thrown = f"law of {self.shape}, {self.conditions.preset}, on {self.surface.description}"
        if self.combined:
            own = counted(self.combined.thrown, "body", "bodies")
            thrown += f", with {own} of {self.combined.file}"
        return f"{thrown}: {self.scored} in {known}"

    def rows(self) -> list[Row]:
        """Return the share of each pose with its 95 % interval, of bricks thrown one at a time."""
        return share_rows(self.counts, self.poses_ci95)

    def document(self) -> dict[str, Any]:
        """Return the JSON object of its file."""
        return plain(
            {
                "schema": SCHEMA,
                "shape": self.shape,
                "engine": self.engine,
                "hands_engine": self.hands_engine,
                "versions": self.versions,
                "seed": self.seed,
                "command": self.command,
                "complete": self.complete,
                "conditions": self.conditions.document(),
                "surface": asdict(self.surface),
                "p_side": {
                    "fraction": f"{self.sides}/{self.throws}",
                    "throws": self.throws,
                    "ci95": self.share_ci95,
                    "range90": self.p_range90,
                    **({} if self.nominal is None else {"nominal": self.nominal}),
                },
                "counts": self.counts,
                "poses_ci95": self.poses_ci95,
                "scoring": self.scoring,
                "scores": {
                    k: {"hands": sum(n), "counts": n} for k, n in sorted(self.scores.items())
                },
                "overdispersion": self.overdispersion and asdict(self.overdispersion),
                "systematic": self.systematic and self.systematic.document(),
                "validation": self.validation,
                **self._optional_parts(),
            }
        )

    def _optional_parts(self) -> dict[str, Any]:
        """Return the keys that stand in a law file only if there is something to tell."""
        hands, home = self.prior_hands, self.combined
        parts = {
            "files": self.files or None,
            "stamp": self.stamp and self.stamp.document(),
            "prior_hands": None if hands is None else dict(sorted(hands.items())),
            "combined": home and {**asdict(home), "scores": dict(sorted(home.scores.items()))},
            "measured": self.measured and asdict(self.measured),
            "contradiction": self.contradiction or None,
            "posterior": self.posterior,
        }
        return {key: part for key, part in parts.items() if part is not None}

    def file_text(self) -> str:
        """Return the text of its file."""
        parts = {key: part for key, part in self.document().items() if key != "posterior"}
        text = json.dumps(parts, indent=2, ensure_ascii=False)
        if self.posterior is not None:  # a line for each name
            lines = (
                f"    {json.dumps(key)}: {json.dumps(row)}" for key, row in self.posterior.items()
            )
            text = ",\n".join([text[:-2], '  "posterior": {\n' + ",\n".join(lines) + "\n  }\n}"])
        return text + "\n"

    @public()
    def save(self, path: Path | str, *, force: bool = False) -> Path:
        """Write the law to a file, which every function and command takes as a law; whole or not at all.

        Parameters
        ----------
        path
            Path of the file; its folder must exist.
        force
            Replace an existing file.

        Returns
        -------
        Path
            Path of the written file; if `path` is a symbolic link, that of its target.

        Raises
        ------
        InvalidValueError
            If the file exists and `force` is not given; or the file cannot be written.
        """
        return write_whole(self.file_text(), path, force=force)

    @property
    def tested_hands(self) -> Mapping[int, tuple[int, ...]] | None:
        """The hands of several bricks of which `overdispersion` is the test; None if the law does not have them."""
        home = self.combined.scores if self.combined else None
        for hands in (self.prior_hands, self.scores, home):
            if hands is not None and is_same(overdispersion(hands), self.overdispersion):
                return {bricks: counts for bricks, counts in hands.items() if bricks > 1}
        return None

    @property
    def has_all_doubt(self) -> bool:
        """Whether the interval of p includes all uncertainties of one table and hand, not only the counting error."""
        return self.combined is not None or self.measured is not None

    @property
    def range_meaning(self) -> str:
        """What the 90 % range of p holds for."""
        return "this table and hand" if self.has_all_doubt else "tables and hands of this kind"

    @property
    def interval_meaning(self) -> str:
        """What the 95 % interval of p includes."""
        if self.has_all_doubt:
            return "all uncertainties"
        has_steps = self.systematic is not None and self.systematic.to_limit is not None
        steps = " and of the engine's steps" if has_steps else ""
        return f"error of the throws{steps} alone"

    @cached_property
    def hand_fit(self) -> HandFit:
        """Share of sides and correlation of bricks thrown together.

        A combined law has no simulated hands. In hands, the odds of a side are those of a single brick times the factor
        of the prior law. Its interval of p includes the uncertainty of the share, so its share error is 0. With a
        nominal, the factor is that of hands and single bricks by one engine.
        """
        alone, throws = self._alone_by_hands_engine
        fit = fit_hands(alone, throws, self.scores, self.overdispersion)
        if self.combined is not None:
            factor = Fraction(self.combined.prior_hand_factor).limit_denominator(10**6)
            return replace(fit, share=move_odds(self.p, factor), share_error=0.0)
        if self.nominal is None or fit.share == alone or not 0 < alone < 1 > fit.share:
            return fit if self.nominal is None else replace(fit, share=self.p)
        factor = (fit.share / (1 - fit.share)) / (alone / (1 - alone))
        return replace(fit, share=move_odds(self.p, factor).limit_denominator(10**6))

    @property
    def _alone_by_hands_engine(self) -> tuple[Fraction, int]:
        """The share of single bricks by the engine of the hands, and their number."""
        counts = self.systematic and self.systematic.reference_counts
        if not counts or self.hands_engine in (None, self.engine):
            return self.share, self.throws
        return Fraction(*counts), counts[1]

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Numbers of bricks of the hands of several bricks that share and correlation rest on, in ascending order."""
        home = self.combined
        prior = home and home.prior_p_in_hand is not None and self.prior_hands
        return tuple(sorted({*self.scores, *(home.scores if home else ()), *(prior or ())} - {1}))

    def roll(self, n: int) -> Distribution:
        """Return the distribution of the score of `n` bricks thrown together.

        Raises InvalidValueError if `n` is not in 0..60.
        """
        return self._moved_roll(n, Fraction(1), self.hand_fit.rho)

    def extrapolated(self, n: int) -> bool:
        """Return whether no hands of `n` bricks were measured."""
        return check_bricks(n) > 1 and n not in self.hand_sizes

    def share_error(self, n: int) -> float:
        """Return the standard error of the share of sides in a hand of `n` bricks, in addition to that of `p`."""
        return self.hand_fit.share_error if check_bricks(n) > 1 else 0.0

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """The 95 % interval of the correlation between bricks of a hand, cut off at 0."""
        return self.hand_fit.rho_interval

    def at(self, q: Fraction, rho: Fraction | None = None) -> RollLaw:
        """Return this law with the probability of a side moved from `p` to `q`, and the correlation to `rho` if given.

        The odds of a single brick change by the factor [q / (1 - q)] / [p / (1 - p)], and those of a brick in a hand by
        the same factor. If p or q is 0 or 1 the factor does not exist, and the result is binomial. Raises
        InvalidValueError if `q` is outside 0..1.
        """
        q = check_probability(q, "q")
        if not (0 < q < 1 and 0 < self.p < 1):
            return BinomialLaw(q)
        return MovedLaw(self, q, self.hand_fit.rho if rho is None else rho)

    def _moved_roll(self, n: int, ratio: Fraction, rho: Fraction) -> Distribution:
        share = self.hand_fit.share if check_bricks(n) > 1 else self.p
        return Distribution.beta_binomial(n, move_odds(share, ratio), rho)


@dataclass(frozen=True, repr=False)
class MovedLaw(Displayed):
    """A measured law with another probability of a side; see `Law.at`."""

    law: Law
    """The measured law, with a probability strictly between 0 and 1."""
    p: Fraction
    """The other probability that a single brick stops on a side, strictly between 0 and 1."""
    rho: Fraction
    """Correlation between bricks of a hand."""

    instead: ClassVar = {"save": "only the measured law has a file: law.law.save('law.json')"}

    def line(self) -> str:
        """Return one line: the measured law, and its other chance."""
        return f"{self.law.line()}, moved to {percent(float(self.p))}"

    def rows(self) -> list[Row]:
        return _side_rows(self.p)

    def roll(self, n: int) -> Distribution:
        """Return the distribution of the score of `n` bricks thrown together."""
        ratio = (self.p / (1 - self.p)) / (self.law.p / (1 - self.law.p))
        return self.law._moved_roll(n, ratio, self.rho)

    def extrapolated(self, n: int) -> bool:
        """Return whether no hands of `n` bricks were measured."""
        return self.law.extrapolated(n)

    def share_error(self, n: int) -> float:
        """Return the standard error of the share of sides in a hand of `n` bricks, in addition to that of `p`."""
        return self.law.share_error(n)

    @property
    def rho_interval(self) -> tuple[Fraction, Fraction]:
        """The 95 % interval of the correlation between bricks of a hand, cut off at 0."""
        return self.law.rho_interval

    def at(self, q: Fraction, rho: Fraction | None = None) -> RollLaw:
        """Return the measured law moved to `q` instead of `p`."""
        return self.law.at(q, self.rho if rho is None else rho)


def _side_rows(p: Fraction) -> list[Row]:
    return [{"pose": SIDE, "share": float(p)}, {"pose": "other", "share": float(1 - p)}]
