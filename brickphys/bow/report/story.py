"""Story: a battle that was played as sentences: who fought, turn by turn what they did and rolled, and who won."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brickphys.bow.report.sentences import action_clause, changes, roll_clause
from brickphys.bow.sheets.cost import cost_points
from brickphys.bow.state.setting import UnitSpec, VehicleSpec
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.rounds import START_BRICKS, ChooseUnit, StartRoll
from brickphys.bow.turns.victory import destroyed_points
from brickphys.rules.aims import is_time_up
from brickphys.rules.record import Ending, Record, Step
from brickphys.rules.words import Action
from brickphys.text import agreed, counted, spoken


@dataclass(frozen=True)
class Turn:
    """What happened while one unit was to act, or before any was.

    Attributes
    ----------
    unit
        Its number; `NOBODY` for the rolls for the start.
    before
        The state in which it began.
    steps
        Everything in it, chance included.
    """

    unit: int
    before: State
    steps: tuple[Step[State, Action[State]], ...]

    @property
    def after(self) -> State:
        """The state in which it ended."""
        return self.steps[-1].after

    @property
    def text(self) -> str:
        """The turn as a sentence."""
        told = "; ".join(self.clauses())
        if self.unit == NOBODY:
            return f"{told}."
        return f"{spoken(self.before.setting.units[self.unit].name)}: {told or 'waits'}."

    def clauses(self) -> Iterator[str]:
        """Yield what happened in it, one thing after the other."""
        state, starts = self.before, list[str]()
        for step in self.steps:
            first = state.pending[0] if state.pending else None
            if isinstance(step.move, Action):
                clause = action_clause(state, step.move)
            elif isinstance(first, StartRoll):
                player = first.contenders[len(first.scores)]
                starts.append(f"{state.setting.players[player]} {step.text}")
                clause = _start(starts, step.after)
            else:
                clause = roll_clause(state, step.move)
            if clause:
                yield clause
            yield from changes(state, step.after)
            state = step.after


def turns(record: Record[State, Action[State]]) -> Iterator[Turn]:
    """Yield the turns of a battle: the rolls for the start first."""
    unit, before, steps = NOBODY, record.initial, list[Step[State, Action[State]]]()
    for step in record.steps:
        if isinstance(step.move, ChooseUnit):
            if steps:
                yield Turn(unit, before, tuple(steps))
                before, steps = steps[-1].after, []
            unit = record.initial.setting.unit_numbers[step.move.name]
        steps.append(step)
    if steps:
        yield Turn(unit, before, tuple(steps))


def story(record: Record[State, Action[State]]) -> Iterator[str]:
    """Yield a battle as lines: a heading for each round, and below it a line for each turn."""
    yield from _sides(record)
    number = 0
    for turn in turns(record):
        if turn.before.round > number:
            number = turn.before.round
            yield ""
            yield f"Round {number}"
        yield f"  {turn.text}"
    yield ""
    yield ending(record)


def step_text(before: State, step: Step[State, Action[State]]) -> str:
    """Return one step as a sentence; empty where it only leads to others."""
    first = before.pending[0] if before.pending else None
    if isinstance(first, StartRoll):
        player = before.setting.players[first.contenders[len(first.scores)]]
        return f"{agreed(player, 'roll')} {step.text} of {START_BRICKS} for the start (BOW 2.2)."
    turn = Turn(before.active, before, (step,))
    return turn.text if any(turn.clauses()) else ""


def _sides(record: Record[State, Action[State]]) -> Iterator[str]:
    setting = record.initial.setting
    for player, (name, bot) in enumerate(zip(setting.players, record.players, strict=True)):
        everything: tuple[UnitSpec | VehicleSpec, ...] = (*setting.units, *setting.vehicles)
        own = [thing for thing in everything if thing.player == player]
        points = sum(cost_points(thing.sheet) for thing in own)
        names = ", ".join(spoken(thing.name) for thing in own)
        yield f"{name} ({bot}), {points} cost points: {names}."


def _start(rolled: Sequence[str], after: State) -> str:
    """Return who begins, once that is known."""
    if not after.round:
        return ""
    starter = after.setting.players[after.player]
    return f"{START_BRICKS} bricks each for the start: {', '.join(rolled)}; {agreed(starter, 'begin')} (BOW 2.2)"


def ending(record: Record[State, Action[State]]) -> str:
    """Return how a battle has ended: who has won, and by what."""
    final = record.final
    if record.ending is not Ending.OVER or final.result is None:
        return f"The battle was broken off in round {final.round} ({record.ending.value})."
    setting = final.setting
    if final.result == NOBODY:
        return f"After {counted(final.round, 'round')} nobody has won{_reason(final)}."
    pairs = zip(setting.players, setting.teams, strict=True)
    winners = [name for name, team in pairs if team == final.result]
    won = agreed(winners[0], "win") if len(winners) == 1 else f"{' and '.join(winners)} win"
    return f"After {counted(final.round, 'round')} {won}{_reason(final)}."


def _reason(state: State) -> str:
    """Return why a battle has ended as it did."""
    setting = state.setting
    teams = {setting.team(unit) for unit, _ in state.in_play()}
    if not teams:
        return ": nobody is left"
    if len(teams) == 1:
        return ": no enemy is left"
    if is_time_up(setting.aims, state.round):
        pairs = zip(setting.players, setting.teams, strict=True)
        destroyed = destroyed_points(state)
        points = ", ".join(f"{name} {destroyed[team]}" for name, team in pairs)
        return f", by the cost points destroyed: {points} (BOW A.4)"
    return ": the aim is reached"
