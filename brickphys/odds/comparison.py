"""Comparison: the odds of several attacks side by side, and how well the differences are known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.interface import Drawn, Row, public
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import chance_in_hand
from brickphys.odds.opposed import Interval, check_health, opposed, range90_laws
from brickphys.text import percent

SUCCESS, KILL, DAMAGE = "success in the turn", "kill", "damage in the turn"
EXPECTED = "expected"
MOST_ATTACKS = 12
MOST_BRICKS = 72
"""Of all attacks of a turn: 12 attacks of 6 bricks. More take seconds and minutes to work out exactly."""
MOST_COMPARED = 6


@dataclass(frozen=True)
class Chances:
    """What can come of an attack, or of any other roll."""

    title: str
    """What is rolled, in words."""
    events: Mapping[str, Fraction] = field(default_factory=dict)
    """Probability of each event, by its name; the first is the one by which rolls are compared."""
    numbers: Mapping[str, Distribution] = field(default_factory=dict)
    """Distribution of each number, by its name."""
    bricks: tuple[int, ...] = ()
    """How many bricks each hand has; empty if that is not known."""

    @cached_property
    def quantities(self) -> Mapping[str, Fraction]:
        """The probability of each event, then the mean of each number, as ``expected damage``."""
        means = {f"{EXPECTED} {name}": law.mean() for name, law in self.numbers.items()}
        return {**self.events, **means}

    def document(self) -> dict[str, Any]:
        """Return the chances as values of JSON, with exact fractions as text."""
        return {
            "title": self.title,
            "events": {
                name: {"p": float(chance), "exact": str(chance)}
                for name, chance in self.events.items()
            },
            "numbers": {
                name: {
                    "expected": float(law.mean()),
                    "p": {str(value): float(chance) for value, chance in law.items()},
                    "exact": {str(value): str(chance) for value, chance in law.items()},
                }
                for name, law in self.numbers.items()
            },
        }


@dataclass(frozen=True)
class Difference:
    """How much greater a quantity is in one attack than in another."""

    exact: Fraction
    """The difference by the law."""
    range90: Interval | None
    """Its least and its greatest value while p moves over its 90 % range, with the same p in both attacks; None if p is
    stated or its range was not measured."""

    @property
    def is_sure(self) -> bool:
        """Whether its sign is the same for every p of the 90 % range."""
        return self.range90 is None or self.range90[0] > 0 or self.range90[1] < 0

    def document(self) -> dict[str, Any]:
        """Return the difference as values of JSON."""
        return {"more": float(self.exact), "exact": str(self.exact), "range90": self.range90}


@dataclass(frozen=True, repr=False)
class Comparison(Drawn):
    """Several attacks by one law."""

    law: RollLaw | None
    law_name: str
    """The law of the bricks, and its name for people; None and empty if no bricks are thrown in any of them."""
    attacks: tuple[Chances, ...]
    moved: tuple[tuple[Mapping[str, float], ...], ...]
    """Of each attack, its quantities while p moves over its 90 % range, at the same values of p for all attacks; empty
    if p is stated or its range was not measured."""

    drawn_by = "odds:comparison_figure"

    @property
    def quantities(self) -> tuple[str, ...]:
        """The names of all quantities, in the order of the attacks."""
        return tuple(dict.fromkeys(name for one in self.attacks for name in one.quantities))

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of all numbers that have a distribution."""
        return tuple(dict.fromkeys(name for one in self.attacks for name in one.numbers))

    @property
    def first(self) -> str:
        """The quantity by which the attacks are compared: the first that all have."""
        return next(
            name for name in self.quantities if all(name in one.quantities for one in self.attacks)
        )

    @public()
    def is_event(self, quantity: str) -> bool:
        """Whether a quantity is a probability, and not a mean."""
        return any(quantity in one.events for one in self.attacks)

    @public()
    def range90(self, quantity: str, number: int) -> Interval | None:
        """Return the 90 % range of a quantity of one attack; None if it is not known."""
        self._check(number)
        values = [at[quantity] for at in self.moved[number] if quantity in at]
        return (min(values), max(values)) if values else None

    @public()
    def difference(self, quantity: str, one: int, other: int) -> Difference | None:
        """Return by how much attack `one` is above attack `other`; None if one of them lacks the quantity.

        Raises
        ------
        InvalidValueError
            If no attack has it, with the names of those that there are; or if there is no such attack.
        """
        self._check(one, other)
        if quantity not in self.quantities:
            raise unknown("quantity", quantity, self.quantities)
        pair = self.attacks[one].quantities, self.attacks[other].quantities
        if not all(quantity in found for found in pair):
            return None
        steps = zip(self.moved[one], self.moved[other], strict=True)
        moved = [ours[quantity] - theirs[quantity] for ours, theirs in steps]
        range90 = (min(moved), max(moved)) if moved else None
        return Difference(pair[0][quantity] - pair[1][quantity], range90)

    def _check(self, *numbers: int) -> None:
        for number in numbers:
            if not 0 <= number < len(self.attacks):
                raise InvalidValueError(
                    f"attack {number} is outside 0..{len(self.attacks) - 1}: they are counted from 0"
                )

    @public()
    def ranking(self, quantity: str) -> list[int]:
        """Return the attacks that have a quantity, the one with the most of it first."""
        known = [n for n, one in enumerate(self.attacks) if quantity in one.quantities]
        return sorted(known, key=lambda n: -self.attacks[n].quantities[quantity])

    def document(self) -> dict[str, Any]:
        """Return the attacks, their differences from the first one, and which leads, as values of JSON."""
        first, second, *_ = self.ranking(self.first)
        lead = self.difference(self.first, first, second)
        assert lead is not None  # all attacks have the first quantity
        found = (
            (name, n, self.difference(name, n, 0))
            for name in self.quantities
            for n in range(1, len(self.attacks))
        )
        return {
            "law": self.law_name or None,
            "p": None if self.law is None else float(self.law.p),
            "p_in_hand": None if self.law is None else float(chance_in_hand(self.law)),
            "p_range90": self.law.p_range90 if isinstance(self.law, Law) else None,
            "attacks": [one.document() for one in self.attacks],
            "differences": [
                {"quantity": name, "attack": n + 1, **more.document()}
                for name, n, more in found
                if more is not None
            ],
            "verdict": {
                "quantity": self.first,
                "attack": first + 1 if lead.exact else None,
                "over": second + 1,
                **lead.document(),
                "sure": lead.is_sure,
            },
        }

    def line(self) -> str:
        write = percent if self.is_event(self.first) else "{:.2f}".format
        values = [f"{one.title} {write(float(one.quantities[self.first]))}" for one in self.attacks]
        by = f", by {self.law_name}" if self.law_name else ""
        return f"{self.first}: {'; '.join(values)}{by}"

    def rows(self) -> list[Row]:
        """Return each quantity of each attack, and its difference from the first attack."""
        return [self._row(name, n) for name in self.quantities for n in range(len(self.attacks))]

    def _row(self, quantity: str, number: int) -> Row:
        one = self.attacks[number]
        found = self.difference(quantity, number, 0) if number else None
        low, high = (found.range90 if found else None) or (None, None)
        value = one.quantities.get(quantity)
        return {
            "quantity": quantity,
            "attack": number + 1,
            "title": one.title,
            "value": None if value is None else float(value),
            "more_than_first": None if found is None else float(found.exact),
            "range90_low": low,
            "range90_high": high,
        }


