"""Asked: one choice of a person, and how it is shown."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.forecast import Forecast
from brickphys.rules.game import Game
from brickphys.rules.players.bots import imagined
from brickphys.rules.players.marked_map import MarkedMap
from brickphys.rules.players.menu import WIDTH, is_numbered, menu, wrapped
from brickphys.rules.players.typed import Typed
from brickphys.rules.record import Action, State, View
from brickphys.rules.report.ink import Ink, Inked, inked, joined
from brickphys.rules.report.names import names_text
from brickphys.rules.report.status import map_in
from brickphys.text import percent

if TYPE_CHECKING:
    import numpy as np

COMMANDS = {
    "help": "print this help (or ?)",
    "show": "show the situation again",
    "list": "list your legal actions again (or Enter alone)",
    "map": "show the map, with the numbers of your list where the actions lead or aim",
    "odds": "show the exact odds of all your actions (averaged over guesses if something is hidden). odds ACTION: the "
    "odds of one action, or of the actions that can follow it",
    "why": "why ACTION: explain why an action is illegal or would be wasted",
    "undo": "take back your last choice, or the last roll that was typed, and do it again. This is impossible once "
    "anything else has been rolled, drawn or revealed (the last choice of a round may lead to a roll), or another "
    "player has acted",
    "redo": "make the choice again that undo has just taken back",
    "save": "save FILE: store the game so far in FILE.jsonl; `brickphys play --resume FILE.jsonl` continues it later. "
    "save FILE! replaces an existing file; save alone replaces the file of your last save",
    "quit": "leave the game (or q, exit)",
}
"""The commands besides actions."""
_WORLDS = 8
"""If something is hidden, odds are the mean over this number of states that have the player's view."""
_GAP = "   "
_MAP_NOTE = "     type map to see the numbers of the list on the map"
_LEAST_MENU = 40
"""Smallest width of a list beside a map, in characters."""
_LONGER = 12
"""A list beside a map may be longer than the map by this many lines."""


