"""Whatever is read is bounded: size, depth, digits, encoding; every fault is one line with the name of the file."""

import ast
import os
import threading
from pathlib import Path

import pytest

from brickphys.errors import InvalidValueError
from brickphys.reading import (
    LARGEST_INTEGER,
    MOST_BYTES,
    MOST_COUNTS_BYTES,
    MOST_DATA_BYTES,
    MOST_DEPTH,
    MOST_DIGITS,
    MOST_FILM_BYTES,
    MOST_MANIFEST_BYTES,
    MOST_RECORD_BYTES,
    MOST_SCENE_BYTES,
    MOST_SETUP_BYTES,
    MOST_STUDY_BYTES,
    MOST_TABLE_BYTES,
    MOST_VALUES,
    parse_csv,
    parse_json,
    parse_toml,
    read_bytes,
    read_json,
    read_text,
    read_toml,
)

PACKAGE = Path(__file__).parent.parent / "brickphys"


def test_a_text_may_begin_with_the_mark_of_an_editor_and_have_any_line_ends(tmp_path):
    path = tmp_path / "spec.toml"
    path.write_bytes(b"\xef\xbb\xbfspeed = 2\r\nname = 'a'\rtop = 3\n")
    assert read_toml(path) == {"speed": 2, "name": "a", "top": 3}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"ok\n\xff\xfe", "line 2: is not UTF-8 text"),
        (b"ok\n\n\0", "line 3: is not text: it has a NUL character"),
        ("a".encode("utf-16"), "line 1: is not UTF-8 text"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(tmp_path, content, fault):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InvalidValueError, match=f"file: {fault}"):
        read_text(tmp_path / "file")


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "law.json"
    with path.open("wb") as file:
        file.truncate(10**12)  # no memory could hold it
    for read in (read_text, read_bytes, read_json, read_toml):
        with pytest.raises(InvalidValueError, match=r"law\.json: larger than [0-9.]+ MB"):
            read(path)
    with pytest.raises(InvalidValueError, match=r"x: larger than 64 MB; write fewer digits"):
        parse_toml("#" * (MOST_SCENE_BYTES + 1), "x")


@pytest.mark.parametrize(
    ("most", "megabytes"),
    [
        (MOST_BYTES, 0.5),
        (MOST_SETUP_BYTES, 4),
        (MOST_STUDY_BYTES, 16),
        (MOST_SCENE_BYTES, 64),
        (MOST_RECORD_BYTES, 30),
        (MOST_MANIFEST_BYTES, 100),
        (MOST_TABLE_BYTES, 10),
        (MOST_FILM_BYTES, 64),
        (MOST_COUNTS_BYTES, 100),
        (MOST_DATA_BYTES, 50),
    ],
)
def test_each_kind_of_file_has_its_limit_and_a_way_out(tmp_path, most, megabytes):
    path = tmp_path / "thing"
    with path.open("wb") as file:
        file.truncate(most + 1)
    with pytest.raises(InvalidValueError) as refused:
        read_bytes(path, most)
    assert str(refused.value) == f"{path}: larger than {megabytes:g} MB; {most.way_out}"


def test_depth_and_digits_are_looked_for_in_every_line():
    lines = "a = 1\n" * 5
    for fault, line in (
        ("a dotted key of more than 20 parts", "b" + ".b" * MOST_DEPTH + " = 1"),
        ("a number of more than 1000 digits", "c = " + "1" * (MOST_DIGITS + 1)),
    ):
        with pytest.raises(InvalidValueError, match=fault):
            parse_toml(lines + line, "x")


def test_names_that_are_no_files_are_refused(tmp_path):
    (tmp_path / "secret").touch(mode=0o000)
    cases = {tmp_path: "Is a directory", "/dev/zero": "is a device", "a\0b": "embedded null"}
    cases |= {tmp_path / "no" / "file": "No such file", "a" * 5000: "File name too long"}
    if os.getuid():
        cases[tmp_path / "secret"] = "Permission denied"
    for path, fault in cases.items():
        with pytest.raises(InvalidValueError, match=fault):
            read_bytes(path)


def test_a_pipe_is_read_if_something_writes_to_it(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidValueError, match="pipe: is a pipe that nothing writes to"):
        read_text(pipe)
    inner, outer = os.pipe()
    writer = threading.Thread(target=lambda: (os.write(outer, b"a = 1\n"), os.close(outer)))
    writer.start()
    assert read_toml(f"/dev/fd/{inner}") == {"a": 1}
    writer.join()
    os.close(inner)


