"""Scenario report: a campaign that ships before it begins, as the command `scenario` shows it."""

from collections import Counter

from brickphys.minifig.campaign.report import map_text
from brickphys.minifig.campaign.setup import first_state, shipped
from brickphys.minifig.campaign.state import State
from brickphys.rules.record import Setup
from brickphys.rules.report.scenario import ScenarioReport
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.text import counted, spoken

_TEXT = (
    "A party marches through unknown land. Each day has a card, weather and a march; on the way there are "
    "misadventures, and battles with foes."
)


def titles() -> dict[str, str]:
    """Return the titles of the campaigns that ship."""
    return {name: f"A quest of {setup['days']} days" for name, setup in shipped().items()}


def scenario_report(name: str, setup: Setup) -> ScenarioReport[State]:
    """Return a campaign that ships."""
    state = first_state(setup)
    leader, days = spoken(state.setting.party[0].name), counted(state.setting.days, "day")
    kinds = Counter(f"{member.kind}s" for member in state.party)
    return ScenarioReport(
        title=titles()[name],
        text=_TEXT,
        map=map_text(state),
        armies=(ArmyTotal(leader, kinds),),
        aims=(
            f"{leader} wins if he is alive after {days}.",
            f"The campaign is lost as soon as {leader} is dead or gone.",
        ),
        areas=(),
        setup=setup,
        state=state,
    )
