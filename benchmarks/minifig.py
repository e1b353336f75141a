"""Minifig battles: bots beside those of BOW, and the law of a shot beside a greedy action.

Run by ``make bench``. Bots play 20 against 20, in turns with BOW's skirmish in one process. The law of a shot is that
of `benchmarks.aim_law`, among 40 figures in two lines.
"""

from benchmarks.aim_law import battle, microseconds
from benchmarks.games import BATTLE, beside_bow
from brickphys.minifig.game import Minifig

SCENARIO = "skirmish"
AIM_RANDOM, AIM_GREEDY, AIM_SHOT = 1 / 2, 0.1, 1 / 3


def bots() -> float:
    """Print the actions a second of bots; return those of greedy ones."""
    game = Minifig()
    found = beside_bow(game, game.setups[SCENARIO])
    print(f"actions a second, {SCENARIO} of 20 against 20")
    print(f"BOW's {BATTLE}, random bots  {found.bow:,.0f}")
    print(f"random bots   {found.random:,.0f}, {found.of_bow:.2f} of BOW's (aim: {AIM_RANDOM:g})")
    print(
        f"greedy bots   {found.greedy:,.0f}, {found.of_random:.2f} of random (aim: {AIM_GREEDY:g})"
    )
    return found.greedy


def shots(greedy: float) -> None:
    """Print the time of the law of a shot, and its share of a greedy action."""
    standing = battle()
    print("\nthe law of a shot among 40 figures")
    for name in ("bow", "big_catapult"):
        law_us = microseconds(name, standing, len(standing) // 2 + 5)
        share = law_us * greedy / 1e6
        print(f"{name:<13} {law_us:.0f} us, {share:.2f} of a greedy action (aim: {AIM_SHOT:.2f})")


def main() -> None:
    """Print everything."""
    shots(bots())


if __name__ == "__main__":
    main()
