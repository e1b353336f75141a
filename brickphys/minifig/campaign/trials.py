"""Trials: the effects of weather, ground, misadventures and cards, from data files marked as ours."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any

from brickphys.minifig.campaign.state import Member
from brickphys.minifig.campaign.tables import MILE, Weather, data


class Verb(Enum):
    """What an effect does: the closed set of all effects (ours)."""

    BATTLE = "battle"
    """A battle with foes; the effects after it on the list happen if the party wins."""
    ARMS = "arms"
    """For the first figure that can use them."""
    RECRUIT = "recruit"
    """Somebody joins the party."""
    HORSE = "horse"
    """For the first soldier or peasant on foot."""
    DELAY = "delay"
    """This many of the next half-days are spent in camp."""
    WOUND = "wound"
    """Somebody is wounded; a figure that is already wounded dies."""
    LOSE = "lose"
    """Somebody other than the leader leaves the party."""
    REST = "rest"
    """All wounds heal."""


class Answer(Enum):
    """What the party does about the card of the day."""

    FIGHT = "fight"
    PARLEY = "parley"
    EVADE = "evade"
    HELP = "help"
    PASS = "pass"

    @property
    def told(self) -> str:
        """The answer as lists show it."""
        return "stay and help" if self is Answer.HELP else self.value  # help is a command


@dataclass(frozen=True)
class Trial:
    """Bricks that are thrown, and effects such as ``delay 1``: good ones if one or more bricks stop on a side."""

    bricks: int = 0  # without any, the good effects happen
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    text: str = ""  # what has happened, as a sentence

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> "Trial":
        """Return the trial of a table of the data."""
        lists = {key: tuple(table.get(key, ())) for key in ("good", "bad")}
        return cls(table.get("bricks", 0), **lists, text=table.get("text", ""))


@dataclass(frozen=True)
class Prompt:
    """What a card brings: a sentence, and what the party can do about it."""

    text: str
    answers: Mapping[Answer, Trial]


@dataclass(frozen=True)
class Trials:
    """All of them."""

    # percent of the miles of half a day, and the trial that a weather brings at dawn
    percent: Mapping[Weather, int]
    dawn: Mapping[Weather, Trial]
    # how many times as far it is through woods, and how much farther over a river
    woods_times: int
    ford_tenths: int
    # by day (True) and by night: the first one for a double 1
    misadventures: Mapping[bool, tuple[Trial, ...]]
    # the table of a battle
    battle: Mapping[str, Any]
    # by card
    prompts: Mapping[str, Prompt]
    # who may join a party of fewer figures than `most_figures`, and who is met
    recruits: Mapping[str, Member]
    most_figures: int
    foes: Mapping[str, tuple[Member, ...]]

    @cached_property
    def keyed(self) -> Mapping[str, Trial]:
        """Every trial by a key that says where it comes from: ``ace of swords: fight``, ``night: 3``."""
        found = {
            f"{card}: {answer.value}": trial
            for card, prompt in self.prompts.items()
            for answer, trial in prompt.answers.items()
        }
        found |= {weather.value: trial for weather, trial in self.dawn.items()}
        for is_day, rows in self.misadventures.items():
            found |= {f"{'day' if is_day else 'night'}: {n}": row for n, row in enumerate(rows, 1)}
        return found


@lru_cache
def trials() -> Trials:
    """Return what the data files say."""
    found = data("effects")
    weather = {Weather(name): table for name, table in found["weather"].items()}
    return Trials(
        percent={each: table["percent"] for each, table in weather.items()},
        dawn={
            each: Trial.read(table["trial"]) for each, table in weather.items() if "trial" in table
        },
        woods_times=found["ground"]["woods_times"],
        ford_tenths=round(found["ground"]["ford_miles"] * MILE),
        misadventures={
            when == "day": tuple(Trial.read(rows[str(face)]) for face in range(1, len(rows) + 1))
            for when, rows in found["misadventure"].items()
        },
        battle=found["battle"],
        prompts={card: _prompt(dict(table)) for card, table in data("prompts").items()},
        recruits={name: _member(name, table) for name, table in found["recruit"].items()},
        most_figures=found["party"]["most"],
        foes={
            name: tuple(_member(name, row) for row in rows for _ in range(row["count"]))
            for name, rows in found["foes"].items()
        },
    )


def _prompt(table: dict[str, Any]) -> Prompt:
    text = table.pop("text")
    return Prompt(text, {Answer(name): Trial.read(answer) for name, answer in table.items()})


def _member(name: str, table: Mapping[str, Any]) -> Member:
    values = {key: value for key, value in table.items() if key != "count"}
    return Member(name, **values | {"arms": tuple(values.get("arms", ()))})
