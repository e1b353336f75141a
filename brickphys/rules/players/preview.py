"""Preview: what an action would do, before it is done: where pieces end, what they meet, and what is rolled.

It is found from what its player sees: where something is hidden, only that is told which is the same in all states that
are imagined. `lines` tells it in words; a picture draws its ways and its lane.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, TypeVar

from brickphys.errors import InvalidValueError
from brickphys.rules.action_odds import action_odds
from brickphys.rules.game import Game
from brickphys.rules.names import facing_text
from brickphys.rules.players.prompt import Asked, strikes_text
from brickphys.rules.players.typed import WIDTH
from brickphys.rules.record import CHANCE, Action, Ending, Forecast, Record, State, Step, View
from brickphys.text import percent, spoken

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point
    from brickphys.rules.scene import Piece, Way

Thing = TypeVar("Thing")
_LEAST_SHARE = 0.0005
"""Rarer outcomes are shown together."""
_LITTLE = 0.05
"""Of a smaller difference between the chances of losses nobody is warned."""


@dataclass(frozen=True)
class Preview:
    """What would come of an action, as its player can know."""

    told: str
    """What happens, in words of the game; empty where the ways say it all."""
    ways: "tuple[Way, ...]"
    places: tuple[str, ...]
    """The end of each way, in words."""
    lane: "tuple[Point, Point] | None"
    """From where to where it attacks, on the map of `describe`; None if it does not."""
    rolls: tuple[Forecast, ...]
    """The odds of what is rolled for it; at once, or once the pieces have gone the ways that are later."""
    own: Mapping[str, Fraction]
    """Own men at whom a shot may go -> the chance that it kills them; who stands in the way of a vehicle has none."""
    harm: str
    """Why own men are likelier to be lost than enemies by what is rolled at once; empty if they are not."""

    def lines(self) -> Iterator[str]:
        """Yield it in words, a line each."""
        yield from filter(None, self.told.split("\n"))
        for way, place in zip(self.ways, self.places, strict=True):
            yield _told(way, place)
        if self.own:
            names = (f"{spoken(name)} {percent(float(p), 1)}" for name, p in self.own.items())
            yield f"own men in the lane, and the chance to kill them: {', '.join(names)}"
        is_later = self.rolls and any(way.is_later for way in self.ways)
        yield "then is rolled:" if is_later else "is rolled:" if self.rolls else "nothing is rolled"
        for forecast in self.rolls:
            yield from odds_lines(forecast)
        if self.harm:
            yield f"beware: {self.harm}"


def preview(asked: Asked[State, Action, View], actions: Sequence[Action]) -> Preview:
    """Return what would come of the last of some actions, each of which is legal after the one before."""
    game, states, (*before, last) = asked.game, asked.states, actions
    for action in before:
        states = [game.apply(state, action) for state in states]
    player, after = game.actor(states[0]), [game.apply(state, last) for state in states]
    worlds = dict.fromkeys(zip(states, after, strict=True))
    steers = game.goes_on(after[0]) if game.actor(after[0]) == player else None
    ways = _shared(_ways(game, state, last, end, steers) for state, end in worlds)
    told = _shared(
        (game.tell(state, _step(game, state, last, end), player),) for state, end in worlds
    )
    rolls = action_odds(game, states, [last], asked.brick_law, with_parts=False)
    harm = _harm(game, states[0], rolls) if game.actor(after[0]) == CHANCE or len(before) else ""
    if steers is not None and not rolls:
        rolls = action_odds(game, after, [steers], asked.brick_law, with_parts=False)
    is_attack = any(
        forecast.strikes and forecast.text == game.format_action(last) for forecast in rolls
    )
    return Preview(
        "" if ways else "\n".join(told),
        ways,
        tuple(game.place_name(states[0], way.poses[-1].centre_studs) for way in ways),
        game.lane(states[0], last) if is_attack else None,
        tuple(rolls),
        {name: p for forecast in rolls for name, p in forecast.own.items()},
        harm,
    )


def _shared(worlds: Iterable[Sequence[Thing]]) -> tuple[Thing, ...]:
    """Return what is in all of several sequences, in the order of the first."""
    first, *others = worlds
    return tuple(one for one in first if all(one in other for other in others))


def _step(
    game: Game[State, Action, View], state: State, action: Action, after: State
) -> Step[State, Action]:
    return Step(game.actor(state), action, game.format_action(action), after)


def _ways(
    game: Game[State, Action, View],
    state: State,
    action: Action,
    after: State,
    steers: Action | None,
) -> "list[Way]":
    """Return the ways of vehicles and ships, then those of other pieces, and how it goes on if nobody steers."""
    driven = list(game.drives(state, action))
    later = [] if steers is None else list(game.drives(after, steers))
    begun, ended = game.scene(state), game.scene(after)
    known = {way.id for way in driven}
    if begun is not None and ended is not None:
        old = {one.id: one for one in begun.pieces if one.name and not one.parent}
        paths = None
        for new in ended.pieces:
            was = old.get(new.id)
            if was is None or was.pose == new.pose or new.id in known:
                continue
            if paths is None:
                paths = _paths(game, state, action, after)
            driven.append(_way(was, new, paths))
    return [*driven, *(replace(way, is_later=True) for way in later)]


def _way(old: "Piece", new: "Piece", paths: "Iterable[Sequence[Point]]") -> "Way":
    """Return the way of a piece: along one of some paths if it is its own, else straight."""
    from brickphys.geometry.pose import Pose  # loads NumPy
    from brickphys.rules.scene import Way

    ends = old.at, new.at
    own = next((path for path in paths if (path[0], path[-1]) == ends), ends)
    bends = (Pose(*at, old.heading_deg) for at in own[1:-1])
    return Way(new.id, new.name, (old.pose, *bends, new.pose))


def _paths(
    game: Game[State, Action, View], state: State, action: Action, after: State
) -> "list[Sequence[Point]]":
    """Return where units go from place to place, as pictures of the game show it."""
    step, count = _step(game, state, action, after), game.players(state)
    names = tuple(game.player_name(state, player) for player in range(count))
    record = Record(game.name, game.version, {}, state, (step,), Ending.INTERRUPTED, None, names, 0)
    try:
        frames = game.trajectories(record, step.actor).frames
    except InvalidValueError:  # the game has no pictures
        return []
    return [frame.path for frame in frames if frame.path]


def _harm(game: Game[State, Action, View], state: State, rolls: Sequence[Forecast]) -> str:
    """Return why a roll is likelier to cost its player than the others; empty if it is not."""
    for forecast in rolls:
        own = float(max(forecast.own.values(), default=0))
        if forecast.harms_own:
            names = " and ".join(map(spoken, forecast.own)) or "own men"
            return f"this is likelier to kill {names} than an enemy"
        if not forecast.strikes:
            lost = [_loss(game, state, forecast, player) for player in range(game.players(state))]
            own = lost.pop(game.actor(state))
            if own > max(lost, default=0.0) + _LITTLE:
                return f"this is likelier to cost you ({percent(own, 1)}) than an enemy"
    return ""


def _loss(game: Game[State, Action, View], state: State, forecast: Forecast, player: int) -> float:
    """Return the chance that something of a player is lost by a roll."""
    name = f" of {game.player_name(state, player)}"
    return max((float(p) for key, p in forecast.losses.items() if key.endswith(name)), default=0.0)


def _told(way: "Way", place: str) -> str:
    """Return a way in words."""
    end, name = way.poses[-1], spoken(way.name)
    at = f"{place}, facing {facing_text(round(end.heading_deg, 1))}"
    line = f"{name} ends at {at}"
    if way.is_later:
        line = f"then, if nobody steers, {name} moves to {at}"
    line += f", and {way.ending}" if way.ending else ""
    for met in way.hits:
        where = f" in its {met.sector}" if met.sector else ""
        own = ", one of your own," if met.is_own else ""
        line += f"; it meets {spoken(met.name)}{own}{where} at {met.at[0]:.1f},{met.at[1]:.1f}"
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
