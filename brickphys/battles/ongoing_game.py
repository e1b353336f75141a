"""Ongoing game: a game that people play choice by choice, alone, with bots or with each other, wherever they sit."""

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from brickphys.battles.players import PERSON, AnyRecord, seated
from brickphys.battles.start import GameStart, law_origin, law_rolls, table_origin
from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law
from brickphys.rules.events import ChanceEvent
from brickphys.rules.game import AnyGame, open_actions
from brickphys.rules.play import MAX_STEPS, started, why_not_back
from brickphys.rules.players.prompt import Asked
from brickphys.rules.record import CHANCE, OVER, Step
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
    END = "end"
    """It is over."""


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
        seats = seated(game, start.setup, players, law, lambda _: _Person())
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
            seats,
            source,
            start.root,
            start.address,
            start.steps,
            corrects=self._is_asked,
        )
        self.persons = tuple(n for n, one in enumerate(seats) if isinstance(one, _Person))
        self.local_player = self.persons[0] if len(self.persons) == 1 else None
        self._clicks = list[int]()
        self._taken_back = list[list[Any]]()
        self._forced = set(self._forced_at_first())
        self._asked: tuple[int, Asked[Any, Any, Any]] | None = None
        self._text = ReplayText[Any, Any, Any](game, self.origin, played_stamp(game))

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
        """The player as whom the screen shows the game; None where it may show all that nobody has to hide."""
        return self.local_player if len(self.persons) == 1 or self.has_secrets else None

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
        return Waits.SEAT if self.has_secrets and actor != self.local_player else Waits.CHOICE

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
        number = len(self.session.steps)
        if self._asked is None or self._asked[0] != number:
            state, actor = self.state, self.session.actor
            view, actions = self.game.observe(state, actor), open_actions(self.game, state)
            own = [*takewhile(lambda step: step.actor == actor, reversed(self.session.steps))]
            earlier = self.record.states[number - len(own) : number]
            asked = Asked(self.game, view, actions, self.session.rng, self.law, earlier)
            self._asked = number, asked
        return self._asked[1]

    @property
    def only(self) -> Any | None:
        """The only legal action of the person who is to act, which need not be asked for; None if there are others.

        It is asked for where another person could see by that who is at the screen.
        """
        if self.waits is not Waits.CHOICE or self.has_secrets:
            return None
        return self.game.only_action(self.asked.state)

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
        self._asked = None
        step = self.session.step()
        assert step is not None  # only persons take steps back
        return step

    def choose(self, *actions: Any) -> None:
        """Take actions of the person who is to act, one after the other.

        Raises
        ------
        IllegalActionError
            If one is illegal; those before it are taken.
        """
        self._take(*actions)

    def take_only(self) -> str:
        """Take the only legal action, and return it as a list shows it; what is undone then is the choice before it."""
        action, text = self.only, self.asked.typed.shown[0]
        self._asked = None
        self.session.take(action, checked=True)
        self._forced.add(len(self.session.steps) - 1)
        return text

    def roll(self, text: str) -> None:
        """Take what was rolled on a real table; InvalidValueError if it is no outcome of the event."""
        self._take(self.event.parse(" ".join(text.split())))

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
        self._forced = {number for number in self._forced if number < len(steps)}
        self._asked = None

    def redo(self) -> None:
        """Do again what was taken back last; InvalidValueError if nothing was, or something else was done since."""
        if not self._taken_back:
            raise InvalidValueError("nothing to do again: nothing was taken back just before")
        moves, *others = reversed(self._taken_back)
        self._take(*moves)
        self._taken_back = others[::-1]

    def replay(self) -> str:
        """Return the replay of the game so far as text."""
        return self._text.of(self.record)

    def _take(self, *moves: Any) -> None:
        """Take moves of one click; one that is refused takes nothing, so there is nothing to take back."""
        begun = len(self.session.steps)
        self._asked = None
        self._taken_back = []
        try:
            for move in moves:
                self.session.take(move)
        finally:
            if len(self.session.steps) > begun:
                self._clicks.append(begun)

    @property
    def _last_person(self) -> int:
        """The person whose choice could be taken back: who of those here has chosen last; `OVER` if nobody has."""
        here = (self.local_player,) if self.has_secrets else self.persons
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
