"""Players: the players of a game by their names, and who has won it, in a line and as JSON."""

from collections.abc import Callable, Sequence
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.players.bots import Bot, bot, bots, is_bot
from brickphys.rules.record import Ending, Record, Setup
from brickphys.rules.registry import is_own_class, trusting
from brickphys.text import agreed, counted, shown

AnyBot = Bot[Any, Any]
PERSON = "person"
"""The name of a player at the keyboard."""


def seated(
    game: AnyGame,
    setup: Setup,
    words: str | Sequence[str],
    law: RollLaw,
    person: Callable[[int], AnyBot] | None = None,
) -> list[AnyBot]:
    """Return the players of a game; InvalidValueError if a name is unknown, or there are more or fewer than players.

    The players are names in order, or with commas in a text; one name stands for all. `person` makes a person at a
    seat; None where only bots can play. The bots reckon with the law.
    """
    names = [word.strip() for word in words.split(",")] if isinstance(words, str) else list(words)
    count = game.players(game.initial(setup))
    if len(names) not in (1, count):
        raise InvalidValueError(
            f"{len(names)} players ({', '.join(map(str, names))}), but the game has {count}"
        )
    known = bots() if person is None else (*bots(), PERSON)
    for name in names:
        if not isinstance(name, str):
            raise InvalidValueError(
                f"player: {shown(name)} is not a name; write a class of your own as 'module:Class'"
            )
        if name not in known and not is_bot(name) and not is_own_class(name):
            raise unknown("player", name, known)
    with trusting():  # these names are the words of who plays, see `installed_players`
        return [
            person(seat) if name == PERSON and person else bot(name, game, law)
            for seat, name in enumerate(names if len(names) == count else names * count)
        ]


def are_installed(players: str) -> bool:
    """Whether all players that a file names are people and installed bots."""
    return not _unknown(players)


def _unknown(players: str) -> set[str]:
    return {name for name in players.split(",") if name not in ("", PERSON) and not is_bot(name)}


def installed_players(players: str, source: str) -> str:
    """Return players that a file names, separated by commas: people and installed bots; others would import code.

    InvalidValueError if there is another one; the message begins with `source`.
    """
    if unknown := _unknown(players):
        told = ", ".join(sorted(unknown))
        raise InvalidValueError(
            f"{source}: was played by {told}: name the players who continue it with --bots"
        )
    return players


AnyRecord = Record[Any, Any]


def result_document(game: AnyGame, record: AnyRecord) -> dict[str, Any]:
    """Return the result of a game and its length, for JSON; returns that are no whole numbers are rounded."""
    return {
        "game": record.game,
        "version": record.version,
        "players": list(record.players),
        "names": names_of(game, record),
        "ending": record.ending.value,
        "winner": record.winner,
        "returns": None if record.returns is None else [_plain(worth) for worth in record.returns],
        "rounds": game.rounds(record.final),
        "actions": record.actions,
        "seed": record.root,
    }


def outcome_text(game: AnyGame, record: AnyRecord) -> str:
    """Return the result of a game and its length in words.

    Of a game that persons have left only what they chose is counted.
    """
    return f"{_outcome(game, record)} {_length(game, record)}"


def result_text(game: AnyGame, record: AnyRecord, goes_on: str = "") -> str:
    """Return that in a line with the seed; `goes_on` tells how one that was stopped goes on."""
    told = f"{_length(game, record)} (seed {record.root})"
    if not goes_on:
        return f"{_outcome(game, record)} {told}"
    stopped = "stopped" if record.ending is Ending.INTERRUPTED else _outcome(game, record)
    return f"{stopped} {told}; {goes_on}"


def _length(game: AnyGame, record: AnyRecord) -> str:
    rounds = game.rounds(record.final)
    is_left = record.ending is Ending.INTERRUPTED and PERSON in record.players
    actions = _typed(game, record) if is_left else record.actions
    within = "" if rounds is None else f" in {counted(rounds, 'round')}"
    return f"after {counted(actions, 'action')}{within}"


def _typed(game: AnyGame, record: AnyRecord) -> int:
    """Return how many actions persons have chosen; not those that were the only legal ones, nor rolls."""
    pairs = zip(record.states, record.steps, strict=False)
    own = (
        state for state, step in pairs if step.actor >= 0 and record.players[step.actor] == PERSON
    )
    return sum(game.only_action(state) is None for state in own)


def _outcome(game: AnyGame, record: AnyRecord) -> str:
    if record.verdict:
        return record.verdict
    if record.ending is Ending.LIMIT:
        return "stopped at the limit of steps"
    if record.returns is None:
        return "stopped"
    best = max(record.returns)
    names = names_of(game, record)
    won = [
        f"{name} ({bot})"
        for name, bot, worth in zip(names, record.players, record.returns, strict=True)
        if worth == best
    ]
    if len(won) == len(names) and best == 0:
        return "a draw" if len(names) > 1 else "undecided"
    is_lost = len(won) == len(names) and best < 0
    return agreed(" and ".join(won), "lose" if is_lost else "win")


def names_of(game: AnyGame, record: AnyRecord) -> list[str]:
    """Return the names of the players of a game, as the game calls them."""
    return [game.player_name(record.initial, player) for player in range(len(record.players))]


def _plain(worth: Any) -> int | float:
    return worth if isinstance(worth, int) else float(worth)
