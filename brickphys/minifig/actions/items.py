"""Items: figures on foot pick up weapons and shields that lie there (MF Picking Up Weapons)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import dist
from typing import Self

from brickphys.errors import unknown
from brickphys.minifig.actions.taking import finished
from brickphys.minifig.actions.words import FigureAction
from brickphys.minifig.field.contact import items_touched
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.state import State, Step
from brickphys.rules.words import NAME, without_problems


class TakeItem(FigureAction):
    """Take something that lies within reach; a rider who has stayed may mount again after it."""

    __slots__ = ()

    steps = (Step.CHOSEN, Step.MOVED, Step.DISMOUNTED, Step.ON_FOOT)
    item: str

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why the figure cannot reach it."""
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
        """Take it into a hand."""
        item = state.setting.item_numbers[self.item]
        state = state.change_item(item, holder=figure, at_in=None)
        if state.step is Step.ON_FOOT:
            return state.replaced({"step": Step.PICKED_UP})
        return finished(state, Deed.OTHER)


@dataclass(frozen=True, slots=True)
class PickUp(TakeItem):
    """Pick something up with a free hand."""

    word = "pick_up"
    arguments = (NAME,)
    item: str

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield everything within reach if a hand is free."""
        items = items_touched(state, figure) if _free_hands(state, figure) else iter(())
        return without_problems(state, (cls(state.setting.items[item].name) for item in items))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why the figure cannot reach it, or has no hand free."""
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
        """Put one down where the figure stands, and take the other."""
        held, place = state.setting.item_numbers[self.held], state.figures[figure].place_in
        return TakeItem.act(self, state.change_item(held, holder=None, at_in=place), figure)


def can_take(state: State, figure: int) -> bool:
    """Whether a figure on foot can pick something up, or exchange it."""
    has_hands = state.setting.figures[figure].kind.hands > 0
    return has_hands and next(items_touched(state, figure), None) is not None


def _free_hands(state: State, figure: int) -> int:
    return state.setting.figures[figure].kind.hands - len(state.held.get(figure, ()))
