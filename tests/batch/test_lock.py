"""One runner at a time, and who only asks leaves nothing behind."""

import pytest
from filelock import FileLock

from brickphys.batch.store import LOCK, check_free, is_running, locked
from brickphys.errors import BatchFolderError


def test_a_folder_is_held_until_the_block_ends(tmp_path):
    with locked(tmp_path):
        assert is_running(tmp_path)
        for ask in (locked, check_free):
            with pytest.raises(BatchFolderError, match=r": is being run by another process$"):
                ask(tmp_path)
    assert not is_running(tmp_path)
    check_free(tmp_path)
    with locked(tmp_path):
        pass


def test_who_asks_creates_no_file(tmp_path):
    check_free(tmp_path)
    assert not is_running(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nobody_waits_for_a_lock(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(FileLock, "acquire", lambda _, timeout: asked.append(timeout))
    locked(tmp_path)
    assert asked == [0]


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(FileLock, "acquire", refuse)
    with pytest.raises(BatchFolderError, match=r": cannot be written: Permission denied$"):
        locked(tmp_path)
    (tmp_path / LOCK).touch()
    assert is_running(tmp_path)
