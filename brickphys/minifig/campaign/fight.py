"""Fight: a battle within the campaign: its table, its foes, and what it leaves of the party (ours)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile
from typing import Any

from brickphys.minifig.campaign.chart import Ground
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
_WIDTH_IN, _LENGTH_IN = 24.0, 20.0
_EDGE_IN = 4.0
"""How far each side stands from its edge of the table."""
_APART_IN = 1.5
_ROUNDS = 12
"""After which the foes withdraw."""
_WOODS = (
    [[1.0, 8.0], [8.0, 8.0], [8.0, 12.0], [1.0, 12.0]],
    [[16.0, 8.0], [23.0, 8.0], [23.0, 12.0], [16.0, 12.0]],
)


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
    met = [
        one.replaced({"name": f"{foes}_{number}"})
        for number, one in enumerate(trials().foes[foes], start=1)
    ]
    sides = (("party", state.fighters, _EDGE_IN, 90.0), ("foes", met, _LENGTH_IN - _EDGE_IN, 270.0))
    in_woods = state.chart.squares[state.place].ground is Ground.WOODS
    return {
        "players": [{"name": name} for name, *_ in sides],
        "table": {"width": _WIDTH_IN, "length": _LENGTH_IN},
        "figure": [entry for side in sides for entry in _figures(*side)],
        "thing": [
            {"name": f"{one.name}_horse", "kind": "horse"}
            for one in (*state.fighters, *met)
            if one.horse
        ],
        "zone": [{"kind": "woods", "corners": corners} for corners in _WOODS if in_woods],
        "aims": [{"kind": "rounds", "rounds": _ROUNDS}],
    }


def _figures(
    player: str, members: Iterable[Member], y_in: float, facing_deg: float
) -> Iterator[dict[str, Any]]:
    row = list(members)
    for number, one in enumerate(row):
        entry: dict[str, Any] = {
            "name": one.name,
            "player": player,
            "kind": one.kind,
            "arms": list(one.arms),
            "experience": one.experience,
            "x": _WIDTH_IN / 2 + (number - (len(row) - 1) / 2) * _APART_IN,
            "y": y_in,
            "facing_deg": facing_deg,
        }
        yield entry | ({"horse": f"{one.name}_horse"} if one.horse else {})


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
