"""Person: a player at a keyboard, who sees the situation, types actions and may ask for odds."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from textwrap import wrap
from typing import TYPE_CHECKING, Generic

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.forecast import Forecast
from brickphys.rules.game import Game
from brickphys.rules.play import may_take_back
from brickphys.rules.players.bots import TakeBackError, imagined
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.menu import WIDTH, below_heading, is_numbered, menu
from brickphys.rules.players.teller import Teller
from brickphys.rules.record import CHANCE, Action, State, View
from brickphys.text import columns

if TYPE_CHECKING:
    import numpy as np

COMMANDS = {
    "help": "these lines (or ?)",
    "show": "the situation again",
    "list": "your legal actions again (or Enter alone)",
    "odds": "the exact odds of all your actions (a mean over guesses if something is hidden); odds ACTION: those of "
    "one action, or of what follows it",
    "why": "why ACTION: why an action is illegal or would be wasted",
    "undo": "take back your last choice, unless something was rolled since (a round's last choice may roll itself) "
    "or another player has acted; or take back the last roll, if it was typed",
    "save": "save FILE.jsonl: store the game so far; `brickphys play GAME FILE.jsonl` continues it later",
    "quit": "leave; the game ends here, and you can continue only what you have saved",
}
"""The commands besides actions."""
_LEAST_SHARE = 0.0005
"""Rarer outcomes are shown together."""
_WORLDS = 8
"""If something is hidden, odds are the mean over this number of states that have the player's view."""


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
        self._seat = seat
        self._brick_law = brick_law

    def choose(self, view: View, actions: Sequence[Action], rng: "np.random.Generator") -> Action:
        """Show the situation where it is new, and ask until a legal action is typed.

        Raises
        ------
        InterruptedRunError
            If the player quits, or the input ends.
        TakeBackError
            If the player takes the last action back.
        """
        asked = _Asked(self.game, view, actions, rng, self._brick_law)
        write = self.keyboard.write
        self.keyboard.sit_down(self, asked.who, secret=self.game.hidden(asked.state))
        self.tell_news()
        if self.is_new:
            write("\n".join(["", self.game.describe(view), ""]))
        self.is_new = False
        write("\n".join(asked.menu()))
        while True:
            word, _, rest = self.keyboard.line().partition(" ")
            word = {"": "list", "?": "help"}.get(word, word)
            if word == "undo":
                self._take_back()
            elif word == "save":
                write(self._saved(rest))
            elif word in COMMANDS:
                write("\n".join(asked.answer(word, rest)))
            else:
                try:
                    return asked.action(f"{word} {rest}".strip())
                except InvalidValueError as error:
                    write(str(error))

    def _saved(self, name: str) -> str:
        """Save the game; return how that went."""
        if self.keyboard.save is None:
            return "games are not saved here"
        try:
            return self.keyboard.save(name)
        except InvalidValueError as error:
            return str(error)

    def _take_back(self) -> None:
        """Take the last step back, if it may be."""
        steps = self.keyboard.steps
        self.keyboard.correct()
        if steps and may_take_back(self.game, *steps[-1], self._seat):
            self.keyboard.take_back()
            raise TakeBackError
        if steps and steps[-1][1].actor not in (CHANCE, self._seat):
            why = "another player has acted since"
        else:
            why = "what is rolled, drawn, answered or shown stays"
        self.keyboard.write(f"nothing to take back: {why}")


