"""Actions: what actions and answers share: arguments, the cards in force, the end of an action (BB 4.2, 5.4.4)."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from brickphys.blade_and_bow.deck import CardEffect, EffectVerb, Lasts, deck
from brickphys.blade_and_bow.pieces import FormationOrder, Played
from brickphys.blade_and_bow.setting import UnitNumber
from brickphys.blade_and_bow.state import State
from brickphys.errors import unknown
from brickphys.grid.grid import FACING_NAMES, Square
from brickphys.rules.moves import OptionAnswer, OptionQuestion
from brickphys.rules.words import Argument, Codes, Unconditional, tidy_facing

SQUARE = Argument("square such as S12", r"[A-Z][1-9]\d?", str, tidy=str.upper)
"""The name of a square."""
FACING = Argument(
    f"facing ({', '.join(FACING_NAMES)})",
    "|".join(FACING_NAMES),
    FACING_NAMES.index,
    FACING_NAMES.__getitem__,
    tidy_facing,
    codes=Codes.of(range(len(FACING_NAMES))),
)
"""The number of a facing, written as a compass point."""
VIA = "via"
"""The word before the squares by which a unit goes."""
NUMBER = Argument("number", r"\d{1,2}", int, codes=Codes.of(range(100)))
"""A number of ranks, or a face of a die."""


def split_at(words: Sequence[str], mark: str) -> tuple[Sequence[str], bool, Sequence[str]]:
    """Return the words before a mark, whether it is there, and the words behind it."""
    if mark not in words:
        return words, False, ()
    at = words.index(mark)
    return words[:at], True, words[at + 1 :]


class Decline(Unconditional[State]):
    """An answer that ends the question, and does nothing else."""

    __slots__ = ()

    def apply(self, state: State) -> State:
        return state.pop_pending()


@dataclass(frozen=True, slots=True)
class UnitQuestion(OptionQuestion[State]):
    """A question about a unit, to its player; `asks` has ``{}`` in place of its name."""

    unit: UnitNumber

    def player(self, state: State) -> int:
        return state.player_of(self.unit)

    def prompt(self, state: State) -> str:
        return self.asks.format(state.unit_name(self.unit))


class SquareQuestion(OptionQuestion[State]):
    """A question for a square."""

    __slots__ = ()
    rule: ClassVar[str]
    """Which squares can be chosen, with the section of the rulebook."""

    @abstractmethod
    def squares(self, state: State) -> Iterable[Square]:
        """Return the squares from which the player chooses."""

    @abstractmethod
    def chosen(self, state: State, square: Square) -> State:
        """Return the state after the answer, given the state in which this is no longer pending."""

    def options(self, state: State) -> Iterable[tuple[str]]:
        return ((state.setting.squares[square],) for square in self.squares(state))

    def answered(self, state: State, name: str) -> State:
        return self.chosen(state, state.setting.square_numbers[name])


@dataclass(frozen=True, slots=True)
class SquareAnswer(OptionAnswer[State]):
    """The answer to a `SquareQuestion`."""

    square: Annotated[str, SQUARE]

    def refusals(self, state: State, name: str) -> Iterator[str]:
        """Yield that there is no such square, or which ones can be chosen."""
        asked, numbers = state.first_pending, state.setting.square_numbers
        assert isinstance(asked, SquareQuestion)
        if name not in numbers:
            yield f"{unknown('square', name, numbers)} (BB 2.1)"
        elif numbers[name] not in asked.squares(state):
            yield asked.rule


_ORDER = tuple(Lasts)


def bonus(state: State, verb: EffectVerb, player: int, unit: int | None = None) -> int:
    """Return the amount by which a player's cards change something, of one unit if that is given."""
    found = 0
    for played in state.played:
        if played.player == player and played.unit == unit:
            effect = effect_of(played)
            found += effect.amount * (effect.verb is verb)
    return found


def gains(state: State, unit: int) -> bool:
    """Whether a unit gains from a card in force: it does not from another one (BB 4.2)."""
    return any(played.unit == unit for played in state.played)


def expired(state: State, lasts: Lasts) -> State:
    """Return the state without the effects that last no longer than this."""
    if not state.played:
        return state
    end = _ORDER.index(lasts)
    kept = (played for played in state.played if _ORDER.index(effect_of(played).lasts) > end)
    return state.replaced({"played": tuple(kept)})


def effect_of(played: Played) -> CardEffect:
    """Return the effect of a card in force."""
    effect = deck()[played.card].effect
    assert effect is not None
    return effect


def unit_done(state: State, unit: int) -> State:
    """Return the state in which a unit has acted; after the last one the action is over."""
    waiting = tuple(one for one in state.activated.waiting if one != unit)
    if not waiting:
        return finished(state)
    return state.change_activation(waiting=waiting, active=None, spent=0)


def finished(state: State) -> State:
    """Return the state after an action of the player whose impulse it is.

    Only units that fought in it keep their melee markers (BB 9.4.3.6), and the effects of its cards expire (BB 4.2).
    """
    activation, fought = state.activation, set[int]()
    if activation is not None and activation.order is FormationOrder.MELEE:
        fought = set(activation.units) - set(activation.waiting)
    for number, unit in enumerate(state.units):
        if unit.marker and number not in fought and state.player_of(number) == state.mover:
            state = state.change_unit(number, marker=False)
    state = expired(state, Lasts.ACTION)
    return state.replaced({"activation": None, "actions": state.actions - 1})


class EndAction(Unconditional[State]):
    """Units that have not acted do nothing: the action is over."""

    __slots__ = ()
    word = "done"

    def apply(self, state: State) -> State:
        return finished(state)
