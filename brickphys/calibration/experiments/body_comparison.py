"""Body comparison: counted rolls of any bodies beside what engines and simpler models predict of them.

One surface and one throw hold for all bodies. They are given, or fitted; then each body is predicted by a fit to the
others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import isfinite
from typing import Any

from scipy.stats import chi2 as chi2_law

from brickphys.calibration.experiments.body_counts import CountedBody, Shares
from brickphys.calibration.experiments.rolls import check_throws
from brickphys.calibration.throwers import Tally, ThrowCell, Throwers
from brickphys.errors import InvalidValueError
from brickphys.notes import StageProgress
from brickphys.odds.distribution import wilson
from brickphys.text import counted, percent, percent_range, table
from brickphys.throws.conditions import PRESETS, Conditions, ContactCoefficients
from brickphys.throws.faces import face_map
from brickphys.throws.quasi_static import quasi_static_shares

THROW = replace(PRESETS["drop"], height_mm=(20.0, 40.0), preset="custom")
CONTACT = ContactCoefficients(friction=0.2, restitution=0.05)
"""The throw and the surface where none are given, let go just above the table; why, says ``docs/validation.md``."""
FRICTIONS, RESTITUTIONS = (0.15, 0.2, 0.3, 0.4), (0.05, 0.2, 0.4)
"""Surfaces among which a fit chooses; the throws are `THROW` and all presets."""
FIT_SHARE = 0.2
"""Throws of a body in each candidate of a fit, as a share of those of its prediction."""
_PREDICTED, _TRIED = 0, 1
"""Seed addresses."""
_TOLD = 0.002
"""Least share of throws on other faces that is told."""
_HALF = 0.5
"""Throws for which a face counts that never came, so that chi squared stays finite."""


@dataclass(frozen=True)
class RollKind:
    """How all bodies are thrown."""

    conditions: Conditions
    contact: ContactCoefficients

    def document(self) -> dict[str, Any]:
        """Return its keys in a JSON object."""
        how = self.conditions
        return {
            "friction": self.contact.friction,
            "restitution": self.contact.restitution,
            "preset": how.preset,
            "height_mm": list(how.height_mm),
            "speed_m_s": how.speed_m_s,
            "spin_rad_s": how.spin_rad_s,
        }

    def text(self) -> str:
        """Return it in words."""
        how, (low, high) = self.conditions, self.conditions.height_mm
        thrown = f"{how.preset} ({low:g} to {high:g} mm, {how.speed_m_s:g} m/s, {how.spin_rad_s:g} rad/s)"
        return f"{thrown}, friction {self.contact.friction:g}, restitution {self.contact.restitution:g}"


@dataclass(frozen=True, eq=False)
class BodyResult:
    """A counted body beside predictions: each is face -> share."""

    counted: CountedBody
    kind: RollKind
    """By which it was predicted: the fit to the other bodies, if there was one."""
    engines: Mapping[str, Shares]
    quasi_static: Shares
    solid_angle: Shares

    @property
    def predicted(self) -> Shares:
        """Shares by the first engine."""
        return next(iter(self.engines.values()))

    @property
    def chi2(self) -> float:
        """Chi squared of those shares."""
        return self.counted.chi2(self.predicted)

    @property
    def models(self) -> dict[str, Shares]:
        """All models by name, those of the file last."""
        geometry = {"quasi-static": self.quasi_static, "solid angle": self.solid_angle}
        told = {f"{name} (file)": shares for name, shares in self.counted.beside.items()}
        return {**self.engines, **geometry, **told}

    def document(self) -> dict[str, Any]:
        """Return its JSON object."""
        counted = self.counted
        return {
            "name": counted.name,
            "rolls": counted.rolls,
            "chi2": self.chi2,
            "dof": counted.dof,
            "counts": dict(counted.counts),
            "predicted": dict(self.predicted),
            "quasi_static": dict(self.quasi_static),
            "solid_angle": dict(self.solid_angle),
            "engines": {name: dict(shares) for name, shares in self.engines.items()},
            "beside": {name: dict(shares) for name, shares in counted.beside.items()},
            "chi2_by_model": {
                name: chi2 if isfinite(chi2 := counted.chi2(shares)) else None
                for name, shares in self.models.items()
            },
            **self.kind.document(),
        }

    def text(self) -> str:
        """Return its table."""
        body, models = self.counted, self.models
        rows = [
            (
                face,
                f"{count:,}",
                percent(count / body.rolls),
                percent_range(*wilson(count, body.rolls)),
                *(percent(shares[face]) for shares in models.values()),
            )
            for face, count in body.counts.items()
        ]
        chi2 = [f"{body.chi2(shares):.1f}" for shares in models.values()]
        rows.append(("chi2", "", "", _freedom(body.dof), *chi2))
        head = (body.name, "rolls", "share", "95 % interval", *models)
        rest = 1.0 - sum(self.predicted.values())
        left = f"{percent(rest)} of the simulated throws end on none of these faces."
        return table(head, rows) + f"\n{left}" * (rest >= _TOLD)


@dataclass(frozen=True, eq=False)
class BodyComparison:
    """Counted rolls of some bodies beside predictions."""

    results: tuple[BodyResult, ...]
    kind: RollKind
    """How all bodies were thrown; if it was fitted, the fit to all of them."""
    is_fitted: bool
    throws: int
    root: int

    @property
    def chi2(self) -> float:
        """The sum over all bodies."""
        return sum(result.chi2 for result in self.results)

    @property
    def dof(self) -> int:
        """The sum over all bodies."""
        return sum(result.counted.dof for result in self.results)

    @property
    def p_value(self) -> float:
        """The chance of a chi squared as large, if the predictions were right: their throws have an error, too."""
        terms = (one.chi2 / (1 + one.counted.rolls / self.throws) for one in self.results)
        return float(chi2_law.sf(sum(terms), self.dof))

    def document(self) -> dict[str, Any]:
        """Return the JSON object of the comparison."""
        return {
            "bodies": [result.document() for result in self.results],
            "chi2": self.chi2,
            "dof": self.dof,
            "p_value": self.p_value,
            "fitted": self.is_fitted,
            **self.kind.document(),
            "throws": self.throws,
            "seed": self.root,
        }

    def text(self) -> str:
        """Return the comparison for people."""
        engine = next(iter(self.results[0].engines))
        told = [result.text() for result in self.results]
        if self.is_fitted:
            told.append(
                "\n".join(
                    f"{result.counted.name}: predicted by the fit to the others: {result.kind.text()}"
                    for result in self.results
                )
            )
        total = f"all bodies, {engine}: chi2 {self.chi2:.1f} with {_freedom(self.dof)}, p {self.p_value:.2g}"
        what = "fitted to all bodies" if self.is_fitted else "thrown"
        return "\n\n".join(
            [
                *told,
                f"{total}\n{what}: {self.kind.text()}; {self.throws:,} throws a body, seed {self.root}",
            ]
        )


def compare_bodies(
    bodies: Sequence[CountedBody],
    kinds: Sequence[RollKind],
    throws: int,
    root: int,
    *,
    engines: Sequence[str] = ("compiled",),
    workers: int = 1,
    progress: StageProgress = lambda *_: None,
) -> BodyComparison:
    """Throw counted bodies and compare.

    Raises InvalidValueError if there are several kinds for one body, or throws or a kind are impossible. They are
    thrown in one of the `kinds`; of several, those with the least chi squared of all other bodies predict each body.
    """
    check_throws(throws)
    is_fitted = len(kinds) > 1
    if is_fitted and len(bodies) < 2:
        raise InvalidValueError("a fit needs two bodies: each is predicted by the others")
    with Throwers(root, workers) as throwers:

        def thrown(
            stage: str, cells: Mapping[tuple[int, Any], ThrowCell], count: int
        ) -> dict[tuple[int, Any], Shares]:
            tallies = throwers.totals(cells, count, partial(progress, stage))
            return {key: _shares(bodies[key[0]], tally) for key, tally in tallies.items()}

        chosen, best = [kinds[0]] * len(bodies), kinds[0]
        if is_fitted:
            count = max(1, round(FIT_SHARE * throws))
            found = thrown(
                "fit",
                {
                    (number, kind): _cell(body, kind, engines[0], (_TRIED, number))
                    for (number, body), kind in product(enumerate(bodies), kinds)
                },
                count,
            )
            chi2 = {key: bodies[key[0]].chi2(shares) for key, shares in found.items()}
            numbers = range(len(bodies))
            chosen = [
                _best(kinds, chi2, [*numbers[:left], *numbers[left + 1 :]]) for left in numbers
            ]
            best = _best(kinds, chi2, numbers)
        found = thrown(
            "prediction",
            {
                (number, engine): _cell(body, chosen[number], engine, (_PREDICTED, number))
                for (number, body), engine in product(enumerate(bodies), engines)
            },
            throws,
        )
    results = tuple(
        BodyResult(
            body,
            chosen[number],
            {engine: found[number, engine] for engine in engines},
            body.shares(quasi_static_shares(body.body)),
            body.shares({rest.pose: rest.solid_angle_share for rest in face_map(body.body).rests}),
        )
        for number, body in enumerate(bodies)
    )
    return BodyComparison(results, best, is_fitted, throws, root)


def candidates(
    conditions: Sequence[Conditions], frictions: Sequence[float], restitutions: Sequence[float]
) -> list[RollKind]:
    """Return every combination."""
    return [
        RollKind(how, ContactCoefficients(friction, restitution))
        for how, friction, restitution in product(conditions, frictions, restitutions)
    ]


def _cell(body: CountedBody, kind: RollKind, engine: str, address: tuple[int, ...]) -> ThrowCell:
    name = body.name if body.edge_radius_mm is None else body.body.name
    return ThrowCell(name, kind.conditions, kind.contact, engine, address, file=body.file)


def _shares(body: CountedBody, tally: Tally) -> dict[str, float]:
    by_pose = {pose: float(count) for pose, count in tally.counts.items()}
    return {face: max(count, _HALF) / tally.bricks for face, count in body.shares(by_pose).items()}


def _best(
    kinds: Sequence[RollKind], chi2: Mapping[tuple[int, RollKind], float], numbers: Sequence[int]
) -> RollKind:
    return min(kinds, key=lambda kind: sum(chi2[number, kind] for number in numbers))


def _freedom(dof: int) -> str:
    return counted(dof, "degree of freedom", "degrees of freedom")
