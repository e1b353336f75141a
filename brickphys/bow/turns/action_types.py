"""Kinds: the table of all kinds of actions, and the choice between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from brickphys.bow.actions.action import NAME, Action, Argument, TurnAction
from brickphys.bow.actions.attack import Agree, Attack, Dispute
from brickphys.bow.actions.board_vehicle import Board, ChangeSeat, Leave
from brickphys.bow.actions.damage import OneMore
from brickphys.bow.actions.doors import Close, Open
from brickphys.bow.actions.effects import Leap
from brickphys.bow.actions.give import Give, Refuse, Take
from brickphys.bow.actions.move import Face, Walk
from brickphys.bow.actions.objects import Grab, Land, Switch, Throw
from brickphys.bow.actions.pilot import Advance, ChangeSpeed, Drift, Turn
from brickphys.bow.actions.treat_repair import Repair, Treat
from brickphys.bow.actions.use_custom import Use
from brickphys.bow.state.pending import Question
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.rounds import ChooseUnit, End
from brickphys.errors import InvalidValueError, unknown

TURN_KINDS: tuple[type[TurnAction], ...] = (
    Walk,
    Attack,
    Grab,
    Throw,
    Give,
    Switch,
    Open,
    Close,
    Treat,
    Repair,
    Use,
    Board,
    Leave,
    ChangeSeat,
    ChangeSpeed,
    Turn,
    Advance,
    Drift,
    End,
)
"""What a unit can do in its turn, in the order in which it is listed."""


@dataclass(frozen=True, slots=True)
class Do(Action):
    """The kind of the next action; which one is the next choice. Whoever knows what he wants may leave this out."""

    word: ClassVar[str] = "do"
    arguments: ClassVar[tuple[Argument, ...]] = (NAME,)
    kind: str

    @classmethod
    def candidates(cls, state: State) -> Iterator["Do"]:  # noqa: ARG003
        """Yield every kind that leaves something to choose."""
        return (cls(kind.word) for kind in TURN_KINDS if kind.arguments)

    def problems(self, state: State) -> Iterator[str]:
        """Yield why nothing of this kind can be done."""
        kind = _BY_WORD.get(self.kind)
        if kind not in TURN_KINDS or not kind.arguments:
            words = [kind.word for kind in TURN_KINDS if kind.arguments]
            yield f"{unknown('kind of action', self.kind, words)} (BOW 2.3)"
        elif not kind.is_possible(state):
            yield f"there is nothing to {self.kind} (BOW 2.3)"

    def apply(self, state: State) -> State:
        """Note the choice."""
        return state.changed(menu=self.kind)


ALL_KINDS: tuple[type[Action], ...] = (
    ChooseUnit,
    Do,
    *TURN_KINDS,
    Face,
    Land,
    Take,
    Refuse,
    Leap,
    Agree,
    Dispute,
    OneMore,
)
_BY_WORD = {kind.word: kind for kind in ALL_KINDS}


def asked_kinds(state: State) -> tuple[type[Action], ...]:
    """Return the kinds of actions, one of which the player is asked for, in the order of the list."""
    if state.pending:
        question = state.pending[0]
        return question.answers if isinstance(question, Question) else ()
    if state.active == NOBODY:
        return (ChooseUnit,)
    if state.menu:
        return (_BY_WORD[state.menu],)
    return (Do, *(kind for kind in TURN_KINDS if not kind.arguments))


def allowed_kinds(state: State) -> tuple[type[Action], ...]:
    """Return the kinds of actions that may be legal: besides those asked for, all details at once."""
    asked = asked_kinds(state)
    return (*asked, *TURN_KINDS) if Do in asked else asked


def parse_action(text: str) -> Action:
    """Read an action; InvalidValueError, naming the text, if it is none."""
    word, *rest = text.split(" ")
    if word not in _BY_WORD:
        raise unknown("action", word, _BY_WORD)
    try:
        return _BY_WORD[word].parse(rest)
    except InvalidValueError as error:
        raise InvalidValueError(f"action {text!r}: {error}") from None
