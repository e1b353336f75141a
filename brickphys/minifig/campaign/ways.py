"""Ways: the way of the party over the known land, for pictures and films."""

from dataclasses import dataclass

from brickphys.geometry.polygon import Point
from brickphys.minifig.campaign.chart import Place
from brickphys.minifig.campaign.report import CampaignRecord, diary, headline
from brickphys.minifig.campaign.state import State
from brickphys.rules.report.trajectories import Frame, Track, Trajectories, moves


@dataclass(frozen=True)
class Scene:
    """A campaign at one moment on a field of whole grids, those that are known at its end.

    Attributes
    ----------
    state
        The campaign.
    low, high
        The lower left and the upper right square of the field.
    """

    state: State
    low: Place
    high: Place

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the field."""
        return self.high[0] - self.low[0] + 1, self.high[1] - self.low[1] + 1

    def point(self, place: Place) -> Point:
        """Return the middle of a square on the field, in squares."""
        return place[0] - self.low[0] + 0.5, place[1] - self.low[1] + 0.5


def trajectories(record: CampaignRecord) -> Trajectories[Scene]:
    """Return a campaign that was played, as pictures and films show it: a frame for each day, with the way so far."""
    low, high = record.final.chart.grids
    final = Scene(record.final, low, high)
    setting = record.initial.setting
    stays = [(state.day, final.point(state.place)) for state in record.states]
    way = moves(stays)
    told = list(diary(record))
    ends = {state.day: state for state in record.states}
    frames = tuple(
        Frame(
            Scene(state, low, high),
            headline(state),
            text,
            0,
            tuple(place for number, place in way if number <= day),
            round=day,
        )
        for (day, state), text in zip(ends.items(), told, strict=False)
    )
    end = "" if record.final.leader_lives else "is lost"
    name = setting.players[0]
    track = Track(name, 0, False, moves([(0, way[0][1]), *stays]), end, record.final.day)
    return Trajectories(
        names=setting.players,
        played_by=record.players,
        colours=setting.colours,
        ending=told[-1],
        final=final,
        tracks=(track,),
        frames=frames,
        time="day",
    )
