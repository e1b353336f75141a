"""Rolls: what the dice of a battle decided, as clauses with the sections of the book."""

from brickphys.pirate_wars.damage.casualties import fighters
from brickphys.pirate_wars.report.clauses import INITIATIVE, Clause, minifig_name, ship_name
from brickphys.pirate_wars.sheets.charts import tasks_chart
from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.state.state import MoraleCause, State
from brickphys.pirate_wars.tasks.boarding import BoardingRoll, losses, strength
from brickphys.pirate_wars.tasks.critical import CriticalRoll
from brickphys.pirate_wars.tasks.firing import GunRoll, MusketRoll
from brickphys.pirate_wars.tasks.gunnery import rakes
from brickphys.pirate_wars.turns.initiative import InitiativeRoll
from brickphys.pirate_wars.turns.morale import MoraleRoll, causes, held_by, is_passed, target
from brickphys.pirate_wars.turns.sharks import EATEN_FROM, SharkRoll
from brickphys.rules.events.event import Outcome
from brickphys.text import agreed, counted, spoken

_CAUSES = {
    MoraleCause.ADRIFT: "being adrift",
    MoraleCause.BOARDING: "a lost boarding",
    MoraleCause.CAPTAIN: "its dead captain",
    MoraleCause.HALF_CREW: "the loss of half of its crew",
}


def roll_clause(before: State, outcome: Outcome) -> Clause:
    """Return what was rolled for, and what the dice show."""
    roll, shown = before.first_pending, tuple(map(int, outcome))  # type: ignore[arg-type]
    face, minifigs = shown[0], before.setting.minifigs
    match roll:
        case InitiativeRoll():
            player = before.setting.players[roll.tied[len(roll.scores)]]
            return Clause(INITIATIVE, f"{agreed(spoken(player), 'roll')} {face}")
        case GunRoll():
            return Clause(ship_name(before, roll.ship), _gun(before, roll, shown))
        case MusketRoll():
            (ship, name), aim = minifig_name(before, roll.minifig), ship_name(before, roll.target)
            text = f"{spoken(name)} shoots at {aim}: {'hit' if face else 'missed'} (PW Firing)"
            return Clause(ship, text)
        case CriticalRoll():
            effect = tasks_chart().critical[face - 1]
            text = f"a critical hit, {face}: the {effect} (PW Critical Hit Chart)"
            return Clause(ship_name(before, roll.ship), text)
        case BoardingRoll():
            own = roll.attacker if roll.face is None else roll.defender
            return Clause(ship_name(before, own), f"{_fight(before, roll, face)} (PW Boarding)")
        case MoraleRoll():
            return Clause(ship_name(before, roll.ship), _morale(before, roll.ship, face))
        case _:
            assert isinstance(roll, SharkRoll)
            result = "is eaten" if face >= EATEN_FROM else "escapes"
            name = spoken(minifigs[roll.minifig].name)
            return Clause("sharks", f"{name} {result} with {face} (PW Morale)")


def _gun(before: State, roll: GunRoll, shown: tuple[int, ...]) -> str:
    hits, _, sixes = shown
    what = f"gun{roll.gun} fires {roll.ammunition.value} at {ship_name(before, roll.target)}"
    remark = f", {counted(sixes, 'six', 'sixes')}" if sixes == sum(shown) else ""
    if hits and roll.ammunition is Ammunition.SHOT and rakes(before, roll.ship, roll.target):
        remark = ", doubled by raking"
    return f"{what}: {hits} of {sum(shown)} hit{remark} (PW Firing)"


def _fight(before: State, roll: BoardingRoll, face: int) -> str:
    """Return the die of a side in a round of boarding; after the second one also what both lose."""
    sides = (roll.attacker, roll.defender)
    own, other = sides if roll.face is None else sides[::-1]
    strengths = strength(before, own), strength(before, other)
    with_what = f"{strengths[0]} against {strengths[1]}{_at_work(before, own)}"
    text = f"fights {ship_name(before, other)} with {with_what} and rolls {face}"
    if roll.face is None:
        return text
    lost = losses((roll.face, face), strengths[::-1])
    both = (
        f"{ship_name(before, ship)} loses {counted(min(count, len(fighters(before, ship))), 'minifig')}"
        for ship, count in zip(sides, lost, strict=True)
    )
    return f"{text}: {' and '.join(both)}"


def _at_work(before: State, ship: int) -> str:
    """Return how many of a crew have another task in this turn, and do not fight (PW Tasks)."""
    count = sum(number in before.working for number in fighters(before, ship))
    return f" ({counted(count, 'minifig')} of its own at other tasks)" if count else ""


def _morale(before: State, ship: int, face: int) -> str:
    least = target(before, ship)
    why = " and ".join(_CAUSES[cause] for cause in causes(before, ship)) or "its return"
    result = "passes" if is_passed(face, least) else "fails"
    return f"tests its morale for {why} and {result}: {face}, where {held_by(least)} (PW Morale)"
