"""Text: words, lists, numbers and columns as people read them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import zip_longest
from typing import Any

KeyPath = tuple[int | str, ...]
"""The keys and indices that lead to a value of a document."""

MOST_LISTED = 10
"""The longest list of faults that a message gives in full."""
_FIRST = 5
_SINGULARS = {"are": "is", "have": "has", "rally": "rallies"}
"""Verbs of which the singular is not the plural with an s."""
LONGEST = 60
"""Characters of a value in a message."""
LEAST_LIKENESS = 0.74
"""Of a suggestion, as `difflib` measures it: a word of four letters with two of them swapped has 0.75, words that
only share letters (sphere, sheet) have less."""
_LEAST_OF_SHORT = 0.65
"""Of names of up to three letters, with one of them wrong: 2x9 is like 2x8 to 0.67."""
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that move the cursor, begin commands of a terminal, turn the direction of text, cannot be seen or cannot
be encoded; those that join letters stay."""


_WIDEST = 100_000
"""Width of a table in letters: no number may be cut, so the terminal may fold lines."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Write a number of things: ``1 brick``, ``12,000 bricks``; `many` is an irregular plural."""
    plural = many or re.sub("([^aeiou])y$", r"\1ie", one) + "s"
    return f"{number:,} {one if number == 1 else plural}"


def agreed(subject: str, verb: str) -> str:
    """Write a subject with its verb and what follows it, given as of a plural: ``red wins``, ``guards win``.

    Several joined by ``and`` are a plural, and one that ends in s, unless it ends in ss, us or is. What stands in
    brackets behind a name does not count: ``guards (Anna) win``.
    """
    name = re.sub(r" \([^()]*\)", "", subject)
    if " and " in name or (name.endswith("s") and not name.endswith(("ss", "us", "is"))):
        return f"{subject} {verb}"
    first, blank, rest = verb.partition(" ")
    return f"{subject} {_SINGULARS.get(first, f'{first}s')}{blank}{rest}"


def percent(share: float, digits: int = 1) -> str:
    """Write a share for people: ``29.7 %``.

    Only exactly 0 and 1 are ``0 %`` and ``100 %``; what would be rounded to them is ``<0.1 %`` and ``>99.9 %``.
    """
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    least = 10.0**-digits
    if 0 < 100 * share < least / 2:
        return f"<{least:.{digits}f} %"
    if 100 - least / 2 < 100 * share < 100:
        return f">{100 - least:.{digits}f} %"
    return f"{100 * share:.{digits}f} %"


def short(number: float) -> str:
    """Write a number for people with three significant digits: ``133``, ``0.667``, ``1.5``."""
    return f"{number:.3g}" if abs(number) < 1000 else f"{number:,.0f}"


def percent_range(low: float, high: float, digits: int = 1) -> str:
    """Write an interval of shares for people: ``29.5 % to 29.9 %``."""
    return f"{percent(low, digits)} to {percent(high, digits)}"


