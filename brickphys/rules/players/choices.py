"""Choices: the legal actions of a person as things to click: each with its words, its odds and its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from brickphys.rules.players.asked import Asked
from brickphys.rules.record import Action, State, View

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point


@dataclass(frozen=True)
class Choice(Generic[Action]):
    """An action, or two of which the second completes the first.

    Attributes
    ----------
    actions
        One action, or the first part of a choice and the part that names a place.
    text
        The last one as a list shows it, with rounded numbers.
    told
        What it is for, and the chances of an attack; empty if there is nothing to tell.
    place
        Where it leads, or whom it is aimed at, on the map of the game; None if nowhere.
    is_attack
        Whether it has chances to hit somebody.
    is_harmful
        Whether it is likelier to kill own men than enemies.
    """

    actions: tuple[Action, ...]
    text: str
    told: str
    place: "Point | None"
    is_attack: bool
    is_harmful: bool = False


def listed(asked: Asked[State, Action, View]) -> list[Choice[Action]]:
    """Return the list of a question, in its order, and then what is legal, too, without places in the picture."""
    texts = map(asked.game.format_action, asked.unlisted)
    also = (
        Choice((action,), text, asked.game.purpose(asked.state, action), None, is_attack=False)
        for action, text in zip(asked.unlisted, texts, strict=True)
    )
    return [*_choices(asked, ()), *also]


def placed(
    asked: Asked[State, Action, View], listed: Sequence[Choice[Action]]
) -> list[Choice[Action]]:
    """Return all choices that have a place.

    Where a question asks only what to do, those are the actions that may follow: all attacks, and of the actions
    without odds those of the first kind that lead to places, such as walking.

    Parameters
    ----------
    asked, listed
        The question, and its list.
    """
    if here := [choice for choice in listed if choice.place is not None]:
        return here
    found, goes = list[Choice[Action]](), False
    for choice in listed:
        after = asked.after(choice.actions[0])
        if after is None:
            continue
        parts = [one for one in _choices(after, choice.actions) if one.place is not None]
        attacks = [one for one in parts if one.is_attack]
        found += attacks
        if parts and not attacks and not goes:
            found += parts
            goes = True
    return found


def _choices(
    asked: Asked[State, Action, View], first: tuple[Action, ...]
) -> Iterator[Choice[Action]]:
    told_strikes, harmful = asked.strikes, asked.harmful
    for action, text, shown in zip(asked.actions, asked.texts, asked.typed.shown, strict=True):
        strikes = told_strikes.get(text, "")
        purpose = asked.game.purpose(asked.state, action)
        told = ", ".join(filter(None, (purpose, strikes)))
        place = asked.game.place_of(asked.state, action)
        yield Choice((*first, action), shown, told, place, bool(strikes), text in harmful)
