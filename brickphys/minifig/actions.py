"""Actions: what all actions of figures share, whose turn to act it is, and what figures pick up (MF Rules).

Here are arguments in inches and the base class of what the active figure does. A figure is taken, and done with; then
the movement of its side ends. Figures on foot pick up weapons and shields that lie there (MF Picking Up Weapons).
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import product, starmap
from math import dist
from typing import Annotated, ClassVar, Self

from brickphys.errors import unknown
from brickphys.minifig.ground import items_touched
from brickphys.minifig.state import Deed, FigureStep, State
from brickphys.rules import words
from brickphys.rules.moves import Among, Move

INCHES = words.Argument(
    "number of inches such as 12.5",
    r"\d{1,3}(\.\d{1,4})?",
    float,
    lambda inches: words.decimal_text(inches, 4),
    words.tidy_number,
    codes=words.Codes.decimals(0, 999_9999, 4),
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


class FigureMove(Move[State]):
    """A move of the active figure."""

    __slots__ = ()

    section = "MF Rules"
    steps: ClassVar[Collection[FigureStep]] = (FigureStep.CHOSEN,)
    """After which steps of its round a figure may do it: the pairs of actions of the book (MF Rules)."""

    @classmethod
    def actor(cls, state: State) -> tuple[int]:
        assert state.active is not None
        return (state.active,)

    @classmethod
    def wrong_moment(cls, state: State) -> str | None:
        if state.active is None:
            return "take a figure first (MF Rules)"
        if state.step not in cls.steps:
            name = state.setting.figures[state.active].name
            return f"{name} {DONE[state.step]}: no pair of actions continues with {cls.word!r} (MF Rules)"
        return None

    def apply(self, state: State) -> State:
        return super().apply(state.replaced({"menu": ""}) if state.menu else state)


@dataclass(frozen=True, slots=True)
class TakeFigure(Move[State]):
    """Take a figure: it acts next."""

    word = "take"
    does = "move a figure"
    section = "MF Rules"
    chooses = "a figure"
    figure: Annotated[str, words.NAME]

    @classmethod
    def not_now(cls, state: State) -> str:
        if state.active is None:
            return "take works only while your side moves"
        return f"{_done_first(state, state.active)}, then take the next figure"

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        figures = state.setting.figures
        return (cls(figures[number].name) for number in state.ready(state.player))

    def refusals(self, state: State, name: str) -> Iterator[str]:
        number = state.setting.figure_numbers.get(name)
        if number is None:
            yield str(unknown("figure", name, [one.figure for one in self.listed(state)]))
            return
        owner, now = state.setting.figures[number].player, state.figures[number]
        if owner != state.player:
            yield f"{name} belongs to {state.setting.players[owner]}"
        elif not now.is_alive:
            yield f"{name} is eliminated (MF Resolving Combat)"
        elif now.deed is not Deed.NOTHING:
            yield f"{name} has already acted in this round"

    def result(self, state: State, name: str) -> State:
        number = state.setting.figure_numbers[name]
        return state.replaced({"active": number, "step": FigureStep.CHOSEN})


_STAYED_OR_MOVED = (FigureStep.CHOSEN, FigureStep.MOVED)


@dataclass(frozen=True, slots=True)
class EndFigure(FigureMove):
    """The figure does nothing more; one that has only moved or stayed attacks who it touches (MF Rules)."""

    word = "done"
    steps = tuple(FigureStep)

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        yield cls()

    def refusals(self, state: State, figure: int) -> Iterator[str]:
        return iter(())

    def result(self, state: State, figure: int) -> State:
        return finished(state, Deed.MOVED if state.step in _STAYED_OR_MOVED else Deed.OTHER)


@dataclass(frozen=True, slots=True)
class EndMovement(words.Unconditional[State]):
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
    name = state.setting.figures[figure].name
    undo = f" (or undo, if {name} is to act later)" if state.step is FigureStep.CHOSEN else ""
    return f"choose done first: it ends the round of {name}{undo}"


def finished(state: State, deed: Deed) -> State:
    """Return the state in which the active figure has acted for this round."""
    assert state.active is not None
    state = state.change_figure(state.active, deed=deed)
    return state.replaced({"active": None, "step": FigureStep.CHOSEN})


_TO_TAKE = Among("item", lambda state, _: state.setting.item_numbers)
_BEFORE_TAKING = (
    FigureStep.CHOSEN,
    FigureStep.MOVED,
    FigureStep.DISMOUNTED,
    FigureStep.ON_FOOT,
)


@dataclass(frozen=True, slots=True)
class PickUp(FigureMove):
    """Pick something up with a free hand."""

    word = "pick_up"
    section = "MF Picking Up Weapons"
    steps = _BEFORE_TAKING
    item: Annotated[str, _TO_TAKE]

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        items = items_touched(state, figure) if _free_hands(state, figure) else iter(())
        return words.without_problems(
            state, (cls(state.setting.items[item].name) for item in items)
        )

    def refusals(self, state: State, figure: int, item: int) -> Iterator[str]:
        yield from _out_of_reach(state, figure, item)
        if not _free_hands(state, figure) and (held := _held(state, figure)):
            name = state.setting.figures[figure].name
            yield f"{name} has {' and '.join(held)} in hand: use exchange"

    def result(self, state: State, figure: int, item: int) -> State:
        return _taken(state, figure, item)


@dataclass(frozen=True, slots=True)
class Exchange(FigureMove):
    """Take something in exchange for something in hand, which lies there then (ours)."""

    word = "exchange"
    section = "MF Picking Up Weapons"
    steps = _BEFORE_TAKING
    item: Annotated[str, _TO_TAKE]
    held: Annotated[str, words.NAME]

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield everything within reach for everything in hand if no hand is free; with a free hand it is legal too."""
        if _free_hands(state, figure):
            return iter(())
        items = (state.setting.items[item].name for item in items_touched(state, figure))
        return words.without_problems(state, starmap(cls, product(items, _held(state, figure))))

    def refusals(self, state: State, figure: int, item: int, held: str) -> Iterator[str]:
        """Yield why the figure cannot reach it, or does not hold what it would put down."""
        yield from _out_of_reach(state, figure, item)
        if held not in (names := _held(state, figure)):
            name = state.setting.figures[figure].name
            yield str(unknown(f"item in the hands of {name}", held, names))

    def result(self, state: State, figure: int, item: int, held: str) -> State:
        number, place = state.setting.item_numbers[held], state.figures[figure].place_in
        return _taken(state.change_item(number, holder=None, at_in=place), figure, item)