class _Asked(Generic[State, Action, View]):
    """One choice of a person, and the answers to questions about it."""

    def __init__(
        self,
        game: Game[State, Action, View],
        view: View,
        actions: Sequence[Action],
        rng: "np.random.Generator",
        brick_law: RollLaw,
    ) -> None:
        self.game = game
        self.view = view
        self.actions = actions
        self.texts = [game.format_action(action) for action in actions]
        self.states = imagined(game, view, rng, _WORLDS)
        self.state = self.states[0]
        self.brick_law = brick_law

    @property
    def who(self) -> str:
        """The name of the player."""
        return self.game.player_name(self.state, self.game.actor(self.state))

    def menu(self) -> Iterator[str]:
        """Yield the actions under a heading that says how to choose."""
        prompt = self.game.prompt(self.state)
        yield f"{self.who}: {prompt} (its number or words; or {', '.join(COMMANDS)}):"
        yield from menu(self.texts, [self.game.purpose(self.state, one) for one in self.actions])

    def action(self, text: str) -> Action:
        """Return the action that was typed: its words or number.

        Raises
        ------
        InvalidValueError
            If it is no action, or an illegal one, with every reason.
        """
        if text in self.texts:
            return self.actions[self.texts.index(text)]
        if text.isdecimal() and is_numbered(self.texts):
            if 1 <= len(text) <= 6 and 1 <= int(text) <= len(self.actions):
                return self.actions[int(text) - 1]
            raise InvalidValueError(f"{text} is not between 1 and {len(self.actions)}")
        if named := below_heading(self.texts, text):
            if len(named) > 1:
                raise InvalidValueError(f"{text!r} may be: {', '.join(named)}")
            return self.actions[self.texts.index(named[0])]
        action = self._parsed(text)
        if reasons := self.game.problems(self.state, action):
            text = self.game.format_action(action)
            raise InvalidValueError(f"{text!r} is illegal: {'; '.join(reasons)}")
        return action

    def _parsed(self, text: str) -> Action:
        """Return the action of a text, with or without a heading of the list."""
        try:
            return self.game.parse_action(self.game.tidied(text))
        except InvalidValueError:
            for heading in dict.fromkeys(text.partition(" ")[0] for text in self.texts):
                with suppress(InvalidValueError):
                    return self.game.parse_action(self.game.tidied(f"{heading} {text}"))
            raise

    def answer(self, word: str, rest: str) -> Iterator[str]:
        """Yield the answer to a command."""
        if word == "help":
            yield from columns(COMMANDS.items(), "  ")
            yield (
                "anything else is an action: its number in the list, or its words with or without those above "
                f"them, such as: {self.texts[0]}"
            )
            yield from self.game.hints()
        elif word == "show":
            yield self.game.describe(self.view)
        elif word == "list":
            yield from self.menu()
        elif word == "why":
            yield self._why(rest)
        elif word == "odds":
            yield from self._odds(rest)

    def _why(self, text: str) -> str:
        if not text:
            return "why ACTION: name the action"
        try:
            action = self.action(text)
        except InvalidValueError as error:
            return str(error)
        waste = self.game.waste(self.state, action)
        but = f", but it would be wasted: {waste}" if waste else ""
        return f"{self.game.format_action(action)!r} is legal{but}"

    def _odds(self, text: str) -> Iterator[str]:
        """Yield the odds of one action, or of all."""
        try:
            actions = [self.action(text)] if text else self.actions
        except InvalidValueError as error:
            yield str(error)
            return
        found = self._forecasts(self.states, actions)
        if not found and text:
            found = self._next(actions[0])
        if not found and text:
            yield f"no odds of {text!r}: nothing is rolled for it, nor for what you can choose right after it"
        elif not found:
            yield from self._later_odds()
        for lines in found:
            yield from lines

    def _later_odds(self) -> Iterator[str]:
        """Yield that no listed action leads to a roll at once, and the choices after which one does."""
        yield "no odds yet: none of these actions leads to a roll right away"
        later = [
            text
            for text, action in zip(self.texts, self.actions, strict=True)
            if self._next(action)
        ]
        if later:
            yield f"choose first ({', '.join(later)}), then ask again; or ask: odds {later[0]}"

    def _forecasts(
        self, states: Sequence[State], actions: Sequence[Action]
    ) -> Sequence[tuple[str, ...]]:
        """Return the odds of some actions, each as lines, equal ones once."""
        odds = action_odds(self.game, states, actions, self.brick_law)
        return list(dict.fromkeys(tuple(_odds_lines(forecast)) for forecast in odds))

    def _next(self, action: Action) -> Sequence[tuple[str, ...]]:
        """Return the odds of the same player's next actions after one."""
        after = [self.game.apply(state, action) for state in self.states]
        if self.game.actor(after[0]) != self.game.actor(self.state):
            return ()
        return self._forecasts(after, self.game.actions(after[0]))


def _odds_lines(forecast: Forecast) -> Iterator[str]:
    """Yield a forecast as lines; of the question to chance only what is rolled, before the last colon."""
    yield f"  {forecast.text}: {forecast.question.rpartition(': ')[0] or forecast.question}"
    rare = [share for share in forecast.outcomes.values() if share < _LEAST_SHARE]
    shown = [
        f"{words} {100 * float(share):.1f} %"
        for words, share in forecast.outcomes.items()
        if share >= _LEAST_SHARE
    ]
    if rare:
        shown.append(f"anything else {100 * float(sum(rare)):.2f} %".replace(" 0.00", " <0.01"))
    line = ", ".join(shown) or "measured: there is no law"
    yield from wrap(line, WIDTH, initial_indent="    ", subsequent_indent="    ")
    for name, share in forecast.losses.items():
        yield f"    fewer {name}: {100 * float(share):.1f} %"
