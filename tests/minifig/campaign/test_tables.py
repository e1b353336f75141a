"""The tables of the book, cell by cell (MF Campaign)."""

from datetime import date, timedelta

import pytest

from brickphys.minifig.campaign.days import WeatherCheck, WeatherRoll, march_tenths
from brickphys.minifig.campaign.state import Season, Watch, Weather, date_text, season, tables
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
    spans = [tables().hours[watch].split(" to ") for watch in Watch]
    following = [*spans[1:], spans[0]]
    assert spans[0][0] == "6 am"
    assert all(one[1] == other[0] for one, other in zip(spans, following, strict=True))
    assert [watch.is_day for watch in Watch] == [True, True, False, False, False, False]
