"""Write the table of laws.md on bricks together: shares, odds, and how well the hands fit.

python docs/law_tables.py
"""

from collections.abc import Iterator
from pathlib import Path

from scipy.stats import chi2

from brickphys.odds.distribution import Distribution
from brickphys.odds.hand_fit import hands_chi2
from brickphys.odds.law import Law
from brickphys.odds.law_file import shipped_law, shipped_laws
from brickphys.odds.opposed import opposed, success_interval

PAGE = Path(__file__).with_name("laws.md")
HEADER = """\
| law | p, one brick | a brick in a hand | attack 5 against 3 | same, histogram | chi2, degrees of freedom (p-value) |
|---|---|---|---|---|---|
"""
ATTACK, DEFENCE = 5, 3


def main() -> None:
    """Write a row for each law that ships with hands of several bricks."""
    table = "".join(row(name, shipped_law(name)) for name in laws_of_hands())
    before, rest = PAGE.read_text(encoding="utf-8").split(HEADER)
    after = rest[rest.index("\n\n") + 1 :]
    PAGE.write_text(f"{before}{HEADER}{table}{after}", encoding="utf-8", newline="\n")


def row(name: str, law: Law) -> str:
    """Return the row of a law."""
    success = per_cent(opposed(ATTACK, DEFENCE, law).success)
    low, high = (per_cent(end) for end in success_interval(ATTACK, DEFENCE, law, law.ci95))
    total, free = hands_chi2(law.scores, law.roll)
    return (
        f"| {name} | {per_cent(law.p)} % | {per_cent(law.hand_fit.share)} % | {success} % ({low} to {high}) "
        f"| {per_cent(by_histogram(law))} % | {total:.0f}, {free} ({chi2.sf(total, free):.2f}) |\n"
    )


def laws_of_hands() -> Iterator[str]:
    """Yield the names of the laws with hands of several bricks."""
    return (name for name in shipped_laws() if len(shipped_law(name).scores) > 1)


def per_cent(share: float) -> str:
    """Return a share in per cent with one decimal."""
    return f"{100 * float(share):.1f}"


def by_histogram(law: Law) -> float:
    """Return the chance that the attack succeeds by the counted scores of hands of these sizes alone."""
    attack, defence = (
        Distribution.from_counts(dict(enumerate(law.scores[n]))) for n in (ATTACK, DEFENCE)
    )
    return float(sum(defence[score] * attack.at_least(score + 1) for score in defence))


if __name__ == "__main__":
    main()
