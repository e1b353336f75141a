"""Answers: what a person is told who asks about a choice: help, the map, the odds, why an action is illegal."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from brickphys.errors import InvalidValueError
from brickphys.rules.action_odds import action_odds
from brickphys.rules.forecast import Forecast
from brickphys.rules.players.asked import COMMANDS, Asked, strikes_text
from brickphys.rules.players.menu import WIDTH
from brickphys.rules.players.plan import plan, plans
from brickphys.rules.record import Action, State, View
from brickphys.text import columns as aligned
from brickphys.text import percent

_LEAST_SHARE = 0.0005
"""Rarer outcomes are shown together."""


def answer(
    asked: Asked[State, Action, View], word: str, rest: str, columns: int | None = None
) -> Iterator[str]:
    """Yield the answer to a command of `brickphys.rules.players.asked.COMMANDS`.

    Parameters
    ----------
    asked
        The choice.
    word, rest
        The command, and what was typed behind it.
    columns
        How wide the screen is; None if that is not known.
    """
    if word == "help":
        yield from _help(asked)
    elif word == "show":
        yield asked.situation(columns)
    elif word == "map":
        yield from _map(asked, columns or WIDTH)
    elif word == "list":
        yield asked.heading(columns)
        yield from asked.menu(min(columns or WIDTH, WIDTH))
    elif word == "why":
        yield _why(asked, rest)
    elif word == "odds":
        yield from _odds(asked, rest)


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


def _why(asked: Asked[State, Action, View], text: str) -> str:
    """Return why an action is illegal or would be wasted."""
    if not text:
        return f"why needs an action, such as: why {asked.texts[-1]}"
    try:
        found = plan(asked, text)
    except InvalidValueError as error:
        return str(error)
    game = asked.game
    waste = game.waste(found.asked.state, found.action)
    but = f", but it would be wasted: {waste}" if waste else ""
    after = "" if found.first is None else f" after {game.format_action(found.first)!r}"
    purpose = game.purpose(found.asked.state, found.action)
    return f"{game.format_action(found.action)!r} is legal{after}{purpose and f' ({purpose})'}{but}"


def _odds(asked: Asked[State, Action, View], text: str) -> Iterator[str]:
    """Yield the odds of one action, or of all."""
    if not text:
        yield from _all_odds(asked)
        return
    try:
        meant = plans(asked, text)
    except InvalidValueError as error:
        yield str(error)
        return
    found = [
        _forecasts(one.asked, one.asked.states, [one.action]) or _next(one.asked, one.action)
        for one in meant
    ]
    if not any(found):
        yield f"no odds for {text!r}: neither it nor the choices right after it lead to a roll"
    for one, forecasts in zip(meant, found, strict=True):
        if len(meant) > 1 and forecasts and one.first is not None:
            yield f"after {asked.game.format_action(one.first)!r}:"
        for lines in forecasts:
            yield from lines


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
    return list(dict.fromkeys(tuple(_odds_lines(forecast)) for forecast in odds))


def _next(asked: Asked[State, Action, View], action: Action) -> Sequence[tuple[str, ...]]:
    """Return the odds of the same player's next actions after one."""
    after = [asked.game.apply(state, action) for state in asked.states]
    if asked.game.actor(after[0]) != asked.game.actor(asked.state):
        return ()
    return _forecasts(asked, after, asked.game.actions(after[0]))


def _odds_lines(forecast: Forecast) -> Iterator[str]:
    """Yield a forecast as lines; of the question to chance only what is rolled, before the last colon."""
    yield f"  {forecast.text}: {forecast.question.rpartition(': ')[0] or forecast.question}"
    if forecast.strikes:
        yield f"    {strikes_text(forecast, digits=1)}"
    rare = [share for share in forecast.outcomes.values() if share < _LEAST_SHARE]
    shown = [
        f"{words} {percent(float(share))}"
        for words, share in forecast.outcomes.items()
        if share >= _LEAST_SHARE
    ]
    if rare:
        shown.append(f"anything else {percent(float(sum(rare)), 2)}")
    line = ", ".join(shown) or "measured: there is no law"
    yield from wrap(line, WIDTH, initial_indent="    ", subsequent_indent="    ")
    for name, share in forecast.losses.items():
        yield f"    fewer {name}: {percent(float(share))}"
