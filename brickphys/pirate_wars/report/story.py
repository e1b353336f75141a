"""Story: a battle that was played as sentences: the fleets, what each ship did and rolled, and who won."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from brickphys.pirate_wars.report.clauses import Clause, moves, results
from brickphys.pirate_wars.report.rolls import roll_clause
from brickphys.pirate_wars.state.ship import Fate
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.critical import CriticalRoll
from brickphys.pirate_wars.turns.initiative import InitiativeRoll
from brickphys.pirate_wars.turns.victory import positions, winners
from brickphys.rules.aims.aims import winner
from brickphys.rules.pending import PendingRoll
from brickphys.rules.record import Record, Step
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

PirateStep = Step[State, Action[State]]
PirateRecord = Record[State, Action[State]]


@dataclass(frozen=True)
class Beat(StepRun[State, Action[State]]):
    """A choice or a roll, and all that follows from it."""

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """What was rolled and how ships moved, step by step, and then what came of it."""
        found, short = list[Clause](), set[int]()
        for state, step in zip(self.states, self.steps, strict=False):
            if not isinstance(step.move, Action):
                found.append(roll_clause(state, step.move))
            found += moves(state, step.after)
            short.update(_short_handed(state, step))
        return (*found, *results(self.before, self.after, short))

    @property
    def text(self) -> str:
        """Its sentences, one in a line for each ship."""
        return "\n".join(_sentences(self.clauses))


def beats(record: PirateRecord) -> Iterator[Beat]:
    """Yield the beats of a battle; together they hold every step."""
    return (Beat(*run) for run in split_steps(record, _ends))


def story(record: PirateRecord) -> Iterator[str]:
    """Yield a battle as lines: the fleets, a heading for each round, and a line for each ship that acts."""
    yield from _fleets(record.initial, record.players)
    found = ((beat.before.round, beat.clauses) for beat in beats(record))
    for number, run in groupby(found, key=lambda entry: entry[0]):
        clauses = (clause for _, each in run for clause in each)
        yield from under_rounds((number, text) for text in _sentences(clauses))
    yield ""
    yield ending(record)


def step_text(before: State, step: PirateStep) -> str:
    """Return one step as sentences, in a line each; empty if it only leads to others, as writing an order does."""
    text = Beat(before, (step,)).text
    if step.after.winners is None:
        return text
    return f"{text}\nThe battle is over{_reason(step.after)}.".lstrip()


def ending(record: PirateRecord) -> str:
    """Return how a battle has ended: who has won, and by what."""
    final, setting = record.final, record.final.setting
    won = names_of_teams(setting.players, setting.teams, final.winners or ())
    return ending_text(record, final.round, won, _reason(final))


def _short_handed(before: State, step: PirateStep) -> Iterator[int]:
    """Yield the ships that lost sails for want of sailors at the end of the tasks, which a step led to (PW Sailing).

    A ship in a boarding, or that is scuttled, loses none so.
    """
    if before.phase is not Phase.TASKS:
        return
    if isinstance(step.move, Action):
        done = step.move.apply(before)
    else:
        roll = before.pending[0]
        assert isinstance(roll, PendingRoll)
        done = roll.settle(before.pop_pending(), step.move)
    for number, ship in done.afloat():
        now = step.after.ships[number]
        if now.sails < ship.sails and now.hull == ship.hull and not done.is_lashed(number):
            yield number


def _ends(before: State, after: State) -> bool:
    """Whether a beat ends: with a phase, where nothing is pending, or where another roll begins."""
    if (after.round, after.phase) != (before.round, before.phase):
        return True
    first = after.first_pending
    goes_on = isinstance(first, CriticalRoll | InitiativeRoll)
    return first is None or (isinstance(first, PendingRoll) and not goes_on)


def _sentences(clauses: Iterable[Clause]) -> Iterator[str]:
    """Yield clauses as sentences, those of one subject in a row as one."""
    for subject, run in groupby(clauses, key=lambda clause: clause.subject):
        yield turn_text(subject, (clause.text for clause in run))


def _fleets(state: State, bots: tuple[str, ...]) -> Iterator[str]:
    setting = state.setting
    for player, (name, bot) in enumerate(zip(setting.players, bots, strict=True)):
        ships = (
            f"{spoken(spec.name)} ({spec.sheet.title}, {counted(len(crew), 'minifig')})"
            for spec, crew in zip(setting.ships, setting.crews, strict=True)
            if spec.player == player
        )
        yield f"{spoken(name)} ({bot}): {', '.join(ships)}."


def _reason(state: State) -> str:
    """Return why a battle has ended as it did."""
    if winner(state.setting.aims, state.holding, positions(state)) is not None:
        return ": the aim is reached"
    if winners(state) is None:
        return ", by what is left of hulls, sails and crews"
    ends = ", ".join(_ends_of_losers(state))
    return f", as {'no enemy' if state.winners else 'nobody'} is left{ends and f': {ends}'}"


_ENDS = {
    Fate.SUNK: "sank",
    Fate.LEFT: "left the sea",
    Fate.FLED: "fled out of range",
    Fate.STRUCK: "struck its colours",
}


def _ends_of_losers(state: State) -> Iterator[str]:
    """Yield what became of each ship with which a team began that has not won."""
    for number, (spec, ship) in enumerate(zip(state.setting.ships, state.ships, strict=True)):
        if state.setting.teams[spec.player] in (state.winners or ()):
            continue
        if not ship.is_afloat:
            end = _ENDS[ship.fate]
        elif ship.owner != spec.player:
            end = "was taken"
        elif ship.is_abandoned:
            end = "was abandoned"
        else:
            end = "flees" if state.crews[number] else "has no crew left"
        yield f"{spoken(spec.name)} {end}"
