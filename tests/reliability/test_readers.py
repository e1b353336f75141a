"""Whatever a file holds, its reader raises InvalidValueError only, and what it accepts is read again as the same."""

from pathlib import Path

import pytest
from documents import documents
from hypothesis import given, settings
from hypothesis import strategies as st
from readers import READERS, plain, resealed

from brickphys.errors import InvalidValueError

ROOT = Path(__file__).parent.parent.parent
CORPUS = ROOT / "tests" / "corpus"
FEW, MANY = 6, 2000


def check(name: str, content: bytes, folder: Path) -> bool:
    """Assert what every reader promises of a file; return whether it was accepted."""
    reader = READERS[name]
    path = folder / f"thing.{reader.ending}"
    path.write_bytes(content)
    try:
        value = reader.read(path)
    except InvalidValueError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert "\n" not in refused
        return False
    path.write_bytes(reader.again(value, content))
    assert plain(reader.read(path)) == plain(value)
    return True


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("read")


@pytest.mark.parametrize("name", READERS)
def test_the_example_of_a_reader_is_accepted(name, folder):
    assert check(name, READERS[name].example(), folder)


@pytest.mark.parametrize("name", READERS)
def test_what_once_failed_is_refused_or_read(name, folder):
    for path in sorted((CORPUS / name).glob("*")):
        check(name, path.read_bytes(), folder)


def fuzz(name: str, folder: Path, examples: int) -> None:
    reader = READERS[name]
    example = reader.example()
    made = documents(example, reader.ending)
    if name in ("replay", "campaign"):
        made = st.one_of(made, made.map(forged))

    @settings(max_examples=examples, derandomize=True, database=None)
    @given(made)
    def run(content: bytes) -> None:
        check(name, content, folder)

    run()


def forged(content: bytes) -> bytes:
    """Return lines with checks of their own content, where that is possible."""
    try:
        return resealed(content)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return content


@pytest.mark.parametrize("name", READERS)
def test_a_few_damaged_files_of_each_reader(name, folder):
    fuzz(name, folder, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_many_damaged_files_of_each_reader(name, folder):
    fuzz(name, folder, MANY)
