"""Plans: how bots think in Blade & Bow: an impulse action by action, and every answer in between.

The thinker reckons with what its player may know: ranks that he has not seen are taken to be as many as the enemy's
sum leaves on the mean, and the enemy's hand is left out of account. So all states that look the same to him have the
same plans.
"""

from collections.abc import Iterator, Sequence

from brickphys.blade_and_bow.command.actions import EndAction
from brickphys.blade_and_bow.command.movement import Reverse, Stay, TakeUnit
from brickphys.blade_and_bow.pieces import HIDDEN, FormationOrder
from brickphys.blade_and_bow.state import Phase, State
from brickphys.blade_and_bow.tactics.answers import ANSWERS
from brickphys.blade_and_bow.tactics.choices import Asked, BattleGame, BattlePlan
from brickphys.blade_and_bow.tactics.marches import STYLES, WISHES, Marcher, going
from brickphys.blade_and_bow.tactics.orders import Orders
from brickphys.blade_and_bow.tactics.prospects import melees, volleys
from brickphys.blade_and_bow.tactics.stations import STATIONS
from brickphys.blade_and_bow.worth import LOSS
from brickphys.rules.plans import HOLDS, Effort, Level, Plan


def supposed(view: State) -> State:
    """Return the state that a player supposes: hidden ranks by their mean, the enemy's hand empty."""
    setting, units = view.setting, list(view.units)
    for player in range(len(setting.players)):
        hidden = [
            n
            for n, unit in enumerate(units)
            if unit.ranks == HIDDEN and setting.units[n].player == player
        ]
        if hidden:
            known = sum(
                unit.lost + max(unit.ranks, 0)
                for n, unit in enumerate(units)
                if setting.units[n].player == player
            )
            rest = max(setting.ranks[player] - known, 0)
            for place, n in enumerate(hidden):
                share = rest // (len(hidden) - place)
                share = min(share, max(setting.units[n].most_ranks - units[n].lost, 0))
                units[n] = units[n].replaced({"ranks": share})
                rest -= share
    hands = tuple(() if HIDDEN in hand else hand for hand in view.hands)
    return view.replaced({"units": tuple(units), "hands": hands})


QUESTIONS = {**ANSWERS, **STATIONS}
"""What answers each question."""


_KNOWN = 64
"""How many choices a thinker remembers: a bot asks several times for the same."""


class BladeThinker:
    """Finds the plans of Blade & Bow; `game.observe` says what a player may know."""

    def __init__(self, game: BattleGame) -> None:
        self.game = game
        self._known: dict[tuple[State, Level], tuple[list[BattlePlan], int]] = {}

    def is_open(self, state: State) -> bool:
        """Whether plans may begin here: at an action, at the next attack of a formation, or at a question."""
        asked = state.first_pending
        if asked is not None:
            return type(asked) in QUESTIONS
        if state.phase is not Phase.IMPULSES or state.result is not None:
            return False
        activation = state.activation
        if activation is None:
            return True
        return activation.closed and state.combat is None and activation.active is None

    def plans(self, state: State, effort: Effort) -> Sequence[BattlePlan]:
        """Return the plans of the player who is to act, the best first; see `Thinker`."""
        view = self.game.observe(state, self.game.actor(state))
        key = supposed(view), effort.level
        if key not in self._known:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[key] = self._plans(key[0], effort), effort.nodes
        found, nodes = self._known[key]
        effort.nodes = max(effort.nodes, nodes)
        return found

    def _plans(self, state: State, effort: Effort) -> list[BattlePlan]:
        """Return the plans in a state that the player supposes."""
        asked = state.first_pending
        if asked is not None:
            found = QUESTIONS[type(asked)](Asked(self.game, state, effort))
        elif state.activation is None:
            found = Orders(state, effort).plans()
        else:
            found = self._next(state, effort)
        return sorted(found, key=lambda plan: -plan.worth)

    def _next(self, state: State, effort: Effort) -> list[BattlePlan]:
        """Return what the units that wait do next: the next attack or volley, or nothing more."""
        activation, player = state.activated, state.mover
        found: list[BattlePlan] = [Plan("", HOLDS, (EndAction(),), 0.0)]
        order = activation.order
        if order is FormationOrder.MOVE:
            return [*found, *self._moves(state, effort)]
        fights = melees if order is FormationOrder.MELEE else volleys
        orders = Orders(state.replaced({"activation": None}), effort)
        struck = set(activation.struck)
        waiting = [unit for unit in activation.waiting if state.units[unit].square is not None]
        for one in fights(state, player, waiting):
            if one.target in struck or (one.target is None and activation.struck_camp):
                continue
            worth = orders.worth(LOSS * one.worth)
            actions = tuple(orders.attack(one, waiting, order))
            verb = "attacks" if order is FormationOrder.MELEE else "shoots at"
            name = ", ".join(map(state.unit_name, one.units))
            found.append(Plan(name, f"{verb} {orders.target(one.target)}", actions, worth))
        return found

    def _moves(self, state: State, effort: Effort) -> Iterator[BattlePlan]:
        """Yield the moves of the units of a march that was stopped by a roll, or that a person is to take."""
        is_wide = effort.level.is_wide
        marchers = [
            Marcher(state, state.mover, style, 0.5)
            for style in (WISHES if is_wide else STYLES[1:2])
        ]
        for unit in state.activated.waiting:
            name, take = state.unit_name(unit), TakeUnit(state.setting.units[unit].name)
            for marcher in marchers:
                step = marcher.best(state, unit)
                if step is not None:
                    where = f" (to {state.setting.squares[step.end[0]]})"
                    purpose = f"{marcher.style.name}{where}" if is_wide else "moves"
                    actions = (take, *going(state, step))
                    yield Plan(name, purpose, actions, LOSS * 0.5 * step.gain)
            for word, move in ((HOLDS, Stay()), ("reverses", Reverse())) if is_wide else ():
                if not any(move.problems(take.apply(state))):
                    yield Plan(name, word, (take, move), 0.0)
