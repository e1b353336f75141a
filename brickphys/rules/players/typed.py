"""Typed: finds the action that a person types by number, words or parts of words, or tells why there is none."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Generic

from brickphys.errors import InvalidValueError
from brickphys.rules.game import Game
from brickphys.rules.names import like
from brickphys.rules.players.menu import below_heading, is_numbered
from brickphys.rules.record import Action, State, View

_MOST_NAMED = 8
"""Actions that are named where several may be meant."""
_UNKNOWN = re.compile(r"'([\w+]+)': known: ((?:[\w+]+, )*[\w+]+)")
"""What games say of a name that is none of theirs."""
_PLACE = re.compile(r"[a-z]\d+|\d[\d.]*[\s,]+[\d.]+", re.IGNORECASE)
"""A place without any other words: ``12,7``, ``12.5 7``, ``S12``."""


class Typed(Generic[State, Action, View]):
    """Reads what a person types where one of some actions is asked for.

    Parameters
    ----------
    game, state
        The game, and a state that looks to the person as the true one.
    actions
        The listed actions.
    """

    def __init__(
        self, game: Game[State, Action, View], state: State, actions: Sequence[Action]
    ) -> None:
        self.game = game
        self.state = state
        self.actions = actions
        self.texts = [game.format_action(action) for action in actions]

    def action(self, text: str) -> Action:
        """Return the action that was typed: its words or number, or words that only one legal action has.

        Raises
        ------
        InvalidValueError
            If it is no action, or an illegal one, with every reason; or if several may be meant.
        """
        if text in self.texts:
            return self.actions[self.texts.index(text)]
        if text.isdecimal() and is_numbered(self.texts):
            if 1 <= len(text) <= 6 and 1 <= int(text) <= len(self.actions):
                return self.actions[int(text) - 1]
            raise InvalidValueError(f"{text} is not between 1 and {len(self.actions)}")
        if named := below_heading(self.texts, text):
            if len(named) > 1:
                raise _several(text, named)
            return self.actions[self.texts.index(named[0])]
        return self._read(text)

    def _read(self, text: str) -> Action:
        """Return the action of a text, with or without the words above it in the list."""
        try:
            return self._one(text, [text])
        except _UnreadError as error:
            fault = error
        for forms in self._headed(text):
            with suppress(_UnreadError):
                return self._one(text, forms)
        raise self._unknown(text, fault)

    def _headed(self, text: str) -> Iterator[list[str]]:
        """Yield forms of a text with words of the list before it, or whole where they are only begun."""
        headings = self._headings()
        kinds = dict.fromkeys(one.split(" ")[1] for one in self.texts if one.count(" ") == 1)
        yield [f"{one} {text}" for one in headings]
        if _PLACE.fullmatch(text):
            yield [f"{one} {text}" for one in kinds]
        word, _, rest = text.partition(" ")
        begun = [one for one in (*headings, *kinds) if len(word) > 1 and one.startswith(word)]
        if len(begun) == 1:
            yield [f"{begun[0]} {rest}".strip()]

    def _headings(self) -> list[str]:
        """Return the first words of the list, each once."""
        return list(dict.fromkeys(one.partition(" ")[0] for one in self.texts))

    def _one(self, text: str, forms: Iterable[str]) -> Action:
        """Return the only legal action that some forms of a text may mean.

        Raises
        ------
        _UnreadError
            If they mean none.
        InvalidValueError
            If several are legal; or why none is.
        """
        found, faults, whys = dict[str, Action](), list[str](), list[str]()
        for form in forms:
            readings = self.game.readings(self.state, form)
            for notation in readings.meant or [form]:
                try:
                    found[notation] = self.game.parse_action(notation)
                except InvalidValueError as error:
                    faults.append(str(error))
            if readings.guess:
                whys += self._problems(self.game.parse_action(readings.guess))
        if _PLACE.fullmatch(text):  # of a name that looks like a place nothing is told
            places = {one: self.game.place_of(self.state, each) for one, each in found.items()}
            found = {one: each for one, each in found.items() if places[one] is not None}
        legal = {one: action for one, action in found.items() if not self._problems(action)}
        if len(legal) == 1:
            return next(iter(legal.values()))
        if legal or len({one.partition(" ")[0] for one in found}) < len(found):
            raise _several(text, legal or found)
        for notation, action in found.items():
            reasons = "; ".join(self._problems(action))
            raise InvalidValueError(f"{notation!r} is illegal: {_clear(reasons)}")
        if whys:
            raise InvalidValueError(f"{text}: {_clear('; '.join(whys))}")
        raise _UnreadError(faults[0] if faults else "")

    def _problems(self, action: Action) -> list[str]:
        return self.game.problems(self.state, action)

    def _unknown(self, text: str, fault: InvalidValueError) -> InvalidValueError:
        """Return the error for what is no action: with what is like it, or what is asked for instead of a place."""
        if _PLACE.fullmatch(text):
            asked = self.game.prompt(self.state)
            return InvalidValueError(f"{text}: the question does not ask for a place: {asked}")
        if str(fault).startswith("unknown action") and "did you mean" not in str(fault):
            word, headings = text.partition(" ")[0], self._headings()
            fault = InvalidValueError(f"unknown action {word!r}: choose from {', '.join(headings)}")
            if meant := like(self.texts, text):
                return InvalidValueError(f"unknown action {text!r}: did you mean {meant!r}?")
        return fault


class _UnreadError(InvalidValueError):
    """What was typed cannot be read as an action in the way that was tried."""


def _several(text: str, notations: Iterable[str]) -> InvalidValueError:
    named = list(notations)
    more = f", and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    return InvalidValueError(f"{text!r} is ambiguous: {', '.join(named[:_MOST_NAMED])}{more}")


def _clear(reasons: str) -> str:
    """Return reasons in which an unknown name is answered with the one that is like it, or with a short list."""
    return _UNKNOWN.sub(lambda found: f"'{found[1]}': {_known(found[1], found[2])}", reasons)


def _known(name: str, known: str) -> str:
    names = known.split(", ")
    if meant := like(names, name):
        return f"did you mean {meant!r}?"
    more = len(names) - _MOST_NAMED
    return f"known: {', '.join(names[:_MOST_NAMED])}" + (f" and {more} more" if more > 0 else "")
