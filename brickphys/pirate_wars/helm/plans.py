"""Plans: what bots do with a ship in a turn: its course, how it falls off, and the orders of its crew."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import dist

from brickphys.odds.law import RollLaw
from brickphys.pirate_wars import boarding, sailing
from brickphys.pirate_wars.damage import Casualty, GunLoss, Lose, LoseGun
from brickphys.pirate_wars.firing import enemy_aim, in_musket_range, ready_guns
from brickphys.pirate_wars.helm.contact import marines
from brickphys.pirate_wars.helm.courses import (
    SEA_TURNS,
    Outlook,
    courses,
    errands,
    lee_loss,
    meeting_turns,
)
from brickphys.pirate_wars.helm.stations import Deed, deeds, swims
from brickphys.pirate_wars.morale import (
    EffectQuestion,
    MoraleEffect,
    Suffer,
    causes,
    effects_of_gravest,
)
from brickphys.pirate_wars.orders import strike, takes_orders, touched
from brickphys.pirate_wars.sheets import Role
from brickphys.pirate_wars.state import LOADED, SAILING_PLACES, Phase, State
from brickphys.pirate_wars.tasks import Done
from brickphys.pirate_wars.worth import leapt_studs, ship_nearness
from brickphys.rules.plans import HOLDS, Effort, Plan
from brickphys.rules.words import Action
from brickphys.text import counted

ShipPlan = Plan[Action[State]]
_MOST_PLANS = 8


class PirateThinker:
    """Finds the plans of a battle; see `brickphys.rules.plans.Thinker`."""

    def __init__(self, law: RollLaw) -> None:
        self._law = law

    def is_open(self, state: State) -> bool:
        """Whether a ship is about to move or to fall off, orders are to be written, or a question is asked."""
        if state.pending:
            return reply(state) is not None
        if state.winners is not None or state.turn >= len(state.order):
            return False
        return state.phase in (Phase.MOVEMENT, Phase.FALLING_OFF, Phase.TASKS)

    def plans(self, state: State, effort: Effort) -> Sequence[ShipPlan]:
        """Return the plans of the player whose turn it is, the best first."""
        if state.pending:
            answer = reply(state)
            return [] if answer is None else [Plan("", "", (answer,), 0.0)]
        if state.phase is Phase.TASKS:
            return _task_plans(state)
        if state.phase is Phase.FALLING_OFF:
            return _fall_plans(state, effort)
        if state.active is not None:
            return _course_plans(state, state, state.active, (), effort)
        found = [
            plan
            for ship in sailing.due_ships(state)
            for plan in _course_plans(
                state,
                sailing.begin_move(state, ship),
                ship,
                (sailing.ChooseShip(state.ship_name(ship)),),
                effort,
            )
        ]
        return sorted(found, key=lambda plan: -plan.worth)


def _course_plans(
    chosen: State, state: State, ship: int, before: tuple[Action[State], ...], effort: Effort
) -> list[ShipPlan]:
    """Return the courses of a ship, given the states before and after its first leap, and the actions between."""
    if state.active != ship:
        why = _told(HOLDS, purpose(Outlook(chosen, ship), chosen, state, state))
        return [Plan(state.called(ship), why, before, 0.0)]
    found = courses(state, ship, effort)
    look = Outlook(state, ship, depth=effort.level.depth)
    values = look.values([course.end for course in found])
    best = list(_best(look, [course.end for course in found], values, effort))
    held_end = found[0].end
    held = values[0] - look.losses(held_end)
    plans = [
        Plan(
            state.called(ship),
            purpose(look, state, held_end, found[index].end) or "sails on",
            (*before, *found[index].swings),
            value - held,
        )
        for value, index in best
        if index
    ]
    why = _told(HOLDS, purpose(look, state, held_end, held_end))
    plans.append(Plan(state.called(ship), why, (*before, *found[0].swings), 0.0))
    return sorted(plans, key=lambda plan: -plan.worth)


def _best(
    look: Outlook, ends: Sequence[State], values: Sequence[float], effort: Effort
) -> Iterator[tuple[float, int]]:
    """Yield the best ends with their worth: what takes long is worked out only for those that may be among them."""
    queue = [(-value, index, False) for index, value in enumerate(values)]
    heapify(queue)
    for number in range(_MOST_PLANS):
        if number and effort.is_over:
            return
        while queue:
            value, index, is_known = heappop(queue)
            if is_known:
                yield -value, index
                break
            effort.spend()
            heappush(queue, (value + look.losses(ends[index]), index, True))


def _fall_plans(state: State, effort: Effort) -> list[ShipPlan]:
    """Return how the ship whose turn it is may fall off."""
    ship = state.active
    assert ship is not None
    falls = sorted(sailing.FallOff.legal(state), key=lambda fall: abs(fall.angle_deg))
    ends = [fall.apply(state) for fall in falls]
    effort.spend(len(ends))
    look = Outlook(state, ship, depth=effort.level.depth)
    values = look.values(ends)
    held = values[0] - look.losses(ends[0])
    why = _told(HOLDS, purpose(look, ends[0], ends[0], ends[0]))
    plans: list[ShipPlan] = [Plan(state.called(ship), why, (falls[0],), 0.0)]
    for value, index in _best(look, ends, values, effort):
        if index:
            why = _told("falls off", purpose(look, ends[0], ends[0], ends[index]))
            plans.append(Plan(state.called(ship), why, (falls[index],), value - held))
    return sorted(plans, key=lambda plan: -plan.worth)


def _told(what: str, why: str) -> str:
    """Return what a ship does, and what comes of it, if there is anything to tell."""
    return f"{what}, {why}" if why else what


def _task_plans(state: State) -> list[ShipPlan]:
    """Return the orders that a player may write: of one ship after the other, then no more."""
    ordered = {order.ship for order in state.orders}
    plans = list[ShipPlan]()
    for ship, now in state.afloat:
        if now.owner == state.player and ship not in ordered:
            plans += (_deed_plan(state.called(ship), deed) for deed in deeds(state, ship)[:3])
    plans += (_deed_plan("", deed) for deed in swims(state))
    plans.sort(key=lambda plan: -plan.worth)
    return [*plans, Plan("", HOLDS, (Done(),), 0.0)]


def _deed_plan(unit: str, deed: Deed) -> ShipPlan:
    return Plan(unit, deed.purpose, deed.orders, deed.worth)


_NEARER_STUDS, _LESS_LEE = 1.0, 0.01
"""Least changes of a way, and of the loss at the border to leeward, that are told."""


def purpose(look: Outlook, before: State, held: State, end: State) -> str:
    """Return what a course is for: the first that is true of what it meets, what it can hit, the sea, and its way.

    Empty if there is nothing to tell. The way to others is compared with that before; `held` and `end` are what comes
    of holding and of the course.
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
    if hit := sailing.newly_lashed(look.state, end, ship):
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
    if not held.ships[ship].is_afloat or not sailing.stays_on_sea(held, ship, SEA_TURNS):
        if sailing.stays_on_sea(end, ship, SEA_TURNS):
            yield "stays on the sea"
    elif lee_loss(end, ship) < lee_loss(held, ship) - _LESS_LEE:
        yield "keeps off the lee shore"
    if sailing.is_in_irons(held, ship) and not sailing.is_in_irons(end, ship):
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


