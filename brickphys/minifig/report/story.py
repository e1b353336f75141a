"""Story: a battle that was played as sentences: the armies, what each figure did and rolled, and who won."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from brickphys.minifig.actions.melee import MeleeRoll
from brickphys.minifig.actions.missile_rolls import ShotRoll
from brickphys.minifig.actions.moving import Go
from brickphys.minifig.actions.taking import Done
from brickphys.minifig.report.clauses import MinifigStep, fates, figure_name, results
from brickphys.minifig.report.rolls import roll_clause
from brickphys.minifig.report.status_text import arms_text
from brickphys.minifig.sheets.bricks import MOUNTED
from brickphys.minifig.state.state import State
from brickphys.minifig.state.state import Step as Stage
from brickphys.minifig.turns.victory import last_team, positions
from brickphys.rules.aims.aims import winner
from brickphys.rules.record import Record
from brickphys.rules.report.story import (
    StepRun,
    ending_text,
    names_of_teams,
    split_steps,
    turn_text,
    under_rounds,
)
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

MinifigRecord = Record[State, Action[State]]
_STAYS = "stays"


@dataclass(frozen=True)
class Beat(StepRun[State, Action[State]]):
    """All that a figure does in its turn, an attack, or the roll for the order."""

    @property
    def actor(self) -> int | None:
        """The number of the figure that acts; None in the roll for the order, and where none is taken."""
        found = map(_actor, self.states[:-1])
        return next((actor for actor in found if actor is not None), None)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """What was rolled and what came of it, step by step."""
        pairs = zip(self.states, self.steps, strict=False)
        return tuple(text for before, step in pairs for text in clauses(before, step))

    @property
    def has_acted(self) -> bool:
        """Whether a figure did something other than stay."""
        return self.actor is not None and bool(self.clauses)

    @property
    def text(self) -> str:
        """All of it as a sentence; empty if there is nothing to tell."""
        stays = self.actor is not None and self.after.active is None
        told = self.clauses or ((_STAYS,) if stays else ())
        return self.sentence(told) if told else ""

    def sentence(self, told: Sequence[str]) -> str:
        """Return clauses as a sentence about who acts."""
        if self.actor is not None:
            return turn_text(figure_name(self.before, self.actor), told)
        return turn_text("" if self.before.order else "order", told)


def beats(record: MinifigRecord) -> Iterator[Beat]:
    """Yield the beats of a battle; together they hold every step."""
    return (Beat(*run) for run in split_steps(record, _ends))


def clauses(before: State, step: MinifigStep) -> Iterator[str]:
    """Yield what was rolled in a step, and what came of it."""
    if not isinstance(step.move, Action):
        yield roll_clause(before, step.move)
    yield from results(before, step)


def story(record: MinifigRecord) -> Iterator[str]:
    """Yield a battle as lines: the armies, a heading for each round, and a line for each figure that acts."""
    yield from _armies(record.initial, record.players)
    yield from under_rounds((beat.before.round, beat.text) for beat in beats(record) if beat.text)
    yield ""
    yield ending(record)


def step_text(before: State, step: MinifigStep) -> str:
    """Return one step as sentences, what came of it for others each in a line; empty if it only leads to others.

    So does the choice of a figure.
    """
    beat, others = Beat(before, (step,)), list(fates(before, step.after))
    own = beat.clauses[: len(beat.clauses) - len(others)]
    is_done = isinstance(step.move, Done) and before.step is Stage.CHOSEN
    if not beat.clauses and (is_done or isinstance(step.move, Go)):
        own = (_STAYS,)
    lines = [beat.sentence(own)] if own else []
    lines += [f"{one}." for one in others]
    if step.after.winners is not None:
        lines.append(f"The battle is over{_reason(step.after)}.")
    return "\n".join(lines)


def ending(record: MinifigRecord) -> str:
    """Return how a battle has ended: who has won, and by what."""
    final, setting = record.final, record.final.setting
    won = names_of_teams(setting.players, setting.teams, final.winners or ())
    return ending_text(record, final.round, won, _reason(final))


def _actor(state: State) -> int | None:
    """Return the figure that acts in a state; None if none does."""
    first = state.first_pending
    if isinstance(first, MeleeRoll):
        return first.attacker
    return first.shooter if isinstance(first, ShotRoll) else state.active


def _ends(before: State, after: State) -> bool:
    """Whether a beat ends: with an attack, a figure's turn, a player's turn, or the order of the round."""
    if isinstance(before.first_pending, MeleeRoll):
        return True
    was, now = ((one.round, one.order, one.turn, one.phase) for one in (before, after))
    return was != now or (after.active is None and after.first_pending is None)


def _armies(state: State, bots: tuple[str, ...]) -> Iterator[str]:
    """Yield the figures of each player, those with the same arms together, and whether they ride."""
    setting = state.setting
    for player, (name, bot) in enumerate(zip(setting.players, bots, strict=True)):
        mine = (number for number, one in enumerate(setting.figures) if one.player == player)
        groups = Counter((_kind(state, number), arms_text(state, number)) for number in mine)
        figures = (
            f"{counted(count, kind)} ({arms})" if arms else counted(count, kind)
            for (kind, arms), count in groups.items()
        )
        yield f"{spoken(name)} ({bot}): {', '.join(figures)}."


def _kind(state: State, number: int) -> str:
    """Return the kind of a figure, ``mounted soldier`` if it rides."""
    kind = state.setting.figures[number].kind.name
    return kind if state.figures[number].horse is None else f"{MOUNTED} {kind}"


def _reason(state: State) -> str:
    """Return why a battle has ended as it did."""
    if winner(state.setting.aims, state.holding, positions(state)) is not None:
        return ": the aim is reached"
    if last_team(state) is None:
        return ", by the share of figures left"
    return ": no enemy is left" if state.winners else ": nobody is left"
