"""A journal forgets no whole line, wherever a power cut tears it, and believes no line that was touched."""

import json
import os
import stat

import pytest

from brickphys.batch import journal as journal_module
from brickphys.batch.journal import Journal
from brickphys.errors import BatchFolderError
from brickphys.reading import MOST_JOURNAL_BYTES, MOST_LINE_BYTES

ENTRIES = [{"blocks": [[cell, 1, 0, 10, 0]], "sha256": "ab" * 4} for cell in range(5)]
STUDY = "f00d"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


@pytest.fixture
def lines(path):
    """Write a journal; return its lines."""
    journal = Journal(path, STUDY)
    assert list(journal.entries()) == []
    for entry in ENTRIES:
        journal.append(entry)
    return path.read_bytes().splitlines(keepends=True)


def read(path, study=STUDY):
    journal = Journal(path, study)
    return list(journal.entries()), [int(fault.split()[1]) for fault in journal.faults]


def test_what_is_appended_is_read(lines, path):
    assert read(path) == (ENTRIES, [])
    assert [json.loads(line)["blocks"] for line in lines] == [one["blocks"] for one in ENTRIES]


def test_torn_anywhere_it_keeps_the_lines_before_and_all_that_come_after(lines, path):
    whole = b"".join(lines)
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = ENTRIES[: whole[:cut].count(b"\n")]
        journal = Journal(path, STUDY)
        assert list(journal.entries()) == kept
        assert journal.faults == ()
        journal.append({"next": cut})
        assert read(path) == ([*kept, {"next": cut}], [])


@pytest.mark.parametrize("garbage", [b"\x00" * 20 + b"\n", b"[1]\n", b"\n", b"{]\n", b"\xff\xfe\n"])
def test_garbage_is_named_and_the_rest_is_believed(garbage, lines, path):
    path.write_bytes(lines[0] + garbage + b"".join(lines[1:]))
    assert read(path) == (ENTRIES, [2])


@pytest.mark.parametrize(
    ("order", "believed", "named"),
    [
        ([0, 2, 3, 4], [0, 3, 4], [2]),  # lost: what follows it cannot be told from what was added
        ([1, 2, 3, 4], [2, 3, 4], [1]),
        ([0, 1, 1, 2, 3, 4], [0, 1, 2, 3, 4], [3]),  # doubled
        ([0, 2, 3, 1, 4], [0, 3, 4], [2, 4]),  # moved
        ([0, 1, 2, 3, 4, 0, 1], [0, 1, 2, 3, 4, 1], [6]),
        ([4, 3, 2, 1, 0], [0], [1, 2, 3, 4]),
    ],
)
def test_a_line_that_was_lost_doubled_or_moved_is_named(order, believed, named, lines, path):
    path.write_bytes(b"".join(lines[at] for at in order))
    assert read(path) == ([ENTRIES[at] for at in believed], named)


def test_an_edited_line_is_named_whatever_was_edited(lines, path):
    edited = [
        lines[2].replace(b"10, 0]", b"10, 9]"),
        lines[2].replace(b"[[2,", b"[[3,"),
        lines[2].replace(b"}", b' , "more": 1}'),
        lines[2][:-4] + bytes([lines[2][-4] ^ 1]) + lines[2][-3:],
    ]
    for line in edited:
        path.write_bytes(b"".join([*lines[:2], line, *lines[3:]]))
        found, named = read(path)
        assert 3 in named
        assert ENTRIES[2] not in found
        assert found[:2] == ENTRIES[:2]


def test_the_journal_of_another_study_is_not_believed(lines, path):
    assert read(path, "beef") == ([], [1, 2, 3, 4, 5])


def refused(path):
    with pytest.raises(BatchFolderError) as caught:
        read(path)
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_journal_without_an_end_of_line_is_refused(lines, path):
    with path.open("ab") as file:
        file.truncate(len(b"".join(lines)) + 3_000_000_000)  # sparse
    assert refused(path) == "line 6: larger than 1 MB"
    with path.open("ab") as file:
        file.truncate(MOST_JOURNAL_BYTES + 1)
    assert refused(path) == "larger than 4000 MB"


def test_a_line_may_be_as_long_as_the_bound(path):
    path.write_bytes(b"x" * (MOST_LINE_BYTES - 1) + b"\n")
    assert read(path) == ([], [1])
    path.write_bytes(b"x" * MOST_LINE_BYTES)  # without its end
    assert read(path) == ([], [])
    path.write_bytes(b"x" * MOST_LINE_BYTES + b"\n")
    assert refused(path) == "line 1: larger than 1 MB"


def test_more_lines_that_are_not_believed_than_damage_makes_are_refused(lines, path, monkeypatch):
    monkeypatch.setattr(journal_module, "_MOST_FAULTS", 4)
    words = "more than 4 lines are not those of this batch"
    path.write_bytes(b"\n" * 4 + b"".join(lines))
    assert read(path) == (ENTRIES, [1, 2, 3, 4])
    path.write_bytes(b"\n" * 5 + b"".join(lines))
    assert refused(path) == words
    path.write_bytes(b"".join(lines[::-1] + lines[::-1]))
    assert refused(path) == words


def test_written_anew_it_is_believed(lines, path):
    path.write_bytes(b"".join([lines[0], lines[2]]))
    journal = Journal(path, STUDY)
    kept = list(journal.entries())
    journal.write_anew(kept)
    journal.append({"more": 1})
    assert read(path) == ([ENTRIES[0], {"more": 1}], [])


def test_a_line_is_on_the_disk_before_anybody_counts_on_it(path, monkeypatch):
    """The file is whole when it is synced, and a new one is synced with its folder."""
    synced = []

    def fsync(number):
        is_folder = stat.S_ISDIR(os.fstat(number).st_mode)
        synced.append("folder" if is_folder else path.read_bytes().count(b"\n"))

    monkeypatch.setattr(os, "fsync", fsync)
    journal = Journal(path, STUDY)
    list(journal.entries())
    for entry in ENTRIES[:3]:
        journal.append(entry)
    assert synced == [1, "folder", 2, 3]
