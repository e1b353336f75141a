"""Collision: a ship, with those lashed to it, goes straight or turns among the others (PW Movement)."""

from functools import lru_cache

from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.damage.casualties import fighters
from brickphys.pirate_wars.state.crew import Life
from brickphys.pirate_wars.state.setting import Setting, ShipSpec
from brickphys.pirate_wars.state.ship import Fate, hull_prism
from brickphys.pirate_wars.state.state import State
from brickphys.vehicles.course import Mover, MoveResult, follow
from brickphys.vehicles.named_obstacles import NamedObstacles
from brickphys.vehicles.piece import Piece
from brickphys.vehicles.scene import Fixture

_Place = tuple[int, Pose]
"""Number and pose of a ship."""


def lashed_to(state: State, ship: int) -> tuple[int, ...]:
    """Return a ship and all that are lashed to it, or to those; one that sinks holds no other (ours)."""
    body = [ship]
    for member in body:
        for pair in state.lashed:
            if member in pair:
                body += (one for one in pair if one not in body and state.ships[one].hull)
    return tuple(body)


def go(state: State, ship: int, piece: Piece) -> tuple[State, MoveResult]:
    """Move a ship and those lashed to it, until another ship stops them or its middle leaves the sea.

    A ship whose middle is beyond the sea then is out of the battle (ours).
    """
    setting, ships = state.setting, list(state.ships)
    body = lashed_to(state, ship)
    prisms = tuple([state.prism(part) for part in body])
    mover = Mover(setting.ships[ship].name, ships[ship].pose, prisms, frozenset())
    around = [(other, one.pose) for other, one in state.afloat() if other not in body]
    move = follow(mover, (piece,), obstacles(setting, tuple(around)))
    (done,) = move.pieces
    for part in body:
        end = done.end if part == ship else done.motion.pose(ships[part].pose, done.at)
        ships[part] = ships[part].at(end)
    state = state.replaced({"ships": tuple(ships)})
    for part in body:
        is_at_border = part == ship and done.leaves_field
        if is_at_border or not setting.sea.contains(ships[part].centre_studs):
            state = leave(state, part)
    return state, move


def leave(state: State, ship: int, fate: Fate = Fate.LEFT) -> State:
    """Return the state after a ship has left the battle, with all aboard and those who have boarded another one."""
    for number in (*fighters(state, ship), *state.boarders(ship)):
        state = state.lost(number, Life.LEFT)
    return state.cast_off(ship).change_ship(ship, fate=fate)


@lru_cache(maxsize=1024)
def obstacles(setting: Setting, places: tuple[_Place, ...]) -> NamedObstacles:
    """Return ships as what others may run into; they stay the same all the time while another one moves."""
    return NamedObstacles.of(setting.sea, [_fixture(setting.ships[n], at) for n, at in places])


@lru_cache(maxsize=4096)
def _fixture(ship: ShipSpec, pose: Pose) -> Fixture:
    return Fixture.filling(ship.name, hull_prism(ship.sheet, pose))
