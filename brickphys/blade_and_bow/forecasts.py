"""Forecasts: the odds of attacks and volleys, from their declaration to the last die that is rolled again.

Who does not know ranks is told the mean over what they may be. Points and effects of cards to come are left out.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from brickphys.blade_and_bow.combat.commitment import commitment_dice, commitment_least
from brickphys.blade_and_bow.combat.damage import damage
from brickphys.blade_and_bow.combat.lead import leads
from brickphys.blade_and_bow.odds.chain import combat_law, stand
from brickphys.blade_and_bow.sheets.charts import FACES
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.forecast import Forecast
from brickphys.rules.words import Action
from brickphys.text import counted

_OVER = (Stage.PARTY, Stage.HITS)


def forecasts(state: State, action: Action[State]) -> Sequence[Forecast] | None:
    """Return the odds of the combat that an action begins or goes on with; None if it does neither."""
    after = action.apply(state)
    combat = after.combat
    if combat is None or not combat.units or combat.stage in _OVER or combat is state.combat:
        return None
    return [_forecast(after, action.text())]


def committed(state: State, unit: int) -> Fraction:
    """Return how likely an attacker of the combat overcomes its fear without points of cards (BB 9.4.3)."""
    if any(one.unit == unit for one in state.fight.checked):
        return Fraction(0)
    dice = commitment_dice(state, unit)
    if not dice or state.leader_of(unit) is not None:
        return Fraction(1)
    return Fraction(commitment_least(state, unit) - 1, FACES) ** dice


def _parties(state: State) -> Iterator[tuple[State, Fraction]]:
    """Yield the combat with each set of attackers that may overcome their fear, and how likely it does."""
    combat = state.fight
    if combat.ranged or combat.lead is not None:
        yield state, Fraction(1)
        return
    sets: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for unit in combat.units:
        chance = committed(state, unit)
        sets = [
            (units, share)
            for dared, before in sets
            for units, share in (((*dared, unit), before * chance), (dared, before * (1 - chance)))
            if share
        ]
    for units, share in sets:
        party = state.change_combat(units=units)
        yield party.change_combat(lead=leads(party)[0]) if units else party, share


def _forecast(state: State, text: str) -> Forecast:
    """Return the hits of a combat in words, and how likely its target loses ranks."""
    combat, setting = state.fight, state.setting
    found, lost = dict[str, Fraction](), Fraction(0)
    for party, share in _parties(state):
        if not party.fight.units:
            found["nobody dares to attack"] = share
            continue
        law = combat_law(party)
        total = sum(law.values())
        for hits, weight in law.items():
            chance = share * Fraction(weight, total)
            words = f"{counted(hits.target, 'hit')}, {hits.attackers} back"
            found[words] = found.get(words, Fraction(0)) + chance
            lost += chance * _loses_ranks(state, combat.target, hits.target)
    name = "camp" if combat.target is None else state.unit_name(combat.target)
    question = f"{'a volley at' if combat.ranged else 'a melee with'} {name}"
    enemy = setting.players[1 - state.player_of(combat.units[0])]
    losses = {f"losses to the rout of {enemy}": lost} if lost else {}
    return Forecast(text, question, dict(sorted(found.items(), key=lambda each: -each[1])), losses)


def _loses_ranks(state: State, target: int | None, hits: int) -> bool:
    """Whether hits take ranks of a unit."""
    if target is None:
        return False
    standing = stand(state, target)
    left = max(hits - standing.spared, 0)
    values = standing.density, standing.disrupted, standing.ranks
    return damage(*values, left, state.fight.ranged).ranks > 0
