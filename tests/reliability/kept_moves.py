"""The model of a game that is played: the list of its moves, and what bots and dice add to it by their addresses."""

from collections.abc import Sequence
from typing import Any

from brickphys.rules.events.bricks import BrickRoll
from brickphys.rules.events.sources import LawSource
from brickphys.rules.moves import advance, format_move, open_actions, parse_move
from brickphys.rules.players.bots import bot
from brickphys.rules.record import CHANCE, OVER
from brickphys.seeds import generator

PERSON = "person"


class KeptMoves:
    """The moves so far; the state is what they lead to from the setup, and nothing else.

    Bots and rolls have addresses: root, 1 (bots) or 0 (rolls), number of the move. So they depend on the moves before
    alone, whatever was asked or taken back on the way.
    """

    def __init__(
        self, game: Any, setup: Any, seats: Sequence[str], law: Any, root: int, *, typed: bool
    ) -> None:
        self.game, self.setup, self.law, self.root = game, setup, law, root
        self.texts: list[str] = []
        self.actors: list[int] = []
        self.states = [game.initial(setup)]
        self.sit(seats, typed=typed)

    def sit(self, seats: Sequence[str], *, typed: bool) -> None:
        """Let these play on."""
        self.typed = typed
        count = self.game.players(self.states[0])
        self.seats = list(seats) if len(seats) == count else list(seats) * count
        self.run_on()

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def actor(self) -> int:
        return int(self.game.actor(self.state))

    @property
    def asks_for_roll(self) -> bool:
        """Whether a person is to type a roll."""
        return self.actor == CHANCE and self.typed and not self._is_empty_roll(self.state)

    @property
    def asked_nothing(self) -> bool:
        """Whether the last move is a roll of no bricks."""
        return self._is_empty_roll(self.states[-2])

    def _is_empty_roll(self, state: Any) -> bool:
        return bool(self.game.chance(state) == BrickRoll(0))

    def add(self, text: str) -> None:
        """Add a move that somebody typed, and all that follows without a person."""
        self._add(parse_move(self.game, self.state, text))
        self.run_on()

    def restore(self, texts: Sequence[str]) -> None:
        """Begin anew with these moves, and let nobody play on yet."""
        self.cut(0)
        for text in texts:
            self._add(parse_move(self.game, self.state, text))

    def cut(self, length: int) -> None:
        """Forget all moves but the first ones."""
        del self.texts[length:], self.actors[length:], self.states[length + 1 :]

    def run_on(self) -> None:
        while (actor := self.actor) != OVER and not self.asks_for_roll:
            number = len(self.texts)
            if actor == CHANCE:
                event = self.game.chance(self.state)
                source = LawSource(self.law, self.root)
                self._add(
                    0 if self._is_empty_roll(self.state) else source.answer(event, (0, number))
                )
            elif self.seats[actor] == PERSON:
                return
            else:
                player = bot(self.seats[actor], self.game, self.law)
                view, actions = (
                    self.game.observe(self.state, actor),
                    open_actions(self.game, self.state),
                )
                self._add(player.choose(view, actions, generator(self.root, 1, number)))

    def _add(self, move: Any) -> None:
        self.texts.append(format_move(self.game, self.state, move))
        self.actors.append(self.actor)
        self.states.append(advance(self.game, self.state, move))
