"""Story: a battle that was played as sentences, and as the ways of its units.

The sentences tell the armies, what was done and rolled, and who won; the ways, whom units attacked and where they were
lost.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from brickphys.blade_and_bow.deployment import RankChoice
from brickphys.blade_and_bow.pieces import HIDDEN, BattleResult, Box
from brickphys.blade_and_bow.sentences import BladeStep, clauses
from brickphys.blade_and_bow.state import State
from brickphys.geometry.polygon import Point
from brickphys.rules.record import NOBODY, Ending, Record
from brickphys.rules.report.story import StepRun, ending_text, split_steps, under_rounds
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, in_rounds, moves
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

BladeRecord = Record[State, Action[State]]


@dataclass(frozen=True)
class UnitRun(StepRun[State, Action[State]]):
    """What one unit does in its formation, a combat, or what comes between activations."""

    def clauses(self, viewer: int | None = None) -> Iterator[str]:
        """Yield what was rolled and what came of it, step by step, as a viewer may know it."""
        for before, step in zip(self.states, self.steps, strict=False):
            yield from clauses(before, step, viewer)

    def text(self, viewer: int | None = None) -> str:
        """Return all of it as a sentence; empty if there is nothing to tell."""
        told = "; ".join(self.clauses(viewer))
        return _sentence(told) if told else ""


def _sentence(told: str) -> str:
    return f"{told[0].upper()}{told[1:]}."


def deeds(record: BladeRecord) -> Iterator[UnitRun]:
    """Yield the deeds of a battle; together they hold every step."""
    return (UnitRun(*run) for run in split_steps(record, _ends))


def story(record: BladeRecord, viewer: int | None = None) -> Iterator[str]:
    """Yield a battle as lines: the armies, a heading for each turn, and a line for each deed.

    Without a viewer everything is told once the battle is over; before that, what nobody has to hide.
    """
    if viewer is None and record.ending is not Ending.OVER:
        viewer = NOBODY
    yield from _armies(record.initial, record.players)
    lines = ((deed.before.turn, deed.text(viewer)) for deed in deeds(record))
    yield from under_rounds(((turn, line) for turn, line in lines if line), "Turn")
    yield ""
    yield ending(record)


def step_text(before: State, step: BladeStep, viewer: int | None = None) -> str:
    """Return one step as sentences, in a line each; empty if it only leads to others."""
    lines = [_sentence(one) for one in clauses(before, step, viewer)]
    if (result := step.after.result) is not None:
        lines.append(_result(step.after, result))
    return "\n".join(lines)


def ending(record: BladeRecord) -> str:
    """Return how a battle has ended: who has won, how decisively, and why."""
    final = record.final
    if final.result is None:
        return ending_text(record, final.turn, [], "", "turn")
    return f"After {counted(final.turn, 'turn')}: {_result(final, final.result)}"


def _result(state: State, result: BattleResult) -> str:
    why = f": {result.why}" if result.why else ""
    if result.winner is None:
        return f"a draw{why}."
    return f"{result.grade.value} victory of {state.player_name(result.winner)}{why}."


def _ends(before: State, after: State) -> bool:
    """Whether a deed ends: a unit has acted, an activation or a phase is over, or nothing is under way."""
    was, now = before.activation, after.activation
    if before.phase is not after.phase or (was is not None and now is None):
        return True
    if after.combat is not None or after.pending:
        return False
    return now is None or was is None or was.waiting != now.waiting


def _armies(state: State, bots: tuple[str, ...]) -> Iterator[str]:
    setting = state.setting
    for player, (name, bot) in enumerate(zip(setting.players, bots, strict=True)):
        kinds = Counter(unit.counter.name for unit in setting.units if unit.player == player)
        units = ", ".join(f"{count} {spoken(kind)}" for kind, count in kinds.items())
        leaders = ", ".join(spoken(one.name) for one in setting.leaders if one.player == player)
        yield f"{spoken(name)} ({bot}): {'; '.join(filter(None, (units, leaders)))}."


_ENDS = {Box.ROUTED: "routs", Box.ELIMINATED: "dies", Box.LEFT: "leaves"}


def trajectories(record: BladeRecord, viewer: int | None = None) -> Trajectories[State]:
    """Return a battle as pictures show it, as a viewer may know it.

    Without a viewer everything is shown once the battle is over; before that, what nobody has to hide.
    """
    if viewer is None and record.ending is not Ending.OVER:
        viewer = NOBODY
    setting, result = record.initial.setting, ending(record)
    found = list(deeds(record))
    shown = [deed for deed in found if deed.text(viewer) or deed is found[-1]]
    frames = [_frame(deed, result if deed is shown[-1] else "", viewer) for deed in shown]
    final = known_to(record.final, viewer)
    return Trajectories(
        names=setting.players,
        colours=setting.colours,
        played_by=record.players,
        ending=result,
        final=final,
        tracks=tuple(_track(record, number) for number in range(len(setting.units))),
        frames=tuple(frames or [Frame(final, result, "")]),
        time="turn",
    )


def known_to(state: State, viewer: int | None, unchosen: Collection[int] = ()) -> State:
    """Return a state with the ranks that a viewer may know; none are covered where they are still to be chosen."""
    if viewer is None:
        return state
    covered = {*state.setting.chosen_ranks}.difference(unchosen)
    waiting = {one.unit for one in state.pending if isinstance(one, RankChoice)}
    units = (
        unit.replaced({"ranks": HIDDEN})
        if number in covered
        and not unit.seen
        and (number in waiting or state.player_of(number) != viewer)
        else unit
        for number, unit in enumerate(state.units)
    )
    return state.replaced({"units": tuple(units)})


def _frame(deed: UnitRun, end: str, viewer: int | None) -> Frame[State]:
    mover = _mover(deed)
    turn = deed.before.turn
    heading = f"Turn {turn}" if turn else "Before the first turn"
    return Frame(
        state=known_to(deed.after, viewer),
        heading=heading + f". {end}" * bool(end),
        text=deed.text(viewer),
        player=_player(deed),
        path=() if mover is None else _places(deed, mover),
        attacks=tuple(_attacks(deed)),
        kills=tuple(_kills(deed)),
        round=turn,
    )


def _player(deed: UnitRun) -> int | None:
    """Return the player of the unit that moved or attacked; None if none did."""
    fights = (state.combat.units for state in deed.states if state.combat is not None)
    mover = _mover(deed)
    unit = next((unit for units in fights for unit in units), None) if mover is None else mover
    return None if unit is None else deed.before.setting.units[unit].player


def _mover(deed: UnitRun) -> int | None:
    """Return the unit that moved by itself; None if none did."""
    active = (state.activation.active for state in deed.states if state.activation is not None)
    moved = (unit for unit in active if unit is not None)
    return next((unit for unit in moved if len(_places(deed, unit)) > 1), None)


def _places(deed: UnitRun, unit: int) -> tuple[Point, ...]:
    found = [state.units[unit].square for state in deed.states]
    squares = dict.fromkeys(square for square in found if square is not None)
    return tuple(deed.before.setting.middle(square) for square in squares)


def _attacks(deed: UnitRun) -> Iterator[tuple[Point, Point]]:
    fights = {
        (unit, state.combat.square): state.units[unit].square
        for state in deed.states
        if state.combat is not None
        for unit in state.combat.units
    }
    for (_, target), square in fights.items():
        if square is not None:
            setting = deed.before.setting
            yield setting.middle(square), setting.middle(target)


def _kills(deed: UnitRun) -> Iterator[Kill]:
    """Yield who left the map for good or for a while."""
    setting = deed.before.setting
    for spec, was, now in zip(setting.units, deed.before.units, deed.after.units, strict=True):
        if was.square is not None and now.square is None:
            yield Kill(spec.name, spec.player, setting.middle(was.square))


def _track(record: BladeRecord, number: int) -> Track:
    setting, spec = record.initial.setting, record.initial.setting.units[number]
    states = list(in_rounds(record, lambda state: state.turn))
    places = moves(
        (turn, setting.middle(square))
        for turn, state in states
        if (square := state.units[number].square) is not None
    )
    end = _ENDS.get(record.final.units[number].box, "")
    gone = (turn for turn, state in states if state.units[number].box is Box.MAP)
    return Track(spec.name, spec.player, False, places, end, max(gone, default=0) if end else 0)
