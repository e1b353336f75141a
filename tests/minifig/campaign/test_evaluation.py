"""How bots value an unfinished campaign: what is worth as much as what, and what a battle costs and brings (ours)."""

from types import SimpleNamespace

import pytest

from brickphys.minifig.campaign import worth
from brickphys.minifig.campaign.effects import CardQuestion
from brickphys.minifig.campaign.state import Chart, Member, Square, SquareGround
from brickphys.minifig.campaign.trials import begin_battle, trials
from brickphys.minifig.game import Minifig
from brickphys.rules.players.search import Budget, Search
from tests.minifig.campaign.quest import GAME, LAW, after, quest

A_SQUARE = 0.0001
"""The worth of a known square: the start is one."""


def member(arms=0, **values):
    return Member("mate", "soldier", ("sword",) * arms, **values)


def valued(*mates, lead=None, **changes):
    """The value of a campaign with a leader and other members, who have nothing unless it is said."""
    state = quest().replaced({"party": (lead or member(), *mates), **changes})
    return worth.hand_estimate(state)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([member(arms=5)], [member(), member()]),
        ([member(experience=5)], [member(), member()]),
        ([member(horse=True)] * 2, [member(arms=3), member()]),
        ([member(arms=3, is_wounded=True)], [member()]),
    ],
)
def test_parties_of_the_same_worth_have_the_same_value(one, other):
    assert valued(*one) == pytest.approx(valued(*other), abs=1e-12)


def test_the_leader_counts_twice():
    armed = valued(lead=member(arms=5))
    assert armed == pytest.approx(valued(member(), member()), abs=1e-12)


def test_a_worth_of_four_figures_is_half_of_what_a_party_can_be_worth():
    """The leader alone, two figures, is worth a third."""
    most = valued(member(arms=10**7)) - A_SQUARE
    assert most == pytest.approx(0.9, abs=1e-5)
    assert valued(member(), member()) - A_SQUARE == pytest.approx(most / 2, abs=1e-5)
    assert valued() - A_SQUARE == pytest.approx(most / 3, abs=1e-5)


@pytest.mark.parametrize(("chance", "left"), [(1.0, 1.0), (0.0, 0.6), (-1.0, 0.2)])
def test_in_a_battle_two_fifths_of_the_worth_are_at_stake(chance, left, monkeypatch):
    before = valued() - A_SQUARE
    game = SimpleNamespace(estimate=lambda _: (chance, -chance))
    monkeypatch.setattr(worth, "battles", lambda: game)
    assert valued(battle="a battle") - A_SQUARE == pytest.approx(left * before)


@pytest.mark.parametrize(("squares", "counted"), [(1, 1), (2, 2), (500, 500), (501, 500)])
def test_each_square_is_worth_the_same_up_to_five_hundred(squares, counted):
    land = Chart(dict.fromkeys(((x, 0) for x in range(squares)), Square(SquareGround.OPEN)))
    assert valued(chart=land) - valued() == pytest.approx(A_SQUARE * (counted - 1))
    entered = valued(chart=land, place=(-1, 0)) - valued(chart=land)
    assert entered == pytest.approx(A_SQUARE if squares < 500 else 0.0, abs=1e-12)


@pytest.mark.parametrize(("delay", "lost"), [(1, 1), (4, 4), (5, 4)])
def test_half_days_in_camp_cost_a_hundredth_each_up_to_four(delay, lost):
    assert valued() - valued(delay=delay) == pytest.approx(lost / 100)


@pytest.mark.parametrize("result", [1, -1])
def test_a_campaign_that_is_over_is_worth_its_result(result):
    assert valued(result=result) == worth.estimate(quest(result=result)) == result


def answered(card, **changes):
    """The answer that the bot gives, and those that it finds as good, as a party of five with a free day before it."""
    state = quest(CardQuestion(), card=card, **changes)
    actions = GAME.actions(state)
    worths = Search(GAME, LAW, Budget(depth=1)).look(state, actions).worth
    return {
        act.answer.value for act, one in zip(actions, worths, strict=True) if one == max(worths)
    }


@pytest.mark.parametrize(
    ("card", "best"),
    [
        ("five of cups", "fight"),  # footpads
        ("ten of swords", "fight"),  # deserters, or a trial for a wound
        ("five of swords", "fight"),  # the champion, or a trial for a wound
        ("ace of swords", "fight"),  # robbers, or a trial for half a day
        ("eight of swords", "parley"),  # raiders
        ("four of swords", "pass"),  # a rest that nobody needs, for half a day
    ],
)
def test_bots_fight_where_it_is_safe_and_lose_no_time(card, best):
    assert answered(card) == {best}


def test_bots_rest_if_two_are_wounded_and_risk_nothing_for_a_recruit_without_a_place():
    hurt = tuple(one.replaced({"is_wounded": n in (1, 2)}) for n, one in enumerate(quest().party))
    assert answered("four of swords", party=hurt) == {"help"}
    full = (*quest().party, *(member(1).replaced({"name": f"mate_{n}"}) for n in range(3)))
    assert answered("page of swords") == {"parley"}
    assert answered("page of swords", party=full) == {"pass"}


@pytest.mark.parametrize("foes", sorted(trials().foes))
def test_a_battle_costs_more_the_worse_it_goes(foes, monkeypatch):
    """Nothing if it is certain to be won, and all if it is certain to be lost; the leader lives rather than a man."""
    state = begin_battle(quest(), foes)
    found = []
    for chance in (-1.0, -0.5, 0.0, 0.9, 1.0):
        monkeypatch.setattr(Minifig, "estimate", lambda *_, chance=chance: (chance, -chance))
        man, leader = worth.chances_to_live(state)
        assert man <= leader <= 1.0
        found.append(worth.estimate(state))
    assert found == sorted(found)
    assert found[-1] == worth.estimate(worth.won(state))


def test_a_battle_that_is_won_brings_experience_and_spoils():
    state = after(quest(CardQuestion(), card="ten of swords"), "choose fight")
    party = worth.won(state).party
    assert [one.experience for one in party] == [one.experience + 1 for one in state.party]
    assert sum("helmet" in one.arms for one in party) == 1 + sum(
        "helmet" in one.arms for one in state.party
    )
    dead = state.battle.with_figure(0, state.battle.figures[0].replaced({"is_alive": False}))
    assert worth.estimate(state.replaced({"battle": dead})) == -1.0
