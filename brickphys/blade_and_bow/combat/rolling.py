"""Rolling: the dice of a melee or a volley, and their re-rolls (BB 8.5, 9.4.5, 9.4.6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Self

from brickphys.blade_and_bow.combat.hits import apply_hits, missile_hits
from brickphys.blade_and_bow.combat.party import target_name
from brickphys.blade_and_bow.combat.pools import DicePool, cards, melee_pools, missile_pools
from brickphys.blade_and_bow.command.playing import PlayCards
from brickphys.blade_and_bow.command.words import Decline, Listed
from brickphys.blade_and_bow.sheets.cards import Moment, Verb
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import FollowUp, PendingRoll, Question
from brickphys.rules.words import one_of
from brickphys.text import counted, spoken

SideNumber = Annotated[int, range(2)]
"""0 for the attacker, 1 for the defender."""
_NONE = (0, 0, 0)


class DieClass(Enum):
    """What a die shows; in the order of the counts of a combat."""

    HIT = "hit"
    BLANK = "blank"
    CANCEL = "cancel"


_CLASSES = tuple(DieClass)


def cards_asked(state: State) -> State:
    """Ask both players for cards, the one without the initiative first (BB 9.4.4.6)."""
    moments = (Moment.VOLLEY, Moment.COVER), (Moment.ATTACK, Moment.DEFENCE)
    attack, defence = moments[not state.fight.ranged]
    players = (1 - state.holder, state.holder)
    asked = (PlayCards(one, attack if one == state.mover else defence) for one in players)
    return state.change_combat(stage=Stage.DICE).push_pending(*asked)


def dice_rolled(state: State) -> State:
    """Let both sides roll; in a melee the attacker rolls again first, then the defender (BB 9.4.6)."""
    rights = (0, 0) if state.fight.ranged else rerolls(state)
    state = state.change_combat(attack=_NONE, defence=_NONE, rerolls=rights)
    dice = [SideRoll(side) for side, pool in enumerate(pools(state)) if pool.dice]
    return state.push_pending(*dice, Rerolls(0), Rerolls(1), Resolution())


def rerolls(state: State) -> tuple[int, int]:
    """Return how many dice the attacker and the defender may roll again (BB 9.4.6.1, 9.4.6.2)."""
    combat = state.fight
    leaders = sum(len(state.leaders_with(unit)) for unit in combat.units)
    return (
        charts().dice["attacker_rerolls"] + leaders + cards(state, Verb.REROLLS, combat.units),
        len(state.leaders_at.get(combat.square, ())) + cards(state, Verb.REROLLS, combat.defenders),
    )


def pools(state: State) -> tuple[DicePool, DicePool]:
    """Return the dice of the attacker and of the defender of the combat."""
    return missile_pools(state) if state.fight.ranged else melee_pools(state)


def _shown(state: State, side: int) -> tuple[int, ...]:
    """Return the hits, blanks and cancels of a side."""
    return state.fight.defence if side else state.fight.attack


def _show(state: State, side: int, counts: tuple[int, ...]) -> State:
    return state.change_combat(defence=counts) if side else state.change_combat(attack=counts)


def _dice(shown: tuple[int, ...]) -> str:
    """Return what dice show in words."""
    return ", ".join(counted(n, each.value) for each, n in zip(DieClass, shown, strict=True))


@dataclass(frozen=True, slots=True)
class SideRoll(PendingRoll[State]):
    """The dice of a side; `again` if it rolls one of them again."""

    side: SideNumber
    again: bool = False

    def problems(self, state: State) -> list[str]:
        """Return why nothing is rolled."""
        if faults := _no_dice(state):
            return faults
        return [] if pools(state)[self.side].dice else ["dice: this side has no dice"]

    def event(self, state: State) -> Tally:
        """Return the dice."""
        combat, pool = state.fight, pools(state)[self.side]
        units = ", ".join(state.unit_name(unit) for unit in combat.units)
        target = spoken(target_name(state, combat.target))
        who, whom = (target, units) if self.side else (units, target)
        why = f"{'missiles' if combat.ranged else 'melee'}, {who} against {whom}"
        if self.again:
            return pool.event(1, f"{why}, again")
        return pool.event(pool.dice, why)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Note what they show."""
        counts = pools(state)[self.side].counts(outcome)
        shown = zip(_shown(state, self.side), counts, strict=True)
        return _show(state, self.side, tuple(map(sum, shown)))


def _no_dice(state: State) -> list[str]:
    """Return why no dice of a combat can be pending."""
    combat = state.combat
    if combat is None or combat.stage is not Stage.DICE:
        return ["dice: no unit fights"]
    rolls = combat.attack and combat.defence and combat.rerolls
    return [] if rolls else ["dice: the combat has no dice"]


@dataclass(frozen=True, slots=True)
class Again(Listed):
    """Roll a die again (BB 9.4.6)."""

    word = "again"
    arguments = (one_of("class of a die (hit, blank, cancel)", DieClass),)
    section = "BB 9.4.6"
    die: DieClass

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield what the dice of the side show."""
        shown = zip(_CLASSES, _shown(state, state.awaited(Rerolls).side), strict=True)
        return (cls(each) for each, count in shown if count)

    def apply(self, state: State) -> State:
        """Take it up, and roll it."""
        side = state.awaited(Rerolls).side
        pairs = zip(_CLASSES, _shown(state, side), strict=True)
        combat = state.fight.with_entry("rerolls", side, state.fight.rerolls[side] - 1)
        state = state.replaced({"combat": combat}).push_pending(SideRoll(side, again=True))
        return _show(state, side, tuple(count - (each is self.die) for each, count in pairs))


class Enough(Decline):
    """Let the dice lie (BB 9.4.6)."""

    __slots__ = ()
    word = "enough"


@dataclass(frozen=True, slots=True)
class Rerolls(Question[State]):
    """Which die a side rolls again, as long as it has a right."""

    answers = (Again, Enough)
    side: SideNumber

    def problems(self, state: State) -> list[str]:
        """Return why nothing is rolled."""
        return _no_dice(state)

    def lapses(self, state: State) -> bool:
        """Whether no right is left."""
        return not state.fight.rerolls[self.side]

    def player(self, state: State) -> int:
        """Return whose dice they are."""
        return 1 - state.mover if self.side else state.mover

    def prompt(self, state: State) -> str:
        """Return what the dice show."""
        own, other = (_dice(_shown(state, side)) for side in (self.side, 1 - self.side))
        left = counted(state.fight.rerolls[self.side], "re-roll")
        return f"choose a die to re-roll, {left} left; yours: {own}; the enemy's: {other}"


@dataclass(frozen=True, slots=True)
class Resolution(FollowUp[State]):
    """The hits on both sides, once no die is rolled again."""

    def problems(self, state: State) -> list[str]:
        """Return why there are none."""
        return _no_dice(state)

    def happen(self, state: State) -> State:
        """Apply them."""
        combat = state.fight
        if combat.ranged:
            return missile_hits(state, max(combat.attack[0] - combat.defence[2], 0))
        return apply_hits(state)