def test_depth_is_bounded_in_every_form():
    most, more = MOST_DEPTH, MOST_DEPTH + 1
    for deep in (50_000, more):
        for text in ("[" * deep, "[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep):
            with pytest.raises(
                InvalidValueError, match=r"x: more than 20 tables or arrays|not JSON"
            ):
                parse_json(text, "x")
        for text in (f"a = {'[' * deep}", f"a = {'[' * deep}{']' * deep}", "a = " + "{a=" * deep):
            with pytest.raises(
                InvalidValueError, match=r"x: more than 20 tables or arrays|not TOML"
            ):
                parse_toml(text, "x")
        for text in ("a" + ".a" * deep + " = 1", "[a" + ' . "a"' * deep + "]"):
            with pytest.raises(InvalidValueError, match="x: a dotted key of more than 20 parts"):
                parse_toml(text, "x")
    assert parse_json("[" * most + "]" * most, "x")
    deep = "[" * 99
    quoted = f'a = "[[[["\nb = \'{deep}\'\n# {deep}\nc = """{deep}"""'
    assert set(parse_toml(quoted, "x")) == {"a", "b", "c"}
    assert parse_json('["' + "[" * 99 + '\\"[[["]', "x")
    with pytest.raises(InvalidValueError, match="more than 20 tables or arrays"):
        parse_toml(
            "".join(f"[{'.'.join('a' * n)}]\n" for n in range(1, 19)) + "b = [[[[[1]]]]]", "x"
        )


def test_numbers_are_bounded():
    digits = "9" * (MOST_DIGITS + 1)
    for read, text in (
        *((parse_toml, f"a = {sign}{digits}") for sign in ("", "-", "+")),
        *((parse_json, f'{{"a": {sign}{digits}}}') for sign in ("", "-")),
    ):
        with pytest.raises(InvalidValueError, match="x: a number of more than 1000 digits"):
            read(text, "x")
    for text in (f"a = {LARGEST_INTEGER + 1}", f"a = -{'9' * 300}", f"a = 0x{'f' * 5000}"):
        with pytest.raises(InvalidValueError, match="x: a: an integer beyond 9223372036854775807"):
            parse_toml(text, "x")
    for text in ('{"a": [1, 1e999]}', '{"a": [1, NaN]}', '{"a": [1, -Infinity]}'):
        with pytest.raises(
            InvalidValueError, match=r"x: a\[1\]: (inf|nan|-inf) is not a finite number"
        ):
            parse_json(text, "x")
    assert (
        parse_toml(f"a = {LARGEST_INTEGER}\nb = '{digits}'\na-{digits} = 1", "x")["a"]
        == LARGEST_INTEGER
    )


def test_the_values_of_a_json_document_are_bounded():
    with pytest.raises(InvalidValueError, match=f"x: more than {MOST_VALUES:,} values"):
        parse_json(f"[{'1,' * MOST_VALUES}1]", "x")
    assert len(parse_json(f'["{"," * MOST_VALUES}", 1]', "x")) == 2  # commas of a text are none


def test_a_key_may_not_come_twice():
    with pytest.raises(InvalidValueError, match="x: not JSON: the key 'p' is there twice"):
        parse_json('{"a": {"q": 1, "p": 1, "p": 2}}', "x")
    with pytest.raises(InvalidValueError, match="x: not TOML: Cannot overwrite a value"):
        parse_toml("p = 1\np = 2", "x")


@pytest.mark.parametrize("text", [r'{"a": "\u0000"}', r'{"a": ["\ud800"]}', r'{"\udfff": 1}'])
def test_text_has_characters_only(text):
    with pytest.raises(InvalidValueError, match=r"x: .*has an invalid character"):
        parse_json(text, "x")
    assert parse_json(r'"\ud83d\ude00"', "x") == "\N{GRINNING FACE}"


def test_rows_of_csv_have_the_number_of_their_line():
    assert list(parse_csv('a,b\n"1\n2",3\n\n4', "x")) == [
        (1, ["a", "b"]), (3, ["1\n2", "3"]), (4, []), (5, ["4"]),
    ]  # fmt: skip
    with pytest.raises(InvalidValueError, match="x: not a CSV file: line 2: field larger"):
        list(parse_csv('a\n"' + "b" * 200_000, "x"))


ELSEWHERE = {
    "brickphys.interface": "JSON that it has written itself, to make a document plain",
    "brickphys.files": "lines of JSON, each checked by its own text",
    "brickphys.batch.chunk": "what this process wrote for its worker",
    "brickphys.batch.report.sql": "the syntax tree of a question, as DuckDB writes it",
    "brickphys.batch.journal": "lines of JSON, torn ones are ignored",
    "brickphys.view.app.access": "a token that it wrote itself, of one form",
    "brickphys.view.app.start_page": "pictures of its own, which it hands on",
    "brickphys.view.app.tables": "JSON that it has written itself, under a seal",
    "brickphys.view.app.crash": "two numbers that its own process wrote",
    "brickphys.cli.batch_status": "rows of a table made plain by way of JSON",
    "brickphys.geometry.rings": "numbers of WKT, whose form its own pattern has checked",
    "brickphys.engines.kernels.ahead": "the sources of kernels, for their digest",
    "brickphys.jit": "bytes of a cache that it wrote, with their digest",
    "brickphys.rules.players.bots": "the weights of a game, for their digest",
    "brickphys.stamp": "the sources of the package, for their digest",
    "brickphys.batch.shard": "its bytes are compared with a digest before they are parsed",
}
"""Modules that read by themselves, and why they may."""


def reads(tree: ast.AST) -> set[str]:
    """Names of functions that read a file or parse a text, as they are called in a module."""
    names = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    whole = {"json.load", "json.loads", "csv.reader", "csv.DictReader", "tomllib.load"}
    whole.add("tomllib.loads")
    return {n for n in names if n in whole or n.endswith((".read_text", ".read_bytes"))}


def test_nothing_else_reads():
    found = {}
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        text = path.read_text("utf-8")
        may = any(
            word in text for word in ("json", "csv", "tomllib", ".read_", "np.load", "wavfile")
        )
        if may and name != "brickphys.reading" and (calls := reads(ast.parse(text))):
            found[name] = calls
    assert found.keys() <= ELSEWHERE.keys(), found
