"""Replies: what bots answer to the questions of a battle: whom to lose, who crosses, what a crew that despairs does."""

from collections.abc import Callable, Mapping

from brickphys.pirate_wars.boarding import (
    Cross,
    Crossing,
    EndCrossing,
    Flee,
    Riposte,
    StrikeBack,
    full_strength,
)
from brickphys.pirate_wars.damage import Casualty, GunLoss, Lose, LoseGun
from brickphys.pirate_wars.morale import (
    EffectQuestion,
    MoraleEffect,
    Suffer,
    causes,
    effects_of_gravest,
)
from brickphys.pirate_wars.orders import strike
from brickphys.pirate_wars.sheets import Role
from brickphys.pirate_wars.state import LOADED, SAILING_PLACES, State
from brickphys.rules.words import Action

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


def _crossed(state: State) -> Cross | EndCrossing:
    """Return who goes aboard: into a fight nobody, to a prize the hands whom its sails want and the own can spare."""
    question = state.awaited(Crossing)
    ship, prize = question.attacker, question.defender
    if state.ships[prize].owner != state.ships[ship].owner:
        return EndCrossing()
    own, there = state.crews[ship], state.crews[prize]
    hands = [one for one in own if state.setting.minifigs[one].sheet.sails]
    spare = len(own) - 1 - state.ships[ship].sails
    wanted = state.ships[prize].sails + 1 - len(there)
    if there and (wanted <= 0 or spare <= 0):
        return EndCrossing()
    goes = min(hands or own, key=lambda one: (hand_value(state, one), one))
    return Cross(state.minifig_name(goes))


def _struck(state: State) -> StrikeBack | Flee:
    """Return that a defender who has won attacks if its crew is as strong as the other one."""
    question = state.awaited(Riposte)
    own, its = (full_strength(state, ship) for ship in (question.defender, question.attacker))
    return StrikeBack() if own >= its else Flee()


def _suffered(state: State) -> Suffer:
    found = effects_of_gravest(causes(state, state.awaited(EffectQuestion).ship))
    return Suffer(min(found, key=_MILDEST.index))


_REPLIES: Mapping[type, Callable[[State], Action[State]]] = {
    Casualty: _lost,
    GunLoss: _lost_gun,
    Crossing: _crossed,
    Riposte: _struck,
    EffectQuestion: _suffered,
}
