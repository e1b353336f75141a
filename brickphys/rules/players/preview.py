"""Preview: what an action would do, before it is done: where pieces end, what they meet, and what is rolled.

Where something is hidden from its player, only those ways are told that are the same in all states that are imagined.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

from brickphys.errors import InvalidValueError
from brickphys.rules.action_odds import action_odds
from brickphys.rules.game import Game
from brickphys.rules.names import facing_text, names_text
from brickphys.rules.players.prompt import Asked, Choice, strikes_text
from brickphys.rules.players.typed import WIDTH
from brickphys.rules.record import CHANCE, Action, Ending, Forecast, Record, State, Step, View
from brickphys.text import percent, spoken

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point
    from brickphys.rules.scene import Threat, Way

NO_ROLL = "nothing is rolled"
_LEAST_SHARE, _LITTLE = 0.0005, 0.05
"""Rarer outcomes are shown together; of a smaller difference between the chances of losses nobody is warned."""


@dataclass(frozen=True)
class Preview:
    """What would come of an action, as its player can know: all of it in words, and what a picture draws.

    Its rolls come at once, or after the ways that are later; `lane` is that of an attack on the map of `describe`;
    `own` are own men at risk -> the chance to kill each; `harm` says why own men are likelier lost than enemies.
    """

    lines: tuple[str, ...]
    ways: "tuple[Way, ...]"
    lane: "tuple[Point, Point] | None"
    rolls: tuple[Forecast, ...]
    own: Mapping[str, str]
    harm: str


def preview(asked: Asked[State, Action, View], actions: Sequence[Action]) -> Preview:
    """Return what would come of the last of some actions, each of which is legal after the one before."""
    game, states, player = asked.game, asked.states, asked.game.actor(asked.state)
    before, after, ways = states, states, list["Way"]()
    for action in actions:
        before, after = after, [game.apply(state, action) for state in after]
        worlds = dict.fromkeys(zip(before, after, strict=True))
        first, *others = [[*_ways(game, *world, action)] for world in worlds]
        ways += [way for way in first if all(way in other for other in others)]
    rolls = action_odds(game, before, actions[-1:], asked.brick_law, with_parts=False)
    steers = game.goes_on(after[0]) if game.actor(after[0]) == player else None
    if steers is not None:
        ways += [replace(way, is_later=True) for way in game.drives(after[0], steers)]
        rolls = rolls or action_odds(game, after, [steers], asked.brick_law, with_parts=False)
    names = game.names(asked.state)
    met = sorted({name for way in ways for name, *_ in way.hits if name in names})
    own = {name: "in the way" for name in met if names[name].player == player}
    own |= {name: percent(float(p), 1) for one in rolls for name, p in one.own.items()}
    harm = _harm(game, before[0], rolls) if game.actor(after[0]) == CHANCE else ""
    scene = game.scene(after[0]) if ways else None
    faceless = {one.id for one in scene.pieces if not one.has_facing} if scene else set[str]()
    lines = [
        _told(way, game.place_name(after[0], way.poses[-1].centre_studs), way.id not in faceless)
        for way in ways
    ]
    lines += [f"own men at risk: {', '.join(f'{spoken(one)} {own[one]}' for one in own)}"] * bool(
        own
    )
    lines += game.reveals(states[0], after[0], player)
    lines += [line for one in rolls for line in odds_lines(one)] or [NO_ROLL]
    lines += [f"beware: {harm}"] * bool(harm)
    is_attack = any(one.strikes and one.text == game.format_action(actions[-1]) for one in rolls)
    lane = game.lane(before[0], actions[-1]) if is_attack else None
    return Preview(tuple(lines), tuple(ways), lane, tuple(rolls), own, harm)


def threats(asked: Asked[State, Action, View]) -> "list[Threat]":
    """Return what enemies of who is asked could attack in their next turns, as far as that is known for sure."""
    game, player = asked.game, asked.game.actor(asked.state)
    worlds = dict.fromkeys((asked.state, *asked.states))
    first, *others = ([*game.threats(state, player)] for state in worlds)
    return [one for one in first if all(one in other for other in others)]


def threat_lines(found: "Sequence[Threat]") -> Iterator[str]:
    """Yield threats as lines, the worst first; enemies who could attack the same units share one."""
    alike = defaultdict[tuple[tuple[str, ...], tuple[str, ...]], list[str]](list)
    for one in found:
        if one.strikes or one.shoots:
            alike[one.strikes, one.shoots].append(one.name)
    worst = sorted(alike, key=lambda key: -len(alike[key]) * len({*key[0], *key[1]}))
    for key in worst:
        pairs = zip(("strike", "shoot at"), key, strict=True)
        parts = [f"{word} {names_text(names)}" for word, names in pairs if names]
        yield spoken(f"{names_text(alike[key])} could {'; or '.join(parts)}")
    if not worst:
        yield "nobody could attack you in the next turn, as far as this game tells"


def turned(
    asked: Asked[State, Action, View], choices: Sequence[Choice[Action]]
) -> dict[int, tuple[float, bool]]:
    """Return the choices, by their numbers, that differ by where one piece looks at their end, with that heading.

    Also whether that is from where the piece stands, as vehicles turn; else it ends together with others at a place.
    """
    game, state = asked.game, asked.state
    found = defaultdict[tuple[str, str, "Point | None"], dict[int, float]](dict)
    begun = game.scene(state)
    old = {one.id: one.at for one in begun.pieces if one.name and not one.parent} if begun else {}
    for number, choice in enumerate(choices if old else ()):
        action, word = choice.actions[0], choice.text.partition(" ")[0]
        if len(choice.actions) > 1 or game.chooses(action):
            continue
        for way in (ways := [*game.drives(state, action)]):
            found[word, way.id, None][number] = way.poses[-1].heading_deg
        ended = game.scene(game.apply(state, action)) if not ways else None
        for one in ended.pieces if ended else ():
            if one.id in old:
                at = None if one.at == old[one.id] else one.at
                found["" if at else word, one.id, at][number] = one.heading_deg
    several = [one for one in found.items() if len({*one[1].values()}) > 1]
    several.sort(key=lambda one: len(one[1]))
    return {n: (deg, at is None) for (_, _, at), one in several for n, deg in one.items()}


def _ways(
    game: Game[State, Action, View], state: State, after: State, action: Action
) -> "Iterator[Way]":
    """Yield the ways of vehicles and ships, then those of other pieces: along a path if it is known, else straight."""
    driven, begun, ended = game.drives(state, action), game.scene(state), game.scene(after)
    yield from driven
    if begun is None or ended is None:
        return
    old = {one.id: one for one in begun.pieces if one.name and not one.parent}
    moved = [one for one in ended.pieces if one.id in old and old[one.id].pose != one.pose]
    paths = _paths(game, state, action, after) if moved else ()
    for new in moved:
        if all(way.id != new.id for way in driven):
            from brickphys.rules.scene import Way  # loads NumPy

            was, ends = old[new.id].pose, (old[new.id].at, new.at)
            path = next((each for each in paths if (each[0], each[-1]) == ends), ends)
            bends = (was._replace(x_studs=x, y_studs=y) for x, y in path[1:-1])
            yield Way(new.id, new.name, (was, *bends, new.pose))


def _paths(
    game: Game[State, Action, View], state: State, action: Action, after: State
) -> "list[Sequence[Point]]":
    """Return where units go from place to place, as pictures of the game show it; none if it has no pictures."""
    step = Step(game.actor(state), action, game.format_action(action), after)
    names = tuple(game.player_name(state, player) for player in range(game.players(state)))
    record = Record(game.name, game.version, {}, state, (step,), Ending.INTERRUPTED, None, names, 0)
    with suppress(InvalidValueError):
        return [frame.path for frame in game.trajectories(record, step.actor).frames if frame.path]
    return []


def _harm(game: Game[State, Action, View], state: State, rolls: Sequence[Forecast]) -> str:
    """Return why a roll is likelier to cost its player than the others; empty if it is not."""
    ends = [f" of {game.player_name(state, player)}" for player in range(game.players(state))]
    for one in rolls:
        if one.harms_own:
            names = " and ".join(map(spoken, one.own)) or "own men"
            return f"this is likelier to kill {names} than an enemy"
        lost = [
            sum((p for key, p in one.losses.items() if key.endswith(end)), Fraction(0))
            for end in ends
        ]
        own = float(lost.pop(game.actor(state)))
        if not one.strikes and own > max([0.0, *map(float, lost)]) + _LITTLE:
            return f"this is likelier to cost you ({percent(own, 1)}) than an enemy"
    return ""


def _told(way: "Way", place: str, has_facing: bool) -> str:
    """Return a way in words; the end of a hull in tenths of the unit of the field."""
    x, y, heading_deg = way.poses[-1]
    at = f"{x:.1f},{y:.1f}" if way.swept or way.is_later else place
    line = "then, if nobody steers, " * way.is_later + f"{spoken(way.name)} ends at {at}"
    line += f", facing {facing_text(round(heading_deg, 1))}" * has_facing
    for name, (x, y), side in way.hits:
        line += f"; it meets {spoken(name)} at {x:.1f},{y:.1f}{side and f' in its {side}'}"
    return line


def odds_lines(forecast: Forecast) -> Iterator[str]:
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
