"""Ongoing game: a game that people play choice by choice, alone, with bots or with each other, wherever they sit."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from enum import Enum
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Self

from brickphys.battles.players import PERSON, AnyRecord, seated
from brickphys.battles.start import GameStart, law_origin, law_rolls, table_origin
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law
from brickphys.rules.events import ChanceEvent
from brickphys.rules.game import AnyGame, open_actions
from brickphys.rules.play import MAX_STEPS, started, why_not_back
from brickphys.rules.players.prompt import Asked
from brickphys.rules.record import CHANCE, NOBODY, OVER, Step
from brickphys.rules.replay import ReplayText, played_stamp
from brickphys.rules.rolls import BrickRoll

if TYPE_CHECKING:
    from brickphys.calibration.live import LiveRolls


class Waits(Enum):
    """What a game waits for."""

    PROGRAM = "program"
    """The game continues by itself: a bot acts, or the law rolls."""
    CHOICE = "choice"
    """A person chooses an action."""
    ROLL = "roll"
    """A person rolls on a real table and types the result."""
    SEAT = "seat"
    """The screen passes to another person, from whom something is hidden."""
    OTHER = "other"
    """A person at another screen acts."""
    END = "end"


class Rolls(Enum):
    """Who rolls."""

    LAW = "law"
    LIVE = "live"
    TABLE = "table"


class OngoingGame:
    """A game while people play it.

    Parameters
    ----------
    game, start
        The game, and where it begins.
    players
        Names in order, ``person`` or a bot; one name stands for all.
    law
        The law that rolls, and by which people are told their odds.
    called
        The name of the law.
    rolls
        Who rolls.

    Attributes
    ----------
    game, law, start, rolls
        As above.
    session
        The game so far.
    is_typed
        Whether people roll on a real table.
    live
        Throws the bricks, if an engine does.
    origin
        The source of all rolls, in words.
    local_player
        The person at the screen, who may see what is hidden from others; None if nobody may.
    is_shared
        Whether each person has a screen of their own; see `seen_from`.

    Raises
    ------
    InvalidValueError
        If a name is unknown, or there are more or fewer than players.
    """

    def __init__(
        self,
        game: AnyGame,
        start: GameStart,
        players: str | Sequence[str],
        law: Law,
        called: object,
        rolls: Rolls = Rolls.LAW,
    ) -> None:
        self._seats = seated(game, start.setup, players, law, lambda _: _Person())
        self.game, self.law, self.start, self.rolls = game, law, start, rolls
        self.is_typed = rolls is Rolls.TABLE
        self.live = _live_rolls(game, start.root) if rolls is Rolls.LIVE else None
        source, told = law_rolls(law, start.root), law_origin(game, law, called)
        if self.is_typed:
            told = table_origin(game)
        elif self.live is not None:
            source, told = law_rolls(law, start.root, self.live.roll), str(self.live)
        self.origin = start.told(told)
        self.session = started(
            game,
            start.setup,
            self._seats,
            source,
            start.root,
            start.address,
            start.steps,
            corrects=self._is_asked,
        )
        self.local_player = self.persons[0] if len(self.persons) == 1 else None
        self.is_shared = False
        self._clicks = list[int]()
        self._taken_back = list[list[Any]]()
        self._forced = set(self._forced_at_first())
        self._asked: tuple[int, Any, Asked[Any, Any, Any]] | None = None
        self._text = ReplayText[Any, Any, Any](game, self.origin, played_stamp(game))

    def seen_from(self, player: int | None) -> Self:
        """Return this game at a screen of one player, None for who only watches; steps that one takes, all see."""
        found = copy(self)
        found.local_player, found.is_shared, found._asked = player, True, None
        return found

    def seat(self, player: int, name: str) -> None:
        """Give the place of a player to a bot, or to a person; InvalidValueError if the name is unknown."""
        names = [name if n == player else one.name for n, one in enumerate(self._seats)]
        self._seats[player] = seated(
            self.game, self.start.setup, names, self.law, lambda _: _Person()
        )[player]

    @property
    def persons(self) -> tuple[int, ...]:
        """The players who are persons."""
        return tuple(n for n, one in enumerate(self._seats) if isinstance(one, _Person))

    @property
    def state(self) -> Any:
        """The state now."""
        return self.session.last

    @property
    def has_secrets(self) -> bool:
        """Whether persons hide something from each other."""
        return len(self.persons) > 1 and self.game.hidden(self.state)

    @property
    def viewer(self) -> int | None:
        """The player as whom the screen shows the game; None where it may show all that nobody has to hide.

        Who watches a game in which something is hidden is `NOBODY`.
        """
        if self.is_shared and self.local_player is None and self.game.hidden(self.state):
            return NOBODY
        is_own = self.is_shared or len(self.persons) == 1 or self.has_secrets
        return self.local_player if is_own else None

    @property
    def waits(self) -> Waits:
        """What the game waits for."""
        actor = self.session.actor
        if actor == OVER or len(self.session.steps) >= MAX_STEPS:
            return Waits.END
        if actor == CHANCE:
            is_typed = self.is_typed and self._is_asked(self.state)
            return Waits.ROLL if is_typed else Waits.PROGRAM
        if actor not in self.persons:
            return Waits.PROGRAM
        is_here = actor == self.local_player
        if self.is_shared:
            return Waits.CHOICE if is_here else Waits.OTHER
        return Waits.SEAT if self.has_secrets and not is_here else Waits.CHOICE

    @property
    def who(self) -> str:
        """The name of the player who is to act; empty where none is."""
        actor = self.session.actor
        return "" if actor < 0 else self.game.player_name(self.state, actor)

    @property
    def record(self) -> AnyRecord:
        """The game so far."""
        return self.session.so_far()

    @property
    def asked(self) -> Asked[Any, Any, Any]:
        """The choice of the person who is to act."""
        number, state = len(self.session.steps), self.state
        if self._asked is None or self._asked[0] != number or self._asked[1] is not state:
            actor = self.session.actor
            view, actions = self.game.observe(state, actor), open_actions(self.game, state)
            own = [*takewhile(lambda step: step.actor == actor, reversed(self.session.steps))]
            earlier = self.record.states[number - len(own) : number]
            asked = Asked(self.game, view, actions, self.session.rng, self.law, earlier)
            self._asked = number, state, asked
        return self._asked[2]

    @property
    def only(self) -> Any | None:
        """The only legal action of the person who is to act, which need not be asked for; see `Asked.only`."""
        if self.waits is not Waits.CHOICE:
            return None
        others = {*self.persons} - {self.session.actor}
        return self.asked.only(others if self.has_secrets else ())

    @property
    def may_undo(self) -> bool:
        """Whether what was last chosen or rolled by persons may be taken back."""
        player, number, steps = self._last_person, self._last_chosen, self.session.steps
        if number < 0 or not self.session.may_take_back(player):
            return False
        actor, before = (
            steps[number].actor,
            steps[number - 1].after if number else self.session.initial,
        )
        return actor == player or (actor == CHANCE and self._is_asked(before))

    @property
    def is_slow(self) -> bool:
        """Whether chance, which is to act, takes longer than a law: physics answers."""
        return self.rolls is Rolls.LIVE or not self.event.exact

    @property
    def event(self) -> ChanceEvent:
        """The event that is to be rolled."""
        return self.game.chance(self.state)

    def sit(self) -> None:
        """Let the person who is to act come to the screen."""
        self.local_player = self.session.actor

    def go_on(self) -> Step[Any, Any]:
        """Take a step that needs no person."""
        step = self.session.step()
        assert step is not None  # only persons take steps back
        return step

    def choose(self, *actions: Any) -> None:
        """Take actions of the person who is to act, one after the other.

        IllegalActionError if one is illegal; those before it are taken.
        """
        self.follow(actions)

    def take_only(self) -> str:
        """Take the only legal action, and return it as a list shows it; what is undone then is the choice before it."""
        action, text = self.only, self.asked.typed.shown[0]
        self.session.take(action, checked=True)
        self._forced.add(len(self.session.steps) - 1)
        return text

    def roll(self, text: str) -> None:
        """Take what was rolled on a real table; InvalidValueError if it is no outcome of the event."""
        self.follow([self.event.parse(" ".join(text.split()))])

    def undo(self) -> None:
        """Take back what was last chosen or rolled by persons; InvalidValueError, with the reason, if it may not be."""
        steps, player = self.session.steps, self._last_person
        if not self.may_undo:
            why = why_not_back(steps, player)
            raise InvalidValueError(f"nothing to take back: {why}")
        begun, moves = self._clicks.pop() if self._clicks else self._last_chosen, list[Any]()
        while len(steps) > begun and self.session.may_take_back(player):
            moves.insert(0, steps[-1].move)
            self.session.take_back(player)
        self._taken_back.append(moves)
        self._cut(begun)

    def redo(self) -> None:
        """Do again what was taken back last; InvalidValueError if nothing was, or something else was done since."""
        if not self._taken_back:
            raise InvalidValueError("nothing to do again: nothing was taken back just before")
        moves, others = self._taken_back[-1], self._taken_back[:-1]
        self.follow(moves)
        self._taken_back[:] = others

    def choices_of(self, player: int) -> list[int]:
        """Return the numbers of the steps that a player has chosen, where there was a choice."""
        numbers = (n for n, step in enumerate(self.session.steps) if step.actor == player)
        return [number for number in numbers if number not in self._forced]

    def back_to_choice(self, player: int) -> None:
        """Take back all that has happened since a person chose last, and that choice: everybody has agreed.

        InvalidValueError if there is no such choice.
        """
        chosen = self.choices_of(player)
        if not chosen:
            raise InvalidValueError("nothing to take back: you have chosen nothing yet")
        begun = max((one for one in self._clicks if one <= chosen[-1]), default=chosen[-1])
        del self.session.steps[begun:]
        self._cut(begun)

    def _cut(self, count: int) -> None:
        """Forget what was noted of steps that are not there any more."""
        self._forced.intersection_update(range(count))
        self._clicks[:] = [begun for begun in self._clicks if begun < count]

    def replay(self) -> str:
        """Return the replay of the game so far as text."""
        return self._text.of(self.record)

    def follow(self, moves: Iterable[Any]) -> None:
        """Take moves of one click, each found after the one before; where one is refused, those before it are taken."""
        begun = len(self.session.steps)
        self._taken_back.clear()
        try:
            for move in moves:
                self.session.take(move)
        finally:
            if len(self.session.steps) > begun:
                self._clicks.append(begun)

    @property
    def _last_person(self) -> int:
        """The person whose choice could be taken back: who of those here has chosen last; `OVER` if nobody has."""
        is_alone = self.is_shared or self.has_secrets
        here = (self.local_player,) if is_alone else self.persons
        return next((one.actor for one in reversed(self.session.steps) if one.actor in here), OVER)

    @property
    def _last_chosen(self) -> int:
        """The number of the last step that was not the only legal one; -1 if there is none."""
        numbers = range(len(self.session.steps) - 1, -1, -1)
        return next((number for number in numbers if number not in self._forced), -1)

    def _forced_at_first(self) -> Iterator[int]:
        """Yield the last steps of a game that goes on, as far as each was the only legal one of a person."""
        states = self.record.states
        for number in range(len(self.session.steps) - 1, -1, -1):
            step = self.session.steps[number]
            if step.actor not in self.persons or self.game.only_action(states[number]) is None:
                return
            yield number

    def _is_asked(self, state: Any) -> bool:
        """Whether people roll for the event of a state: a roll of no bricks is none."""
        return self.is_typed and self.game.chance(state) != BrickRoll(0)


def _live_rolls(game: AnyGame, root: int) -> "LiveRolls | None":
    """Return what throws the bricks of a game; None if it rolls none."""
    if not game.rolls_bricks:
        return None
    from brickphys.calibration.live import LiveRolls  # loads the engines

    return LiveRolls(root)


class _Person:
    """A person, whose choices the table takes."""

    name = PERSON

    def choose(self, view: Any, actions: Sequence[Any], rng: Any) -> Any:
        """Raise: nobody is asked so."""
        raise NotImplementedError("the table takes the choices of persons")
