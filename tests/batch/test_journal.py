"""A journal forgets no whole line, wherever a power cut tears it."""

import json

import pytest

from brickphys.batch.store.journal import Journal

ENTRIES = [{"cell": cell, "first": 10 * cell, "sha256": "ab" * 4} for cell in range(3)]


@pytest.fixture
def whole(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    for entry in ENTRIES:
        journal.append(entry)
    return (tmp_path / "journal.jsonl").read_bytes()


def test_what_is_appended_is_read(whole, tmp_path):
    assert list(Journal(tmp_path / "journal.jsonl").entries()) == ENTRIES
    assert whole.decode().splitlines() == [
        json.dumps(entry, separators=(",", ":")) for entry in ENTRIES
    ]


def test_a_journal_that_does_not_exist_is_empty(tmp_path):
    assert list(Journal(tmp_path / "none").entries()) == []


def test_torn_anywhere_it_keeps_the_lines_before_and_all_that_come_after(whole, tmp_path):
    path = tmp_path / "torn.jsonl"
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = ENTRIES[: whole[:cut].count(b"\n")]
        assert list(Journal(path).entries()) == kept
        Journal(path).append({"next": cut})
        # a line that lacked nothing but its end is whole again once the next one begins
        found = list(Journal(path).entries())
        assert found[: len(kept)] == kept
        assert found[-1] == {"next": cut}
        assert found[len(kept) : -1] in ([], ENTRIES[len(kept) : len(kept) + 1])


@pytest.mark.parametrize(
    "garbage", [b"\x00" * 20 + b"\n", b"[1]\n", b"\n", b"{]\n", b"\xff\xfe\n", b"7\n"]
)
def test_garbage_is_passed_over(whole, tmp_path, garbage):
    path = tmp_path / "journal.jsonl"
    lines = whole.splitlines(keepends=True)
    path.write_bytes(lines[0] + garbage + b"".join(lines[1:]))
    assert list(Journal(path).entries()) == ENTRIES
