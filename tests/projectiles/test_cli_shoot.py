"""The command `shoot`: text, JSON, picture, and every refusal."""

import json

import pytest

from brickphys.projectiles.impact_law import write_law
from tests.command_line import assert_refused, brickphys
from tests.projectiles.made_up_laws import made_up


@pytest.fixture(scope="module")
def bb_law(tmp_path_factory):
    return write_law(made_up(), tmp_path_factory.mktemp("laws"))


def shoot(*words):
    return brickphys("shoot", *words)


def test_text_names_the_shot_and_every_phase(bb_law):
    result = shoot("--weapon", "bow", "--range-in", 24, "--law", bb_law)
    assert result.returncode == 0, result.stderr
    assert (
        "bow at a standing figure, 24 in away, front: bb of 0.12 g at 8.00 m/s (3.84 mJ)"
        in result.stdout
    )
    for word in ("direct", "bounced", "rolled", "any", "95 % interval"):
        assert word in result.stdout


def test_json_adds_up(bb_law):
    words = ("--weapon", "crossbow", "--range-in", 30, "--side", "rear", "--law", bb_law)
    document = json.loads(shoot(*words, "--json").stdout)
    assert document["schema"] == "brickphys.shoot/1"
    assert document["side"] == "rear"
    phases = document["phases"].values()
    assert document["hit"] == pytest.approx(sum(phase["hit"] for phase in phases))
    assert document["hit"] + document["miss"] == pytest.approx(1.0)
    assert document["knocked"] == pytest.approx(0.6 * document["hit"])
    low, high = document["knocked_ci95"]
    assert low < document["knocked"] < high
    assert document["live"] is None
    assert document["drag_per_m"] == pytest.approx(0.0664, abs=1e-4)


def test_a_wall_leaves_fewer_hits_than_the_open(bb_law):
    shares = []
    for body in ("foot", "foot:wall1", "foot:wall3"):
        words = ("--weapon", "bow", "--range-in", 24, "--body", body, "--law", bb_law, "--json")
        shares.append(json.loads(shoot(*words).stdout)["hit"])
    assert shares == sorted(shares, reverse=True)


def test_a_live_shot_says_what_it_did_and_its_seed_repeats_it(bb_law):
    words = ("--weapon", "bow", "--range-in", 12, "--live", "--seed", 4, "--law", bb_law)
    first, again = shoot(*words), shoot(*words)
    assert "live, seed 4: " in first.stdout
    assert first.stdout == again.stdout
    live = json.loads(shoot(*words, "--json").stdout)["live"]
    assert live["seed"] == 4
    assert live["phase"] in ("direct", "bounced", "rolled", "stopped")


def test_the_plot_is_written_and_not_overwritten(bb_law, tmp_path):
    picture = tmp_path / "shots.svg"
    words = ("--weapon", "spear", "--range-in", 12, "--law", bb_law, "--plot", picture)
    assert shoot(*words).returncode == 0
    assert "<!-- knocked over, 95 % interval -->" in picture.read_text(encoding="utf-8")
    assert_refused(shoot(*words), "exists already")


def test_a_weapon_that_reaches_less_than_a_step_of_the_plot_is_drawn(bb_law, tmp_path):
    slow = ("--speed-m-s", 0.4, "--any", "--law", bb_law, "--plot", tmp_path / "near.png")
    result = shoot("--weapon", "bow", "--range-in", 0.7, *slow)
    assert (result.returncode, result.stderr.count("\n")) == (0, 1)
    assert (tmp_path / "near.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("--weapon", "bow", "--range-in", "73"),
            "bow: range 73 in must be above 0 and at most 72 in",
        ),
        (
            ("--weapon", "spear", "--range-in", "21"),
            "range 21 in must be above 0 and at most 20 in",
        ),
        (("--weapon", "bow", "--range-in", "0"), "range 0 in must be above 0 and at most 72 in"),
        (("--weapon", "bow", "--range-in", "-3"), "range -3 in must be above 0 and at most 72 in"),
        (("--weapon", "bow", "--range-in", "1.2", "--body", "rider"), "rider stands within"),
        (("--weapon", "bow", "--range-in", "9", "--speed-m-s", "1e300", "--any"), "at most 200"),
        (("--weapon", "bow", "--range-in", "nan"), "range nan in must be above 0"),
        (("--weapon", "bwo", "--range-in", "9"), "unknown weapon 'bwo'"),
        (("--weapon", "bow", "--range-in", "9", "--body", "ogre"), "unknown body 'ogre'"),
        (("--weapon", "bow", "--range-in", "9", "--body", "foot:wall5"), "wall1 to wall4"),
        (("--weapon", "bow", "--range-in", "9", "--speed-m-s", "500"), "at most 200 m/s"),
        (("--weapon", "bow", "--range-in", "9", "--speed-m-s", "40"), "above the limit of toys"),
        (("--weapon", "bow", "--range-in", "9", "--speed-m-s", "20"), "--any allows it"),
        (("--weapon", "big_catapult", "--range-in", "24", "--speed-m-s", "4"), "by the range"),
        (("--weapon", "bow", "--range-in", "9", "--live", "--body", "foot:wall1"), "--live"),
        (("--weapon", "bow", "--range-in", "9", "--seed", "-1"), "seed -1 is outside"),
        (("--weapon", "bow", "--range-in", "9", "--plot", "x.txt"), "must end in"),
    ],
)
def test_bad_input_is_named_in_one_line(words, says):
    assert_refused(shoot(*words), says)


def test_a_replay_is_no_law(tmp_path):
    law = tmp_path / "quest.jsonl"
    law.write_text('{"schema": 1}\n{"move": 2}\n', encoding="utf-8")
    words = shoot("--weapon", "bow", "--range-in", 24, "--law", law)
    assert_refused(words, "not JSON: Extra data: line 2")


def test_a_law_of_another_weapon_is_refused(tmp_path):
    law = write_law(made_up("round_1x1"), tmp_path)
    assert_refused(
        shoot("--weapon", "bow", "--range-in", 24, "--law", law), "the law is of round_1x1"
    )


def test_any_speed_is_allowed_on_request(bb_law):
    words = ("--weapon", "bow", "--range-in", 24, "--law", bb_law, "--speed-m-s", 40, "--json")
    fast = json.loads(shoot(*words, "--any").stdout)
    assert fast["speed_m_s"] == 40.0
    assert fast["energy_j"] > 0.08
