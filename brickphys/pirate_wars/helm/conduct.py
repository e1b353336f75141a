"""Conduct: counts of what tells of the play of a battle, such as rams among friends."""

from collections.abc import Mapping

from brickphys.pirate_wars.firing import GunRoll, MusketRoll
from brickphys.pirate_wars.sailing import is_in_irons
from brickphys.pirate_wars.state import SAILING_PLACES, Fate, Phase, State
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


def conduct(record: PirateRecord, player: int) -> Mapping[str, int]:
    """Return how often something happened by a player's ships or to them in a battle.

    `ships_taken` are those that it took, `sails_stripped` sail lines lost because orders called hands away from them,
    `turns_in_irons` turns that a ship with sails and a crew began so near the wind that it drifted.
    """
    counts, began = dict.fromkeys(COUNTS, 0), record.initial
    for before, step in zip(record.states, record.steps, strict=False):
        after = step.after
        if before.phase is not Phase.TASKS:
            began = after
        counts["sails_stripped"] += sum(
            min(
                before.ships[ship].sails - after.ships[ship].sails,
                _called_away(began, before, ship),
            )
            for ship in short_handed(before, step)
            if before.ships[ship].owner == player
        )
        _count_contacts(counts, before, after, player)
        roll = before.first_pending
        if isinstance(roll, GunRoll):
            counts["shots"] += before.ships[roll.ship].owner == player
        elif isinstance(roll, MusketRoll):
            counts["musket_shots"] += before.commander(roll.minifig) == player
        if after.round > before.round:
            counts["turns_in_irons"] += sum(
                is_in_irons(after, number) and not after.is_lashed(number)
                for number, ship in after.afloat
                if ship.owner == player and ship.sails and after.crews[number]
            )
    return counts


def _called_away(began: State, now: State, ship: int) -> int:
    """Return how many who stood at the sails of a ship when the tasks began have another order."""
    specs, places = now.setting.minifigs, began.minifigs
    return sum(
        specs[one].sheet.sails > 0 and places[one].place in SAILING_PLACES
        for one in now.crews[ship]
        if one in now.employed
    )


def _count_contacts(counts: dict[str, int], before: State, after: State, player: int) -> None:
    """Count rams, boardings, and ships that were taken or have left the sea."""
    owners = [ship.owner for ship in before.ships]
    if before.phase is Phase.MOVEMENT and before.active is not None:
        for one, other in set(after.lashed) - set(before.lashed):
            if owners[before.active] != player:
                continue
            is_friendly = before.team(one) == before.team(other)
            counts["friendly_rams" if is_friendly else "rams"] += 1
    known = {frozenset(one.ships) for one in before.boardings}
    counts["boardings"] += sum(
        owners[one.attacker] == player and frozenset(one.ships) not in known
        for one in after.boardings
    )
    for ship, now in zip(before.ships, after.ships, strict=True):
        if ship.owner == player:
            counts["left_the_sea"] += ship.is_afloat and now.fate is Fate.LEFT
        counts["ships_taken"] += ship.owner != now.owner == player
