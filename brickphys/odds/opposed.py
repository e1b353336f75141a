"""Opposed rolls: attack bricks against defence bricks, the higher score wins (BOW 2.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, isfinite

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Z95, Distribution, check_probability
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.roll import check_bricks

Interval = tuple[float, float]
Doubts = tuple[Interval | None, Interval | None]
"""The 95 % interval by that of p, and the 90 % range of a chance; either is None where it was not measured."""
MAX_HEALTH = 1000
_INNER_POINTS = 16


@dataclass(frozen=True)
class Opposed:
    """The exact law of one opposed roll."""

    attack: int
    defence: int
    """Numbers of bricks of attack and defence."""
    damage: Distribution
    """Distribution of the damage: the difference of the scores if the attack scores strictly more, else 0."""
    extrapolated: bool
    """Whether hands of either number of bricks were not measured."""

    @property
    def success(self) -> Fraction:
        """Probability that the attack scores strictly more; the defence wins a tie."""
        return self.damage.at_least(1)

    @property
    def expected_damage(self) -> Fraction:
        """Mean damage, with 0 for a failed attack."""
        return self.damage.mean()

    def kill(self, health: int) -> Fraction:
        """Return the probability that this attack deals at least `health` points (BOW 2.4.3)."""
        return self.damage.at_least(check_health(health))


def check_health(health: int) -> int:
    """Return `health` if it lies in 1..1000, else raise InvalidValueError."""
    if isinstance(health, bool) or not isinstance(health, int):
        raise InvalidValueError(f"health: {health!r} is not a whole number")
    if not 1 <= health <= MAX_HEALTH:
        raise InvalidValueError(f"health: {health} is outside 1..{MAX_HEALTH}")
    return health


def opposed(attack: int, defence: int, law: RollLaw, ahead: int = 0) -> Opposed:
    """Return the exact law of `attack` bricks against `defence` bricks (BOW 2.4.1, 2.4.2).

    Raises InvalidValueError if a number of bricks is outside 0..60. The numbers are 0..60. `ahead` are the points by
    which the attack's score is ahead before a brick is thrown; negative if the defence's is.
    """
    scored = law.roll(check_bricks(attack, "attack"))
    resisted = law.roll(check_bricks(defence, "defence"))
    difference = scored + resisted.map(lambda score: -score)
    extrapolated = law.extrapolated(attack) or law.extrapolated(defence)
    return Opposed(attack, defence, difference.map(lambda d: max(d + ahead, 0)), extrapolated)


def kill_after(
    attacks: Sequence[tuple[int, int]], health: int, law: RollLaw
) -> tuple[Fraction, ...]:
    """Return the probabilities that a target is dead after the 1st, 2nd, ... of several attacks.

    Damage adds up over the attacks of a turn (BOW 2.4.3). Raises InvalidValueError if a number of bricks or `health` is
    out of range. The attacks are numbers of bricks of attack and defence: ``[(3, 2)] * 4`` is the same attack four
    times. The health is 1..1000.
    """
    check_health(health)
    laws = {pair: opposed(*pair, law).damage for pair in set(attacks)}
    suffered = Distribution.point(0)
    chances = []
    for pair in attacks:
        # Damage above the health is cut off, so the distribution stays small for any number of attacks.
        suffered = (suffered + laws[pair]).map(lambda damage: min(damage, health))
        chances.append(suffered.at_least(health))
    return tuple(chances)


def success_doubts(attack: int, defence: int, law: RollLaw, ahead: int = 0) -> Doubts:
    """Return the 95 % interval by that of p, and the 90 % range of the probability of success; see `opposed`."""
    if not isinstance(law, Law):
        return None, None
    moved = range90_laws(law)
    range90 = _extent(attack, defence, moved, ahead) if moved else None
    return success_interval(attack, defence, law, law.ci95, ahead), range90


def range90_laws(law: RollLaw) -> list[RollLaw]:
    """Return a measured law moved over the 90 % range of its p; empty if that was not measured."""
    if not isinstance(law, Law) or law.p_range90 is None:
        return []
    low, high = (Fraction(end).limit_denominator(10**6) for end in law.p_range90)
    return _moved_laws(law, (low, high))


def success_interval(
    attack: int, defence: int, law: RollLaw, ci: tuple[float, float], ahead: int = 0
) -> tuple[float, float]:
    """Return the interval of the probability of success that follows from the interval of p.

    The interval of p is widened by the error of the share of sides in hands, and the law is moved over it (see
    `success_range`). The effect of the interval of the correlation is added in quadrature on each side. Raises
    InvalidValueError if a number of bricks is out of range, or `ci` is reversed or outside 0..1.

    Parameters
    ----------
    attack, defence
        Numbers of bricks, 0..60.
    law
        Law of brick rolls.
    ci
        Lower and upper end of p; `law.p` need not be the middle.
    ahead
        See `opposed`.
    """
    low, high = (check_probability(_exact(end), "interval of p") for end in ci)
    if low > high:
        raise InvalidValueError(f"interval of p: {ci[0]:g}:{ci[1]:g} is reversed")
    low, high = _widened(low, high, law, max(law.share_error(n) for n in (attack, defence)))
    success = float(opposed(attack, defence, law, ahead).success)
    least, most = success_range(attack, defence, law, (low, high), ahead)
    clumped = [
        float(opposed(attack, defence, law.at(law.p, rho), ahead).success)
        for rho in law.rho_interval
    ]
    return (
        max(0.0, success - hypot(success - least, success - min(*clumped, success))),
        min(1.0, success + hypot(most - success, max(*clumped, success) - success)),
    )


def success_range(
    attack: int, defence: int, law: RollLaw, ends: tuple[Fraction, Fraction], ahead: int = 0
) -> tuple[float, float]:
    """Return the least and the greatest probability of success for p between two ends.

    It is not monotone in p (with equal bricks it is 0 at p = 0 and at p = 1), so a grid of values of p is evaluated.

    Parameters
    ----------
    attack, defence
        Numbers of bricks, 0..60.
    law
        Law of brick rolls; `law.p` is part of the grid, even outside the ends.
    ends
        Lower and upper end of p, in 0..1.
    ahead
        See `opposed`.
    """
    return _extent(attack, defence, _moved_laws(law, ends), ahead)


def _moved_laws(law: RollLaw, ends: tuple[Fraction, Fraction]) -> list[RollLaw]:
    """Return a law moved over a grid of values of p between two ends, and to its own, even outside them."""
    low, high = ends
    step = (high - low) / _INNER_POINTS
    return [law.at(q) for q in {low + i * step for i in range(_INNER_POINTS + 1)} | {law.p}]


def _extent(attack: int, defence: int, laws: Sequence[RollLaw], ahead: int) -> tuple[float, float]:
    """Return the least and the greatest probability of success by several laws."""
    found = [float(opposed(attack, defence, law, ahead).success) for law in laws]
    return min(found), max(found)


def _widened(
    low: Fraction, high: Fraction, law: RollLaw, error: float
) -> tuple[Fraction, Fraction]:
    """Return the interval of p with a further standard error added in quadrature on each side."""
    if error == 0.0:
        return low, high
    p = float(law.p)
    return (
        _exact(max(0.0, p - hypot(p - float(low), Z95 * error))),
        _exact(min(1.0, p + hypot(float(high) - p, Z95 * error))),
    )


def _exact(end: float) -> Fraction:
    if not isfinite(end):
        raise InvalidValueError(f"interval of p: {end} is not a number")
    return Fraction(end).limit_denominator(10**9)


def success_table(
    max_attack: int, max_defence: int, law: RollLaw
) -> tuple[tuple[Fraction, ...], ...]:
    """Return the probability of success of every attack against every defence: ``table[attack][defence]``, from 0.

    Raises InvalidValueError if a number of bricks is out of range. The largest numbers of bricks are 0..60.
    """
    most = check_bricks(max_attack, "max_attack"), check_bricks(max_defence, "max_defence")
    rolls = [law.roll(bricks) for bricks in range(max(most) + 1)]
    attacks, defences = (rolls[: bricks + 1] for bricks in most)
    return tuple(tuple(attack.exceeds(defence) for defence in defences) for attack in attacks)
