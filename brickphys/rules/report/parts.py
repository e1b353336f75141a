"""Parts: the optional parts of a game besides its rules, for the commands that show, ask about and draw games.

One of them is the exact odds of rolls that a game offers: values for the command `odds` and its picture. What such a
roll asks for is read from the signature of its function (see `Parts.odds_tables`).
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, get_args, get_origin, get_type_hints

from brickphys.errors import InvalidValueError
from brickphys.odds.answer import OddsCard, odds_card
from brickphys.odds.comparison import Chances
from brickphys.odds.distribution import Distribution, summed
from brickphys.odds.law import RollLaw
from brickphys.odds.opposed import Doubts
from brickphys.rules.names import Names
from brickphys.rules.record import Action, Episode, Record, Setup, State
from brickphys.rules.report.sheets import ArmyList, Price, SheetList
from brickphys.rules.report.trajectories import Trajectories
from brickphys.rules.scenario import ScenarioReport
from brickphys.text import shown

if TYPE_CHECKING:
    import numpy as np

    from brickphys.geometry.polygon import Point
    from brickphys.rules.scene import Scene, Threat, Way


@dataclass(frozen=True)
class RuleOption:
    """An option of the rules: its key in a setup, what it decides, as a sentence, and its values."""

    name: str
    about: str
    default: bool | str
    """Its value where a setup does not give it."""
    choices: tuple[str, ...] = ()
    """Its values, if it is a text; empty if it is true or false."""


@dataclass(frozen=True)
class OddsTable:
    """The chance of one event for each pair of several things on either side."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    chances: tuple[tuple[Fraction, ...], ...]
    """Of each row, for each column."""

    def document(self) -> dict[str, Any]:
        """Return the table as values of JSON."""
        return {
            "rows": self.rows,
            "columns": self.columns,
            "p": [[float(chance) for chance in row] for row in self.chances],
            "exact": [[str(chance) for chance in row] for row in self.chances],
        }


@dataclass(frozen=True)
class OddsReport:
    """Exact odds."""

    title: str
    """What is rolled, in words."""
    chances: Mapping[str, Fraction] = field(default_factory=dict)
    """Probability of each event, by its words."""
    laws: Mapping[str, Distribution] = field(default_factory=dict)
    """Distribution of each number, by its words."""
    doubts: Mapping[str, Doubts] = field(default_factory=dict)
    """How well the chances of events are known that rest on a law of bricks, by the words of the event."""
    table: OddsTable | None = None
    """The chances of pairs, if the report is of pairs."""
    turn: Chances | None = None
    """The chances of all attacks of a turn by names that all attacks share, for comparisons; None if those of the
    report itself serve."""
    bricks: tuple[int, ...] = ()
    """How many bricks each hand has; empty if that is not known."""

    @property
    def compared(self) -> Chances:
        """The chances by which this roll is compared with others."""
        return self.turn or Chances(self.title, self.chances, self.laws, self.bricks)

    def document(self) -> dict[str, Any]:
        """Return the odds as values of JSON, with exact fractions as text."""
        return {
            "title": self.title,
            "chances": {
                name: {"p": float(chance), "exact": str(chance), **self._doubts(name)}
                for name, chance in self.chances.items()
            },
            "laws": {
                name: {
                    "mean": float(law.mean()),
                    "p": {str(number): float(chance) for number, chance in law.items()},
                    "exact": {str(number): str(chance) for number, chance in law.items()},
                }
                for name, law in self.laws.items()
            },
            **({} if self.table is None else {"table": self.table.document()}),
        }

    def _doubts(self, name: str) -> dict[str, Any]:
        if name not in self.doubts:
            return {}
        return dict(zip(("ci95", "range90"), self.doubts[name], strict=True))


def distribution(parts: Iterable[tuple[int, Fraction]]) -> Distribution:
    """Return the distribution of a number from its values with their probabilities; equal values are added up."""
    found = summed(parts)
    scale = lcm(*(chance.denominator for chance in found.values()))
    return Distribution.from_counts({n: int(chance * scale) for n, chance in found.items()})


def swap_hint(attacker: str, defender: str, *, shoots: bool) -> str:
    """Return the end of a message on an attacker that does not shoot, where the defender does; else nothing."""
    if not shoots:
        return ""
    return f"; {shown(defender)} shoots: who attacks stands first, {defender} {attacker}"


_LAW = "law"


@dataclass(frozen=True)
class OddsField:
    """A parameter of a roll: its name in Python, and what it is, in a sentence."""

    name: str
    about: str
    kind: type
    """Its type: str, int, float or bool."""
    choices: tuple[str, ...] = ()
    """The texts that it may be; empty if it may be any."""
    is_many: bool = False
    """Whether it takes several values, as a tuple."""
    is_needed: bool = False
    """Whether it has no default."""
    default: Any = None
    """Used if no value is given."""


