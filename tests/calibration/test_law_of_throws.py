"""Laws of throws: a file of them is valid, is found to be right, and gives odds; what makes no law is refused."""

import json

import pytest

from brickphys.calibration.calibrate import law_of_throws
from brickphys.calibration.law_origin import checks
from brickphys.calibration.throw import throw
from brickphys.errors import InvalidValueError
from brickphys.odds.answer import odds
from brickphys.odds.law_file import parse_law
from brickphys.throws.conditions import surface


def test_a_law_of_throws_is_written_checked_and_used(tmp_path):
    found = throw("2x2", 400, surface="glass", seed=4, progress=False)
    law = law_of_throws(found, surface("glass"))
    assert (law.counts, law.ci95, law.p_range90) == (found.counts, found.ci95, None)
    assert parse_law(json.dumps(law.document())) == law
    path = law.save(tmp_path / "own.json")
    assert [check.fault for check in checks(path) if check.fault] == []
    assert 0.3 < odds(3, 2, path).success < 0.5


@pytest.mark.parametrize(
    ("shape", "options", "fault"),
    [
        ("2x2", {"bricks": 2}, "one by one, not 2 together"),
        ("coin:24x2", {}, "a pose that scores"),
        ("2x2", {"friction": 0.1}, "friction 0.1 and restitution .* are not those of wood"),
    ],
)
def test_what_makes_no_law_says_why(shape, options, fault):
    found = throw(shape, 2, seed=1, progress=False, **options)
    with pytest.raises(InvalidValueError, match=fault):
        law_of_throws(found, surface("wood"))
