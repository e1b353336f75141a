"""Purposes: what a course of a ship is for, and how it falls off, in words, by where it leads."""

from collections.abc import Iterator
from math import dist

from brickphys.pirate_wars.firing import enemy_aim, in_musket_range, ready_guns
from brickphys.pirate_wars.helm.contact import marines
from brickphys.pirate_wars.helm.courses import (
    SEA_TURNS,
    Outlook,
    errands,
    lee_loss,
    meeting_turns,
    touched,
)
from brickphys.pirate_wars.orders import takes_orders
from brickphys.pirate_wars.sailing import newly_lashed, stays_on_sea
from brickphys.pirate_wars.state import State
from brickphys.pirate_wars.worth import is_in_irons, leapt_studs, ship_nearness
from brickphys.text import counted

_NEARER_STUDS, _LESS_LEE = 1.0, 0.01
"""Least changes of a way, and of the loss at the border to leeward, that are told."""


def purpose(look: Outlook, before: State, held: State, end: State) -> str:
    """Return what a course is for: the first that is true of what it meets, what it can hit, the sea, and its way.

    Empty if there is nothing to tell.

    Parameters
    ----------
    before
        With which the way to others is compared.
    held
        What comes of holding.
    end
        What comes of the course.
    """
    return next(_purposes(look, before, held, end), "")


def _purposes(look: Outlook, before: State, held: State, end: State) -> Iterator[str]:
    if not end.ships[look.ship].is_afloat:
        yield "leaves the sea"
        return
    yield from _meetings(look, end)
    yield from _shots(end, look.ship)
    yield from _sea(held, end, look.ship)
    yield from _ways(look, before, held, end)


def _meetings(look: Outlook, end: State) -> Iterator[str]:
    """Yield what a ship has rammed or touched, and that it has reached an area."""
    ship = look.ship
    if hit := newly_lashed(look.state, end, ship):
        yield f"rams {hit}"
    boarded = {enemy.number for enemy in look.enemies if enemy.gains.touches > 0.0}
    for number in touched(end, ship):
        boards = number in boarded or not end.crews[number]
        yield f"comes alongside {end.called(number)}{' to board' * boards}"
    for aim in errands(end.setting, ship):
        if aim.team == look.team and ship_nearness(end, ship, aim) >= 1.0:
            yield "reaches its aim"


def _shots(end: State, ship: int) -> Iterator[str]:
    """Yield at whom guns and muskets bear."""
    if not takes_orders(end, ship):
        return
    aims = [enemy_aim(end, ship, gun) for gun in ready_guns(end, ship)]
    targets = [aim.ship for aim in aims if aim is not None and end.ships[aim.ship].hull]
    if targets:
        most = max(targets, key=targets.count)
        yield f"brings {counted(targets.count(most), 'gun')} to bear on {end.called(most)}"
    if marines(end, ship):
        near = in_musket_range(end, ship)
        yield from (f"brings muskets to bear on {end.called(enemy)}" for enemy in near)


def _sea(held: State, end: State, ship: int) -> Iterator[str]:
    """Yield what a ship would suffer from the sea and the wind if it held."""
    if not held.ships[ship].is_afloat or not stays_on_sea(held, ship, SEA_TURNS):
        if stays_on_sea(end, ship, SEA_TURNS):
            yield "stays on the sea"
    elif lee_loss(end, ship) < lee_loss(held, ship) - _LESS_LEE:
        yield "keeps off the lee shore"
    if is_in_irons(held, ship) and not is_in_irons(end, ship):
        yield "keeps out of irons"


def _ways(look: Outlook, before: State, held: State, end: State) -> Iterator[str]:
    """Yield to what a ship comes nearer, or from whom it goes away."""
    ship, setting = look.ship, end.setting
    aims = [aim for aim in errands(setting, ship) if aim.team == look.team]
    if any(ship_nearness(end, ship, aim) > ship_nearness(before, ship, aim) for aim in aims):
        yield "makes for its aim"
    prey = [enemy for enemy in look.enemies if enemy.number in look.prey]
    for enemy in prey:
        for aim in errands(setting, enemy.number):
            was, now = (
                meeting_turns(state, ship, enemy.number, aim.area.centre) for state in (before, end)
            )
            if aim.team != look.team and now < was:
                yield f"cuts off {end.called(enemy.number)}"
    if not look.enemies:
        return

    def far(state: State, number: int) -> float:
        return dist(leapt_studs(state, ship), end.ships[number].centre_studs)

    nearest = min(prey or look.enemies, key=lambda enemy: far(end, enemy.number))
    number, gains = nearest.number, nearest.gains
    name, was, now = end.called(number), far(before, number), far(end, number)
    if now < was - _NEARER_STUDS:
        rams = max(gains.rams, gains.rams_second)
        why = " to board" if gains.touches > max(rams, 0.0) else " to ram" if rams > 0.0 else ""
        yield f"closes with {name}{why}"
    if now > was and number not in look.prey:
        yield f"runs from {name}"
    if end is not held:
        yield f"keeps {'clear of' if now > far(held, number) else 'near'} {name}"
