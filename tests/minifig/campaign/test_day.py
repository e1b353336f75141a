"""A day: dawn, half-days, watches, misadventures, camp (MF Campaign, Misadventures)."""

from itertools import combinations_with_replacement

import pytest

from brickphys.minifig.campaign.days import EndOfWatch, MisadventureRoll, dawn, end_of_watch
from brickphys.minifig.campaign.effects import TrialRoll
from brickphys.minifig.campaign.state import Watch, Weather, parse_chart
from brickphys.minifig.campaign.trials import trials
from brickphys.rules.record import CHANCE, OVER
from tests.minifig.campaign.quest import GAME, after, quest, setup

PAIRS = list(combinations_with_replacement(range(1, 11), 2))
HURT = [{"name": name} for name in ("lead", "one", "two")]


def hurt(state):
    return [one.name for one in state.party if one.is_wounded]


def all_hurt(**changes):
    state = quest(given=setup(party=HURT), **changes)
    for number in range(3):
        state = state.change_member(number, is_wounded=True)
    return state


@pytest.mark.parametrize("watch", list(Watch))
def test_doubles_and_only_doubles_are_misadventures(watch):
    """All 55 throws of two d10; the tenth face is a 0."""
    state = quest(MisadventureRoll(), watch=watch)
    for one, other in PAIRS:
        found = after(state, f"{one} {other}")
        key = f"{'day' if watch.is_day else 'night'}: {one}"
        if one != other:
            assert found == GAME.proceed(end_of_watch(state.pop_pending()))
        elif trials().keyed[key].bricks:
            assert isinstance(found.first_pending, TrialRoll)
            assert found.first_pending.key == key


def test_a_quiet_day_has_six_watches_and_two_half_days():
    state, asked = quest(given=setup(days=2)), []
    while state.day == 1:
        if GAME.actor(state) == CHANCE:
            asked.append(GAME.chance(state).reason)
            state = after(state, "1 2")
        else:
            asked.append("choice")
            state = after(state, "camp")
    assert asked == [
        "choice",
        "misadventure in the morning",
        "choice",
        "misadventure in the afternoon",
        *(f"misadventure in the {watch} watch" for watch in ("first", "second", "third", "fourth")),
    ]
    assert (state.day, state.watch, state.card) == (2, Watch.MORNING, "")
    assert GAME.chance(state).reason == "weather check"


def test_a_delay_takes_the_next_half_days():
    state = quest(given=setup(), delay=3)
    state = GAME.proceed(state)
    assert state.delay == 2
    assert isinstance(state.first_pending, MisadventureRoll)
    state = after(state, "1 2")
    assert (state.watch, state.delay) == (Watch.AFTERNOON, 1)
    state = after(state, *["1 2"] * 5)
    assert (state.day, state.delay) == (2, 1)


def test_the_last_day_ends_the_campaign():
    state = quest(EndOfWatch(), given=setup(days=7), day=7, watch=Watch.FOURTH)
    assert (GAME.actor(state), GAME.returns(state)) == (OVER, (1,))


@pytest.mark.parametrize(("chart", "left"), [("0,0o", ["one", "two"]), ("0,0v", [])])
def test_camp_heals_one_wound_and_in_a_village_all(chart, left):
    assert hurt(after(all_hurt(chart=parse_chart(chart)), "camp")) == left


@pytest.mark.parametrize(
    ("weather", "asks"), [("hot", True), ("freezing snow", True), ("dry", False), ("wet", False)]
)
def test_hard_weather_is_a_trial_at_dawn(weather, asks):
    state = quest(day=3, weather=Weather(weather))
    state = after(GAME.proceed(dawn(state)), "2")
    assert isinstance(state.first_pending, TrialRoll) == asks
