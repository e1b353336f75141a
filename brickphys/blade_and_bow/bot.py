"""Bot: the estimated value of an unfinished battle for each player, for bots; no rule.

Losses count against the rout level, and so do imminent losses: units that are disrupted or have routed. Actions that
are chosen but not yet done count with their expected gain, so that a search may stop anywhere. These count a little:
units near the enemy that face him, leaders near the units, cards, and a way to the enemy's camp.

Melees and volleys are judged by the exact law of their dice with the best re-rolls (`odds`). An attack that is
possible counts in part, more if units are activated for it, and in full once it is declared.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from brickphys.blade_and_bow import dice_law
from brickphys.blade_and_bow.combat.attack import leads
from brickphys.blade_and_bow.combat.commitment import commitment_dice, commitment_least
from brickphys.blade_and_bow.command.formation import engaged, joinable, shot_at
from brickphys.blade_and_bow.deck import deck
from brickphys.blade_and_bow.ground import (
    arc,
    departures,
    enemy_squares,
    neighbours,
    turns_to_aim,
    within,
    zones,
)
from brickphys.blade_and_bow.pieces import Activation, Box, Combat, FormationOrder, Stage
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.state import State, StatePart, part_of_pieces
from brickphys.blade_and_bow.ways import march, open_ground
from brickphys.grid.grid import Square, Squares, each

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
    if state.activation is not None and state.activation.order is not FormationOrder.MELEE:
        value += sign * _orders(state, state.activation)
    return value


def _melees(state: State, player: int) -> float:
    """Return what the attacks should bring that a player's units can make as they stand."""
    attacks = _attacks(part_of_pieces(state))[player]
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
def _attacks(part: StatePart) -> tuple[tuple[tuple[int, int | None, float], ...], ...]:
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
    if player != state.mover or activation is None or activation.order is not FormationOrder.MELEE:
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
        if activation.order is FormationOrder.MOVE:
            value += share * _stride_worth(state, unit, raiders)
        elif activation.order is FormationOrder.RALLY:
            value += share * RALLIES * dice_law.DISRUPTION * own_loss
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


def _fight(state: State, unit: int, target: int | None, *, ranged: bool = False) -> StatePart:
    """Return the attack of a unit on another one, or on the camp of the enemy, equal to others of the same odds."""
    own, now = state.units[unit], None if target is None else state.units[target]
    key = unit, target, ranged, state.setting, own, now, state.leaders, state.sacked, state.played
    return StatePart(state, key, hash(key))


@lru_cache(maxsize=16384)
def _fight_worth(fight: StatePart) -> float:
    """Return what an attack should bring to who makes it."""
    state, (unit, target, ranged, *_) = fight.state, fight.key
    square = state.camps[1 - state.player_of(unit)] if target is None else state.square_of(target)
    assert square is not None
    turned = turns_to_aim(state, unit, square) if ranged else 0
    lead = None if ranged else unit
    combat = Combat(target, square, (unit,), ranged, Stage.CARDS, lead, turned=turned)
    return _combat_worth(state.replaced({"combat": combat, "pending": ()}))


def _combat_worth(state: State) -> float:
    combat = state.fight
    player = state.player_of(combat.units[0])
    if not combat.ranged and combat.lead is None:
        state = state.change_combat(lead=leads(state)[0])
    stakes, law = dice_law.combat_stakes(state), dice_law.combat_law(state)
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
    return dice_law.holds(commitment_least(state, unit) - 1, commitment_dice(state, unit))


BROKEN = 0.2
"""Worth of reaching the rout level."""
LOOKS = 0.0016
"""Worth of a unit that faces the nearest enemy."""
COMMANDED, CARD = 0.0005, 0.004
"""Worth of a unit in the range of a leader, and of a card."""
_BOX_LOSSES = {Box.ROUTED: 0.6, Box.RALLIED: 0.2, Box.CAPTURED: 0.3, Box.WAITING: 0.8}
"""Losses that pieces in a box count as."""
EXPOSED, SAFE = 0.01, 4
"""Worth of each point between the enemy and a leader who decides the battle; points up to which this counts."""
_LEADER_LOSS = 1.0
"""Losses that a killed leader counts as."""
_BOUND = 0.95


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, about -1 to 1; nearness counts for who comes near alone."""
    return _worth(matter(state))


def matter(state: State) -> StatePart:
    """Return what of a state counts: states that a bot imagines often differ in other cards only."""
    combat = state.combat
    paying = state.hands[state.mover] if combat is not None and combat.checked else ()
    whole = state.setting, state.units, state.leaders, state.camps, state.sacked, state.losses
    course = state.mover, state.actions, state.activation, combat, state.played, state.pending
    return StatePart(
        state,
        (*whole, *course, state.discovered, *map(len, state.hands), paying),
        state.public_hash,
    )


@lru_cache(maxsize=4096)
def _worth(part: StatePart) -> tuple[float, float]:
    """Return the worth of a state to both players: the first is ahead by what is left and what is to come."""
    state = part.state
    lead = _standing(state, 0) - _standing(state, 1) + prospects(state)
    first, second = _positions(part_of_pieces(state))
    return max(-_BOUND, min(_BOUND, first + lead)), max(-_BOUND, min(_BOUND, second - lead))


def _standing(state: State, player: int) -> float:
    """Return the worth of what a player has left, at most 0."""
    setting = state.setting
    level = state.rout_level(player)
    lost = soft = float(state.losses[player])
    for spec, unit in zip(setting.units, state.units, strict=True):
        if spec.player == player:
            on_map = dice_law.DISRUPTION * unit.disrupted
            soft += on_map if unit.box is Box.MAP else _BOX_LOSSES.get(unit.box, 0.0)
    for leader_spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if leader_spec.player == player:
            killed = (
                dice_law.DECISIVE if leader_spec.name == setting.special.mortal else _LEADER_LOSS
            )
            soft += killed if leader.box is Box.ELIMINATED else _BOX_LOSSES.get(leader.box, 0.0)
    decides = setting.special.camp_decides[player]
    soft += (dice_law.DECISIVE if decides else dice_law.SACK) * state.sacked[player]
    return -LOSSES * soft / level - BROKEN * (lost >= level) + CARD * len(state.hands[player])


@lru_cache(maxsize=4096)
def _positions(part: StatePart) -> tuple[float, float]:
    return _position(part.state, 0), _position(part.state, 1)


def _position(state: State, player: int) -> float:
    """Return the worth of the places of a player's units and leaders: a few hundredths."""
    grid, here = state.setting.grid, state.at
    value = 0.0
    own = list(each(state.occupied[player]))
    for square in own:
        away, enemy = gap(state, here[square])
        value -= NEAR * away
        if enemy is not None:
            value += LOOKS * (arc(grid, square, state.units[here[square]].facing) >> enemy & 1)
    for number, leader in enumerate(state.leaders):
        spec = state.setting.leaders[number]
        if spec.player == player and leader.square is not None:
            commanded = state.occupied[player] & within(grid, leader.square, spec.range_points)
            value += COMMANDED * commanded.bit_count()
            if spec.name == state.setting.special.mortal:
                ground, enemies = open_ground(state, player), state.occupied[1 - player]
                away, _ = nearest_of(state.setting, ground, leader.square, enemies)
                value -= EXPOSED * max(SAFE - away, 0)
    raiders = raid(state, player)
    left = sum(raiders.far[square] - HALFWAY for square in raiders.squares)
    return value - raiders.worth * left
