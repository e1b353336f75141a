"""Parquet lines: scenes and answers as Parquet, a row for each; its columns are the keys of a line of JSON Lines.

A key that a row leaves out is null, there and in what is nested.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from brickphys.errors import InvalidValueError
from brickphys.reading import Size, parse_json, read_bytes

SUFFIX = ".parquet"
MOST_PARQUET_BYTES = Size(1_000_000_000, "split it: each file with some of its scenes")
"""Size of a file, and of a row group before it is packed."""
_ROWS = 20
"""Rows that are unpacked at once."""
_MOST_UNPACKED = Size(400_000_000, "is it the right file?")
"""Their size: equal values take nearly no room in a file, but here they do."""


def is_parquet(path: Path | str) -> bool:
    """Tell whether a file is Parquet, by its ending."""
    return Path(path).suffix.lower() == SUFFIX


def parquet_of(text: str) -> bytes:
    """Return JSON Lines as a file of Parquet; InvalidValueError if no column holds the values under one key."""
    rows = [parse_json(line, f"line {number}") for number, line in enumerate(text.splitlines(), 1)]
    names = dict.fromkeys(key for row in rows for key in row)
    packed = io.BytesIO()
    try:
        found = pa.table({name: pa.array([row.get(name) for row in rows]) for name in names})
        pq.write_table(found, packed, compression="zstd")
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InvalidValueError(f"not to be written as Parquet: {error}") from None
    return packed.getvalue()


def parquet_lines(path: Path | str) -> Iterator[bytes]:
    """Yield the rows of a file of Parquet as lines of JSON, without the keys that are null.

    InvalidValueError if it cannot be read, is not Parquet, exceeds a limit, or has values that are not JSON.
    """
    content = read_bytes(path, MOST_PARQUET_BYTES)
    number = 0
    try:
        for batch in _batches(pq.ParquetFile(io.BytesIO(content))):
            for row in batch.to_pylist():
                number += 1
                yield json.dumps(_without_nulls(row)).encode()
    except (pa.ArrowException, OSError) as error:
        reason = " ".join(str(error).split("\n")[0].split())
        raise InvalidValueError(f"{path}: not a file of Parquet: {reason}") from None
    except (TypeError, ValueError) as error:
        place = f" row {number}:" if number else ""
        raise InvalidValueError(f"{path}:{place} {error}") from None


def _batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """Yield some rows after the other; refuse columns that are there twice, and what would fill the memory."""
    names = file.schema_arrow.names
    if twice := [name for name in names if names.count(name) > 1]:
        raise InvalidValueError(f"the column {twice[0]!r} is there twice")
    for group in range(file.num_row_groups):
        # of a single column nothing is asked: pyarrow ends the process if its metadata contradict themselves
        size = file.metadata.row_group(group).total_byte_size
        _check_size("a row group", size, MOST_PARQUET_BYTES)
    for batch in file.iter_batches(_ROWS):
        _check_size(f"{_ROWS} rows", batch.nbytes, _MOST_UNPACKED)
        yield batch


def _check_size(what: str, size: int, most: Size) -> None:
    if size > most:
        raise InvalidValueError(f"{what} unpacked larger than {most / 1e6:g} MB; {most.way_out}")


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value
