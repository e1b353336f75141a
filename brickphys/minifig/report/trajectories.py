"""Trajectories: the ways of figures, whom they attacked and what they shot at, and where they fell."""

from collections.abc import Iterator

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.melee import MeleeRoll
from brickphys.minifig.field.reach import Reach
from brickphys.minifig.report.aims import circle_aims
from brickphys.minifig.report.story import Beat, MinifigRecord, beats, ending
from brickphys.minifig.state.state import State
from brickphys.rules.record import CHANCE
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, moves

_STEP_IN = 0.5
"""How far apart the points of a way round something are."""


def trajectories(record: MinifigRecord) -> Trajectories[State]:
    """Return a battle as pictures show it."""
    setting, result = record.initial.setting, ending(record)
    found = list(beats(record))
    shown = [beat for beat in found if beat.text or beat is found[-1]]
    frames = [_frame(beat, result if beat is shown[-1] else "") for beat in shown]
    return Trajectories(
        names=setting.players,
        played_by=record.players,
        ending=result,
        final=record.final,
        tracks=tuple(_track(record, number) for number in range(len(setting.figures))),
        frames=tuple(frames or [Frame(record.initial, result, "")]),
        areas=circle_aims(setting).areas(),
    )


def kills(beat: Beat) -> Iterator[Kill]:
    """Yield who was eliminated."""
    for number in beat.before.alive:
        if not beat.after.figures[number].is_alive:
            spec = beat.before.setting.figures[number]
            yield Kill(spec.name, spec.player, beat.after.figures[number].place_in)


def attacks(beat: Beat) -> Iterator[tuple[Point, Point]]:
    """Yield from where to where figures attacked in hand-to-hand."""
    for before, step in zip(beat.states, beat.steps, strict=False):
        roll = before.first_pending
        if step.actor == CHANCE and isinstance(roll, MeleeRoll):
            yield before.figures[roll.attacker].place_in, before.figures[roll.defender].place_in


def path(beat: Beat) -> tuple[Point, ...]:
    """Return where the figure that acts went, round what was in its way."""
    if beat.actor is None:
        return ()
    places = [beat.before.figures[beat.actor].place_in]
    for before, step in zip(beat.states, beat.steps, strict=False):
        goal = step.after.figures[beat.actor].place_in
        if goal != places[-1]:
            reach = Reach.of(before, beat.actor, before.move_in(beat.actor))
            way = reach.way(goal)
            bends = [] if way is None else way.points(_STEP_IN)[1:-1].tolist()
            places += [*((x, y) for x, y in bends), goal]
    return tuple(places)


def _frame(beat: Beat, end: str) -> Frame[State]:
    way, actor, setting = path(beat), beat.actor, beat.before.setting
    moved = None if actor is None or len(way) < 2 else setting.figures[actor].player
    return Frame(
        state=beat.after,
        heading=f"Round {beat.before.round}" + f". {end}" * bool(end),
        text=beat.text,
        player=moved,
        path=way,
        attacks=tuple(attacks(beat)),
        kills=tuple(kills(beat)),
    )


def _track(record: MinifigRecord, number: int) -> Track:
    """Return the way of a figure to its end."""
    spec, places = record.initial.setting.figures[number], list[tuple[int, Point]]()
    end, end_round = "", 0
    for state in record.states:
        if not state.figures[number].is_alive:
            end, end_round = "dies", state.round
            break
        places.append((state.round if places else 0, state.figures[number].place_in))
    return Track(spec.name, spec.player, False, moves(places), end, end_round)
