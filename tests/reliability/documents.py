"""Documents: Hypothesis strategies for files that are nearly right, and for files at the limit of their size."""

import copy
import json
import tomllib
from collections.abc import Iterator
from typing import Any

import tomli_w
from hypothesis import strategies as st

EXTREMES = (
    0, -1, 1, 2**31, 2**53, 2**63 - 1, -(2**63), 0.0, -0.5, 1e-320, 1e308, -1e308, 1e20, True,
    "", " ", "\n", "a" * 5000, "../../etc/passwd", "/dev/zero", "\x1b[31m", "\u202e", "\N{PILE OF POO}", "nan", "-",
    "2x2", "wood", "1/0", "0x1", [], {}, [[]], [1], [-1, 1e308], ["a"], {"a": 1}, [{}], [[1, 2], [3]], [None],
)  # fmt: skip
"""Values that a reader may not expect where they come."""
NOT_FINITE = (float("inf"), float("-inf"), float("nan"))
BYTES = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b'"', b"'", b'"""', b"[", b"]", b"[[", b"{", b"}", b",",
    b"=", b"#", b"\\", b"\\u0000", b"\\ud800", b"\xed\xa0\x80", b"1e999", b"-1e999", b"nan", b"NaN", b"inf",
    b"9" * 400, b"9" * 5000, b"0x" + b"f" * 5000, b"[" * 5000, b'{"a":' * 5000, b"a.", b"a." * 3000, b"-", b";",
    b"\t", b"null", b"true", b"1979-05-27T07:32:00", b"\xc2\x85", b"\xe2\x80\xa8", b"x" * 70000,
)  # fmt: skip
"""What is put into files."""


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw a file in which bytes or lines were changed, cut, doubled or put in."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(content) - 1, 0)))
        kind = draw(st.sampled_from(("flip", "cut", "put", "replace", "double", "drop", "swap")))
        if kind == "flip":
            content = content[:at] + bytes([draw(st.integers(0, 255))]) + content[at + 1 :]
        elif kind == "cut":
            content = content[:at]
        elif kind == "put":
            content = content[:at] + draw(st.sampled_from(BYTES)) + content[at:]
        elif kind == "replace":
            end = at + draw(st.integers(0, 12))
            content = content[:at] + draw(st.sampled_from(BYTES)) + content[end:]
        else:
            content = _other_lines(draw, content, kind)
    return content


def _other_lines(draw: st.DrawFn, content: bytes, kind: str) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    if kind == "double":
        lines.insert(other, lines[one])
    elif kind == "drop":
        del lines[one]
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*path, key)
        if isinstance(one, (dict, list)):
            yield from _places(one, (*path, key))


def edited(draw: st.DrawFn, document: Any, values: tuple[Any, ...]) -> Any:
    """Return a document in which values were replaced, removed, doubled, renamed or wrapped."""
    document = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(document))
        if not places:
            break
        *way, key = draw(st.sampled_from(places))
        holder = document
        for step in way:
            holder = holder[step]
        kind = draw(
            st.sampled_from(("replace", "replace", "nudge", "remove", "double", "rename", "wrap"))
        )
        value = copy.deepcopy(draw(st.sampled_from(values)))
        if kind == "replace":
            holder[key] = value
        elif kind == "nudge":
            holder[key] = _nudged(draw, holder[key])
        elif kind == "remove":
            del holder[key]
        elif kind == "wrap":
            holder[key] = [holder[key]]
        elif isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == "rename":
            holder[draw(st.sampled_from(("", "a.b", "x" * 3000, "id", "\x1b", f"{key}s")))] = (
                holder.pop(key)
            )
        else:
            holder[f"{key}_2"] = holder[key]
    return document


