"""Taking: choosing a figure, ending its actions, and ending the movement of a side (MF Rules)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.errors import unknown
from brickphys.minifig.actions.words import FigureAction
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.state import State, Step
from brickphys.rules.words import NAME, Action, Unconditional


@dataclass(frozen=True, slots=True)
class Take(Action[State]):
    """Take a figure: it acts next."""

    word = "take"
    arguments = (NAME,)
    chooses = "a figure"
    figure: str

    @classmethod
    def not_now(cls, state: State) -> str:
        """Return that another figure acts, or none."""
        if state.active is None:
            return "take works only while your side moves"
        return f"{_done_first(state, state.active)}, then take the next figure"

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield the player's living figures that have done nothing in this round."""
        figures = state.setting.figures
        return (cls(figures[number].name) for number in state.ready(state.player))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it does not act."""
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
        """Wait for what it does."""
        number = state.setting.figure_numbers[self.figure]
        return state.replaced({"active": number, "step": Step.CHOSEN})


_STAYED_OR_MOVED = (Step.CHOSEN, Step.MOVED)


@dataclass(frozen=True, slots=True)
class Done(FigureAction):
    """The figure does nothing more; one that has only moved or stayed attacks who it touches (MF Rules)."""

    word = "done"
    steps = tuple(Step)

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield the only action of this type."""
        yield cls()

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield nothing: it is always legal."""
        return iter(())

    def act(self, state: State, figure: int) -> State:
        """End its round."""
        return finished(state, Deed.MOVED if state.step in _STAYED_OR_MOVED else Deed.OTHER)


@dataclass(frozen=True, slots=True)
class End(Unconditional[State]):
    """The player's other figures stay as they are; they attack who they touch (MF Resolving Combat)."""

    word = "end"

    @classmethod
    def not_now(cls, state: State) -> str:
        """Return that a figure acts, or that no side moves."""
        if state.active is None:
            return "end ends the movement of a side, which is already over"
        return f"{_done_first(state, state.active)}, then end ends the movement of its side"

    def apply(self, state: State) -> State:
        """End their round."""
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
    return state.replaced({"active": None, "step": Step.CHOSEN})
