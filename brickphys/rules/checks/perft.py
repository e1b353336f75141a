"""Perft: the number of sequences of moves, chance included; it shows at once whether rules have changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from brickphys.errors import BrokenGameError, InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game, open_actions
from brickphys.rules.record import CHANCE, OVER, Action, State, View


@dataclass(frozen=True, slots=True)
class PerftRow:
    """All sequences of a number of moves, actions and outcomes alike.

    `chances` of the sequences wait for chance, and `over` have ended the game with the last move.
    """

    depth: int
    """Number of moves."""
    nodes: int
    """How many sequences of moves there are."""
    states: int
    """How many different states they lead to."""
    chances: int
    over: int
    mass: Fraction
    """Chance that a game lasts so many moves or ends with the last, if players choose blindly."""
    over_mass: Fraction
    """Chance that it ends with the last."""


def perft(
    game: Game[State, Action, View], state: State, depth: int, brick_law: RollLaw
) -> tuple[PerftRow, ...]:
    """Return one row for each depth from 0 to `depth`.

    Equal states are counted together, so that the sequences need not be walked one by one. All probability of one row
    that has not ended the game is found again in the next: `mass` of a row is `mass` less `over_mass` of the last.
    InvalidValueError if `depth` is negative, or an event has no law; BrokenGameError if a law does not sum to 1, or a
    player should act and can do nothing.
    """
    if depth < 0:
        raise InvalidValueError(f"depth: {depth} is negative")
    layer = {state: (1, Fraction(1))}
    rows = [_row(game, 0, layer)]
    for number in range(1, depth + 1):
        layer = _next_layer(game, layer, brick_law)
        rows.append(_row(game, number, layer))
    return tuple(rows)


def _row(
    game: Game[State, Action, View], depth: int, layer: dict[State, tuple[int, Fraction]]
) -> PerftRow:
    actors = {state: game.actor(state) for state in layer}
    return PerftRow(
        depth=depth,
        nodes=sum(paths for paths, _ in layer.values()),
        states=len(layer),
        chances=sum(layer[state][0] for state, actor in actors.items() if actor == CHANCE),
        over=sum(layer[state][0] for state, actor in actors.items() if actor == OVER),
        mass=sum((mass for _, mass in layer.values()), Fraction(0)),
        over_mass=sum((layer[s][1] for s, actor in actors.items() if actor == OVER), Fraction(0)),
    )


def _next_layer(
    game: Game[State, Action, View],
    layer: dict[State, tuple[int, Fraction]],
    brick_law: RollLaw,
) -> dict[State, tuple[int, Fraction]]:
    following: dict[State, tuple[int, Fraction]] = {}
    for state, (paths, mass) in layer.items():
        for _, after, chance in _moves(game, state, brick_law):
            old_paths, old_mass = following.get(after, (0, Fraction(0)))
            following[after] = (old_paths + paths, old_mass + mass * chance)
    return following


def _moves(
    game: Game[State, Action, View], state: State, brick_law: RollLaw
) -> Iterator[tuple[Any, State, Fraction]]:
    """Yield every move, where it leads, and its chance if players choose blindly."""
    actor = game.actor(state)
    if actor == CHANCE:
        law = game.chance(state).law(brick_law)
        if (total := sum(law.values(), Fraction(0))) != 1:
            raise BrokenGameError(f"{game.chance(state)} has a law that sums to {total}, not to 1")
        for outcome, chance in law.items():
            yield outcome, game.apply(state, outcome), chance
    elif actor != OVER:
        actions = open_actions(game, state)
        for action in actions:
            yield action, game.apply(state, action), Fraction(1, len(actions))
