"""Morale: tests of morale, crews that abandon ship, surrender, flee or mutiny, and sharks (PW Morale)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain
from math import inf
from typing import Annotated

from brickphys.pirate_wars.boarding import break_off, capture
from brickphys.pirate_wars.damage import captain, imprison, is_pirate_captain, kill, overboard
from brickphys.pirate_wars.orders import in_contact, is_within
from brickphys.pirate_wars.setting import MinifigNumber, ShipNumber
from brickphys.pirate_wars.sheets import Role, data, minifigs
from brickphys.pirate_wars.state import Fate, MoraleCause, OwnerQuestion, State
from brickphys.rules.moves import OptionAnswer, OptionQuestion
from brickphys.rules.turn_state import DieRoll
from brickphys.rules.words import one_of
from brickphys.text import spoken

EATEN_FROM = 5
"""The least roll at which a minifig is eaten."""


@dataclass(frozen=True, slots=True)
class SharkRoll(DieRoll[State]):
    """The roll for a minifig in the water; a pirate captain is spared while another pirate of his side is there."""

    minifig: MinifigNumber

    def lapses(self, state: State) -> bool:
        return not state.minifigs[self.minifig].swims or is_spared(state, self.minifig)

    def reason(self, state: State) -> str:
        return f"sharks near {spoken(state.minifig_name(self.minifig))}"

    def rolled(self, state: State, face: int) -> State:
        return kill(state, self.minifig) if face >= EATEN_FROM else state


def is_spared(state: State, minifig: int) -> bool:
    """Tell whether sharks spare him.

    He is a pirate captain, and another pirate of his team who is not a captain is in the water.
    """
    setting = state.setting
    team = setting.minifig_teams[minifig]
    return is_pirate_captain(state, minifig) and any(
        setting.is_pirate(other)
        and setting.minifig_teams[other] == team
        and not is_pirate_captain(state, other)
        for other in state.swimmers()
    )


def shark_rolls(state: State) -> list[SharkRoll]:
    """Return the rolls of a turn: captains of pirates come last."""
    captains_last = sorted(state.swimmers(), key=lambda number: is_pirate_captain(state, number))
    return list(map(SharkRoll, captains_last))


_MOST_TARGET = 5
"""The highest target number: a 6 always fails (PW Introduction)."""
_OFFICERS = (Role.CAPTAIN, Role.LIEUTENANT)


class MoraleEffect(Enum):
    """What a failed test of morale brings."""

    ABANDON = "abandon"
    """The crew takes to the water."""
    SURRENDER = "surrender"
    FLEE = "flee"
    MUTINY = "mutiny"


@lru_cache
def morale_chart() -> dict[MoraleCause, tuple[int, tuple[MoraleEffect, ...]]]:
    """Return for each cause its modifier and the effects of a failure to choose from (PW, Morale Chart)."""
    return {
        MoraleCause(name): (row["modifier"], tuple(map(MoraleEffect, row["effects"])))
        for name, row in data("charts")["morale"].items()
    }


@dataclass(frozen=True, slots=True)
class MoraleRoll(DieRoll[State]):
    """The test of a crew: it has causes in this turn, or fled in the last one and may return."""

    ship: ShipNumber

    def problems(self, state: State) -> list[str]:
        return [] if self.ship in _tested(state) else ["ship: it has no cause for a morale test"]

    def lapses(self, state: State) -> bool:
        return not (state.ships[self.ship].is_afloat and state.crews[self.ship])

    def reason(self, state: State) -> str:
        return (
            f"morale of {state.called(self.ship)}, {holding_faces_text(target(state, self.ship))}"
        )

    def rolled(self, state: State, face: int) -> State:
        """Let a crew that fled return, or one that fails suffer the effect of its gravest cause."""
        if is_passed(face, target(state, self.ship)):
            is_back = is_return_due(state, self.ship)
            return state.change_ship(self.ship, fled_round=0) if is_back else state
        effects = effects_of_gravest(causes(state, self.ship))
        if len(effects) > 1:
            return state.push_pending(EffectQuestion(self.ship))
        return suffer(state, self.ship, effects[0]) if effects else state


def target(state: State, ship: int) -> int:
    """Return the target number of a test: the highest Attack of the crew aboard, with the modifiers of all causes."""
    best = max(state.setting.minifigs[number].attack for number in state.crews[ship])
    return target_number(best, causes(state, ship))


def target_number(attack: int, all_causes: Collection[MoraleCause]) -> int:
    """Return `attack` plus the modifiers of all causes, at most 5: a 6 always fails."""
    return min(attack + sum(morale_chart()[cause][0] for cause in all_causes), _MOST_TARGET)


def holding_faces_text(highest: int) -> str:
    """Return in words at which faces a crew holds, given the highest of them: the target number."""
    return f"{highest} or less holds" if highest > 0 else "nothing holds"


def is_passed(face: int, highest: int) -> bool:
    """Tell whether a roll passes a test, given its target number."""
    return face <= highest


def causes(state: State, ship: int) -> list[MoraleCause]:
    """Return why a crew is tested in this turn."""
    return [cause for number, cause in state.causes if number == ship]


def effects_of_gravest(all_causes: Collection[MoraleCause]) -> list[MoraleEffect]:
    """Return the effects of the causes with the lowest modifier, each once, in the order of the chart."""
    found = [row for cause, row in morale_chart().items() if cause in all_causes]
    lowest = min((modifier for modifier, _ in found), default=0)
    effects = chain.from_iterable(effects for modifier, effects in found if modifier == lowest)
    return list(dict.fromkeys(effects))


def is_return_due(state: State, ship: int) -> bool:
    """Tell whether the crew of a ship fled in the last turn: it may return now."""
    fled_round = state.ships[ship].fled_round
    return fled_round > 0 and state.round == fled_round + 1


def morale_rolls(state: State) -> list[MoraleRoll]:
    """Return the tests of a turn, in the order of initiative (ours).

    A crew that surrenders may hand its ship to a crew that fails right after it; so no seat is always tested first.
    """
    tested = sorted(_tested(state))
    return [
        MoraleRoll(ship)
        for player in state.order
        for ship in tested
        if state.ships[ship].owner == player
    ]


def _tested(state: State) -> set[int]:
    returning = (number for number, _ in state.afloat if is_return_due(state, number))
    return {number for number, _ in state.causes}.union(returning)


_EFFECT = one_of("effect (abandon, surrender, flee or mutiny)", MoraleEffect)


@dataclass(frozen=True, slots=True)
class Suffer(OptionAnswer[State]):
    """What a failed test brings, where the chart leaves a choice or several causes are equally grave."""

    word = "suffer"
    section = "PW Morale"
    effect: Annotated[MoraleEffect, _EFFECT]

    def refusals(self, state: State, effect: MoraleEffect) -> Iterator[str]:
        effects = effects_of_gravest(causes(state, state.awaited(EffectQuestion).ship))
        if effect not in effects:
            words = " or ".join(each.value for each in effects)
            yield f"{effect.value} is not an effect of the gravest causes: {words}"


@dataclass(frozen=True, slots=True)
class EffectQuestion(OwnerQuestion, OptionQuestion[State]):
    """The question which of several effects a crew suffers: its owner chooses."""

    answers = (Suffer,)
    asks = "the crew of {ship} despairs: what does it do?"
    ship: ShipNumber

    def problems(self, state: State) -> list[str]:
        several = len(effects_of_gravest(causes(state, self.ship))) > 1
        return [] if several else ["ship: its gravest causes have one effect"]

    def options(self, state: State) -> Iterable[tuple[MoraleEffect]]:
        return ((effect,) for effect in effects_of_gravest(causes(state, self.ship)))

    def answered(self, state: State, effect: MoraleEffect) -> State:
        return suffer(state, self.ship, effect)


def suffer(state: State, ship: int, effect: MoraleEffect) -> State:
    """Return the state after a failed test."""
    match effect:
        case MoraleEffect.ABANDON:
            return abandon(state, ship)
        case MoraleEffect.SURRENDER:
            return surrender(state, ship)
        case MoraleEffect.FLEE:
            return flee(state, ship)
        case MoraleEffect.MUTINY:  # the crew mutinies and flees (PW, Morale Chart)
            for number in officers(state, ship):
                state = overboard(state, number)
            return flee(state, ship)


def abandon(state: State, ship: int) -> State:
    """Return the state in which a crew is in the water, and its hull a prize: who has boarded it takes it at once."""
    attackers = [one.attacker for one in state.boardings if one.defender == ship]
    is_boarded = any(state.boarders(ship))
    if not is_boarded:  # a boarding of which nobody is aboard yet ends
        state = break_off(state, ship)
    for number in state.crews[ship]:
        state = overboard(state, number)
    if is_boarded and attackers:
        return capture(state, ship, attackers[0])
    return state.change_ship(ship, fled_round=0, is_abandoned=True)


def surrender(state: State, ship: int) -> State:
    """Return the state in which an enemy in contact takes a ship; with none there, it strikes and is out (ours)."""
    taker = _taker(state, ship)
    if taker is not None:
        return capture(state, ship, taker)
    state = break_off(state, ship)
    for number in state.crews[ship]:
        state = imprison(state, number)
    return state.change_ship(ship, fate=Fate.STRUCK)


def _taker(state: State, ship: int) -> int | None:
    """Return the enemy in contact to whom a ship surrenders, preferably one in a boarding with it."""
    fighting = {number for one in state.boardings for number in one.ships}
    near = [
        number
        for number, enemy in state.enemies(state.ships[ship].owner)
        if state.crews[number] and not enemy.is_fleeing and in_contact(state, ship, number)
    ]
    return min(near, key=lambda number: number not in fighting, default=None)


def flee(state: State, ship: int) -> State:
    """Return the state in which a ship flees: it is lashed to no other one."""
    began = state.ships[ship].fled_round or state.round
    return break_off(state, ship).change_ship(ship, fled_round=began)


def officers(state: State, ship: int) -> list[int]:
    """Return whom a mutiny throws overboard: the captain and the first mate.

    The first mate is the next officer, else who has the highest Attack below the captain's (ours).
    """
    crew, specs, master = state.crews[ship], state.setting.minifigs, captain(state, ship)
    limit = inf if master is None else specs[master].attack
    mates = [number for number in crew if number != master and specs[number].role in _OFFICERS]
    mates = mates or [number for number in crew if specs[number].attack < limit]
    mate = max(mates, key=lambda number: specs[number].attack, default=None)
    return [number for number in (master, mate) if number is not None]


def is_out_of_range(state: State, ship: int) -> bool:
    """Tell whether no enemy is as near to a ship as a cannon reaches (PW Morale)."""
    reach = max(cannon.range_studs for cannon in minifigs().cannons.values())
    enemies = state.enemies(state.ships[ship].owner)
    return not any(is_within(state, ship, enemy, reach) for enemy, _ in enemies)
