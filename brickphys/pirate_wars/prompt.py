"""Prompt: what a player is asked for, what typed shots mean, and the odds of what is ordered.

Of an enemy that is named alone, the shots that can hit it are listed, or why none can (PW Firing). The dice of shots
and boardings come after all orders are written; forecasts give their odds before.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain

from brickphys.geometry.polygon import TOLERANCE
from brickphys.odds.law import RollLaw
from brickphys.pirate_wars import firing
from brickphys.pirate_wars.boarding import BoardingOrder, Scuttle, StrikeBack, all_losses, strength
from brickphys.pirate_wars.damage import fighters
from brickphys.pirate_wars.orders import (
    commanded,
    gap_studs,
    ship_problem,
    takes_orders,
    target_problem,
)
from brickphys.pirate_wars.sheets import Ammunition
from brickphys.pirate_wars.state import Boarding, Order, Phase, State
from brickphys.pirate_wars.tasks import ORDERS, Done, Haul, sailing_hands
from brickphys.rules.names import Names, Readings, meant, names_text
from brickphys.rules.record import Forecast
from brickphys.rules.words import Action, without_problems
from brickphys.text import counted, spoken


def turn_prompt(state: State) -> str:
    """Return what the phase asks for, where no question is pending."""
    if state.phase is Phase.TASKS:
        return "; ".join(_tasks(state))
    if state.active is None:
        return "your next ship"
    name = state.called(state.active)
    if state.phase is Phase.FALLING_OFF:
        asks = f"does {name} fall off with the wind? 0 keeps the heading"
    else:
        ends = "goes on" if state.left_studs else "ends its move"
        asks = f"{name} turns up to {state.may_turn_deg:g} degrees, then {ends}"
    return f"{asks}{_ranges(state, state.active)}"


def _ranges(state: State, ship: int) -> str:
    """Return how far the nearest enemy of a ship is, and how far its guns reach that can fire."""
    enemies = (number for number, _ in state.enemies(state.ships[ship].owner))
    gaps = [(gap_studs(state, ship, one), state.called(one)) for one in enemies]
    if not gaps:
        return ""
    guns = firing.ready_guns(state, ship) if takes_orders(state, ship) else ()
    reach = sorted({firing.cannon(state, ship, gun, Ammunition.BALL).range_studs for gun in guns})
    reaches = f"guns reach {' to '.join(f'{studs:g}' for studs in reach)}"
    far, name = min(gaps)
    return f"; {name} is {round(far, 1):.3g} studs away, {reaches if reach else 'no gun is ready'}"


def _tasks(state: State) -> Iterator[str]:
    """Yield which orders the player has written, and which sails will be lost."""
    own = [order for order in state.orders if state.writer(order) == state.player]
    last = [spoken(ORDERS[one.task].of(state, one).text()) for one in own[-1:]]
    which = ", the last: " if len(own) > 1 else ": "
    yield f"{counted(len(own), 'order')} written{''.join(which + one for one in last)}"
    board = [order.ship for order in state.orders if order.task == BoardingOrder.word]
    for ship in commanded(state):
        hands, sails = sailing_hands(state, ship), state.ships[ship].sails
        name = state.called(ship)
        if not state.ships[ship].hull:
            yield f"{name} sinks at the end of the phase, with half of those aboard: who jumps is in the water"
        elif hands < sails and ship not in board:
            yield f"{name} has hands for {hands} of {counted(sails, 'sail')}, and will lose the rest"
    if enemy := _out_of_reach(state):
        yield f"no {'other ' if own else ''}shot can hit (ask: why attack {enemy})"
    yield "your next one or done"


def _out_of_reach(state: State) -> str:
    """Return the name of an enemy where ships can be given orders, but none of their shots can hit anybody."""
    shots = chain[firing.Fire | firing.Shoot](firing.Fire.legal(state), firing.Shoot.legal(state))
    if next(commanded(state), None) is None or next(shots, None) is not None:
        return ""
    return next((state.ship_name(ship) for ship, _ in state.enemies(state.player)), "")


def unlisted(state: State) -> Iterator[Haul | Scuttle]:
    """Yield the legal orders to haul a gun or to scuttle a ship that the list leaves out, which is for bots too."""
    if state.phase is not Phase.TASKS:
        return
    hauls = (
        Haul(state.ship_name(ship), gun)
        for ship in commanded(state)
        for gun in range(len(state.ships[ship].guns))
    )
    own = (number for number, ship in state.afloat if ship.owner == state.player)
    scuttles = (Scuttle(state.ship_name(number)) for number in own)
    listed = {*Haul.legal(state), *Scuttle.legal(state)}
    legal = without_problems(state, chain[Haul | Scuttle](hauls, scuttles))
    yield from (order for order in legal if order not in listed)


_Kinds = Collection[type[firing.Fire | firing.Shoot]]
_KINDS: Mapping[str, _Kinds] = {
    StrikeBack.word: (firing.Fire, firing.Shoot),
    firing.Fire.word: (firing.Fire,),
    firing.Shoot.word: (firing.Shoot,),
}
"""The words after which the name of an enemy alone means shots at it."""


def shots_meant(state: State, names: Names, text: str) -> Readings | None:
    """Return the shots at an enemy that a person means, or why none can hit it; None for words that mean none.

    Words that mean some are the name of the enemy or of a minifig on it, alone or after such a word, and where there is
    only one enemy, the word alone.
    """
    word, _, name = text.partition(" ")
    kinds = _KINDS.get(word.lower())
    if name or kinds is None:
        named = _ships(state, meant(names, text if kinds is None else name))
    else:
        named = [state.ship_name(ship) for ship, _ in state.enemies(state.player)]
    if len(named) != 1 or named[0] not in state.setting.ship_numbers:
        return None
    if problem := target_problem(state, state.setting.ship_numbers[named[0]]):
        return Readings((), why=problem)
    kinds = kinds or (firing.Fire, firing.Shoot)
    shots = [one.text() for kind in kinds for one in kind.legal(state) if one.target == named[0]]
    return Readings(tuple(shots), why="" if shots else no_shot(state, named[0], kinds))


def _ships(state: State, names: Iterable[str]) -> list[str]:
    """Return names with those of minifigs of others replaced by the ships on which they are, each once."""
    found = dict[str, None]()
    for name in names:
        number = state.setting.minifig_numbers.get(name)
        aboard = None if number is None else state.minifigs[number].ship
        if number is not None and aboard is not None and state.commander(number) != state.player:
            name = state.ship_name(aboard)
        found[name] = None
    return list(found)


def no_shot(state: State, target: str, kinds: _Kinds) -> str:
    """Return why no shot of some types would hit a ship, for each ship of the player; equal reasons once."""
    found = list[str]()
    for ship, now in state.afloat:
        if now.owner != state.player:
            continue
        own = state.ship_name(ship)
        if fault := ship_problem(state, ship):
            found.append(fault)
            continue
        name = spoken(own)
        if firing.Fire in kinds and (guns := _reasons(_guns(state, ship, target))):
            found.append(f"cannons of {name}: {guns}")
        if firing.Shoot in kinds and (crew := _reasons(_crew(state, ship, target))):
            found.append(f"muskets and pistols of {name}: {crew}")
    return "; ".join(found) or "no ship of yours has anything to shoot with (PW Firing)"


def _guns(state: State, ship: int, target: str) -> Iterator[tuple[str, str]]:
    """Yield the guns of a ship, each with the reason why its ball does not hit the target."""
    own, enemy = state.ship_name(ship), state.setting.ship_numbers[target]
    far = gap_studs(state, ship, enemy)
    for gun in range(len(state.ships[ship].guns)):
        shot = firing.Fire(own, gun, Ammunition.BALL, target)
        reach = firing.cannon(state, ship, gun, Ammunition.BALL).range_studs
        if far > reach + TOLERANCE:
            away = f"{spoken(target)} is {far:.4g} studs away"
            yield f"gun{gun}", f"{away}, but ball reaches only {reach:g} (PW Firing)"
        elif problem := next(shot.problems(state), ""):
            yield f"gun{gun}", problem
        elif waste := shot.waste(state):
            yield f"gun{gun}", f"{waste}, and fires straight along its barrel (PW Firing)"


def _crew(state: State, ship: int, target: str) -> Iterator[tuple[str, str]]:
    """Yield the minifigs of a ship with a musket or pistol, each with the reason why it does not hit the target."""
    for number in state.crews[ship]:
        spec = state.setting.minifigs[number]
        if spec.weapon is None:
            continue
        shot = firing.Shoot(spec.name, target)
        if waste := shot.waste(state):
            yield spec.name, f"{waste} (PW Firing)"
        elif problem := next(shot.problems(state), ""):
            yield spec.name, problem


def _reasons(whys: Iterable[tuple[str, str]]) -> str:
    """Return reasons, each once with all guns or minifigs that it is about."""
    groups: dict[str, list[str]] = {}
    for name, why in whys:
        groups.setdefault(re.sub(rf"\b{re.escape(name)}\b", "{}", why), []).append(name)
    pairs = ((why, names_text(names), len(names)) for why, names in groups.items())
    return "; ".join(
        why.format(f"each of {names}" if count > 1 else names) for why, names, count in pairs
    )


def forecasts(state: State, action: Action[State], brick_law: RollLaw) -> Sequence[Forecast] | None:
    """Return the odds of a shot or a boarding, or of all that follow the player's orders; None where there is none.

    Each is of the ships as they are now: of a shot its hits, and that the hull loses a line; of a boarding its round.
    """
    if isinstance(action, firing.Fire | firing.Shoot):
        return [_shot(state, action, action.text(), brick_law)]
    if isinstance(action, BoardingOrder):
        return [_round(state, Boarding(*action.things(state)), action.text())]
    if not isinstance(action, Done):
        return None
    orders = [order for order in state.orders if state.writer(order) == state.player]
    shots = (
        _shot(state, one, f"{action.text()}: {one.text()}", brick_law)
        for one in (ORDERS[order.task].of(state, order) for order in orders)
        if isinstance(one, firing.Fire | firing.Shoot)
    )
    return [*shots, *_rounds(state, orders, action.text())] or None


def _rounds(state: State, orders: Iterable[Order], text: str) -> Iterator[Forecast]:
    """Yield the odds of each boarding of the player: those that go on, and those that are ordered."""
    after = state
    for order in orders:
        if order.task == BoardingOrder.word:
            after = BoardingOrder.deed(after, **order.given)
    for one in after.boardings:
        if state.player in (state.ships[ship].owner for ship in one.ships):
            words = BoardingOrder(*map(state.ship_name, one.ships)).text()
            yield _round(state, one, f"{text}: {words}")


def _round(state: State, boarding: Boarding, text: str) -> Forecast:
    """Return who wins a round of boarding, or who is destroyed by it (PW Boarding)."""
    names = [state.called(ship) for ship in boarding.ships]
    crews = [len(fighters(state, ship)) for ship in boarding.ships]
    if not all(crews):
        why = f"{names[crews.index(0)]} has no crew"
        return Forecast(text, why, {"taken without dice": Fraction(1)}, {})
    sums = strength(state, boarding.attacker), strength(state, boarding.defender)
    table = all_losses(sums)
    found = Counter(_result(lost, crews, names) for lost in table)
    sides = ", ".join(
        f"{name} with {crew} loses {min(column)} to {max(column)}"
        for name, crew, column in zip(names, crews, zip(*table, strict=True), strict=True)
    )
    what = f"a round of boarding, {sums[0]} against {sums[1]}, {sides}"
    outcomes = {words: Fraction(n, len(table)) for words, n in found.items()}
    # the attacker wins if it is left, and the defender is destroyed or has lost more
    won = sum(own < crews[0] and (lost >= crews[1] or own < lost) for own, lost in table)
    return Forecast(text, what, outcomes, {}, {f"{names[0]} wins": Fraction(won, len(table))})


def _result(lost: tuple[int, int], crews: Sequence[int], names: Sequence[str]) -> str:
    """Return what comes of a round in which the attacker and the defender lose so many."""
    gone = [name for name, n, crew in zip(names, lost, crews, strict=True) if n >= crew]
    if gone:
        return f"{' and '.join(gone)} destroyed"
    return "equal" if lost[0] == lost[1] else f"{names[lost[0] > lost[1]]} wins"


def _shot(
    state: State, shot: firing.Fire | firing.Shoot, text: str, brick_law: RollLaw
) -> Forecast:
    given = shot.order(state).given
    after = shot.deed(state, **given)
    roll, target = after.first_pending, given["target"]
    if not isinstance(roll, firing.GunRoll | firing.MusketRoll) or roll.lapses(after):
        return Forecast(text, shot.waste(state), {"wasted": Fraction(1)}, {})
    event, settled = roll.event(after), after.pop_pending()
    outcomes, holed, sunk = dict[str, Fraction](), Fraction(0), Fraction(0)
    for outcome, chance in event.law(brick_law).items():
        words = counted(int(outcome[0]), "hit")  # type: ignore[index]
        outcomes[words] = outcomes.get(words, Fraction(0)) + chance
        hull = roll.settle(settled, outcome).ships[target].hull
        holed += chance * (hull < state.ships[target].hull)
        sunk += chance * (hull <= 0)
    losses = {f"HF of {state.ship_name(target)}": holed} if holed else {}
    strikes = {"hit": 1 - outcomes["0 hits"], **({"sink": sunk} if sunk else {})}
    what = f"{counted(event.dice, 'die', 'dice')}, {firing.hits_text(dict(event.classes)['hits'])}"
    return Forecast(text, what, outcomes, losses, strikes)
