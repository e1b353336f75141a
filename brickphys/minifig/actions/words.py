"""Words: arguments in inches, and the base class of actions of the chosen figure (MF Rules)."""

from abc import abstractmethod
from collections.abc import Collection, Iterator
from typing import ClassVar, Self

from brickphys.minifig.state.state import State, Step
from brickphys.rules.words import Action, Argument, tidy_number

INCHES = Argument(
    "number of inches such as 12.5",
    r"\d{1,3}(\.\d{1,4})?",
    float,
    lambda inches: f"{inches:.10g}",
    tidy_number,
)
"""A coordinate on the table."""


def place_shown(x_in: float, y_in: float) -> str:
    """Return a place as lists show it: ``12.5,7``."""
    return f"{round(x_in, 1):g},{round(y_in, 1):g}"


DONE = {
    Step.CHOSEN: "has done nothing",
    Step.MOUNTED: "has mounted",
    Step.MOVED: "has moved",
    Step.DISMOUNTED: "has moved and dismounted",
    Step.ON_FOOT: "has dismounted",
    Step.PICKED_UP: "has dismounted and picked something up",
}
"""What the active figure has done, by its step."""


class FigureAction(Action[State]):
    """An action of the active figure.

    Attributes
    ----------
    steps
        After which steps of its round a figure may do it: the pairs of actions of the book (MF Rules).
    """

    __slots__ = ()

    steps: ClassVar[Collection[Step]] = (Step.CHOSEN,)

    @classmethod
    @abstractmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield legal actions of a figure whose step allows this type; they may stand for more."""

    @abstractmethod
    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why a figure whose step allows this type cannot do it."""

    @abstractmethod
    def act(self, state: State, figure: int) -> State:
        """Return the state after a figure has done it."""

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield legal actions of the active figure, none if its step allows none."""
        if state.active is None or state.step not in cls.steps:
            return iter(())
        return cls.listed(state, state.active)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why the active figure cannot do it now."""
        if state.active is None:
            yield "take a figure first (MF Rules)"
        elif state.step not in self.steps:
            name = state.setting.figures[state.active].name
            yield f"{name} {DONE[state.step]}: no pair of actions continues with {self.word!r} (MF Rules)"
        else:
            yield from self.faults(state, state.active)

    def apply(self, state: State) -> State:
        """Let the active figure do it."""
        figure = state.active
        assert figure is not None
        return self.act(state.replaced({"menu": ""}) if state.menu else state, figure)
