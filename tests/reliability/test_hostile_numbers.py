"""Hostile numbers: each number of each kind of file is made so large that its powers overflow, and is refused."""

import copy
import json
import re
import tomllib
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from brickphys.errors import InvalidValueError, LawFileError
from brickphys.odds.law_file import parse_law, shipped_laws
from brickphys.schema import LARGEST
from tests.reliability.examples import FORGERS
from tests.reliability.readers import READERS
from tests.reliability.test_edited_laws import dotted, edited, leaves

HOSTILE = (1e154, -1e308)
"""The square of the first is the largest that is finite."""
LAWS = Path(__file__).parents[2] / "brickphys" / "laws"
KINDS = [name for name, reader in READERS.items() if reader.ending in ("toml", "json", "jsonl")]
TRUSTED = {"journal": r"\d+\]\.(seconds|blocks.*)"}
"""Reader -> numbers that may be anything: they are kept as they are, and shards disagree with them."""
SLOW = ("replay", "campaign")


def read(content: bytes, ending: str) -> Any:
    if ending == "toml":
        return tomllib.loads(content.decode())
    return json.loads(content) if ending == "json" else list(map(json.loads, content.splitlines()))


def write(document: Any, ending: str) -> bytes:
    if ending == "toml":
        return tomli_w.dumps(document).encode()
    lines = document if ending == "jsonl" else [document]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def numbers(document: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each number; of the entries of lists that look alike the first one."""
    seen = set()
    for path, value in leaves(document):
        kind = tuple("" if isinstance(key, int) else key for key in path)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and kind not in seen:
            seen.add(kind)
            yield path


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW)) for one in KINDS]
)
def test_each_number_of_each_kind_of_file_has_bounds(name, tmp_path):
    reader = READERS[name]
    document = read(reader.example(), reader.ending)
    path, accepted = tmp_path / f"thing.{reader.ending}", []
    for place in numbers(document):
        for number in HOSTILE:
            content = write(edited(document, place, number), reader.ending)
            path.write_bytes(FORGERS.get(name, bytes)(content))
            try:
                reader.read(path)
            except InvalidValueError:
                continue
            if not re.fullmatch(TRUSTED.get(name, "-"), dotted(place)):
                accepted.append((dotted(place), number))
    assert accepted == []


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_laws())
def test_each_number_of_each_shipped_law_has_bounds(name):
    document = json.loads((LAWS / f"{name}.json").read_text())
    for place, value in leaves(document):
        if isinstance(value, (int, float)):
            for number in HOSTILE:
                with pytest.raises(LawFileError):
                    parse_law(json.dumps(edited(document, place, number)))


@pytest.mark.parametrize("shift", [1.5, -1.5, 2, 1e154, 1e308])
def test_a_shift_of_a_chance_is_from_minus_one_to_one(shift):
    document = copy.deepcopy(json.loads((LAWS / "default.json").read_text()))
    document["systematic"]["sources"]["friction"]["shift"] = shift
    with pytest.raises(LawFileError, match=r"systematic\.sources\.friction\.shift: .* should be"):
        parse_law(json.dumps(document))


def test_no_power_of_the_largest_number_of_a_file_overflows():
    assert isfinite(LARGEST**8)
