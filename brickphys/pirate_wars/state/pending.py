"""Pending: the bases of all that can be pending, whose fields hold the numbers of ships and minifigs."""

from abc import abstractmethod
from typing import ClassVar

from brickphys.pirate_wars.state.state import State
from brickphys.rules.events.dice import DiceRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import Pending, PendingRoll, Question, number_problems
from brickphys.text import spoken

_COUNTED = {
    "ship": "ships",
    "target": "ships",
    "attacker": "ships",
    "defender": "ships",
    "minifig": "minifigs",
}


class Numbered(Pending[State]):
    """Something about ships and minifigs, whose numbers are checked."""

    __slots__ = ()

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending: numbers that are those of nothing."""
        return [
            fault
            for field, things in _COUNTED.items()
            if (number := getattr(self, field, None)) is not None
            for fault in number_problems(field, number, len(getattr(state, things)))
        ]

    def names(self, state: State) -> dict[str, str]:
        """Return the names of its ships, by field, as people read them."""
        ships = state.setting.ships
        found = {field: getattr(self, field, None) for field in _COUNTED if field != "minifig"}
        return {field: spoken(ships[n].name) for field, n in found.items() if n is not None}


class DieRoll(Numbered, PendingRoll[State]):
    """A roll of one die."""

    __slots__ = ()

    @abstractmethod
    def reason(self, state: State) -> str:
        """Return what it is rolled for."""

    @abstractmethod
    def rolled(self, state: State, face: int) -> State:
        """Return the state after it shows a face."""

    def event(self, state: State) -> DiceRoll:
        """Return the die."""
        return DiceRoll(1, 6, self.reason(state))

    def settle(self, state: State, outcome: Outcome) -> State:
        """Take its face."""
        (face,) = map(int, outcome)  # type: ignore[arg-type]
        return self.rolled(state, face)


class OwnerQuestion(Numbered, Question[State]):
    """A question to the owner of one of its ships."""

    __slots__ = ()

    owner_of: ClassVar[str] = "ship"  # the field of that ship
    asks: ClassVar[str]  # the prompt, with the fields of its ships in braces

    def player(self, state: State) -> int:
        """Return the owner."""
        number: int = getattr(self, self.owner_of)
        return state.ships[number].owner

    def prompt(self, state: State) -> str:
        """Return the prompt."""
        return self.asks.format(**self.names(state))
