"""Sentences: what happened to ships and minifigs between two moments, and what the dice decided.

Each clause has the ship that it is about. Clauses of rolls give the section of the book.
"""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from math import dist
from typing import NamedTuple

from brickphys.geometry.polygon import TOLERANCE, Point
from brickphys.geometry.pose import turn_deg
from brickphys.pirate_wars import morale
from brickphys.pirate_wars.boarding import BoardingRoll, Scuttle, losses, strength
from brickphys.pirate_wars.damage import CriticalRoll, fighters
from brickphys.pirate_wars.firing import Fire, GunRoll, MusketRoll, Shoot, musket_waste, shot_waste
from brickphys.pirate_wars.orders import OrderMove, in_contact, rakes
from brickphys.pirate_wars.sailing import ChooseShip
from brickphys.pirate_wars.sheets import Ammunition, ShipPlace, ShipSheet, tasks_chart
from brickphys.pirate_wars.state import (
    LOADED,
    Fate,
    Life,
    MinifigState,
    MoraleCause,
    Order,
    Phase,
    ShipState,
    State,
)
from brickphys.pirate_wars.turns import InitiativeRoll
from brickphys.rules.events import Outcome
from brickphys.rules.names import degrees_text, facing_text, names_text
from brickphys.rules.record import Step
from brickphys.rules.words import Action
from brickphys.text import agreed, counted, spoken


def rudder(sheet: ShipSheet, ship: ShipState) -> Point:
    """Return where the rudder of a ship is: a swing leaves it there, so that it draws the leaps as straight lines."""
    return ship.pose.on_field(sheet.rudder_studs)


INITIATIVE = "initiative"


class Clause(NamedTuple):
    """A thing that happened: the ship, or else the matter, and the rest of the sentence."""

    subject: str
    text: str


class End(NamedTuple):
    """What is told of the end of a ship."""

    clause: str  # when it happens
    past: str  # when the battle is over
    track: str  # at the end of its wake


ENDS = {
    Fate.SUNK: End("sinks (PW Damage Chart)", "sank", "sinks"),
    Fate.LEFT: End(
        "leaves the sea, and is out of the battle (PW Movement)", "left the sea", "leaves"
    ),
    Fate.FLED: End(
        "has fled out of range, and is out of the battle (PW Morale)", "fled out of range", "flees"
    ),
    Fate.STRUCK: End(
        "strikes its colours, and is out of the battle (PW Morale)", "struck its colours", "strikes"
    ),
}
_LIVES = {Life.DEAD: "die", Life.PRISONER: "surrender", Life.LEFT: ""}
_SINGULAR = {"are": "is", "go": "goes", "die": "dies"}


def ship_moves(before: State, step: Step[State, Action[State]]) -> Iterator[Clause]:
    """Yield the order of the players once it is known, and how ships moved, met and parted in a step."""
    after, chosen = step.after, before.active
    if isinstance(step.move, ChooseShip):
        chosen = before.setting.ship_numbers[step.move.ship]
    if after.order != before.order and after.order:
        names = ", then ".join(spoken(after.setting.players[player]) for player in after.order)
        yield Clause(INITIATIVE, f"the lowest roll goes first: {names} (PW Initiative)")
    yield from _of_ships(before, after, _way, partial(_contacts, chosen=chosen))


def results(before: State, after: State, short: Collection[int] = ()) -> Iterator[Clause]:
    """Yield what else became of ships, guns and minifigs, in one step or several.

    The ships `short` lost sails for want of sailors.
    """
    yield from _of_ships(before, after, _guns, partial(_damage, short=short), _fate)
    if before.minifigs is not after.minifigs:
        yield from _crews(before, after)
    yield from _of_ships(before, after, partial(_sails, short=short))


def minifig_name(state: State, number: int) -> tuple[str, str]:
    """Return the ship on which a minifig is, else its own, and the name of the minifig without that of this ship."""
    spec, aboard = state.setting.minifigs[number], state.minifigs[number].ship
    ship = spec.ship if aboard is None else aboard
    return state.called(ship), spec.name.removeprefix(f"{state.ship_name(ship)}_")


