import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys import stamp
from brickphys.errors import InterruptedRunError, InvalidValueError, ReplayFileError
from brickphys.files import digest
from brickphys.odds.law import BinomialLaw
from brickphys.rules.events import Measurement
from brickphys.rules.play import MAX_STEPS, play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import Ending
from brickphys.rules.replay import (
    MOST_LINES,
    ReplayText,
    format_replay,
    game_stamp,
    parse_replay,
    play_back,
    read_replay,
    write_replay,
)
from brickphys.rules.sources import LawSource, ScriptSource
from tests.cases import examples
from tests.command_line import brickphys
from tests.rules.card_game import Cards
from tests.rules.duel_game import Duel

LAW = BinomialLaw(Fraction(1, 4))
DUEL = Duel()


def blind(game=DUEL, seed=3, setup=None, **options):
    chosen = next(iter(game.setups.values())) if setup is None else setup
    return play(
        game, chosen, [RandomBot(), RandomBot()], LawSource(LAW, seed), root=seed, **options
    )


RECORD = blind(Cards())
TEXT = format_replay(Cards(), RECORD, "1/4")
LINES = TEXT.splitlines()


def signed(bodies):
    """A replay whose checks are all right, whatever it says: what a patient forger makes."""
    check, lines = "", []
    for body in bodies:
        check = digest(f"{check}\n{json.dumps(body)}")
        lines.append(json.dumps({**body, "check": check}))
    return "\n".join(lines) + "\n"


def bodies():
    """The lines of the replay without their checks, to be changed."""
    read = [json.loads(line) for line in LINES]
    for body in read:
        del body["check"]
    return read


@given(st.integers(0, 2**53 - 1), st.sampled_from(["even", "one hit"]))
def test_a_replay_gives_the_same_game(seed, setup):
    record = blind(seed=seed, setup=DUEL.setups[setup])
    assert play_back(DUEL, parse_replay(format_replay(DUEL, record, "1/4"))) == record


def test_a_replay_says_what_was_played():
    replay = parse_replay(TEXT)
    assert (replay.game, replay.setup, replay.root, replay.law) == ("cards", {"cards": 6}, 3, "1/4")
    assert replay.players == ("random", "random")
    assert [move.text for move in replay.moves] == [step.text for step in RECORD.steps]
    assert play_back(Cards(), replay).final == RECORD.final


@pytest.mark.parametrize("ending", ["limit", "interrupted"])
def test_a_game_that_was_not_finished_is_a_whole_replay(ending):
    class Leaver(RandomBot):
        def choose(self, view, actions, rng):
            raise InterruptedRunError("gone")

    if ending == "limit":
        record = blind(max_steps=1)
    else:
        bots = [RandomBot(), Leaver()]
        record = play(DUEL, DUEL.setups["even"], bots, LawSource(LAW, 8), root=8)
    assert record.ending is Ending(ending)
    assert play_back(DUEL, parse_replay(format_replay(DUEL, record, "1/4"))) == record


def test_what_was_measured_is_played_back_to_the_last_bit():
    class Crash(Duel):
        def chance(self, state):
            return Measurement((("x_studs", 0.0, 1.0), ("y_studs", 0.0, 1.0)))

        def apply(self, state, move):
            return super().apply(state, move if isinstance(move, str) else (move[0] > 0.5, 0))

    setup = {"health": [1, 1], "attack": [1, 1], "dodge": [0, 0], "turns": 2}
    third = repr(1 / 3)
    record = play(
        Crash(), setup, [RandomBot()] * 2, ScriptSource([f"{third} 0.1", "0.9 0.1"]), root=1
    )
    assert record.steps[1].move == (1 / 3, 0.1)
    assert play_back(Crash(), parse_replay(format_replay(Crash(), record, "typed"))) == record


@pytest.mark.parametrize("kept", range(len(LINES)))
def test_a_replay_cut_after_any_line_is_refused_with_the_line_that_is_missing(kept):
    cut = "".join(line + "\n" for line in LINES[:kept])
    with pytest.raises(
        ReplayFileError, match=f"^replay: line {kept + 1}: is missing, the replay was cut$"
    ):
        parse_replay(cut)


