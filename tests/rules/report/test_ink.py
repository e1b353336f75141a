"""Text with tones: the tones stay with their parts, and the text is the same with and without them."""

from hypothesis import given
from hypothesis import strategies as st

from brickphys.rules.report import char_map

PARTS = st.lists(st.tuples(st.text(max_size=5), st.booleans()), max_size=6)


@given(PARTS, st.sampled_from(["", "\n", " - "]))
def test_joined_texts_keep_their_tones(parts, between):
    texts = [char_map.inked(text, char_map.Ink.MARK) if tone else text for text, tone in parts]
    whole = char_map.joined(texts, between)
    assert whole == between.join(text for text, _ in parts)
    toned = [whole[start:end] for start, end, _ in whole.spans]
    assert toned == [text for text, tone in parts if tone and text]


def test_names_and_sections_are_found_as_written_and_as_spoken():
    names = {"red_knight": 0, "red": 0, "blue": 1}
    text = char_map.highlighted("red: red knight hits blue, not red_knight_2 (BOW 2.4.2).", names)
    assert [(text[start:end], tone) for start, end, tone in text.spans] == [
        ("red", 0),
        ("red knight", 0),
        ("blue", 1),
        ("(BOW 2.4.2)", char_map.Ink.QUIET),
    ]


def test_thousands_of_names_are_tried_only_where_a_word_begins():
    """In an army of 2,000 each name was tried at each character: the first screen took a minute of a core."""
    names = {f"unit_{number}": number for number in range(2000)}
    assert char_map._pattern(tuple(names)).pattern.count("(?<!") == 1
    assert char_map.highlighted("unit_1999 hits Unit 7, not xunit_7", names).spans == (
        (0, 9, 1999),
        (15, 21, 7),
    )
    assert char_map.highlighted("nobody (BOW 2.2)", {}).spans == ((7, 16, char_map.Ink.QUIET),)


def test_what_has_a_tone_keeps_it():
    text = char_map.highlighted(
        char_map.joined([char_map.inked("red 1", char_map.Ink.HEAD), " red"]), {"red": 0}
    )
    assert text.spans == ((0, 5, char_map.Ink.HEAD), (6, 9, 0))


def test_a_text_that_is_cut_has_no_tones_beyond_its_end():
    assert char_map.Inked("ab  ", [(1, 4, 0)]).rstripped().spans == ((1, 2, 0),)
    assert char_map.Inked("ab  ", [(2, 4, 0)]).rstripped().spans == ()
    assert char_map.spans_of("plain") == ()
