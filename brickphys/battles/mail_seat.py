"""Mail seat: a seat of a game by mail at this machine: its secret, and the mail as it has read or written it last.

Both are in the user's folder for states of programs. So a seat finds out if what comes back is not what it has sent.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

from brickphys.battles.mail import SCHEMA, Mail, check_by_mail, read_mail
from brickphys.battles.mail_deck import hashed
from brickphys.battles.start import state_folder
from brickphys.errors import InvalidValueError, ReplayFileError
from brickphys.files import CHECK, check_target, content_of, make_folder, write_whole
from brickphys.reading import MOST_RECORD_BYTES, read_text
from brickphys.rules.game import AnyGame
from brickphys.rules.record import Setup


@dataclass
class MailSeat:
    """A seat of a game by mail in a file, and how many of its steps it has been told before."""

    path: Path
    mail: Mail
    seat: int
    told: int

    @classmethod
    def begun(
        cls,
        path: Path,
        game: AnyGame,
        setup: Setup,
        name: str | None,
        seed: int | None = None,
        before: Sequence[str] = (),
        *,
        force: bool = False,
    ) -> Self:
        """Return a seat of a new game; `before` are its moves so far, and a seed makes the secret, for tests.

        InvalidValueError if it cannot be played by mail, there is no such seat, or the file exists without `force`.
        """
        check_target(path, force=force)
        check_by_mail(game, setup)
        mail = Mail(game, setup, before, {})
        seat = _chosen(mail.names, range(len(mail.names)), name)
        if before and game.hidden(mail.state):
            raise InvalidValueError(f"{game.name}: cards in hand cannot go on by mail: begin anew")
        mail.known[seat] = _secret(seed, seat)
        mail.go_on(seat)
        return cls(path, mail, seat, len(before))

    @classmethod
    def opened(cls, path: Path, name: str | None, seed: int | None = None) -> Self:
        """Return a seat of the game in a file: one that is kept here, or a free one; InvalidValueError if it is old."""
        text, told = read_text(path, MOST_RECORD_BYTES), 0

        def known(called: str, mail: Mail, taken: list[Any]) -> dict[int, str]:
            nonlocal told
            seats = range(len(mail.names))
            own = [seat for seat in seats if _kept(called, seat, "jsonl").exists()]
            free = [] if own and name is None else [seat for seat in seats if seat not in taken]
            seat = _chosen(mail.names, [*own, *free], name)
            if seat not in own:
                return {seat: _secret(seed, seat)}
            told = _checked(text, _kept(called, seat, "jsonl"), f"{path}", seat)
            return {seat: read_text(_kept(called, seat, "key"))}

        mail = read_mail(text, f"{path}", known)
        return cls(path, mail, next(iter(mail.known)), len(mail.before) + told)

    def write(self) -> None:
        """Write the mail, and before it what the seat keeps."""
        called = (content_of(self.mail.lines[1]) or {})[CHECK]
        write_whole(self.mail.known[self.seat], _kept(called, self.seat, "key"), force=True)
        for path in (_kept(called, self.seat, "jsonl"), self.path):
            write_whole(self.mail.text, path, force=True)


def is_mail(path: Path | None) -> bool:
    """Whether a file begins as a game by mail does."""
    with suppress(OSError):
        if path is not None and path.is_file():
            with path.open("rb") as file:
                return SCHEMA.encode() in file.read(2 * len(SCHEMA))
    return False


def _kept(called: str, seat: int, kind: str) -> Path:
    folder = state_folder("mail")
    if folder is None:
        raise InvalidValueError("there is no home folder, in which a seat could keep its secret")
    return make_folder(folder) / f"{called}-{seat}.{kind}"


def _secret(seed: int | None, seat: int) -> str:
    return token_hex() if seed is None else hashed(f"{seed} {seat}")


def _chosen(names: Sequence[str], seats: Collection[int], name: str | None) -> int:
    """Return the seat of a name, or the only one; InvalidValueError if it is none of some seats."""
    found = [seat for seat in seats if name is None or names[seat].lower() == name.lower()]
    if len(found) == 1:
        return found[0]
    if not seats:
        raise InvalidValueError("no seat of this game is yours or free")
    told = ", ".join(names[seat] for seat in seats)
    raise InvalidValueError(f"--seat {name or 'NAME'}: your seat is one of {told}")


def _checked(text: str, kept: Path, place: str, seat: int) -> int:
    """Return how many steps a seat has seen; ReplayFileError unless lines of others follow those that it has kept."""
    old, new = read_text(kept, MOST_RECORD_BYTES).splitlines(), text.splitlines()
    if new != old and new == old[: len(new)]:
        raise ReplayFileError(f"{place}: is an old mail, which was answered: the answer is {kept}")
    for number, line in enumerate(new, start=1):
        is_new = number > len(old)
        if (content_of(line) or {}).get("seat") == seat if is_new else line != old[number - 1]:
            raise ReplayFileError(
                f"{place}: line {number}: is not what this seat has written or seen"
            )
    return sum(f'"{kind}"' in line for line in old[1:] for kind in ("move", "roll"))
