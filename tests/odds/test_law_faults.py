"""Contradictions in law files: measured laws, combined laws of earlier versions, and the bounds of a range."""

import json
from dataclasses import replace

import pytest

from brickphys.errors import LawFileError
from brickphys.odds.distribution import wilson
from brickphys.odds.law_file import law_checks, parse_law
from brickphys.odds.law_schema import parse
from brickphys.odds.provenance import MeasuredCause, MeasuredSources, Source, Systematic
from brickphys.stamp import stamp_here
from tests.odds.laws import HOME, narrowed, refused, text

CAUSES = {
    "friction": MeasuredCause(0.4, (0.38, 0.42), True),
    "restitution": MeasuredCause(0.5, (0.4, 0.6), True),
    "edge_mm": MeasuredCause(0.3, (0.2, 0.4), False),
}


@pytest.fixture
def measured(law):
    """The same law, computed for one table and one hand."""
    sources = MeasuredSources("table.toml", CAUSES, ("the table is flat",))
    return narrowed(law, prior_hands=law.tested_hands, measured=sources)


@pytest.fixture
def earlier(law):
    """A combined law as earlier versions wrote it: without the hands of its prior law."""
    return narrowed(law, combined=HOME)


def compared(law, **edits):
    """Return what is compared within a law, in words."""
    return [check.what for check in law_checks(parse(text(law, **edits)))]


def test_what_is_compared_depends_on_what_a_law_rests_on(law, measured, earlier):
    usual = compared(law)
    assert (len(usual), usual[0]) == (6, "counts of poses and hands add up")
    assert compared(measured) == [*usual, "the measurements and the surface agree"]
    usual[3] = "overdispersion agrees with itself; its hands are not in the file"
    assert compared(earlier) == [*usual, "the counts at home and the prior law agree"]
    assert compared(law, scores__2__hands=1) == usual[:1]  # nothing follows from such counts


def test_hands_of_two_bricks_alone_have_an_engine(law):
    pairs = {"1": {"hands": 10_000, "counts": [8000, 2000]}, "2": {"hands": 1, "counts": [1, 0, 0]}}
    told = refused(law, scores=pairs, hands_engine=None)
    assert told == "law: hands_engine: null, but of hands of several bricks there are some"


def test_versions_of_a_combined_law_are_those_of_its_prior_law(earlier, measured):
    """Its stamp is that of what combined it; a law of measurements was computed under its own."""
    other = {"stamp": stamp_here(), "versions": {"numpy": "0.1"}}
    assert parse_law(text(replace(earlier, **other))).versions == {"numpy": "0.1"}
    for law in (measured, replace(measured, combined=earlier.combined)):
        assert "versions.numpy: '0.1', but the stamp says" in refused(replace(law, **other))


def test_a_measured_law_comes_back(measured):
    assert parse_law(text(measured)) == measured
    without = replace(measured, measured=replace(measured.measured, causes={}))
    assert parse_law(text(without)) == without


@pytest.mark.parametrize("ends", [[0.41, 0.45], [0.3, 0.39]])
def test_the_mean_of_a_measured_cause_is_within_its_interval(measured, ends):
    told = refused(measured, measured__causes__friction__ci95=ends)
    assert told == f"law: measured.causes.friction: {ends} does not contain 0.4"
    assert parse_law(text(measured, measured__causes__friction__ci95=[0.4, 0.4]))


@pytest.mark.parametrize("key", ["friction", "restitution"])
def test_the_table_of_a_measured_law_is_the_measured_one(measured, key):
    assert f"surface.{key}: 0.45, but " in refused(measured, **{f"surface__{key}": 0.45})


def test_a_law_with_all_doubt_has_single_bricks_only(law, measured, earlier):
    hands = {"2": {"hands": 4, "counts": [3, 1, 0]}}
    for kind, one in (("measured", measured), ("combined", earlier)):
        several = {**one.document()["scores"], **hands}
        told = refused(one, scores=several, hands_engine="bullet")
        assert f"scores: a {kind} law has single bricks only" in told
        assert parse_law(text(one, scores={})).scores == {}


def test_the_test_of_a_measured_law_is_that_of_the_prior_hands(measured):
    assert "overdispersion.rho: " in refused(measured, prior_hands__2=[9, 9, 9])
    assert "overdispersion: missing" in refused(measured, overdispersion=None)
    alone = replace(measured, prior_hands=None, overdispersion=None)
    assert parse_law(text(alone)) == alone


def test_of_an_earlier_combined_law_the_test_is_only_bounded(earlier):
    assert parse_law(text(earlier)) == earlier
    rho = earlier.overdispersion.rho
    for ends in ([rho - 2, rho - 1], [rho + 1, rho + 2]):
        told = refused(earlier, overdispersion__ci95=ends)
        assert told == f"law: overdispersion.ci95: {ends} does not contain rho = {rho:g}"
    for forged in (-0.3, 0.6):
        ends = [forged - 0.1, forged + 0.1]
        told = refused(earlier, overdispersion__rho=forged, overdispersion__ci95=ends)
        assert told.startswith(
            f"law: overdispersion.rho: {forged:g} is not between those of the hands"
        )
    assert parse_law(text(earlier, overdispersion=None)).overdispersion is None


