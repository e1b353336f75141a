"""The builder of small battles puts everything where its words say."""

from brickphys.blade_and_bow.pieces import Box
from tests.blade_and_bow.battle import battle, leader, names_of, square, squares, unit


def test_builder_reads_map_pieces_walls_and_hands() -> None:
    state = battle(
        """
        ..^.
        ....
        =.."
        """,
        "greeks hoplite B2 e +1 max=3",
        "greeks hoplite B3 ne disrupted marker as=ann",
        "greeks hoplite - e",
        "greeks leader leonidas B2 1-6-3/red",
        "persians archers D2 w seen",
        "persians camp D1",
        hands=((4, 2), (7,)),
        walls=["B2 B3"],
        turn=2,
    )
    setting = state.setting
    assert [spec.name for spec in setting.units] == ["hoplite_1", "ann", "hoplite_2", "archers"]
    first, ann, waiting, archers = state.units
    assert (first.square, first.facing, first.ranks) == (square(state, "B2"), 0, 1)
    assert setting.units[0].most_ranks == 3
    assert (ann.facing, ann.disrupted, ann.marker, ann.seen) == (1, True, True, False)
    assert waiting.box is Box.WAITING
    assert archers.facing == 4
    assert archers.seen
    assert state.commanders == (leader(state, "leonidas"), None)
    assert state.morale(0) == 3
    assert state.colour(0) == "red"
    assert state.leader_of(unit(state, "hoplite_1")) == leader(state, "leonidas")
    assert state.camps == (None, square(state, "D1"))
    assert names_of(state, setting.closed) == "A3"
    assert names_of(state, setting.high) == "C1"
    assert setting.terrain[square(state, "D3")].name == "woods"
    assert state.hands == ((2, 4), (7,))
    assert len(state.deck) == 57
    assert 2 not in state.deck
    assert setting.walls == {(square(state, "B3"), square(state, "B2"))}
    assert squares(state, "A1 D3") == 1 << square(state, "A1") | 1 << square(state, "D3")
    assert state.turn == 2
