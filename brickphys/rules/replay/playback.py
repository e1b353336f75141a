"""Playback: a replay as a value, and the check that its game plays like that."""

from dataclasses import dataclass

from brickphys.chain import digest
from brickphys.errors import InvalidValueError, ReplayFileError
from brickphys.rules.game import Game
from brickphys.rules.moves import advance, parse_move
from brickphys.rules.record import (
    CHANCE,
    OVER,
    Action,
    Ending,
    Payoff,
    Record,
    Setup,
    State,
    Step,
    View,
)
from brickphys.stamp import Stamp, stamp_here, unless_edited
from brickphys.text import counted, listed


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """One move of a replay: its actor (an index or `CHANCE`), its notation, and the digest of the state after it."""

    actor: int
    text: str
    state: str


@dataclass(frozen=True)
class Replay:
    """A replay as its file tells it; `play_back` finds out whether the game plays like this.

    Attributes
    ----------
    game, version, setup, players, root, address
        As in `Record`.
    law
        The source of the outcomes, in words.
    initial
        Digest of the first state.
    moves
        The moves, in order.
    ending, returns
        As in `Record`.
    final
        The last state in its notation.
    stamp
        What wrote the file; None in files of earlier versions.
    """

    game: str
    version: str
    setup: Setup
    players: tuple[str, ...]
    root: int
    address: tuple[int, ...]
    law: str
    initial: str
    moves: tuple[ReplayMove, ...]
    ending: Ending
    returns: tuple[Payoff, ...] | None
    final: str
    stamp: Stamp | None = None


def game_stamp(game: Game[State, Action, View]) -> Stamp:
    """Return the stamp of this process that plays a game, which may be of another package."""
    return stamp_here(_package(game))


def played_stamp(game: Game[State, Action, View]) -> Stamp | None:
    """Return the stamp of a game that this process has played; None, with a note, if sources were edited meanwhile."""
    return unless_edited(game_stamp(game), _package(game))


def _package(game: Game[State, Action, View]) -> str:
    return type(game).__module__.partition(".")[0]


def play_back(
    game: Game[State, Action, View], replay: Replay, place: str = "replay"
) -> Record[State, Action]:
    """Play a replay again and return its record, equal to the one that was written.

    Raises
    ------
    ReplayFileError
        If it is of another game, or a line is impossible or leads elsewhere than it says; names the line.
    """
    if game.name != replay.game:
        raise ReplayFileError(f"{place}: line 1: a replay of {replay.game!r}, not of {game.name!r}")
    number = 1
    try:
        state = initial = game.initial(replay.setup)
        _compare(
            replay.initial, digest(game.format_state(state)), "the game starts in another state"
        )
        if len(replay.players) != game.players(state):
            told = counted(len(replay.players), "player")
            raise InvalidValueError(f"{told}, but the game has {game.players(state)}")
        steps: list[Step[State, Action]] = []
        for move in replay.moves:
            number += 1
            steps.append(_taken(game, state, move))
            state = steps[-1].after
        number += 1
        _compare_end(game, replay, state)
    except InvalidValueError as error:
        raise ReplayFileError(f"{place}: line {number}: {error}{_origin(game, replay)}") from None
    return Record(
        game=replay.game,
        version=replay.version,
        setup=replay.setup,
        initial=initial,
        steps=tuple(steps),
        ending=replay.ending,
        returns=replay.returns,
        players=replay.players,
        root=replay.root,
        address=replay.address,
    )


def _origin(game: Game[State, Action, View], replay: Replay) -> str:
    """Return in words what wrote a replay, as far as something else plays it now."""
    told = []
    if game.version != replay.version:
        told.append(f"version {replay.version}, now {game.version}")
    changes = replay.stamp.differences(game_stamp(game)) if replay.stamp else []
    if changes:
        told.append(f"was written by other sources: {listed(changes)}")
    return f" ({'; '.join(told)})" if told else ""


def _taken(game: Game[State, Action, View], state: State, move: ReplayMove) -> Step[State, Action]:
    """Return the step that a line tells, once everything in it has been found true."""
    actor = game.actor(state)
    if actor != move.actor:
        raise InvalidValueError(f"{_who(move.actor)} moves, but it is the turn of {_who(actor)}")
    made = parse_move(game, state, move.text)
    after = advance(game, state, made)
    _compare(move.state, digest(game.format_state(after)), f"{move.text!r} leads to another state")
    return Step(actor, made, move.text, after)


def _compare_end(game: Game[State, Action, View], replay: Replay, state: State) -> None:
    over = game.actor(state) == OVER
    if over != (replay.ending is Ending.OVER):
        raise InvalidValueError(
            f"ends as {replay.ending.value!r}, but {'' if over else 'not '}over"
        )
    returns = tuple(game.returns(state)) if over else None
    _compare(replay.returns, returns, "the returns differ")
    _compare(replay.final, game.format_state(state), "the last state differs")


def _compare(written: object, found: object, what: str) -> None:
    if written != found:
        raise InvalidValueError(f"{what}: the file has {written!r}, the game gives {found!r}")


def _who(actor: int) -> str:
    return {CHANCE: "chance", OVER: "nobody"}.get(actor, f"player {actor}")
