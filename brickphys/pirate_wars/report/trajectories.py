"""Trajectories: the wakes of ships, what they fired at, and where they were lost."""

from collections.abc import Iterator, Sequence

from brickphys.geometry.polygon import Point
from brickphys.pirate_wars.report.aims import circle_aims
from brickphys.pirate_wars.report.story import Beat, PirateRecord, beats, ending
from brickphys.pirate_wars.report.wake import rudder
from brickphys.pirate_wars.state.crew import Order, Task
from brickphys.pirate_wars.state.ship import Fate
from brickphys.pirate_wars.state.state import State
from brickphys.pirate_wars.tasks.firing import GunRoll, MusketRoll, cannon
from brickphys.pirate_wars.tasks.gunnery import bore, strike
from brickphys.rules.record import CHANCE
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, in_rounds, moves

_ENDS = {Fate.SUNK: "sinks", Fate.LEFT: "leaves", Fate.FLED: "flees", Fate.STRUCK: "strikes"}


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
    before, setting = beat.before, beat.before.setting
    for spec, was, now in zip(setting.ships, before.ships, beat.after.ships, strict=True):
        if was.is_afloat and not now.is_afloat:
            yield Kill(spec.name, was.owner, now.centre_studs)
    for minifig, old, new in zip(
        setting.minifigs, before.minifigs, beat.after.minifigs, strict=True
    ):
        if old.at_studs is not None and not new.is_alive:
            yield Kill(minifig.name, minifig.player, old.at_studs)


def shots(beat: Beat) -> Iterator[tuple[Point, Point, bool]]:
    """Yield from where to where guns, muskets and pistols fired, and whether they hit."""
    for before, step in zip(beat.states, beat.steps, strict=False):
        roll = before.first_pending
        if step.actor == CHANCE and isinstance(roll, GunRoll | MusketRoll):
            hits = int(step.move[0]) > 0  # type: ignore[index]
            if isinstance(roll, GunRoll):
                yield (*_flight(before, roll), hits)
            else:
                ship = before.minifigs[roll.minifig].ship
                assert ship is not None
                yield before.ships[ship].centre_studs, before.ships[roll.target].centre_studs, hits
        for order in before.orders:
            if _is_wasted(before, step.after, order):
                yield (*_flight(before, GunRoll(**order.given)), False)


def _is_wasted(before: State, after: State, order: Order) -> bool:
    """Whether an order fired a gun for which nothing is rolled."""
    if order.gun is None or order.task is not Task.FIRE:
        return False
    was, now = (state.ships[order.ship].guns[order.gun] for state in (before, after))
    rolls = (one for one in after.pending if isinstance(one, GunRoll))
    is_rolled = any((one.ship, one.gun) == (order.ship, order.gun) for one in rolls)
    return now.loads < was.loads and not is_rolled


def _flight(state: State, shot: GunRoll) -> tuple[Point, Point]:
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
        state=beat.after,
        heading=heading,
        text=beat.text,
        player=_shooter(beat) if player is None else player,
        path=path,
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
            ways = moves((0, rudder(spec.sheet, state.ships[number])) for state in round_states)
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
            end, end_round = _ENDS[ship.fate], begun
            break
        number_of_round = begun if places else 0
        places.append((number_of_round, rudder(spec.sheet, ship)))
        hull = state.prism(number).footprint.vertices_studs.tolist()
        outlines[number_of_round] = tuple((x, y) for x, y in hull)
    return Track(
        name=spec.name,
        player=spec.player,
        is_vehicle=True,
        places=moves(places),
        end=end,
        end_round=end_round,
        outlines=tuple(outlines.items()),
    )
