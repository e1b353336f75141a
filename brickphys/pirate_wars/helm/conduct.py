"""Conduct: counts of what tells of the play of a battle, such as rams among friends."""

from collections.abc import Mapping

from brickphys.pirate_wars.firing import GunRoll, MusketRoll
from brickphys.pirate_wars.helm.courses import is_in_irons
from brickphys.pirate_wars.state import Fate, Phase, State
from brickphys.pirate_wars.story import PirateRecord, short_handed

COUNTS = (
    "boardings",
    "friendly_rams",
    "left_the_sea",
    "musket_shots",
    "rams",
    "sails_stripped",
    "shots",
    "ships_taken",
    "turns_in_irons",
)


def conduct(record: PirateRecord) -> Mapping[str, int]:
    """Return how often something happened in a battle.

    `sails_stripped` are sail lines lost because too few hands sailed, `turns_in_irons` turns that a ship with sails
    and a crew began so near the wind that it drifted.
    """
    counts = dict.fromkeys(COUNTS, 0)
    for before, step in zip(record.states, record.steps, strict=False):
        after = step.after
        counts["sails_stripped"] += sum(
            before.ships[ship].sails - after.ships[ship].sails
            for ship in short_handed(before, step)
        )
        _count_contacts(counts, before, after)
        counts["shots"] += isinstance(before.first_pending, GunRoll)
        counts["musket_shots"] += isinstance(before.first_pending, MusketRoll)
        if after.round > before.round:
            counts["turns_in_irons"] += sum(
                is_in_irons(after, number) and not after.is_lashed(number)
                for number, ship in after.afloat
                if ship.sails and after.crews[number]
            )
    return counts


def _count_contacts(counts: dict[str, int], before: State, after: State) -> None:
    """Count rams, boardings, and ships that were taken or have left the sea."""
    if before.phase is Phase.MOVEMENT:
        for one, other in set(after.lashed) - set(before.lashed):
            is_friendly = before.team(one) == before.team(other)
            counts["friendly_rams" if is_friendly else "rams"] += 1
    known = {frozenset(one.ships) for one in before.boardings}
    counts["boardings"] += sum(frozenset(one.ships) not in known for one in after.boardings)
    for ship, now in zip(before.ships, after.ships, strict=True):
        counts["left_the_sea"] += ship.is_afloat and now.fate is Fate.LEFT
        counts["ships_taken"] += ship.owner != now.owner
