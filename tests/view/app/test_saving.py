"""Games of tabs are kept on the server: a browser has a name, and nothing that is hidden."""

import os
import stat

import pytest

pytest.importorskip("nicegui", reason="the extra view is not installed")
from brickphys.battles.ongoing_game import Rolls
from brickphys.errors import InvalidValueError
from brickphys.view.app.battles import saving
from brickphys.view.app.battles.saving import TabGame, forget_game, store_game, stored_game
from tests.view.visits import in_loop


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "brickphys" / "view"


REPLAY = '{"game": "of cards"}\n{"hand": "secret"}\n'


def store(name):
    store_game(name, Rolls.TABLE, REPLAY)


def test_a_game_is_found_by_its_name_alone_and_read_by_nobody_else(folder):
    store("a name")
    assert stored_game("a name") == (Rolls.TABLE, REPLAY)
    assert stored_game("another name") is None
    (path,) = folder.iterdir()
    assert "name" not in path.name
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    forget_game("a name")
    forget_game("a name")
    assert stored_game("a name") is None


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "\0", "x" * 700_000, "\ud800", "/"])
def test_a_name_is_never_a_path(folder, name):
    assert stored_game(name) is None
    store(name or "y")
    (path,) = folder.iterdir()
    assert path.is_file()


@pytest.mark.parametrize("content", ["", "{}", '["law"]', '["dice", "x"]', "[1, 2, 3]", "\xff"])
def test_a_damaged_file_is_no_game(folder, content):
    store("a")
    (path,) = folder.iterdir()
    path.write_text(content, encoding="latin-1")
    assert stored_game("a") is None


def test_the_oldest_games_go(folder, monkeypatch):
    monkeypatch.setattr(saving, "_MOST_KEPT", 3)
    for number in range(5):
        store(str(number))
        for path in folder.iterdir():  # as if it were old
            os.utime(path, (path.stat().st_mtime - 10,) * 2)
    store("4")
    assert [bool(stored_game(str(number))) for number in range(5)] == [
        False,
        False,
        True,
        True,
        True,
    ]


def test_what_cannot_be_kept_is_told_with_what_to_do(folder, monkeypatch):
    monkeypatch.setattr(saving, "MOST_RECORD_BYTES", 10)
    with pytest.raises(InvalidValueError, match=r"too long .* the button Save"):
        store("a")
    monkeypatch.setattr(saving, "MOST_RECORD_BYTES", 1000)
    monkeypatch.setattr(saving, "state_folder", lambda _: None)
    with pytest.raises(InvalidValueError, match="no home folder; the button Save"):
        store("a")
    assert stored_game("a") is None


@pytest.mark.parametrize("name", ["file", "file/below", 5000 * "a"])
def test_where_there_can_be_no_folder_no_game_is_kept_or_found(folder, monkeypatch, name):
    (folder.parents[1] / "file").write_text("")
    monkeypatch.setattr(saving, "state_folder", lambda _: folder.parents[1] / name)
    with pytest.raises(InvalidValueError, match=r"The game is not kept: .*; the button Save"):
        store("a")
    assert stored_game("a") is None
    forget_game("a")


class Storage:
    """What a tab keeps."""

    def __init__(self, _name):
        self.text = Storage.given

    given = ""

    def keep(self, text):
        self.text = text

    def forget(self):
        self.text = ""

    async def kept(self):
        return self.text


@in_loop
async def test_of_two_tabs_with_one_name_each_keeps_its_own_game(monkeypatch):
    async def at_once(function, *given):
        return function(*given)

    monkeypatch.setattr(saving, "TabStorage", Storage)
    monkeypatch.setattr(saving, "quick", at_once)
    monkeypatch.setattr(Storage, "given", "")
    one = TabGame()
    assert await one.found() is None
    one.keep(Rolls.TABLE, REPLAY)()
    name = one._storage.text
    assert len(name) > 20
    Storage.given = name  # the tab is duplicated
    other = TabGame()
    assert (await other.found())[1] == REPLAY
    other.keep(Rolls.TABLE, REPLAY)()
    assert other._storage.text == name
    one.keep(Rolls.TABLE, REPLAY)()
    assert one._storage.text != name
    await one.forget()
    assert one._storage.text == ""
    assert stored_game(name) is not None
    other.leave()
    assert name not in saving._pages