_LEADS, _ARMED, _SAILS, _MANS = 3.0, 0.1, 1.0, 0.1
"""What a captain, by whose Attack morale is tested, a weapon, a sail and a gun that want him add to the Melee of who is
asked for as a casualty."""
_SEES_STUDS = 40.0
_MILDEST = (MoraleEffect.FLEE, MoraleEffect.MUTINY, MoraleEffect.ABANDON, MoraleEffect.SURRENDER)
"""Effects of despair, the mildest first: who flees may return, and who abandons a ship gives it to nobody yet."""


def reply(state: State) -> Action[State] | None:
    """Return the answer to the question that is asked; None if it is none of those that are known here."""
    question = state.first_pending
    known = _REPLIES.get(type(question))
    return None if known is None else known(state)


def hand_value(state: State, minifig: int) -> float:
    """Return what a minifig is worth where it stands, in Melee: in a fight, at the sails, at a gun."""
    spec, now = state.setting.minifigs[minifig], state.minifigs[minifig]
    value = float(spec.sheet.melee)
    if spec.role is Role.CAPTAIN:
        value += _LEADS
    if spec.weapon:
        value += _ARMED * (2.0 if now.is_loaded else 1.0)
    if now.ship is None:
        return value
    ship = state.ships[now.ship]
    if spec.sheet.sails and now.place in SAILING_PLACES:
        hands = sum(
            state.setting.minifigs[one].sheet.sails and state.minifigs[one].place in SAILING_PLACES
            for one in state.crews[now.ship]
        )
        value += _SAILS if hands <= ship.sails else 0.0
    if now.gun is not None and len(state.gunners(now.ship, now.gun)) == 1:
        value += _MANS * (3.0 if ship.guns[now.gun].loads >= LOADED else 2.0)
    return value


