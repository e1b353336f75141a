"""Trajectories: the ways of figures, whom they attacked and what they shot at, and where they fell."""

from collections.abc import Iterator, Sequence

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions.melee import MeleeRoll
from brickphys.minifig.actions.missile_rolls import ShotRoll, hits
from brickphys.minifig.actions.shot_law import BRICK
from brickphys.minifig.report.aims import circle_aims
from brickphys.minifig.report.clauses import way_of
from brickphys.minifig.report.story import Beat, MinifigRecord, beats, ending
from brickphys.minifig.state.state import State
from brickphys.rules.record import CHANCE
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, moves
from brickphys.rules.words import Action

_STEP_IN = 0.5
"""How far apart the points of a way round something are."""


def trajectories(record: MinifigRecord) -> Trajectories[State]:
    """Return a battle as pictures show it."""
    setting, result = record.initial.setting, ending(record)
    found = list(beats(record))
    shown = [beat for beat in found if beat.has_acted or beat is found[-1]]
    frames = [_frame(beat, result if beat is shown[-1] else "") for beat in shown]
    return Trajectories(
        names=setting.players,
        colours=setting.colours,
        played_by=record.players,
        ending=result,
        final=record.final,
        tracks=tuple(
            _track(record.initial, found, number) for number in range(len(setting.figures))
        ),
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


def shots(beat: Beat) -> Iterator[tuple[Point, Point, bool]]:
    """Yield from where to where figures shot, and whether they hit: to what was hit, or else to the target."""
    for before, step in zip(beat.states, beat.steps, strict=False):
        roll = before.first_pending
        if isinstance(roll, ShotRoll) and not isinstance(step.move, Action):
            found = [_place(before, *hit) for hit in hits(step.move)]
            for end in found or [_target_place(before, roll)]:
                yield roll.from_in(before), end, bool(found)


def _place(state: State, name: str, how: str) -> Point:
    """Return where a shot has hit: a figure, or a brick of a wall."""
    if name in state.setting.figure_numbers:
        return state.figures[state.setting.figure_numbers[name]].place_in
    return _brick_place(state, state.setting.wall_numbers[name], int(how.removeprefix(BRICK)))


def _target_place(state: State, roll: ShotRoll) -> Point:
    if roll.target is not None:
        return state.figures[roll.target].place_in
    goal = roll.goal(state)
    assert goal.wall is not None
    assert goal.brick is not None
    return _brick_place(state, goal.wall, goal.brick)


def _brick_place(state: State, wall: int, brick: int) -> Point:
    """Return the middle of a brick of a wall from above."""
    spec = state.setting.walls[wall]
    first, end, _ = spec.spans[brick]
    (x, y), _, (far_x, far_y), _ = spec.corners_in(first, end)
    return (x + far_x) / 2, (y + far_y) / 2


def path(beat: Beat) -> tuple[Point, ...]:
    """Return where the figure that acts was, and how it went round what was in its way; empty if it did not move."""
    if beat.actor is None:
        return ()
    places = [beat.before.figures[beat.actor].place_in]
    for before, step in zip(beat.states, beat.steps, strict=False):
        goal = step.after.figures[beat.actor].place_in
        if goal != places[-1]:
            way = way_of(before, step)
            bends = [] if way is None else way.points(_STEP_IN)[1:-1].tolist()
            places += [*((x, y) for x, y in bends), goal]
    return tuple(places) if len(places) > 1 else ()


def _frame(beat: Beat, end: str) -> Frame[State]:
    way, actor, setting = path(beat), beat.actor, beat.before.setting
    flown = list(shots(beat))
    return Frame(
        state=beat.after,
        heading=f"Round {beat.before.round}" + f". {end}" * bool(end),
        text=beat.text,
        player=None if actor is None else setting.figures[actor].player,
        path=way,
        attacks=(*attacks(beat), *((start, end) for start, end, _ in flown)),
        impacts=tuple((end, is_hit) for _, end, is_hit in flown),
        kills=tuple(kills(beat)),
        round=beat.before.round,
        rolled=any(step.actor == CHANCE for step in beat.steps),
    )


def _track(initial: State, found: Sequence[Beat], number: int) -> Track:
    """Return the way of a figure to its end."""
    spec, places = initial.setting.figures[number], [(0, initial.figures[number].place_in)]
    end, end_round = "", 0
    for beat in found:
        if beat.actor == number:
            places += [(beat.before.round, place) for place in path(beat)[1:]]
        if beat.before.figures[number].is_alive and not beat.after.figures[number].is_alive:
            end, end_round = "dies", beat.before.round
    return Track(spec.name, spec.player, False, moves(places), end, end_round)