def test_a_correlation_that_was_found_at_home_is_that_of_the_home_hands(earlier):
    """Hands that are all sides or none contradict independence by themselves."""
    clumped = {2: (50, 0, 50)}
    home = replace(earlier.combined, scores=clumped)
    told = refused(replace(earlier, combined=home))
    assert "overdispersion.rho: " in told
    assert "but 1.02" in told


def test_the_sides_at_home_are_those_of_the_scores(earlier):
    poses = {"studs_up": 7, "side": 1}
    assert parse_law(text(earlier, combined__poses=poses)).combined.poses == poses
    told = refused(earlier, combined__poses={"studs_up": 6, "side": 2})
    assert "combined.poses.side: 2, but the scores add up to 1" in told
    unnamed = {"studs_up": 8}
    assert parse_law(text(earlier, combined__poses=unnamed)).combined.poses == unnamed


def test_a_prior_law_is_that_of_whole_bricks_or_a_posterior(earlier):
    """An interval of 10 bricks is Wilson's, or about as wide as a posterior's; so is a prior that was combined."""
    low, high = earlier.combined.prior_ci95
    assert parse_law(text(earlier, combined__prior_ci95=[low + 0.01, high]))
    told = refused(earlier, combined__prior_ci95=[0.19, 0.21])
    assert "combined.prior.ci95: [0.19, 0.21] is not the interval of a share of 0.2 in 10" in told


def prior_fault(law, ci95, range90=None, throws=10):
    """Return what is wrong with the prior law of a combined one, None if nothing is."""
    combined = replace(law.combined, prior_ci95=ci95, prior_range90=range90, prior_throws=throws)
    faults = [one.fault for one in law_checks(parse(text(replace(law, combined=combined))))]
    return "; ".join(filter(None, faults)) or None


@pytest.mark.parametrize(("share", "is_one"), [(0.49, 0), (0.51, 1), (1.59, 1), (1.61, 0)])
def test_an_interval_is_as_wide_as_that_of_a_posterior_of_few_throws(earlier, share, is_one):
    """That of p = 0.2 in 10 throws and one more has a deviation of the root of 0.16 / 11."""
    half = share * 1.959964 * (0.16 / 11) ** 0.5
    told = prior_fault(earlier, (0.15, 0.15 + 2 * half))
    assert told is None if is_one else "is not the interval of a share of 0.2 in 10" in told


def test_a_range_may_be_half_as_wide_as_the_interval_and_begin_and_end_with_it(earlier):
    """The numbers are binary fractions, so nothing is rounded."""
    ci95 = (0.125, 0.375)
    for range90 in ((0.1875, 0.3125), (0.125, 0.25), (0.25, 0.375), ci95):
        assert prior_fault(earlier, ci95, range90, 40) is None
    for range90 in ((0.19, 0.3125), (0.375, 0.125), (0.12, 0.375), (0.125, 0.38)):
        assert "is not the 90 % range within" in prior_fault(earlier, ci95, range90, 40)


def test_a_value_of_zero_may_be_rounded(law):
    _, high = wilson(0, 10_000)
    assert parse_law(text(law, poses_ci95__unsettled=[9e-10, high]))
    assert "poses_ci95.unsettled: " in refused(law, poses_ci95__unsettled=[2e-9, high])


def test_sources_that_do_nothing_give_a_range_of_one_value(law):
    still = {"low": 0.0, "high": 1.0, "shift": 0.0, "error": 0.0}
    sources = {"friction": still, "contact_law": still}
    edits = {"systematic__sources": sources, "systematic__range_error": 0.0}
    edits |= {"p_side__range90": [0.2, 0.2]}
    assert parse_law(text(law, **edits)).p_range90 == (0.2, 0.2)


def of_error(law, error, width, **more):
    sources = {"friction": Source(0.2, 0.6, 0.03, 0.0), "contact_law": Source(-1, 1, 0.01, 0.0)}
    sources |= more
    middle = (0.2 - width / 2, 0.2 + width / 2)
    return text(replace(law, systematic=Systematic(error, 5000, sources), p_range90=middle))


def test_a_range_is_as_wide_as_its_sources_and_its_error_give(law):
    """Shifts of 0.03, uniform, and 0.01, triangular, give 0.0293 (normal, 90 %): half to twice that and four errors."""
    for error, least, most in ((0.0, 0.0147, 0.0585), (0.004, 0.0147, 0.0745)):
        for width in (least, most):
            assert parse_law(of_error(law, error, width)).p_range90 is not None
        for width in (least - 0.0002, most + 0.0003):
            with pytest.raises(
                LawFileError, match=r"but the shifts of its sources give some 0\.029"
            ):
                parse_law(of_error(law, error, width))


