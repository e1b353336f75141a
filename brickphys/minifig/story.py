"""Story: a battle that was played as sentences, and as the ways of its figures.

The sentences tell the armies, what each figure did and rolled, and who won; the ways, whom figures attacked, what they
shot at, and where they fell.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from brickphys.geometry.polygon import Point
from brickphys.minifig.actions import EndFigure
from brickphys.minifig.melee import MeleeRoll
from brickphys.minifig.missiles import BRICK
from brickphys.minifig.movement import Go
from brickphys.minifig.sentences import MinifigStep, fates, results, roll_clause, way_of
from brickphys.minifig.sheets import MOUNTED
from brickphys.minifig.shooting import ShotRoll, hits
from brickphys.minifig.state import FigureStep as Stage
from brickphys.minifig.state import State
from brickphys.minifig.status import arms_text, circle_aims, figure_name
from brickphys.minifig.turns import last_team, positions
from brickphys.rules.aims import winner
from brickphys.rules.record import CHANCE, Record
from brickphys.rules.report.story import (
    StepRun,
    ending_text,
    names_of_teams,
    split_steps,
    turn_text,
    under_rounds,
)
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, moves
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

MinifigRecord = Record[State, Action[State]]
_STAYS = "stays"


@dataclass(frozen=True)
class FigureRun(StepRun[State, Action[State]]):
    """All that a figure does in its turn, an attack, or the roll for the order."""

    @property
    def actor(self) -> int | None:
        """The number of the figure that acts; None in the roll for the order, and where none is taken."""
        found = map(_actor, self.states[:-1])
        return next((actor for actor in found if actor is not None), None)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """What was rolled and what came of it, step by step."""
        pairs = zip(self.states, self.steps, strict=False)
        return tuple(text for before, step in pairs for text in clauses(before, step))

    @property
    def text(self) -> str:
        """All of it as a sentence; empty if there is nothing to tell."""
        stays = self.actor is not None and self.after.active is None
        told = self.clauses or ((_STAYS,) if stays else ())
        return self.sentence(told) if told else ""

    def sentence(self, told: Sequence[str]) -> str:
        """Return clauses as a sentence about who acts."""
        if self.actor is not None:
            return turn_text(figure_name(self.before, self.actor), told)
        return turn_text("" if self.before.order else "order", told)


def beats(record: MinifigRecord) -> Iterator[FigureRun]:
    """Yield the beats of a battle; together they hold every step."""
    return (FigureRun(*run) for run in split_steps(record, _ends))


def clauses(before: State, step: MinifigStep) -> Iterator[str]:
    """Yield what was rolled in a step, and what came of it."""
    if not isinstance(step.move, Action):
        yield roll_clause(before, step.move)
    yield from results(before, step)


def story(record: MinifigRecord) -> Iterator[str]:
    """Yield a battle as lines: the armies, a heading for each round, and a line for each figure that acts."""
    yield from _armies(record.initial, record.players)
    yield from under_rounds((beat.before.round, beat.text) for beat in beats(record) if beat.text)
    yield ""
    yield ending(record)


def step_text(before: State, step: MinifigStep) -> str:
    """Return one step as sentences, what came of it for others each in a line; empty if it only leads to others.

    So does the choice of a figure.
    """
    beat, others = FigureRun(before, (step,)), list(fates(before, step.after))
    own = beat.clauses[: len(beat.clauses) - len(others)]
    is_done = isinstance(step.move, EndFigure) and before.step is Stage.CHOSEN
    if not beat.clauses and (is_done or isinstance(step.move, Go)):
        own = (_STAYS,)
    lines = [beat.sentence(own)] if own else []
    lines += [f"{one}." for one in others]
    if step.after.winners is not None:
        lines.append(f"The battle is over{_reason(step.after)}.")
    return "\n".join(lines)


def ending(record: MinifigRecord) -> str:
    """Return how a battle has ended: who has won, and by what."""
    final, setting = record.final, record.final.setting
    won = names_of_teams(setting.players, setting.teams, final.winners or ())
    return ending_text(record, final.round, won, _reason(final))


def _actor(state: State) -> int | None:
    """Return the figure that acts in a state; None if none does."""
    first = state.first_pending
    if isinstance(first, MeleeRoll):
        return first.attacker
    return first.shooter if isinstance(first, ShotRoll) else state.active


def _ends(before: State, after: State) -> bool:
    """Whether a beat ends: with an attack, a figure's turn, a player's turn, or the order of the round."""
    if isinstance(before.first_pending, MeleeRoll):
        return True
    was, now = ((one.round, one.order, one.turn, one.phase) for one in (before, after))
    return was != now or (after.active is None and after.first_pending is None)


def _armies(state: State, bots: tuple[str, ...]) -> Iterator[str]:
    """Yield the figures of each player, those with the same arms together, and whether they ride."""
    setting = state.setting
    for player, (name, bot) in enumerate(zip(setting.players, bots, strict=True)):
        mine = (number for number, one in enumerate(setting.figures) if one.player == player)
        groups = Counter((_kind(state, number), arms_text(state, number)) for number in mine)
        figures = (
            f"{counted(count, kind)} ({arms})" if arms else counted(count, kind)
            for (kind, arms), count in groups.items()
        )
        yield f"{spoken(name)} ({bot}): {', '.join(figures)}."


def _kind(state: State, number: int) -> str:
    """Return the kind of a figure, ``mounted soldier`` if it rides."""
    kind = state.setting.figures[number].kind.name
    return kind if state.figures[number].horse is None else f"{MOUNTED} {kind}"


def _reason(state: State) -> str:
    if winner(state.setting.aims, state.holding, positions(state)) is not None:
        return ": the aim is reached"
    if last_team(state) is None:
        return ", by the share of figures left"
    return ": no enemy is left" if state.winners else ": nobody is left"


_STEP_IN = 0.5
"""How far apart the points of a way round something are."""


def trajectories(record: MinifigRecord) -> Trajectories[State]:
    """Return a battle as pictures show it."""
    setting, result = record.initial.setting, ending(record)
    found = list(beats(record))
    shown = [
        beat for beat in found if (beat.actor is not None and beat.clauses) or beat is found[-1]
    ]
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


def kills(beat: FigureRun) -> Iterator[Kill]:
    """Yield who was eliminated."""
    for number in beat.before.alive:
        if not beat.after.figures[number].is_alive:
            spec = beat.before.setting.figures[number]
            yield Kill(spec.name, spec.player, beat.after.figures[number].place_in)


def attacks(beat: FigureRun) -> Iterator[tuple[Point, Point]]:
    """Yield from where to where figures attacked in hand-to-hand."""
    for before, step in zip(beat.states, beat.steps, strict=False):
        roll = before.first_pending
        if step.actor == CHANCE and isinstance(roll, MeleeRoll):
            yield before.figures[roll.attacker].place_in, before.figures[roll.defender].place_in


def shots(beat: FigureRun) -> Iterator[tuple[Point, Point, bool]]:
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


def path(beat: FigureRun) -> tuple[Point, ...]:
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


def _frame(beat: FigureRun, end: str) -> Frame[State]:
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


def _track(initial: State, found: Sequence[FigureRun], number: int) -> Track:
    spec, places = initial.setting.figures[number], [(0, initial.figures[number].place_in)]
    end, end_round = "", 0
    for beat in found:
        if beat.actor == number:
            places += [(beat.before.round, place) for place in path(beat)[1:]]
        if beat.before.figures[number].is_alive and not beat.after.figures[number].is_alive:
            end, end_round = "dies", beat.before.round
    return Track(spec.name, spec.player, False, moves(places), end, end_round)
