"""Dice: those of both sides of a melee or a volley, by reason, and their re-rolls (BB 8.5, 9.3, 9.4.4 to 9.4.6)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Self

from brickphys.blade_and_bow.combat.hits import apply_hits, missile_hits
from brickphys.blade_and_bow.combat.targets import target_name
from brickphys.blade_and_bow.command.actions import Decline, bonus
from brickphys.blade_and_bow.command.cards import PlayCards
from brickphys.blade_and_bow.deck import EffectVerb, Moment
from brickphys.blade_and_bow.ground import sector_of
from brickphys.blade_and_bow.pieces import Combat, Stage
from brickphys.blade_and_bow.sheets import FACES, charts
from brickphys.blade_and_bow.state import State
from brickphys.rules.events import Outcome
from brickphys.rules.moves import Move
from brickphys.rules.rolls import DiceCount
from brickphys.rules.turn_state import FollowUp, PendingRoll, Question
from brickphys.rules.words import one_of
from brickphys.text import counted, spoken
from brickphys.vehicles.sectors import Sector

CLASSES = ("hits", "blanks", "cancels")
"""What a die shows."""


@dataclass(frozen=True)
class DicePool:
    """The dice of a side."""

    reasons: Mapping[str, int]
    """Dice by reason, none of 0."""
    hits: int
    """Faces of a die that hit."""
    cancels: int

    @property
    def dice(self) -> int:
        """How many are rolled: at most eight (BB 9.4.4)."""
        return min(sum(self.reasons.values()), charts().dice["most"])

    @property
    def faces(self) -> tuple[int, int, int]:
        """How many faces hit, are blank and cancel."""
        return self.hits, FACES - self.hits - self.cancels, self.cancels

    def event(self, dice: int, reason: str) -> DiceCount:
        """Return the roll of some of these dice; classes without a face are left out."""
        named = zip(CLASSES, self.faces, strict=True)
        return DiceCount(dice, tuple((name, faces) for name, faces in named if faces), reason)

    def counts(self, outcome: Outcome) -> tuple[int, ...]:
        """Return the hits, blanks and cancels of an outcome of `event`."""
        assert isinstance(outcome, tuple)
        shown = iter(outcome)
        return tuple(int(next(shown)) if faces else 0 for faces in self.faces)


def _pool(hits: int, cancels: int, **reasons: int) -> DicePool:
    """Return dice of which a face at least is blank, whatever cards add."""
    named = {name.replace("_", " "): dice for name, dice in reasons.items() if dice}
    hits = min(max(hits, 0), FACES - 1)
    return DicePool(named, hits, min(max(cancels, 0), FACES - 1 - hits))


def combat_sectors(state: State, combat: Combat) -> set[Sector]:
    """Return the sides of the target on which its attackers are; a camp has only a front (ours)."""
    if combat.target is None:
        return {Sector.FRONT}
    places = (state.units[unit].square for unit in combat.units)
    return {sector_of(state, combat.target, at) for at in places if at is not None}


def melee_pools(state: State) -> tuple[DicePool, DicePool]:
    """Return the dice of the attacker and of the defender of a melee whose lead is chosen.

    Vectors do not add up (BB 9.4.4.1). Supporting units bring their base dice only (BB 9.4.4.4); ground, shield wall
    and faces of all dice are those of the lead (ours).
    """
    combat, chart = state.fight, charts().dice
    lead, target = state.lead, combat.target
    sectors = combat_sectors(state, combat)
    sides = sectors - {Sector.FRONT}
    attack = _pool(
        *_faces(state, lead, chart["hits_to"]),
        size=_base(state, lead),
        ranks=state.units[lead].ranks,
        support=sum(_base(state, unit) for unit in combat.units if unit != lead),
        vector=chart["vector"] if sides else 0,
        immortals=chart["immortal"] if state.setting.units[lead].counter.is_immortal else 0,
        terrain=state.setting.terrain[combat.square].melee_dice,
        cards=cards(state, EffectVerb.MELEE_DICE, combat.units),
    )
    terrain = state.setting.terrain[state.square_of(lead)].melee_dice
    if target is None:
        cancels = FACES + 1 - chart["cancels_from"]
        return attack, _pool(chart["hits_to"], cancels, camp=chart["camp"], terrain=terrain)
    now = state.units[target]
    hits, cancels = _faces(state, target, chart["flanked_hits_to" if sides else "hits_to"])
    harmless = now.disrupted or Sector.REAR in sectors
    return attack, _pool(
        0 if harmless else hits,
        cancels,
        size=_base(state, target),
        ranks=now.ranks,
        shield_wall=chart["wall"] if now.wall else 0,
        terrain=terrain,
        cards=cards(state, EffectVerb.MELEE_DICE, (target,)),
    )


def missile_pools(state: State) -> tuple[DicePool, DicePool]:
    """Return the dice of the shooters and of the target of a volley (BB 8.4, 8.5.1, 8.5.2, 13.2)."""
    combat, chart, target = state.fight, charts().dice, state.target
    attack = _pool(
        chart["hits_to"],
        0,
        missiles=sum(state.side(unit).missile_dice for unit in combat.units),
        cards=cards(state, EffectVerb.MISSILE_DICE, combat.units),
    )
    return attack, _pool(
        0,
        FACES + 1 - chart["cancels_from"],
        armour=state.side(target).missile_defence,
        terrain=state.setting.terrain[combat.square].cover,
        turning=combat.turned,
        shield_wall=chart["wall"] if state.units[target].wall else 0,
        cards=cards(state, EffectVerb.MISSILE_DEFENCE, (target,)),
    )


def cards(state: State, verb: EffectVerb, units: Iterable[int]) -> int:
    """Return what cards in force add for some units of a player."""
    return sum(bonus(state, verb, state.player_of(unit), unit) for unit in units)


def _base(state: State, unit: int) -> int:
    """Return the dice of a unit's size (BB 9.3)."""
    return charts().dice[state.setting.units[unit].counter.size.value]


