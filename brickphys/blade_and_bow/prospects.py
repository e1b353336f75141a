"""Prospects: the expected gain of possible or chosen attacks, volleys, rallies and moves, for bots; no rule.

Melees and volleys are judged by the exact law of their dice with the best re-rolls (`odds`). An attack that is
possible counts in part, more if units are activated for it, and in full once it is declared.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from brickphys.blade_and_bow.combat.commitment import commitment_dice, commitment_least
from brickphys.blade_and_bow.combat.lead import leads
from brickphys.blade_and_bow.command.formation import joinable
from brickphys.blade_and_bow.command.targets import engaged, shot_at
from brickphys.blade_and_bow.ground.arcs import neighbours, turns_to_aim
from brickphys.blade_and_bow.ground.marches import march, open_ground
from brickphys.blade_and_bow.ground.room import enemy_squares
from brickphys.blade_and_bow.ground.steps import departures
from brickphys.blade_and_bow.ground.zones import zones
from brickphys.blade_and_bow.odds.chain import combat_law, combat_stakes
from brickphys.blade_and_bow.odds.costs import DISRUPTION, holds
from brickphys.blade_and_bow.sheets.cards import deck
from brickphys.blade_and_bow.state.part import Part, pieces
from brickphys.blade_and_bow.state.pieces import Activation, Combat, Order, Stage
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square, Squares, each

LOSSES = 0.6
"""Worth of all losses up to the rout level."""
NEAR = 0.0008
"""Worth of a point less between a unit and its goal."""
LATER, NOW, CHOSEN, JOINED, READY = 0.3, 0.5, 0.8, 0.85, 0.9
"""Shares that count of an attack that is possible: in the enemy's impulse, in one's own, for a unit that can join a
formation, for one that has joined it, and when its units act."""
MORE = 0.5
"""Weight of each further attack on the same target."""
RALLIES, STRIDE, COMMITS = 0.6, 0.7, 0.9
"""How likely a unit rallies, which share of its movement brings a unit nearer to its goal, and how likely an attacker
pays for the points that it lacks."""
CAMP, DECISIVE_CAMP = 0.002, 0.018
"""Worth of a point less between the nearest units and the enemy's camp; more if the camp decides the battle."""
BAND, HALFWAY = 3, 32
"""Number of units that go for a camp, and the distance in points from which this is worth nothing."""
REACH = 3
"""Distance in points at which a unit without missiles has reached an enemy."""
_SIGN = (1.0, -1.0)


def loss_worth(state: State, player: int) -> float:
    """Return the worth of a loss of a player."""
    return LOSSES / max(state.rout_level(player), 1)


def gap(state: State, unit: int) -> tuple[int, Square | None]:
    """Return the points from a unit on the map to its goal, and the nearest enemy's square."""
    player = state.player_of(unit)
    ground, enemies = open_ground(state, player), state.occupied[1 - player]
    far, nearest = nearest_of(state.setting, ground, state.square_of(unit), enemies)
    return max(far - max(state.side(unit).missile_range, REACH), 0), nearest


@lru_cache(maxsize=65536)
def nearest_of(
    setting: Setting, ground: Squares, square: Square, among: Squares
) -> tuple[int, Square | None]:
    """Return the points of the way to the nearest of some squares, and that square; 0 and None if there is none."""
    far = march(setting, ground, square)
    nearest = min(each(among), key=far.__getitem__, default=None)
    return (0, None) if nearest is None else (far[nearest], nearest)


@dataclass(frozen=True)
class Raid:
    """The way to the enemy's camp, and the units that are nearest to it."""

    far: tuple[int, ...] = ()  # points to the camp from each square
    squares: tuple[Square, ...] = ()
    worth: float = 0.0  # of a point that one of them is nearer


def raid(state: State, player: int) -> Raid:
    """Return the raid of a player: round the enemy's units, where the battle hangs on the camp."""
    enemy = 1 - player
    camp, own = state.camps[enemy], state.occupied[player]
    if camp is None or state.sacked[enemy] or not own:
        return Raid()
    decides = state.setting.special.camp_decides[enemy]
    held = state.occupied[enemy] if decides else 0
    far = march(state.setting, open_ground(state, player), camp, held)
    squares = sorted(each(own), key=far.__getitem__)[:BAND]
    return Raid(far, tuple(squares), (DECISIVE_CAMP if decides else CAMP) / len(squares))


def _stride_worth(state: State, unit: int, raiders: Raid) -> float:
    """Return what a move of a unit should bring: nothing where all squares ahead are full."""
    square, most = state.square_of(unit), STRIDE * state.side(unit).movement
    away, enemy = gap(state, unit)
    worth = 0.0
    if enemy is not None and away:
        far = march(state.setting, open_ground(state, state.player_of(unit)), enemy)
        worth = NEAR * min(away, most) * _has_room(state, square, far)
    if square in raiders.squares:
        left = min(raiders.far[square], most) * _has_room(state, square, raiders.far)
        worth += raiders.worth * left
    return worth


def _has_room(state: State, square: Square, far: tuple[int, ...]) -> bool:
    """Whether a step leads to an empty square that is nearer to a goal."""
    taken = state.occupied[0] | state.occupied[1]
    leave = departures(state, state.player_of(state.at[square]))
    return any(
        other is not None
        and leave[n] >> square & ~(taken >> other) & 1
        and far[other] < far[square]
        for n, other in enumerate(neighbours(state.setting.grid)[square])
    )


def prospects(state: State) -> float:
    """Return what is possible or chosen should bring to the first player, less what it should bring to the second."""
    value = sum(_SIGN[player] * _melees(state, player) for player in (0, 1))
    sign = _SIGN[state.mover]
    if state.combat is not None and state.combat.stage is not Stage.HITS:
        value += sign * _declared(state, state.combat)
    if state.activation is not None and state.activation.order is not Order.MELEE:
        value += sign * _orders(state, state.activation)
    return value