def odds_fields(tell: Callable[..., object]) -> tuple[OddsField, ...]:
    """Return the parameters of a roll, except for the law."""
    hints = get_type_hints(tell, include_extras=True)
    parameters = inspect.signature(tell).parameters
    return tuple(_field(one, hints[name]) for name, one in parameters.items() if name != _LAW)


def takes_law(tell: Callable[..., object]) -> bool:
    """Return whether a roll depends on a law of bricks."""
    return get_type_hints(tell).get(_LAW) is RollLaw


def _field(parameter: inspect.Parameter, hint: Any) -> OddsField:
    kind, about = get_args(hint)
    is_many = get_origin(kind) is tuple
    if is_many or (get_args(kind) and get_origin(kind) is not Literal):
        kind = get_args(kind)[0]  # of a tuple, or of a type or None
    choices = get_args(kind)
    is_needed = parameter.default is inspect.Parameter.empty
    default = None if is_needed else parameter.default
    return OddsField(
        parameter.name, about, str if choices else kind, choices, is_many, is_needed, default
    )


_NO_ROSTERS = "keeps no rosters"


class Parts(Generic[State, Action]):
    """The optional parts of a game. A part that a game lacks raises an InvalidValueError that says so."""

    name: str
    pictures: str | None = None
    """``package.module:Class`` of its `brickphys.plots.painter.Painter`, loaded by `brickphys.rules.registry.painter`
    when a picture is drawn; None if there are no pictures."""
    models: str | None = None
    """``package.module:Class`` of its `brickphys.view.builder.Builder`, loaded by `brickphys.rules.registry.builder`
    when a page is written; None if it is not shown in three dimensions."""
    documents: str | None = None
    """The module whose `OptionsDocument` has the options of the rules; None if there are none."""
    keeps_rosters: bool = False
    """Whether the units that survive a game can begin another one."""

    def trajectories(
        self, record: Record[State, Action], viewer: int | None = None
    ) -> Trajectories[State]:
        """Return a game that was played as pictures and films show it, as a viewer may know it; see `Game.tell`."""
        raise self._lacks("cannot draw a game that was played")

    def episodes(self, record: Record[State, Action]) -> Sequence[Episode]:
        """Return the games within a game that was played, such as the battles of a campaign; none by default."""
        return ()

    def current_episode(self, record: Record[State, Action]) -> Episode | None:
        """Return the game within that goes on at the end of a record, which is then seen; None if none does."""
        return None

    def rule_options(self) -> Sequence[RuleOption]:
        """Return the options of the rules that a setup may set in its table ``options``; none by default."""
        fields = (
            import_module(self.documents).OptionsDocument.model_fields if self.documents else {}
        )
        return tuple(
            RuleOption(name, field.description or "", field.default, get_args(field.annotation))
            for name, field in fields.items()
        )

    def roster(self, final: State) -> str:
        """Return the text of a roster: the units that survived a game, for `with_roster`.

        InvalidValueError if the game is not over, nothing has survived, or the game keeps no rosters.
        """
        raise self._lacks(_NO_ROSTERS)

    def read_roster(self, text: str, name: str) -> Any:
        """Return what a roster says; InvalidValueError, which begins with its name, tells every fault."""
        raise self._lacks(_NO_ROSTERS)

    def with_roster(self, setup: Setup, roster: Any) -> Setup:
        """Return a setup with the units of a roster that was read; InvalidValueError tells every fault."""
        raise self._lacks(_NO_ROSTERS)

    def draw_setup(
        self, options: Mapping[str, Any], rng: "np.random.Generator"
    ) -> tuple[str, Setup]:
        """Return a setup drawn at random, for studies, after a line that describes it.

        InvalidValueError if an option is impossible, or the game draws no setups. The `options` of the game for the
        draw are JSON values.
        """
        raise self._lacks("has no random setups: name a scenario")

    def draw_files(self, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the files that options of `draw_setup` name; a study adds their texts to the options as ``files``."""
        return ()

    def scenarios(self) -> Mapping[str, str]:
        """Return the titles of the scenarios that ship, by name."""
        raise self._lacks("has no scenarios to show")

    def scenario(self, source: str) -> ScenarioReport[State]:
        """Return a scenario that ships, by name, or one in a file; InvalidValueError lists every fault."""
        raise self._lacks("has no scenarios to show")

    def sheets(self, source: str | None = None) -> SheetList:
        """Return the sheet of a name that ships, those in a file, or all that ship; an error lists all faults."""
        raise self._lacks("has no description sheets")

    def unit_names(self) -> Sequence[str]:
        """Return the names of units that `army` takes, and the roll ``attack`` of `odds_tables` if there is one."""
        return [sheet.name for sheet in self.sheets().sheets]

    def army(self, words: str | Sequence[str], name: str | None = None) -> ArmyList:
        """Return an army to print.

        InvalidValueError if there is no such army; the faults of a file are told as by `sheets` and `scenario`.

        The words are a setup that ships or is in a file; or names of units with numbers (``trooper=4``), and in BOW
        files of sheets. One text may have several words. `name` is which army of the setup or file; None if there is
        only one.
        """
        raise self._lacks("has no armies to print")

    def prices(self, files: Mapping[str, str] = MappingProxyType({})) -> Mapping[str, Price]:
        """Return the terms of the price of each unit that ships or is in files, by name, for studies of drawn armies.

        `files` are the texts of the files of `brickphys.rules.game.Game.draw_files`, by name.
        """
        raise self._lacks("has no prices of units")

    def odds_card(self, law: RollLaw, law_name: str) -> OddsCard:
        """Return the odds of the usual attacks of the game for a card, by a law of bricks with this name for people.

        A game without a card of its own has that of opposed rolls of bricks.
        """
        return odds_card(law, law_name)

    def odds_tables(self) -> Mapping[str, Callable[..., OddsReport]]:
        """Return the rolls whose exact odds the command `odds` tells, by name.

        The parameters of a function are options of the command: ``Annotated[int, "help"]`` with or without a default,
        also of str, bool (a flag), a Literal or a tuple of one; those without a default are arguments. A
        parameter ``law: RollLaw`` becomes the options ``--p`` and ``--law``, as those of the odds of bricks. The
        docstring is the help. It raises InvalidValueError where a value is impossible.

        A roll ``attack`` has two arguments, who attacks and who is attacked, each of which begins with one of
        `unit_names`: the command finds it by two such names without that of the game.
        """
        raise self._lacks("has no odds of its own")

    def names(self, state: State) -> Names:
        """Return the names that actions may have as arguments: a person may type them in other forms, and has colours.

        Secrets do not matter: it is enough that a name is known to all players.
        """
        return {}

    def here(self, state: State) -> "Point | None":
        """Return where on the map of `describe` the unit is that is to act; None if there is none."""
        return None

    def place_of(self, state: State, action: Action) -> "Point | None":
        """Return where on the map of `describe` an action leads, or whom it is aimed at; None if nowhere.

        A person's list is then numbered on the map, if `describe` has a `brickphys.rules.report.char_map.CharMap`.
        """
        return None

    def scene(self, state: State) -> "Scene | None":
        """Return what is seen of a state; None if the game has no field. Its pieces have the names of actions."""
        return None

    def place_name(self, state: Any, place: "Point") -> str:
        """Return a place of the field as a person types it; the state is one of `trajectories`."""
        return f"{place[0]:.2f} {place[1]:.2f}"

    def drives(self, state: State, action: Action) -> "Sequence[Way]":
        """Return the ways on which an action moves vehicles or ships at once, which no dice change."""
        return ()

    def threats(self, state: State, player: int) -> "Iterable[Threat]":
        """Yield what each enemy of a player could attack in its next turn; nothing if the game does not tell."""
        return ()

    def reveals(self, before: State, after: State, player: int) -> Iterable[str]:
        """Yield in words what of a player others know later, but not before."""
        return ()

    def goes_on(self, state: State) -> Action | None:
        """Return the action that comes to what happens anyhow if the player steers no more; None if nothing does."""
        return None

    def lane(self, state: State, action: Action) -> "tuple[Point, Point] | None":
        """Return from where to where an attack goes over the map of `describe`; None if that is not known."""
        ends = self.here(state), self.place_of(state, action)
        return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])

    def shown(self, action: Action) -> str:
        """Return an action as a person's list shows it, such as with rounded numbers; empty if as its notation."""
        return ""

    def form(self, word: str) -> str:
        """Return what follows the first word of actions, for the heading of a list; empty if they say it themselves."""
        return ""

    def first_choice(self, state: State) -> str:
        """Return what must be chosen before anything else, with an example, for messages; empty if nothing must."""
        return ""

    def purpose(self, state: State, action: Action) -> str:
        """Return in a word or two what a listed action is for, where its notation does not say it; for menus."""
        return ""

    def chooses(self, action: Action) -> str:
        """Return what an action chooses that acts next, such as ``a unit``; empty if nothing.

        A person may then type an action before who does it is chosen.
        """
        return ""

    def only_action(self, state: State) -> Action | None:
        """Return the only legal action of the player who is to act; None if others are legal, or may be.

        A person is not asked for it, but told.
        """
        return None

    def _lacks(self, what: str) -> InvalidValueError:
        return InvalidValueError(f"{self.name} {what}")
