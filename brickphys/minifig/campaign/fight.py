"""Fight: a battle within the campaign: its table, its foes, and the party after it (ours)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, dropwhile
from typing import Any

from brickphys.errors import InvalidValueError
from brickphys.minifig.campaign.chart import Ground, Square
from brickphys.minifig.campaign.foes import foe_action
from brickphys.minifig.campaign.state import Member, State
from brickphys.minifig.campaign.trials import trials
from brickphys.minifig.game import Minifig
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.state import State as Battle
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import FollowUp, Question
from brickphys.rules.record import OVER
from brickphys.rules.words import Action

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
        """Return the only player, or that chance is to act."""
        assert state.battle is not None
        return battles().actor(state.battle)

    def prompt(self, state: State) -> str:
        """Return what the battle asks for."""
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
    in_woods = state.chart.squares.get(state.place) == Square(Ground.WOODS)
    return {
        "players": [{"name": "party"}, {"name": "foes"}],
        "table": table,
        "figure": [
            *_row("party", fighters, table["width"] / 2, edge, 90.0),
            *_row("foes", met, table["width"] / 2, table["length"] - edge, 270.0),
        ],
        "thing": [
            {"name": f"{one.name}_horse", "kind": "horse"} for one in (*fighters, *met) if one.horse
        ],
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
