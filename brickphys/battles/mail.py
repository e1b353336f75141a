"""Mail: a game that people play by sending one file to and fro, without a server.

Nobody can foresee or choose a roll. Each seat has a secret. Hashed many times, it makes a chain of links; the file has
the last one from the start, and the seat shows the one before it with each roll. So it can neither choose a link nor
know another seat's next one. Rolls between two choices come from the links of all seats, and a seat shows its link only
once the choice before them is in the file. Cards that a seat draws unseen come from a `mail_deck`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from brickphys.battles.mail_deck import Deck, hashed, key
from brickphys.battles.players import PERSON, AnyRecord, seated
from brickphys.battles.start import law_origin, law_rolls
from brickphys.errors import InvalidValueError, ReplayFileError
from brickphys.files import CHECK, START, content_of, digest, sealed, written
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.events import Draw
from brickphys.rules.game import AnyGame, move_problems, parse_move
from brickphys.rules.play import MAX_STEPS, play, started
from brickphys.rules.record import CHANCE, OVER, Setup, Step
from brickphys.rules.registry import filed_game
from brickphys.rules.replay import text_faults
from brickphys.rules.rolls import BrickRoll
from brickphys.text import listed

SCHEMA = "brickphys.mail/1"
LINKS = MAX_STEPS // 2
"""Links of a chain: a roll between any two choices of the longest game."""
_MORE = {"anchor": [], "link": [], "secret": [], "deck": [], "key": ["card"]}
_MORE |= {"move": ["state"], "roll": ["state"]}
"""Kind of a line -> what else it has: the number of a card, or the digest of what all see after a step."""
_TRIES, _PROBED = 2000, 40
"""States that are tried until a line fits, and steps of a game at random in which no choice may be hidden."""


@lru_cache(maxsize=8)
def chain(secret: str) -> tuple[str, ...]:
    """Return the links of a secret in the order in which they are shown; the first one is the anchor."""
    links = [secret]
    for _ in range(LINKS):
        links.append(hashed(links[-1]))
    return tuple(reversed(links))


def root_of(links: Sequence[str]) -> int:
    """Return the root seed of the rolls for which the seats, in order, have shown these links."""
    from brickphys.seeds import MAX_ROOT  # loads numpy

    return int(hashed("".join(links)), 16) % MAX_ROOT


class Mail:
    """A game by mail: its lines, and what they come to as far as those who read know.

    Parameters
    ----------
    game, setup, before
        The game, where it begins, and moves that were made before it went on by mail, in their notation.
    known
        Seat -> secret of those who read: one seat, or all after the game.

    Attributes
    ----------
    session
        The game so far. In its states is made up what is hidden from those who read.
    anchors, links, secrets
        What each seat has shown: its anchor and its secret (empty if it has not), and its links.
    """

    def __init__(
        self, game: AnyGame, setup: Setup, before: Sequence[str], known: Mapping[int, str]
    ) -> None:
        self.game, self.before, self.known = game, before, dict(known)
        self._law, self.deck, self._check = find_law(DEFAULT), Deck(), START
        players = seated(game, setup, "random", self._law)
        self.session = started(game, setup, players, law_rolls(self._law, 0), 0)
        self.names = [game.player_name(self.state, seat) for seat in range(len(players))]
        self.anchors, self.secrets = [""] * len(players), [""] * len(players)
        self.links: list[list[str]] = [[] for _ in players]
        self.lines, self.writer = list[str](), len(players) - 1
        self._rolls, self._is_rolling = 0, False
        for text in before:
            self._take_step(str(text), None)
        head = {"schema": SCHEMA, "game": game.name, "version": game.version, "setup": setup}
        law = law_origin(game, self._law, DEFAULT)
        self._add({**head, "law": law, "before": [*before]})

    @property
    def state(self) -> Any:
        """The state now."""
        return self.session.last

    @property
    def text(self) -> str:
        """The content of the file."""
        return "\n".join([*self.lines, ""])

    @property
    def record(self) -> AnyRecord:
        """The game so far."""
        players = (PERSON,) * len(self.names)
        return replace(self.session.so_far(), players=players, root=root_of(self.anchors))

    @property
    def waits_for(self) -> int:
        """The seat to which the file goes next; -1 once the game is over and all secrets are shown."""
        seats, count = self._due[1], len(self.names)
        return min(seats, key=lambda seat: (seat - self.writer - 1) % count, default=-1)

    @property
    def _due(self) -> tuple[str, list[int]]:
        """The kind of the next line, and the seats that may write it."""
        actor, deck, seats = self.session.actor, self.deck, [*range(len(self.names))]
        if free := [seat for seat in seats if not self.anchors[seat]]:
            return "anchor", free
        if actor >= 0:
            return "move", [actor]
        if actor == OVER:
            return "secret", [seat for seat in seats if not self.secrets[seat]]
        if not self._cards:
            wanted = self._rolls + (not self._is_rolling)
            lacking = [seat for seat in seats if len(self.links[seat]) < wanted]
            return ("link", lacking) if lacking and not self._is_certain else ("roll", seats)
        if len(self._cards) != deck.left:
            return "deck", [deck.shuffler(self.writer)]
        lacking = [seat for seat in seats if (seat, deck.first) not in deck.keys]
        owner = getattr(self.game.chance(self.state), "owner", None)
        others = [seat for seat in lacking if seat != owner]
        return ("key", others) if others else ("roll", lacking or seats)

    @property
    def _cards(self) -> list[str]:
        return _cards(self.game, self.state)

    @property
    def _is_certain(self) -> bool:
        """Whether the event needs no chance: no bricks are rolled, or physics answers."""
        event = self.game.chance(self.state)
        return event == BrickRoll(0) or not event.exact

    # -- who reads writes

    def go_on(self, seat: int) -> bool:
        """Write all lines of a seat that need no choice; return whether it is to choose now."""
        while seat in (due := self._due)[1]:
            if due[0] == "move":
                return True
            self._write(seat, due[0], self.deck.first)
        return False

    def choose(self, seat: int, text: str) -> None:
        """Write an action of a seat; cards of its hand that it names are shown before."""
        deck = self.deck
        for card in [card for card, owner in deck.held.items() if owner == seat]:
            if (seat, card) not in deck.keys and deck.name(card, self.known) in text.split():
                self._write(seat, "key", card)
        self.take({"seat": seat, "move": text, "state": self._digest(self._after(text))})

    def _write(self, seat: int, kind: str, card: int) -> None:
        secret, body = self.known[seat], dict[str, Any]()
        if kind == "roll":
            text = self._rolled()
            name = text or self._drawn()
            after = self._after(name)
            body = {"roll": text, "state": self._digest(after)}
            if not text and name in _cards(self.game, after):
                kind = "key"  # it goes back into the deck, so that all see it
        if kind == "key":
            body = {"key": f"{key(secret, card):x}", "card": card}
        elif kind == "deck":
            body = {kind: self.deck.passed(secret, self._cards)}
        elif kind != "roll":
            shown = {"anchor": 0, "link": len(self.links[seat]) + 1, "secret": -1}
            body = {kind: chain(secret)[shown[kind]]}
        self.take({"seat": seat, **body})

    # -- lines are taken

    def take(self, content: Mapping[str, Any]) -> None:
        """Add a line; InvalidValueError if it is not due, or not what it must be."""
        body = {name: value for name, value in content.items() if name != CHECK}
        kind, seat = next((one for one in _MORE if one in body), ""), body.get("seat")
        is_right = isinstance(body.get(kind), list if kind == "deck" else str)
        is_right &= type(seat) is type(body.get("card", 0)) is int
        if not is_right or body.keys() != {"seat", kind, *_MORE.get(kind, [])}:
            raise InvalidValueError("this is not a line of a game by mail")
        due, seats = self._due
        is_shown = kind == "key" and due in ("move", "roll")
        if not (kind == due or is_shown) or seat not in seats:
            told = " or ".join(self.names[one] for one in seats)
            raise InvalidValueError(f"here comes a {due} of {told}" if told else "it is over")
        self._take(kind, seat, body)
        self.writer = seat
        self._add(body)
        if kind == "secret" and all(self.secrets) and len(self.known) < len(self.names):
            known = dict(enumerate(self.secrets))  # all is played again, as nobody could do before
            self.session = read_mail(self.text, "by the secrets", lambda *_: known).session

    def _add(self, body: Mapping[str, Any]) -> None:
        content = sealed(self._check, body)
        self._check = content[CHECK]
        self.lines.append(written(content))

    def _take(self, kind: str, seat: int, body: Mapping[str, Any]) -> None:
        """Take what a line tells, if it agrees with what its seat and others have shown before."""
        text, links, deck, is_right = body[kind], self.links[seat], self.deck, True
        if kind == "move":
            self._take_step(text, body["state"])
        elif kind == "roll":
            self._take_roll(seat, text, body["state"])
        elif kind == "deck":
            own = self.known.get(seat)
            is_right = own is None or text == deck.passed(own, self._cards)
            deck.take_pass(seat, text, self._cards)
        elif kind == "key":
            card = body["card"]
            is_next = bool(self._cards) and card == deck.first
            is_right = (is_next or deck.held.get(card) == seat) and (seat, card) not in deck.keys
            if is_right:
                deck.take_key(seat, card, text, self.known)
        elif kind == "anchor":
            is_right = len(text) == len(hashed("")) and text not in self.anchors
            self.anchors[seat] = text
        elif kind == "link":
            is_right = hashed(text) == (links[-1] if links else self.anchors[seat])
            links.append(text)
        else:
            is_right = chain(text)[0] == self.anchors[seat]
            self.secrets[seat] = text
        if not is_right:
            raise InvalidValueError(f"this is not the {kind} to which {self.names[seat]} is bound")

    def _take_roll(self, seat: int, text: str, state: str) -> None:
        """Take a roll, which must be that of the links, or a card, which must be that of the keys."""
        if text != (right := self._rolled()):
            raise InvalidValueError(f"the roll is {right or 'hidden'}, not {text!r}")
        if self._cards:
            self._take_step(text or self._drawn(), state)
            self.deck.draw(seat, text)
            return
        if not self._is_certain and not self._is_rolling:
            self._rolls, self._is_rolling = self._rolls + 1, True
        self._take_step(text, state)

    def _take_step(self, text: str, state: str | None) -> None:
        """Take an action or a roll; one that leads to another state than told is refused."""
        actor, after = self.session.actor, self._after(text)
        if state not in (None, self._digest(after)):
            raise InvalidValueError(f"{text!r} leads to another state than the file says")
        self._is_rolling &= actor == CHANCE
        move = parse_move(self.game, self.state, text)
        self.session.steps.append(Step(actor, move, text, after))

    def _after(self, text: str) -> Any:
        """Return the state after a move; what is made up before it is made up anew until the move can be made."""
        from brickphys.seeds import generator  # loads numpy

        game, steps, state, rng = self.game, self.session.steps, self.state, generator(0)
        is_made_up = bool(steps) and len(self.known) == 1 and game.hidden(state)
        for _ in range(_TRIES if is_made_up else 1):
            faults = [f"{text!r} cannot come here"]
            with suppress(InvalidValueError):
                move = parse_move(game, state, text)
                if not (faults := move_problems(game, state, move)):
                    break
            if is_made_up:
                state = game.alternative(state, next(iter(self.known)), rng)
        if faults:
            raise InvalidValueError(f"{text!r} is illegal: {'; '.join(faults)}")
        if is_made_up:
            steps[-1] = replace(steps[-1], after=state)
        return game.apply(state, move)

    def _rolled(self) -> str:
        """Return what is rolled by the links of all, or drawn by the keys of all; empty if only one seat knows it."""
        if self._cards:
            return self.deck.name(self.deck.first, {}) or ""
        number = self._rolls - self._is_rolling
        links = [] if self._is_certain else [shown[number] for shown in self.links]
        source, event = law_rolls(self._law, root_of(links)), self.game.chance(self.state)
        return event.format(source.answer(event, (0, len(self.session.steps))))

    def _drawn(self) -> str:
        """Return the name of a card that is drawn unseen; to who does not know it, one that it may be."""
        names, game = self._cards, self.game
        unseen = (one for one in names if one not in _cards(game, game.apply(self.state, one)))
        return self.deck.name(self.deck.first, self.known) or next(unseen, names[0])

    def _digest(self, state: Any) -> str:
        """Return the digest of what all may see of the next state; empty if it shows what was hidden."""
        if self.game.hidden(self.state):
            if not self.game.hidden(state):
                return ""
            for seat in range(len(self.names)):
                state = self.game.observe(state, seat)
        return digest(self.game.format_state(state))


def _cards(game: AnyGame, state: Any) -> list[str]:
    """Return the cards of which one comes next that not all may know; none otherwise."""
    event = game.chance(state) if game.actor(state) == CHANCE else None
    return [name for name, _ in event.weights] if isinstance(event, Draw) and event.secret else []


def read_mail(
    text: str, place: str, known: Callable[[str, Mail, list[Any]], Mapping[int, str]]
) -> Mail:
    """Read a mail, and check every line of it; ReplayFileError names the one that is not as a seat has written it.

    `known` returns the secret of who reads by seat, given the name of the game, its head, and the seats that are taken.
    """
    *lines, rest = text.split("\n")
    if faults := list(text_faults(lines, rest, "seat")):
        raise ReplayFileError(f"{place}: {listed(faults)}")
    head, *contents = [content_of(line) or {} for line in lines]
    number = 1
    try:
        mail = _headed(head)
        taken = [one.get("seat") for one in contents if "anchor" in one]
        mail.known.update(known(contents[0][CHECK], mail, taken))
        for number, content in enumerate(contents, start=2):  # noqa: B007
            mail.take(content)
    except ReplayFileError:
        raise
    except InvalidValueError as error:
        raise ReplayFileError(f"{place}: line {number}: {error}") from None
    return mail


def _headed(head: Mapping[str, Any]) -> Mail:
    """Return the game that begins with a line; InvalidValueError if it would go by other rules here."""
    name, setup, before = (head.get(one) for one in ("game", "setup", "before"))
    if not (isinstance(name, str) and isinstance(setup, dict) and isinstance(before, list)):
        raise InvalidValueError("this is not a game by mail")
    mail = Mail(filed_game(name), setup, before, {})
    here = content_of(mail.lines[0]) or {}
    for what in ("schema", "version", "law"):
        if head.get(what) != here[what]:
            raise InvalidValueError(f"{what}: {head.get(what)!r} in the file, {here[what]!r} here")
    return mail


def check_by_mail(game: AnyGame, setup: Setup) -> None:
    """Raise InvalidValueError if a game hides more than cards, or those of more than two: not to be played by mail."""
    law = find_law(DEFAULT)
    bots = seated(game, setup, "random", law)
    probe = play(game, setup, bots, law_rolls(law, 0), root=0, max_steps=_PROBED)
    for state in filter(game.hidden, probe.states):
        after = {game.apply(state, action) for action in game.actions(state)}
        viewers = {*range(len(bots))} - {game.actor(state)}
        if any(len({game.observe(one, seat) for one in after}) < len(after) for seat in viewers):
            text = game.format_action(game.actions(state)[0])
            why = f"choices such as {text!r} are hidden from others"
        elif len(bots) != 2:
            why = f"{len(bots)} players have secrets"
        else:
            continue
        raise InvalidValueError(
            f"{game.name}: {why}: by mail only the cards of two can be; an --option of the game may do without"
        )
