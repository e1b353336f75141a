"""Chain: the dice of a melee or a volley, from a state to the states after their hits (BB 8.5, 9.4.5 to 9.4.7)."""

from collections.abc import Mapping
from fractions import Fraction

from brickphys.blade_and_bow.combat.damage import shares
from brickphys.blade_and_bow.combat.hits import receivers
from brickphys.blade_and_bow.combat.rolling import Rerolls, Resolution, SideRoll, pools, rerolls
from brickphys.blade_and_bow.command.morale import least_failing, own_modifier
from brickphys.blade_and_bow.odds.clash import Hits, Side, Stakes, clash
from brickphys.blade_and_bow.odds.costs import Stand, camp_costs, costs
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State

_NONE = (0, 0, 0)


def combat_chain(state: State) -> Mapping[State, Fraction] | None:
    """Return the states after the hits of a combat whose dice are to be rolled -> probability; None if they are not.

    All re-rolls are those that are best for who rolls, by the costs of hits. Dice of which the same hits remain are
    one: in these states they show the hits that remain, and nothing else.
    """
    if not isinstance(state.first_pending, SideRoll):
        return None
    law = combat_law(state)
    total, chain = sum(law.values()), dict[State, Fraction]()
    ends = next(n for n, one in enumerate(state.pending) if isinstance(one, Resolution))
    state = state.replaced({"pending": state.pending[ends + 1 :]}).change_combat(rerolls=(0, 0))
    for hits, weight in law.items():
        shown = {"attack": (hits.target, 0, 0), "defence": (hits.attackers, 0, 0)}
        rolled = state.change_combat(**shown)
        after = Resolution().happen(rolled)
        chain[after] = chain.get(after, Fraction(0)) + Fraction(weight, total)
    return chain


def combat_law(state: State) -> Mapping[Hits, int]:
    """Return the hits of a combat that remain -> weight, from any moment after its attackers and lead are chosen."""
    return clash(*sides(state), combat_stakes(state))


def sides(state: State) -> tuple[Side, Side]:
    """Return the dice of the attacker and of the defender of the combat as they are now."""
    combat = state.fight
    if combat.stage is Stage.DICE and combat.attack:
        shown = combat.attack, combat.defence
        asked = {each.side for each in state.pending if isinstance(each, Rerolls)}
        rights = tuple(n if side in asked else 0 for side, n in enumerate(combat.rerolls))
    else:
        shown = _NONE, _NONE
        rights = (0, 0) if combat.ranged else rerolls(state)
    first, second = (
        Side(pool.dice, pool.hits, pool.cancels, right, counts)
        for pool, right, counts in zip(pools(state), rights, shown, strict=True)
    )
    return first, second


def combat_stakes(state: State) -> Stakes:
    """Return what the hits of the combat cost the players; attackers share theirs (BB 9.4.4.4)."""
    combat = state.fight
    ranged, target = combat.ranged, combat.target
    if target is None:
        enemy = 1 - state.player_of(combat.units[0])
        hurt = camp_costs(decides=bool(state.setting.special.camp_decides[enemy]))
    else:
        hurt = costs(stand(state, target), ranged=ranged)
    if ranged:
        return Stakes(hurt, (0.0,))
    own = receivers(state)
    tables = [costs(stand(state, unit)) for unit in own]
    split = (shares(hits, len(own)) for hits in range(len(hurt)))
    back = (sum(table[n] for table, n in zip(tables, each, strict=True)) for each in split)
    return Stakes(hurt, tuple(back))


def stand(state: State, unit: int) -> Stand:
    """Return what of a unit matters when it is hit."""
    spec, now, player = state.setting.units[unit], state.units[unit], state.player_of(unit)
    on_camp = state.camp_set(player) >> state.square_of(unit) & 1
    return Stand(
        spec.counter.density,
        now.ranks,
        now.disrupted,
        least_failing(state, player, own_modifier(state, unit)) - 1,
        int(state.leader_of(unit) is not None),
        charts().dice["camp_cancels"] if on_camp else 0,
    )
