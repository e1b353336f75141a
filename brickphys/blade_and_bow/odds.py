"""Odds: exact odds by the rules of the game itself, for the command of that name.

Units that the command line names are put on a small map, to count the dice between them. The odds are those of a melee
(BB 9.4.4 to 9.4.10), a volley (BB 8.5), and of the commitment of an attacker with points of cards (BB 4.1, 9.4.3).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Annotated, NamedTuple

from brickphys.blade_and_bow import dice_law
from brickphys.blade_and_bow.combat.attack import leads
from brickphys.blade_and_bow.combat.commitment import commitment_dice, commitment_least
from brickphys.blade_and_bow.combat.hits import receivers, shares
from brickphys.blade_and_bow.pieces import Combat, Stage
from brickphys.blade_and_bow.setting import LeaderSpec, Setting, UnitSpec
from brickphys.blade_and_bow.sheets import FACES, Counter, charts, counters
from brickphys.blade_and_bow.state import Phase, State
from brickphys.errors import InvalidValueError, unknown
from brickphys.grid.grid import DIRECTIONS, FACINGS, Grid, Square
from brickphys.odds.distribution import Distribution, summed
from brickphys.rules.report.parts import OddsReport, distribution, swap_hint
from brickphys.rules.setup import lookup
from brickphys.text import counted, spoken

TARGET = 0
"""The number of the unit that is attacked; those that attack follow."""
MOST_RANKS, _MOST_MORALE = 6, 5
_SIZE, _FACING = 9, 2
_GRID = Grid(_SIZE, _SIZE)
_MIDDLE = _GRID.square(_SIZE // 2, _SIZE // 2)
_FRONT = "front"
_SIDES = {_FRONT: (0, 1, -1), "left": (2,), "right": (-2,), "rear": (4, 3, -3)}
"""Directions of the attackers from the target, relative to its facing, in the order in which they are filled."""
_LEADERS = {"leader": 0, "beside": 1, "near": 2}
"""Distance of a leader in squares."""
_MARKS = ("disrupted", "wall")
_RANKS = re.compile(r"ranks=(\d+)")


class NamedUnit(NamedTuple):
    """A unit as the command line names it; `side` is that of the target, if it is named."""

    counter: Counter
    side: str = ""
    ranks: int = 0
    disrupted: bool = False
    wall: bool = False
    leader: int | None = None
    terrain: str = "clear"

    @property
    def marks(self) -> list[str]:
        """The words of what its counter is marked with."""
        return [mark for mark in _MARKS if getattr(self, mark)]

    @property
    def words(self) -> str:
        """The unit in words."""
        led = [word for word, squares in _LEADERS.items() if squares == self.leader]
        ranks = [f"+{self.ranks}"] if self.counter.has_ranks else []
        ground = [] if self.terrain == "clear" else [f"in {spoken(self.terrain)}"]
        named = [*self.marks, spoken(self.counter.name)]
        return " ".join([*named, *ranks, *(f"({word})" for word in led), *ground])


def party(text: str) -> list[NamedUnit]:
    """Return the units of a text such as ``2*archers+psiloi``; InvalidValueError as of `fighter`."""
    found: list[NamedUnit] = []
    for part in text.split("+"):
        count = re.match(r"\s*(\d+)\s*\*", part)
        bounded(f"units in {part}", many := int(count[1]) if count else 1, 1, FACINGS)
        found += [fighter(part[count.end() :] if count else part)] * many
    return found


def fighter(text: str) -> NamedUnit:
    """Return the unit of a text such as ``hoplite,ranks=2,leader``.

    InvalidValueError if it names no kind, a word says nothing of a unit or the same as another, or what cannot be.
    """
    kind, *words = (word.strip() for word in text.split(","))
    found, said = NamedUnit(lookup("kind of unit", kind, counters())), dict[str, str]()
    for word in words:
        key, value = _meaning(text, word)
        if key in said:
            raise InvalidValueError(f"{text}: {word!r} after {said[key]!r}: both give its {key}")
        said[key] = word
        found = found._replace(**{key: value})  # type: ignore[arg-type]
    if not found.ranks <= (MOST_RANKS if found.counter.has_ranks else 0):
        most = f"0 to {MOST_RANKS}" if found.counter.has_ranks else "open: it has none"
        raise InvalidValueError(f"{text}: ranks={found.ranks}, and {kind} is {most} (BB 3.6)")
    if found.wall and (found.disrupted or found.counter.is_horse):
        why = "cavalry" if found.counter.is_horse else "a disrupted unit"
        raise InvalidValueError(f"{text}: {why} cannot have a shield wall (BB 13)")
    return found


def _meaning(text: str, word: str) -> tuple[str, object]:
    """Return what a word says of a unit: the field of `NamedUnit`, and its value."""
    if ranks := _RANKS.fullmatch(word):
        return "ranks", int(ranks[1])
    if word in _MARKS:
        return word, True
    if word in _LEADERS:
        return "leader", _LEADERS[word]
    if word in _SIDES:
        return "side", word
    grounds = [name for name, ground in charts().terrain.items() if not ground.closed]
    if word in grounds:
        return "terrain", word
    if word in charts().terrain:
        raise InvalidValueError(f"{text}: no unit can stand in {word}")
    known = ("ranks=1", *_MARKS, *_LEADERS, *_SIDES, *grounds)
    raise unknown(f"word of {text}", word, known)


def bounded(what: str, number: int, least: int, most: int) -> None:
    """Refuse a number that is out of its bounds by an InvalidValueError."""
    if not least <= number <= most:
        raise InvalidValueError(f"{what}: {number} is outside {least}..{most}")


def stage(
    target: NamedUnit,
    attackers: Sequence[NamedUnit],
    morale: tuple[int, int] = (3, 3),
    *,
    ranged: bool = False,
    turned: int = 0,
) -> State:
    """Return the combat of some units, all others far away, before any card is played or die rolled.

    The target is in the middle. The attackers stand on its sides, or shoot and have turned by so many directions. The
    morale is that of the attacker's army and of the target's.

    InvalidValueError if a side has no room for so many attackers, a unit has a side that attacks from none, the target
    a leader who is not with it, or a morale is none.
    """
    for value in morale:
        bounded("morale", value, 1, _MOST_MORALE)
    for one in (target, *(attackers if ranged else ())):
        if one.side:
            raise InvalidValueError(
                f"{one.words}, {one.side}: only the attackers of a melee have a side (BB 3.1.1)"
            )
    if target.leader:
        raise InvalidValueError(
            f"{target.words}: a leader who is not with a unit helps only attackers (BB 9.4.3.1)"
        )
    fighters = tuple(_placed(target, attackers, ranged=ranged))
    state = State.printed(_setting(fighters, morale))
    for number, (one, _, _) in enumerate(fighters):
        state = state.change_unit(number, **dict.fromkeys(one.marks, True))
    party = tuple(range(1, len(fighters)))
    combat = Combat(TARGET, _MIDDLE, party, ranged, turned=turned)
    phase = {"turn": 1, "phase": Phase.IMPULSES, "actions": 1}
    state = state.replaced({**phase, "combat": combat})
    return state if ranged else state.change_combat(lead=leads(state)[0], stage=Stage.CARDS)


_Placed = tuple[NamedUnit, Square, int]
"""A unit with its square and its facing."""


def _placed(
    target: NamedUnit, attackers: Sequence[NamedUnit], *, ranged: bool
) -> Iterator[_Placed]:
    """Yield the target in the middle, and each attacker on its side."""
    yield target, _MIDDLE, _FACING
    used = set[int]()
    for one in attackers:
        around = range(FACINGS) if ranged else _SIDES[one.side or _FRONT]
        free = [off for off in around if off not in used]
        if not free:
            raise InvalidValueError(
                f"{one.words}: no room is left on the {one.side or _FRONT} (BB 3.1.1)"
            )
        used.add(free[0])
        way = (_FACING + free[0]) % FACINGS
        yield one, _beyond(_MIDDLE, way, 1), (way + FACINGS // 2) % FACINGS


def _setting(fighters: Sequence[_Placed], morale: tuple[int, int]) -> Setting:
    """Return the map with these units, their leaders and a commander far away for each side."""
    terrain = [charts().terrain["clear"]] * (_SIZE * _SIZE)
    commanders = enumerate((_SIZE * _SIZE - 1, 0))
    leaders = [
        LeaderSpec(f"commander_{player}", player, 1, 0, morale[player], "red", square)
        for player, square in commanders
    ]
    units = []
    for n, (one, square, facing) in enumerate(fighters):
        player = int(n == TARGET)
        units.append(UnitSpec(f"unit_{n}", player, one.counter, square, facing, one.ranks))
        terrain[square] = charts().terrain[one.terrain]
        if one.leader is not None:
            behind = _beyond(square, (facing + FACINGS // 2) % FACINGS, one.leader)
            leaders.append(LeaderSpec(f"leader_{n}", player, 2, 0, 1, "red", behind))
    return Setting(
        digest=repr((fighters, morale)),
        players=("attacker", "target"),
        grid=_GRID,
        terrain=tuple(terrain),
        walls=frozenset(),
        units=tuple(units),
        leaders=tuple(leaders),
        camp_places=((), ()),
        impulses=(1, 1),
        rout_levels=(1, 1),
        tie_breaker=0,
    )


def _beyond(square: Square, way: int, far: int) -> Square:
    """Return the square so many steps away."""
    (x, y), (dx, dy) = _GRID.xy(square), DIRECTIONS[way]
    return _GRID.square(x + far * dx, y + far * dy)


MOST_RIGHTS = 6
"""Re-rolls of a side."""


def melee(
    attackers: Annotated[str, "Attackers, joined by +; 2*spears means two units."],
    target: Annotated[str, "Who is attacked."],
    attack_dice: Annotated[int, "Dice that cards add to the attack."] = 0,
    defence_dice: Annotated[int, "Dice that cards add to the defence."] = 0,
    attack_rerolls: Annotated[int, "Re-rolls that cards give the attacker."] = 0,
    defence_rerolls: Annotated[int, "Re-rolls that cards give the defender."] = 0,
    attacker_morale: Annotated[int, "Command value of the attacker's commander, 1 to 5."] = 3,
    target_morale: Annotated[int, "Command value of the target's commander, 1 to 5."] = 3,
) -> OddsReport:
    """Compute a melee: its hits and their effects (BB 9.4).

    Write a unit as its kind and, separated by commas, the words that count: ranks=2, disrupted, wall (a shield wall),
    leader (stacked with the unit), its ground, and for attackers the side of the target: front, left, right, rear.

    The lead is the attacker whose faces count, who takes the first hit, and who advances. Hits disrupt a unit, take its
    ranks, and make it recoil or rout.

    Each side re-rolls the dice that are best for it, the attacker first. It compares costs: a lost rank 1, a disruption
    0.3, a recoil 0.15, a rout 0.8. A unit that recoils has room.

    Example: brickphys odds blade_and_bow melee hoplite,ranks=2,leader+peltast,left immortals
    """
    those, struck = party(attackers), fighter(target)
    state = stage(struck, those, (attacker_morale, target_morale))
    own, other = dice_law.sides(state)
    own = _with_cards("attack", own, attack_dice, attack_rerolls)
    other = _with_cards("defence", other, defence_dice, defence_rerolls)
    law = dice_law.clash(own, other, dice_law.combat_stakes(state))
    on_target, on_attackers = _marginals(law)
    count = len(receivers(state))
    first = [(shares(hits, count)[0], chance) for hits, chance in on_attackers.items()]
    target_fates = dice_law.fates("target", dice_law.stand(state, TARGET), on_target)
    lead_fates = dice_law.fates("lead", dice_law.stand(state, state.lead), distribution(first))
    return OddsReport(
        f"{' and '.join(one.words for one in those)} against {struck.words}: {_words(own)} against {_words(other)}",
        {**target_fates[0], **lead_fates[0]},
        {
            "hits on the target": on_target,
            "hits on the attackers": on_attackers,
            **target_fates[1],
            **lead_fates[1],
        },
    )


def dice(
    attack: Annotated[int, "Dice of the attacker, 1 to 8."],
    defence: Annotated[int, "Dice of the defender, 0 to 8."],
    attack_hits: Annotated[int, "Faces of the attacker's dice that are hits."] = 2,
    attack_cancels: Annotated[int, "Faces that are cancellations."] = 2,
    defence_hits: Annotated[int, "Faces of the defender's dice that are hits."] = 2,
    defence_cancels: Annotated[int, "Faces that are cancellations."] = 2,
    attack_rerolls: Annotated[int, "Dice that the attacker may re-roll."] = 1,
    defence_rerolls: Annotated[int, "Dice that the defender may re-roll."] = 0,
) -> OddsReport:
    """Compute a melee by numbers of dice (BB 9.4.5 to 9.4.7).

    Each side re-rolls the dice that are best for it, the attacker first; all remaining hits count the same.

    Example: brickphys odds blade_and_bow dice 6 4 --defence-hits 1
    """
    own = _side("attack", attack, attack_hits, attack_cancels, attack_rerolls, least=1)
    other = _side("defence", defence, defence_hits, defence_cancels, defence_rerolls)
    on_target, on_attackers = law = _marginals(dice_law.clash(own, other, dice_law.EACH_HIT))
    none = [side.probability(0) for side in law]
    return OddsReport(
        f"{_words(own)} against {_words(other)}",
        {"the target is hit": 1 - none[0], "an attacker is hit": 1 - none[1]},
        {"hits on the target": on_target, "hits on the attackers": on_attackers},
    )


def _side(
    what: str, count: int, hits: int, cancels: int, rights: int, least: int = 0
) -> dice_law.DiceSide:
    most = charts().dice["most"]
    bounded(f"{what}: dice", count, least, most)
    bounded(f"{what}: re-rolls", rights, 0, MOST_RIGHTS)
    bounded(f"{what}: faces that are hits", hits, 0, 6)
    bounded(f"{what}: faces that are cancellations", cancels, 0, 6 - hits)
    return dice_law.DiceSide(count, hits, cancels, rights if count else 0)


def _with_cards(what: str, side: dice_law.DiceSide, more: int, rights: int) -> dice_law.DiceSide:
    """Return a side with what cards add, at most eight dice (BB 9.4.4)."""
    most = charts().dice["most"]
    bounded(f"{what}: dice of cards", more, 0, most)
    bounded(f"{what}: re-rolls of cards", rights, 0, MOST_RIGHTS - side.rerolls)
    return side._replace(dice=min(side.dice + more, most), rerolls=side.rerolls + rights)


def _marginals(law: Mapping[dice_law.Hits, int]) -> tuple[Distribution, Distribution]:
    """Return the laws of the hits on the target and on the attackers."""
    first, second = (
        distribution((hits[n], share) for hits, share in dice_law.chances(law)) for n in (0, 1)
    )
    return first, second


def _words(side: dice_law.DiceSide) -> str:
    faces = f"{counted(side.hits, 'face')} to hit, {side.cancels} to cancel"
    rights = f", {counted(side.rerolls, 're-roll')}" if side.rerolls else ""
    return f"{counted(side.dice, 'die', 'dice')} ({faces}{rights})"


def missile(
    shooters: Annotated[str, "Shooters, joined by +; 3*archers means three units."],
    target: Annotated[str, "At whom."],
    turned: Annotated[int, "Total number of directions by which the shooters turn, 0 to 12."] = 0,
    target_morale: Annotated[int, "Command value of the target's commander, 1 to 5."] = 3,
) -> OddsReport:
    """Compute a volley: its hits and their effects (BB 8.5).

    Write units as for ``melee``. A unit that recoils has room.

    Example: brickphys odds blade_and_bow missile 2*archers+psiloi hoplite,ranks=1
    """
    bounded("turned", turned, 0, 12)
    those, struck = party(shooters), fighter(target)
    for one in those:
        if not _shoots(one):
            hint = swap_hint(shooters, target, shoots=_shoots(struck))
            raise InvalidValueError(f"{one.words} cannot shoot (BB 3.5, 8.0){hint}")
    state = stage(struck, those, (3, target_morale), ranged=True, turned=turned)
    hits, _ = _marginals(dice_law.combat_law(state))
    own, other = dice_law.sides(state)
    found, ranks = dice_law.fates("target", dice_law.stand(state, TARGET), hits, ranged=True)
    names = " and ".join(one.words for one in those)
    pools = f"{counted(own.dice, 'die', 'dice')} against {counted(other.dice, 'die', 'dice')}"
    return OddsReport(f"{names} at {struck.words}: {pools}", found, {"hits": hits, **ranks})


def _shoots(one: NamedUnit) -> bool:
    return bool(one.counter.good.missile_dice) and not one.disrupted


_COVER = "woods"
_MORALE = 3


def attack(
    attackers: Annotated[str, "Attackers, joined by +; 2*spears means two units."],
    target: Annotated[str, "Who is attacked."],
    range: Annotated[int | None, "Distance in points; then only missiles count."] = None,  # noqa: A002
    cover: Annotated[
        bool, "The target is in woods. Write a unit in a town as hoplite,town."
    ] = False,
    attacker_morale: Annotated[
        int, "Command value of the attacker's commander, 1 to 5; for a melee only."
    ] = _MORALE,
    target_morale: Annotated[int, "Command value of the target's commander, 1 to 5."] = _MORALE,
) -> OddsReport:
    """Compute a melee, or a volley with --range (BB 8.5, 9.4).

    Write units as for ``melee``. The lead is the attacker whose faces count, who takes the first hit, and who advances.

    Example: brickphys odds blade_and_bow attack archers hoplite,ranks=1 --range 4 --cover
    """
    if range is None:
        if cover:
            raise InvalidValueError("--cover applies to missiles only: give --range (BB 8.5)")
        return melee(
            attackers, target, attacker_morale=attacker_morale, target_morale=target_morale
        )
    if attacker_morale != _MORALE:
        raise InvalidValueError(
            "--attacker-morale applies to melees only: leave out --range (BB 8.5)"
        )
    if range < 0:
        raise InvalidValueError(f"--range: {range} is below 0")
    for one in party(attackers):
        reach = one.counter.good.missile_range
        if one.counter.good.missile_dice and range > reach:
            raise InvalidValueError(
                f"--range: {range} is beyond the missiles of {spoken(one.counter.name)}, whose range is "
                f"{reach} points (BB 8.2)"
            )
    struck = f"{target},{_COVER}" if cover and fighter(target).terrain != _COVER else target
    return missile(attackers, struck, target_morale=target_morale)


MOST_POINTS = 20
_ATTACKER = 1


def commit(
    attacker: Annotated[str, "Who attacks."],
    target: Annotated[str, "Who is attacked."],
    points: Annotated[int, "Points of commitment from cards, 0 to 20."] = 0,
    morale: Annotated[int, "Command value of the attacker's commander, 1 to 5."] = 3,
    lost_camp: Annotated[bool, "The attacker's camp is lost."] = False,
) -> OddsReport:
    """Compute a commitment roll before an attack (BB 9.4.3).

    The result has the chance to attack, and the missing points. Write units as for ``melee``. For the attacker, beside
    means a leader in an adjacent square, near a leader two squares away.

    Example: brickphys odds blade_and_bow commit hoplite,beside immortals --points 2
    """
    bounded("points", points, 0, MOST_POINTS)
    one, other = fighter(attacker), fighter(target)
    state = stage(other, [one], (morale, 3)).replaced({"sacked": (lost_camp, False)})
    count = commitment_dice(state, _ATTACKER)
    least = commitment_least(state, _ATTACKER)
    certain = state.leader_of(_ATTACKER) is not None
    lacks = lacking(0 if certain else count, least)
    passes = sum((chance for lack, chance in lacks.items() if lack <= points), Fraction(0))
    rolls = f"{counted(count, 'die', 'dice')}, failing from {least}"
    if certain or not count or least > FACES:
        rolls = "no roll is needed (BB 9.4.3)"
    helped = {f"it attacks with {counted(points, 'point')}": passes} if points else {}
    return OddsReport(
        f"{one.words} attacks {other.words} from the {one.side or 'front'}: {rolls}",
        {"it attacks without points": lacks.probability(0), **helped},
        {"points that it lacks": lacks},
    )


def lacking(dice: int, least: int) -> Distribution:
    """Return the law of the points that morale dice lack together, given the least face that fails (BB 4.1)."""
    found = {0: Fraction(1)}
    for _ in range(dice):
        found = summed(
            (lack + max(face - least + 1, 0), chance / FACES)
            for (lack, chance), face in product(found.items(), range(1, FACES + 1))
        )
    return distribution(found.items())


ODDS: Mapping[str, Callable[..., OddsReport]] = {
    "attack": attack,
    "melee": melee,
    "dice": dice,
    "missile": missile,
    "commit": commit,
}
