"""The model of a game that is played: the list of its moves, and what bots and dice add to it by their addresses."""

from collections.abc import Sequence
from typing import Any

from brickphys.rules.game import advance, format_move, open_actions, parse_move
from brickphys.rules.play import may_take_back
from brickphys.rules.players.bots import bot
from brickphys.rules.record import CHANCE, OVER, Step
from brickphys.rules.rolls import BrickRoll
from brickphys.rules.sources import LawSource
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
        self.automatic = set[int]()
        self.states = [game.initial(setup)]
        self.sit(seats, typed=typed)

    def sit(self, seats: Sequence[str], *, typed: bool) -> None:
        """Let these play on."""
        self.typed = typed
        count = self.game.players(self.states[0])
        self.seats = list(seats) if len(seats) == count else list(seats) * count
        self.automatic = {
            number
            for number, (actor, state) in enumerate(zip(self.actors, self.states, strict=False))
            if actor >= 0 and self.game.only_action(state) is not None
        }
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
    def only_action(self) -> Any:
        """The only legal action of the person who is to act, if it is told; None if the person is asked."""
        if self.actor < 0:
            return None
        only = self.game.only_action(self.state)
        if only is not None:
            assert list(self.game.actions(self.state)) == [only]
        is_secret = self.game.hidden(self.state) and self.seats.count(PERSON) > 1
        return None if is_secret else only

    def _is_empty_roll(self, state: Any) -> bool:
        return bool(self.game.chance(state) == BrickRoll(0))

    def add(self, text: str, *others: str) -> None:
        """Add moves that somebody typed on a line, and all that follows without a person.

        The others count as long as the same person is to choose.
        """
        actor = self.actor
        self._add(parse_move(self.game, self.state, text))
        for other in others:
            if self.actor != actor:
                break
            self._add(parse_move(self.game, self.state, other))
        self.run_on()

    def undo(self) -> bool:
        """Take back the last move that somebody typed, with those that followed alone; return whether it may be."""
        if not self._may_undo():
            return False
        self.cut(len(self.texts) - 1)
        while self.only_action is not None and self._may_undo():
            self.cut(len(self.texts) - 1)
        return True

    def _may_undo(self) -> bool:
        """Whether whoever is asked may go back to the last move that was typed: their own, or a roll."""
        persons = {seat for seat, name in enumerate(self.seats) if name == PERSON}
        number, who = len(self.texts) - 1, persons if self.actor == CHANCE else {self.actor}
        if number >= 0 and self.actors[number] in who:
            who = {self.actors[number]}
        while number in self.automatic and self.actors[number] in who and self._is_open(number):
            number -= 1
        if number < 0:
            return False
        if self.actors[number] == CHANCE:
            return self.typed and not self._is_empty_roll(self.states[number])
        return self.actors[number] in who and self._is_open(number)

    def _is_open(self, number: int) -> bool:
        """Whether a move of a player has shown nobody a secret."""
        actor, after = self.actors[number], self.states[number + 1]
        before, text = self.states[number], self.texts[number]
        step = Step(actor, parse_move(self.game, before, text), text, after)
        return may_take_back(self.game, before, step, actor)

    def restore(self, texts: Sequence[str]) -> None:
        """Begin anew with these moves, and let nobody play on yet."""
        self.cut(0)
        for text in texts:
            self._add(parse_move(self.game, self.state, text))

    def cut(self, length: int) -> None:
        """Forget all moves but the first ones."""
        del self.texts[length:], self.actors[length:], self.states[length + 1 :]
        self.automatic = {number for number in self.automatic if number < length}

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
                if (only := self.only_action) is None:
                    return
                self.automatic.add(number)
                self._add(only)
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
