"""Plan: an action that a person types, also before the unit that does it is chosen: ``attack blue 1 from red 2``."""

import re
from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.rules.names import like, meant
from brickphys.rules.players.asked import Asked
from brickphys.rules.players.typed import AmbiguousError, is_place
from brickphys.rules.record import Action, State, View

_WITH_NAME = re.compile(r"(.+?) (?:from|by) (.+)", re.IGNORECASE)


class Plan(NamedTuple, Generic[State, Action, View]):
    """An action, and the choice of who does it.

    Attributes
    ----------
    first
        The choice of who acts; None if that is known.
    asked
        The question that the action answers.
    action, text
        The action, and how it was typed.
    """

    first: Action | None
    asked: Asked[State, Action, View]
    action: Action
    text: str

    @property
    def actions(self) -> tuple[Action, ...]:
        """The choices in their order."""
        return (self.action,) if self.first is None else (self.first, self.action)


class NobodyError(InvalidValueError):
    """Nobody can do what was typed; why not, by name.

    Attributes
    ----------
    reason
        Why one of them cannot, or all.
    """

    def __init__(self, text: str, whys: Mapping[str, str]) -> None:
        name, why = next(iter(whys.items()))
        if len(set(whys.values())) == 1:
            self.reason = why
            super().__init__(why)
            return
        first = why.removeprefix(f"{text}: ").partition("; ")[0]
        self.reason = f"nobody can do this now; {name}: {first}"
        super().__init__(f"{self.reason}; for another one, type why {text} by NAME")


def plan(asked: Asked[State, Action, View], text: str) -> Plan[State, Action, View]:
    """Return what a text means; InvalidValueError tells why it means nothing legal, or what it may mean."""
    found = plans(asked, text)
    if len(found) == 1:
        return found[0]
    raise AmbiguousError(text, [_by(asked, one.first, one.text) for one in found])


def plans(asked: Asked[State, Action, View], text: str) -> list[Plan[State, Action, View]]:
    """Return the actions that a text means: one; or if who acts is still to be chosen, one for each who can do it.

    Raises
    ------
    InvalidValueError
        If it means none, with the reason.
    """
    try:
        return [Plan(None, asked, asked.typed.action(text), text)]
    except InvalidValueError as error:
        fault = error
    typed, name = _parted(text)
    firsts = [one for one in asked.actions if asked.game.chooses(one)]
    if not firsts or not _is_action(asked, typed):
        raise _mistyped(asked, typed, firsts, fault)
    if name:
        firsts = _called(asked, firsts, name)
    return _looked_through(asked, typed, firsts, fault)


def _looked_through(
    asked: Asked[State, Action, View], text: str, firsts: Sequence[Action], fault: InvalidValueError
) -> list[Plan[State, Action, View]]:
    """Return the plans that begin with some choices of who acts; the error that is given if none leads on."""
    found, several, whys = list[Plan[State, Action, View]](), list[str](), dict[str, str]()
    for first in firsts:
        after = asked.following(first)
        if after is None:
            continue
        try:
            found.append(Plan(first, after, after.typed.action(text), text))
        except AmbiguousError as error:
            several += [_by(asked, first, notation) for notation in error.notations]
        except InvalidValueError as error:
            whys[_name(asked, first)] = str(error)
    if several:
        raise AmbiguousError(text, [*(_by(asked, one.first, text) for one in found), *several])
    if found:
        return found
    raise NobodyError(text, whys) if whys else fault


def _mistyped(
    asked: Asked[State, Action, View], text: str, firsts: Sequence[Action], fault: InvalidValueError
) -> InvalidValueError:
    """Return the error for what is no action: with one like it that somebody can do, if nothing else is like it."""
    word, told = text.partition(" ")[0], str(fault)
    if not told.startswith(f"unknown action {word!r}") or "did you mean" in told:
        return fault
    nexts = [after for one in firsts if (after := asked.following(one)) is not None]
    other = like({word: None for after in nexts for word in after.typed.words}, word)
    return (
        InvalidValueError(f"unknown action {word!r}: did you mean {other!r}?") if other else fault
    )


def _parted(text: str) -> tuple[str, str]:
    """Return the action that was typed, and the name behind it of who does it; that is empty if there is none."""
    parts = _WITH_NAME.fullmatch(text)
    return (parts[1], parts[2]) if parts else (text, "")


def _is_action(asked: Asked[State, Action, View], text: str) -> bool:
    """Tell whether a text begins as an action of the game that is not asked for, or is a place."""
    word = text.partition(" ")[0].lower()
    if any(one.startswith(f"{word} ") for one in asked.texts):
        return False
    words = asked.game.action_words()
    return (
        is_place(text)
        or word in words
        or any(len(word) > 1 and one.startswith(word) for one in words)
    )


def _name(asked: Asked[State, Action, View], first: Action) -> str:
    """Return the name of who is chosen, the first one in the notation."""
    return asked.game.format_action(first).split(" ")[1]


def _by(asked: Asked[State, Action, View], first: Action | None, text: str) -> str:
    """Return an action with the name of who does it."""
    return text if first is None else f"{text} by {_name(asked, first)}"


def _called(asked: Asked[State, Action, View], firsts: Sequence[Action], name: str) -> list[Action]:
    """Return the choices of a unit with a name; InvalidValueError if it cannot be chosen."""
    names = meant(asked.game.names(asked.state), name)
    found = [one for one in firsts if _name(asked, one) in names]
    if not found:
        asked.typed.action(name)  # it tells why not
        raise InvalidValueError(f"{name!r} cannot act now")
    return found