@pytest.mark.parametrize("line", range(len(LINES)))
def test_a_replay_cut_within_any_line_is_refused_with_its_number(line):
    cut = "".join(whole + "\n" for whole in LINES[:line]) + LINES[line][: len(LINES[line]) // 2]
    with pytest.raises(ReplayFileError, match=f"line {line + 1}: is cut"):
        parse_replay(cut)
    with pytest.raises(ReplayFileError, match=f"line {len(LINES)}: is cut"):
        parse_replay(TEXT[:-1])


@given(st.integers(0, len(TEXT.encode()) - 1), st.integers(1, 255))
@settings(max_examples=examples(4))
def test_any_byte_that_is_changed_is_found_in_its_line(tmp_path_factory, at, change):
    content = bytearray(TEXT.encode())
    content[at] ^= change
    line = TEXT.encode()[:at].count(b"\n") + 1
    path = tmp_path_factory.getbasetemp() / "edited.jsonl"
    path.write_bytes(content)
    with pytest.raises(ReplayFileError, match=rf"line {line}\b"):
        read_replay(path)


@pytest.mark.parametrize("line", range(1, len(LINES)))
def test_a_line_that_was_lost_doubled_or_swapped_is_found(line):
    lost = [*LINES[: line - 1], *LINES[line:]]
    doubled = [*LINES[:line], *LINES[line - 1 :]]
    swapped = [*LINES[: line - 1], LINES[line], LINES[line - 1], *LINES[line + 1 :]]
    for lines, number in ((lost, line), (doubled, line + 1), (swapped, line)):
        with pytest.raises(
            ReplayFileError, match=rf"line {number}: was edited, or the line before"
        ):
            parse_replay("\n".join(lines) + "\n")


def test_every_edited_line_is_named():
    lines = list(LINES)
    for number in (3, 6):
        lines[number - 1] = lines[number - 1].replace('"move": ', '"move":  ')
    with pytest.raises(ReplayFileError, match=r"line 3: was edited; line 6: was edited$"):
        parse_replay("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("line", "change", "words"),
    [
        (1, {"game": "duel"}, "line 1: a replay of 'duel', not of 'cards'"),
        (1, {"setup": {"cards": 7}}, "line 1: the game starts in another state"),
        (1, {"setup": {}}, "line 1: setup {}: cards is a number"),
        (1, {"schema": "brickphys.replay/2"}, "line 1: schema: "),
        (1, {"seed": -1}, "line 1: seed: "),
        (1, {"players": ["random"]}, "line 1: 1 player, but the game has 2"),
        (1, {"stamp": {}}, "line 1: stamp.sources: missing"),
        (3, {"actor": 0}, "line 3: player 0 moves, but it is the turn of chance"),
        (3, {"actor": True}, "line 3: actor"),
        (3, {"move": "2"}, "line 3: '2' is not an answer to: one of"),
        (6, {"move": "x"}, "line 6: 'x' is no card"),
        (6, {"move": "4"}, "line 6: '4' is illegal: Cards 2: card 4 is not in the hand"),
        (6, {"state": "0" * 16}, "line 6: '2' leads to another state"),
        (6, {"state": "short"}, "line 6: state: "),
        (4, {"step": 9}, "line 4: step 9 where 3 should come"),
        (10, {"returns": ["1", "-1"]}, "line 10: the returns differ"),
        (10, {"final": "45///2136/0/3"}, "line 10: the last state differs"),
        (10, {"ending": "limit"}, "line 10: ends as 'limit', but over"),
        (10, {"steps": 3}, "line 10: ends after 3 steps, not 8"),
        (10, {"returns": ["1/0", "0"]}, "line 10: returns"),
    ],
)
def test_a_forgery_with_right_checks_is_found_by_playing(line, change, words):
    forged = bodies()
    forged[line - 1].update(change)
    with pytest.raises(ReplayFileError) as caught:
        play_back(Cards(), parse_replay(signed(forged)))
    assert str(caught.value).startswith(f"replay: {words}")


TRUSTED = {"version", "players", "seed", "address", "law"}
"""Keys of a replay that nothing else in it determines."""


def test_no_key_of_a_replay_is_believed_that_is_not_listed():
    """Each leaf of each line is changed, and all checks are made anew."""
    believed = set()
    for number, body in enumerate(bodies()):
        for key, value in body.items():
            for edit in (edit for edit in other_values(value) if edit != value):
                forged = bodies()
                forged[number][key] = edit
                try:
                    play_back(Cards(), parse_replay(signed(forged)))
                except ReplayFileError:
                    continue
                believed.add(key)
    assert believed <= TRUSTED


def other_values(value):
    if isinstance(value, int):
        return [value + 1, max(value - 1, 0) if value else 2, 7]
    if isinstance(value, str):
        return [f"{value}x", "", "0" * len(value)]
    if isinstance(value, list):
        return [value[:-1], [*value, *value[:1], 1], [*value[1:], "x"]]
    return [{}, {**value, "more": 1}, dict.fromkeys(value, 7)]


def test_every_fault_of_the_lines_is_named_before_anything_is_played():
    forged = bodies()
    forged[1].update(state="short")
    del forged[4]["move"]
    forged[5]["colour"] = "red"
    with pytest.raises(ReplayFileError) as caught:
        parse_replay(signed(forged))
    for words in ("line 2: state:", "line 5: move: missing", "line 6: colour: unknown key"):
        assert words in str(caught.value)


def test_a_move_after_the_end_is_found():
    forged = bodies()
    forged.insert(9, {**forged[8], "step": 9})
    forged[10]["steps"] = 9
    with pytest.raises(
        ReplayFileError, match="line 10: player 1 moves, but it is the turn of nobody"
    ):
        play_back(Cards(), parse_replay(signed(forged)))


class Changed(Cards):
    __module__ = Cards.__module__

    def apply(self, state, move):
        after = super().apply(state, move)
        return replace(after, table=after.table[::-1]) if after.table else after


def test_a_new_version_that_plays_alike_plays_old_replays_and_says_so_if_not():
    class Newer(Cards):
        version = "2"

    assert play_back(Newer(), parse_replay(TEXT)) == RECORD
    with pytest.raises(
        ReplayFileError, match=r"line 7: .* leads to another state.*\(version 1, now 2\)"
    ):
        play_back(type("Newest", (Changed, Newer), {})(), parse_replay(TEXT))


def test_a_replay_says_what_wrote_it_and_names_that_if_it_plays_otherwise(tmp_path, monkeypatch):
    (tmp_path / "own_cards.py").write_text("")  # a small package: its sources are soon read
    monkeypatch.syspath_prepend(tmp_path)
    own, changed = (
        type(kind.__name__, (kind,), {"__module__": "own_cards"})() for kind in (Cards, Changed)
    )
    here = game_stamp(own)
    assert set(here.sources) > {"rules", "own_cards"}
    text = format_replay(own, RECORD, "1/4", here)
    assert text == format_replay(own, RECORD, "1/4", here)
    assert parse_replay(text).stamp == here
    assert parse_replay(TEXT).stamp is None
    with pytest.raises(ReplayFileError, match=r"leads to another state[^()]*$"):
        play_back(changed, parse_replay(text))
    other = replace(here, sources={**here.sources, "rules": "0" * 16})
    strange = parse_replay(format_replay(own, RECORD, "1/4", other))
    assert play_back(own, strange) == RECORD
    words = r"leads to another state.* \(was written by other sources: the sources of rules have changed\)$"
    with pytest.raises(ReplayFileError, match=words):
        play_back(changed, strange)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "{}\n", "[]\n", "null\n", '"a"\n', "1" * 5000 + "\n", "[" * 100_000 + "\n", "NaN\n"],
    ids=range(9),
)
def test_what_is_no_replay_is_refused(text):
    with pytest.raises(ReplayFileError, match="line 1"):
        parse_replay(text)


