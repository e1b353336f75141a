"""Aims of a setup, in a small game whose areas are harbours with a number of berths."""

import pytest

from brickphys.rules.aims import Carry, Hold, Reach, RoundLimit
from brickphys.rules.schema import AimDocument
from brickphys.rules.setup import AimReader

BERTHS = {"tortuga": 2, "nassau": 9}
TEAMS = {"red": 0, "blue": 1, "green": 2}
SHIPS = {"brig": 0, "sloop": 0, "galleon": 1}


class HarbourAim(AimDocument):
    area: str | None = None


class HarbourReader(AimReader[HarbourAim, str]):
    def area(self, place, entry):
        self.find(place, "harbour", entry.area, BERTHS)
        return entry.area

    def room(self, area):
        return BERTHS.get(area, 0)

    def items(self):
        return {"treasure"}


def read(*aims: dict):
    reader = HarbourReader(TEAMS, SHIPS)
    return reader.aims([HarbourAim(**aim) for aim in aims]), reader.faults


def aim(kind: str, **more) -> dict:
    return {"kind": kind, "player": "red", "area": "nassau"} | more


def test_every_kind_of_aim():
    aims, faults = read(
        aim("reach", units=["sloop"]),
        aim("reach", count=2),
        aim("carry", item="treasure"),
        aim("hold", rounds=3),
        {"kind": "rounds", "rounds": 9},
    )
    assert faults == []
    assert aims == (
        Reach(0, "nassau", (1,)),
        Reach(0, "nassau", (), 2),
        Carry(0, "nassau", "treasure"),
        Hold(0, "nassau", 3),
        RoundLimit(9),
    )


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"kind": "hold"}, ["aims[0].player: missing", "aims[0].area: missing", "aims[0].rounds: missing"]),
        (aim("hold", rounds=1, player="read"), ["aims[0].player: unknown player 'read': did you mean 'red'?"]),
        (aim("hold", rounds=1, area="nasau"), ["aims[0].area: unknown harbour 'nasau': did you mean 'nassau'?"]),
        (aim("carry", item="key"), ["aims[0].item: there is no 'key' in this battle"]),
        (aim("reach", units=["brg"]), ["aims[0].units[0]: unknown unit 'brg': did you mean 'brig'?"]),
        (aim("reach", count=3), ["aims[0]: 3 units, but the team has only 2"]),
        (aim("reach", area="tortuga", count=3), ["aims[0]: 3 units, but the area has room for only 2"]),
        (aim("reach", units=["sloop", "galleon"]), ["aims[0].units[1]: galleon is of another team"]),
        (aim("reach", units=["sloop", "sloop"]), ["aims[0].units[1]: sloop is listed twice"]),
        (aim("reach", units=["sloop"], count=2), ["aims[0].count: leave it out, since all named units must be there"]),
        (aim("reach", player="green"), ["aims[0].player: the team of green has no units"]),
        (aim("hold", rounds=1, player="green"), ["aims[0].player: the team of green has no units"]),
        (aim("reach", rounds=2), ["aims[0].rounds: not a key of the aim 'reach'"]),
        (aim("hold", rounds=1, item="key"), ["aims[0].item: not a key of the aim 'hold'"]),
        (aim("carry", item="treasure", count=2), ["aims[0].count: not a key of the aim 'carry'"]),
        (
            aim("rounds", rounds=2),
            ["aims[0].player: not a key of the aim 'rounds'",
             "aims[0].area: not a key of the aim 'rounds'"],
        ),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_place(entry, told):
    assert read(entry)[1] == told


def test_a_game_ends_by_rounds_once():
    end = {"kind": "rounds", "rounds": 9}
    assert read(end, end, end)[1] == [
        "aims[1]: aims[0] already limits the rounds",
        "aims[2]: aims[0] already limits the rounds",
    ]


def test_an_aim_is_told_once():
    other = aim("hold", rounds=3, player="blue")
    assert read(other, aim("hold", rounds=3), other)[1] == ["aims[2]: the same as aims[0]"]


def test_nothing_is_held_for_longer_than_the_game_lasts():
    end = {"kind": "rounds", "rounds": 3}
    assert read(aim("hold", rounds=3), end)[1] == []
    assert read(aim("hold", rounds=4), end)[1] == [
        "aims[0]: 4 rounds to hold, but the game ends after round 3"
    ]
