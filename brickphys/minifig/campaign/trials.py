"""Trials: what weather, ground, misadventures and cards ask for, from data files marked as ours; foes and battles.

A battle within the campaign has a table, foes, and the party after it (ours). In the same state, foes always do the
same (ours): they act in the order of the setup. Each charges the nearest enemy that it can touch, from behind if it
can. Who can touch nobody shoots or throws at the nearest target. Else it goes as near to an enemy as it can.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import count, dropwhile
from math import dist
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.geometry.polygon import TOLERANCE, Point, unit_vector
from brickphys.minifig.actions import EndFigure, TakeFigure
from brickphys.minifig.campaign.state import (
    MILE,
    Member,
    Square,
    SquareGround,
    State,
    Weather,
    data,
)
from brickphys.minifig.game import Minifig
from brickphys.minifig.melee import MeleeAttack
from brickphys.minifig.movement import Go
from brickphys.minifig.setup import horses
from brickphys.minifig.sheets import BASE_RADIUS_IN, TOUCH_IN, charts, frozen
from brickphys.minifig.shooting import ShootBow, ThrowSpear
from brickphys.minifig.state import FigureStep, Phase
from brickphys.minifig.state import State as Battle
from brickphys.rules.events import Outcome
from brickphys.rules.record import OVER
from brickphys.rules.turn_state import FollowUp, Question
from brickphys.rules.words import Action


class Verb(Enum):
    """What an effect does: the closed set of all effects (ours)."""

    BATTLE = "battle"
    """A battle with foes; the effects after it on the list happen if the party wins."""
    ARMS = "arms"
    """For the first figure that can use them."""
    RECRUIT = "recruit"
    """Somebody joins the party."""
    HORSE = "horse"
    """For the first soldier or peasant on foot."""
    DELAY = "delay"
    """This many of the next half-days are spent in camp."""
    WOUND = "wound"
    """Somebody is wounded; a figure that is already wounded dies."""
    LOSE = "lose"
    """Somebody other than the leader leaves the party."""
    REST = "rest"
    """All wounds heal."""


class Answer(Enum):
    """What the party does about the card of the day."""

    FIGHT = "fight"
    PARLEY = "parley"
    EVADE = "evade"
    HELP = "help"
    PASS = "pass"

    @property
    def told(self) -> str:
        """The answer as lists show it."""
        return "stay and help" if self is Answer.HELP else self.value  # help is a command


@dataclass(frozen=True)
class Trial:
    """Bricks that are thrown, and effects such as ``delay 1``: good ones if one or more bricks stop on a side."""

    bricks: int = 0  # without any, the good effects happen
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    text: str = ""  # what has happened, as a sentence


@dataclass(frozen=True)
class Prompt:
    """What a card brings: a sentence, and what the party can do about it."""

    text: str
    answers: Mapping[Answer, Trial]


@dataclass(frozen=True)
class Trials:
    """All of them."""

    keyed: Mapping[str, Trial]
    """Every trial by where it comes from: ``ace of swords: fight``, ``night: 3`` (a double 3), ``hot`` (at dawn)."""
    prompts: Mapping[str, Prompt]
    """What each card brings."""
    percent: Mapping[Weather, int]
    """How much of the miles of half a day is marched."""
    woods_times: int
    """How many times as far it is through woods."""
    ford_tenths: int
    """How much farther it is over a river."""
    battle: Mapping[str, Any]
    """The table of a battle."""
    recruits: Mapping[str, Member]
    """Who may join a party of fewer figures than `most_figures`."""
    most_figures: int
    foes: Mapping[str, tuple[Member, ...]]
    """Who is met."""


@lru_cache
def trials() -> Trials:
    """Return what the data files say."""
    found, cards = data("effects"), data("prompts").items()
    prompts = {card: _prompt(dict(table)) for card, table in cards}
    keyed = {
        f"{card}: {answer.value}": trial
        for card, prompt in prompts.items()
        for answer, trial in prompt.answers.items()
    }
    dawns = {name: table["trial"] for name, table in found["weather"].items() if "trial" in table}
    doubles = {
        f"{when}: {face}": row
        for when, rows in found["misadventure"].items()
        for face, row in rows.items()
    }
    keyed |= {key: Trial(**frozen(row)) for key, row in (dawns | doubles).items()}
    return Trials(
        keyed,
        prompts,
        percent={Weather(name): table["percent"] for name, table in found["weather"].items()},
        woods_times=found["ground"]["woods_times"],
        ford_tenths=round(found["ground"]["ford_miles"] * MILE),
        battle=found["battle"],
        recruits={name: Member(name, **frozen(row)) for name, row in found["recruit"].items()},
        most_figures=found["party"]["most"],
        foes={
            name: tuple(_foe(name, dict(row)) for row in rows for _ in range(row["count"]))
            for name, rows in found["foes"].items()
        },
    )


def _prompt(table: dict[str, Any]) -> Prompt:
    text = table.pop("text")
    answers = {Answer(name): Trial(**frozen(answer)) for name, answer in table.items()}
    return Prompt(text, answers)


def _foe(name: str, row: dict[str, Any]) -> Member:
    del row["count"]
    return Member(name, **frozen(row))


_TOUCHING_IN = 2 * BASE_RADIUS_IN + TOUCH_IN + TOLERANCE


def foe_action(state: Battle) -> Action[Any]:
    """Return what the foes do next."""
    if state.phase is Phase.COMBAT:
        return next(MeleeAttack.legal(state))
    if state.active is None:
        return next(TakeFigure.legal(state))
    if state.step is not FigureStep.CHOSEN:
        return EndFigure()
    here, goes = _place(state, state.active), list(Go.legal(state))
    enemies = sorted(
        state.enemies(state.active), key=lambda enemy: dist(here, _place(state, enemy))
    )
    for enemy in enemies:
        if charges := [go for go in goes if dist(_end(go), _place(state, enemy)) <= _TOUCHING_IN]:
            return min(charges, key=lambda go: not _is_behind(state, go, enemy))
    shots = [*ShootBow.legal(state), *ThrowSpear.legal(state)]
    if shots:
        rank = [state.setting.figures[enemy].name for enemy in enemies].index
        return min(shots, key=lambda shot: rank(shot.target))
    return min(goes, key=lambda go: min(dist(_end(go), _place(state, one)) for one in enemies))


def _place(state: Battle, figure: int) -> Point:
    return state.figures[figure].place_in


def _end(go: Go) -> Point:
    return go.x_in, go.y_in


def _is_behind(state: Battle, go: Go, enemy: int) -> bool:
    x, y = _place(state, enemy)
    ahead_x, ahead_y = unit_vector(state.figures[enemy].facing_deg)
    return (go.x_in - x) * ahead_x + (go.y_in - y) * ahead_y < -TOLERANCE


PARTY, FOES = 0, 1
"""The players of a battle."""


@lru_cache
def battles() -> Minifig:
    """Return the game of battles."""
    return Minifig()


class Spoil(FollowUp[State]):
    """Something that falls away if the battle before it is not won."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Fighting(Question[State]):
    """A battle goes on: its actions are chosen, and its rolls rolled, before anything else."""

    def player(self, state: State) -> int:
        assert state.battle is not None
        return battles().actor(state.battle)

    def prompt(self, state: State) -> str:
        assert state.battle is not None
        return battles().prompt(state.battle)


