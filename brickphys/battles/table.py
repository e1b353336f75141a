"""Table: a game that people play on several machines, each at a seat of their own, while others watch.

Whoever has the key of a seat sits there. What persons agree on is here, too: names, a few words, offers, a clock.
Nothing of it needs a browser.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from secrets import compare_digest, token_urlsafe
from typing import Any, Self

from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.battles.players import PERSON, installed_players
from brickphys.battles.start import GameStart, continued
from brickphys.errors import InvalidValueError, in_words
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE
from brickphys.rules.registry import filed_game
from brickphys.rules.replay import parse_replay, play_back
from brickphys.seeds import chosen_root
from brickphys.text import agreed, cleaned_line, spoken

MOST_NAME, MOST_WORDS, MOST_LINES = 30, 200, 100
"""Letters of a name and of what is said at once; lines that are kept."""
_BETWEEN = "."
"""Between the name of a table and the rest of a key."""
_BOT = "a bot"
"""How the name of a bot begins."""


class Offer(StrEnum):
    """What is done once all persons at a table have offered it."""

    UNDO = "take back"
    DRAW = "a draw"
    REMATCH = "another game"


@dataclass
class Clock:
    """Time to think: of each player, for the whole game.

    It runs while a person is to act, and only while the table is open on a server.
    """

    start_s: float
    """At first."""
    more_s: float = 0.0
    """For each turn that one ends in time."""
    left_s: list[float] = field(default_factory=list)
    """Of each player, when it was stopped last."""
    runs_for: int | None = None
    _since_s: float = 0.0

    def left_at(self, now_s: float, player: int) -> float:
        """Return what a player has left, in seconds, at a time of a clock that never goes back."""
        used = now_s - self._since_s if player == self.runs_for else 0.0
        return max(self.left_s[player] - used, 0.0)

    def run_for(self, player: int | None, now_s: float) -> None:
        """Let the time of a player run, None for nobody; who was to act has acted."""
        if (last := self.runs_for) is not None:
            self.left_s[last] = self.left_at(now_s, last)
            if player not in (last, None):
                self.left_s[last] += self.more_s
        self.runs_for, self._since_s = player, now_s


def parse_clock(text: str) -> Clock:
    """Return the clock of ``MINUTES`` or ``MINUTES+SECONDS``, as chess players write it; InvalidValueError if none."""
    minutes, plus, seconds = text.partition("+")
    try:
        start_s, more_s = 60 * float(minutes), float(seconds) if plus else 0.0
    except ValueError:
        start_s = more_s = -1.0
    if not (0 < start_s <= 24 * 3600 and 0 <= more_s <= 3600):
        raise InvalidValueError(
            f"clock: {cleaned_line(text)[:MOST_NAME]!r} is not minutes, or minutes + seconds a turn, such as 20+15 "
            "(at most 1440+3600)"
        )
    return Clock(start_s, more_s)


class Table:
    """A game, who sits at it, and what they have agreed on.

    Parameters
    ----------
    ongoing
        The game. Its persons get seats; the places of its bots stay with bots.
    clock
        None to play without one.

    Attributes
    ----------
    name
        Its name, which nobody can guess, and which is no secret among those at the table.
    keys
        By player, the key of the seat; empty for the place of a bot.
    watch_key
        The key of all who watch.
    called
        By player, the name of who sits there; empty until one is given.
    lines
        What was said: who, and what.
    offers
        By kind, the players who have offered it, the first one first.
    loser
        Who has lost by that, or -1.
    is_official
        Whether it is a board of a tournament, where persons play themselves, and once.
    seen
        The seats that somebody has taken since the table was opened; a clock runs once all are.
    """

    def __init__(self, ongoing: OngoingGame, clock: Clock | None = None) -> None:
        self.name = token_urlsafe(9)
        self.ongoing, self.clock = ongoing, clock
        count = ongoing.game.players(ongoing.state)
        self.keys = [self._new_key() if n in ongoing.persons else "" for n in range(count)]
        self.watch_key = self._new_key()
        self.called = [""] * count
        self.lines = list[tuple[str, str]]()
        self.offers = dict[Offer, list[int]]()
        self.loser = -1
        self.is_official = False
        self.seen = set[int]()
        self._restart_clock()

    @classmethod
    def of(cls, game: AnyGame, start: GameStart, players: str, clock: Clock | None = None) -> Self:
        """Return a table for a new game that goes by the shipped law; InvalidValueError as for `OngoingGame`."""
        return cls(OngoingGame(game, start, players, find_law(DEFAULT), DEFAULT), clock)

    def _new_key(self) -> str:
        return f"{self.name}{_BETWEEN}{token_urlsafe(16)}"

    def _restart_clock(self) -> None:
        if self.clock is not None:
            self.clock.left_s = [self.clock.start_s] * len(self.keys)
            self.clock.runs_for = None

    # -- who is there

    def player_of(self, key: str) -> int | None:
        """Return whose seat a key is for, None for that of who watches; InvalidValueError if it is none."""
        if is_same_key(key, self.watch_key):
            return None
        for player, own in enumerate(self.keys):
            if own and is_same_key(key, own):
                return player
        raise InvalidValueError("this link leads to no seat: ask who has sent it for another one")

    def player_name(self, player: int) -> str:
        """Return what the game calls a player, and who sits there: ``red (Anna)``, ``blue (a bot, hard)``."""
        game, initial = self.ongoing.game, self.ongoing.session.initial
        bot = self.ongoing.session.players[player].name
        who = self.called[player] if bot == PERSON else f"{_BOT}, {bot}"
        own = spoken(game.player_name(initial, player))
        return f"{own} ({who})" if who else own

    @property
    def names(self) -> list[str]:
        """The `player_name` of each player."""
        return [*map(self.player_name, range(len(self.keys)))]

    def call(self, player: int, name: str) -> None:
        """Give who sits at a seat a name; InvalidValueError if it is too long, or that of a bot."""
        own = _short(name, "name", MOST_NAME)
        if own.casefold().replace(",", " ").split()[:2] == _BOT.split():
            raise InvalidValueError(f"only bots are called {_BOT}")
        self.called[player] = own

    def say(self, player: int | None, words: str) -> None:
        """Add a line that all at the table can read; InvalidValueError if it is too long."""
        told = _short(words, "words", MOST_WORDS)
        if told:
            self.tell(told, "who watches" if player is None else self.player_name(player))

    def tell(self, words: str, who: str = "") -> None:
        """Add a line of the table itself, or of somebody."""
        self.lines = [*self.lines, (who, words)][-MOST_LINES:]

    def seat(self, player: int, name: str) -> None:
        """Give a seat to a bot, or back to the person who has its key; InvalidValueError for other places."""
        if not self.keys[player]:
            raise InvalidValueError("this place belongs to a bot")
        if self.is_official:
            raise InvalidValueError("this is a board of a tournament: persons play themselves")
        if name != PERSON:
            installed_players(name, "the seat")
        self.ongoing.seat(player, name)
        self.offers.clear()

    # -- the game goes on

    @property
    def verdict(self) -> str:
        """How the game has ended without its rules; empty otherwise."""
        return self.ongoing.session.verdict

    @property
    def is_over(self) -> bool:
        """Whether nothing can be done any more but look at it, or begin another game."""
        return bool(self.verdict) or self.ongoing.waits is Waits.END

    @property
    def points(self) -> tuple[float, ...] | None:
        """What each player gets for the game, 1 in all, shared by the best ones; None while it goes on."""
        if not self.is_over:
            return None
        worth: Sequence[Any] = self.ongoing.record.returns or [0.0] * len(self.keys)
        if self.verdict:
            worth = [-float(player == self.loser) for player in range(len(self.keys))]
        best = [float(one == max(worth)) for one in worth]
        return tuple(one / sum(best) for one in best)

    @property
    def waits_for_program(self) -> bool:
        """Whether a bot is to act, or the law to roll."""
        return not self.verdict and self.ongoing.waits is Waits.PROGRAM

    def go_on_quickly(self) -> None:
        """Let the law roll, and take actions that alone are legal, until a bot or a person is to choose."""
        table = self.ongoing
        while not self.is_over:
            actor = table.session.actor
            if actor == CHANCE and not table.is_slow:
                table.go_on()
            elif actor in table.persons and (seat := table.seen_from(actor)).only is not None:
                seat.take_only()
            else:
                return

    def turn_clock(self, now_s: float) -> None:
        """Let the time of who is to act run; whoever has none left has lost."""
        clock, table = self.clock, self.ongoing
        if clock is None:
            return
        actor = None if self.is_over else table.session.actor
        is_ready = self.seen >= {*table.persons}
        clock.run_for(actor if actor in table.persons and is_ready else None, now_s)
        late = next((n for n, left_s in enumerate(clock.left_s) if left_s <= 0), None)
        if late is not None and not self.is_over:
            clock.run_for(None, now_s)
            self._lose(late, "have no time left")

    def resign(self, player: int) -> None:
        """End the game: a player gives up."""
        if not self.is_over:
            self._lose(player, "give up")

    def _lose(self, player: int, why: str) -> None:
        others = [n for n in range(len(self.keys)) if n != player]
        wins = agreed(" and ".join(map(self.player_name, others)), "win")
        self.ongoing.session.verdict = f"{agreed(self.player_name(player), why)}: {wins}"
        self.loser = player

    def offer(self, kind: Offer, player: int) -> bool:
        """Offer something, or accept it; return whether all have done so, and it is done.

        A choice after which nothing was rolled or shown, and nobody else has acted, is taken back without an offer.
        InvalidValueError if it cannot be offered now.
        """
        by = self.offers.get(kind, [])
        if kind is not Offer.REMATCH and player not in self.ongoing.persons:
            raise InvalidValueError("a bot plays here: play yourself to offer something")
        if kind is Offer.REMATCH and self.is_official:
            raise InvalidValueError("a game of a tournament is played once")
        if (kind is Offer.REMATCH) != self.is_over:
            raise InvalidValueError(f"the game is {'over' if self.is_over else 'not over yet'}")
        if kind is Offer.DRAW and len(self.ongoing.persons) < 2:
            raise InvalidValueError("bots accept no draw")
        if kind is Offer.UNDO and not (by or self.ongoing.choices_of(player)):
            raise InvalidValueError("nothing to take back: you have chosen nothing yet")
        screen = self.ongoing.seen_from(player)
        if kind is Offer.UNDO and not by and screen.session.actor == player and screen.may_undo:
            screen.undo()  # nobody has seen anything of it but the choice
            return True
        by = self.offers[kind] = list(dict.fromkeys([*by, player]))
        if not {*by} >= {*self.ongoing.persons}:
            return False
        self.offers.clear()
        self._do(kind, by[0])
        return True

    def _do(self, kind: Offer, player: int) -> None:
        if kind is Offer.UNDO:
            self.ongoing.back_to_choice(player)
        elif kind is Offer.DRAW:
            self.ongoing.session.verdict = "a draw by agreement"
        else:
            old = self.ongoing
            names = [one.name for one in old.session.players]
            start = GameStart(old.start.setup, chosen_root(None))
            self.ongoing = OngoingGame(old.game, start, names, old.law, DEFAULT)
            self.loser = -1
            self._restart_clock()

    def refuse(self, kind: Offer, player: int) -> None:
        """Refuse what another one has offered, or take an offer back; all are told."""
        if by := self.offers.pop(kind, []):
            verb = "withdraws" if player in by else "refuses"
            self.tell(f"{self.player_name(player)} {verb}: {kind.value}")

    # -- it is kept

    def document(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        clock = self.clock
        return {
            "name": self.name,
            "keys": self.keys,
            "watch_key": self.watch_key,
            "called": self.called,
            "players": [one.name for one in self.ongoing.session.players],
            "lines": self.lines,
            "verdict": self.verdict,
            "loser": self.loser,
            "is_official": self.is_official,
            "clock": clock and [clock.start_s, clock.more_s, *clock.left_s],
            "replay": self.ongoing.replay(),
        }

    @classmethod
    def from_document(cls, found: Mapping[str, Any]) -> Self:
        """Return the table of a document; InvalidValueError if its game cannot be played back."""
        try:
            replay, clock = str(found["replay"]), found["clock"] and [*map(float, found["clock"])]
            own: dict[str, Any] = {
                name: str(found[name]) for name in ("name", "watch_key", "verdict")
            }
            own["loser"] = int(found["loser"])
            own["is_official"] = bool(found.get("is_official"))
            own |= {name: [*map(str, found[name])] for name in ("keys", "called")}
            seated = [*map(str, found.get("players", [PERSON] * len(own["keys"])))]
            own["lines"] = [(str(who), str(words)) for who, words in found["lines"]]
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidValueError(f"this is no table: {in_words(error)}") from None
        written = parse_replay(replay, "the game of this table")
        game = filed_game(written.game)
        record = play_back(game, written, "the game of this table")
        start = continued(record, written.law)
        players = installed_players(start.players, "this table")
        ongoing = OngoingGame(game, start, players, find_law(DEFAULT), DEFAULT)
        table = cls(ongoing, Clock(*clock[:2]) if clock else None)
        if {len(own["keys"]), len(own["called"]), len(seated)} != {len(table.keys)}:
            raise InvalidValueError("this is no table: it has other seats than its game")
        ongoing.session.verdict = own.pop("verdict")
        vars(table).update(own)
        for player, name in enumerate(seated):
            if table.keys[player] and name != PERSON:
                ongoing.seat(player, name)
        if table.clock is not None:
            table.clock.left_s = clock[2:]
        return table


def is_same_key(given: str, own: str) -> bool:
    """Whether a key that somebody has sent is a certain one; how long it takes does not tell how near it is."""
    return compare_digest(given.encode(errors="replace"), own.encode())


def table_name(key: str) -> str:
    """Return the name of the table that a key is for."""
    return key.partition(_BETWEEN)[0]


def _short(text: str, what: str, most: int) -> str:
    found = cleaned_line(" ".join(text.split()))
    if len(found) > most:
        raise InvalidValueError(f"{what}: at most {most} letters")
    return found