def _of_ships(
    before: State, after: State, *told: Callable[[State, State, int], Iterator[str]]
) -> Iterator[Clause]:
    """Yield clauses of all ships, that on its move first."""
    numbers = sorted(range(len(before.ships)), key=lambda number: number != before.active)
    for texts in told:
        for number in numbers:
            yield from (
                Clause(before.called(number), text) for text in texts(before, after, number)
            )


def _way(before: State, after: State, number: int) -> Iterator[str]:
    """Yield how far a ship turned, and how far it went then (PW Movement)."""
    was, now = before.ships[number], after.ships[number]
    if was.pose == now.pose:
        return
    place = f"{now.x_studs:.1f},{now.y_studs:.1f}"
    if before.is_lashed(number):
        pairs = (pair for pair in before.lashed if number in pair)
        lashed = " and ".join(before.called(sum(pair) - number) for pair in pairs)
        yield f"drifts, lashed to {lashed}, to {place}, heading {facing_text(now.heading_deg)}"
        return
    sheet, angle = before.sheet(number), turn_deg(was.heading_deg, now.heading_deg)
    deeds, deed = [], "drifts" if was.is_adrift else "leaps"
    if (studs := dist(rudder(sheet, was), rudder(sheet, now))) > TOLERANCE:
        deeds.append(f"{deed} {studs:.3g} studs to {place}")
    if abs(angle) > TOLERANCE:
        falls = before.phase is Phase.FALLING_OFF
        to = "port" if angle > 0 else "starboard"
        size = degrees_text(abs(angle))
        degrees = "degree" if size == "1" else "degrees"
        turn = f"{'falls off' if falls else 'turns'} {size} {degrees} to {to}"
        deeds.insert(len(deeds) if was.is_adrift else 0, turn)
        deeds[-1] += f", heading {facing_text(now.heading_deg)}"
    if deeds:
        yield " and ".join(deeds)


def _contacts(before: State, after: State, number: int, chosen: int | None) -> Iterator[str]:
    """Yield whom a ship rams, touches or boards, and from whom it comes free (PW Movement, PW Boarding).

    A ship touches nobody where no way of it is told: one that is stopped at once still moves by a rounding.
    """
    for one in after.boardings:
        if one.attacker == number and one not in before.boardings:
            yield f"boards {after.called(one.defender)} (PW Boarding)"
    for pair in after.lashed:
        other = sum(pair) - number
        if number in pair and pair not in before.lashed and _rams(before, after, number, other):
            yield f"rams {after.called(other)}, and is lashed to it (PW Movement)"
    if any(_way(before, after, number)) and not after.is_lashed(number):
        for other, _ in after.afloat:
            if other != number and _touches(before, after, number, other, chosen):
                yield f"touches {after.called(other)}, and stops without damage (PW Movement)"
    for pair in before.lashed:
        is_free = pair not in after.lashed and all(after.ships[one].is_afloat for one in pair)
        if pair[0] == number and is_free:
            yield f"comes free of {after.called(pair[1])} (PW Boarding)"


def _touches(before: State, after: State, ship: int, other: int, chosen: int | None) -> bool:
    """Whether a ship came to touch another one: where that was before, or where it went first in the same step.

    First goes the ship that was on its move or chosen for it, then others by turns; a player has one of these at most.
    """
    order = before.order or after.order
    turns = [(one != chosen, order.index(before.ships[one].owner), one) for one in (ship, other)]
    first = min(turns)[-1]
    between = before.with_ship(first, after.ships[first])
    start, end = (before, between) if ship == first else (between, after)
    return in_contact(end, ship, other) and not in_contact(start, ship, other)


def _rams(before: State, after: State, ship: int, other: int) -> bool:
    """Whether a ship that is lashed to another one now ran into it: it moved, and moved last."""
    moved = [before.ships[one].pose != after.ships[one].pose for one in (ship, other)]
    return moved[0] and not (moved[1] and ship == before.active)