def _nudged(draw: st.DrawFn, value: Any) -> Any:
    """Return a value like another one, which may be right."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return draw(
            st.sampled_from((value + 1, value - 1, -value, value * 2, value / 3, value * 1e6))
        )
    if isinstance(value, str):
        return draw(st.sampled_from((value.upper(), value[:-1], value + "x", value[::-1])))
    return value


@st.composite
def mistaken(draw: st.DrawFn, content: bytes, ending: str) -> bytes:
    """Draw a file of the right form with wrong content."""
    if ending == "toml":
        made = edited(draw, tomllib.loads(content.decode()), (*EXTREMES, *NOT_FINITE))
        return tomli_w.dumps(_without_none(made)).encode("utf-8", "surrogatepass")
    if ending == "json":
        values = (*EXTREMES, *NOT_FINITE, None, 10**300, "\ud800", "\0")
        made = edited(draw, json.loads(content), values)
        return json.dumps(made, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    if ending == "jsonl":
        lines = [json.loads(line) for line in content.splitlines()]
        made = edited(draw, lines, (*EXTREMES, None, "\ud800", "\0"))
        texts = [json.dumps(line) for line in made]
        return ("\n".join(texts) + "\n").encode()
    if ending == "csv":
        return _mistaken_cells(draw, content)
    return draw(damaged(content))


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_none(inner) for inner in value if inner is not None]
    return value


CELLS = (
    "", " ", "-0", "0", "1", "-1", "+1", "1.0", "1e3", "1e999", "nan", "inf", "0x1", "1_0", "\u0661", "9" * 400, "x",
    '"a,b"',
)  # fmt: skip


def _mistaken_cells(draw: st.DrawFn, content: bytes) -> bytes:
    rows = [line.split(",") for line in content.decode().splitlines()]
    for _ in range(draw(st.integers(1, 3))):
        row = draw(st.sampled_from(rows))
        place = draw(st.integers(0, len(row) - 1))
        kind = draw(st.sampled_from(("replace", "replace", "double", "drop", "spaces", "row")))
        if kind == "replace":
            row[place] = draw(st.sampled_from(CELLS))
        elif kind == "double":
            row.insert(place, row[place])
        elif kind == "drop" and len(row) > 1:
            del row[place]
        elif kind == "spaces":
            row[place] = f" {row[place].upper()} "
        else:
            rows.insert(draw(st.integers(0, len(rows))), list(row))
    end = draw(st.sampled_from(("\n", "\r\n", "\r", "\n\n")))
    return end.join(",".join(row) for row in rows).encode()


KEYS = st.sampled_from(("a", "b", "id", "name", "x", "schema", "kind", "", "a b", "\u00e9"))
VALUES = st.recursive(
    st.one_of(
        st.integers(-(2**70), 2**70),
        st.floats(),
        st.text(max_size=20),
        st.booleans(),
        st.dates(),
        st.datetimes(),
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
"""Values of a document of any kind."""


@st.composite
def made_up(draw: st.DrawFn, ending: str) -> bytes:
    """Draw a file of the right form without any relation to what is read."""
    tables = draw(st.dictionaries(KEYS, VALUES, max_size=5))
    if ending == "toml":
        return tomli_w.dumps(tables).encode("utf-8", "surrogatepass")
    if ending in ("json", "jsonl"):
        return (json.dumps(tables, default=str) + "\n").encode()
    return draw(st.binary(max_size=300))


def documents(content: bytes, ending: str) -> st.SearchStrategy[bytes]:
    """Return the strategy for files of a reader, given the content of one that it accepts."""
    return st.one_of(
        mistaken(content, ending), damaged(content), mistaken(content, ending), made_up(ending)
    )


LARGE = {"toml": 490_000, "json": 490_000, "jsonl": 200_000, "csv": 990_000}
"""Bytes of the largest files of a kind, about."""


def filled(content: bytes, ending: str) -> Iterator[bytes]:
    """Yield files as large as they may be: each list has many entries, each text is long."""
    most = LARGE.get(ending, 4_000_000)
    yield content + b"\n" * (most - len(content))
    yield (content * (most // len(content) + 1))[:most]
    if ending not in ("toml", "json"):
        lines = content.splitlines(keepends=True)
        yield b"".join([*lines, *lines[-1:] * ((most - len(content)) // max(len(lines[-1]), 1))])
        return
    read, write = (tomllib.loads, tomli_w.dumps) if ending == "toml" else (json.loads, json.dumps)
    document = read(content.decode())
    for path in [
        path for path in _places(document) if isinstance(_at(document, path), (list, str))
    ][:12]:
        made = copy.deepcopy(document)
        *way, key = path
        value = _at(made, path)
        holder = _at(made, tuple(way))
        copies = (most - 2 * len(content)) // (len(json.dumps(value, default=str)) + 1)
        holder[key] = value * max(copies // 2, 1) or "x" * (most // 2)
        yield write(made).encode()[:most]
        holder[key] = [""] * (most // (12 if ending == "toml" else 5))
        yield write(made).encode()[:most]
        holder[key] = {f"k{n}": 1 for n in range(most // 20)}
        yield write(made).encode()[:most]


def _at(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        document = document[step]
    return document