Roll = Chances | Callable[[RollLaw], Chances]
"""What is compared: chances in which no bricks are thrown, or chances as a function of the law of bricks."""


def compare(rolls: Sequence[Roll], law: RollLaw, law_name: str) -> Comparison:
    """Return several attacks side by side.

    Raises InvalidValueError if there are too few or too many attacks, or they have no quantity in common. There are 2
    to 6.
    """
    if not 2 <= len(rolls) <= MOST_COMPARED:
        raise InvalidValueError(
            f"a comparison is of 2 to {MOST_COMPARED} attacks, not of {len(rolls)}"
        )
    attacks = tuple(_chances(roll, law) for roll in rolls)
    if not set.intersection(*(set(one.quantities) for one in attacks)):
        raise InvalidValueError(
            f"{' and '.join(one.title for one in attacks)}: no event or number is in all of them"
        )
    if all(isinstance(roll, Chances) for roll in rolls):
        return Comparison(None, "", attacks, ((),) * len(attacks))
    laws = range90_laws(law)
    moved = tuple(tuple(_floats(_chances(roll, one)) for one in laws) for roll in rolls)
    return Comparison(law, law_name, attacks, moved)


def _chances(roll: Roll, law: RollLaw) -> Chances:
    return roll if isinstance(roll, Chances) else roll(law)


def _floats(one: Chances) -> Mapping[str, float]:
    return {name: float(value) for name, value in one.quantities.items()}


def turn_chances(
    title: str,
    bricks: tuple[int, int],
    law: RollLaw,
    *,
    health: int | None = None,
    attacks: int = 1,
) -> Chances:
    """Return the chances of equal attacks on one target in a turn: success of at least one, kill, damage (BOW 2.4.3).

    Raises InvalidValueError if a number is out of range.

    Parameters
    ----------
    bricks
        Bricks of each attack, and of the defence.
    health
        Health of the target; without it there is no kill.
    attacks
        How many attacks, 1..12, of at most 72 bricks in all.
    """
    if not 1 <= attacks <= MOST_ATTACKS:
        raise InvalidValueError(f"attacks: {attacks} is outside 1..{MOST_ATTACKS}")
    if attacks * bricks[0] > MOST_BRICKS:
        raise InvalidValueError(
            f"attacks: {attacks} of {bricks[0]} bricks are more than {MOST_BRICKS} bricks in a turn"
        )
    once = opposed(*bricks, law).damage
    damage = once
    for _ in range(attacks - 1):
        damage += once
    events = {SUCCESS: damage.at_least(1)}
    if health is not None:
        events[KILL] = damage.at_least(check_health(health))
    return Chances(title, events, {DAMAGE: damage}, bricks)
