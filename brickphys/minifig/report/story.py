"""Story: a battle that was played as sentences: the armies, what each figure did and rolled, and who won."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from brickphys.minifig.report.clauses import figure_name, results
from brickphys.minifig.report.status_text import arms_text
from brickphys.minifig.state.state import Phase, State
from brickphys.minifig.turns.victory import last_team, positions
from brickphys.rules.aims.aims import winner
from brickphys.rules.record import Record, Step
from brickphys.rules.report.story import ending_text, turn_text, under_rounds
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

MinifigStep = Step[State, Action[State]]
MinifigRecord = Record[State, Action[State]]


@dataclass(frozen=True)
class Beat:
    """Steps that belong together: all that a figure does in its turn, an attack, or the roll for the order."""

    before: State
    steps: tuple[MinifigStep, ...]  # the steps, chance included

    @property
    def after(self) -> State:
        """The state in which they ended."""
        return self.steps[-1].after

    @property
    def states(self) -> tuple[State, ...]:
        """Every state, from the first to the last."""
        return (self.before, *(step.after for step in self.steps))

    @property
    def actor(self) -> int | None:
        """The number of the figure that acts; None in the roll for the order, and where none is taken."""
        return next(filter(lambda one: one is not None, map(_actor, self.states)), None)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """What was rolled and what came of it, step by step."""
        pairs = zip(self.states, self.steps, strict=False)
        return tuple(text for before, step in pairs for text in clauses(before, step))

    @property
    def text(self) -> str:
        """All of it as a sentence; empty if there is nothing to tell."""
        if self.actor is None:
            return turn_text("", self.clauses) if self.clauses else ""
        return turn_text(figure_name(self.before, self.actor), self.clauses or ["stays"])