def battle_setup(state: State, foes: str) -> dict[str, Any]:
    """Return the setup of a battle of the party, as it is now and where it is, with foes."""
    taken = {one.name for one in state.fighters}
    names = (name for number in count(1) if (name := f"{foes}_{number}") not in taken)
    met = [
        one.replaced({"name": name}) for one, name in zip(trials().foes[foes], names, strict=False)
    ]
    rules, fighters = trials().battle, state.fighters
    table, edge = rules["table"], rules["edge_in"]
    in_woods = state.chart.squares.get(state.place) == Square(SquareGround.WOODS)
    middle, far = table["width"] / 2, table["length"] - edge
    figures = [
        *_row("party", fighters, middle, edge, 90.0),
        *_row("foes", met, middle, far, 270.0),
    ]
    return {
        "players": [{"name": "party"}, {"name": "foes"}],
        "table": table,
        "figure": figures,
        "thing": horses(figures),
        "zone": [{"kind": "woods", "corners": corners} for corners in rules["woods"] if in_woods],
        "aims": [{"kind": "rounds", "rounds": rules["rounds"]}],
    }


def _row(
    player: str, members: Sequence[Member], x_in: float, y_in: float, facing_deg: float
) -> Iterator[dict[str, Any]]:
    """Yield the tables of figures that stand side by side around a place."""
    for number, one in enumerate(members):
        aside = (number - (len(members) - 1) / 2) * trials().battle["apart_in"]
        entry: dict[str, Any] = {
            "name": one.name,
            "player": player,
            "kind": one.kind,
            "arms": list(one.arms),
            "experience": one.experience,
            "x": x_in + aside,
            "y": y_in,
            "facing_deg": facing_deg,
        }
        yield entry | ({"horse": f"{one.name}_horse"} if one.horse else {})


