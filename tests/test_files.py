import os
import subprocess
import sys

import pytest

from brickphys.cli.shared.output import check_plot
from brickphys.errors import InvalidValueError
from brickphys.files import check_target, write_whole


def test_a_place_is_checked_before_the_work(tmp_path):
    assert check_target(tmp_path / "law.json") == tmp_path / "law.json"
    with pytest.raises(InvalidValueError, match="there is no folder"):
        check_target(tmp_path / "nowhere" / "law.json")
    with pytest.raises(InvalidValueError, match="is a folder"):
        check_target(tmp_path, force=True)


def test_a_link_to_itself_is_no_place(tmp_path):
    (tmp_path / "a.png").symlink_to("b.png")
    (tmp_path / "b.png").symlink_to("a.png")
    for check in (check_target, check_plot):
        with pytest.raises(InvalidValueError, match="a symbolic link that leads to itself"):
            check(tmp_path / "a.png", force=True)


def test_a_file_is_written_with_plain_ends_of_lines(tmp_path):
    path = write_whole("one\ntwo ♠\n", tmp_path / "text")
    assert path.read_bytes() == "one\ntwo ♠\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_there_is_replaced_by_force_only(tmp_path):
    path = write_whole("old", tmp_path / "text")
    with pytest.raises(InvalidValueError, match="exists already; --force replaces it"):
        write_whole("new", path)
    assert path.read_text() == "old"
    assert write_whole("new", path, force=True).read_text() == "new"


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = write_whole("old", tmp_path / "text")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidValueError, match="cannot be written: No space left"):
        write_whole("new", path, force=True)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_draft_of_a_killed_process_is_removed_and_that_of_another_one_stays(tmp_path):
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    lost = tmp_path / f".text.{killed.pid}.part"
    others = [
        tmp_path / name for name in (f".text.{os.getppid()}.part", ".text.1x.part", ".more.1.part")
    ]
    for path in (lost, *others):
        path.touch()
    check_target(tmp_path / "text")
    assert sorted(tmp_path.iterdir()) == sorted(others)
