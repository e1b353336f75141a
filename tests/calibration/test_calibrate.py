"""A calibration ends where it should, whoever threw, and Ctrl-C keeps what was thrown."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from brickphys.calibration import calibrate as module
from brickphys.calibration import plan as plan_module
from brickphys.calibration.calibrate import throw_law
from brickphys.calibration.law_stamp import law_stamp
from brickphys.calibration.plan import Plan, design_size, expected_throws, expected_work
from brickphys.calibration.throwers import Tally
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.registry import ENGINES, reference_engine
from brickphys.errors import DivergenceError, InterruptedRunError, InvalidValueError
from brickphys.odds.distribution import wilson
from brickphys.odds.law import Law
from tests.calibration.quick_engine import quick

QUICK = {"half_width": 0.05, "max_bricks": 2, "seed": 5}


@pytest.fixture(scope="module", autouse=True)
def few_throws() -> None:
    """Keep the throws of these tests to some hundred: what is tested does not depend on how many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ENGINES, "bullet", quick(BulletEngine)(chunk_bricks=32))
        patch.setitem(ENGINES, "compiled", CompiledEngine(chunk_bricks=128))
        patch.setattr(plan_module, "_MIN_HANDS", 20)
        yield


@pytest.fixture(scope="module")
def law() -> Law:
    return throw_law(Plan(**QUICK))


def test_the_interval_is_as_narrow_as_asked(law: Law) -> None:
    assert law.complete
    assert (law.share_ci95[1] - law.share_ci95[0]) / 2 <= 0.05
    assert law.share_ci95 == wilson(law.counts["side"], law.throws)
    assert law.throws % (4 * 128) == 0  # the interval is looked at after fixed counts only


@pytest.mark.parametrize(
    ("singles", "size"),
    [(1, (128, 16)), (2048, (256, 16)), (9216, (1024, 18)), (851_968, (1024, 1664))],
)
def test_more_throws_of_a_design_have_more_points_up_to_1024_and_then_more_at_each(
    singles: int, size: tuple[int, int]
) -> None:
    assert design_size(singles) == size


def test_the_law_carries_everything_that_was_thrown(law: Law) -> None:
    assert law.stamp is not None
    assert replace(law.stamp, results={}) == law_stamp()
    reference = reference_engine()
    assert set(law.stamp.results or ()) == {f"throws by {reference}", "throws by compiled"}
    assert law.scores[1] == (law.throws - law.counts["side"], law.counts["side"])
    assert sum(law.scores[2]) >= 20
    assert set(law.counts) == {"side", "studs_up", "studs_down", "leaning", "unsettled"}
    assert law.systematic is not None
    assert {"friction", "wall_mm", "edge_radius_mm", "height_mm"} <= set(law.systematic.sources)
    assert {"engine", "contact_law", "picked_up"} <= set(law.systematic.sources)
    assert law.p_range90 is not None
    assert 0 < law.p_range90[0] < law.p_range90[1] < 1
    assert law.range_meaning == "tables and hands of this kind"
    assert law.overdispersion is not None
    assert law.versions[{"bullet": "pybullet"}.get(reference, reference)]
    assert law.versions["numba"]
    assert (law.engine, law.hands_engine) == ("compiled", reference)
    assert (law.seed, law.shape, law.surface.name, law.surface.floor) == (5, "2x2", "wood", "plane")


@pytest.mark.slow
def test_two_workers_make_the_same_law(law: Law) -> None:
    assert throw_law(Plan(**QUICK, workers=2)) == law


def interrupt_at(stage: str, number: int):
    calls = 0

    def progress(now: str, _done: int, _total: int) -> None:
        nonlocal calls
        calls += now == stage
        if now == stage and calls == number:
            signal.raise_signal(signal.SIGINT)

    return progress


def test_an_interrupted_calibration_keeps_what_was_thrown() -> None:
    reasons: list[Exception] = []
    law = throw_law(Plan(**QUICK), interrupt_at("single bodies", 2), reasons.append)
    assert not law.complete
    assert law.throws == 2 * 128
    assert set(law.scores) == {1}
    assert law.systematic is None
    assert [str(reason) for reason in reasons] == ["interrupted in stage 'single bodies'"]


