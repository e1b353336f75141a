"""Write the tables of laws.md and engines.md that follow from the shipped laws alone.

python docs/law_tables.py
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from scipy.stats import chi2, norm

from brickphys.odds.distribution import Z95, Distribution
from brickphys.odds.law import Law
from brickphys.odds.law_file import shipped_law, shipped_laws
from brickphys.odds.opposed import opposed, success_interval

FOLDER = Path(__file__).parent
ODDS = """\
| law | p, one brick | a brick in a hand | attack 5 against 3 | same, counted | chi2, degrees of freedom (p-value) |
|---|---|---|---|---|---|
"""
TOGETHER = """\
| by Bullet alone | one brick (bricks) | in a hand of several (bricks) | difference, points | p-value |
|---|---|---|---|---|
"""
ENGINES = """\
| one brick, by | compiled (bricks) | Bullet (bricks) | Bullet minus compiled, points | p-value |
|---|---|---|---|---|
"""
ATTACK, DEFENCE = 5, 3


_LEAST_EXPECTED = 5


def hands_chi2(
    scores: Mapping[int, Sequence[int]], roll: Callable[[int], Distribution]
) -> tuple[float, int]:
    """Return chi2 and its degrees of freedom of all hands of two bricks and more.

    Parameters
    ----------
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    roll
        Law of the score of a number of bricks. Scores that it expects less than five times are pooled.
    """
    total, free = 0.0, 0
    for bricks in sorted(set(scores) - {1}):
        hands, law = sum(scores[bricks]), roll(bricks)
        cells = [(count, hands * float(law[score])) for score, count in enumerate(scores[bricks])]
        rare = [cell for cell in cells if cell[1] < _LEAST_EXPECTED]
        cells = [cell for cell in cells if cell[1] >= _LEAST_EXPECTED]
        if rare:
            cells.append((sum(seen for seen, _ in rare), sum(expected for _, expected in rare)))
        total += sum((seen - expected) ** 2 / expected for seen, expected in cells)
        free += len(cells) - 1
    return total, free


class Thrown(NamedTuple):
    """Bricks that were thrown, and those that stopped on a side."""

    sides: int
    bricks: int

    @property
    def share(self) -> float:
        """The share on a side."""
        return self.sides / self.bricks

    def __str__(self) -> str:
        return f"{per_cent(self.share, 2)} % ({self.bricks:,})"


def main() -> None:
    """Write the tables of both pages."""
    for name in ("laws.md", "engines.md"):
        page = FOLDER / name
        text = written(name, page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8", newline="\n")


def written(name: str, text: str) -> str:
    """Return the text of a page with the rows of its tables as the law files give them."""
    tables = {
        "laws.md": {ODDS: odds_row, TOGETHER: together_row},
        "engines.md": {ENGINES: engine_row},
    }
    for header, row in tables[name].items():
        laws = laws_of_hands() if name == "laws.md" else ("cloth", "default", "glass")
        before, rest = text.split(header)
        text = before + header + "".join(row(law) for law in laws) + rest[rest.index("\n\n") + 1 :]
    return text


def odds_row(name: str) -> str:
    """Return the row of a law: its two chances, and the odds by it."""
    law = shipped_law(name)
    success = per_cent(opposed(ATTACK, DEFENCE, law).success)
    low, high = (per_cent(end) for end in success_interval(ATTACK, DEFENCE, law, law.ci95))
    own = in_hands(name)
    total, free = hands_chi2(law.scores, law.at(Fraction(own.sides, own.bricks)).roll)
    return (
        f"| {name} | {per_cent(law.p)} % | {per_cent(law.hand_fit.share)} % | {success} % ({low} to {high}) "
        f"| {per_cent(by_histogram(law))} % | {total:.0f}, {free} ({chi2.sf(total, free):.2f}) |\n"
    )


def together_row(name: str) -> str:
    """Return the row of a surface: bricks thrown alone and together, both by Bullet."""
    return row_of(shipped_law(name).surface.name, by_bullet(name), in_hands(name))


def engine_row(name: str) -> str:
    """Return the row of a surface: single bricks by the compiled engine and by Bullet."""
    law = shipped_law(name)
    return row_of(law.surface.name, Thrown(law.sides, law.throws), by_bullet(name))


def in_hands(name: str) -> Thrown:
    """Return the bricks of hands of several, which Bullet threw."""
    hands = {size: counts for size, counts in shipped_law(name).scores.items() if size > 1}
    return Thrown(
        sum(score * n for counts in hands.values() for score, n in enumerate(counts)),
        sum(size * sum(counts) for size, counts in hands.items()),
    )


def by_bullet(name: str) -> Thrown:
    """Return the single bricks that Bullet threw: of a law of its own, and the reference throws of a compiled one."""
    law = shipped_law(name)
    if law.engine == "bullet":
        return Thrown(law.sides, law.throws)
    assert law.systematic is not None
    assert law.systematic.reference_counts is not None
    sides, bricks = law.systematic.reference_counts
    alone = shipped_law("pybullet")
    if alone.surface == law.surface:
        return Thrown(sides + alone.sides, bricks + alone.throws)
    return Thrown(sides, bricks)


def row_of(name: str, one: Thrown, other: Thrown) -> str:
    """Return a row: two shares, the second less the first with its 95 % error, and the p-value of equal shares."""
    difference = other.share - one.share
    error = sqrt(sum(each.share * (1 - each.share) / each.bricks for each in (one, other)))
    p_value = 2 * norm.sf(abs(difference) / error)
    told = f"{p_value:.3f}" if p_value >= 0.001 else "<0.001"
    return f"| {name} | {one} | {other} | {100 * difference:+.2f} \u00b1 {100 * Z95 * error:.2f} | {told} |\n"


def laws_of_hands() -> Iterator[str]:
    """Yield the names of the laws with hands of several bricks."""
    return (name for name in shipped_laws() if len(shipped_law(name).scores) > 1)


def per_cent(share: float, digits: int = 1) -> str:
    """Return a share in per cent."""
    return f"{100 * float(share):.{digits}f}"


def by_histogram(law: Law) -> float:
    """Return the chance that the attack succeeds by the counted scores of hands of these sizes alone."""
    attack, defence = (
        Distribution.from_counts(dict(enumerate(law.scores[n]))) for n in (ATTACK, DEFENCE)
    )
    return float(sum(defence[score] * attack.at_least(score + 1) for score in defence))


if __name__ == "__main__":
    main()
