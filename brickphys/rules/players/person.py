"""Person: a player at a keyboard, who sees the situation, types actions and may ask for odds.

An action may be typed before the unit that does it is chosen: ``attack blue 1 from red 2``. Answers are help, the map,
the odds, hints, and why an action is illegal.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING, Generic, NamedTuple, cast

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.game import Game
from brickphys.rules.names import MOST_NAMED, like, meant
from brickphys.rules.play import why_not_back
from brickphys.rules.players.keyboard import Keyboard, Teller
from brickphys.rules.players.orders import Orders, is_order
from brickphys.rules.players.preview import odds_lines, preview, threat_lines, threats
from brickphys.rules.players.prompt import COMMANDS, HINTS_BY, Asked
from brickphys.rules.players.typed import WIDTH, AmbiguousError, NotAskedError, is_place_or_pose
from brickphys.rules.record import CHANCE, Action, State, View
from brickphys.rules.report.char_map import Ink, inked, joined
from brickphys.text import columns as aligned

if TYPE_CHECKING:
    import numpy as np

BETWEEN = re.compile(r"\s*;(?:\s+|(?!\d)|$)|(?<![\d\s]);|(?<=[^\W\d]\d);|(?<=[^\W\d]\d\d);")
"""What is between several choices on a line; ``12;7`` may be a place, but ``archer_2;7`` is none."""
_NUMBER_FIRST = re.compile(r"([+-]?\d{1,6}(?:\.\d+)?)\s?;.+")
"""A choice by its number, or one that is a number, and others behind it without a blank; if it is none, a place."""
_IN_SENTENCES = ("help", "threat", "try", "why")
"""The commands that are answered in sentences."""
YES = ("yes", "y")
_MANY = 8
_TIP = "(one line gives many units a goal, such as all: hold; help tells more)"
"""Told once, where so many units may be chosen."""
_OF_CHOICES = ("odds", "try", "why")
"""The commands that are about the last one of the choices behind them."""


class Person(Teller[State, Action, View]):
    """A player who types; the `keyboard` must watch the game."""

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
        self._orders: Orders[State, Action, View] | None = None
        self._ordered_at = -1
        self._knows_orders = False

    def choose(self, view: View, actions: Sequence[Action], rng: "np.random.Generator") -> Action:
        """Show the situation where it is new, and ask until a legal action is typed.

        InterruptedRunError if the player quits, or the input ends; TakeBackError if the player takes the last action
        back.
        """
        own = takewhile(lambda one: one[1].actor == self._seat, reversed(self.keyboard.steps))
        earlier = [before for before, _ in own][::-1]
        asked = Asked(self.game, view, actions, rng, self._brick_law, earlier)
        self.keyboard.sit_down(self, asked.who, secret=self.game.hidden(asked.state))
        self.tell_news()
        known = self._ordered(asked) or self._planned_action(asked) or self._only_action(asked)
        if known is not None:
            return known
        columns = self.keyboard.columns
        self._show_question(asked, columns)
        while True:
            line = self.keyboard.line()
            if is_order(line) or (self._orders and line.lower() in YES):
                if (action := self._given(asked, line)) is not None:
                    return action
                continue
            self._orders = None
            first, *rest_of_line = BETWEEN.split(line)
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
                if command in _OF_CHOICES and rest:
                    rest, others = "; ".join([rest, *others]), []
                told = answer(asked, command, rest, columns)
                folds = self.keyboard.wrapped if command in _IN_SENTENCES else str
                self.show(asked.state, joined(map(folds, told), "\n"))
                self._tell_left_out(others, f"after {command} the line is not read on")
            elif (action := self._meant(asked, [first, *others])) is not None:
                return action

    def _given(self, asked: Asked[State, Action, View], line: str) -> Action | None:
        """Show the orders of a line, or begin them if they were shown or are sure; return the first action."""
        if is_order(line):
            self._orders, self._ordered_at = None, -1
            try:
                orders = self._orders = Orders(asked, line)
            except InvalidValueError as error:
                self.show(asked.state, inked(self.keyboard.wrapped(str(error)), Ink.FAULT))
                return None
            self.show(asked.state, "\n".join(map(self.keyboard.wrapped, orders.lines)))
            if not orders.is_sure:
                self.keyboard.write("type yes to do it")
                return None
        self._ordered_at = len(self.keyboard.steps)
        return self._ordered(asked)

    def _ordered(self, asked: Asked[State, Action, View]) -> Action | None:
        """Return the next action of orders that are done; where they cannot go on, tell why."""
        if self._ordered_at < 0 or self.game.only_action(asked.state) is not None:
            return None
        orders, self._orders = self._orders, None
        assert orders is not None
        actors = {step.actor for _, step in self.keyboard.steps[self._ordered_at :]}
        action = None
        try:
            action = orders.next(asked, actors)
        except InvalidValueError as error:
            self.show(asked.state, inked(self.keyboard.wrapped(str(error)), Ink.FAULT))
        if action is None:
            self._ordered_at = -1
        else:
            self._orders = orders
        return action

    def _meant(
        self, asked: Asked[State, Action, View], texts: Sequence[str], *, goes_on: bool = False
    ) -> Action | None:
        """Return the first of some choices that were typed, and note the others; if it is none, tell why.

        Where a line goes on, nobody else is chosen for what one has not done, unless the line says who.
        """
        if name := self._chosen_for(asked, texts[0]):
            if len(texts) == 1:
                self.show(asked.state, f"{name} acts already")
                return None
            texts = texts[1:]
        texts = numbers_apart(asked, texts)
        try:
            found = planned_action(asked, texts[0])
        except InvalidValueError as error:
            self.show(asked.state, inked(self.keyboard.wrapped(str(error)), Ink.FAULT))
            self._tell_left_out(texts[1:], f"{texts[0]} was not done")
            return None
        if goes_on and found.first is not None and not _parted(texts[0])[1]:
            by = _by(asked, found.first, found.text)
            self._tell_left_out(texts, f"that turn is over; for the next one, type {by}")
            return None
        first, *more = found.actions
        self._planned = [*([found.text] if more else []), *texts[1:]]
        self._planned_at = len(self.keyboard.steps) + 1
        return first

    def _planned_action(self, asked: Asked[State, Action, View]) -> Action | None:
        """Return the action that was typed with the last one; None if there is none, or something has come between."""
        texts, self._planned = self._planned, []
        if texts and self._planned_at == len(self.keyboard.steps):
            return self._meant(asked, texts, goes_on=True)
        between = [step.actor for _, step in self.keyboard.steps[self._planned_at :]]
        came = "bricks or dice were rolled" if CHANCE in between else "another player has acted"
        self._tell_left_out(texts, f"{came} first, so type it again if you still want it")
        return None

    def _chosen_for(self, asked: Asked[State, Action, View], text: str) -> str:
        """Return the name of who was just chosen because nobody else could be, if a text names it; else empty."""
        number = len(self.keyboard.steps) - 1
        if number not in self.keyboard.automatic or asked.is_choice(text):
            return ""
        chosen = cast(Action, self.keyboard.steps[number][1].move)
        if not self.game.chooses(chosen):
            return ""
        word, name, *_ = self.game.format_action(chosen).split(" ")
        typed = text.removeprefix(f"{word} ")
        return name if meant(self.game.names(asked.state), typed) == [name] else ""

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
        many = sum(bool(self.game.chooses(one)) for one in asked.actions)
        if many >= _MANY and asked.goes_on and not self._knows_orders:
            self._knows_orders = True
            self.keyboard.write(self.keyboard.wrapped(_TIP))

    def _only_action(self, asked: Asked[State, Action, View]) -> Action | None:
        """Return the only legal action, and tell it; None if there are others.

        It is asked for where other people here could conclude something from it, and where it was just taken back with
        all before it that may be.
        """
        game, state = self.game, asked.state
        is_secret = game.hidden(state) and len(self.keyboard.readers) > 1
        others = {*range(game.players(state))} - {self._seat}
        only = asked.only(others if is_secret else ())
        if only is None:
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
        keyboard, self._orders, self._ordered_at = self.keyboard, None, -1
        keyboard.undo(self.game, [self._seat])
        chosen = (
            number for number in range(len(keyboard.steps)) if number not in keyboard.automatic
        )
        why = why_not_back([keyboard.steps[number][1] for number in chosen], self._seat)
        keyboard.write(f"nothing to take back: {why}")


_WITH_NAME = re.compile(r"(.+?) (?:from|by) (.+)", re.IGNORECASE)


class PlannedAction(NamedTuple, Generic[State, Action, View]):
    """An action, and the choice of who does it."""

    first: Action | None
    """The choice of who acts; None if that is known."""
    asked: Asked[State, Action, View]
    """The question that the action answers."""
    action: Action
    text: str

    @property
    def actions(self) -> tuple[Action, ...]:
        """The choices in their order."""
        return (self.action,) if self.first is None else (self.first, self.action)


class NobodyError(InvalidValueError):
    """Nobody can do what was typed; why not, by name. The `reason` is why one of them cannot, or all."""

    def __init__(self, text: str, whys: Mapping[str, str]) -> None:
        name, why = next(iter(whys.items()))
        if len(set(whys.values())) == 1:
            self.reason = why
            super().__init__(why)
            return
        first = why.removeprefix(f"{text}: ").partition("; ")[0]
        self.reason = f"nobody can do this now; {name}: {first}"
        super().__init__(f"{self.reason}; for another one, type why {text} by NAME")


def numbers_apart(asked: Asked[State, Action, View], texts: Sequence[str]) -> Sequence[str]:
    """Return the choices of a line; where the first is a number that can be chosen now, those behind it are parted."""
    number = _NUMBER_FIRST.fullmatch(texts[0])
    if not number or not asked.is_choice(number[1]):
        return texts
    return [*(one for one in re.split(r"\s?;", texts[0]) if one), *texts[1:]]


def planned_action(
    asked: Asked[State, Action, View], text: str
) -> PlannedAction[State, Action, View]:
    """Return what a text means; InvalidValueError tells why it means nothing legal, or what it may mean."""
    found = planned_actions(asked, text)
    if len(found) == 1:
        return found[0]
    raise AmbiguousError(text, [_by(asked, one.first, one.text) for one in found])


def planned_actions(
    asked: Asked[State, Action, View], text: str
) -> list[PlannedAction[State, Action, View]]:
    """Return the actions that a text means: one; or if who acts is still to be chosen, one for each who can do it.

    InvalidValueError if it means none, with the reason.
    """
    try:
        return [PlannedAction(None, asked, asked.typed.action(text), text)]
    except InvalidValueError as error:
        fault = error
    typed, name = _parted(text)
    firsts = [one for one in asked.actions if asked.game.chooses(one)]
    if name and _is_listed(asked, typed):
        return [_joined(asked, typed, name)]
    if not firsts or not _is_action(asked, typed):
        raise _mistyped(asked, typed, firsts, fault)
    if name:
        _refuse_opener(asked, typed, name, firsts)
        firsts = _called(asked, firsts, name)
    return _looked_through(asked, typed, firsts, fault)


def _joined(
    asked: Asked[State, Action, View], text: str, name: str
) -> PlannedAction[State, Action, View]:
    """Return the plan to do what is typed, where only after that is asked who does it.

    InvalidValueError if it is illegal, if this one cannot do it, or if nobody is asked for.
    """
    action = asked.typed.action(text)
    with suppress(NotAskedError):
        if after := asked.following(action):
            who = after.typed.action(name)
            return PlannedAction(action, after, who, asked.game.format_action(who))
    raise InvalidValueError(f"after {text!r} nobody is asked for: type it without {name!r}")


def _refuse_opener(
    asked: Asked[State, Action, View], text: str, name: str, firsts: Sequence[Action]
) -> None:
    """Raise InvalidValueError if who has a name cannot be chosen to do what is typed, with the reason."""
    names = meant(asked.game.names(asked.state), name)
    opener = asked.game.opener(text, names[0]) if len(names) == 1 else None
    if opener is None or any(
        _name(asked, o) in names and type(o) is not type(opener) for o in firsts
    ):
        return
    if reasons := asked.game.problems(asked.state, opener):
        notation = asked.game.format_action(opener)
        raise InvalidValueError(f"{notation!r} is illegal: {'; '.join(reasons)}")


def _looked_through(
    asked: Asked[State, Action, View], text: str, firsts: Sequence[Action], fault: InvalidValueError
) -> list[PlannedAction[State, Action, View]]:
    """Return the plans that begin with some choices of who acts; the error that is given if none leads on."""
    game, whys = asked.game, dict[str, str]()
    found, several = list[PlannedAction[State, Action, View]](), list[tuple[Action, str]]()
    for first in firsts:
        after = asked.following(first)
        if after is None or not game.is_asked(after.state, text):
            continue
        try:
            found.append(PlannedAction(first, after, after.typed.action(text), text))
        except AmbiguousError as error:
            several += [(first, notation) for notation in error.notations]
        except NotAskedError:
            continue
        except InvalidValueError as error:
            whys[_name(asked, first)] = str(error)

    def is_usual(first: Action | None, notation: str) -> bool:
        return first is not None and game.opener(notation, _name(asked, first)) == first

    found = [one for one in found if is_usual(one.first, game.format_action(one.action))] or found
    several = [one for one in several if is_usual(*one)] or several
    if several:
        ways = [*((one.first, text) for one in found), *several]
        units = dict.fromkeys(first for first, _ in ways)
        if 1 < len(units) < len(ways) and len(ways) > MOST_NAMED:
            ways = [(first, text) for first in units]
        raise AmbiguousError(text, [_by(asked, *one) for one in ways])
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
    if _is_listed(asked, text):
        return False
    word = text.partition(" ")[0].lower()
    words = asked.game.action_words()
    return (
        is_place_or_pose(text)
        or word in words
        or any(len(word) > 1 and one.startswith(word) for one in words)
    )


def _is_listed(asked: Asked[State, Action, View], text: str) -> bool:
    """Tell whether the list has an action with the first word of a text and others behind it."""
    word = text.partition(" ")[0].lower()
    return any(one.startswith(f"{word} ") for one in asked.texts)


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


def answer(
    asked: Asked[State, Action, View], word: str, rest: str, columns: int | None = None
) -> Iterator[str]:
    """Yield the answer to a command of `brickphys.rules.players.prompt.COMMANDS`.

    `columns` is how wide the screen is; None if that is not known.
    """
    width = columns or WIDTH
    answers: dict[str, Callable[[], Iterable[str]]] = {
        "help": lambda: _help(asked),
        "show": lambda: [asked.situation(columns)],
        "map": lambda: _map(asked, width),
        "list": lambda: [asked.heading(columns), *asked.menu(min(width, WIDTH))],
        "odds": lambda: _odds(asked, rest),
        "hint": lambda: _hint(asked),
        "threat": lambda: threat_lines(threats(asked)),
    }
    yield from answers[word]() if word in answers else _about(asked, word, rest)


def _help(asked: Asked[State, Action, View]) -> Iterator[str]:
    yield from aligned(COMMANDS.items(), "  ")
    yield (
        "anything else is an action: its number in the list, or its words (with or without those of the "
        f"heading), such as: {asked.texts[0]}"
    )
    yield (
        "you can shorten a name, spell it as spoken, or type its letter on the map: attack Knight 2 sword; "
        "a place alone means to go there"
    )
    if any(map(asked.game.chooses, asked.actions)):
        yield "to say who acts, add it to the action: attack Knight 2 from Archer 1, walk 5,5 by Archer 1"
    for text in asked.texts:
        if (word := text.partition(" ")[2]) in COMMANDS:
            yield f"to choose {word!r} from the list, type its number or: {text}"
    yield (
        "to give several units one goal, type GROUP: GOAL, such as archers: shoot nearest, or all: hold; it is shown "
        "first and done after yes, or at once with ! at the end"
    )
    yield "to type several choices on a line, separate them by semicolons: 2; 2; end"
    yield from asked.game.hints()


def _map(asked: Asked[State, Action, View], columns: int) -> Iterator[str]:
    chart = asked.marked
    if chart is None:
        yield "this game has no map"
    elif not chart.marks or chart.has_room(columns):
        yield from chart.whole(columns)
    else:
        yield from chart.part(columns, legend=True)


def _about(asked: Asked[State, Action, View], word: str, text: str) -> Iterator[str]:
    """Yield why an action is illegal, or would be wasted; or what would come of it."""
    if not text:
        yield f"{word} needs an action, such as: {word} {asked.texts[-1]}"
        return
    try:
        asked, text = _reached(asked, text)
        found = planned_action(asked, text)
    except InvalidValueError as error:
        yield str(error)
        return
    game = asked.game
    purpose = game.purpose(found.asked.state, found.action)
    if word == "try":
        tried = "; ".join(map(game.format_action, found.actions))
        yield f"{tried}{purpose and f' ({purpose})'}, tried but not done:"
        yield from (f"  {line}" for line in preview(asked, found.actions).lines)
        return
    waste = game.waste(found.asked.state, found.action)
    but = f", but it would be wasted: {waste}" if waste else ""
    after = "" if found.first is None else f" after {game.format_action(found.first)!r}"
    yield f"{game.format_action(found.action)!r} is legal{after}{purpose and f' ({purpose})'}{but}"


def _reached(
    asked: Asked[State, Action, View], text: str
) -> tuple[Asked[State, Action, View], str]:
    """Return the question after all but the last one of some choices, and the last one.

    InvalidValueError if one of the choices before it is illegal, or is not followed by a question to the same player.
    """
    *before, last = [one for one in BETWEEN.split(text) if one] or [text]
    for one in before:
        found = planned_action(asked, one)
        after = found.asked.following(found.action)
        if after is None:
            raise InvalidValueError(f"after {one!r} something is rolled, or another player acts")
        asked = after
    return asked, last


def _hint(asked: Asked[State, Action, View]) -> Iterator[str]:
    """Yield the best plans: how much less each is worth than the best, what it is, and what to type."""
    yield f"as the bot {HINTS_BY.name} sees it, in points of 100 of your chance to win:"
    for hint in asked.hints:
        yield f"  {hint.rank:>7}  {hint.text}"
        if hint.typed:
            yield f"           type {hint.typed}"


def _odds(asked: Asked[State, Action, View], text: str) -> Iterator[str]:
    if not text:
        yield from _all_odds(asked)
        return
    try:
        asked, text = _reached(asked, text)
        meant = planned_actions(asked, text)
    except InvalidValueError as error:
        yield str(error)
        return
    found = [
        _forecasts(one.asked, one.asked.states, [one.action]) or _next(one.asked, one.action)
        for one in meant
    ]
    if not any(found):
        yield f"no odds for {text!r}: {_no_odds(meant[0])}"
    for one, forecasts in zip(meant, found, strict=True):
        if len(meant) > 1 and forecasts and one.first is not None:
            yield f"after {asked.game.format_action(one.first)!r}:"
        for lines in forecasts:
            yield from lines


def _no_odds(meant: PlannedAction[State, Action, View]) -> str:
    """Return why an action has no odds: nothing is rolled right after it, or something that is not its own."""
    game, state = meant.asked.game, meant.asked.states[0]
    after = game.apply(state, meant.action)
    if game.actor(after) != CHANCE:
        return "neither it nor a choice right after it has a roll of its own"
    question = game.question(after, game.actor(state))
    return f"no roll is its own; what is rolled next is {question.rpartition(': ')[0] or question}"


def _all_odds(asked: Asked[State, Action, View]) -> Iterator[str]:
    """Yield the odds of all actions; if there are none, where there will be some."""
    found = _forecasts(asked, asked.states, asked.actions)
    if not found and len(asked.actions) == 1 and asked.game.chooses(asked.actions[0]):
        found = _next(asked, asked.actions[0])
    for lines in found:
        yield from lines
    if not found:
        yield _later_odds(asked)


def _later_odds(asked: Asked[State, Action, View]) -> str:
    """Return that no listed action leads to a roll at once, and the first choice after which one does."""
    pairs = zip(asked.texts, asked.actions, strict=True)
    later = next((text for text, action in pairs if _next(asked, action)), None)
    if later is not None:
        return f"no odds yet: choose first, such as {later}; or type odds {later}"
    none = "none of these actions leads to a roll right away"
    return f"no odds yet: {asked.game.first_choice(asked.state) or none}"


def _forecasts(
    asked: Asked[State, Action, View], states: Sequence[State], actions: Sequence[Action]
) -> Sequence[tuple[str, ...]]:
    """Return the odds of some actions, each as lines, equal ones once."""
    odds = action_odds(asked.game, states, actions, asked.brick_law)
    return list(dict.fromkeys(tuple(odds_lines(forecast)) for forecast in odds))


def _next(asked: Asked[State, Action, View], action: Action) -> Sequence[tuple[str, ...]]:
    """Return the odds of the same player's next actions after one."""
    after = [asked.game.apply(state, action) for state in asked.states]
    if asked.game.actor(after[0]) != asked.game.actor(asked.state):
        return ()
    return _forecasts(asked, after, asked.game.actions(after[0]))