@pytest.mark.slow
def test_what_is_in_the_air_when_interrupted_still_counts() -> None:
    law = throw_law(Plan(**QUICK, workers=2), interrupt_at("single bodies", 1))
    assert not law.complete
    assert law.throws >= 2 * 128


def test_an_interruption_among_the_hands_keeps_single_bricks_and_hands(law: Law) -> None:
    plan = Plan(half_width=0.05, max_bricks=2, seed=5, hands=200)
    cut = throw_law(plan, interrupt_at("2 bodies together", 1))
    assert not cut.complete
    assert cut.counts == law.counts
    assert sum(cut.scores[2]) == 16


def test_an_interruption_in_the_design_keeps_all_else(law: Law) -> None:
    cut = throw_law(Plan(**QUICK), interrupt_at("other tables and hands", 2))
    assert not cut.complete
    assert cut.systematic is None
    assert (cut.counts, cut.scores) == (law.counts, law.scores)


def test_an_interruption_before_any_throw_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_throw_singles", lambda *_: signal.raise_signal(signal.SIGINT))
    with pytest.raises(InterruptedRunError, match="before any throw"):
        throw_law(Plan(**QUICK))


def test_a_failing_engine_keeps_what_was_thrown(law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise DivergenceError("energy out of nothing")

    monkeypatch.setattr(module, "_throw_hands", fail)
    reasons: list[Exception] = []
    cut = throw_law(Plan(**QUICK), cut_short=reasons.append)
    assert (cut.complete, cut.counts) == (False, law.counts)
    assert [str(reason) for reason in reasons] == ["energy out of nothing"]


def test_the_throws_that_are_still_needed_are_foreseen() -> None:
    so_far = Tally({"side": 300, "studs_up": 700}, (700, 300), 0.0)
    needed = expected_throws(Plan(half_width=0.01), so_far)
    low, high = wilson(round(0.3 * needed), needed)
    assert 0.009 < (high - low) / 2 <= 0.01


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"shape": "coin:23x2"}, "has no side"),
        ({"shape": "2x9"}, "did you mean .2x8"),
        ({"surface": "wod"}, "did you mean 'wood'"),
        ({"preset": "hnad"}, "did you mean 'hand'"),
        ({"engine": "bulet"}, "did you mean 'bullet'"),
        ({"half_width": 0.0}, "half-width 0 "),
        ({"half_width": float("nan")}, "half-width nan"),
        ({"half_width": 0.5}, "half-width 0.5"),
        ({"max_bricks": 0}, "bricks 0 "),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(values: dict[str, object], says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        Plan(**values)


def test_a_surface_beyond_the_engine_is_refused_before_any_throw(tmp_path: Path) -> None:
    table = tmp_path / "rubber.toml"
    text = 'name = "rubber"\nfriction = [0.5, 0.8]\nrestitution = [0.5, {}]\nsource = "a test"\n'
    table.write_text(text.format(0.9))
    with pytest.raises(InvalidValueError, match=r"restitution 0\.9 is outside 0 to 0\.7"):
        Plan(surface=str(table))
    table.write_text(text.format(0.7))
    Plan(surface=str(table))


def test_hands_that_do_not_fit_the_tray_are_refused_before_any_throw() -> None:
    with pytest.raises(InvalidValueError, match="do not fit into the tray"):
        Plan(shape="2x8", floor="tray", max_bricks=12)


def test_the_work_that_is_foreseen_grows_with_what_is_asked_for() -> None:
    coarse, fine = (expected_work(Plan(half_width=h, max_bricks=3)) for h in (0.004, 0.001))
    for work, half_width in ((coarse, 0.004), (fine, 0.001)):
        needed = 1.96**2 * 0.3 * 0.7 / half_width**2
        assert needed <= work["single bodies"] < needed + 4 * 128 + 1
    for stage, count in coarse.items():
        assert fine[stage] > count
    few, many = (expected_work(Plan(max_bricks=k, hands=70)) for k in (1, 5))
    assert set(many) - set(few) == {f"{k} bodies together" for k in range(2, 6)}
    assert many["5 bodies together"] == 70


def test_the_work_that_is_foreseen_is_the_work_that_is_done(law: Law) -> None:
    work = expected_work(Plan(**QUICK))
    assert work["single bodies"] == pytest.approx(law.throws, rel=0.35)
    assert law.systematic is not None
    assert work["other tables and hands"] == pytest.approx(law.systematic.throws, rel=0.35)