def _out_of_reach(state: State, figure: int, number: int) -> Iterator[str]:
    spec, item, at = (
        state.setting.figures[figure],
        state.setting.items[number],
        state.items[number].at_in,
    )
    if state.figures[figure].horse is not None:
        yield f"{spec.name} rides, and must dismount first"
    elif not spec.kind.hands:
        yield f"{spec.name} has no hands"
    elif at is None:
        yield f"{item.name} is not on the table"
    elif number not in items_touched(state, figure):
        far_in = dist(at, state.figures[figure].place_in)
        yield f"{item.name} lies {far_in:.2f} in from {spec.name}, out of reach"


def _taken(state: State, figure: int, item: int) -> State:
    """Return the state in which a figure has an item; a rider who has stayed may mount again."""
    state = state.change_item(item, holder=figure, at_in=None)
    if state.step is FigureStep.ON_FOOT:
        return state.replaced({"step": FigureStep.PICKED_UP})
    return finished(state, Deed.OTHER)


def can_take(state: State, figure: int) -> bool:
    """Whether a figure on foot can pick something up, or exchange it."""
    has_hands = state.setting.figures[figure].kind.hands > 0
    return has_hands and next(items_touched(state, figure), None) is not None


def _free_hands(state: State, figure: int) -> int:
    return state.setting.figures[figure].kind.hands - len(state.held.get(figure, ()))


def _held(state: State, figure: int) -> list[str]:
    return [state.setting.items[item].name for item in state.held.get(figure, ())]
