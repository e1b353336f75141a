"""Date: the days of the campaign in the calendar; the quest begins on 15 April (MF Campaign, Weather)."""

from datetime import date, timedelta
from functools import lru_cache

from brickphys.minifig.campaign.tables import Season

_FIRST = date(2001, 4, 15)
_YEAR_DAYS = 365
"""The book names no year: no February has 29 days."""
_MONTHS = "January February March April May June July August September October November December"
_SPRING = 3


@lru_cache(maxsize=_YEAR_DAYS)
def _date(day: int) -> date:
    return _FIRST + timedelta(days=(day - 1) % _YEAR_DAYS)


def season(day: int) -> Season:
    """Return the season of the year of a day of the campaign, counted from 1."""
    return tuple(Season)[(_date(day).month - _SPRING) % 12 // 3]


def date_text(day: int) -> str:
    """Return the date of a day of the campaign, counted from 1: ``15 April``."""
    found = _date(day)
    return f"{found.day} {_MONTHS.split()[found.month - 1]}"
