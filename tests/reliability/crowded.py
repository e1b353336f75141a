"""Crowded files: files near the limit of their size with thousands of faults of meaning, by reader."""

import json
from collections.abc import Callable, Mapping

MANY = 25_000


def _study(kind: str, tables: str) -> bytes:
    return f'kind = "{kind}"\nrepeats = 1\nseed = 1\n{tables}\n'.encode()


def _texts(stem: str) -> str:
    return ", ".join(f'"{stem}{number}"' for number in range(MANY))


def _law(example: bytes) -> bytes:
    law = json.loads(example)
    law["counts"] |= {f"pose{number}": 0 for number in range(MANY)}
    return json.dumps(law).encode()


CROWDED: Mapping[str, Callable[[bytes], list[bytes]]] = {
    "law": lambda example: [_law(example)],
    "study": lambda _: [
        _study("drop", "[fixed]\n" + "\n".join(f"surfac{n} = 1" for n in range(MANY))),
        _study("drop", "[grid]\n" + "\n".join(f"f{n} = [1]" for n in range(MANY))),
        _study("drop", f"[grid]\nsurface = [{_texts('wod')}]"),
        _study("battle", f"[grid]\ngame = [{_texts('bw')}]"),
        _study("battle", f'[fixed]\ngame = "bow"\n[grid]\nscenario = [{_texts("dul")}]'),
    ],
}
"""Made from the example of the reader."""
