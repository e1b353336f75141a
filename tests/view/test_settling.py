"""Many throws at once, and two scenes side by side: what is shown is what was thrown."""

import json

import numpy as np
import pytest

from brickphys.calibration.throw import throw
from brickphys.engines.recording import record
from brickphys.engines.registry import engine
from brickphys.throws.release import release
from brickphys.units import STUD_MM
from brickphys.view.document import text_of
from brickphys.view.settling import EVERY_S, beside, settling_recording


@pytest.fixture(scope="module")
def throws():
    return throw("2x2", 12, seed=3, progress=False)


@pytest.fixture(scope="module")
def settled(throws):
    return settling_recording(throws)


def bodies(recording):
    return [thing for thing in recording.things if "body" in thing.id]


def test_each_body_goes_the_way_that_the_engine_has_computed(throws, settled):
    cell = throws.cell
    states = release(cell.body, cell.conditions, 3, cell.address, 0, 12, cell.floor)
    assert len(bodies(settled)) == 12
    for number in (0, 7):
        hand = states[number : number + 1]
        alone = record(engine(cell.engine), cell.body, cell.contact, hand, EVERY_S)
        shown = bodies(settled)[number].track.poses
        shift = shown[0, :2] - alone.moving[0, 0, :2]
        assert np.allclose(shown[:, :2] - alone.moving[:, 0, :2], shift)
        assert np.array_equal(shown[:, 2:], alone.moving[:, 0, 2:])
        assert shift % STUD_MM == pytest.approx([0.0, 0.0], abs=1e-9)


def test_they_lie_in_rows_by_their_poses_and_are_counted(throws, settled):
    side = throws.counts["side"]
    assert f"{side} side" in settled.events[-1].text or not side
    ends = np.array([thing.track.poses[-1, :2] for thing in bodies(settled)])
    gaps = np.linalg.norm(ends[:, None] - ends, axis=-1) + 1e9 * np.eye(len(ends))
    assert gaps.min() > 2.0 * throws.cell.body.radius_mm


@pytest.mark.slow
@pytest.mark.parametrize(("bricks", "floor"), [(4, "plane"), (2, "tray"), (1, "baseplate")])
def test_hands_and_other_floors_settle_too(bricks, floor):
    found = throw("2x2", 3, bricks=bricks, floor=floor, seed=2, progress=False)
    settled = settling_recording(found)
    assert len(bodies(settled)) == 3 * bricks
    told = settled.events[-1].text.partition(": ")[2]
    counts = {name.replace("_", " "): count for name, count in found.counts.items() if count}
    assert told == f"{', '.join(f'{counts[name]} {name}' for name in sorted(counts))}."


def test_two_scenes_lie_side_by_side(settled):
    both = beside(settled, settled, ("wood", "glass"))
    assert len(both.things) == 2 * len(settled.things)
    assert len({thing.id for thing in both.things}) == len(both.things)
    left, right = bodies(both)[:12], bodies(both)[12:]
    shifts = {
        float(b.track.poses[0, 0] - a.track.poses[0, 0]) for a, b in zip(left, right, strict=True)
    }
    assert len({round(shift, 6) for shift in shifts}) == 1
    assert shifts.pop() > 0
    assert {event.text.partition(":")[0] for event in both.events} == {"wood", "glass"}
    assert json.loads(text_of(both))["duration_ms"] == settled.duration_ms
