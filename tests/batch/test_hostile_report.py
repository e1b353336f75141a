"""A report shows hostile names as text and loads nothing; SQL questions reach nothing but the rows."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from brickphys.batch.report import sql
from brickphys.batch.report.sql import query
from brickphys.batch.store import Store
from brickphys.errors import InvalidValueError
from tests.batch.batches import DROP, run_here
from tests.command_line import assert_refused, brickphys

TITLE = (
    "![x](https://example.org/x.png) <script>alert(1)</script> $\\frac{1$ | [a](javascript:b) "
    "`</code>` <img src=//example.org/y> &lt;b&gt;"
)
LOADS = {"src", "href", "srcset", "data", "action", "poster", "background", "xlink:href"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A batch whose title is hostile."""
    tables = {**DROP, "repeats": 8, "title": TITLE}
    return run_here(tmp_path_factory.mktemp("hostile") / "batch", tables)


class Page(HTMLParser):
    """Collects what a page would load, the tags that it has, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.tags: set[str] = set()
        self.policy, self.text = "", ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            if name in LOADS:
                self.loads.append(value or "")
            if (name, value) == ("http-equiv", "Content-Security-Policy"):
                self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_shows_a_hostile_title_as_text_and_loads_nothing(made: Store) -> None:
    told = brickphys("batch", "report", made.folder)
    assert told.returncode == 0, told.stderr
    text = (made.folder / "report" / "report.html").read_text()
    page = Page(text)
    assert page.loads
    assert all(address.startswith("data:image/png;base64,") for address in page.loads)
    assert not re.search(r"url\(|@import", text)
    assert page.policy.startswith("default-src 'none'")
    assert not page.tags & {"script", "link", "iframe", "object", "embed", "base", "form", "svg"}
    assert page.text.count(TITLE) == 2  # its name, and its head
    markdown = (made.folder / "report" / "report.md").read_text()
    assert "<script>" not in markdown
    assert "<img" not in markdown
    assert "[x](https" not in markdown.partition("```toml")[0]


FORBIDDEN = [
    "copy (select 1) to '{folder}/out.csv'",
    "select * from read_csv('{folder}/secret.csv')",
    "select * from '{folder}/secret.csv'",
    "select * from read_text('{folder}/secret.csv')",
    "select * from glob('{folder}/*')",
    "attach '{folder}/base.duckdb'",
    "install httpfs",
    "load httpfs",
    "set enable_external_access = true",
    "pragma enable_external_access",
    "create table t as select 1",
    "export database '{folder}/all'",
    "select 1; select 2",
    "explain analyze copy (select 1) to '{folder}/out.csv'",
    "from enable_logging(storage='file', storage_path='{folder}/log')",
    "from enable_profiling(save_location='{folder}/profile.json')",
    "explain analyze from enable_logging(storage='file')",
    "select (select count(*) from enable_logging())",
    "with a as (from rows, lateral (from ENABLE_PROFILING())) from a",
    "summarize from disable_logging()",
    "from query('select 1')",
    "pragma version",
    "select * from read_parquet('https://example.org/x.parquet')",
    "summarize '{folder}/secret.csv'",
    "from secret.csv",
    "with a as (from '{folder}/secret.csv') from a",
    "select (select count(*) from information_schema.tables)",
    "select * from sqlite_master, (with sqlite_master as (select 1) from sqlite_master)",
    "with pg_tables as (from pg_tables) from pg_tables",
    "select '\udcff'",
]


@pytest.mark.parametrize("asked", FORBIDDEN)
def test_a_question_reaches_no_file(asked: str, made: Store, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(InvalidValueError, match=r"^--sql: "):
        query(made, asked.format(folder=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


@pytest.mark.parametrize("asked", ["select * from '.tmp/secret.csv'", "describe '.tmp/secret.csv'"])
def test_a_question_reaches_no_temporary_file(
    asked: str, made: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".tmp").mkdir()
    (tmp_path / ".tmp" / "secret.csv").write_text("a\n1\n")
    monkeypatch.chdir(tmp_path)
    assert query(made, asked, files=True).num_rows == 1
    words = r"--sql: .tmp/secret\.csv is not one of the tables \(cells, factors, rows, runs\)"
    with pytest.raises(InvalidValueError, match=words):
        query(made, asked)
    monkeypatch.setattr(sql, "_check_question", lambda *_: None)
    with pytest.raises(InvalidValueError, match="Cannot access file"):  # DuckDB itself refuses it
        query(made, asked)


ALLOWED = [
    "select surface, count(*) as n from rows group by surface",
    "with a as (select run from rows) select * from a, range(2)",
    "with recursive A(n) as (select 1 union all select n + 1 from a where n < 3) from A",
    "select count(*) from Runs join factors using (cell), (select max(failed) from cells)",
    "describe rows",
    "summarize rows",
    "select unnest([1, 2])",
    "from histogram(rows, run)",
]


@pytest.mark.parametrize("asked", ALLOWED)
def test_a_question_on_the_rows_is_answered(asked: str, made: Store) -> None:
    assert query(made, asked).num_rows


def test_files_are_reached_only_where_that_is_asked_for(made: Store, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    words = ("batch", "report", made.folder, "--sql", f"copy (select run from rows) to '{out}'")
    assert_refused(brickphys(*words), "--sql-files")
    assert not out.exists()
    told = brickphys(*words, "--sql-files")
    assert told.returncode == 0, told.stderr
    assert out.read_text().startswith("run\n")
