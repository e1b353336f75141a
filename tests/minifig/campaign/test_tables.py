"""The tables of the book, cell by cell, and the deck (MF Campaign); the data that are ours."""

from datetime import date, timedelta

import numpy as np
import pytest

from brickphys.minifig.campaign.days import CardDraw, WeatherCheck, WeatherRoll, march_tenths
from brickphys.minifig.campaign.state import (
    LAST_ARCANUM,
    Season,
    Watch,
    Weather,
    after_card,
    card_draw,
    data,
    date_text,
    season,
    tables,
)
from brickphys.minifig.campaign.trials import Answer, Verb, battle_setup, battles, trials
from brickphys.minifig.sheets import charts
from tests.minifig.campaign.quest import GAME, after, quest, setup

WEATHER = """
1 | Snow | Wet | Wet | Freezing Snow
2 | Wet | Wet | Wet | Freezing Snow
3 | Wet | Dry | Wet | Snow
4 | Dry | Dry | Dry | Snow
5 | Dry | Hot | Dry | Wet
6 | Dry | Hot | Dry | Dry
"""
FIRST_DAY = {Season.SPRING: 2, Season.SUMMER: 60, Season.AUTUMN: 150, Season.WINTER: 250}
"""A day of the campaign in each season."""
CELLS = [
    (season_of, face, cell.strip().lower())
    for face, line in enumerate(WEATHER.strip().splitlines(), start=1)
    for season_of, cell in zip(Season, line.split("|")[1:], strict=True)
]


@pytest.mark.parametrize(("season_of", "face", "weather"), CELLS)
def test_weather_of_each_cell(season_of, face, weather):
    day = FIRST_DAY[season_of]
    state = quest(WeatherRoll(), given=setup(days=365), day=day, weather=Weather.HOT)
    assert season(day) is season_of
    assert after(state, str(face)).weather is Weather(weather)


@pytest.mark.parametrize("face", range(1, 7))
def test_weather_changes_on_an_odd_face_only(face):
    state = after(quest(WeatherCheck(), day=2, weather=Weather.WET), str(face))
    assert isinstance(state.first_pending, WeatherRoll) == (face % 2 == 1)
    assert state.weather is Weather.WET


def test_the_first_day_is_fine_and_has_no_check():
    state = GAME.initial(setup())
    assert (state.weather, date_text(state.day)) == (Weather.DRY, "15 April")
    assert "card" in GAME.chance(state).question


def test_dates_are_those_of_the_calendar_for_two_years():
    months = "JanuaryFebruaryMarchAprilMayJuneJulyAugustSeptemberOctoberNovemberDecember"
    seasons = {1: "winter", 2: "winter", 12: "winter", 3: "spring", 4: "spring", 5: "spring"}
    seasons |= {6: "summer", 7: "summer", 8: "summer", 9: "autumn", 10: "autumn", 11: "autumn"}
    for day in range(1, 731):
        then = date(2001, 4, 15) + timedelta(days=day - 1)
        number, _, month = date_text(day).partition(" ")
        assert (int(number), month) == (then.day, then.strftime("%B"))
        assert month in months
        assert season(day).value == seasons[then.month]


@pytest.mark.parametrize(
    ("face", "walk", "ride"), [(1, 7.2, 12), *((f, 9.6, 18) for f in range(2, 6)), (6, 14.4, 28)]
)
def test_miles_of_half_a_day(face, walk, ride):
    """1.8, 2.4 and 3.6 mph on foot, 3, 4.5 and 7 mph for riders, 4 hours each."""
    on_foot = quest(given=setup(party=[{"name": "a"}, {"name": "b", "horse": True}]))
    mounted = quest(given=setup(party=[{"name": "a", "horse": True}, {"name": "b", "kind": "dog"}]))
    assert march_tenths(on_foot, face) == pytest.approx(10 * walk)
    assert march_tenths(mounted, face) == pytest.approx(10 * ride)


def test_the_watches_fill_a_day():
    spans = [tables().watches[watch.value].split(" to ") for watch in Watch]
    following = [*spans[1:], spans[0]]
    assert spans[0][0] == "6 am"
    assert all(one[1] == other[0] for one, other in zip(spans, following, strict=True))
    assert [watch.is_day for watch in Watch] == [True, True, False, False, False, False]


