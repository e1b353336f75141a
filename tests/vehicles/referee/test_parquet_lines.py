"""Parquet says the same as JSON Lines: scenes, answers and what is found in them; a wrong file is told in one line."""

import datetime
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from brickphys.errors import InvalidValueError
from brickphys.reading import Size
from brickphys.vehicles.referee import parquet_lines as parquet_module
from brickphys.vehicles.referee.judge import judge
from brickphys.vehicles.referee.parquet_lines import parquet_lines, parquet_of
from brickphys.vehicles.referee.scene_lines import answer_lines, random_lines

SCENE = {
    "field": {"width": 48, "height": 32},
    "move": {"vehicle": "jeep"},
    "vehicle": [{"id": "jeep", "model": "jeep", "x": 8, "y": 12, "heading_deg": 15, "speed": 4}],
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with scenes and right answers, both as JSON Lines and as Parquet."""
    folder = tmp_path_factory.mktemp("parquet")
    (folder / "scenes.jsonl").write_text(random_lines(56, 1)[0])
    (folder / "answers.jsonl").write_text("".join(answer_lines(folder / "scenes.jsonl")))
    for name in ("scenes", "answers"):
        text = (folder / f"{name}.jsonl").read_text()
        (folder / f"{name}.parquet").write_bytes(parquet_of(text))
    return folder


def without_nulls(line):
    drop = {"object_hook": lambda one: {key: one[key] for key in one if one[key] is not None}}
    return json.loads(line, **drop)


def written(folder: Path, rows: list, name: str = "scenes.parquet") -> Path:
    """A file as another program writes it."""
    pq.write_table(pa.Table.from_pylist(rows), folder / name)
    return folder / name


def test_lines_survive_parquet(files):
    for name in ("scenes", "answers"):
        lines = (files / f"{name}.jsonl").read_text().splitlines()
        found = [json.loads(line) for line in parquet_lines(files / f"{name}.parquet")]
        assert found == [without_nulls(line) for line in lines]
    assert answer_lines(files / "scenes.parquet") == answer_lines(files / "scenes.jsonl")


def test_judgements_are_the_same(files, tmp_path):
    wrong = [json.loads(line) for line in (files / "answers.jsonl").read_text().splitlines()]
    wrong = [{"id": one["id"], "hits": one["hits"][1:]} for one in wrong[:40]]
    text = "".join(json.dumps(one) + "\n" for one in wrong)
    with pytest.raises(InvalidValueError, match="not to be written as Parquet: "):
        parquet_of(text + '{"id": 1}')
    (tmp_path / "mine.jsonl").write_text(text)
    (tmp_path / "mine.parquet").write_bytes(parquet_of(text))
    one = judge(files / "scenes.jsonl", tmp_path / "mine.jsonl")
    other = judge(files / "scenes.parquet", tmp_path / "mine.parquet")
    assert one.wrong > 5
    assert one.document() == other.document()


def test_a_table_of_another_program_is_read(tmp_path):
    """Ids are numbers or a dictionary of texts, and keys come in any order."""
    rows = pa.Table.from_pylist([{**SCENE, "id": number} for number in (7, 8)])
    pq.write_table(rows, tmp_path / "s.parquet", row_group_size=1)
    names = pa.array(["7", "8"]).dictionary_encode()
    pq.write_table(pa.table({"hits": [[], []], "id": names}), tmp_path / "a.parquet")
    assert judge(tmp_path / "s.parquet", tmp_path / "a.parquet").right == 2


OFF = {**SCENE, "id": "a", "vehicle": [{**SCENE["vehicle"][0], "x": float("nan")}]}
BAD = [
    ([OFF], r"row 1: vehicle\[0\]\.x: nan is not a finite"),
    ([{**SCENE, "id": "a"}, {**SCENE, "id": "a"}], "row 2: id 'a' is also that of row 1"),
    ([SCENE], "row 1: the key 'id' is missing"),
    ([{**SCENE, "id": datetime.date(2000, 1, 1)}], "row 1: Object of type date is not JSON"),
    ([{"id": "a", "scene": json.dumps(SCENE)}], "row 1: .*scene"),
]


@pytest.mark.parametrize(("rows", "fault"), BAD)
def test_a_bad_row_is_named(tmp_path, rows, fault):
    with pytest.raises(InvalidValueError, match=fault) as error:
        answer_lines(written(tmp_path, rows))
    assert "\n" not in str(error.value)


def test_files_that_are_not_parquet_are_refused(files, tmp_path):
    whole = (files / "scenes.parquet").read_bytes()
    twice = io.BytesIO()
    pq.write_table(pa.table([pa.array(["a"]), pa.array(["b"])], names=["id", "id"]), twice)
    for content in (
        b"",
        b'{"id": 1}',
        whole[:-9],
        whole.replace(b"PAR1", b"PAR2"),
        twice.getvalue(),
    ):
        (tmp_path / "bad.parquet").write_bytes(content)
        with pytest.raises(InvalidValueError, match=r"not a file of Parquet|twice"):
            answer_lines(tmp_path / "bad.parquet")


def test_what_fills_the_memory_is_refused(tmp_path, monkeypatch):
    """Equal values are packed: a million of them take some kB, and a thousand million no more."""
    small = Size(800_000, "is it the right file?")
    equal = written(tmp_path, [{"id": "a", "hits": [0] * 1_000_000}])
    assert equal.stat().st_size < 10_000
    other = written(tmp_path, [{"id": "a", "hits": [n / 2 for n in range(100_000)]}], "b.parquet")
    for path, limit in ((equal, "_MOST_UNPACKED"), (other, "MOST_PARQUET_BYTES")):
        monkeypatch.setattr(parquet_module, limit, small)
        with pytest.raises(InvalidValueError, match=r"unpacked larger than 0.8 MB; is it"):
            list(parquet_lines(path))
