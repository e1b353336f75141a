"""Prompt: one choice of a person, and how it is shown.

The map has the numbers of the list, and shows the whole field or the part that a question is about. How wide a square
is drawn depends on the map and the screen alone: from one question to the next all columns stay. For a page, the legal
actions are things to click: each with its words, its odds and its place.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic, Self

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.game import Game
from brickphys.rules.names import names_text
from brickphys.rules.plans import LEVELS
from brickphys.rules.players.advice import Adviser, Hint
from brickphys.rules.players.search import imagined
from brickphys.rules.players.typed import WIDTH, Typed, is_numbered, menu, wrapped
from brickphys.rules.record import Action, Forecast, State, View
from brickphys.rules.report.char_map import (
    MORE,
    Cell,
    Ink,
    Inked,
    MapLayout,
    Marks,
    Window,
    inked,
    joined,
)
from brickphys.rules.report.story import map_in
from brickphys.text import percent

if TYPE_CHECKING:
    import numpy as np

    from brickphys.geometry.polygon import Point

_ROUND_SQUARES = 2
"""Rows shown around marked rows, on a map whose squares are those of the rules."""
_ROUND_SIGNS = 4
"""The same, of other maps."""
_MORE, _LEAST_MORE = 3, 2
"""Characters that a square gets besides its sign where there is room, and with which most numbers fit."""
_MORE_NOTE = "other choices of the list lead there, too"
_MORE_OF_SIGNS = 1
"""The same, of other maps: numbers that lie nearer to each other share a mark."""


@dataclass(frozen=True)
class MarkedMap:
    """A map, and the numbers of choices by their squares."""

    layout: MapLayout
    marks: Marks
    """The numbers in each square, the lowest first."""
    here: Cell | None = None
    """The square of the unit that acts; None if there is none."""

    @classmethod
    def of(
        cls,
        layout: MapLayout,
        places: "Iterable[Point | None]",
        here: "Point | None",
        labels: Sequence[str] | None = None,
    ) -> Self:
        """Return the map with labels at their places, by default numbers from 1 on; some may have no place."""
        marks: dict[Cell, list[int | str]] = {}
        for number, place in enumerate(places):
            cell = None if place is None else layout.cell_of(place)
            if cell is not None:
                marks.setdefault(cell, []).append(labels[number] if labels else number + 1)
        return cls(layout, marks, None if here is None else layout.cell_of(here))

    def has_room(self, columns: int) -> bool:
        """Tell whether the whole map in so many columns has room for numbers.

        Where squares are not those of the rules, numbers stand on the ground around their squares.
        """
        if not self._is_of_squares:
            return self.fits(columns)
        return self._wide(columns) >= self.layout.wide + _LEAST_MORE

    def fits(self, columns: int) -> bool:
        """Tell whether the whole map, without numbers, has room in so many columns."""
        return self.layout.margin + self.layout.wide * self.layout.size[0] <= columns

    def whole(
        self, columns: int = WIDTH, *, is_marked: bool = True, legend: bool = True
    ) -> list[Inked]:
        """Return the whole map, its squares as wide as there is room in so many columns."""
        marks = self.marks if is_marked else {}
        return self.layout.lines(marks, wide=self._wide(columns), legend=legend)

    def part(self, columns: int = WIDTH, *, legend: bool = False) -> list[Inked]:
        """Return the rows around the marks and the unit that acts: with as many columns as there is room for."""
        layout, wide = self.layout, self._wide(columns)
        window = self._rows()
        if not self.has_room(columns):
            wide = layout.wide + self._most_more
            left, right = self._columns(max(1, (columns - layout.margin) // wide))
            window = window._replace(left=left, right=right)
        return layout.lines(self.marks, window=window, wide=wide, legend=legend)

    @property
    def notes(self) -> list[Inked]:
        """What stands below a part without a legend: a line on squares with several numbers, if there are any."""
        several = any(len(numbers) > 1 for numbers in self.marks.values())
        return [Inked(f"{' ' * self.layout.margin}{MORE} {_MORE_NOTE}")] * several

    @property
    def _is_of_squares(self) -> bool:
        """Whether a square of the map is one of the rules, so that each choice has its own."""
        return self.layout.square == (1, 1)

    @property
    def _most_more(self) -> int:
        """Characters that a square gets at most, besides those of its sign."""
        if not self._is_of_squares:
            return _MORE_OF_SIGNS
        return _MORE if self.layout.wide == 1 else _LEAST_MORE

    def _wide(self, columns: int) -> int:
        """Return how many characters a square of the whole map has in so many columns."""
        layout, room = self.layout, columns - self.layout.margin
        more = room // layout.size[0] - layout.wide
        return layout.wide + max(0, min(more, self._most_more))

    @property
    def _cells(self) -> list[Cell]:
        """The squares that a question is about."""
        return [*self.marks, *([self.here] if self.here else [])]

    def _rows(self) -> Window:
        """Return the part with all columns whose rows hold the marks and the unit that acts, and some around."""
        if not self._cells:
            return self.layout.whole
        around = _ROUND_SQUARES if self._is_of_squares else _ROUND_SIGNS
        rows = [row for _, row in self._cells]
        bottom, top = max(0, min(rows) - around), max(rows) + around + 1
        return self.layout.whole._replace(bottom=bottom, top=min(self.layout.size[1], top))

    def _columns(self, count: int) -> tuple[int, int]:
        """Return the first of so many columns and the one behind them, about the unit that acts or the marks.

        The first one is a column that the ruler names, if all marks are shown so: the part moves on by leaps.
        """
        across, named = self.layout.size[0], max(1, self.layout.rulers.every // 2)
        if count >= across:
            return 0, across
        marked = [column for column, _ in self._cells] or [across // 2]
        middle = self.here[0] if self.here else (min(marked) + max(marked)) // 2
        left = max(0, middle - count // 2) // named * named
        if max(marked) - min(marked) < count:
            left = min(max(left, max(marked) + 1 - count), min(marked))
        return min(left, across - count), min(left, across - count) + count


COMMANDS = {
    "help": "print this help (or ?)",
    "show": "show the situation again",
    "list": "list your legal actions again (or Enter alone)",
    "map": "show the map, with the numbers of your list where the actions lead or aim",
    "odds": "show the exact odds of all your actions (averaged over guesses if something is hidden). odds ACTION: the "
    "odds of one action, or of the actions that can follow it. odds ACTION; ACTION: the odds of the last one after the "
    "others",
    "hint": "show the best plans that a bot finds for you, each with what to type; within a choice those that "
    "go on so, or its best actions",
    "why": "why ACTION: explain why an action is illegal or would be wasted; also behind others, as for odds",
    "try": "try ACTION: show what would come of an action, and change nothing: where the unit ends, what it meets, "
    "what is rolled with which odds, who of your own stands in the lane; also behind others, as for odds",
    "threat": "show whom each enemy could strike or shoot at in its next turn if you stay where you are",
    "undo": "take back your last choice, or the last roll that was typed, and do it again. This is impossible once "
    "anything else has been rolled, drawn or revealed (the last choice of a round may lead to a roll), or another "
    "player has acted",
    "redo": "make the choice again that undo has just taken back",
    "save": "save FILE: store the game so far in FILE.jsonl; `brickphys play --resume FILE.jsonl` continues it later. "
    "save FILE! replaces an existing file; save alone replaces the file of your last save; save --seat NAME FILE makes "
    "one to go on by mail",
    "quit": "leave the game (or q, exit)",
}
"""The commands besides actions."""
HINTS_BY = LEVELS["hard"]
"""The bot whose plans are hints."""
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

    `earlier` are the states in which this person has acted since anybody else did, for hints.
    """

    def __init__(
        self,
        game: Game[State, Action, View],
        view: View,
        actions: Sequence[Action],
        rng: "np.random.Generator",
        brick_law: RollLaw,
        earlier: Sequence[State] = (),
    ) -> None:
        self.game = game
        self.view = view
        self.actions = actions
        self.states = imagined(game, view, rng, _WORLDS)
        self.state = self.states[0]
        self.brick_law = brick_law
        self._rng = rng
        self._earlier = earlier

    @cached_property
    def typed(self) -> Typed[State, Action, View]:
        """What the words of a person mean here."""
        return Typed(self.game, self.state, self.actions, COMMANDS)

    def only(self, others: Iterable[int] = ()) -> Action | None:
        """Return the only legal action, which is done unasked; None if there are more.

        None too, where others among the players could conclude from that what is hidden from them.
        """
        only = self.game.only_action(self.state)
        if only is not None and others:
            from brickphys.seeds import generator  # loads numpy

            rng, game = generator(0), self.game
            worlds = (game.alternative(self.state, n, rng) for n in others for _ in range(_WORLDS))
            if any(game.only_action(world) is None for world in worlds):
                return None
        return only

    @property
    def goes_on(self) -> bool:
        """Whether this person has acted since anybody else did: a turn moves several units."""
        return bool(self._earlier)

    @property
    def texts(self) -> list[str]:
        """The notations of the actions."""
        return self.typed.texts

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

        Without `columns`, how wide the screen is, nothing stands side by side. `is_shown` tells that the map is on
        the screen already.
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
        pairs = zip(purposes, (strikes.get(text, "") for text in self.texts), strict=True)
        remarks = [", ".join(filter(None, one)) for one in pairs]
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
        may_strike = [one for one in self.actions if self.game.may_strike(self.state, one)]
        first = self._attacks(self.states[:1], may_strike)
        if not first:
            return {}
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

    @cached_property
    def hints(self) -> list[Hint[Action]]:
        """The best plans of a bot, or its best actions where no plan begins."""
        adviser = Adviser(self.game, self.brick_law, HINTS_BY)
        return adviser.hints(self.view, self.actions, self._rng, self._earlier)

    def after(self, action: Action) -> "Asked[State, Action, View] | None":
        """Return the question that completes a choice of which this action is the first part; None if it is whole."""
        after = self.game.apply(self.state, action)
        return None if self.game.settled(after) else self.later(after)

    def following(self, action: Action) -> "Asked[State, Action, View] | None":
        """Return the same player's next question, if it comes right after this action; else None."""
        return self.later(self.game.apply(self.state, action))

    def later(self, after: State) -> "Asked[State, Action, View] | None":
        """Return the same player's question in a state; None if it is another player's turn, or chance's."""
        player = self.game.actor(self.state)
        if self.game.actor(after) != player:
            return None
        view, actions = self.game.observe(after, player), self.game.actions(after)
        earlier = (*self._earlier, self.state)
        return Asked(self.game, view, actions, self._rng, self.brick_law, earlier)


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


