"""Files of impact laws: what is written is read, faults are named, and the laws that ship fit the data that ship."""

import json
from dataclasses import replace

import numpy as np
import pytest

from brickphys.errors import LawFileError
from brickphys.odds.distribution import wilson
from brickphys.projectiles.impact_law import LAWS, ImpactLaw, impact_law, read_law, write_law
from brickphys.projectiles.measure import SPEEDS_M_S, checks, conditions
from brickphys.projectiles.standing import Side
from brickphys.projectiles.target import target, targets
from brickphys.projectiles.weapons import weapon, weapons
from brickphys.stamp import stamp_here

THROWN = {one.projectile.name: one.projectile for one in weapons().values()}
SHIPPED = [(stone, body) for stone in THROWN for body in targets()]


def shipped(stone: str, body: str) -> ImpactLaw:
    return impact_law(THROWN[stone], target(body))


def test_a_law_that_is_written_is_read(tmp_path):
    made = shipped("bb", "foot")
    read = read_law(write_law(made, tmp_path))
    assert np.array_equal(read.hits, made.hits)
    assert np.array_equal(read.knocked, made.knocked)
    kept = ("projectile", "body", "speeds_m_s", "falls_deg", "conditions", "seed", "command")
    assert all(getattr(read, name) == getattr(made, name) for name in kept)


def test_a_law_says_what_computed_it(tmp_path):
    made = replace(shipped("bb", "foot"), stamp=stamp_here())
    assert read_law(write_law(made, tmp_path)).stamp == made.stamp
    assert read_law(write_law(replace(made, stamp=None), tmp_path, force=True)).stamp is None


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("schema", "brickphys.law/1", "schema 'brickphys.law/1' is not"),
        ("height_mm", [0, 10], "other bins"),
        ("seed", None, "seed: missing"),
        ("conditions", {"friction": "much"}, "conditions.friction: 'much' should be"),
        ("unsettled", -1, "unsettled: -1 should be"),
        ("arrivals", [], "not all sides, falls and speeds"),
        ("stamp", {}, "stamp.sources: missing"),
        ("speeds_m_s", [12.0, 8.0, 5.0, 3.0, 2.0, 1.0], "do not increase"),
        ("speeds_m_s", [-1.0, 2.0, 3.0, 5.0, 8.0, 12.0], "-1.0 should be greater than 0"),
        ("falls_deg", [], "do not increase"),
        ("falls_deg", [0.0, 20.0, 50.0], "not all sides, falls and speeds"),
    ],
)
def test_faults_of_a_file_are_named(tmp_path, key, value, fault):
    document = json.loads((LAWS / "bb-foot.json").read_text())
    document = {name: kept for name, kept in document.items() if name != key or value is not None}
    path = tmp_path / "law.json"
    path.write_text(json.dumps(document if value is None else {**document, key: value}))
    with pytest.raises(LawFileError, match=f"law.json: is not an impact law: .*{fault}"):
        read_law(path)


def fell_more(arrivals):
    arrivals[0]["knocked"][0][0] += 10_000


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (list.reverse, "not all sides, falls and speeds"),
        (fell_more, "more targets knocked over than hit"),
    ],
)
def test_arrivals_in_another_order_and_more_fallen_than_hit_are_faults(tmp_path, change, fault):
    document = json.loads((LAWS / "bb-foot.json").read_text())
    change(document["arrivals"])
    path = tmp_path / "law.json"
    path.write_text(json.dumps(document))
    with pytest.raises(LawFileError, match=fault):
        read_law(path)


def test_an_interval_that_does_not_follow_from_its_counts_is_a_fault(tmp_path):
    document = json.loads((LAWS / "bb-foot.json").read_text())
    path = tmp_path / "law.json"
    for edit in ([0.0, 1.0], [document["arrivals"][3]["ci95"][0] + 1e-4, 1.0]):
        changed = json.loads(json.dumps(document))
        changed["arrivals"][3]["ci95"] = edit
        path.write_text(json.dumps(changed))
        with pytest.raises(LawFileError, match=r"arrivals\[3\]\.ci95: .*, but the counts give"):
            read_law(path)
    document["unsettled"] = 10**9
    path.write_text(json.dumps(document))
    with pytest.raises(LawFileError, match="unsettled: 1000000000 are more than were hit"):
        read_law(path)


def test_conditions_of_another_body_are_found(tmp_path):
    path = write_law(shipped("bb", "foot"), tmp_path)
    assert [check.fault for check in checks(path) if check.fault] == []
    for edit, fault in (
        ({"body": "dog"}, "conditions: body_g, body_mm differ"),
        ({"projectile": "pea"}, "projectile: 'pea' is not one of"),
        ({"body": "ghost"}, "body: "),
        ({"seed": "x"}, "is not an impact law: seed: "),
    ):
        other = tmp_path / "other.json"
        other.write_text(json.dumps({**json.loads(path.read_text()), **edit}))
        (found,) = [check.fault for check in checks(other) if check.fault]
        assert found.startswith(fault)


@pytest.mark.parametrize(("stone", "body"), SHIPPED)
def test_shipped_laws_are_of_the_bodies_and_weapons_that_ship(stone, body):
    law = shipped(stone, body)
    assert (law.projectile, law.body) == (stone, body)
    assert law.conditions == conditions(target(body), THROWN[stone])
    assert law.speeds_m_s == SPEEDS_M_S[stone]
    assert law.unsettled <= 0.03 * law.hits.sum()


@pytest.mark.parametrize(("stone", "body"), SHIPPED)
def test_faster_hits_knock_over_more(stone, body):
    law = shipped(stone, body)
    hits, knocked = law.hits.sum(axis=(3, 4)), law.knocked.sum(axis=(3, 4))
    for side in range(len(Side)):
        for fall in range(len(law.falls_deg)):
            slow, fast = (
                wilson(int(knocked[side, fall, node]), int(hits[side, fall, node]))
                for node in (0, -1)
            )
            assert slow[0] <= fast[1]


def test_a_law_that_does_not_ship_is_named():
    unknown = weapon("bow").projectile.__class__(**{**vars(THROWN["bb"]), "name": "arrow"})
    with pytest.raises(LawFileError, match="no impact law of arrow on foot ships"):
        impact_law(unknown, target("foot"))
