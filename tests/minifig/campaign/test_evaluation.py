"""How bots value an unfinished campaign: what is worth as much as what, and how much the land counts (ours)."""

from types import SimpleNamespace

import pytest

from brickphys.minifig.campaign import game as campaign
from brickphys.minifig.campaign.state import Chart, Member, Square, SquareGround
from tests.minifig.campaign.quest import quest

A_SQUARE = 0.0001
"""The worth of a known square: the start is one."""


def member(arms=0, **values):
    return Member("mate", "soldier", ("sword",) * arms, **values)


def valued(*mates, lead=None, **changes):
    """The value of a campaign with a leader and other members, who have nothing unless it is said."""
    state = quest().replaced({"party": (lead or member(), *mates), **changes})
    return campaign.estimate(state)


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
    monkeypatch.setattr(campaign, "battles", lambda: game)
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
    assert valued(result=result) == result
