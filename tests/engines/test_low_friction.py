"""Low friction: what slides is decided alike by all engines, and what may trip is refused below a limit."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.bullet_world import BulletSettings
from brickphys.engines.compiled import CompiledEngine, CompiledSettings
from brickphys.engines.engine import LIMIT_S
from brickphys.engines.mujoco import MujocoEngine
from brickphys.engines.mujoco_world import MujocoSettings
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.release import BASEPLATE, PLANE, TRAY
from tests.cases import few
from tests.command_line import assert_refused, brickphys
from tests.landings import BRICK, FALSE_ALARM, hands, homogeneous

ENGINES = {"bullet": BulletEngine(), "compiled": CompiledEngine(), "mujoco": MujocoEngine()}


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


def land(name, friction, states, **changes):
    if name == "mujoco":
        pytest.importorskip("mujoco", reason="the extra mujoco is not installed")
    engine = ENGINES[name]
    chosen = replace(engine, settings=replace(engine.settings, **changes))
    return chosen.land(BRICK, ContactCoefficients(friction, 0.5), states)


def at_speed(states, factor):
    return replace(states, velocity_m_s=states.velocity_m_s * np.array([factor, factor, 1.0]))


@pytest.mark.parametrize("settings", [BulletSettings(), CompiledSettings(), MujocoSettings()])
def test_all_engines_give_up_after_the_same_time(settings):
    assert settings.limit_s == LIMIT_S


@pytest.mark.parametrize("friction", few([0.01, 0.0]))
@pytest.mark.parametrize(("name", "count"), [("bullet", 30), ("compiled", 300), ("mujoco", 2)])
def test_every_brick_is_decided_while_it_slides(name, count, friction):
    """A brick would slide for more than ten seconds at friction 0.01, and without end at 0."""
    end = land(name, friction, hands(BRICK, count, root=31))
    assert end.counts()["unsettled"] == end.counts()["leaning"] == 0
    assert end.time_s.max() < 4.0


@pytest.mark.parametrize(
    ("name", "count", "changed"),
    [
        ("bullet", 15, 1),
        ("compiled", 500, 0),
        slow("bullet", 1500, 15),
        slow("compiled", 30_000, 0),
    ],
)
def test_without_friction_no_pose_depends_on_the_horizontal_speed(name, count, changed):
    """At speed 0 energy decides nearly all throws, at three times the usual one the level slide does.

    In Bullet the place of a contact is rounded, and bounces amplify that.
    """
    states = hands(BRICK, count, root=32)
    still, moving = (land(name, 0.0, at_speed(states, factor)) for factor in (0.0, 3.0))
    assert (moving.pose != still.pose).sum() <= changed


@pytest.mark.slow
def test_without_friction_the_speed_changes_no_share_of_mujoco():
    """Its solver is iterated, and amplified roundings change poses, so shares are compared."""
    states = hands(BRICK, 150, root=33)
    still, moving = (land("mujoco", 0.0, at_speed(states, factor)) for factor in (0.0, 3.0))
    assert homogeneous(still, moving) > FALSE_ALARM


@pytest.mark.parametrize(
    ("name", "friction", "count"),
    [("bullet", 0.01, 40)]
    + [slow("bullet", friction, 1500) for friction in (0.0, 0.01, 0.05)]
    + [slow("mujoco", friction, 100) for friction in (0.0, 0.01, 0.05)],
)
def test_shares_are_those_of_the_compiled_engine(name, friction, count):
    usual = land(name, friction, hands(BRICK, count, root=34))
    fast = land("compiled", friction, hands(BRICK, 20 * count, root=35))
    assert homogeneous(usual, fast) > FALSE_ALARM


@pytest.mark.parametrize(
    ("name", "friction", "count"),
    [
        ("compiled", 0.05, 20),
        ("compiled", 0.2, 300),
        slow("compiled", 0.02, 600),
        slow("bullet", 0.05, 200),
        slow("bullet", 0.2, 500),
    ],
)
def test_a_brick_decided_while_it_slides_comes_to_rest_in_that_pose(name, friction, count):
    states = hands(BRICK, count, root=36)
    early, late = (land(name, friction, states, by_energy=on) for on in (True, False))
    assert np.array_equal(early.pose, late.pose)
    assert late.counts()["unsettled"] == 0


# --- bricks that may strike something ---


@pytest.mark.parametrize(
    ("bricks", "floor"), [(2, PLANE), (1, TRAY), (1, BASEPLATE)], ids=["together", "tray", "studs"]
)
def test_what_may_trip_is_refused_below_the_least_friction(bricks, floor):
    engine, states = ENGINES["bullet"], hands(BRICK, 1, bricks)
    least = engine.least_friction(bricks, floor)
    assert least == 0.05
    with pytest.raises(InvalidValueError, match=f"friction 0.049 is below {least:g}, the least of"):
        engine.land(BRICK, ContactCoefficients(0.049, 0.5), states, floor)


SLIPPERY = 'name = "ice"\nfriction = [0.01, 0.2]\nrestitution = [0.3, 0.5]\nsource = "a guess"\n'


def test_commands_refuse_it_in_one_line(tmp_path):
    (tmp_path / "ice.toml").write_text(SLIPPERY, encoding="utf-8")
    says = "friction 0.01 is below 0.05, the least of the bullet engine"
    assert_refused(brickphys("drop", "2x2", "--friction", 0.01, "--bricks", 2), says)
    says = says.replace("bullet", "compiled")
    assert_refused(brickphys("drop", "2x2", "--friction", 0.01, "--floor", "tray"), says)
    surface = ("--surface", "ice.toml", "--floor", "tray", "--bricks", 1, "--out", "law.json")
    assert_refused(brickphys("calibrate", *surface, cwd=tmp_path), says)
    assert not (tmp_path / "law.json").exists()


@pytest.mark.parametrize(
    ("tables", "place"),
    [
        ("[fixed]\nfriction = 0.01\nbricks = 2", "fixed.friction: 0.01"),
        ('[fixed]\nfriction = 0.01\n[grid]\nfloor = ["plane", "tray"]', "cell 1 (floor"),
        ('[fixed]\nfloor = "baseplate"\n[grid]\nfriction = [0.01, 0.1]', "cell 0 (friction"),
        (
            '[fixed]\nfloor = "tray"\n[sample]\nmethod = "sobol"\ncells = 4\n'
            "[sample.ranges]\nfriction = [0.01, 0.04]",
            "(and 3 more cells)",
        ),
    ],
    ids=["together", "tray", "studs", "sampled"],
)
def test_studies_refuse_it_before_any_throw(tables, place, tmp_path):
    study = f'kind = "drop"\nseed = 1\nrepeats = 2\n{tables}\n'
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    result = brickphys("batch", "run", "study.toml", "--out", "results", cwd=tmp_path)
    assert_refused(result, place, "is below 0.05, the least of the ")
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("bricks", "floor", "count"), [(1, TRAY, 8), slow(4, PLANE, 32), slow(1, BASEPLATE, 64)]
)
def test_what_may_trip_comes_to_rest_at_the_least_friction(bricks, floor, count):
    states = hands(BRICK, count, bricks, root=37)
    end = ENGINES["bullet"].land(BRICK, ContactCoefficients(0.05, 0.5), states, floor)
    assert end.counts()["unsettled"] == 0
