"""Commitment: whether attackers overcome their fear, and card points that help them (BB 9.4.3, 4.1).

Here are also the automatic stages of a combat, one after the other (BB 8.5, 9.4), and checks of a melee or a volley in
a state that was read from text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Self

from brickphys.blade_and_bow.combat.attack import led
from brickphys.blade_and_bow.combat.dice import CLASSES, cards_asked, dice_rolled
from brickphys.blade_and_bow.combat.pursuit import acted, combat_over
from brickphys.blade_and_bow.combat.targets import targets
from brickphys.blade_and_bow.command.actions import Decline
from brickphys.blade_and_bow.command.cards import discarded
from brickphys.blade_and_bow.command.morale import commitment_modifier, least_failing
from brickphys.blade_and_bow.deck import card_numbers, deck
from brickphys.blade_and_bow.ground import beside, sector_of
from brickphys.blade_and_bow.pieces import Activation, Checked, Combat, FormationOrder, Stage
from brickphys.blade_and_bow.setting import UnitNumber
from brickphys.blade_and_bow.sheets import FACES
from brickphys.blade_and_bow.state import State
from brickphys.rules.events import Outcome
from brickphys.rules.moves import Move
from brickphys.rules.rolls import DiceCount
from brickphys.rules.turn_state import PendingRoll, Question
from brickphys.rules.words import NAME
from brickphys.text import counted, spoken
from brickphys.vehicles.sectors import Sector

_FEAR_SECTORS = (Sector.LEFT, Sector.FRONT, Sector.RIGHT)
"""The order of the three numbers of a counter (BB 9.2)."""


def commitment_dice(state: State, unit: int) -> int:
    """Return how many dice an attacker rolls for its commitment, 0 for none (BB 9.2, 9.4.3, 9.4.3.7).

    Who has a melee marker does not roll (BB 9.4.3.6), nor who attacks from the rear or a disrupted target. A camp has
    no fear, and no rear: one die (ours).
    """
    combat = state.fight
    if state.units[unit].marker:
        return 0
    if combat.target is None:
        return 1
    sector = sector_of(state, combat.target, state.square_of(unit))
    if sector is Sector.REAR or state.units[combat.target].disrupted:
        return 0
    return 1 + state.side(combat.target).fear[_FEAR_SECTORS.index(sector)]


def commitment_rolled(state: State) -> State:
    """Let the attackers roll; who is stacked with a leader, or cannot fail, passes without dice (BB 9.4.3)."""
    combat = state.fight
    rolls = []
    for unit in combat.units:
        if not commitment_dice(state, unit):
            continue
        if state.leader_of(unit) is not None or commitment_least(state, unit) > FACES:
            state = _marked(state, unit)
        else:
            rolls.append(CommitmentRoll(unit))
    question = (CommitmentQuestion(),) if rolls else ()
    return state.change_combat(stage=Stage.CARDS).push_pending(*rolls, *question)


def committed(state: State) -> State:
    """Return the state in which those who are committed attack, and the ranks of both sides are seen (BB 9.4)."""
    combat, specs = state.fight, state.setting.units
    failed = tuple(one.unit for one in combat.checked)
    units = tuple(unit for unit in combat.units if unit not in failed)
    state = acted(state, failed).change_combat(units=units, checked=(), points=0)
    if not units:
        return state
    for unit in (*units, *combat.defenders):
        if specs[unit].counter.has_ranks and not state.units[unit].seen:
            state = state.change_unit(unit, seen=True)
    return led(state)


def commitment_least(state: State, unit: int) -> int:
    """Return the least face with which a die of an attacker fails (BB 9.4.3)."""
    modifier = commitment_modifier(state, unit, state.fight.target)
    return least_failing(state, state.player_of(unit), modifier)


def _marked(state: State, *units: int) -> State:
    """Mark units that have passed (BB 9.4.3)."""
    for unit in units:
        state = state.change_unit(unit, marker=True)
    return state


@dataclass(frozen=True, slots=True)
class CommitmentRoll(PendingRoll[State]):
    """The morale dice of an attacker, counted by the points that they lack."""

    unit: UnitNumber

    def problems(self, state: State) -> list[str]:
        attacks = state.combat is not None and self.unit in state.combat.units
        rolls = attacks and commitment_dice(state, self.unit) > 0
        is_open = rolls and commitment_least(state, self.unit) <= FACES
        return [] if is_open else [f"commitment: unit {self.unit} does not roll for it"]

    def event(self, state: State) -> DiceCount:
        least = commitment_least(state, self.unit)
        lacks = ((f"fail by {face + 1 - least}", 1) for face in range(least, FACES + 1))
        name = state.unit_name(self.unit)
        dice = commitment_dice(state, self.unit)
        return DiceCount(dice, (("pass", least - 1), *lacks), f"commitment of {name}")

    def settle(self, state: State, outcome: Outcome) -> State:
        """Mark the unit if all pass; else note what they lack."""
        assert isinstance(outcome, tuple)
        lacks = tuple(map(int, outcome[1:]))
        if not any(lacks):
            return _marked(state, self.unit)
        return state.change_combat(checked=(*state.fight.checked, Checked(self.unit, lacks)))


@dataclass(frozen=True, slots=True)
class CommitCard(Move[State]):
    """Discard a card for its points of commitment; if all who lack some can pass, they do (BB 4.1)."""

    word = "commit"
    does = "commit a card"
    section = "BB 4.1, 9.4.3.5"
    card: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        hand = (deck()[card] for card in state.hands[state.mover])
        return (cls(card.name) for card in hand if card.commitment)

    def result(self, state: State, name: str) -> State:
        card = card_numbers()[name]
        points = state.fight.points + deck()[card].commitment
        state = discarded(state, state.mover, card).change_combat(points=points)
        failed = state.fight.checked
        if sum(one.cost for one in failed) <= points:
            return _saved(state, *failed)
        return state


@dataclass(frozen=True, slots=True)
class Spend(Move[State]):
    """Spend the points that a unit lacks: all its dice pass (BB 4.1)."""

    word = "spend"
    does = "give points to"
    section = "BB 4.1, 9.4.3.5"
    unit: Annotated[str, NAME]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        points, specs = state.fight.points, state.setting.units
        return (cls(specs[one.unit].name) for one in state.fight.checked if one.cost <= points)

    def result(self, state: State, name: str) -> State:
        number = state.setting.unit_numbers[name]
        return _saved(state, *(one for one in state.fight.checked if one.unit == number))


def _saved(state: State, *saved: Checked) -> State:
    points = state.fight.points - sum(one.cost for one in saved)
    left = tuple(one for one in state.fight.checked if one not in saved)
    return _marked(state.change_combat(checked=left, points=points), *(o.unit for o in saved))


class Abstain(Decline):
    """Spend no more: who still lacks points does not attack (BB 9.4.3)."""

    __slots__ = ()
    word = "abstain"


@dataclass(frozen=True, slots=True)
class CommitmentQuestion(Question[State]):
    """Which points the attacker spends; asked as long as he has cards or enough points (BB 9.4.3.5)."""

    answers = (CommitCard, Spend, Abstain)

    def problems(self, state: State) -> list[str]:
        return [] if state.combat is not None else ["commitment: no unit attacks"]

    def lapses(self, state: State) -> bool:
        to_come = state.fight.checked and state.hands[state.mover]
        return not to_come and not any(Spend.legal(state))

    def prompt(self, state: State) -> str:
        specs = state.setting.units
        lacking = ", ".join(
            f"{spoken(specs[one.unit].name)} lacks {counted(one.cost, 'point')}"
            for one in state.fight.checked
        )
        return f"commitment: {lacking}; {counted(state.fight.points, 'point')} to spend"


def combat_following(state: State) -> State | None:
    """Return the state after the next step of a combat in which nothing is pending; None where a player chooses.

    After `apply_hits` or `missile_hits` and all that they leave pending, the combat ends here.
    """
    combat = state.fight
    match combat.stage:
        case Stage.PARTY:
            return None
        case Stage.COMMITMENT:
            return commitment_rolled(state)
        case Stage.CARDS if combat.ranged or combat.lead is not None:
            return cards_asked(state)
        case Stage.CARDS:
            state = committed(state)
            return state if state.fight.units else combat_over(state)
        case Stage.DICE:
            return dice_rolled(state)
        case Stage.HITS:
            return combat_over(state)


def combat_problems(state: State) -> Iterator[str]:
    """Yield what can be in no combat; its units are those of the player whose impulse it is."""
    combat, activation = state.combat, state.activation
    if combat is None:
        return
    order = FormationOrder.SHOOT if combat.ranged else FormationOrder.MELEE
    if activation is None or not activation.closed or activation.order is not order:
        yield f"combat: no unit is activated to {order.value}"
        return
    yield from _value_problems(combat, activation)
    if combat.stage is not Stage.HITS:
        yield from _place_problems(state, combat)
    if combat.stage is Stage.PARTY:
        able = targets(state).get(combat.target)
        if able is None or not set(combat.units) <= set(able):
            yield "combat: the target cannot be attacked by units that wait (BB 8, 9.1)"


def _value_problems(combat: Combat, activation: Activation) -> Iterator[str]:
    units = combat.units
    if len(set(units)) < len(units) or not set(units) <= set(activation.units):
        yield f"combat: {list(units)} are not units that act"
    if not units and combat.stage is not Stage.PARTY:
        yield "combat: no unit attacks"
    if combat.lead is None:
        if combat.stage in (Stage.DICE, Stage.HITS) and not combat.ranged:
            yield "combat: no unit leads (BB 9.4.4.4)"
    elif combat.lead not in units:
        yield f"combat: unit {combat.lead} leads, but does not attack (BB 9.4.4.4)"
    is_close = combat.target is None or combat.stage is Stage.COMMITMENT or combat.again
    if combat.ranged and is_close:
        yield "combat: a volley cannot be at a camp, need commitment, or continue (BB 8.6, 12)"
    if {len(combat.attack), len(combat.defence)} - {0, len(CLASSES)}:
        yield "combat: dice must be three numbers: hits, blanks and cancels"
    if len(combat.rerolls) not in (0, 2):
        yield "combat: re-rolls must be two numbers, one for each side"
    if wrong := [one.unit for one in combat.checked if one.unit not in units]:
        yield f"combat: {wrong} lack commitment, but do not attack"


def _place_problems(state: State, combat: Combat) -> Iterator[str]:
    """Yield whoever is not where combat is possible, before any hits."""
    enemy, names = 1 - state.mover, state.setting.squares
    if combat.target is None:
        if state.camps[enemy] != combat.square or state.sacked[enemy]:
            yield f"combat: no camp of the enemy is at {names[combat.square]} (BB 12)"
    elif state.player_of(combat.target) != enemy:
        yield f"combat: unit {combat.target} is not an enemy"
    if state.at.get(combat.square) != combat.target:
        yield f"combat: the target is not at {names[combat.square]}"
    near = beside(state.setting.grid)[combat.square]
    for unit in combat.units:
        square = state.units[unit].square
        if square is None or not (combat.ranged or near >> square & 1):
            yield f"combat: unit {unit} is too far from the target (BB 9.4.1)"
