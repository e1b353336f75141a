"""Person: a player at a keyboard, who sees the situation, types actions and may ask for odds."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.players.answers import answer
from brickphys.rules.players.asked import COMMANDS, Asked
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.plan import plan
from brickphys.rules.players.teller import Teller
from brickphys.rules.record import CHANCE, Action, State, View
from brickphys.rules.report.ink import Ink, inked, joined
from brickphys.rules.session import why_not_back

if TYPE_CHECKING:
    import numpy as np

_BETWEEN = re.compile(r"\s*;(?:\s+|(?!\d)|$)|(?<![\d\s]);")
"""What is between several choices on a line; ``12;7`` may be a place."""
_NUMBER_FIRST = re.compile(r"([+-]?\d{1,6}(?:\.\d+)?)\s?;.+")
"""A choice by its number, or one that is a number, and others behind it without a blank; if it is none, a place."""
_IN_SENTENCES = ("help", "why")
"""The commands that are answered in sentences."""


class Person(Teller[State, Action, View]):
    """A player who types.

    Parameters
    ----------
    game
        The game.
    seat
        Which player.
    brick_law
        The law of a roll of bricks, for the odds.
    keyboard
        Where the player types and reads; it must watch the game.
    """

    name = "person"

    def __init__(
        self,
        game: Game[State, Action, View],
        seat: int,
        brick_law: RollLaw,
        keyboard: Keyboard[State, Action],
    ) -> None:
        super().__init__(game, seat, keyboard)
        keyboard.seats.add(seat)
        self._seat = seat
        self._brick_law = brick_law
        self._planned: list[str] = []
        self._planned_at = -1

    def choose(self, view: View, actions: Sequence[Action], rng: "np.random.Generator") -> Action:
        """Show the situation where it is new, and ask until a legal action is typed.

        Raises
        ------
        InterruptedRunError
            If the player quits, or the input ends.
        TakeBackError
            If the player takes the last action back.
        """
        asked = Asked(self.game, view, actions, rng, self._brick_law)
        self.keyboard.sit_down(self, asked.who, secret=self.game.hidden(asked.state))
        self.tell_news()
        known = self._planned_action(asked) or self._only_action(asked)
        if known is not None:
            return known
        columns = self.keyboard.columns
        self._show_question(asked, columns)
        while True:
            first, *rest_of_line = _BETWEEN.split(self.keyboard.line())
            others = [one for one in rest_of_line if one]
            word, _, rest = first.partition(" ")
            command = {"": "list", "?": "help"}.get(word, word.lower())
            if command == "undo":
                self._tell_left_out(others, "after undo the line is not read on")
                self._take_back()
            elif command == "redo":
                again = self.keyboard.redone(self._seat)
                if again is None:
                    self.keyboard.write("nothing to do again: no choice was taken back just before")
                self._tell_left_out(others, "after redo the line is not read on")
                if again is not None:
                    return again
            elif command in COMMANDS:
                told = answer(asked, command, rest, columns)
                folds = self.keyboard.wrapped if command in _IN_SENTENCES else str
                self.show(asked.state, joined(map(folds, told), "\n"))
                self._tell_left_out(others, f"after {command} the line is not read on")
            elif (action := self._meant(asked, [first, *others])) is not None:
                return action

    def _meant(self, asked: Asked[State, Action, View], texts: Sequence[str]) -> Action | None:
        """Return the first of some choices that were typed, and note the others; if it is none, tell why."""
        number = _NUMBER_FIRST.fullmatch(texts[0])
        if number and asked.is_choice(number[1]):
            texts = [*(one for one in re.split(r"\s?;", texts[0]) if one), *texts[1:]]
        try:
            found = plan(asked, texts[0])
        except InvalidValueError as error:
            self.show(asked.state, inked(self.keyboard.wrapped(str(error)), Ink.FAULT))
            self._tell_left_out(texts[1:], f"{texts[0]} was not done")
            return None
        first, *more = found.actions
        self._planned = [*([found.text] if more else []), *texts[1:]]
        self._planned_at = len(self.keyboard.steps) + 1
        return first

    def _planned_action(self, asked: Asked[State, Action, View]) -> Action | None:
        """Return the action that was typed with the last one; None if there is none, or something has come between."""
        texts, self._planned = self._planned, []
        if texts and self._planned_at == len(self.keyboard.steps):
            return self._meant(asked, texts)
        between = [step.actor for _, step in self.keyboard.steps[self._planned_at :]]
        came = "bricks or dice were rolled" if CHANCE in between else "another player has acted"
        self._tell_left_out(texts, f"{came} first, so type it again if you still want it")
        return None

    def _tell_left_out(self, texts: Sequence[str], why: str) -> None:
        """Tell which choices of a line are not made, and because of what came before them."""
        if texts:
            self.keyboard.write(f"not done: {'; '.join(texts)} ({why})")

    def _show_question(self, asked: Asked[State, Action, View], columns: int | None) -> None:
        """Show the question, after the situation where that is new."""
        is_shown = False
        if self.is_new:
            situation = asked.situation(columns, self.keyboard.tables, self.announced(asked.state))
            self.show_situation(asked.state, situation)
            self.keyboard.tables = asked.tables
            is_shown = asked.marked is not None
        self.is_new = False
        for part in asked.question(columns, is_shown=is_shown):
            self.show(asked.state, part)

    def _only_action(self, asked: Asked[State, Action, View]) -> Action | None:
        """Return the only legal action, and tell it; None if there are others.

        It is asked for where its player could see by that who holds the keyboard, and where it was just taken back
        with all before it that may be.
        """
        only = self.game.only_action(asked.state)
        if only is None or (self.game.hidden(asked.state) and len(self.keyboard.readers) > 1):
            return None
        if self.keyboard.back_at == len(self.keyboard.steps):
            self.keyboard.undo(self.game, [self._seat])
            return None
        prompt = self.game.prompt(asked.state)
        line = f"{asked.who}: {asked.typed.shown[0]}, the only legal choice ({prompt})"
        self.show(asked.state, self.keyboard.wrapped(line))
        self.keyboard.is_automatic = True
        return only

    def _take_back(self) -> None:
        """Take the last choice back, if it may be, or tell why not."""
        keyboard = self.keyboard
        keyboard.undo(self.game, [self._seat])
        chosen = (
            number for number in range(len(keyboard.steps)) if number not in keyboard.automatic
        )
        why = why_not_back([keyboard.steps[number][1] for number in chosen], self._seat)
        keyboard.write(f"nothing to take back: {why}")
