"""Story: a battle that was played as sentences: the armies, what each unit did and rolled in its turns, and who won."""

from collections.abc import Iterator, Sequence

from brickphys.bow.report.sentences import action_clause, changes, roll_clause
from brickphys.bow.sheets.cost import cost_points
from brickphys.bow.state.setting import UnitSpec, VehicleSpec
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.rounds import START_BRICKS, ChooseUnit, StartRoll
from brickphys.rules.aims.aims import is_time_up
from brickphys.rules.record import Record, Step
from brickphys.rules.report.story import Turn, ending_text, split_turns, turn_text, under_rounds
from brickphys.rules.words import Action
from brickphys.text import agreed, spoken

BowStep = Step[State, Action[State]]
BowRecord = Record[State, Action[State]]
BowTurn = Turn[State, Action[State]]
_BEGINS = "begin with the highest score"


def turns(record: BowRecord) -> Iterator[BowTurn]:
    """Yield the turns of a battle: the rolls for the start first."""
    numbers = record.initial.setting.unit_numbers

    def chosen(step: BowStep) -> int | None:
        return numbers[step.move.name] if isinstance(step.move, ChooseUnit) else None

    active = record.initial.active
    return split_turns(record, chosen, None if active == NOBODY else active)


def story(record: BowRecord) -> Iterator[str]:
    """Yield a battle as lines: a heading for each round, and below it a line for each turn."""
    yield from _sides(record)
    yield from under_rounds((turn.before.round, sentence(turn)) for turn in turns(record))
    yield ""
    yield ending(record)


def sentence(turn: BowTurn) -> str:
    """Return a turn as a sentence."""
    name = "" if turn.unit is None else spoken(turn.before.setting.units[turn.unit].name)
    return turn_text(name, clauses(turn))


def step_text(before: State, step: BowStep) -> str:
    """Return one step as sentences, what came of it each in a line; empty if it only leads to others."""
    first, after = before.first_pending, step.after
    if isinstance(first, StartRoll):
        players = before.setting.players
        told = (
            f"{agreed(players[first.roller], 'roll')} {step.text} of {START_BRICKS} for the start"
        )
        begins = f"; {agreed(players[after.player], _BEGINS)}" if after.round else ""
        return f"{told}{begins} (BOW 2.2)."
    came = list(changes(before, after))
    turn = Turn(before, (step,), None if before.active == NOBODY else before.active)
    own = list(clauses(turn))
    own = own[: len(own) - len(came)]
    name = "" if turn.unit is None else spoken(before.setting.units[turn.unit].name)
    return "\n".join([*([turn_text(name, own)] if own else []), *(f"{one}." for one in came)])


def ending(record: BowRecord) -> str:
    """Return how a battle has ended: who has won, and by what."""
    final = record.final
    pairs = zip(final.setting.players, final.setting.teams, strict=True)
    winners = [name for name, team in pairs if team == final.result]
    return ending_text(record, final.round, winners, _reason(final))


def clauses(turn: BowTurn) -> Iterator[str]:
    """Yield what happened in a turn, one thing after the other."""
    state, starts = turn.before, list[str]()
    for step in turn.steps:
        first = state.first_pending
        if isinstance(step.move, Action):
            clause = action_clause(state, step.move)
        elif isinstance(first, StartRoll):
            starts.append(f"{state.setting.players[first.roller]} {step.text}")
            clause = _start(starts, step.after)
        else:
            clause = roll_clause(state, step.move)
        if clause:
            yield clause
        yield from changes(state, step.after)
        state = step.after


def _sides(record: BowRecord) -> Iterator[str]:
    setting = record.initial.setting
    for player, (name, bot) in enumerate(zip(setting.players, record.players, strict=True)):
        everything: tuple[UnitSpec | VehicleSpec, ...] = (*setting.units, *setting.vehicles)
        own = [thing for thing in everything if thing.player == player]
        points = sum(cost_points(thing.sheet) for thing in own)
        names = ", ".join(spoken(thing.name) for thing in own)
        yield f"{name} ({bot}), {points} cost points: {names}."


def _start(rolled: Sequence[str], after: State) -> str:
    """Return who begins; empty while that is not known."""
    if not after.round:
        return ""
    starter = after.setting.players[after.player]
    begins = agreed(starter, _BEGINS)
    return f"{START_BRICKS} bricks each for the start: {', '.join(rolled)}; {begins} (BOW 2.2)"


def _reason(state: State) -> str:
    """Return why a battle has ended as it did."""
    setting = state.setting
    teams = {setting.team(unit) for unit, _ in state.in_play()}
    if not teams:
        return ": nobody is left"
    if len(teams) == 1:
        return ": no enemy is left"
    if is_time_up(setting.aims, state.round):
        pairs = zip(setting.players, state.destroyed, strict=True)
        points = ", ".join(f"{name} {destroyed}" for name, destroyed in pairs)
        return f", by the cost points destroyed: {points} (BOW A.4)"
    return ": the aim is reached"