class Asked(Generic[State, Action, View]):
    """One choice of a person.

    Parameters
    ----------
    game, view, actions, rng
        As in `brickphys.rules.players.bots.Bot.choose`.
    brick_law
        The law of a roll of bricks, for the odds.
    """

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
        self.states = imagined(game, view, rng, _WORLDS)
        self.state = self.states[0]
        self.typed = Typed(game, self.state, actions, COMMANDS)
        self.texts = self.typed.texts
        self.brick_law = brick_law
        self._rng = rng

    def is_choice(self, text: str) -> bool:
        """Tell whether a text stands for one action of the list, by its number or its words."""
        try:
            self.typed.action(text)
        except InvalidValueError:
            return False
        return True

    @property
    def who(self) -> str:
        """The name of the player."""
        return self.game.player_name(self.state, self.game.actor(self.state))

    @cached_property
    def unlisted(self) -> Sequence[Action]:
        """Legal actions that the list leaves out."""
        return self.game.unlisted(self.state)

    @cached_property
    def description(self) -> str:
        """The situation, as the game describes it."""
        return self.game.describe(self.view)

    @cached_property
    def marked(self) -> MarkedMap | None:
        """The map with the numbers of the list; None if the game has no map."""
        chart = map_in(self.description)
        if chart is None:
            return None
        places = [self.game.place_of(self.state, action) for action in self.actions]
        values = None if is_numbered(self.texts) else [text.split(" ")[-1] for text in self.texts]
        return MarkedMap.of(chart.layout, places, self.game.here(self.state), values)

    def situation(
        self,
        columns: int | None = None,
        known: Collection[str] = frozenset(),
        announced: str = "",
    ) -> Inked:
        """Return the situation, its sentences in so many columns; with the numbers of the list if `shows_marks`.

        The tables that are known are left out, and the round that has just been announced.
        """
        chart = map_in(self.description)
        if chart is None or self.marked is None:
            return Inked(self.description)
        across = columns or WIDTH
        if self.marked.fits(across):
            lines = self.marked.whole(across, is_marked=self.shows_marks(columns))
        else:
            lines = self.marked.part(across, legend=True)
        before, _, behind = self.description.partition(chart)
        if announced and before.startswith((f"{announced},", f"{announced}\n")):
            before = before.removeprefix(announced).lstrip(", \n")
            before = f"{before[:1].upper()}{before[1:]}"
        if self.marked.marks and not self.shows_marks(columns):
            lines = [*lines, Inked(_MAP_NOTE)]
        parts = [part for part in behind.strip("\n").split("\n\n") if part and part not in known]
        texts = (_wrapped(part, columns) for part in parts)
        return joined([_wrapped(before, columns), joined([joined(lines, "\n"), *texts], "\n\n")])

    @property
    def tables(self) -> frozenset[str]:
        """The tables of the description below the map."""
        _, _, behind = self.description.partition(map_in(self.description) or "\0")
        return frozenset(part for part in behind.strip("\n").split("\n\n") if "\n" in part)

    def shows_marks(self, columns: int | None = None) -> bool:
        """Whether the map of the situation has the numbers of the list, if any leads to a place."""
        if self.marked is None or not self.marked.marks:
            return False
        across = columns or WIDTH
        return self.marked.has_room(across) or not self.marked.fits(across)

    def question(self, columns: int | None = None, *, is_shown: bool = False) -> Iterator[str]:
        """Yield parts of the screen: what is asked, with the list; if it is about places, with the map around them.

        Parameters
        ----------
        columns
            How wide the screen is, None if that is not known: then nothing stands side by side.
        is_shown
            Whether the map is on the screen already.
        """
        part = [] if is_shown else self._part(columns)
        across = max(map(len, part), default=0)
        room = (columns or 0) - across - len(_GAP)
        if part and room >= _LEAST_MENU:
            listed = self.menu(room)
            if len(listed) <= len(part) + _LONGER and max(map(len, listed)) <= room:
                yield joined([self.heading(columns), *_beside(part, listed, across)], "\n")
                return
        if part:
            yield joined(part, "\n")
        yield joined([self.heading(columns), *self.menu(min(columns or WIDTH, WIDTH))], "\n")

    def _part(self, columns: int | None) -> list[Inked]:
        """Return the part of the map that the question is about; of one without room for numbers, beside the list."""
        if self.marked is None or not self.marked.marks:
            return []
        across, beside = columns or WIDTH, _LEAST_MENU + len(_GAP)
        has_list_beside = across >= WIDTH + beside and not self.marked.has_room(across)
        return [*self.marked.part(across - beside * has_list_beside), *self.marked.notes]

    def heading(self, columns: int | None = None) -> Inked:
        """Return who is asked for what, and how to answer; in lines of so many columns if that is known."""
        number = (
            "a number"
            if is_numbered(self.texts)
            else "a number of the list, or several with ; between"
        )
        also = names_text(map(self.game.format_action, self.unlisted))
        prompt = f"{self.game.prompt(self.state)}{also and f'; also legal: {also}'}"
        line = f"{self.who}: {prompt} ({number}, words, or help):"
        return inked(wrapped(line, columns) if columns else line, Ink.HEAD)

    def menu(self, columns: int = WIDTH) -> list[Inked]:
        """Return the list of actions."""
        purposes, strikes = (
            (self.game.purpose(self.state, one) for one in self.actions),
            self.strikes,
        )
        told = zip(purposes, (strikes.get(text, "") for text in self.texts), strict=True)
        remarks = [", ".join(filter(None, one)) for one in told]
        warnings = {strikes[text] for text in self.harmful}
        return list(menu(self.typed.shown, remarks, columns, self.game.form, warnings))

    @property
    def strikes(self) -> Mapping[str, str]:
        """What attacks of the list have chances of, in words, by their notations."""
        return {text: strikes_text(forecast) for text, forecast in self.attacks.items()}

    @property
    def harmful(self) -> frozenset[str]:
        """The attacks of the list that are likelier to kill own men than enemies, by their notations."""
        return frozenset(text for text, forecast in self.attacks.items() if forecast.harms_own)

    @cached_property
    def attacks(self) -> Mapping[str, Forecast]:
        """The odds of the attacks of the list, by their notations."""
        first = self._attacks(self.states[:1], self.actions)
        pairs = zip(self.texts, self.actions, strict=True)
        attacks = [action for text, action in pairs if text in first]
        if len(self.states) > 1 and attacks:  # a mean over guesses, only of what is an attack
            first = self._attacks(self.states, attacks)
        return first

    def _attacks(
        self, states: Sequence[State], actions: Sequence[Action]
    ) -> Mapping[str, Forecast]:
        """Return the odds of the attacks among some actions, by their notations."""
        odds = action_odds(self.game, states, actions, self.brick_law, with_parts=False)
        return {forecast.text: forecast for forecast in odds if forecast.strikes}

    def after(self, action: Action) -> "Asked[State, Action, View] | None":
        """Return the question that completes a choice of which this action is the first part; None if it is whole."""
        following = self.following(action)
        return None if following is None or self.game.settled(following.state) else following

    def following(self, action: Action) -> "Asked[State, Action, View] | None":
        """Return the same player's next question, if it comes right after this action; else None."""
        after = self.game.apply(self.state, action)
        player = self.game.actor(self.state)
        if self.game.actor(after) != player:
            return None
        view, actions = self.game.observe(after, player), self.game.actions(after)
        return Asked(self.game, view, actions, self._rng, self.brick_law)


def _wrapped(text: str, columns: int | None) -> str:
    """Return a text with its sentences wrapped; its tables, whose lines begin with blanks, stay as they are."""
    if columns is None:
        return text
    lines = text.split("\n")
    return "\n".join(line if line.startswith(" ") else wrapped(line, columns) for line in lines)


def _beside(left: Sequence[Inked], right: Sequence[Inked], across: int) -> Iterator[Inked]:
    """Yield lines side by side, those on the left so many characters wide."""
    nothing = Inked()
    for one, other in zip_longest(left, right, fillvalue=nothing):
        line = [one, " " * (across - len(one)), _GAP, other] if other else [one]
        yield joined(line)


def strikes_text(forecast: Forecast, digits: int = 0) -> str:
    """Return the chances of an attack in words: ``hit 59 %, kill 21 %``."""
    chances = forecast.strikes.items()
    return ", ".join(f"{name} {percent(float(chance), digits)}" for name, chance in chances)