def _faces(state: State, unit: int, hits_to: int) -> tuple[int, int]:
    """Return how many faces of a unit's dice hit and cancel; a shield wall adds one to each die (BB 13.2)."""
    wall = charts().dice["wall"] if state.units[unit].wall else 0
    player = state.player_of(unit)
    hits = hits_to - wall + bonus(state, EffectVerb.HITS_TO, player, unit)
    cancels = FACES + 1 - charts().dice["cancels_from"] + wall
    return hits, cancels + bonus(state, EffectVerb.CANCELS_FROM, player, unit)


SideNumber = Annotated[int, range(2)]
"""0 for the attacker, 1 for the defender."""
_NONE = (0, 0, 0)


class DieClass(Enum):
    """What a die shows; in the order of the counts of a combat."""

    HIT = "hit"
    BLANK = "blank"
    CANCEL = "cancel"


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
    own = charts().dice["attacker_rerolls"] + leaders
    other = len(state.leaders_at.get(combat.square, ()))
    sides = (own, combat.units), (other, combat.defenders)
    first, second = (n + cards(state, EffectVerb.REROLLS, units) for n, units in sides)
    return first, second


def pools(state: State) -> tuple[DicePool, DicePool]:
    """Return the dice of the attacker and of the defender of the combat."""
    return missile_pools(state) if state.fight.ranged else melee_pools(state)


def _shown(state: State, side: int) -> tuple[int, ...]:
    return state.fight.defence if side else state.fight.attack


def _show(state: State, side: int, counts: tuple[int, ...]) -> State:
    return state.change_combat(defence=counts) if side else state.change_combat(attack=counts)


def _dice(shown: tuple[int, ...]) -> str:
    return ", ".join(counted(n, each.value) for each, n in zip(DieClass, shown, strict=True))


@dataclass(frozen=True, slots=True)
class SideRoll(PendingRoll[State]):
    """The dice of a side; `again` if it rolls one of them again."""

    side: SideNumber
    again: bool = False

    def problems(self, state: State) -> list[str]:
        if faults := _no_dice(state):
            return faults
        return [] if pools(state)[self.side].dice else ["dice: this side has no dice"]

    def event(self, state: State) -> DiceCount:
        combat, pool = state.fight, pools(state)[self.side]
        units = ", ".join(state.unit_name(unit) for unit in combat.units)
        target = spoken(target_name(state, combat.target))
        who, whom = (target, units) if self.side else (units, target)
        why = f"{'missiles' if combat.ranged else 'melee'}, {who} against {whom}"
        if self.again:
            return pool.event(1, f"{why}, again")
        return pool.event(pool.dice, why)

    def settle(self, state: State, outcome: Outcome) -> State:
        counts = pools(state)[self.side].counts(outcome)
        shown = zip(_shown(state, self.side), counts, strict=True)
        return _show(state, self.side, tuple(map(sum, shown)))


def _no_dice(state: State) -> list[str]:
    combat = state.combat
    if combat is None or combat.stage is not Stage.DICE:
        return ["dice: no unit fights"]
    rolls = combat.attack and combat.defence and combat.rerolls
    return [] if rolls else ["dice: the combat has no dice"]


_DIE = one_of("class of a die (hit, blank, cancel)", DieClass)


@dataclass(frozen=True, slots=True)
class Again(Move[State]):
    """Roll a die again (BB 9.4.6)."""

    word = "again"
    does = "roll again"
    section = "BB 9.4.6"
    die: Annotated[DieClass, _DIE]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        shown = zip(DieClass, _shown(state, state.awaited(Rerolls).side), strict=True)
        return (cls(each) for each, count in shown if count)

    def result(self, state: State, die: DieClass) -> State:
        side = state.awaited(Rerolls).side
        pairs = zip(DieClass, _shown(state, side), strict=True)
        combat = state.fight.with_entry("rerolls", side, state.fight.rerolls[side] - 1)
        state = state.replaced({"combat": combat}).push_pending(SideRoll(side, again=True))
        return _show(state, side, tuple(count - (each is die) for each, count in pairs))


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
        return _no_dice(state)

    def lapses(self, state: State) -> bool:
        return not state.fight.rerolls[self.side]

    def player(self, state: State) -> int:
        return 1 - state.mover if self.side else state.mover

    def prompt(self, state: State) -> str:
        own, other = (_dice(_shown(state, side)) for side in (self.side, 1 - self.side))
        left = counted(state.fight.rerolls[self.side], "re-roll")
        return f"choose a die to re-roll, {left} left; yours: {own}; the enemy's: {other}"


@dataclass(frozen=True, slots=True)
class Resolution(FollowUp[State]):
    """The hits on both sides, once no die is rolled again."""

    def problems(self, state: State) -> list[str]:
        return _no_dice(state)

    def happen(self, state: State) -> State:
        ranged, hits = state.fight.ranged, state.fight.hits_left[0]
        return missile_hits(state, hits) if ranged else apply_hits(state)