def _guns(before: State, after: State, number: int) -> Iterator[str]:
    """Yield what happened to the guns of a ship, besides those for which dice are rolled."""
    if before.ships[number].guns is after.ships[number].guns:
        return
    sheet, loaded = before.sheet(number), list[str]()
    pairs = zip(before.ships[number].guns, after.ships[number].guns, strict=True)
    for gun, (was, now) in enumerate(pairs):
        if now.is_lost and not was.is_lost:
            yield f"gun{gun} is destroyed with its crew"
        elif fires_in_vain(before, after, number, gun):
            shots = (order for order in _orders(before, Fire) if order.ship == number)
            wastes = (shot_waste(before, **order.given) for order in shots if order.gun == gun)
            yield _without_effect(f"gun{gun} fires", *wastes)
        elif was.loads < now.loads == LOADED:
            loaded.append(f"gun{gun}")
        if now.is_hauled != was.is_hauled:
            yield f"gun{gun} is hauled to {after.ships[number].gun(sheet, gun).side} (PW Moving)"
    if loaded:
        yield f"has loaded {', '.join(loaded)} (PW Reloading)"


def fires_in_vain(before: State, after: State, ship: int, gun: int) -> bool:
    """Whether a gun fired and nothing is rolled for it."""
    was, now = (state.ships[ship].guns[gun] for state in (before, after))
    rolls = (one for one in after.pending if isinstance(one, GunRoll))
    return now.loads < was.loads and (ship, gun) not in ((one.ship, one.gun) for one in rolls)


def _without_effect(deed: str, *wastes: str) -> str:
    """Return that a shot had no effect, with the first reason there is."""
    why = next(filter(None, wastes), "")
    return f"{deed} without effect{why and f': {why}'} (PW Firing)"


def _orders(state: State, kind: type[OrderMove]) -> Iterator[Order]:
    return (order for order in state.orders if order.task == kind.word)


def _has_fired(before: State, after: State, minifig: int | None) -> bool:
    if minifig is None:
        return False
    return before.minifigs[minifig].is_loaded and not after.minifigs[minifig].is_loaded


def _damage(before: State, after: State, number: int, short: Collection[int]) -> Iterator[str]:
    for order in _orders(before, Scuttle):
        if order.ship == number and _has_fired(before, after, order.minifig):
            yield "its captain fires into the powder (PW Firing)"
    was, now = before.ships[number], after.ships[number]
    chart = before.sheet(number).chart
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
    left = f"SF {now.sails} of {before.sheet(number).chart.sails} (PW Sailing)"
    if number in short:
        yield f"has too few hands and loses sails: {left}"
    elif now.sails > was.sails:
        yield f"sets sails: {left}"


def _fate(before: State, after: State, number: int) -> Iterator[str]:
    was, now = before.ships[number], after.ships[number]
    if now.owner != was.owner:
        taker, yields = spoken(before.setting.players[now.owner]), before.phase is Phase.MORALE
        yield (
            f"surrenders to {taker} (PW Morale)" if yields else f"is taken by {taker} (PW Boarding)"
        )
    if now.is_abandoned and not was.is_abandoned:
        yield "is abandoned: its crew is in the water, its hull a prize (PW Morale Chart)"
    elif now.is_fleeing != was.is_fleeing and now.is_afloat:
        yield f"{'flees' if now.is_fleeing else 'returns to the battle'} (PW Morale)"
    if now.fate is not was.fate:
        yield ENDS[now.fate].clause


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
    for order in _orders(before, Shoot):
        if order.minifig == minifig and _has_fired(before, after, minifig):
            # who could be seen before may be dead, or below, when it was fired
            return _without_effect(
                "shoot", *(musket_waste(each, **order.given) for each in (before, after))
            )
    return ""


def _deed(before: State, after: State, was: MinifigState, now: MinifigState) -> str:
    """Return what a minifig did, in the plural; empty if there is nothing to tell."""
    if now.life is Life.PRISONER and was.ship is not None:
        then, ship = before.ships[was.ship], after.ships[was.ship]
        if ship.is_afloat and ship.owner == then.owner:
            return "surrender to the lieutenant (PW Morale Chart)"
    if now.life is not was.life:
        return "" if was.swims else _LIVES[now.life]  # the roll tells who was eaten
    if now.swims and not was.swims:
        return "are in the water"
    if now.at_studs is not None:
        x, y = now.at_studs
        return f"swim to {x:.1f},{y:.1f} (PW Moving)" if now.at_studs != was.at_studs else ""
    if now.ship != was.ship and now.ship is not None:
        return f"go aboard {after.called(now.ship)}"
    if now.spot != was.spot:
        where = f"gun{now.gun}" if now.place is ShipPlace.GUN else f"the {spoken(now.place.value)}"
        return f"go to {where} (PW Moving)"
    return ""


