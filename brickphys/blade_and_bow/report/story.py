"""Story: a battle that was played as sentences: the armies, what was done and rolled, and who won."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from brickphys.blade_and_bow.report.clauses import clauses
from brickphys.blade_and_bow.report.dice_text import BladeStep
from brickphys.blade_and_bow.state.pieces import Result
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.record import Ending, Record
from brickphys.rules.report.story import StepRun, ending_text, split_steps, under_rounds
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

NOBODY = -1
"""A viewer who belongs to neither army."""
BladeRecord = Record[State, Action[State]]


@dataclass(frozen=True)
class Deed(StepRun[State, Action[State]]):
    """What one unit does in its formation, a combat, or what comes between activations."""

    def clauses(self, viewer: int | None = None) -> Iterator[str]:
        """Yield what was rolled and what came of it, step by step, as a viewer may know it."""
        for before, step in zip(self.states, self.steps, strict=False):
            yield from clauses(before, step, viewer)

    def text(self, viewer: int | None = None) -> str:
        """Return all of it as a sentence; empty if there is nothing to tell."""
        told = "; ".join(self.clauses(viewer))
        return _sentence(told) if told else ""


def _sentence(told: str) -> str:
    return f"{told[0].upper()}{told[1:]}."


def deeds(record: BladeRecord) -> Iterator[Deed]:
    """Yield the deeds of a battle; together they hold every step."""
    return (Deed(*run) for run in split_steps(record, _ends))


def story(record: BladeRecord, viewer: int | None = None) -> Iterator[str]:
    """Yield a battle as lines: the armies, a heading for each turn, and a line for each deed.

    Without a viewer everything is told once the battle is over; before that, what nobody has to hide.
    """
    if viewer is None and record.ending is not Ending.OVER:
        viewer = NOBODY
    yield from _armies(record.initial, record.players)
    lines = ((deed.before.turn, deed.text(viewer)) for deed in deeds(record))
    yield from under_rounds(((turn, line) for turn, line in lines if line), "Turn")
    yield ""
    yield ending(record)


def step_text(before: State, step: BladeStep, viewer: int | None = None) -> str:
    """Return one step as sentences, in a line each; empty if it only leads to others."""
    lines = [_sentence(one) for one in clauses(before, step, viewer)]
    if (result := step.after.result) is not None:
        lines.append(_result(step.after, result))
    return "\n".join(lines)


def ending(record: BladeRecord) -> str:
    """Return how a battle has ended: who has won, how decisively, and why."""
    final = record.final
    if final.result is None:
        return ending_text(record, final.turn, [], "", "turn")
    return f"After {counted(final.turn, 'turn')}: {_result(final, final.result)}"


def _result(state: State, result: Result) -> str:
    """Return a result as a sentence."""
    why = f": {result.why}" if result.why else ""
    if result.winner is None:
        return f"a draw{why}."
    return f"{result.grade.value} victory of {state.player_name(result.winner)}{why}."


def _ends(before: State, after: State) -> bool:
    """Whether a deed ends: a unit has acted, an activation or a phase is over, or nothing is under way."""
    was, now = before.activation, after.activation
    if before.phase is not after.phase or (was is not None and now is None):
        return True
    if after.combat is not None or after.pending:
        return False
    return now is None or was is None or was.waiting != now.waiting


def _armies(state: State, bots: tuple[str, ...]) -> Iterator[str]:
    """Yield the units and the leaders of each player."""
    setting = state.setting
    for player, (name, bot) in enumerate(zip(setting.players, bots, strict=True)):
        kinds = Counter(unit.counter.name for unit in setting.units if unit.player == player)
        units = ", ".join(f"{count} {spoken(kind)}" for kind, count in kinds.items())
        leaders = ", ".join(spoken(one.name) for one in setting.leaders if one.player == player)
        yield f"{spoken(name)} ({bot}): {'; '.join(filter(None, (units, leaders)))}."