def test_a_replay_of_too_many_lines_is_refused_before_any_is_checked():
    assert MOST_LINES == MAX_STEPS + 2  # the longest game, its header and its end
    with pytest.raises(ReplayFileError, match=f"game: more than {MOST_LINES:,} lines"):
        parse_replay("{}\n" * (MOST_LINES + 1), "game")


def test_a_replay_is_written_whole_and_read_again(tmp_path):
    path = write_replay(Cards(), RECORD, tmp_path / "game.jsonl", law="1/4")
    assert path.read_text() == TEXT
    assert play_back(Cards(), read_replay(path)) == RECORD
    with pytest.raises(InvalidValueError, match="exists already"):
        write_replay(Cards(), RECORD, path, law="1/4")
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(ReplayFileError, match="cannot be read: No such file"):
        read_replay(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"{}\n\xff\n")
    with pytest.raises(ReplayFileError, match="binary: line 2: is not UTF-8"):
        read_replay(tmp_path / "binary")


def test_a_setup_that_is_no_json_is_not_written():
    with pytest.raises(InvalidValueError, match="is not JSON"):
        format_replay(Cards(), replace(RECORD, setup={"cards": float("nan")}), "1/4")


def test_another_text_is_no_replay_and_other_ends_of_line_are_named():
    with pytest.raises(ReplayFileError, match="this is not a replay"):
        parse_replay('{"id": "a", "field": {"width": 3}}\n')
    with pytest.raises(ReplayFileError, match="Windows format"):
        parse_replay('{"check": 1}\r\n{"b": 2}\r\n')


def test_a_replay_has_no_stamp_if_sources_were_edited_while_it_was_played(tmp_path, monkeypatch):
    monkeypatch.setattr(stamp, "STARTED_NS", 0)
    line = ("play", "bow", "duel", "--bots", "random", "--seed", 3, "--max-steps", 3)
    result = brickphys(*line, "--replay", tmp_path / "duel.jsonl")
    assert "no stamp is written: " in result.stderr
    assert read_replay(tmp_path / "duel.jsonl").stamp is None


@given(st.lists(st.integers(0, 12), min_size=1, max_size=8))
def test_the_text_of_a_game_that_goes_on_is_that_of_each_record(lengths):
    """Also after steps were taken back, and others were taken instead."""
    game = Duel()
    records = [
        play(game, game.setups["even"], [RandomBot()] * 2, LawSource(LAW, root), root=1)
        for root in (1, 2)
    ]
    text = ReplayText(game, "a law")
    for number, length in enumerate(lengths):
        whole = records[number % 2]
        part = replace(whole, steps=whole.steps[:length], ending=Ending.INTERRUPTED, returns=None)
        assert text.of(part) == format_replay(game, part, "a law")
