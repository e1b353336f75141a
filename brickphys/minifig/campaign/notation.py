"""Notation: a campaign as one line of text, with the text of a battle within it."""

from collections.abc import Callable, Iterator
from typing import Any

from brickphys.errors import InvalidValueError, refuse
from brickphys.minifig.campaign.chart import parse_chart
from brickphys.minifig.campaign.day import (
    CardDraw,
    Dawn,
    EndOfWatch,
    MisadventureRoll,
    WeatherCheck,
    WeatherRoll,
)
from brickphys.minifig.campaign.deck import LAST
from brickphys.minifig.campaign.effects import CardQuestion, Effect, LoseDraw, TrialRoll, WoundDraw
from brickphys.minifig.campaign.fight import Fighting, battle_setup, battles, check_party
from brickphys.minifig.campaign.state import State
from brickphys.minifig.campaign.tables import tables
from brickphys.minifig.campaign.travel import (
    BendRoll,
    FindRoll,
    LakeRoll,
    LakeSizeRoll,
    RiverSideRoll,
    SpeedRoll,
    TerrainRoll,
    WaterRoll,
    Way,
)
from brickphys.minifig.campaign.trials import trials
from brickphys.rules.notation import FieldForm, StateCodec
from brickphys.rules.pending import Pending
from brickphys.rules.setting import GameSetting

PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    WeatherCheck,
    WeatherRoll,
    Dawn,
    CardDraw,
    CardQuestion,
    TrialRoll,
    Effect,
    WoundDraw,
    LoseDraw,
    Fighting,
    SpeedRoll,
    Way,
    TerrainRoll,
    WaterRoll,
    LakeSizeRoll,
    LakeRoll,
    RiverSideRoll,
    BendRoll,
    MisadventureRoll,
    EndOfWatch,
)
"""Everything that can be pending."""


class CampaignCodec(StateCodec[State]):
    """Writes and reads campaigns: the text of a battle names only what has changed in it since it began."""

    def parse(self, text: str, setting_of: Callable[[str], GameSetting]) -> State:
        """Read a campaign, and the battle within it; see `StateCodec.parse`."""
        state = super().parse(text, setting_of)
        refuse("state", list(state_problems(state)))
        if state.battle is None:
            return state
        battles().initial(battle_setup(state, state.foes))
        return state.replaced({"battle": battles().parse_state(str(state.battle))})


def _written(_: Any, battle: Any) -> Any:
    """Return the text of a battle; of one that was read and not looked at yet, this is the battle itself."""
    return battle if battle is None or isinstance(battle, str) else battles().format_state(battle)


def _read(_: Any, raw: Any) -> Any:
    if raw is not None and not isinstance(raw, str):
        raise InvalidValueError("battle: no text of a battle")
    return raw


def _chart(_: Any, raw: Any) -> Any:
    if not isinstance(raw, str):
        raise InvalidValueError("chart: no text of a chart")
    return parse_chart(raw)


CODEC = CampaignCodec(
    State,
    PENDING_TYPES,
    forms={
        "chart": FieldForm(lambda _, chart: chart.text, _chart),
        "battle": FieldForm(_written, _read),
    },
)


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a campaign."""
    if not 1 <= state.day <= state.setting.days:
        yield f"day: {state.day} of {state.setting.days}"
    if state.result == 0:
        yield "result: a campaign is won or lost, not drawn"
    yield from _card_problems(state)
    is_known = state.place in state.chart.squares and state.chart.is_open(state.place)
    if not (is_known or isinstance(state.first_pending, FindRoll)):
        yield f"place: {state.place} is not a square where the party can be"
    yield from _party_problems(state)
    if (state.battle is None) != (state.foes not in trials().foes):
        yield f"foes: {state.foes!r} do not match the battle"
    if (state.battle is not None) != isinstance(state.first_pending, Fighting):
        yield "battle: it is not what goes on"


def _card_problems(state: State) -> Iterator[str]:
    book = tables()
    if not state.drawn <= {*book.lower}:
        yield "drawn: not all are cards of the lower arcana"
    if state.arcanum > LAST:
        yield f"arcanum: {state.arcanum}, but there are only {LAST}"
    if state.card and state.card not in (*book.lower, *book.arcana):
        yield f"card: {state.card!r} is not a card of the day"


def _party_problems(state: State) -> Iterator[str]:
    if not state.leader_lives:
        if state.result != -1:
            yield "party: the leader is missing"
        return
    try:
        check_party(state)
    except InvalidValueError as error:
        yield str(error)