def rough_duration(seconds: float) -> str:
    """Write an estimated duration, to halves or two digits: it is known to a fifth at best."""
    larger = (("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0))
    unit, size = next((pair for pair in larger if seconds >= 1.9 * pair[1]), ("s", 1.0))
    amount = max(seconds / size, 1.0)
    rounded = round(2 * amount) / 2 if amount < 10 else float(f"{amount:.2g}")
    return f"{rounded:g} {unit}"


def listed(faults: Sequence[str]) -> str:
    """Write faults on one line; of more than `MOST_LISTED`, the first five and the number of the rest."""
    shown = faults if len(faults) <= MOST_LISTED else faults[:_FIRST]
    more = [f"and {len(faults) - _FIRST} more"] if len(shown) < len(faults) else []
    return "; ".join([*shown, *more])


def shown(value: Any) -> str:
    """Write a value on one line, as TOML and JSON write it, and cut it if it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return repr(cut(value, LONGEST))
    return cut(" ".join(repr(value).split()), LONGEST)


def cut(text: str, most: int) -> str:
    """Return a text, or of a longer one the first characters and three dots."""
    return text if len(text) <= most else f"{text[:most]}..."


def key_path(path: KeyPath) -> str:
    """Write the path to a value: ``vehicle[0].x``; a key that is not bare is quoted."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{_key(step)}" for step in path)
    return "".join(steps).removeprefix(".")


def _key(step: str) -> str:
    return step if re.fullmatch(r"[\w-]{1,60}", step) else shown(step)


def cleaned(text: str) -> str:
    """Return text that a terminal or page shows as it is.

    Control characters but tabs and ends of lines, and invisible ones, are escaped.
    """
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def cleaned_line(text: str) -> str:
    """Return `cleaned` text on one line: tabs and ends of lines are escaped too."""
    return cleaned(text).replace("\n", "\\n").replace("\t", "\\t")


def spoken(name: str) -> str:
    """Write an identifier as it is read: ``red_knight+horse`` is ``red knight and horse``."""
    return with_blanks(name).replace("+", " and ")


def as_title(name: str) -> str:
    """Write an identifier as a title; one of at most three letters is an abbreviation: ``Pirate Wars``, ``BOW``."""
    return name.upper() if len(name) <= 3 else spoken(name).title().replace(" And ", " & ")


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning, as people read names of players and what is told of them."""
    return text[:1].upper() + text[1:]


def with_blanks(text: str) -> str:
    """Write the names in a text as they are read: ``2 moves of red knight``."""
    return text.replace("_", " ")


def short_name(name: str, players: Sequence[str]) -> str:
    """Return a name as it is read, without that of its player, which the colour shows."""
    for player in players:
        name = name.removeprefix(f"{player}_")
    return spoken(name)


def short_names(names: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """Return each name as `short_name` does, but where several would read alike, with the player's."""
    found = {name: short_name(name, players) for name in names}
    times = Counter(found.values())
    return {name: short if times[short] == 1 else spoken(name) for name, short in found.items()}


def cell_text(value: object) -> str:
    """Return a value as a cell of a table: numbers short, nothing for None."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def columns(rows: Iterable[Sequence[str]], indent: str = "") -> Iterator[str]:
    """Yield rows as lines after an indent, each column as wide as its longest cell and two blanks from the next.

    A row may end before the others do.
    """
    table = list(rows)
    widths = [max(map(len, column)) for column in zip_longest(*table, fillvalue="")]
    for row in table:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        yield f"{indent}{'  '.join(cells)}".rstrip()


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, folded: bool = False, texts: int = 1
) -> str:
    """Return a plain table, the first columns (`texts`) aligned to the left, the others to the right; nothing is cut.

    The texts of `folded` rows may have several lines; of others an end of a line is escaped.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, column in enumerate(columns):
        heading = cleaned(column)  # it may have several lines
        drawn.add_column(heading, justify="left" if index < texts else "right", no_wrap=True)
    for row in rows:
        drawn.add_row(*map(cleaned if folded else cleaned_line, row))
    console = Console(highlight=False, markup=False, emoji=False, width=_WIDEST)
    with console.capture() as capture:
        console.print(drawn)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def paragraphs(*parts: str) -> str:
    """Return texts with an empty line between them; empty ones are left out."""
    return "\n\n".join(filter(None, parts))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant; None if none is similar."""
    return _nearest(name.lower(), tuple(known))


@lru_cache
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    least = LEAST_LIKENESS if len(name) > 3 else _LEAST_OF_SHORT
    return next(iter(get_close_matches(name, known, n=1, cutoff=least)), None)


def signed(number: float, digits: int) -> str:
    """Write a difference with its sign: ``+1.5``, ``-0.2``; what is rounded to zero has none: ``0.0``."""
    text = f"{number:+.{digits}f}"
    return text if float(text) else text[1:]
