"""What description sheets describe: each model stands on the table, apart from the others."""

import pytest

from brickphys.rules.registry import builder, game
from brickphys.view.builder import sheets_recording
from brickphys.view.document import document
from brickphys.view.recording_schema import check_recording


def tops(recording):
    """The things that stand on the table."""
    return [thing for thing in recording.things if not thing.parent and thing.id != "table"]


@pytest.mark.parametrize(
    "name",
    [
        "bow",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("minifig", "pirate_wars", "blade_and_bow")
        ),
    ],
)
def test_every_sheet_that_ships_has_a_model_of_its_own_on_the_table(name):
    sheets = game(name).sheets().sheets
    found = sheets_recording(builder(game(name)), sheets, ("red",))
    check_recording(document(found))
    models = tops(found)
    assert len(models) == len(sheets)
    low, high = found.views[0].low_mm, found.views[0].high_mm
    places = [tuple(thing.track.poses[0, :2]) for thing in models]
    assert len(set(places)) == len(places)
    for x, y in places:
        assert low[0] < x < high[0]
        assert low[1] < y < high[1]
    assert all(thing.label in found.about for thing in models)


def test_units_have_the_colours_of_their_players():
    bow = game("bow")
    sheets = [bow.sheets(name).sheets[0] for name in ("trooper", "knight")]
    first, second = tops(sheets_recording(builder(bow), sheets, ("red", "blue")))
    assert first.tag != second.tag


def test_nothing_is_shown_of_no_sheets():
    assert sheets_recording(builder(game("bow")), (), ("red",)) is None
