"""A day: dawn, half-days, watches, misadventures, camp (MF Campaign); trials and effects, which are ours."""

from itertools import combinations_with_replacement

import pytest

from brickphys.minifig.campaign import effects
from brickphys.minifig.campaign.days import EndOfWatch, MisadventureRoll, dawn, end_of_watch
from brickphys.minifig.campaign.state import Watch, Weather, parse_chart
from brickphys.minifig.campaign.trials import trials
from brickphys.rules.record import CHANCE, OVER
from tests.minifig.campaign.quest import GAME, LAW, after, quest, setup

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
            assert isinstance(found.first_pending, effects.TrialRoll)
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
    assert isinstance(state.first_pending, effects.TrialRoll) == asks


TRIO = [
    {"name": "lead", "arms": ["sword", "shield"]},
    {"name": "mate", "arms": ["bow"]},
    {"name": "rex", "kind": "dog"},
]


def trio(*pending, **changes):
    return quest(*pending, given=setup(party=TRIO), **changes)


def same_but(before, state, *fields):
    """Whether two states differ in no other fields, and in what is pending."""
    changes = {name: getattr(before, name) for name in (*fields, "pending")}
    return state.replaced(changes) == before


@pytest.mark.parametrize(
    ("arm", "owner"), [("sword", "mate"), ("helmet", "lead"), ("shield", "mate"), ("bow", None)]
)
def test_arms_go_to_the_first_who_can_use_them(arm, owner):
    """The leader has two full hands, the archer one free, the dog none."""
    before, state = trio(), trio(effects.TrialEffect(f"arms {arm}"))
    found = {one.name for one, was in zip(state.party, before.party, strict=True) if one != was}
    assert found == ({owner} if owner else set())
    assert same_but(before, state, "party")


def test_plate_is_not_worn_over_armour():
    given = setup(party=[{"name": "lead", "arms": ["armour"]}, {"name": "mate"}])
    state = quest(effects.TrialEffect("arms plate"), given=given)
    assert [one.arms for one in state.party] == [("armour",), ("plate",)]


def test_a_recruit_joins_under_a_new_name_until_the_party_is_full():
    before, state = trio(), trio(*[effects.TrialEffect("recruit hound")] * 9)
    assert [one.name for one in state.party[3:]] == [f"hound_{n}" for n in range(1, 6)]
    assert len(state.party) == trials().most_figures
    assert same_but(before, state, "party")


def test_a_horse_is_for_the_first_on_foot_and_never_for_a_dog():
    state = trio(*[effects.TrialEffect("horse")] * 4)
    assert [one.horse for one in state.party] == [True, True, False]


def test_delays_add_up():
    assert (
        trio(
            effects.TrialEffect("delay 1"), effects.TrialEffect("delay 2"), effects.WoundDraw()
        ).delay
        == 3
    )


def test_rest_heals_all():
    state = trio().change_member(0, is_wounded=True).change_member(2, is_wounded=True)
    state = GAME.proceed(state.push_pending(effects.TrialEffect("rest")))
    assert not any(one.is_wounded for one in state.party)


def test_anybody_may_be_wounded_and_a_second_wound_kills():
    state = trio(effects.WoundDraw(), effects.WoundDraw())
    assert list(GAME.chance(state).law(LAW)) == ["lead", "mate", "rex"]
    once = after(state, "mate")
    assert [one.is_wounded for one in once.party] == [False, True, False]
    assert [one.name for one in after(once, "mate").party] == ["lead", "rex"]


def test_the_campaign_is_lost_with_its_leader():
    state = after(trio(effects.WoundDraw(), effects.WoundDraw()), "lead", "lead")
    assert (GAME.actor(state), GAME.returns(state)) == (OVER, (-1,))


def test_the_leader_never_leaves():
    state = trio(effects.LoseDraw(), effects.LoseDraw(), effects.LoseDraw(), effects.WoundDraw())
    assert list(GAME.chance(state).law(LAW)) == ["mate", "rex"]
    state = after(state, "mate", "rex")
    assert isinstance(state.first_pending, effects.WoundDraw)


def test_one_brick_on_a_side_is_a_success():
    """A lady asks for judgement: three bricks for a suit of armour, or half a day."""
    key = "queen of swords: help"
    state = trio(effects.TrialRoll(key))
    assert GAME.chance(state).bricks == 3
    for score in range(4):
        found = after(state, str(score))
        assert ("armour" in found.party[0].arms) == (score > 0)
        assert (found.watch.value, found.delay) == ("morning", 0)
        assert bool(found.pending) == (score == 0)  # the half-day is spent in camp


def test_a_trial_without_bricks_happens_at_once():
    state = GAME.proceed(effects.begin_trial(trio(), "ace of rods: help"))
    assert state.party[1].arms == ("bow", "spear")


@pytest.mark.parametrize("card", sorted(trials().prompts))
def test_every_answer_of_every_card_can_be_given(card):
    state = trio(effects.CardQuestion(), card=card)
    texts = [GAME.format_action(action) for action in GAME.actions(state)]
    assert texts == [f"choose {answer.value}" for answer in trials().prompts[card].answers]
    for text in texts:
        found = after(state, text)
        assert GAME.parse_state(GAME.format_state(found)) == found
        assert not any(isinstance(one, effects.CardQuestion) for one in found.pending)


def test_an_answer_that_the_card_has_not_is_refused():
    state = trio(effects.CardQuestion(), card="two of cups")
    fight = GAME.parse_action("choose fight")
    assert GAME.problems(state, fight) == [
        "the two of cups lets the party help, pass (MF Campaign, Tarot of the Day)"
    ]
