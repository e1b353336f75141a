"""Turn game: the base class of games in which players take turns, answer questions and roll.

`Wargame` is the base of those with scenarios and sheets; it names the reports of such a game.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from brickphys.errors import InvalidValueError, ScenarioFileError, raised_as, refuse
from brickphys.rules import turn_state
from brickphys.rules.codes import ActionCodes, CodeSpace, named
from brickphys.rules.events import ChanceEvent, Outcome
from brickphys.rules.game import Game
from brickphys.rules.names import Readings, readings, some
from brickphys.rules.notation import StateCodec
from brickphys.rules.record import CHANCE, OVER, GameSetting, Setup, View, setup_digest
from brickphys.rules.report.sheets import ArmyList
from brickphys.rules.scenario import Scenario, ShippedScenarios
from brickphys.rules.words import Action, ActionTypes, ChooseType, by_word, parse_action
from brickphys.text import with_blanks

S = TypeVar("S", bound=turn_state.TurnState)


class TurnGame(Game[S, Action[S], View]):
    """A game whose actions are typed words and whose states hold pending rolls and questions.

    A game in which nothing is hidden derives from this class and from `OpenGame`, in this order.
    """

    action_types: ClassVar[ActionTypes]
    """Every type of action; no two share a word."""
    codec: ClassVar[StateCodec[Any]]
    """The notation of states."""
    over_problem: ClassVar[str] = "the game is over"
    chance_problem: ClassVar[str] = "a roll or draw must come first"
    """Why no action is legal when the game is over, or when chance is to act."""
    choice_section: ClassVar[str]
    """The section of the rulebook on the order of choices, for messages."""

    def __init__(self) -> None:
        self._first_states: dict[str, S] = {}
        self._action_codes: dict[GameSetting, ActionCodes] = {}

    @abstractmethod
    def begin(self, setup: Setup) -> S:
        """Read a setup, once: return its first state; InvalidValueError with every fault."""

    @abstractmethod
    def turn_player(self, state: S) -> int:
        """Return the player whose turn it is, or `OVER`."""

    def turn_types(self, state: S) -> ActionTypes:
        """Return the action types from which the player whose turn it is chooses, in the order of the list."""
        return self.action_types

    def following(self, state: S) -> S | None:
        """Return the state after the next automatic event if nothing is pending; None if the player has a choice."""
        return None

    def turn_problems(self, state: S, action: Action[S]) -> Iterator[str]:
        """Yield why a turn does not allow an action, such as its costs."""
        return iter(())

    def act(self, state: S, action: Action[S]) -> S:
        """Return the state after an action, before any automatic event."""
        return action.apply(state)

    def state_problems(self, state: S) -> Iterator[str]:
        """Yield the faults of values that no state of this game has; numbers and texts are of the right types."""
        return iter(())

    def wait_problems(self, state: S) -> Iterator[str]:
        """Yield why the game does not wait in a state without other problems."""
        over = self.turn_player(state) == OVER
        if state.pending:
            first = state.pending[0]
            if over or isinstance(first, turn_state.FollowUp) or first.lapses(state):
                yield f"pending: {self.over_problem}, or its first step is automatic"
        elif not over and self.following(state) is not None:
            yield "the game cannot wait here: the next step is automatic"

    def initial(self, setup: Setup) -> S:
        """Return the first state; a setup that was read before is not read again."""
        digest = setup_digest(setup)
        if digest not in self._first_states:
            self._first_states[digest] = self.begin(setup)
        return self._first_states[digest]

    def players(self, state: S) -> int:
        return len(state.setting.players)

    def player_name(self, state: S, player: int) -> str:
        return state.setting.players[player]

    def player_colours(self, state: S) -> Sequence[str]:
        return state.setting.colours

    def actor(self, state: S) -> int:
        """Return the player whose turn it is or who must answer, `CHANCE` or `OVER`."""
        if not state.pending:
            return self.turn_player(state)
        first = state.pending[0]
        return first.player(state) if isinstance(first, turn_state.Question) else CHANCE

    def asked_types(self, state: S) -> ActionTypes:
        """Return the action types from which a player is to choose; none if chance is to act."""
        return state.answers if state.pending else self.turn_types(state)

    def actions(self, state: S) -> Sequence[Action[S]]:
        if self.actor(state) < 0:
            return ()
        return [action for asked in self.asked_types(state) for action in asked.legal(state)]

    def prompt(self, state: S) -> str:
        first = state.first_pending
        return (
            first.prompt(state) if isinstance(first, turn_state.Question) else super().prompt(state)
        )

    def problems(self, state: S, action: Action[S]) -> list[str]:
        actor = self.actor(state)
        if actor < 0:
            return [self.over_problem if actor == OVER else self.chance_problem]
        if type(action) not in self._allowed_types(state):
            return [self._not_now(state, type(action))]
        return [*self.turn_problems(state, action), *action.problems(state)]

    def _not_now(self, state: S, kind: type[Action[S]]) -> str:
        """Return why no action of a type can be chosen: who does it comes first, or something else is asked."""
        asked = self.asked_types(state)
        for actor in (each for each in asked if each.chooses):
            choices = list(actor.legal(state))
            if choices and kind in self._allowed_types(self.apply(state, choices[0])):
                return f"{_first(choices)} ({self.choice_section})"
        is_own = kind in self.action_types  # a foreign type knows nothing of this game's states
        if is_own and not state.pending and (instead := kind.not_now(state)):
            return f"{instead} ({self.choice_section})"
        if not asked:
            return self.chance_problem
        answer = next(found for each in asked if (found := each.example(state)))
        asked_for = f"{self.prompt(state)}, such as: {answer.text()}"
        return f"answer this first: {asked_for} ({self.choice_section})"

    def first_choice(self, state: S) -> str:
        """Return who must be chosen first, from whom, where nothing else but a word alone can be chosen."""
        found = (each for each in self.asked_types(state) if each.arguments)
        possible = [each for each in found if each.is_possible(state)]
        if not all(each.chooses for each in possible):
            return ""
        return next((_first(list(each.legal(state))) for each in possible), "")

    def only_action(self, state: S) -> Action[S] | None:
        """Return the only legal action, if no type has another one, typed at once or not listed."""
        only = self.only_listed(state)
        return only if only is not None and (self.lists_all_actions or only.chooses) else None

    def only_listed(self, state: S) -> Action[S] | None:
        """Return the only action that is listed or may be typed at once; None if there are several or none."""
        kinds = self._allowed_types(state) if self.actor(state) >= 0 else ()
        legal = list(islice((one for kind in kinds for one in kind.legal(state)), 2))
        return legal[0] if len(legal) == 1 else None

    def action_words(self) -> Sequence[str]:
        return tuple(self._types_by_word)

    def is_asked(self, state: S, text: str) -> bool:
        kind = self._kind(text)
        return kind is None or kind in self._allowed_types(state)

    def opener(self, text: str, name: str) -> Action[S] | None:
        kind = self._kind(text)
        return None if kind is None else kind.opener(name)

    def needs_word(self, word: str) -> bool:
        kind = self._kind(word)
        return kind is not None and kind.needs_word

    def _kind(self, text: str) -> type[Action[S]] | None:
        """Return the type of action with whose word a text begins; None if it begins with none."""
        return self._types_by_word.get(text.strip().partition(" ")[0].lower())

    def _allowed_types(self, state: S) -> ActionTypes:
        """Return the types that are asked for, and those that may be typed at once instead of being chosen first."""
        asked = self.asked_types(state)
        menus = (menu for menu in asked if issubclass(menu, ChooseType))
        return tuple(dict.fromkeys([*asked, *(each for menu in menus for each in menu.types)]))

    def chance(self, state: S) -> ChanceEvent:
        if state.event is None:
            raise InvalidValueError("no roll is due")
        return state.event

    def apply(self, state: S, move: Action[S] | Outcome) -> S:
        """Return the state after an action or an outcome, and after all that follows by itself."""
        if isinstance(move, Action):
            return self.proceed(self.act(state, move))
        roll = state.pending[0]
        assert isinstance(roll, turn_state.PendingRoll)
        return self.proceed(roll.settle(state.pop_pending(), move))

    def proceed(self, state: S) -> S:
        """Go on until a player or chance is to act, or the game is over: then nothing is pending any more."""
        while self.turn_player(state) != OVER:
            first = state.first_pending
            if first is None:
                after = self.following(state)
                if after is None:
                    return state
                state = after
            elif first.lapses(state):
                state = state.pop_pending()
            elif isinstance(first, turn_state.FollowUp):
                state = first.happen(state.pop_pending())
            else:
                return state
        return state.replaced({"pending": ()}) if state.pending else state

    def is_roll_off(self, state: S) -> bool:
        return isinstance(state.first_pending, turn_state.RollOff | turn_state.OrderRoll)

    def settled(self, state: S) -> bool:
        return not state.pending

    def format_state(self, state: S) -> str:
        """Write a state as one line of JSON; it names its setup by a digest."""
        return self.codec.format(state)

    def parse_state(self, text: str) -> S:
        state: S = self.codec.parse(text, self._setting)
        refuse("state", list(self.state_problems(state)))
        refuse("state", [fault for pending in state.pending for fault in pending.problems(state)])
        refuse("state", list(self.invariant_problems(state)))
        refuse("state", list(self.wait_problems(state)))
        return state

    def format_action(self, action: Action[S]) -> str:
        return action.text()

    def shown(self, action: Action[S]) -> str:
        return action.shown()

    def chooses(self, action: Action[S]) -> str:
        return action.chooses

    def form(self, word: str) -> str:
        kind = self._types_by_word.get(word)
        return kind.form if kind else ""

    def parse_action(self, text: str) -> Action[S]:
        return parse_action(self._types_by_word, text)

    def action_names(self, state: S) -> Iterator[str]:
        """Yield everything that actions may name with the setup of a state."""
        return named(state.setting)

    def action_codes(self, state: S) -> ActionCodes:
        """Return the codes of all actions with the setup of a state."""
        known = self._action_codes
        if state.setting not in known:
            names = frozenset(self.action_names(state))
            known[state.setting] = ActionCodes(self.action_types, names)
        return known[state.setting]

    def space(self, state: S) -> tuple[CodeSpace, ...]:
        """Return the codes of each type of action with the setup of a state; the place of a type is its number."""
        return self.action_codes(state).space

    def code(self, state: S, action: Action[S]) -> tuple[int, ...]:
        """Return the number of the type of an action, and an integer for each argument.

        InvalidValueError if the action names nothing of the setup.
        """
        return self.action_codes(state).code(action)

    def decoded(self, state: S, code: Sequence[int]) -> Action[S]:
        """Return the action of a code, which may be illegal now; InvalidValueError if it is the code of none."""
        return self.action_codes(state).decoded(code)

    def readings(self, state: S, text: str) -> Readings:
        for word in self._types_by_word:
            said = with_blanks(word)
            text = word + text.removeprefix(said) if f"{text} ".startswith(f"{said} ") else text
        allowed = by_word(self._allowed_types(state))
        found = readings(self._types_by_word, allowed, self.names(state), state, text)
        kind = self._kind(text)
        if kind is None or kind.word in allowed or found.meant != (text,):
            return found
        return replace(found, why=self._not_now(state, kind))

    def _setting(self, digest: str) -> GameSetting:
        if digest not in self._first_states:
            for setup in self.setups.values():
                self.initial(setup)
        if digest not in self._first_states:
            raise InvalidValueError(f"setup {digest!r}: no game with it has been started")
        return self._first_states[digest].setting

    @cached_property
    def _types_by_word(self) -> Mapping[str, type[Action[Any]]]:
        return by_word(self.action_types)


def _first(choices: Sequence[Action[Any]]) -> str:
    """Return that one of some choices comes first, with all of them as they can be typed."""
    names = [one.text().partition(" ")[2] for one in choices]
    return f"choose {choices[0].chooses} first: {some(names)}"


class Wargame(TurnGame[S, S]):
    """A turn game with scenarios and sheets. A view is a state.

    Functions of the game's chapters are its methods: ``describe = staticmethod(battle_status)``.
    """

    shipped: ClassVar[ShippedScenarios]
    """The scenarios that ship."""

    @abstractmethod
    def begin_scenario(self, scenario: Scenario, name: str) -> S:
        """Return the first state of a scenario; a ScenarioFileError or InvalidValueError gives its faults this name."""

    @abstractmethod
    def turn_prompt(self, state: S) -> str:
        """Return what a turn asks for where nothing is pending."""

    @abstractmethod
    def army_list(self, words: Sequence[str], name: str | None) -> ArmyList:
        """Return an army to print, still without the name of the game; see `army`."""

    @property
    def setups(self) -> Mapping[str, Setup]:
        return self.shipped

    def read_setup(self, path: Path | str) -> Setup:
        with raised_as(ScenarioFileError):
            return super().read_setup(path)

    def parse_setup(self, text: str, name: str) -> Setup:
        scenario = self.shipped.parse(text, name)
        with raised_as(ScenarioFileError):
            self.begin_scenario(scenario, name)
        return scenario.setup

    def prompt(self, state: S) -> str:
        return super().prompt(state) if state.pending else self.turn_prompt(state)

    def format_view(self, view: S) -> str:
        return self.format_state(view)

    def scenarios(self) -> Mapping[str, str]:
        return self.shipped.titles()

    def army(self, words: str | Sequence[str], name: str | None = None) -> ArmyList:
        found = self.army_list(words.split() if isinstance(words, str) else words, name)
        return replace(found, game=self.name)