@dataclass(frozen=True)
class Choice(Generic[Action]):
    """An action, or two of which the second completes the first."""

    actions: tuple[Action, ...]
    """One action, or the first part of a choice and the part that names a place."""
    text: str
    """The last one as a list shows it, with rounded numbers."""
    remark: str
    """What it is for, and the chances of an attack; empty if there is nothing to tell."""
    place: "Point | None"
    """Where it leads, or whom it is aimed at, on the map of the game; None if nowhere."""
    is_attack: bool
    """Whether it has chances to hit somebody."""
    is_harmful: bool = False
    """Whether it is likelier to kill own men than enemies."""


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
    """
    if here := [choice for choice in listed if choice.place is not None]:
        return here
    found, goes = list[Choice[Action]](), False
    for choice in listed:
        after = asked.after(choice.actions[0])
        if after is None or (goes and not after.attacks):
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
    all_strikes, harmful = asked.strikes, asked.harmful
    for action, text, shown in zip(asked.actions, asked.texts, asked.typed.shown, strict=True):
        strikes = all_strikes.get(text, "")
        purpose = asked.game.purpose(asked.state, action)
        remark = ", ".join(filter(None, (purpose, strikes)))
        place = asked.game.place_of(asked.state, action)
        is_attack = bool(strikes) and not asked.attacks[text].is_defence
        yield Choice((*first, action), shown, remark, place, is_attack, text in harmful)
