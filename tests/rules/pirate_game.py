"""Two ships: initiative rolled again at a tie, moves of two leaps, orders to fire that are secret until all are in."""

from fractions import Fraction
from math import cos, hypot, radians, sin
from types import MappingProxyType
from typing import NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, OVER, Forecast
from brickphys.rules.rolls import DiceCount, DiceRoll
from tests.rules.rows import RowGame

TURNS = ("turn -60", "turn -30", "turn 0", "turn 30", "turn 60")
ORDERS = tuple(f"fire {gun} {load}" for gun in ("port", "starboard") for load in ("ball", "shot"))
LEAP, LEAPS, REACH, DICE, HULL, SAILS = 12.0, 2, 60.0, 3, 5, 4
TALLY = DiceCount.of(DICE, hits=2, misses=4)


class Sea(NamedTuple):
    """Ships as (x, y, heading in degrees, hull, sails), and what is under way."""

    ships: tuple[tuple[float, float, float, int, int], ...]
    rounds: int = 4
    phase: str = "initiative"
    rolls: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    leaps: int = 0
    who: int = 0
    orders: tuple[tuple[str, ...], ...] = ((), ())
    queue: tuple[tuple[int, str], ...] = ()


class Pirates(RowGame, Game):
    """Lowest initiative moves first; then both declare which guns fire; then all of them fire."""

    name = "pirates"
    version = "1"
    like = Sea(())
    words = (*TURNS, *ORDERS, "ready")
    setups = MappingProxyType({"duel": {"gap": 40}})

    def initial(self, setup):
        if set(setup) != {"gap"} or setup["gap"] not in range(10, 200):
            raise InvalidValueError(f"setup {dict(setup)}: gap is a number from 10 to 199")
        gap = float(setup["gap"])
        return Sea(((0.0, 0.0, 0.0, HULL, SAILS), (gap, gap, 180.0, HULL, SAILS)))

    def actor(self, state):
        if state.phase == "over":
            return OVER
        if state.phase == "move":
            return state.order[state.who]
        return state.who if state.phase == "declare" else CHANCE

    def actions(self, state):
        if state.phase == "move":
            return TURNS
        if state.phase != "declare":
            return ()
        given = {order.split(" ")[1] for order in state.orders[state.who]}
        return ("ready", *(order for order in ORDERS if order.split(" ")[1] not in given))

    def chance(self, state):
        if state.phase == "initiative":
            return DiceRoll(1, 6, f"initiative of player {len(state.rolls)}")
        player, order = state.queue[0]
        return DiceCount(DICE, TALLY.classes, f"player {player}: {order}")

    def apply(self, state, move):
        return getattr(self, f"_{state.phase}")(state, move)

    def _initiative(self, state, shown):
        rolls = (*state.rolls, *shown)
        if len(rolls) < 2 or rolls[0] == rolls[1]:
            return state._replace(rolls=rolls if len(rolls) < 2 else ())
        first = int(rolls[1] < rolls[0])
        return state._replace(rolls=(), order=(first, 1 - first), phase="move", leaps=LEAPS)

    def _move(self, state, action):
        player = state.order[state.who]
        x, y, heading, hull, sails = state.ships[player]
        heading = (heading + float(action[5:])) % 360
        leap = LEAP * (1 + sails) / (1 + SAILS)
        x, y = x + leap * cos(radians(heading)), y + leap * sin(radians(heading))
        state = self._ship(state, player, (round(x, 6), round(y, 6), heading, hull, sails))
        if state.leaps > 1:
            return state._replace(leaps=state.leaps - 1)
        if state.who == 0:
            return state._replace(who=1, leaps=LEAPS)
        return state._replace(who=0, leaps=0, phase="declare")

    def _declare(self, state, action):
        who = state.who
        if action != "ready":
            own = tuple(sorted((*state.orders[who], action)))
            orders = (own, state.orders[1]) if who == 0 else (state.orders[0], own)
            return state._replace(orders=orders)
        if who == 0:
            return state._replace(who=1)
        queue = tuple((player, order) for player in (0, 1) for order in state.orders[player])
        return self._fired(state._replace(who=0, orders=((), ()), queue=queue, phase="fire"))

    def _fire(self, state, tally):
        player, order = state.queue[0]
        x, y, heading, hull, sails = state.ships[1 - player]
        hits = tally[0] if self._bears(state, player, order) else 0
        ball = order.endswith("ball")
        hull, sails = max(0, hull - hits * ball), max(0, sails - hits * (not ball))
        state = self._ship(state, 1 - player, (x, y, heading, hull, sails))
        return self._fired(state._replace(queue=state.queue[1:]))

    def _fired(self, state):
        if state.queue:
            return state
        sunk = any(ship[3] == 0 for ship in state.ships)
        rounds = state.rounds - 1
        return state._replace(
            order=(), rounds=rounds, phase="over" if sunk or not rounds else "initiative"
        )

    def _ship(self, state, player, ship):
        ships = (ship, state.ships[1]) if player == 0 else (state.ships[0], ship)
        return state._replace(ships=ships)

    def _bears(self, state, player, order):
        """Whether the enemy is in reach and on the side of the gun."""
        (x, y, heading, *_), (u, v, *_) = state.ships[player], state.ships[1 - player]
        across = (v - y) * cos(radians(heading)) - (u - x) * sin(radians(heading))
        return hypot(u - x, v - y) <= REACH and (across > 0) == ("port" in order)

    def returns(self, state):
        lead = state.ships[0][3] - state.ships[1][3]
        return ((lead > 0) - (lead < 0), (lead < 0) - (lead > 0))

    def settled(self, state):
        return state.phase != "move" or state.leaps == LEAPS

    def estimate(self, state):
        """Hulls and sails, less what the orders that were given may cost; a little for a gun that bears."""
        worth = [ship[3] + ship[4] / 2 for ship in state.ships]
        for player, orders in enumerate(state.orders):
            bears = [
                order for order in (orders or ORDERS[::2]) if self._bears(state, player, order)
            ]
            loss = sum(1.0 if order.endswith("ball") else 0.5 for order in bears)
            worth[1 - player] -= loss if orders else loss / 4
        (x, y, *_), (u, v, *_) = state.ships
        lead, far = (worth[0] - worth[1]) / 20, hypot(u - x, v - y) / 2000
        return (lead - far, -lead - far)

    def forecasts(self, state, action, brick_law):
        """An order is rolled for only when both captains are ready."""
        if not action.startswith("fire") or not self._bears(state, state.who, action):
            return None
        law = TALLY.law(brick_law)
        outcomes = {TALLY.entry(counts)[1]: chance for counts, chance in law.items()}
        lost = sum((chance for counts, chance in law.items() if counts[0]), Fraction(0))
        loses = {"hulls": lost} if action.endswith("ball") else {"sails": lost}
        return [Forecast(action, TALLY.question, outcomes, loses)]

    def hidden(self, state):
        return state.phase == "declare"

    def observe(self, state, player):
        """The player, and the state without the orders of the other."""
        own = state.orders[player]
        return player, state._replace(orders=(own, ()) if player == 0 else ((), own))

    def imagine(self, view, rng):
        player, state = view
        if not (state.phase == "declare" and (player == 1 or state.who == 1)):
            return state
        loads = [int(rng.integers(3)) for _ in range(2)]
        other = tuple(ORDERS[2 * gun + load] for gun, load in enumerate(loads) if load < 2)
        own = state.orders[player]
        return state._replace(orders=(own, other) if player == 0 else (other, own))

    def shrinking(self, state):
        return {"hulls": state.ships[0][3] + state.ships[1][3], "rounds": state.rounds}
