"""Tables of named things: what a name stands for, and every fault of meaning with its place."""

from types import SimpleNamespace

import pytest

from brickphys.rules.setup import TableReader, given, lookup

SHIPS = {"sloop": 3, "galleon": 9}


def test_a_name_stands_for_its_thing_and_an_unknown_one_is_a_fault_of_its_place():
    reader = TableReader()
    assert (
        lookup("ship", "sloop", SHIPS) == reader.find("ship[0].base", "ship", "sloop", SHIPS) == 3
    )
    assert reader.find("ship[0].base", "ship", None, SHIPS) is None
    assert reader.faults == []
    assert reader.find("ship[0].base", "ship", "slop", SHIPS) is None
    assert reader.faults == ["ship[0].base: unknown ship 'slop': did you mean 'sloop'?"]


def test_a_thing_with_a_fault_is_known_all_the_same():
    reader, own = TableReader(), dict[str, int]()
    reader.add("ship[0]", "brig", -1, ["guns: -1 is below 0"], own)
    assert reader.find("fleet[0].ships.brig", "ship", "brig", own) == -1
    assert reader.faults == ["ship[0].guns: -1 is below 0"]


@pytest.mark.parametrize("name", ["sloop", "harbour"])
def test_a_name_is_given_once(name):
    reader, own = TableReader(), dict(SHIPS)
    reader.add("ship[2]", name, 5, [], own, {"harbour": None})
    assert reader.faults == [f"ship[2].name: {name!r} is already taken"]
    assert own["sloop"] == 3


def test_every_key_that_is_required_is_asked_for():
    reader, table = TableReader(), SimpleNamespace(guns=4, crew=None, sails=None)
    assert not reader.require("ship[0]", table, ("guns", "crew", "sails"), "there is no base")
    assert reader.faults == [
        "ship[0].crew: missing, and there is no base",
        "ship[0].sails: missing, and there is no base",
    ]
    assert reader.require("ship[0]", table, ("guns",), "there is no base")


def test_only_what_is_written_is_given():
    table = {"name": "brig", "guns": None, "crew": 0, "base": "sloop"}.items()
    assert given(table, "base") == {"name": "brig", "crew": 0}
