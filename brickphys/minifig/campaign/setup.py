"""Setup: where a campaign begins, and the campaigns that ship."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from brickphys.minifig.campaign.chart import START, Chart, Ground, Square
from brickphys.minifig.campaign.fight import check_party
from brickphys.minifig.campaign.state import Member, Setting, State
from brickphys.minifig.campaign.tables import MILE, data
from brickphys.rules.record import Setup
from brickphys.rules.setting import setup_digest

if TYPE_CHECKING:
    from brickphys.minifig.campaign.setup_schema import CampaignDocument


def first_state(setup: Mapping[str, Any]) -> State:
    """Return the state before the first card: a dry morning on open land, all sides of it unknown.

    Raises
    ------
    InvalidValueError
        With every fault of form, or if there is none, of meaning: of a party that no battle could have.
    """
    from brickphys.minifig.campaign.setup_schema import CampaignDocument
    from brickphys.schema import validated

    document = validated(CampaignDocument, dict(setup), "setup")
    state = _state(document, setup_digest(setup))
    check_party(state)
    return state


def _state(document: "CampaignDocument", digest: str) -> State:
    party = tuple(
        Member(one.name, one.kind, tuple(one.arms), one.horse, one.experience)
        for one in document.party
    )
    setting = Setting(
        digest=digest,
        players=(party[0].name,),
        days=document.days,
        length_tenths=round(document.square.length * MILE),
        width_tenths=round(document.square.width * MILE),
        party=party,
    )
    return State(setting=setting, chart=Chart({START: Square(Ground.OPEN)}), party=party)


def shipped() -> dict[str, Setup]:
    """Return the setups of the campaigns that ship, by name."""
    found = data("setups")
    common = {"square": found["square"], "party": found["party"]}
    return {name: {"days": days, **common} for name, days in found["days"].items()}