_CAUSES = {
    MoraleCause.ADRIFT: "being adrift",
    MoraleCause.BOARDING: "a lost boarding",
    MoraleCause.CAPTAIN: "its dead captain",
    MoraleCause.HALF_CREW: "the loss of half of its crew",
}


def roll_clause(before: State, outcome: Outcome) -> Clause:
    """Return what was rolled for, and what the dice show."""
    roll, shown = before.first_pending, tuple(map(int, outcome))  # type: ignore[arg-type]
    face, minifigs = shown[0], before.setting.minifigs
    match roll:
        case InitiativeRoll():
            player = before.setting.players[roll.tied[len(roll.scores)]]
            return Clause(INITIATIVE, f"{agreed(spoken(player), 'roll')} {face}")
        case GunRoll():
            return Clause(before.called(roll.ship), _gun(before, roll, shown))
        case MusketRoll():
            (ship, name), aim = minifig_name(before, roll.minifig), before.called(roll.target)
            text = f"{spoken(name)} shoots at {aim}: {'hit' if face else 'missed'} (PW Firing)"
            return Clause(ship, text)
        case CriticalRoll():
            effect = tasks_chart().critical[face - 1]
            text = f"a critical hit, {face}: the {effect} (PW Critical Hit Chart)"
            return Clause(before.called(roll.ship), text)
        case BoardingRoll():
            own = roll.attacker if roll.face is None else roll.defender
            return Clause(before.called(own), f"{_fight(before, roll, face)} (PW Boarding)")
        case morale.MoraleRoll():
            return Clause(before.called(roll.ship), _morale(before, roll.ship, face))
        case _:
            assert isinstance(roll, morale.SharkRoll)
            result = "is eaten" if face >= morale.EATEN_FROM else "escapes"
            name = spoken(minifigs[roll.minifig].name)
            return Clause("sharks", f"{name} {result} with {face} (PW Morale)")


def _gun(before: State, roll: GunRoll, shown: tuple[int, ...]) -> str:
    hits, _, sixes = shown
    what = f"gun{roll.gun} fires {roll.ammunition.value} at {before.called(roll.target)}"
    remark = f", {counted(sixes, 'six', 'sixes')}" if sixes == sum(shown) else ""
    if hits and roll.ammunition is Ammunition.SHOT and rakes(before, roll.ship, roll.target):
        remark = ", doubled by raking"
    return f"{what}: {hits} of {sum(shown)} hit{remark} (PW Firing)"


def _fight(before: State, roll: BoardingRoll, face: int) -> str:
    """Return the die of a side in a round of boarding; after the second one also what both lose."""
    sides = (roll.attacker, roll.defender)
    own, other = sides if roll.face is None else sides[::-1]
    strengths = strength(before, own), strength(before, other)
    busy = sum(number in before.working for number in fighters(before, own))  # PW Tasks
    at_work = f" ({counted(busy, 'minifig')} of its own at other tasks)" if busy else ""
    with_what = f"{strengths[0]} against {strengths[1]}{at_work}"
    text = f"fights {before.called(other)} with {with_what} and rolls {face}"
    if roll.face is None:
        return text
    lost = losses((roll.face, face), strengths[::-1])
    both = (
        f"{before.called(ship)} loses {counted(min(count, len(fighters(before, ship))), 'minifig')}"
        for ship, count in zip(sides, lost, strict=True)
    )
    return f"{text}: {' and '.join(both)}"


def _morale(before: State, ship: int, face: int) -> str:
    highest = morale.target(before, ship)
    why = " and ".join(_CAUSES[cause] for cause in morale.causes(before, ship)) or "its return"
    result = "passes" if morale.is_passed(face, highest) else "fails"
    holding = morale.holding_faces_text(highest)
    return f"tests its morale for {why} and {result}: {face}, where {holding} (PW Morale)"
