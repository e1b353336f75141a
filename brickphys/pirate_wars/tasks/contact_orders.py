"""Contact orders: boarding another ship, and scuttling one's own (PW Boarding, PW Firing)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from brickphys.pirate_wars.damage.casualties import Among, captain, lose_crew
from brickphys.pirate_wars.damage.hits import hit
from brickphys.pirate_wars.state.crew import Order
from brickphys.pirate_wars.state.state import Boarding, State
from brickphys.pirate_wars.tasks.boarding import is_boarding
from brickphys.pirate_wars.tasks.gunnery import in_contact
from brickphys.pirate_wars.tasks.orders import OrderAction, free
from brickphys.rules.words import NAME, without_problems


def can_board(state: State, ship: int, target: int) -> bool:
    """Whether a ship is in contact with another one, and neither is in a boarding."""
    if is_boarding(state, ship) or is_boarding(state, target):
        return False
    return (min(ship, target), max(ship, target)) in state.lashed or in_contact(state, ship, target)


@dataclass(frozen=True, slots=True)
class BoardingOrder(OrderAction):
    """Board a ship in contact with all hands (PW Boarding)."""

    word = "board"
    arguments = (NAME, NAME)
    may_be_lashed = True
    ship: str
    target: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every ship with every enemy in contact."""
        ships = state.setting.ships
        pairs = (
            cls(ships[number].name, ships[enemy].name)
            for number, ship in state.afloat()
            if ship.owner == state.player
            for enemy, _ in state.enemies(state.player)
            if can_board(state, number, enemy)
        )
        return without_problems(state, pairs)

    def problem(self, state: State, order: Order) -> str | None:
        """Return why its crew cannot board."""
        crew, given = state.crews[order.ship], order.given
        if not crew:
            return f"{self.ship} has no crew (PW Boarding)"
        if len(free(state, crew)) < len(crew):
            return f"the crew of {self.ship} has other orders, and all must board or none (PW Boarding)"
        for name, number in ((self.ship, order.ship), (self.target, given["target"])):
            if is_boarding(state, number):
                return f"{name} is already in a boarding (PW Boarding)"
        touches = can_board(state, **given)
        return None if touches else f"{self.ship} does not touch {self.target} (PW Boarding)"


def board(state: State, ship: int, target: int) -> State:
    """Lash the ships together; the round of boarding is rolled at the end of the phase (ours)."""
    if not state.ships[target].is_afloat or not can_board(state, ship, target):
        return state
    boardings = (*state.boardings, Boarding(ship, target))
    return state.lash(ship, target).replaced({"boardings": boardings})


@dataclass(frozen=True, slots=True)
class Scuttle(OrderAction):
    """The captain fires his pistol into the powder of his own ship (PW Firing)."""

    word = "scuttle"
    arguments = (NAME,)
    may_be_lashed = True
    ship: str

    @classmethod
    def legal(cls, state: State) -> Iterator[Self]:
        """Yield every ship in a boarding; to scuttle another one is legal too."""
        names = (
            cls(state.setting.ships[number].name)
            for number, ship in state.afloat()
            if ship.owner == state.player and is_boarding(state, number)
        )
        return without_problems(state, names)

    def problem(self, state: State, order: Order) -> str | None:
        """Return why its captain cannot do it."""
        master = order.minifig
        if master is None:
            return f"{self.ship} has no captain aboard to scuttle it (PW Firing)"
        if not free(state, [master]):
            return f"the captain of {self.ship} already has an order: one task per turn (PW Tasks)"
        if not state.minifigs[master].is_loaded:
            return f"the pistol of the captain of {self.ship} is not loaded (PW Reloading)"
        return None

    def order(self, state: State) -> Order:
        """Return the order, which is the captain's."""
        order = OrderAction.order(self, state)
        return replace(order, minifig=captain(state, order.ship))


def scuttle(state: State, ship: int, minifig: int) -> State:
    """Blow a ship up if its captain is still there: its hull goes, and as many of its crew and of the boarders.

    A ship that is in a boarding with it takes half of that, rounded up, as hits with ball.
    """
    if minifig not in state.crews[ship]:
        return state
    others = [sum(one.ships) - ship for one in state.boardings if ship in one.ships]
    hull = state.setting.ships[ship].sheet.chart.hull
    state = state.change_minifig(minifig, is_loaded=False)
    state = state.change_ship(ship, hull=0, sails=0)
    state = lose_crew(state, ship, hull)
    state = lose_crew(state, ship, hull, Among.BOARDERS)
    for other in others:
        state = hit(state, other, (hull + 1) // 2)
    return state