def test_the_shift_by_another_engine_is_drawn_with_its_error(law):
    """Twice 3.29 times the root of (0.03 squared and half of 0.01 squared) / 12 + 0.02 squared is 0.1440."""
    uncertain = Source(0.0, 1.0, 0.0, 0.02)
    assert parse_law(of_error(law, 0.0, 0.1438, engine=uncertain)).p_range90 is not None
    with pytest.raises(LawFileError, match=r"give some 0\.072"):
        parse_law(of_error(law, 0.0, 0.1444, engine=uncertain))


def test_the_bounds_of_a_range_within_a_posterior(measured):
    """The 90 % range is within the 95 % interval, and at least half as wide."""
    low, high = measured.ci95
    middle, half = (low + high) / 2, (high - low) / 2
    for share in (0.52, 1.0):
        ends = [middle - share * half, middle + share * half]
        assert parse_law(text(measured, p_side__range90=ends))
    for ends in (
        [middle - 0.48 * half, middle + 0.48 * half],
        [low - 1e-4, high - half / 2],
        [low + half / 2, high + 1e-4],
    ):
        assert "is not the 90 % range within" in refused(measured, p_side__range90=ends)


@pytest.mark.parametrize("share", [0.45, 1.65])
def test_the_interval_of_a_posterior_is_bounded(measured, share):
    low, high = measured.ci95
    half = share * (high - low) / 2
    told = refused(measured, p_side__ci95=[0.2 - half, 0.2 + half], p_side__range90=None)
    assert "is not the interval of a share of 0.2 in 10000 throws" in told
    half = (share + (0.1 if share < 1 else -0.1)) * (high - low) / 2
    assert parse_law(text(measured, p_side__ci95=[0.2 - half, 0.2 + half], p_side__range90=None))


def test_validation_holds_finite_numbers_at_any_depth(law):
    deep = {"a": [{"b": [1.5, None, "x"]}]}
    assert parse_law(text(law, validation=deep)).validation == deep
    deep["a"][0]["b"][1] = float("inf")
    assert "validation.a[0].b[1]: inf is not a finite number" in refused(law, validation=deep)


@pytest.mark.parametrize("sides", [0, 10_000])
def test_a_share_may_be_an_end_of_its_interval(independent, sides):
    """Of no sides, or of nothing but sides, Wilson's interval begins or ends at the share."""
    poses = {"side": sides, "studs_up": 10_000 - sides}
    bare = replace(
        independent,
        counts={**dict.fromkeys(independent.counts, 0), **poses},
        scores={1: (10_000 - sides, sides)},
        share_ci95=wilson(sides, 10_000),
        hands_engine=None,
        overdispersion=None,
        p_range90=None,
        systematic=None,
    )
    assert parse_law(text(bare)) == bare


@pytest.mark.parametrize("sides", [0, 10])
def test_the_share_of_a_prior_law_may_be_an_end_of_its_interval(earlier, sides):
    prior = replace(earlier.combined, prior_p=sides / 10, prior_ci95=wilson(sides, 10))
    law = replace(earlier, combined=prior)
    assert parse_law(text(law)) == law


@pytest.mark.parametrize(("key", "share"), [("friction", 0.4), ("restitution", 0.5)])
def test_the_mean_of_a_measured_cause_may_be_an_end_of_its_interval(measured, key, share):
    for ends in ([share, share + 0.1], [share - 0.1, share]):
        assert parse_law(text(measured, **{f"measured__causes__{key}__ci95": ends}))


def test_ends_of_a_range_may_be_the_same(law, earlier):
    """A thrower who always drops bricks from one height; a source that does nothing; a test of no width."""
    assert parse_law(text(law, conditions__height_mm=[200.0, 200.0]))
    same = {"low": 0.4, "high": 0.4, "shift": 0.0, "error": 0.0}
    assert parse_law(text(law, systematic__sources__friction=same, p_side__range90=[0.195, 0.205]))
    rho = earlier.overdispersion.rho
    for ends in ([rho, 0.5], [-0.5, rho]):
        assert parse_law(text(earlier, overdispersion__ci95=ends))


@pytest.mark.parametrize(
    "edit",
    [
        lambda document: document["counts"].update({f"pose{n}": -1 for n in range(3_000)}),
        lambda document: document["counts"].update({f"pose{n}": 0 for n in range(3_000)}),
        lambda document: document.update({"shape": "1" * 100_000}),
        lambda document: document.update({"scoring": ["side"] * 3_000}),
        lambda document: document["poses_ci95"].update({f"p{n}": [0, 1] for n in range(3_000)}),
        lambda document: document.update({f"key{n}": 0 for n in range(400)}),
    ],
)
def test_however_many_faults_a_law_has_they_are_told_in_a_short_line(law, edit):
    document = law.document()
    edit(document)
    with pytest.raises(LawFileError) as refused:
        parse_law(json.dumps(document))
    assert len(str(refused.value)) < 3_000
    assert "\n" not in str(refused.value)


def test_a_fault_is_cut_after_three_hundred_characters(law):
    told = refused(law, shape="1" * 100_000)
    assert told.startswith("law: shape: '111")
    assert len(told) == len("law: ") + 300 + len("...")
