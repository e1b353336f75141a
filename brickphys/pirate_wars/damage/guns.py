"""Guns: cannons that are destroyed with their crews, chosen by their owner (PW, Critical Hit Chart)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from brickphys.pirate_wars.damage.casualties import kill
from brickphys.pirate_wars.state.pending import OwnerQuestion
from brickphys.pirate_wars.state.setting import ShipNumber
from brickphys.pirate_wars.state.state import State
from brickphys.rules.words import Action, Argument

GUN = Argument(
    "gun such as gun0",
    r"gun\d{1,2}",
    lambda text: int(text.removeprefix("gun")),
    lambda number: f"gun{number}",
)


def guns_left(state: State, ship: int) -> list[int]:
    """Return the numbers of the guns of a ship that are not destroyed."""
    return [number for number, gun in enumerate(state.ships[ship].guns) if not gun.is_lost]


def lose_gun(state: State, ship: int, gun: int) -> State:
    """Return the state after a gun is destroyed with its crew."""
    for number in state.gunners(ship, gun):
        state = kill(state, number)
    return state.change_gun(ship, gun, loads=0, is_lost=True)


def lose_some_gun(state: State, ship: int) -> State:
    """Return the state in which the owner is asked which gun is destroyed, if it has several (ours)."""
    left = guns_left(state, ship)
    if len(left) > 1:
        return state.push_pending(GunLoss(ship))
    return lose_gun(state, ship, left[0]) if left else state


@dataclass(frozen=True, slots=True)
class LoseGun(Action[State]):
    """Which gun is destroyed with its crew."""

    word = "lose_gun"
    arguments = (GUN,)
    gun: int

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every gun that is left."""
        return map(cls, guns_left(state, state.awaited(GunLoss).ship))

    def problems(self, state: State) -> Iterator[str]:
        """Yield why it cannot be this gun."""
        ship = state.awaited(GunLoss).ship
        if self.gun not in guns_left(state, ship):
            name = state.setting.ships[ship].name
            yield f"{name} has no gun{self.gun} to lose (PW, Critical Hit Chart)"

    def apply(self, state: State) -> State:
        """Destroy it."""
        ship = state.awaited(GunLoss).ship
        return lose_gun(state.pop_pending(), ship, self.gun)


@dataclass(frozen=True, slots=True)
class GunLoss(OwnerQuestion):
    """The question which gun the owner of a ship loses."""

    answers = (LoseGun,)
    asks = "{ship} loses a gun and its crew: which?"
    ship: ShipNumber

    def lapses(self, state: State) -> bool:
        """Whether no gun is left."""
        return not guns_left(state, self.ship)
