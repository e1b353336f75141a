"""State: the campaign at one moment, which is also what the player sees, and what never changes in it.

- The party: ``state.party``, the leader first; ``member.is_wounded`` is all that is known of health.
- Place: ``state.place``, column and row; ``state.chart.squares`` has the squares that are known.
- A battle that goes on: ``state.battle``, a state of Minifig battles; else None. Then a bot is asked for actions of
  that game.
"""

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
    """Its name."""
    kind: str
    """Its kind, a row of the chart of figures."""
    arms: tuple[str, ...] = ()
    """The names of its arms."""
    horse: bool = False
    """Whether it has a horse."""
    experience: Annotated[int, range(8)] = 0
    """Its experience, 0 to 7."""
    is_wounded: bool = False
    """Whether it is wounded."""

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

    days: int
    """The days after which the campaign is survived."""
    length_tenths: int
    """Length of a square from north to south, in tenths of a mile."""
    width_tenths: int
    """Width of a square from west to east, in tenths of a mile."""
    party: tuple[Member, ...]
    """The party at the start, the leader first."""

    def side_tenths(self, heading: Direction) -> int:
        """Return how far it is through a square in a direction, in tenths of a mile."""
        return self.length_tenths if heading.is_north_south else self.width_tenths


@dataclass(frozen=True, kw_only=True)
class State(TurnState):
    """A campaign at one moment."""

    setting: Setting
    """What never changes."""
    day: Count = 1
    """The day, from 1."""
    watch: Watch = Watch.MORNING
    """The part of the day."""
    weather: Weather = Weather.DRY
    """The weather of the day."""
    drawn: frozenset[str] = frozenset()
    """The lower arcana that are out of the deck."""
    arcanum: Count = 0
    """The number of the upper arcanum in the deck."""
    card: str = ""
    """The card of the day; empty before it is drawn."""
    chart: Chart
    """The squares that are known."""
    place: Place = (0, 0)
    """The square of the party: column and row."""
    heading: Direction | None = None
    """The side of its square to which the party marches; None before it has marched."""
    gone_tenths: Annotated[int, range(TENTHS)] = 0
    """How far it has come through its square, in tenths of a mile."""
    delay: Count = 0
    """Half-days to be spent in camp."""
    party: tuple[Member, ...]
    """The members who are alive, the leader first."""
    foes: str = ""
    """The foes of the battle that goes on; empty without one."""
    battle: Battle | None = None
    """A battle that goes on: a state of Minifig battles; else None."""
    result: Annotated[int, range(-1, 2)] | None = None
    """1 for a survived campaign, -1 for a lost one; None while it goes on."""

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
