"""Story: a battle that was played as sentences, and the ways of its units as values for pictures.

The sentences tell the armies, what each unit did and rolled in its turns, and who won. The trajectories are where units
and vehicles went, whom they attacked, where they were lost, and the frames of a film.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from brickphys.bow.actions.at_rest import is_measuring
from brickphys.bow.actions.attack import AttackRoll
from brickphys.bow.actions.movement import Walk, is_enclosed
from brickphys.bow.scene import aim_areas
from brickphys.bow.sentences import action_clause, changes, roll_clause
from brickphys.bow.setting import UnitSpec, VehicleSpec
from brickphys.bow.sheets.library import cost_points
from brickphys.bow.sheets.rulebook import START_BRICKS
from brickphys.bow.state import NOBODY, State, VehicleState
from brickphys.bow.terrain import reachable
from brickphys.bow.turns import ChooseUnit, StartRoll
from brickphys.geometry.polygon import Point
from brickphys.rules.aims import is_time_up
from brickphys.rules.record import CHANCE, Record, Step
from brickphys.rules.report.story import Turn, ending_text, split_turns, turn_text, under_rounds
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, in_rounds, moves
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
    return turn_text(_name(turn), clauses(turn))


def _name(turn: BowTurn) -> str:
    return "" if turn.unit is None else spoken(turn.before.setting.units[turn.unit].name)


def step_text(before: State, step: BowStep) -> str:
    """Return one step as sentences, what came of it each in a line; empty if it only leads to others."""
    first, after = before.first_pending, step.after
    if isinstance(first, StartRoll):
        players = before.setting.players
        rolls = agreed(players[first.roller], "roll")
        told = f"{rolls} {step.text} of {START_BRICKS} for the start"
        begins = f"; {agreed(players[after.player], _BEGINS)}" if after.round else ""
        return f"{told}{begins} (BOW 2.2)."
    came = list(changes(before, after))
    turn = Turn(before, (step,), None if before.active == NOBODY else before.active)
    own = list(clauses(turn))
    own = own[: len(own) - len(came)]
    lines = [turn_text(_name(turn), own)] if own else []
    return "\n".join([*lines, *(f"{one}." for one in came)])


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
    if not after.round:
        return ""
    starter = after.setting.players[after.player]
    begins = agreed(starter, _BEGINS)
    return f"{START_BRICKS} bricks each for the start: {', '.join(rolled)}; {begins} (BOW 2.2)"


def _reason(state: State) -> str:
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


def trajectories(record: BowRecord) -> Trajectories[State]:
    """Return a battle as pictures show it."""
    result = ending(record)
    found = [part for turn in turns(record) for part in _parts(turn)]
    last = len(found) - 1
    frames = [_frame(turn, result if n == last else "") for n, turn in enumerate(found)]
    return Trajectories(
        names=record.initial.setting.players,
        colours=record.initial.setting.colours,
        played_by=record.players,
        ending=result,
        final=record.final,
        tracks=tracks(record),
        frames=tuple(frames or [Frame(record.initial, result, "")]),
        areas=aim_areas(record.setup),
    )


def tracks(record: BowRecord) -> tuple[Track, ...]:
    """Return the ways of all units, while they are on foot or in an open seat, and of all vehicles."""
    setting = record.initial.setting
    units = [_unit_track(record, unit) for unit in range(len(setting.units))]
    return (*units, *(_vehicle_track(record, number) for number in range(len(setting.vehicles))))


def kills(turn: BowTurn) -> Iterator[Kill]:
    """Yield who was killed or destroyed in a turn."""
    before, setting = turn.before, turn.before.setting
    for step in turn.steps:
        after = step.after
        for unit, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
            if old.plays and new.is_dead and not new.plays:
                entry = setting.units[unit]
                yield Kill(entry.name, entry.player, before.stance(unit)[:2])
        for number, (was, now) in enumerate(zip(before.vehicles, after.vehicles, strict=True)):
            spec = setting.vehicles[number]
            if now.gone and not was.gone and now.damage >= spec.sheet.health:
                yield Kill(spec.name, spec.player, was.centre_studs)
        before = after


def path(turn: BowTurn, unit: int) -> tuple[Point, ...]:
    """Return where the unit of a turn was, from place to place, stud by stud where it walked."""
    visits = _visits(turn.before, turn.steps, unit)
    return tuple(place for _, place in moves((number, place) for number, _, place in visits))


def attacks(turn: BowTurn, unit: int) -> Iterator[tuple[Point, Point]]:
    """Yield from where the unit of a turn attacked, and the place of what it attacked."""
    state = turn.before
    for step in turn.steps:
        first = state.first_pending
        if isinstance(first, AttackRoll) and step.actor == CHANCE:
            yield state.stance(unit)[:2], _middle(state, first.target)
        state = step.after


def _parts(turn: BowTurn) -> Iterator[BowTurn]:
    """Yield a turn action by action, each with what follows from it; choices without a sentence go with the next."""
    before, begun = turn.before, 0
    for count, step in enumerate(turn.steps, start=1):
        part = Turn(before, turn.steps[begun:count], turn.unit)
        is_done = not (step.after.menu or step.after.pending)
        if any(clauses(part)) and (is_done or count == len(turn.steps)):
            yield part
            before, begun = step.after, count
    if not begun:
        yield turn


def _frame(turn: BowTurn, end: str) -> Frame[State]:
    number, unit, lost = turn.before.round, turn.unit, tuple(kills(turn))
    heading = f"Round {number}" if number else "Before the first round"
    heading += f". {end}" * bool(end)
    return Frame(
        state=turn.after,
        heading=heading,
        text=sentence(turn),
        player=None if unit is None else turn.before.setting.units[unit].player,
        path=() if unit is None else path(turn, unit),
        attacks=() if unit is None else tuple(attacks(turn, unit)),
        kills=lost,
        round=number,
        rolled=any(step.actor == CHANCE for step in turn.steps),
    )


def _visits(
    state: State, steps: Sequence[BowStep], unit: int
) -> Iterator[tuple[int, State, Point]]:
    """Yield where a unit is while it is in play, stud by stud where it walks, each with round and state."""
    if state.units[unit].plays:
        yield state.round, state, state.stance(unit)[:2]
    for step in steps:
        number = state.round
        yield from ((number, state, place) for place in _walked(state, step, unit))
        state = step.after
        if state.units[unit].plays and not is_measuring(state):
            yield number, state, state.stance(unit)[:2]


def _walked(before: State, step: BowStep, unit: int) -> list[Point]:
    """Return the studs between the ends of a walk: one of the shortest ways."""
    stud = before.units[unit].stud
    if before.active != unit or stud is None or not isinstance(step.move, Walk):
        return []
    field, reach = before.setting.field, reachable(before.board, stud, before.me.sheet.move)
    return [field.stances[one][:2] for one in reach.path(field.stud(*step.move.to))[1:-1]]


def _middle(state: State, name: str) -> Point:
    thing = state.named(name)
    if isinstance(thing, VehicleState):
        return thing.centre_studs
    return state.stance(state.setting.unit_numbers[name])[:2]


def _unit_track(record: BowRecord, unit: int) -> Track:
    entry, initial = record.initial.setting.units[unit], record.initial
    places = moves(
        (number, place)
        for number, state, place in _visits(initial, record.steps, unit)
        if not is_enclosed(state, unit)
    )
    track = Track(
        entry.name, entry.player, False, places, begins_here=initial.units[unit].stud is not None
    )
    for begun, state in in_rounds(record, lambda state: state.round):
        if not state.units[unit].plays:
            end = "dies" if state.units[unit].is_dead else "leaves"
            return replace(track, end=end, end_round=begun)
    return track


def _vehicle_track(record: BowRecord, number: int) -> Track:
    spec = record.initial.setting.vehicles[number]
    places = moves(
        (begun, state.vehicles[number].centre_studs)
        for begun, state in in_rounds(record, lambda state: state.round)
        if not is_measuring(state) or state.vehicles[number].speed == 0  # it has stopped at a touch
    )
    track = Track(spec.name, spec.player, True, places)
    for begun, state in in_rounds(record, lambda state: state.round):
        now = state.vehicles[number]
        if now.gone:
            end = "is destroyed" if now.damage >= spec.sheet.health else "leaves"
            return replace(track, end=end, end_round=begun)
    return track
