"""The chain of the dice of a combat: that of the rolls of the game itself, each answered as is best for who rolls."""

from collections import Counter
from fractions import Fraction

import pytest

from brickphys.blade_and_bow import dice_law
from brickphys.blade_and_bow.combat import dice
from brickphys.blade_and_bow.pieces import Combat, Stage
from brickphys.blade_and_bow.setting import Special
from brickphys.odds.law import BinomialLaw
from tests.blade_and_bow.battle import PLAYERS, battle
from tests.blade_and_bow.fight import clash as dice_next

NO_BRICKS = BinomialLaw(Fraction(0))
GROUND = """
    .....
    .....
    .....
    .....
    .....
"""


def fight(*pieces, ranged=False):
    """Return a combat of all units of the first player with the only one of the second, its dice to be rolled."""
    state = battle(GROUND, *pieces)
    own, other = ([s.name for s in state.setting.units if s.player == player] for player in (0, 1))
    return dice.dice_rolled(dice_next(state, other[0], *own, ranged=ranged))


FIGHTS = [
    fight("greeks spears C3 n", "persians peltast C2 s"),
    fight("greeks peltast C3 n", "greeks leader leonidas C3 1-6-3/red", "persians spears C2 s"),
    fight("greeks spears C3 n", "persians spears C2 s", "persians leader datis C2 1-6-3/white"),
    fight("greeks spears D2 w", "greeks peltast C3 n", "persians spears C2 s wall"),
    fight("greeks spears C1 s", "persians hoplite C2 s +1"),
    fight("greeks archers C4 n", "greeks psiloi D4 n", "persians hoplite C2 s +1", ranged=True),
]


def remain(combat):
    """Return the hits that remain on both sides, by the dice that lie."""
    (hits, _, cancels), (back, _, spared) = combat.attack, combat.defence
    return max(hits - spared, 0), max(back - cancels, 0)


def by_the_game(state):
    """The oracle: follow every roll of the game; return the worth for the attacker and the law of the hits."""
    stakes, known = dice_law.combat_stakes(state), {}

    def follow(now):
        if now not in known:
            known[now] = step(now)
        return known[now]

    def step(now):
        first = now.first_pending
        if first.lapses(now):
            return follow(now.pop_pending())
        if isinstance(first, dice.Resolution):
            hits = remain(now.combat)
            last = len(stakes.attackers) - 1
            worth = Fraction(stakes.target[hits[0]]) - Fraction(
                stakes.attackers[min(hits[1], last)]
            )
            return worth, {hits: Fraction(1)}
        if isinstance(first, dice.SideRoll):
            worth, law = Fraction(0), Counter()
            for outcome, chance in first.event(now).law(NO_BRICKS).items():
                value, hits = follow(first.settle(now.pop_pending(), outcome))
                worth += chance * value
                for each, share in hits.items():
                    law[each] += chance * share
            return worth, law
        assert isinstance(first, dice.Rerolls)
        sign = -1 if first.side else 1
        best = follow(dice.Enough().apply(now))
        for answer in dice.Again.legal(now):
            found = follow(answer.apply(now))
            if sign * (found[0] - best[0]) > Fraction(1, 10**9):
                best = found
        return best

    return follow(state)


def exact(law):
    total = sum(law.values())
    return {tuple(hits): Fraction(weight, total) for hits, weight in law.items()}


@pytest.mark.parametrize("state", FIGHTS)
def test_the_law_is_that_of_the_rolls_of_the_game(state):
    assert exact(dice_law.combat_law(state)) == by_the_game(state)[1]


@pytest.mark.parametrize("state", FIGHTS[:4])
def test_the_law_goes_on_from_any_moment_of_the_dice(state):
    """After the dice of both sides; and with a die of the attacker in the air."""
    for outcome in state.pending[0].event(state).law(NO_BRICKS):
        lying = state.pending[0].settle(state.pop_pending(), outcome)
        assert exact(dice_law.combat_law(lying)) == by_the_game(lying)[1]
        for other in list(lying.pending[0].event(lying).law(NO_BRICKS))[:3]:
            shown = lying.pending[0].settle(lying.pop_pending(), other)
            assert exact(dice_law.combat_law(shown)) == by_the_game(shown)[1]
            for again in dice.Again.legal(shown):
                thrown = again.apply(shown)
                assert exact(dice_law.combat_law(thrown)) == by_the_game(thrown)[1]


@pytest.mark.parametrize("state", FIGHTS)
def test_the_chain_leads_to_states_in_which_these_hits_are_applied(state):
    chain = dice_law.combat_chain(state)
    assert sum(chain.values()) == 1
    assert not any(
        isinstance(p, dice.SideRoll | dice.Rerolls | dice.Resolution)
        for s in chain
        for p in s.pending
    )
    found = Counter()
    for after, chance in chain.items():
        found[remain(after.combat)] += chance
        assert not any((*after.combat.attack[1:], *after.combat.defence[1:], *after.combat.rerolls))
    assert found == exact(dice_law.combat_law(state))


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("decides", [("", ""), ("at_once", ""), ("", "end_of_turn")])
def test_hits_on_a_camp_cost_its_owner_the_camp(mover, decides):
    """The attackers share theirs, the first the first and most (BB 9.4.4.4)."""
    own, other = PLAYERS[mover], PLAYERS[1 - mover]
    state = battle(
        GROUND,
        f"{own} hoplite C3 n +1 as=ann",
        f"{own} psiloi B3 ne as=amy",
        f"{other} camp C2",
        special=Special(camp_decides=decides),
        mover=mover,
    )
    combat = Combat(None, state.camps[1 - mover], (0, 1), stage=Stage.DICE, lead=0)
    stakes = dice_law.combat_stakes(state.replaced({"combat": combat}))
    assert stakes.target == dice_law.camp_costs(decides=bool(decides[1 - mover]))
    tables = [dice_law.costs(dice_law.stand(state, unit)) for unit in (0, 1)]
    shared = [tables[0][hits - hits // 2] + tables[1][hits // 2] for hits in range(9)]
    assert list(stakes.attackers) == pytest.approx(shared)


def test_nothing_begins_where_no_dice_are_rolled():
    assert dice_law.combat_chain(battle(GROUND, "greeks spears C3 n")) is None


def test_only_the_unit_on_a_camp_of_its_own_is_spared_a_hit():
    for place, spared in (("C3", 1), ("B3", 0), ("D3", 0), ("C2", 0), ("C4", 0)):
        for player, own in (("persians", spared), ("greeks", 0)):
            state = battle(GROUND, f"{player} hoplite {place} e as=own", "persians camp C3")
            assert dice_law.stand(state, 0).spared == own