def _melees(state: State, player: int) -> float:
    """Return what the attacks should bring that a player's units can make as they stand."""
    attacks = _attacks(pieces(state))[player]
    if not attacks:
        return 0.0
    (shares, rest), found = _shares(state, player), dict[int | None, list[float]]()
    for unit, target, worth in attacks:
        if share := shares.get(unit, rest):
            found.setdefault(target, []).append(share * worth)
    return sum(
        worth * MORE**n
        for worths in found.values()
        for n, worth in enumerate(sorted(worths, reverse=True))
    )


@lru_cache(maxsize=4096)
def _attacks(part: Part) -> tuple[tuple[tuple[int, int | None, float], ...], ...]:
    """Return for each player the attacks by a unit on a target that should bring something, with what."""
    return tuple(tuple(_attacks_of(part.state, player)) for player in (0, 1))


def _attacks_of(state: State, player: int) -> Iterator[tuple[int, int | None, float]]:
    enemies = enemy_squares(state, player)
    if not zones(state, player).all & enemies:
        return
    for square in each(state.occupied[player] & state.setting.grid.around(enemies)):
        unit = state.at[square]
        for target in () if state.units[unit].disrupted else engaged(state, unit):
            worth = _fight_worth(_fight(state, unit, target))
            if worth > 0.0:
                yield unit, target, worth


def _shares(state: State, player: int) -> tuple[Mapping[int, float], float]:
    """Return the shares that count of attacks by some units of a player, and by all others."""
    activation, combat = state.activation, state.combat
    left = state.actions - (activation is not None) if player == state.mover else 0
    rest = NOW if left else LATER
    if player != state.mover or activation is None or activation.order is not Order.MELEE:
        return {}, rest
    fighting = dict.fromkeys(combat.units if combat is not None else (), 0.0)
    return _chosen(state, activation) | fighting, rest


def _chosen(state: State, activation: Activation) -> dict[int, float]:
    """Return the units that may still act in this action, with the share that counts of what they do."""
    if activation.closed:
        return dict.fromkeys(activation.waiting, READY)
    shares = dict.fromkeys(activation.units, JOINED)
    return shares | dict.fromkeys(joinable(state), CHOSEN)


def _orders(state: State, activation: Activation) -> float:
    """Return what the units of an activation should bring that move, shoot or rally."""
    player, value = state.mover, 0.0
    own_loss = loss_worth(state, player)
    busy = state.combat.units if state.combat is not None else ()
    raiders = raid(state, player)
    for unit, share in _chosen(state, activation).items():
        if activation.order is Order.MOVE:
            value += share * _stride_worth(state, unit, raiders)
        elif activation.order is Order.RALLY:
            value += share * RALLIES * DISRUPTION * own_loss
        elif unit not in busy:
            aims = (target for target in shot_at(state, unit) if target not in activation.struck)
            shots = (_fight_worth(_fight(state, unit, aim, ranged=True)) for aim in aims)
            value += share * max(shots, default=0.0)
    return value


def _declared(state: State, combat: Combat) -> float:
    """Return what an attack should bring that is declared: the best of one unit before any has joined."""
    if combat.units:
        return _combat_worth(state)
    return max(
        (
            _fight_worth(_fight(state, unit, combat.target, ranged=combat.ranged))
            for unit in state.activated.waiting
            if combat.target in (shot_at if combat.ranged else engaged)(state, unit)
        ),
        default=0.0,
    )


def _fight(state: State, unit: int, target: int | None, *, ranged: bool = False) -> Part:
    """Return the attack of a unit on another one, or on the camp of the enemy, equal to others of the same odds."""
    own, now = state.units[unit], None if target is None else state.units[target]
    key = unit, target, ranged, state.setting, own, now, state.leaders, state.sacked, state.played
    return Part(state, key, hash(key))


@lru_cache(maxsize=16384)
def _fight_worth(fight: Part) -> float:
    """Return what an attack should bring to who makes it."""
    state, (unit, target, ranged, *_) = fight.state, fight.key
    square = state.camps[1 - state.player_of(unit)] if target is None else state.square_of(target)
    assert square is not None
    turned = turns_to_aim(state, unit, square) if ranged else 0
    lead = None if ranged else unit
    combat = Combat(target, square, (unit,), ranged, Stage.CARDS, lead, turned=turned)
    return _combat_worth(state.replaced({"combat": combat, "pending": ()}))


def _combat_worth(state: State) -> float:
    """Return what the combat should bring to the attacker."""
    combat = state.fight
    player = state.player_of(combat.units[0])
    if not combat.ranged and combat.lead is None:
        state = state.change_combat(lead=leads(state)[0])
    stakes, law = combat_stakes(state), combat_law(state)
    gain, loss = loss_worth(state, 1 - player), loss_worth(state, player)
    total = sum(law.values())
    mean = sum(
        weight * (gain * stakes.target[hits.target] - loss * stakes.attackers[hits.attackers])
        for hits, weight in law.items()
    )
    chances = [1.0] if combat.ranged else [_commits(state, unit) for unit in combat.units]
    return mean / total * sum(chances) / len(chances)


def _commits(state: State, unit: int) -> float:
    """Return how likely an attacker of the combat overcomes its fear, or pays for the points that it lacks."""
    combat, player = state.fight, state.player_of(unit)
    for one in combat.checked:
        if one.unit == unit:
            hand = sum(deck()[card].commitment for card in state.hands[player])
            return COMMITS * (one.cost <= combat.points + hand)
    if state.leader_of(unit) is not None:
        return 1.0
    return holds(commitment_least(state, unit) - 1, commitment_dice(state, unit))
