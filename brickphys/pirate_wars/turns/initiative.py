"""Initiative: the roll for the order of the players; only players who tie roll again (PW Initiative)."""

from dataclasses import dataclass, replace

from brickphys.pirate_wars.state.pending import DieRoll
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.rules.turn_state import Count, PlayerNumber
from brickphys.text import spoken


@dataclass(frozen=True, slots=True)
class InitiativeRoll(DieRoll):
    """The roll of the next player.

    `places` holds the players in the order that is known so far, the lowest first; those who tie share a place.
    `scores` holds the rolls of those who share the first such place, as far as they have rolled.
    """

    places: tuple[tuple[PlayerNumber, ...], ...]
    scores: tuple[Count, ...] = ()

    @property
    def tied(self) -> tuple[int, ...]:
        """The players who roll now, one after the other."""
        return next((place for place in self.places if len(place) > 1), ())

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        faults = []
        if state.phase is not Phase.INITIATIVE:
            faults.append(f"pending: initiative in the phase {state.phase.value}")
        players = [player for place in self.places for player in place]
        if sorted(players) != playing(state):
            faults.append(f"places: {players} are not the players who take part")
        if len(self.scores) >= len(self.tied):
            faults.append("scores: all have rolled")
        return faults

    def reason(self, state: State) -> str:
        """Return who rolls."""
        return f"initiative of {spoken(state.setting.players[self.tied[len(self.scores)]])}"

    def rolled(self, state: State, face: int) -> State:
        """Add a roll; after the last one, players who still tie roll again, or movement begins."""
        scores, tied = (*self.scores, face), self.tied
        if len(scores) < len(tied):
            return state.push_pending(replace(self, scores=scores))
        rolls = list(zip(tied, scores, strict=True))
        apart = [tuple(p for p, its in rolls if its == score) for score in sorted({*scores})]
        at = self.places.index(tied)
        places = (*self.places[:at], *apart, *self.places[at + 1 :])
        return settled(state, places)


def settled(state: State, places: tuple[tuple[int, ...], ...]) -> State:
    """Return the state in which players who tie roll, or if none do, movement begins."""
    if any(len(place) > 1 for place in places):
        return state.push_pending(InitiativeRoll(places))
    order = tuple(player for place in places for player in place)
    return state.replaced({"order": order, "phase": Phase.MOVEMENT})


def playing(state: State) -> list[int]:
    """Return the players who have a ship or a swimmer in the battle."""
    found = {ship.owner for _, ship in state.afloat()}
    return sorted(found.union(state.setting.minifigs[n].player for n in state.swimmers()))
