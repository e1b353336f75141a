"""Actions: what all actions of figures share, whose turn to act it is, and what figures pick up (MF Rules).

Here are arguments in inches and the base class of what the active figure does. A figure is taken, and done with; then
the movement of its side ends. Figures on foot pick up weapons and shields that lie there (MF Picking Up Weapons).
"""

from abc import abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import dist
from typing import ClassVar, Self

from brickphys.errors import unknown
from brickphys.minifig.ground import items_touched
from brickphys.minifig.state import Deed, FigureStep, State
from brickphys.rules.words import (
    NAME,
    Action,
    Argument,
    Codes,
    Unconditional,
    tidy_number,
    without_problems,
)

INCHES = Argument(
    "number of inches such as 12.5",
    r"\d{1,3}(\.\d{1,4})?",
    float,
    lambda inches: f"{inches:.10g}",
    tidy_number,
    codes=Codes.decimals(0, 999_9999, 4),
)
"""A coordinate on the table."""


def place_shown(x_in: float, y_in: float) -> str:
    """Return a place as lists show it: ``12.5,7``."""
    return f"{round(x_in, 1):g},{round(y_in, 1):g}"


DONE = {
    FigureStep.CHOSEN: "has done nothing",
    FigureStep.MOUNTED: "has mounted",
    FigureStep.MOVED: "has moved",
    FigureStep.DISMOUNTED: "has moved and dismounted",
    FigureStep.ON_FOOT: "has dismounted",
    FigureStep.PICKED_UP: "has dismounted and picked something up",
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

    steps: ClassVar[Collection[FigureStep]] = (FigureStep.CHOSEN,)

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
        if state.active is None:
            yield "take a figure first (MF Rules)"
        elif state.step not in self.steps:
            name = state.setting.figures[state.active].name
            yield f"{name} {DONE[state.step]}: no pair of actions continues with {self.word!r} (MF Rules)"
        else:
            yield from self.faults(state, state.active)

    def apply(self, state: State) -> State:
        figure = state.active
        assert figure is not None
        return self.act(state.replaced({"menu": ""}) if state.menu else state, figure)


@dataclass(frozen=True, slots=True)
class TakeFigure(Action[State]):
    """Take a figure: it acts next."""

    word = "take"
    arguments = (NAME,)
    chooses = "a figure"
    figure: str

    @classmethod
    def not_now(cls, state: State) -> str:
        if state.active is None:
            return "take works only while your side moves"
        return f"{_done_first(state, state.active)}, then take the next figure"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        figures = state.setting.figures
        return (cls(figures[number].name) for number in state.ready(state.player))

    def problems(self, state: State) -> Iterator[str]:
        numbers, name = state.setting.figure_numbers, self.figure
        if name not in numbers:
            ready = [state.setting.figures[number].name for number in state.ready(state.player)]
            yield f"{unknown('figure', name, ready)} (MF Rules)"
            return
        owner, now = state.setting.figures[numbers[name]].player, state.figures[numbers[name]]
        if owner != state.player:
            yield f"{name} belongs to {state.setting.players[owner]} (MF Rules)"
        elif not now.is_alive:
            yield f"{name} is eliminated (MF Resolving Combat)"
        elif now.deed is not Deed.NOTHING:
            yield f"{name} has already acted in this round (MF Rules)"

    def apply(self, state: State) -> State:
        number = state.setting.figure_numbers[self.figure]
        return state.replaced({"active": number, "step": FigureStep.CHOSEN})


_STAYED_OR_MOVED = (FigureStep.CHOSEN, FigureStep.MOVED)


@dataclass(frozen=True, slots=True)
class EndFigure(FigureAction):
    """The figure does nothing more; one that has only moved or stayed attacks who it touches (MF Rules)."""

    word = "done"
    steps = tuple(FigureStep)

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        yield cls()

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield nothing: it is always legal."""
        return iter(())

    def act(self, state: State, figure: int) -> State:
        return finished(state, Deed.MOVED if state.step in _STAYED_OR_MOVED else Deed.OTHER)


@dataclass(frozen=True, slots=True)
class EndMovement(Unconditional[State]):
    """The player's other figures stay as they are; they attack who they touch (MF Resolving Combat)."""

    word = "end"

    @classmethod
    def not_now(cls, state: State) -> str:
        if state.active is None:
            return "end ends the movement of a side, which is already over"
        return f"{_done_first(state, state.active)}, then end ends the movement of its side"

    def apply(self, state: State) -> State:
        left, stayed = set(state.ready(state.player)), {"deed": Deed.MOVED}
        figures = (
            one.replaced(stayed) if number in left else one
            for number, one in enumerate(state.figures)
        )
        return state.replaced({"figures": tuple(figures)})


def _done_first(state: State, figure: int) -> str:
    """Return that a figure still acts."""
    return f"choose done first: it ends the round of {state.setting.figures[figure].name}"


def finished(state: State, deed: Deed) -> State:
    """Return the state in which the active figure has acted for this round."""
    assert state.active is not None
    state = state.change_figure(state.active, deed=deed)
    return state.replaced({"active": None, "step": FigureStep.CHOSEN})


class TakeItem(FigureAction):
    """Take something that lies within reach; a rider who has stayed may mount again after it."""

    __slots__ = ()

    steps = (FigureStep.CHOSEN, FigureStep.MOVED, FigureStep.DISMOUNTED, FigureStep.ON_FOOT)
    item: str

    def faults(self, state: State, figure: int) -> Iterator[str]:
        numbers, name = state.setting.item_numbers, state.setting.figures[figure].name
        if self.item not in numbers:
            yield f"{unknown('item', self.item, numbers)} (MF Picking Up Weapons)"
            return
        item = state.items[numbers[self.item]]
        if state.figures[figure].horse is not None:
            yield f"{name} rides, and must dismount first (MF Picking Up Weapons)"
        elif not state.setting.figures[figure].kind.hands:
            yield f"{name} has no hands (MF Picking Up Weapons)"
        elif item.at_in is None:
            yield f"{self.item} is not on the table (MF Picking Up Weapons)"
        elif numbers[self.item] not in items_touched(state, figure):
            far_in = dist(item.at_in, state.figures[figure].place_in)
            yield f"{self.item} lies {far_in:.2f} in from {name}, out of reach (MF Picking Up Weapons)"

    def act(self, state: State, figure: int) -> State:
        item = state.setting.item_numbers[self.item]
        state = state.change_item(item, holder=figure, at_in=None)
        if state.step is FigureStep.ON_FOOT:
            return state.replaced({"step": FigureStep.PICKED_UP})
        return finished(state, Deed.OTHER)


@dataclass(frozen=True, slots=True)
class PickUp(TakeItem):
    """Pick something up with a free hand."""

    word = "pick_up"
    arguments = (NAME,)
    item: str

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        items = items_touched(state, figure) if _free_hands(state, figure) else iter(())
        return without_problems(state, (cls(state.setting.items[item].name) for item in items))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        yield from TakeItem.faults(self, state, figure)
        held = state.held.get(figure, ())
        if held and not _free_hands(state, figure):
            names = " and ".join(state.setting.items[item].name for item in held)
            name = state.setting.figures[figure].name
            yield f"{name} has {names} in hand: use exchange (MF Picking Up Weapons)"


@dataclass(frozen=True, slots=True)
class Exchange(TakeItem):
    """Take something in exchange for something in hand, which lies there then (ours)."""

    word = "exchange"
    arguments = (NAME, NAME)
    item: str
    held: str

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield everything within reach for everything in hand if no hand is free; with a free hand it is legal too."""
        if _free_hands(state, figure):
            return iter(())
        names = [state.setting.items[item].name for item in state.held.get(figure, ())]
        return without_problems(
            state,
            (
                cls(state.setting.items[item].name, held)
                for item in items_touched(state, figure)
                for held in names
            ),
        )

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why the figure cannot reach it, or does not hold what it would put down."""
        yield from TakeItem.faults(self, state, figure)
        names = [state.setting.items[item].name for item in state.held.get(figure, ())]
        if self.held not in names:
            name = state.setting.figures[figure].name
            yield f"{unknown(f'item in the hands of {name}', self.held, names)} (MF Picking Up Weapons)"

    def act(self, state: State, figure: int) -> State:
        held, place = state.setting.item_numbers[self.held], state.figures[figure].place_in
        return TakeItem.act(self, state.change_item(held, holder=None, at_in=place), figure)


def can_take(state: State, figure: int) -> bool:
    """Whether a figure on foot can pick something up, or exchange it."""
    has_hands = state.setting.figures[figure].kind.hands > 0
    return has_hands and next(items_touched(state, figure), None) is not None


def _free_hands(state: State, figure: int) -> int:
    return state.setting.figures[figure].kind.hands - len(state.held.get(figure, ()))