def names(drawn, arcanum):
    return [name for name, weight in card_draw(drawn, arcanum).weights if weight == 1]


def test_the_fool_leaves_the_lower_cards_return_and_the_magician_comes():
    drawn = frozenset(tables().lower[:30])
    drawn, arcanum = after_card(drawn, 0, "the fool")
    assert names(drawn, arcanum) == [*tables().lower, "the magician"]


def test_each_upper_card_leaves_like_the_fool_until_none_is_left():
    drawn, arcanum = frozenset(), 0
    for card in tables().arcana:
        assert names(drawn, arcanum)[-1] == card
        drawn, arcanum = after_card(drawn, arcanum, card)
    assert (names(drawn, arcanum), arcanum) == ([*tables().lower], LAST_ARCANUM)


def test_after_all_lower_cards_the_upper_one_is_left():
    *most, last = tables().lower
    assert names(*after_card(frozenset(most), 0, last)) == ["the fool"]


def test_an_upper_card_is_drawn_every_57_days_at_the_latest():
    rng, drawn, arcanum, days = np.random.default_rng(3), frozenset(), 0, 0
    while arcanum < LAST_ARCANUM:
        found = names(drawn, arcanum)
        assert len(found) == 57 - days
        card = found[int(rng.integers(len(found)))]
        drawn, arcanum = after_card(drawn, arcanum, card)
        days = 0 if card in tables().arcana else days + 1
    for _ in range(56 * 3):  # then the lower cards go round
        found = names(drawn, arcanum)
        drawn, arcanum = after_card(drawn, arcanum, found[int(rng.integers(len(found)))])
    assert len(names(drawn, arcanum)) == 56


def test_the_fool_brings_nothing_but_a_new_season_of_the_campaign():
    state = quest(CardDraw(), drawn=frozenset({"two of cups"}))
    found = after(state, "the fool")
    assert (found.arcanum, found.drawn, found.card) == (1, frozenset(), "the fool")
    assert found.pending == ()


def test_a_lower_card_asks_what_is_done():
    found = after(quest(CardDraw()), "two of cups")
    assert [type(one).__name__ for one in found.pending] == ["CardQuestion"]
    assert found.drawn == {"two of cups"}


def test_every_card_has_a_prompt_and_every_weather_a_speed():
    assert set(trials().prompts) == set(tables().lower)
    assert set(trials().percent) == set(Weather)
    doubles = {f"{when}: {face}" for when in ("day", "night") for face in range(1, 11)}
    assert doubles < trials().keyed.keys()


def test_effects_are_of_the_closed_set():
    known = {
        Verb.BATTLE: trials().foes,
        Verb.ARMS: charts().arms,
        Verb.RECRUIT: trials().recruits,
        Verb.DELAY: {"1", "2"},
    }
    used = set()
    for trial in trials().keyed.values():
        assert 0 <= trial.bricks <= 6
        assert trial.bricks or not trial.bad
        for effect in (*trial.good, *trial.bad):
            verb, _, thing = effect.partition(" ")
            used.add(Verb(verb))
            assert thing in known.get(Verb(verb), {""}), effect
    assert used == set(Verb)
    assert {answer for prompt in trials().prompts.values() for answer in prompt.answers} == set(
        Answer
    )


def test_every_foe_and_recruit_can_be_in_a_battle():
    """A campaign of each recruit alone, against each group of foes."""
    for name, one in trials().recruits.items():
        table = {"name": name, "kind": one.kind, "arms": list(one.arms), "horse": one.horse}
        state = quest(given=setup(party=[table]))
        for foes, met in trials().foes.items():
            battle = battles().begin(battle_setup(state, foes))
            assert battle.strength == (1, len(met))


@pytest.mark.parametrize("when", ["day", "night"])
def test_each_misadventure_has_the_key_of_its_face(when):
    rows = data("effects")["misadventure"][when]
    assert set(rows) == {str(face) for face in range(1, 11)}
    for face, row in rows.items():
        found = trials().keyed[f"{when}: {face}"]
        assert (found.text, found.bricks) == (row["text"], row.get("bricks", 0))
        assert [list(found.good), list(found.bad)] == [row.get("good", []), row.get("bad", [])]
