"""Trajectories: the ways of units, whom they attacked, and where they were lost."""

from collections.abc import Iterator

from brickphys.blade_and_bow.report.story import NOBODY, BladeRecord, Deed, deeds, ending
from brickphys.blade_and_bow.state.pieces import HIDDEN, Box
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.geometry.polygon import Point
from brickphys.grid.bitset import Square
from brickphys.rules.record import Ending
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories, in_rounds, moves

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


def known_to(state: State, viewer: int | None) -> State:
    """Return a state with the ranks that a viewer may know."""
    if viewer is None:
        return state
    units = (
        unit if unit.seen or spec.player == viewer else unit.replaced({"ranks": HIDDEN})
        for spec, unit in zip(state.setting.units, state.units, strict=True)
    )
    return state.replaced({"units": tuple(units)})


def middle(setting: Setting, square: Square) -> Point:
    """Return the middle of a square."""
    x, y = setting.grid.xy(square)
    return x + 0.5, y + 0.5


def _frame(deed: Deed, end: str, viewer: int | None) -> Frame[State]:
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


def _player(deed: Deed) -> int | None:
    """Return the player of the unit that moved or attacked; None if none did."""
    fights = (state.combat.units for state in deed.states if state.combat is not None)
    mover = _mover(deed)
    unit = next((unit for units in fights for unit in units), None) if mover is None else mover
    return None if unit is None else deed.before.setting.units[unit].player


def _mover(deed: Deed) -> int | None:
    """Return the unit that moved by itself; None if none did."""
    active = (state.activation.active for state in deed.states if state.activation is not None)
    moved = (unit for unit in active if unit is not None)
    return next((unit for unit in moved if len(_places(deed, unit)) > 1), None)


def _places(deed: Deed, unit: int) -> tuple[Point, ...]:
    found = [state.units[unit].square for state in deed.states]
    squares = dict.fromkeys(square for square in found if square is not None)
    return tuple(middle(deed.before.setting, square) for square in squares)


def _attacks(deed: Deed) -> Iterator[tuple[Point, Point]]:
    """Yield from where to where units attacked."""
    fights = {
        (unit, state.combat.square): state.units[unit].square
        for state in deed.states
        if state.combat is not None
        for unit in state.combat.units
    }
    for (_, target), square in fights.items():
        if square is not None:
            setting = deed.before.setting
            yield middle(setting, square), middle(setting, target)


def _kills(deed: Deed) -> Iterator[Kill]:
    """Yield who left the map for good or for a while."""
    setting = deed.before.setting
    for spec, was, now in zip(setting.units, deed.before.units, deed.after.units, strict=True):
        if was.square is not None and now.square is None:
            yield Kill(spec.name, spec.player, middle(setting, was.square))


def _track(record: BladeRecord, number: int) -> Track:
    """Return the way of a unit to its end."""
    setting, spec = record.initial.setting, record.initial.setting.units[number]
    states = list(in_rounds(record, lambda state: state.turn))
    places = moves(
        (turn, middle(setting, square))
        for turn, state in states
        if (square := state.units[number].square) is not None
    )
    end = _ENDS.get(record.final.units[number].box, "")
    gone = (turn for turn, state in states if state.units[number].box is Box.MAP)
    return Track(spec.name, spec.player, False, places, end, max(gone, default=0) if end else 0)
