"""State: the campaign at one moment, and what never changes in it."""

from dataclasses import dataclass
from typing import Annotated, Any

from brickphys.minifig.campaign.chart import Chart, Direction, Place
from brickphys.minifig.campaign.tables import Watch, Weather
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.state import State as Battle
from brickphys.rules.setting import GameSetting
from brickphys.rules.turn_state import Count, Replaceable, TurnState

TENTHS = 100_000
"""The longest side of a square, and the farthest march, in tenths of a mile."""


@dataclass(frozen=True)
class Member(Replaceable):
    """A figure of the party."""

    name: str
    kind: str
    arms: tuple[str, ...] = ()
    horse: bool = False
    experience: Annotated[int, range(8)] = 0
    is_wounded: bool = False

    def can_use(self, arm: str) -> bool:
        """Whether it can take one more piece of arms: into a free hand, or worn where it wears nothing yet."""
        known, kind = charts().arms, charts().kinds[self.kind]
        own = [known[name] for name in self.arms]
        if not known[arm].is_worn:
            return arm not in self.arms and sum(not one.is_worn for one in own) < kind.hands
        rows = {row for one in own if one.is_worn for row in one.defence}
        return kind.hands > 0 and rows.isdisjoint(known[arm].defence)


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    """The constants of a campaign."""

    days: int  # after which it is survived
    length_tenths: int  # of a square, from north to south
    width_tenths: int  # from west to east
    party: tuple[Member, ...]  # the leader first

    def side_tenths(self, heading: Direction) -> int:
        """Return how far it is through a square in a direction, in tenths of a mile."""
        return self.length_tenths if heading.is_north_south else self.width_tenths


@dataclass(frozen=True, kw_only=True)
class State(TurnState):
    """A campaign at one moment."""

    setting: Setting
    day: Count = 1
    watch: Watch = Watch.MORNING
    weather: Weather = Weather.DRY
    # the lower arcana that are out of the deck, and the number of the upper one in it
    drawn: frozenset[str] = frozenset()
    arcanum: Count = 0
    # the card of the day; empty before it is drawn
    card: str = ""
    chart: Chart
    place: Place = (0, 0)
    # where the party marches, and how far it has come through its square, in tenths of a mile
    heading: Direction | None = None
    gone_tenths: Annotated[int, range(TENTHS)] = 0
    # half-days to be spent in camp
    delay: Count = 0
    # who is alive, the leader first
    party: tuple[Member, ...]
    # a battle that goes on, and with which foes
    foes: str = ""
    battle: Battle | None = None
    # 1 or -1; None while the campaign goes on
    result: Annotated[int, range(-1, 2)] | None = None

    @property
    def leader_lives(self) -> bool:
        """Whether the leader, the first of the party at the start, is alive."""
        return bool(self.party) and self.party[0].name == self.setting.party[0].name

    @property
    def fighters(self) -> tuple[Member, ...]:
        """Who fights a battle: all without a wound, or the whole party if nobody is without one (ours)."""
        return tuple(one for one in self.party if not one.is_wounded) or self.party

    def change_member(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a figure of the party changed."""
        return self.with_entry("party", number, self.party[number].replaced(changes))

    def without_member(self, number: int) -> "State":
        """Return the state in which a figure has left the party; without its leader the campaign is lost (ours)."""
        state = self.replaced({"party": (*self.party[:number], *self.party[number + 1 :])})
        return state if state.leader_lives else state.replaced({"result": -1})
