"""Story: a battle that was played as sentences: who fought, turn by turn what they did and rolled, and who won."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from brickphys.bow.action import Action
from brickphys.bow.clauses import action_clause, changes, roll_clause, spoken
from brickphys.bow.cost import cost_points
from brickphys.bow.rounds import START_BRICKS, ChooseUnit, StartRoll
from brickphys.bow.state import NOBODY, State
from brickphys.bow.victory import Rounds, destroyed_points
from brickphys.rules.play import Ending, Record, Step


def story(record: Record[State, Action]) -> Iterator[str]:
    """Yield a battle as lines: a heading for each round, and below it a line for each turn."""
    yield from _sides(record)
    turn = _Turn()
    before = record.initial
    for step in record.steps:
        if isinstance(step.move, ChooseUnit):
            yield from turn.told()
            turn = _Turn(spoken(step.move.name))
        turn.add(before, step)
        if step.after.round > before.round:
            yield from turn.told()
            turn = _Turn()
            yield ""
            yield f"Round {step.after.round}"
        before = step.after
    yield from turn.told()
    yield ""
    yield _end(record)


def _sides(record: Record[State, Action]) -> Iterator[str]:
    setting = record.initial.setting
    for player, (name, bot) in enumerate(zip(setting.players, record.players, strict=True)):
        own = [unit for unit in setting.units if unit.player == player]
        parked = [vehicle for vehicle in setting.vehicles if vehicle.player == player]
        points = sum(cost_points(thing.sheet) for thing in (*own, *parked))
        names = ", ".join(spoken(thing.name) for thing in (*own, *parked))
        yield f"{name} ({bot}), {points} cost points: {names}."


@dataclass
class _Turn:
    """What has happened in a turn so far, in clauses; `unit` is empty where it is nobody's."""

    unit: str = ""
    clauses: list[str] = field(default_factory=list)
    starts: list[str] = field(default_factory=list)

    def add(self, before: State, step: Step[State, Action]) -> None:
        """Add what a step tells."""
        if isinstance(step.move, Action):
            clause = action_clause(before, step.move)
        else:
            first = before.pending[0]
            if isinstance(first, StartRoll):
                self._add_start(before, first, step)
                return
            clause = roll_clause(before, step.move)
        self.clauses += [clause] if clause else []
        self.clauses += changes(before, step.after)

    def told(self) -> Iterator[str]:
        """Yield the turn as a line."""
        if self.unit:
            yield f"  {self.unit}: {'; '.join(self.clauses) or 'waits'}."
        elif self.clauses:
            yield f"  {'; '.join(self.clauses)}."

    def _add_start(self, before: State, roll: StartRoll, step: Step[State, Action]) -> None:
        player = roll.contenders[len(roll.scores)]
        self.starts.append(f"{before.setting.players[player]} {step.text}")
        if step.after.round:
            starter = before.setting.players[step.after.player]
            rolled = ", ".join(self.starts)
            self.clauses.append(
                f"{START_BRICKS} bricks each for the start: {rolled}; {starter} begins (BOW 2.2)"
            )


def _end(record: Record[State, Action]) -> str:
    final = record.final
    if record.ending is not Ending.OVER or final.result is None:
        return f"The battle was broken off in round {final.round} ({record.ending.value})."
    setting = final.setting
    if final.result == NOBODY:
        return f"After {_rounds(final)} nobody has won{_reason(final)}."
    pairs = zip(setting.players, setting.teams, strict=True)
    winners = [name for name, team in pairs if team == final.result]
    verb = "wins" if len(winners) == 1 else "win"
    return f"After {_rounds(final)} {' and '.join(winners)} {verb}{_reason(final)}."


def _rounds(state: State) -> str:
    return f"{state.round} round{'' if state.round == 1 else 's'}"


def _reason(state: State) -> str:
    """Return why a battle has ended as it did."""
    setting = state.setting
    teams = {setting.team(unit) for unit, _ in state.in_play()}
    if not teams:
        return ": nobody is left"
    if len(teams) == 1:
        return ": no enemy is left"
    if any(isinstance(aim, Rounds) and state.round >= aim.rounds for aim in setting.aims):
        pairs = zip(setting.players, setting.teams, strict=True)
        destroyed = destroyed_points(state)
        points = ", ".join(f"{name} {destroyed[team]}" for name, team in pairs)
        return f", by the cost points destroyed: {points} (BOW A.4)"
    return ": the aim is reached"