def _lost(state: State) -> Lose:
    question = state.awaited(Casualty)
    least = min(question.candidates(state), key=lambda one: (hand_value(state, one), one))
    return Lose(state.minifig_name(least))


def _lost_gun(state: State) -> LoseGun:
    """Return the gun that is worth least: that points at nobody, without a crew or a load."""
    ship = state.awaited(GunLoss).ship
    guns = state.ships[ship].guns

    def value(gun: int) -> tuple[bool, int, int]:
        crew = len(state.gunners(ship, gun))
        return strike(state, ship, gun, _SEES_STUDS) is not None, -crew, guns[gun].loads

    left = [gun for gun, now in enumerate(guns) if not now.is_lost]
    return LoseGun(min(left, key=lambda gun: (value(gun), gun)))


def _crossed(state: State) -> boarding.Cross | boarding.EndCrossing:
    """Return who goes aboard: into a fight nobody, to a prize the hands whom its sails want and the own can spare."""
    question = state.awaited(boarding.Crossing)
    ship, prize = question.attacker, question.defender
    if state.ships[prize].owner != state.ships[ship].owner:
        return boarding.EndCrossing()
    own, there = state.crews[ship], state.crews[prize]
    hands = [one for one in own if state.setting.minifigs[one].sheet.sails]
    spare = len(own) - 1 - state.ships[ship].sails
    wanted = state.ships[prize].sails + 1 - len(there)
    if there and (wanted <= 0 or spare <= 0):
        return boarding.EndCrossing()
    goes = min(hands or own, key=lambda one: (hand_value(state, one), one))
    return boarding.Cross(state.minifig_name(goes))


def _struck(state: State) -> boarding.StrikeBack | boarding.Flee:
    """Return that a defender who has won attacks if its crew is as strong as the other one."""
    question = state.awaited(boarding.Riposte)
    own, its = (
        boarding.full_strength(state, ship) for ship in (question.defender, question.attacker)
    )
    return boarding.StrikeBack() if own >= its else boarding.Flee()


def _suffered(state: State) -> Suffer:
    found = effects_of_gravest(causes(state, state.awaited(EffectQuestion).ship))
    return Suffer(min(found, key=_MILDEST.index))


_REPLIES: Mapping[type, Callable[[State], Action[State]]] = {
    Casualty: _lost,
    GunLoss: _lost_gun,
    boarding.Crossing: _crossed,
    boarding.Riposte: _struck,
    EffectQuestion: _suffered,
}