def check_party(state: State) -> None:
    """Raise InvalidValueError, with the place of each fault, for a party that cannot fight."""
    party = tuple(one.replaced({"is_wounded": False}) for one in state.party)
    setup = battle_setup(state.replaced({"party": party}), next(iter(trials().foes)))
    try:
        battles().begin(setup)
    except InvalidValueError as error:
        raise InvalidValueError(str(error).replace("figure[", "party[")) from None


def begin_battle(state: State, foes: str) -> State:
    """Return the state in which a battle with foes has begun."""
    battle = battles().begin(battle_setup(state, foes))
    return state.replaced({"foes": foes, "battle": battle}).push_pending(Fighting())


def fought(state: State, move: Action[Any] | Outcome) -> State:
    """Return the state after an action of the party or an outcome, and all that the foes do; see `battle_moves`."""
    assert state.battle is not None
    *_, (_, _, battle) = battle_moves(state.battle, move)
    if battles().actor(battle) == OVER:
        return after_battle(state, battle)
    return state.replaced({"battle": battle})


def battle_moves(
    battle: Battle, move: Action[Any] | Outcome
) -> Iterator[tuple[Battle, Action[Any] | Outcome, Battle]]:
    """Yield a move, and those of the foes by their policy until the party or chance is to act, with what it led to."""
    game = battles()
    while True:
        after = game.apply(battle, move)
        yield battle, move, after
        battle = after
        if game.actor(battle) != FOES:
            return
        move = foe_action(battle)


def after_battle(state: State, battle: Battle) -> State:
    """Return the state after a battle: who lives has more experience (MF Experience), the dead are gone.

    If the party has not won, the spoils fall away. The campaign is lost with its leader, or if the
    foes have killed all who fought.
    """
    names = [one.name for one in state.fighters]
    alive = {name for name, one in zip(names, battle.figures, strict=False) if one.is_alive}
    most = charts().most_experience
    party = tuple(
        one.replaced({"experience": min(one.experience + 1, most)}) if one.name in alive else one
        for one in state.party
        if one.name in alive or one.name not in names
    )
    pending = state.pending[1:]
    if battles().returns(battle)[PARTY] <= 0:
        pending = tuple(dropwhile(lambda one: isinstance(one, Spoil), pending))
    state = state.replaced({"party": party, "foes": "", "battle": None, "pending": pending})
    return state if alive and state.leader_lives else state.replaced({"result": -1})
