"""Clauses: what happened to ships and minifigs between two moments, each with the ship that it happened to."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import NamedTuple

from brickphys.geometry.polygon import TOLERANCE
from brickphys.pirate_wars.report.wake import swing_deg, way_studs
from brickphys.pirate_wars.sheets.ship_sheet import Place
from brickphys.pirate_wars.state.crew import Life, MinifigState, Order, Task
from brickphys.pirate_wars.state.ship import LOADED, Fate
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.firing import GunRoll, MusketRoll, musket_waste, shot_waste
from brickphys.pirate_wars.tasks.gunnery import in_contact
from brickphys.rules.report.names import compass, names_text
from brickphys.text import spoken

INITIATIVE = "initiative"


class Clause(NamedTuple):
    """A thing that happened: the ship, or else the matter, and the rest of the sentence."""

    subject: str
    text: str


_FATES = {
    Fate.SUNK: "sinks (PW Damage Chart)",
    Fate.LEFT: "leaves the sea, and is out of the battle (PW Movement)",
    Fate.FLED: "has fled out of range, and is out of the battle (PW Morale)",
    Fate.STRUCK: "strikes its colours, and is out of the battle (PW Morale)",
}
_LIVES = {
    Life.DEAD: "die",
    Life.PRISONER: "surrender",
    Life.LEFT: "",
}
_SINGULAR = {"are": "is", "go": "goes", "die": "dies"}


def moves(before: State, after: State) -> Iterator[Clause]:
    """Yield the order of the players once it is known, and how ships moved, met and parted in a step."""
    if after.order != before.order and after.order:
        names = ", then ".join(spoken(after.setting.players[player]) for player in after.order)
        yield Clause(INITIATIVE, f"the lowest roll goes first: {names} (PW Initiative)")
    yield from _of_ships(before, after, _way, _contacts)


def results(before: State, after: State, short: Collection[int] = ()) -> Iterator[Clause]:
    """Yield what else became of ships, guns and minifigs, in one step or several.

    Parameters
    ----------
    before, after
        The states around the steps.
    short
        The ships that lost sails for want of sailors.
    """
    yield from _of_ships(before, after, _guns, partial(_damage, short=short), _fate)
    if before.minifigs is not after.minifigs:
        yield from _crews(before, after)
    yield from _of_ships(before, after, partial(_sails, short=short))


def ship_name(state: State, number: int) -> str:
    """Return the name of a ship as it is read."""
    return spoken(state.setting.ships[number].name)


def minifig_name(state: State, number: int) -> tuple[str, str]:
    """Return the ship on which a minifig is, else its own, and the name of the minifig without that of this ship."""
    spec, aboard = state.setting.minifigs[number], state.minifigs[number].ship
    ship = spec.ship if aboard is None else aboard
    return ship_name(state, ship), spec.name.removeprefix(f"{state.setting.ships[ship].name}_")


def _of_ships(
    before: State, after: State, *told: Callable[[State, State, int], Iterator[str]]
) -> Iterator[Clause]:
    """Yield clauses of all ships, that on its move first."""
    numbers = sorted(range(len(before.ships)), key=lambda number: number != before.active)
    for texts in told:
        for number in numbers:
            name = ship_name(before, number)
            yield from (Clause(name, text) for text in texts(before, after, number))


def _way(before: State, after: State, number: int) -> Iterator[str]:
    """Yield how far a ship turned, and how far it went then (PW Movement)."""
    was, now = before.ships[number], after.ships[number]
    if was.pose == now.pose:
        return
    place = f"{now.x_studs:.1f},{now.y_studs:.1f}"
    if before.is_lashed(number):
        pairs = (pair for pair in before.lashed if number in pair)
        lashed = " and ".join(ship_name(before, sum(pair) - number) for pair in pairs)
        yield f"drifts, lashed to {lashed}, to {place}, heading {compass(now.heading_deg)}"
        return
    angle, studs = swing_deg(was, now), way_studs(before.setting.ships[number].sheet, was, now)
    deeds, deed = [], "drifts" if was.is_adrift else "leaps"
    if studs > TOLERANCE:
        deeds.append(f"{deed} {studs:.3g} studs to {place}")
    if abs(angle) > TOLERANCE:
        falls = before.phase is Phase.FALLING_OFF
        to = "port" if angle > 0 else "starboard"
        degrees = "degree" if f"{abs(angle):.3g}" == "1" else "degrees"
        turn = f"{'falls off' if falls else 'turns'} {abs(angle):.3g} {degrees} to {to}"
        deeds.insert(len(deeds) if was.is_adrift else 0, turn)
        deeds[-1] += f", heading {compass(now.heading_deg)}"
    if deeds:
        yield " and ".join(deeds)


def _contacts(before: State, after: State, number: int) -> Iterator[str]:
    """Yield whom a ship rams, touches or boards, and from whom it comes free (PW Movement, PW Boarding)."""
    for one in after.boardings:
        if one.attacker == number and one not in before.boardings:
            yield f"boards {ship_name(after, one.defender)} (PW Boarding)"
    for pair in after.lashed:
        other = sum(pair) - number
        if number in pair and pair not in before.lashed and _rams(before, after, number, other):
            yield f"rams {ship_name(after, other)}, and is lashed to it (PW Movement)"
    if before.ships[number].pose != after.ships[number].pose and not after.is_lashed(number):
        for other, _ in after.afloat():
            if other != number and _touches(before, after, number, other):
                yield f"touches {ship_name(after, other)}, and stops without damage (PW Movement)"
    for pair in before.lashed:
        is_free = pair not in after.lashed and all(after.ships[one].is_afloat for one in pair)
        if pair[0] == number and is_free:
            yield f"comes free of {ship_name(after, pair[1])} (PW Boarding)"


def _touches(before: State, after: State, ship: int, other: int) -> bool:
    """Whether a ship came to touch another one: where that was before, or where it went in the same step."""
    if in_contact(before, ship, other):
        return False
    if in_contact(before.with_ship(ship, after.ships[ship]), ship, other):
        return True
    order = before.order or after.order
    turns = [(order.index(before.ships[one].owner), one) for one in (ship, other)]
    return turns[0] > turns[1] and in_contact(after, ship, other)


def _rams(before: State, after: State, ship: int, other: int) -> bool:
    """Whether the ship, of two that are lashed together now, ran into the other: it moved, and moved last."""
    moved = [before.ships[one].pose != after.ships[one].pose for one in (ship, other)]
    return moved[0] and not (moved[1] and ship == before.active)


def _guns(before: State, after: State, number: int) -> Iterator[str]:
    """Yield what happened to the guns of a ship, besides those for which dice are rolled."""
    if before.ships[number].guns is after.ships[number].guns:
        return
    sheet, loaded = before.setting.ships[number].sheet, list[str]()
    rolls = {(one.ship, one.gun) for one in after.pending if isinstance(one, GunRoll)}
    pairs = zip(before.ships[number].guns, after.ships[number].guns, strict=True)
    for gun, (was, now) in enumerate(pairs):
        if now.is_lost and not was.is_lost:
            yield f"gun{gun} is destroyed with its crew"
        elif now.loads < was.loads and (number, gun) not in rolls:
            shots = (order for order in _orders(before, Task.FIRE) if order.ship == number)
            wastes = (shot_waste(before, **order.given) for order in shots if order.gun == gun)
            yield _without_effect(f"gun{gun} fires", *wastes)
        elif was.loads < now.loads == LOADED:
            loaded.append(f"gun{gun}")
        if now.is_hauled != was.is_hauled:
            yield f"gun{gun} is hauled to {after.ships[number].gun(sheet, gun).side} (PW Moving)"
    if loaded:
        yield f"has loaded {', '.join(loaded)} (PW Reloading)"


def _without_effect(deed: str, *wastes: str) -> str:
    """Return that a shot had no effect, with the first reason there is."""
    why = next(filter(None, wastes), "")
    return f"{deed} without effect{why and f': {why}'} (PW Firing)"


def _orders(state: State, task: Task) -> Iterator[Order]:
    return (order for order in state.orders if order.task is task)


def _has_fired(before: State, after: State, minifig: int | None) -> bool:
    if minifig is None:
        return False
    return before.minifigs[minifig].is_loaded and not after.minifigs[minifig].is_loaded


def _damage(before: State, after: State, number: int, short: Collection[int]) -> Iterator[str]:
    for order in _orders(before, Task.SCUTTLE):
        if order.ship == number and _has_fired(before, after, order.minifig):
            yield "its captain fires into the powder (PW Firing)"
    was, now = before.ships[number], after.ships[number]
    chart = before.setting.ships[number].sheet.chart
    if now.hull != was.hull:
        yield f"has HF {now.hull} of {chart.hull} and SF {now.sails} of {chart.sails} (PW Damage Chart)"
    elif now.sails < was.sails and number not in short:
        yield f"has SF {now.sails} of {chart.sails} (PW Damage Chart)"
    if now.rudder_lost and not was.rudder_lost:
        yield "has lost its rudder"
    if now.mast_turns > was.mast_turns:
        yield "has lost a mast"


def _sails(before: State, after: State, number: int, short: Collection[int]) -> Iterator[str]:
    was, now = before.ships[number], after.ships[number]
    left = f"SF {now.sails} of {before.setting.ships[number].sheet.chart.sails} (PW Sailing)"
    if number in short:
        yield f"has too few hands and loses sails: {left}"
    elif now.sails > was.sails:
        yield f"sets sails: {left}"


def _fate(before: State, after: State, number: int) -> Iterator[str]:
    was, now = before.ships[number], after.ships[number]
    if now.owner != was.owner:
        taker = spoken(before.setting.players[now.owner])
        surrenders = before.phase is Phase.MORALE
        yield (
            f"surrenders to {taker} (PW Morale)"
            if surrenders
            else f"is taken by {taker} (PW Boarding)"
        )
    if now.is_abandoned and not was.is_abandoned:
        yield "is abandoned: its crew is in the water, its hull a prize (PW Morale Chart)"
    elif now.is_fleeing != was.is_fleeing and now.is_afloat:
        yield f"{'flees' if now.is_fleeing else 'returns to the battle'} (PW Morale)"
    if now.fate is not was.fate:
        yield _FATES[now.fate]


def _crews(before: State, after: State) -> Iterator[Clause]:
    """Yield what happened to minifigs; those of a ship to whom the same happened are named together."""
    deeds: dict[tuple[str, str], list[str]] = {}
    for number, (was, now) in enumerate(zip(before.minifigs, after.minifigs, strict=True)):
        if was is not now and (
            deed := _wasted(before, after, number) or _deed(before, after, was, now)
        ):
            ship, name = minifig_name(before, number)
            deeds.setdefault((ship, deed), []).append(name)
    for (ship, deed), names in deeds.items():
        verb, blank, rest = deed.partition(" ")
        verb = verb if len(names) > 1 else _SINGULAR.get(verb, f"{verb}s")
        yield Clause(ship, f"{spoken(names_text(names))} {verb}{blank}{rest}")


def _wasted(before: State, after: State, minifig: int) -> str:
    """Return that a minifig shot in vain, in the plural; empty if it did not."""
    if any(isinstance(one, MusketRoll) and one.minifig == minifig for one in after.pending):
        return ""
    for order in _orders(before, Task.SHOOT):
        if order.minifig == minifig and _has_fired(before, after, minifig):
            # who could be seen before may be dead, or below, when it was fired
            return _without_effect(
                "shoot", *(musket_waste(each, **order.given) for each in (before, after))
            )
    return ""


def _keeps(before: State, after: State, ship: int) -> bool:
    """Whether a ship is still in the battle and its owner's."""
    now = after.ships[ship]
    return now.is_afloat and now.owner == before.ships[ship].owner


def _deed(before: State, after: State, was: MinifigState, now: MinifigState) -> str:
    """Return what a minifig did, in the plural; empty if there is nothing to tell."""
    if now.life is Life.PRISONER and was.ship is not None and _keeps(before, after, was.ship):
        return "surrender to the lieutenant (PW Morale Chart)"
    if now.life is not was.life:
        return "" if was.swims else _LIVES[now.life]  # the roll tells who was eaten
    if now.swims and not was.swims:
        return "are in the water"
    if now.at_studs is not None:
        x, y = now.at_studs
        return f"swim to {x:.1f},{y:.1f} (PW Moving)" if now.at_studs != was.at_studs else ""
    if now.ship != was.ship and now.ship is not None:
        return f"go aboard {ship_name(after, now.ship)}"
    if now.spot != was.spot:
        where = f"gun{now.gun}" if now.place is Place.GUN else f"the {spoken(now.place.value)}"
        return f"go to {where} (PW Moving)"
    return ""
