"""Draw: one of several names, each as likely as its weight: a card, a side, the target of a shot."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events.event import ChanceEvent, Outcome, purpose


@dataclass(frozen=True, slots=True)
class Draw(ChanceEvent):
    """One of several names is drawn, each as likely as its weight: a card, a side, a place.

    A shuffled deck needs no order: draw each card, when it is taken, from those that are left.

    Attributes
    ----------
    weights
        (name, weight) pairs; names are unique, printable and without blanks at their ends, weights positive.
    reason
        Its purpose, in words.
    secret
        Some player may not know what can be drawn, such as the cards left in a deck: no question lists the names.
    """

    help = "type the name that you drew"

    weights: tuple[tuple[str, int], ...]
    reason: str = field(default="", compare=False)
    secret: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        names = [name for name, _ in self.weights]
        if not names or len(set(names)) < len(names):
            raise InvalidValueError(f"names {names}: a draw needs at least one name, each once")
        for name, weight in self.weights:
            if not name or not name.isprintable() or name.strip() != name:
                raise InvalidValueError(f"name {name!r} is not one printable line")
            if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
                raise InvalidValueError(f"weight of {name!r}: {weight!r} is not a positive number")

    @classmethod
    def of(cls, weights: Mapping[str, int], reason: str = "", **more: Any) -> Self:
        """Return the draw from name -> weight, with further fields by name; names of weight 0 are left out."""
        return cls(
            tuple((name, weight) for name, weight in weights.items() if weight), reason, **more
        )

    @classmethod
    def uniform(cls, *names: str, reason: str = "", **more: Any) -> Self:
        """Return the draw of one of these names, all equally likely."""
        return cls(tuple((name, 1) for name in names), reason, **more)

    def law(self, brick_law: RollLaw) -> Mapping[Outcome, Fraction]:
        """Return name -> probability."""
        total = sum(weight for _, weight in self.weights)
        shares = {
            weight: Fraction(weight, total) for weight in {weight for _, weight in self.weights}
        }
        return {name: shares[weight] for name, weight in self.weights}

    def problems(self, outcome: Outcome) -> list[str]:
        """Return why this cannot be drawn."""
        possible = outcome in [name for name, _ in self.weights]
        return [] if possible else [f"{outcome!r} is not {self._one_of}"]

    def parse(self, text: str) -> Outcome:
        """Read a name."""
        return self._checked(text, text)

    @property
    def question(self) -> str:
        """The question to a person."""
        return f"{self._one_of}{purpose(self.reason)}: which?"

    @property
    def asked(self) -> str:
        """The question; of a secret draw also what is typed, because no names are listed."""
        return f"{self.question} Type {self.wanted}." if self.secret else self.question

    @property
    def wanted(self) -> str:
        """A name."""
        return "the name that you drew" if self.secret else "one of these names"

    @property
    def _one_of(self) -> str:
        if self.secret:
            return f"one of {len(self.weights)} names, not listed here"
        return f"one of {', '.join(name for name, _ in self.weights)}"


@dataclass(frozen=True, slots=True)
class Shot(Draw):
    """A shot with a measured law: its target and its effect, each name as likely as its weight.

    The weights come from a table that was measured; a game keeps a digest of that table in the options of its setups,
    so that a replay refuses another one. A source of its own (see `MixedSource`) may shoot anew in place of the table.

    Attributes
    ----------
    weights, reason, secret
        As in `Draw`.
    situation
        A value that tells such a source the shooter, its place and its target.
    """

    help = "shoot, then type what happened"

    situation: Hashable = None

    @property
    def question(self) -> str:
        """The question to a person."""
        return f"a shot{purpose(self.reason)}: {self._one_of}?"
