"""Stage: puts two ships on an empty sea, to find the odds of the rolls between them."""

from collections.abc import Sequence
from dataclasses import replace

from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.sheets.ship_sheet import Place, ShipSheet
from brickphys.pirate_wars.state.crew import MinifigState
from brickphys.pirate_wars.state.setting import Minifig, Setting, ShipSpec
from brickphys.pirate_wars.state.ship import ShipState
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.vehicles.scene import Bounds

FIRES, TARGET = 0, 1
"""The numbers of the ship that fires and of its target."""
_AT_STUDS, _GAP_STUDS = 200.0, 4.0
_Crew = Sequence[tuple[Minifig, MinifigState]]


def stage(fires: ShipSheet, target: ShipSheet, crew: _Crew, *, rakes: bool) -> State:
    """Return two ships, of which the target alone has a crew, in the phase of tasks.

    With `rakes` the one crosses the bow of the other; else they lie side by side.
    """
    ahead = target.length_studs / 2 + fires.width_studs / 2 + _GAP_STUDS
    beside = (target.width_studs + fires.width_studs) / 2 + _GAP_STUDS
    pose = Pose(ahead, 0.0, 90.0) if rakes else Pose(0.0, beside, 0.0)
    setting = Setting(
        digest="",
        players=("fires", "target"),
        sea=Bounds(2 * _AT_STUDS, 2 * _AT_STUDS),
        wind_deg=0.0,
        teams=(FIRES, TARGET),
        ships=(ShipSpec("fires", FIRES, fires), ShipSpec("target", TARGET, target)),
        minifigs=tuple(spec for spec, _ in crew),
    )
    return State(
        setting=setting,
        ships=(_ship(FIRES, fires, pose), _ship(TARGET, target, Pose(0.0, 0.0, 0.0))),
        minifigs=tuple(now for _, now in crew),
        round=1,
        phase=Phase.TASKS,
        order=(FIRES, TARGET),
    )


def _ship(number: int, sheet: ShipSheet, pose: Pose) -> ShipState:
    x, y, heading_deg = pose
    return ShipState.undamaged(sheet, number, Pose(x + _AT_STUDS, y + _AT_STUDS, heading_deg))


def manned(sheet: ShipSheet) -> _Crew:
    """Return the full crew of the target: two hands at each gun as far as they suffice, all others on deck."""
    roles = [role for role, count in sheet.full_crew.items() for _ in range(count)]
    guns = [gun for gun in range(len(sheet.guns)) for _ in range(sheet.room(Place.GUN))]
    crew = []
    for number, role in enumerate(roles):
        spec, now = (
            Minifig(f"minifig_{number}", TARGET, role, TARGET),
            MinifigState(TARGET, Place.DECK),
        )
        if guns and spec.sheet.reloads_cannons and spec.weapon is None:
            now = replace(now, place=Place.GUN, gun=guns.pop(0))
        crew.append((spec, now))
    return crew
