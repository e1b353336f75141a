"""Setup: the first state of a battle from plain JSON values, with every fault of meaning."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brickphys.errors import ScenarioFileError, raised_as, refuse
from brickphys.pirate_wars.setting import Minifig, Options, Setting, ShipSpec
from brickphys.pirate_wars.sheets import ROLES, Gun, Role, ShipPlace, ShipSheet, ships
from brickphys.pirate_wars.state import MinifigState, ShipState, Spot, State
from brickphys.pirate_wars.turns import overlapping
from brickphys.rules.aims import CirclePositions
from brickphys.rules.record import setup_digest
from brickphys.rules.scenario import Scenario
from brickphys.rules.setup import CircleAimReader, SetupReader
from brickphys.vehicles.scene import Bounds

if TYPE_CHECKING:
    from brickphys.pirate_wars.documents import GunDocument, SetupDocument, ShipDocument

_HELM: Spot = (ShipPlace.HELM, None)
_HANDS = (Role.PIRATE, Role.SAILOR)
"""Roles that serve the guns and handle the sails."""
_ALOFT = (ShipPlace.CASTLE, ShipPlace.DECK, ShipPlace.GUN_DECK, ShipPlace.CABIN)
"""Places of hands who are not at a gun, in this order."""
_ON_DECK = (ShipPlace.DECK, ShipPlace.GUN_DECK, ShipPlace.CABIN, ShipPlace.CASTLE)
"""Places of all others, in this order."""


def rooms(sheet: ShipSheet) -> Counter[Spot]:
    """Return how many minifigs each place of a ship holds: on deck and below, the helm, and its guns."""
    guns = ((ShipPlace.GUN, gun) for gun in range(len(sheet.guns)))
    spots: list[Spot] = [*((place, None) for place in sheet.places), _HELM, *guns]
    return Counter({spot: sheet.room(spot[0]) for spot in spots})


def figures(
    name: str, player: int, ship: int, crew: Mapping[Role, int], women: Mapping[Role, int]
) -> Iterator[Minifig]:
    """Yield the crew of a ship, in the order of roles; the first of a role are the women."""
    for role, count in crew.items():
        for number in range(count):
            ending = f"_{number + 1}" if count > 1 else ""
            is_woman = number < women.get(role, 0)
            yield Minifig(f"{name}_{role.value}{ending}", player, role, ship, is_woman)


def stations(sheet: ShipSheet, ship: int, crew: Sequence[Minifig]) -> list[MinifigState]:
    """Return where the crew of a ship begins; all find a place.

    The first who sails, the captain if there is one, has the helm. As many hands as the sails can spare are at the
    guns: one at each, then a second. Other hands fill the castles, then the deck; all others begin on deck.
    """
    sailing = [number for number, minifig in enumerate(crew) if minifig.sheet.sails]
    hands = [number for number in sailing[1:] if crew[number].role in _HANDS]
    spare = max(len(sailing) - sheet.chart.sails, 0)
    guns: list[Spot] = [(ShipPlace.GUN, gun) for gun in range(len(sheet.guns))]
    at: dict[int, Spot] = dict.fromkeys(sailing[:1], _HELM)
    at |= zip(hands[:spare], guns * sheet.room(ShipPlace.GUN), strict=False)
    free = rooms(sheet) - Counter(at.values())
    for number, minifig in enumerate(crew):
        if number not in at:
            order = _ALOFT if minifig.role in _HANDS else _ON_DECK
            wanted: list[Spot] = [*((place, None) for place in order), _HELM, *guns]
            at[number] = next(slot for slot in wanted if free[slot])
            free[at[number]] -= 1
    return [MinifigState(ship, *at[number]) for number in range(len(crew))]


def first_state(setup: Mapping[str, Any], name: str = "setup") -> State:
    """Return the state in which a battle begins.

    InvalidValueError has the name, and every fault of form, or if there is none, of meaning.
    """
    from brickphys.pirate_wars.documents import SetupDocument
    from brickphys.schema import validated

    reader = BattleReader(validated(SetupDocument, dict(setup), name))
    state = reader.first_state(setup_digest(setup))
    refuse(name, reader.faults)
    assert state is not None
    return state


def begin(scenario: Scenario, name: str = "scenario") -> State:
    """Return the first state of a scenario; ScenarioFileError lists every fault."""
    with raised_as(ScenarioFileError):
        return first_state(scenario.setup, name)


class BattleReader(SetupReader):
    """Reads a setup whose form is sound."""

    def __init__(self, document: "SetupDocument") -> None:
        super().__init__(document.players)
        self._document = document

    def first_state(self, digest: str) -> State | None:
        """Return the first state of a setup with a digest; None if it has a fault."""
        document, teams = self._document, self.team_of
        owners = {entry.id: teams.get(entry.player) for entry in document.ship}
        places = {number: entry.pose.centre_studs for number, entry in enumerate(document.ship)}
        start = CirclePositions(places, [owners[entry.id] for entry in document.ship])
        aims = self.aims(CircleAimReader(teams, owners), document.aims, start)
        self._check_players()
        found = [self._ship(number, entry) for number, entry in enumerate(document.ship)]
        self._check_places()
        if self.faults:
            return None
        specs, crews = zip(*(each for each in found if each), strict=True)
        setting = Setting(
            digest=digest,
            players=tuple(self.players),
            chosen_colours=self.colours,
            sea=Bounds(document.sea.width, document.sea.length),
            wind_deg=document.wind_deg % 360.0,
            teams=self.teams,
            ships=specs,
            minifigs=tuple(minifig for crew in crews for minifig in crew),
            aims=aims,
            options=Options(**dict(document.options)),
        )
        return State(
            setting=setting,
            ships=tuple(
                ShipState.undamaged(spec.sheet, spec.player, entry.pose)
                for spec, entry in zip(specs, document.ship, strict=True)
            ),
            minifigs=tuple(
                minifig
                for number, (spec, crew) in enumerate(zip(specs, crews, strict=True))
                for minifig in stations(spec.sheet, number, crew)
            ),
            holding=(0,) * len(aims),
        )

    def _check_players(self) -> None:
        """Note names that are taken, teams without a ship, and players of one team only."""
        document = self._document
        players, ships = [one.name for one in document.players], [one.id for one in document.ship]
        self.check_names({"players": players, "ship": ships})
        self.check_teams()
        sailing = {entry.player for entry in document.ship}
        if sailing < self.players.keys():
            self.faults += [
                f"players[{number}]: {name} has no ship"
                for name, number in self.players.items()
                if name not in sailing
            ]

    def _ship(
        self, number: int, entry: "ShipDocument"
    ) -> tuple[ShipSpec, tuple[Minifig, ...]] | None:
        """Return a ship and its crew; None if either has a fault, which is noted."""
        before, place, sea = len(self.faults), f"ship[{number}]", self._document.sea
        player = self.find(f"{place}.player", "player", entry.player, self.players)
        sheet = self.find(f"{place}.sheet", "ship", entry.sheet, ships())
        for key, at, size in (("x", entry.x, sea.width), ("y", entry.y, sea.length)):
            if at > size:
                self.faults.append(f"{place}.{key}: {at:g} is off the sea, which ends at {size:g}")
        if sheet is not None and entry.guns is not None:
            sheet = self._armed(place, sheet, entry.guns)
        crew = self._roles(f"{place}.crew", entry.crew)
        women = self._roles(f"{place}.women", entry.women)
        if sheet is not None:
            crew = sheet.full_crew | crew
            self._check_crew(place, sheet, crew, women)
        if player is None or sheet is None or len(self.faults) > before:
            return None
        return ShipSpec(entry.id, player, sheet), tuple(
            figures(entry.id, player, number, crew, women)
        )

    def _armed(self, place: str, sheet: ShipSheet, entries: "list[GunDocument]") -> ShipSheet:
        """Return a sheet with other guns; note those that are not aboard."""
        for number, entry in enumerate(entries):
            if not sheet.covers(entry.ahead, entry.left):
                self.faults.append(
                    f"{place}.guns[{number}]: {entry.ahead:g} ahead and {entry.left:g} to the left is not aboard "
                    f"the {sheet.title}, which is {sheet.length_studs:g} long and {sheet.width_studs:g} wide"
                )
        guns = (
            Gun(each.ahead, each.left, each.bearing_deg, each.light, each.below) for each in entries
        )
        return replace(sheet, guns=tuple(guns))

    def _roles(self, place: str, written: Mapping[str, int]) -> dict[Role, int]:
        found = {name: self.find(f"{place}.{name}", "role", name, ROLES) for name in written}
        return {role: written[name] for name, role in found.items() if role}

    def _check_crew(
        self, place: str, sheet: ShipSheet, crew: Mapping[Role, int], women: Mapping[Role, int]
    ) -> None:
        """Note a crew that is too large or has no one, a second captain, and more women than a role has."""
        count, room, captains = sum(crew.values()), rooms(sheet).total(), crew[Role.CAPTAIN]
        if not 1 <= count <= room:
            aboard = f"{count} minifigs, but the {sheet.title} has room for 1 to {room}"
            self.faults.append(f"{place}.crew: {aboard}")
        if captains > 1:
            self.faults.append(f"{place}.crew.captain: {captains}, but a ship has at most one")
        self.faults += [
            f"{place}.women.{role.value}: {number} of {crew[role]}"
            for role, number in women.items()
            if number > crew[role]
        ]

    def _check_places(self) -> None:
        """Note ships that overlap, as far as their sheets are known."""
        entries, known = self._document.ship, ships()
        placed = (
            (number, known[entry.sheet], entry.pose)
            for number, entry in enumerate(entries)
            if entry.sheet in known
        )
        for one, other in overlapping(placed):
            self.faults.append(f"ship[{other}]: {entries[other].id} overlaps {entries[one].id}")
