"""Story: a battle that was played as sentences, and the ways of its ships as values for pictures.

The sentences tell the fleets, what each ship did and rolled, and who won. The trajectories are the wakes of ships, what
they fired at, where they were lost, and the frames of a film.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from brickphys.geometry.polygon import Point
from brickphys.pirate_wars import sentences
from brickphys.pirate_wars.damage import CriticalRoll
from brickphys.pirate_wars.firing import Fire, GunRoll, MusketRoll, cannon
from brickphys.pirate_wars.orders import bore, strike
from brickphys.pirate_wars.state import Phase, State
from brickphys.pirate_wars.status import circle_aims
from brickphys.pirate_wars.turns import InitiativeRoll, positions, winners
from brickphys.rules.aims import winner
from brickphys.rules.record import CHANCE, Record, Step
from brickphys.rules.report.story import (
    StepRun,
    ending_text,
    names_of_teams,
    split_steps,
    turn_text,
    under_rounds,
)
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, in_rounds, moves
from brickphys.rules.turn_state import PendingRoll
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

PirateStep = Step[State, Action[State]]
PirateRecord = Record[State, Action[State]]


@dataclass(frozen=True)
class Beat(StepRun[State, Action[State]]):
    """A choice or a roll, and all that follows from it."""

    @cached_property
    def clauses(self) -> tuple[sentences.Clause, ...]:
        """What was rolled and how ships moved, step by step, and then what came of it."""
        found, short = list[sentences.Clause](), set[int]()
        for state, step in zip(self.states, self.steps, strict=False):
            if not isinstance(step.move, Action):
                found.append(sentences.roll_clause(state, step.move))
            found += sentences.ship_moves(state, step)
            short.update(short_handed(state, step))
        return (*found, *sentences.results(self.before, self.after, short))

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


def short_handed(before: State, step: PirateStep) -> Iterator[int]:
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
    for number, ship in done.afloat:
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


def _sentences(clauses: Iterable[sentences.Clause]) -> Iterator[str]:
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
    if winner(state.setting.aims, state.holding, positions(state)) is not None:
        return ": the aim is reached"
    if winners(state) is None:
        return ", by what is left of hulls, sails and crews"
    ends = ", ".join(_ends_of_losers(state))
    return f", as {'no enemy' if state.winners else 'nobody'} is left{ends and f': {ends}'}"


def _ends_of_losers(state: State) -> Iterator[str]:
    """Yield what became of each ship with which a team began that has not won."""
    for number, (spec, ship) in enumerate(zip(state.setting.ships, state.ships, strict=True)):
        if state.setting.teams[spec.player] in (state.winners or ()):
            continue
        end = "flees" if state.crews[number] else "has no crew left"
        if not ship.is_afloat:
            end = sentences.ENDS[ship.fate].past
        elif ship.owner != spec.player:
            end = "was taken"
        elif ship.is_abandoned:
            end = "was abandoned"
        yield f"{spoken(spec.name)} {end}"


def trajectories(record: PirateRecord) -> Trajectories[State]:
    """Return a battle as pictures show it."""
    setting, result = record.initial.setting, ending(record)
    found = list(beats(record))
    shown = [beat for beat in found if beat.clauses or beat is found[-1]]
    frames = [
        _frame(beat, list(_since(record, beat)), result if beat is shown[-1] else "")
        for beat in shown
    ]
    return Trajectories(
        names=setting.players,
        colours=setting.colours,
        played_by=record.players,
        ending=result,
        final=record.final,
        tracks=tuple(_track(record, number) for number in range(len(setting.ships))),
        frames=tuple(frames or [Frame(record.initial, result, "")]),
        areas=circle_aims(setting).areas(),
    )


def kills(beat: Beat) -> Iterator[Kill]:
    """Yield the ships that were lost, and who was eaten by sharks."""
    before, after = beat.before, beat.after
    for number, was in before.afloat:
        if not after.ships[number].is_afloat:
            yield Kill(before.ship_name(number), was.owner, after.ships[number].centre_studs)
    for number in before.swimmers():
        spec, at = before.setting.minifigs[number], before.minifigs[number].at_studs
        if at is not None and not after.minifigs[number].is_alive:
            yield Kill(spec.name, spec.player, at)


def shots(beat: Beat) -> Iterator[tuple[Point, Point, bool]]:
    """Yield from where to where guns, muskets and pistols fired, and whether they hit."""
    for before, step in zip(beat.states, beat.steps, strict=False):
        roll = before.first_pending
        if step.actor == CHANCE and isinstance(roll, GunRoll | MusketRoll):
            hits = int(step.move[0]) > 0  # type: ignore[index]
            if isinstance(roll, GunRoll):
                yield (*flight(before, roll), hits)
            else:
                ship = before.minifigs[roll.minifig].ship
                assert ship is not None
                yield before.ships[ship].centre_studs, before.ships[roll.target].centre_studs, hits
        for order in before.orders:
            if order.task == Fire.word:
                shot = GunRoll(**order.given)
                if sentences.fires_in_vain(before, step.after, shot.ship, shot.gun):
                    yield (*flight(before, shot), False)


def flight(state: State, shot: GunRoll) -> tuple[Point, Point]:
    """Return from where to where a gun fires: to the first hull on its bore, or as far as it reaches."""
    reach = cannon(state, shot.ship, shot.gun, shot.ammunition).range_studs
    aim = strike(state, shot.ship, shot.gun, reach)
    studs = reach if aim is None else aim.distance_studs
    (x, y), (ahead, up) = bore(state, shot.ship, shot.gun)
    return (x, y), (x + studs * ahead, y + studs * up)


def _since(record: PirateRecord, beat: Beat) -> Iterator[State]:
    """Yield the states of the round up to the end of a beat."""
    for state in record.states:
        if state.round == beat.before.round:
            yield state
        if state is beat.after:
            return


def _frame(beat: Beat, round_states: Sequence[State], end: str) -> Frame[State]:
    heading = f"Round {beat.before.round}" + f". {end}" * bool(end)
    player, path = _moved(beat, round_states)
    found = list(shots(beat))
    return Frame(
        beat.after,
        heading,
        beat.text,
        _shooter(beat) if player is None else player,
        path,
        attacks=tuple((start, stop) for start, stop, _ in found),
        impacts=tuple((stop, hits) for _, stop, hits in found),
        kills=tuple(kills(beat)),
        round=beat.before.round,
        rolled=any(step.actor == CHANCE for step in beat.steps),
    )


def _shooter(beat: Beat) -> int | None:
    """Return the player of the first gun or minifig that something is rolled for; None if there is none."""
    for state in beat.states:
        roll = state.first_pending
        if isinstance(roll, GunRoll):
            return state.ships[roll.ship].owner
        if isinstance(roll, MusketRoll):
            return state.commander(roll.minifig)
    return None


def _moved(beat: Beat, round_states: Sequence[State]) -> tuple[int | None, tuple[Point, ...]]:
    """Return the player of the first ship that moved, with its wake in the round; None where none did."""
    for number, spec in enumerate(beat.before.setting.ships):
        was, now = (state.ships[number] for state in (beat.before, beat.after))
        if was.pose != now.pose:
            ways = moves(
                (0, sentences.rudder(spec.sheet, state.ships[number])) for state in round_states
            )
            return was.owner, tuple(place for _, place in ways)
    return None, ()


def _track(record: PirateRecord, number: int) -> Track:
    """Return the wake of a ship, with its hull at the end of each turn."""
    spec = record.initial.setting.ships[number]
    places, outlines = list[tuple[int, Point]](), dict[int, tuple[Point, ...]]()
    end, end_round = "", 0
    for begun, state in in_rounds(record, lambda state: state.round):
        ship = state.ships[number]
        if not ship.is_afloat:
            end, end_round = sentences.ENDS[ship.fate].track, begun
            break
        number_of_round = begun if places else 0
        places.append((number_of_round, sentences.rudder(spec.sheet, ship)))
        hull = state.prism(number).footprint.vertices_studs.tolist()
        outlines[number_of_round] = tuple((x, y) for x, y in hull)
    hulls, way = tuple(outlines.items()), moves(places)
    return Track(spec.name, spec.player, True, way, end=end, end_round=end_round, outlines=hulls)
