"""`brickphys sensitivity`, as programs and people meet it."""

import json
import re
import sys
from functools import partial
from pathlib import Path

import pytest

from brickphys.calibration import sensitivity
from brickphys.cli.main import main

Printed = pytest.CaptureFixture[str]


def run(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["brickphys", "sensitivity", *words.split()])
    main()


def test_every_cause_has_its_indices(
    monkeypatch: pytest.MonkeyPatch, capsys: Printed, tmp_path: Path
) -> None:
    few = partial(sensitivity.sensitivity, samples=256)
    monkeypatch.setattr(sensitivity, "sensitivity", few)
    plot = tmp_path / "tornado.png"
    run(f"2x2 --points 128 --throws 6400 --seed 2 --workers 1 --json --plot {plot}", monkeypatch)
    printed = capsys.readouterr()
    answer = json.loads(printed.out)
    assert answer["schema"] == "brickphys.sensitivity/1"
    assert (answer["shape"], answer["surface"], answer["seed"]) == ("2x2", "wood", 2)
    assert {"friction", "restitution", "height_mm", "speed_m_s", "spin_rad_s", "wall_mm"} <= set(
        answer["causes"]
    )
    for cause in answer["causes"].values():
        assert cause["low"]["value"] < cause["high"]["value"]
        assert cause["shift"] == pytest.approx(cause["high"]["p"] - cause["low"]["p"])
        assert cause["total"]["ci95"][0] < cause["total"]["value"] < cause["total"]["ci95"][1]
    totals = [cause["total"]["value"] for cause in answer["causes"].values()]
    assert totals == sorted(totals, reverse=True)
    assert answer["response"]["points"] == 128
    assert answer["throws"] == pytest.approx(6400, abs=3)
    assert (answer["response"]["reliable"], answer["response"]["reliability"] < 0.5) == (
        False,
        True,
    )
    assert "6,400 throws are too few to tell the causes apart" in printed.err
    assert re.search(r"some [\d,]+ throws would be enough", printed.err)
    assert plot.read_bytes().startswith(b"\x89PNG")
