"""Replay: a game that was played, as JSON Lines, and the check that its game plays like that.

A file is a header, one action or outcome a line, and the end. Each line carries a digest of the state that it leads to,
and a check of its own text and of the line before it. So a line that was edited, lost or added is found without
playing, and a game that now plays differently is found by playing. The checks guard against accidents and careless
edits, not against forgery.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from brickphys.errors import InvalidValueError, ReplayFileError, raised_as
from brickphys.files import (
    CHECK,
    START,
    content_of,
    digest,
    is_sealed,
    sealed,
    write_whole,
    written,
)
from brickphys.reading import MOST_RECORD_BYTES, decode, read_bytes
from brickphys.rules.game import Game, advance, parse_move
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
from brickphys.rules.registry import filed_game, package_of
from brickphys.stamp import TRUSTED, Check, Stamp, stamp_check, stamp_here, unless_edited
from brickphys.text import cleaned_line, counted, listed

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """One move of a replay: its actor (an index or `CHANCE`), its notation, and the digest of the state after it."""

    actor: int
    text: str
    state: str


@dataclass(frozen=True)
class Replay:
    """A replay as its file tells it; `play_back` finds out whether the game plays like this."""

    game: str
    version: str
    setup: Setup
    players: tuple[str, ...]
    root: int
    address: tuple[int, ...]
    law: str
    """The source of the outcomes, in words."""
    initial: str
    """Digest of the first state."""
    moves: tuple[ReplayMove, ...]
    ending: Ending
    returns: tuple[Payoff, ...] | None
    final: str
    """The last state in its notation."""
    verdict: str = ""
    """How players have ended it without its rules."""
    stamp: Stamp | None = None
    """What wrote the file; None in files of earlier versions."""


def game_stamp(game: Game[State, Action, View]) -> Stamp:
    """Return the stamp of this process that plays a game, which may be of another package."""
    return stamp_here(package_of(type(game).__module__))


def played_stamp(game: Game[State, Action, View]) -> Stamp | None:
    """Return the stamp of a game that this process has played; None, with a note, if sources were edited meanwhile."""
    return unless_edited(game_stamp(game), package_of(type(game).__module__))


def play_back(
    game: Game[State, Action, View], replay: Replay, place: str = "replay"
) -> Record[State, Action]:
    """Play a replay again and return its record, equal to the one that was written.

    ReplayFileError if it is of another game, or a line is impossible or leads elsewhere than it says; names the line.
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
        verdict=replay.verdict,
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


SCHEMA = "brickphys.replay/1"
MOST_LINES = 100_002
"""Largest number of lines of a replay: those of the longest game that `play` plays, the header and the end."""
MOST_FAULTS = 1000
"""Number of faulty lines after which the search ends."""


def format_replay(
    game: Game[State, Action, View],
    record: Record[State, Action],
    law: str,
    stamp: Stamp | None = None,
) -> str:
    """Return the text of a replay; InvalidValueError if the setup cannot be written as JSON.

    The law is the source of the outcomes, in words: the name of a law file, a person, live throws. The stamp is of
    what played the game (`game_stamp`); None leaves it open.
    """
    return ReplayText(game, law, stamp).of(record)


class ReplayText(Generic[State, Action, View]):
    """The text of the replay of a game that goes on: lines of steps that it has written before are not made again."""

    def __init__(
        self, game: Game[State, Action, View], law: str, stamp: Stamp | None = None
    ) -> None:
        self._game, self._law, self._stamp = game, law, stamp
        self._steps: list[Step[State, Action]] = []
        self._lines: list[str] = []
        self._checks = [START]

    def of(self, record: Record[State, Action]) -> str:
        """Return the text of a record of the game so far, which may take back what another one had.

        InvalidValueError if the setup cannot be written as JSON.
        """
        pairs = zip(self._steps, record.steps, strict=False)
        known = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        del self._steps[known:], self._lines[1 + known :], self._checks[2 + known :]
        if not self._lines:
            self._add(_header(self._game, record, self._law, self._stamp), record)
        for number, step in enumerate(record.steps[known:], start=known + 1):
            self._add(_step(self._game, number, step), record)
            self._steps.append(step)
        end = written(sealed(self._checks[-1], _end(self._game, record)))
        return "\n".join([*self._lines, end, ""])

    def _add(self, body: Mapping[str, Any], record: Record[State, Action]) -> None:
        try:
            content = sealed(self._checks[-1], body)
        except (TypeError, ValueError) as error:
            raise InvalidValueError(f"setup {record.setup!r} is not JSON: {error}") from None
        self._lines.append(written(content))
        self._checks.append(content[CHECK])


def write_replay(
    game: Game[State, Action, View],
    record: Record[State, Action],
    path: Path | str,
    *,
    law: str,
    stamp: Stamp | None = None,
    force: bool = False,
) -> Path:
    """Write a replay, whole or not at all; see `format_replay` and `brickphys.files.write_whole`."""
    return write_whole(format_replay(game, record, law, stamp), path, force=force)


def read_replay(path: Path | str) -> Replay:
    """Read a replay.

    ReplayFileError if the file cannot be read, or was cut or edited; one line names every faulty line and what is wrong
    with it.
    """
    with raised_as(ReplayFileError):
        content = read_bytes(path, MOST_RECORD_BYTES)
        return parse_replay(decode(content, str(path)), str(path))


