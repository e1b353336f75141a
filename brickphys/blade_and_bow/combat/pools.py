"""Pools: the dice of both sides of a melee or a volley, by reason (BB 8.5, 9.3, 9.4.4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from brickphys.blade_and_bow.command.effects import bonus
from brickphys.blade_and_bow.ground.arcs import sector_of
from brickphys.blade_and_bow.sheets.cards import Verb
from brickphys.blade_and_bow.sheets.charts import FACES, charts
from brickphys.blade_and_bow.state.pieces import Combat
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome
from brickphys.vehicles.sectors import Sector

CLASSES = ("hits", "blanks", "cancels")
"""What a die shows."""


@dataclass(frozen=True)
class DicePool:
    """The dice of a side.

    Attributes
    ----------
    reasons
        Dice by reason, none of 0.
    hits, cancels
        How many faces of a die hit and cancel.
    """

    reasons: Mapping[str, int]
    hits: int
    cancels: int

    @property
    def dice(self) -> int:
        """How many are rolled: at most eight (BB 9.4.4)."""
        return min(sum(self.reasons.values()), charts().dice["most"])

    @property
    def faces(self) -> tuple[int, int, int]:
        """How many faces hit, are blank and cancel."""
        return self.hits, FACES - self.hits - self.cancels, self.cancels

    def event(self, dice: int, reason: str) -> Tally:
        """Return the roll of some of these dice; classes without a face are left out."""
        named = zip(CLASSES, self.faces, strict=True)
        return Tally(dice, tuple((name, faces) for name, faces in named if faces), reason)

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
        cards=cards(state, Verb.MELEE_DICE, combat.units),
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
        cards=cards(state, Verb.MELEE_DICE, (target,)),
    )


def missile_pools(state: State) -> tuple[DicePool, DicePool]:
    """Return the dice of the shooters and of the target of a volley (BB 8.4, 8.5.1, 8.5.2, 13.2)."""
    combat, chart, target = state.fight, charts().dice, state.target
    attack = _pool(
        chart["hits_to"],
        0,
        missiles=sum(state.side(unit).missile_dice for unit in combat.units),
        cards=cards(state, Verb.MISSILE_DICE, combat.units),
    )
    return attack, _pool(
        0,
        FACES + 1 - chart["cancels_from"],
        armour=state.side(target).missile_defence,
        terrain=state.setting.terrain[combat.square].cover,
        turning=combat.turned,
        shield_wall=chart["wall"] if state.units[target].wall else 0,
        cards=cards(state, Verb.MISSILE_DEFENCE, (target,)),
    )


def cards(state: State, verb: Verb, units: Iterable[int]) -> int:
    """Return what cards in force add for some units of a player."""
    return sum(bonus(state, verb, state.player_of(unit), unit) for unit in units)


def _base(state: State, unit: int) -> int:
    """Return the dice of a unit's size (BB 9.3)."""
    return charts().dice[state.setting.units[unit].counter.size.value]


def _faces(state: State, unit: int, hits_to: int) -> tuple[int, int]:
    """Return how many faces of a unit's dice hit and cancel; a shield wall adds one to each die (BB 13.2)."""
    wall = charts().dice["wall"] if state.units[unit].wall else 0
    player = state.player_of(unit)
    hits = hits_to - wall + bonus(state, Verb.HITS_TO, player, unit)
    cancels = FACES + 1 - charts().dice["cancels_from"] + wall
    return hits, cancels + bonus(state, Verb.CANCELS_FROM, player, unit)
