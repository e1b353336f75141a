"""Mail deck: cards that are drawn by mail, so that a seat knows only its own ones, and nobody deals.

A card is a number modulo a prime. A seat locks it by a power of its own, and locks of two seats come off in any order
(Shamir, Rivest, Adleman, "Mental Poker", 1979). Both lock and shuffle all cards, then each puts a lock of its own on
every card. Who draws a card gets the other seat's key to it. Keys and orders follow from the secrets of the seats, so
that all is checked when these are shown.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

from brickphys.errors import InvalidValueError

_PRIME = int(
    "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd"
    "ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed"
    "ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f"
    "83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca237327ffffffffffffffff",
    16,
)
"""A safe prime of 1536 bits (RFC 3526, group 5)."""
_ORDER = (_PRIME - 1) // 2
"""The order of the squares. All cards are squares, so a lock does not show whether a card is one."""
_power = lru_cache(maxsize=4096)(lambda card, exponent: pow(card, exponent, _PRIME))


def hashed(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def key(secret: str, what: object) -> int:
    """Return the key of a seat to a card, or to all cards of a shuffle."""
    return int(hashed(f"{secret} {what}"), 16) | 1


class Deck:
    """Cards, each with the locks of two seats; a card is its index in `cards`, which has all that were ever shuffled.

    `first` is the next one that is drawn, `keys` has those that were shown by seat and card, and `held` who has drawn a
    card unseen.
    """

    def __init__(self) -> None:
        self.cards, self.first = list[int](), 0
        self.keys, self.held = dict[tuple[int, int], int](), dict[int, int]()
        self._known, self._names = set[str](), dict[int, str]()
        self._passes, self._began = list[list[int]](), 0

    @property
    def left(self) -> int:
        """How many cards can be drawn; -1 while they are shuffled."""
        return -1 if self._passes else len(self.cards) - self.first

    def shuffler(self, writer: int) -> int:
        """Return the seat that takes the next of the four passes of a shuffle, given that of the last line."""
        return (self._began + len(self._passes)) % 2 if self._passes else writer

    def _pile(self, names: Collection[str]) -> list[int]:
        """Return the cards to shuffle: those not drawn, and behind them those that come back, without locks."""
        back = sorted(self._known.intersection(names) if self.cards else names)
        return [*self.cards[self.first :], *(_power(int(hashed(name), 16), 2) for name in back)]

    def passed(self, secret: str, names: Collection[str]) -> list[str]:
        """Return the cards after the next pass of a seat: in 0 and 1 it locks them, in 2 and 3 each by itself."""
        number, left, base = len(self._passes), len(self.cards) - self.first, len(self.cards)
        now = self._passes[-1] if number else self._pile(names)
        order = sorted(range(len(now)), key=lambda n: key(secret, (base, n)))
        lock = key(secret, f"shuffle {base}")
        if number == 2:
            now = [now[n] for n in order]
        own = [key(secret, (base if number >= 2 else self.first) + n) for n in range(len(now))]
        locks = [lock] * len(now)
        new, old = (own, locks) if number >= 2 else (locks, [*own[:left], *[1] * (len(now) - left)])
        powers = (n * pow(o, -1, _ORDER) % _ORDER for n, o in zip(new, old, strict=True))
        now = [_power(card, power) for card, power in zip(now, powers, strict=True)]
        if number == 1:
            now = [now[n] for n in order]
        return [f"{card:x}" for card in now]

    def take_pass(self, seat: int, cards: Sequence[str], names: Collection[str]) -> None:
        """Take the cards after a pass of a seat; InvalidValueError if there are more or fewer, or they are none."""
        is_text = all(isinstance(card, str) and card.isalnum() for card in cards)
        try:
            found = [int(card, 16) for card in cards] if is_text else []
        except ValueError:
            found = []
        if len({*found}) != len(self._pile(names)) or not all(1 < one < _PRIME for one in found):
            raise InvalidValueError("these are not the cards of the deck")
        if not self._passes:
            self._began = seat
            self._names |= {_power(int(hashed(name), 16), 2): name for name in names}
        self._passes.append(found)
        if len(self._passes) == 4:
            self.first, self._passes = len(self.cards), []
            self.cards += found
            self._known.difference_update(names)

    def take_key(self, seat: int, card: int, text: str, secrets: Mapping[int, str]) -> None:
        """Take the key of a seat to a card; InvalidValueError if it is none, or not that of the secret."""
        is_key = 0 < len(text) <= 64 and {*text} <= {*"0123456789abcdef"} and int(text, 16)
        if not is_key or (seat in secrets and int(text, 16) != key(secrets[seat], card)):
            raise InvalidValueError(f"this is not the key to card {card}")
        self.keys[seat, card] = int(text, 16)
        if (name := self.name(card, {})) and card in self.held:
            self._known.add(name)

    def draw(self, seat: int, name: str) -> None:
        """Take the next card off the deck; without a name only the seat knows it."""
        if name:
            self._known.add(name)
        else:
            self.held[self.first] = seat
        self.first += 1

    def name(self, card: int, secrets: Mapping[int, str]) -> str | None:
        """Return the name of a card by the keys that were shown and by secrets of seats; None if a key is missing.

        InvalidValueError if it has none: a key is wrong.
        """
        exponent = 1
        for seat in range(2):
            if (seat, card) not in self.keys and seat not in secrets:
                return None
            own = self.keys.get((seat, card)) or key(secrets[seat], card)
            exponent = exponent * own % _ORDER
        name = self._names.get(_power(self.cards[card], pow(exponent, -1, _ORDER)))
        if name is None:
            raise InvalidValueError(f"this is not the key to card {card}")
        return name