def parse_replay(text: str, place: str = "replay") -> Replay:
    """Read the text of a replay; `place` stands before every fault. Raises as `read_replay`."""
    if text.count("\n") > MOST_LINES:
        raise ReplayFileError(f"{place}: more than {MOST_LINES:,} lines; no game is so long")
    *lines, rest = text.split("\n")
    if '"brickphys.mail/' in text[:40]:
        raise ReplayFileError(f"{place}: is a game by mail: brickphys play --resume FILE goes on")
    if text and f'"{CHECK}"' not in text and '"schema"' not in text:
        raise ReplayFileError(f"{place}: line 1: this is not a replay, or the line was edited")
    if lines and all(line.endswith("\r") for line in lines):
        raise ReplayFileError(f"{place}: its line ends were changed to Windows format")
    faults = list(islice(text_faults(lines, rest, "ending"), MOST_FAULTS))
    if not faults:
        parsed = _parse_lines(lines)
        if isinstance(parsed, Replay):
            return parsed
        faults = parsed
    raise ReplayFileError(f"{place}: {listed(faults)}")


def _header(
    game: Game[State, Action, View], record: Record[State, Action], law: str, stamp: Stamp | None
) -> dict[str, Any]:
    """Return the content of the first line without its check."""
    return {
        "schema": SCHEMA,
        "game": record.game,
        "version": record.version,
        "setup": record.setup,
        "players": record.players,
        "seed": record.root,
        "address": record.address,
        "law": law,
        **({"stamp": stamp.document()} if stamp else {}),
        "state": digest(game.format_state(record.initial)),
    }


def _step(
    game: Game[State, Action, View], number: int, step: Step[State, Action]
) -> dict[str, Any]:
    """Return the content of the line of a step without its check."""
    return {
        "step": number,
        "actor": "chance" if step.actor == CHANCE else step.actor,
        "move": step.text,
        "state": digest(game.format_state(step.after)),
    }


def _end(game: Game[State, Action, View], record: Record[State, Action]) -> dict[str, Any]:
    """Return the content of the last line without its check."""
    return {
        "ending": record.ending.value,
        "steps": len(record.steps),
        "returns": None if record.returns is None else [str(worth) for worth in record.returns],
        "final": game.format_state(record.final),
        **({"verdict": record.verdict} if record.verdict else {}),
    }


def text_faults(lines: Sequence[str], rest: str, end: str) -> Iterator[str]:
    """Yield the lines, and the rest behind the last one, that are not as they were written; the last one has `end`."""
    check: str | None = START
    last: Mapping[str, Any] | None = {}
    for number, line in enumerate(lines, start=1):
        last = content_of(line)
        if last is None:
            yield f"line {number}: was edited"
        elif check is not None and not is_sealed(check, last):
            yield f"line {number}: was edited, or the line before it was replaced"
        check = last[CHECK] if last else None
    if rest:
        yield f"line {len(lines) + 1}: is cut off"
    elif last is not None and end not in last:
        yield f"line {len(lines) + 1}: is missing, the replay was cut"


def _parse_lines(lines: list[str]) -> Replay | list[str]:
    """Return the replay in lines that are as they were written, or else every fault in their content."""
    from brickphys.rules.schema import EndLine, HeaderLine, StepLine, parse_line

    kinds: list[type[HeaderLine] | type[StepLine] | type[EndLine]] = [HeaderLine]
    kinds += [StepLine] * (len(lines) - 2) + [EndLine]
    parsed = [parse_line(line, kind) for line, kind in zip(lines, kinds, strict=False)]
    faults = [
        f"line {number}: {fault}"
        for number, line in enumerate(parsed, start=1)
        if isinstance(line, list)
        for fault in line
    ]
    header, end = parsed[0], parsed[-1]
    steps = [line for line in parsed if isinstance(line, StepLine)]
    faults += [
        f"line {number + 1}: step {line.step} where {number} should come"
        for number, line in enumerate(steps, start=1)
        if line.step != number
    ]
    if faults or not isinstance(header, HeaderLine) or not isinstance(end, EndLine):
        return faults
    if end.steps != len(steps):
        return [f"line {len(lines)}: ends after {end.steps} steps, not {len(steps)}"]
    return Replay(
        game=header.game,
        version=header.version,
        setup=header.setup,
        players=header.players,
        root=header.seed,
        address=header.address,
        law=header.law,
        stamp=Stamp(**dict(header.stamp)) if header.stamp else None,
        initial=header.state,
        moves=tuple(
            ReplayMove(CHANCE if line.actor == "chance" else line.actor, line.move, line.state)
            for line in steps
        ),
        ending=Ending(end.ending),
        returns=None if end.returns is None else tuple(map(_payoff, end.returns)),
        final=end.final,
        verdict=cleaned_line(end.verdict),
    )


def _payoff(text: str) -> Payoff:
    worth = Fraction(text)
    return int(worth) if worth.denominator == 1 else worth


def checks(path: Path) -> Iterator[Check]:
    """Yield what is found out about a replay: line by line, and by playing it."""
    lines = "replay: each line has known keys and the checksum of its text and of the line before"
    try:
        replay = read_replay(path)
    except InvalidValueError as error:
        yield Check(lines, str(error).removeprefix(f"{path}: "))
        return
    yield Check(lines)
    played = (
        f"{replay.game}: the game plays back: {counted(len(replay.moves), 'step')}, each legal and with its state, "
        "the end, the returns"
    )
    try:
        one = filed_game(replay.game)
        play_back(one, replay, str(path))
    except InvalidValueError as error:
        yield Check(played, str(error).removeprefix(f"{path}: "))
        return
    yield Check(played)
    yield stamp_check(replay.stamp, game_stamp(one), same="its game plays the same")
    yield Check(
        f"{TRUSTED}: outcomes of chance (possible, but not drawn again), names of players, law, seed, address, "
        "version, stamp"
    )
