"""The commands that compare the laboratory with reality."""

import os
from functools import partial
from pathlib import Path

import pytest

from tests.command_line import answer as answered
from tests.command_line import assert_refused, brickphys

run = partial(brickphys, "validate")
answer = partial(answered, "validate")

TOSSES = Path(os.environ.get("BRICKPHYS_TOSSES", "cube_tosses.csv"))


@pytest.fixture
def toss_file(tmp_path):
    """Three tosses that start at rest just above their faces: they end as they begin."""
    header = (
        "toss,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,"
        "initial_bottom_face,final_bottom_face,final_x_m,final_y_m,duration_s"
    )
    row = ",0,0,0.0525,1,0,0,0,0,0,0,0,0,0,-z,-z,0,0,0.5"
    path = tmp_path / "tosses.csv"
    path.write_text("\n".join([header, *(f"{k}{row}" for k in range(3))]) + "\n")
    return path


def test_throws_keeps_its_contract_and_scores_its_chances(toss_file) -> None:
    document = answer("throws", str(toss_file), "--seed", "1", "--workers", "1", "--uncorrected")
    for key in ("tosses", "face_accuracy", "ci95", "log_loss", "friction", "restitution"):
        assert key in document
    assert set(document["shares"]) == {"same", "adjacent", "opposite"}
    assert set(document["travel_m"]) == {"simulated", "real"}
    assert (document["tosses"], document["face_accuracy"]) == (3, 1.0)
    assert document["engine"] == "compiled"
    assert document["length_scale"] == 1.0
    assert document["edge_radius_mm"] == 3.4
    assert document["travel_rms_m"] < 0.001
    assert document["calibration"]["brier"] < 0.05


def test_prisms_keep_their_contract(tmp_path) -> None:
    plot = tmp_path / "prisms.png"
    words = ("--throws", "3", "--seed", "1", "--workers", "1")
    prisms = answer("prisms", *words, "--plot", str(plot))
    assert len(prisms["rows"]) == 8
    assert {"friction", "restitution", "chi2", "chi2_gibbs", "chi2_solid_angle"} <= set(prisms)
    assert prisms["throws"] == 3
    assert prisms["edge_radius_mm"] == 0.0
    assert plot.stat().st_size > 10_000


def test_coin_tells_what_it_threw(tmp_path) -> None:
    plot = tmp_path / "coin.svg"
    words = ("coin", "--throws", "2", "--seed", "1", "--workers", "1", "--preset", "drop")
    result = run(*words, "--friction", "0.3", "--plot", str(plot))
    assert result.returncode == 0, result.stderr
    assert "friction 0.3" in result.stdout
    assert "measured" in result.stdout
    assert "restitution" in result.stdout.splitlines()[-2]
    assert plot.exists()


@pytest.mark.skipif(not TOSSES.exists(), reason="docs/validation.md makes the file of tosses")
def test_tracks_that_are_no_archive_are_refused() -> None:
    result = run("throws", str(TOSSES), "--tracks", str(TOSSES))
    assert_refused(result, "not an .npz file")
