"""Fit battles: how hard the foes of the quest campaign are; ``python -m benchmarks.fit_battles 105 hard``.

It prints the file ``data/worth.toml`` of the campaign; its words are how many campaigns are played, and by which bot.
The bot leads the party, but fights by choice at random, in some campaigns often and in others never. A man of the party
is taken to live with the chance to win, as estimated before the battle, to the power of the hardness of the foes.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from brickphys.minifig.campaign.effects import Choose
from brickphys.minifig.campaign.game import Campaign
from brickphys.minifig.campaign.trials import Answer, trials
from brickphys.minifig.campaign.worth import hazard
from brickphys.odds.law_choice import law
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.sources import LawSource

DAYS, FIRST_SEED = 120, 2000
OFTEN = (0.0, 0.3, 0.6, 0.9)
"""How often a card that can be fought is, drawn for each campaign."""
GAME, LAW = Campaign(), law()


class Brave:
    """The bot, but who fights by choice at random."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self._bot = "brave", bot(name, GAME, LAW)
        self._rng = random.Random(seed)
        self._often = self._rng.choice(OFTEN)

    def choose(self, view: Any, actions: Any, rng: Any) -> Any:
        """Return to fight, or what the bot chooses."""
        for action in actions:
            can_fight = isinstance(action, Choose) and action.answer is Answer.FIGHT
            if can_fight and self._rng.random() < self._often:
                return action
        return self._bot.choose(view, actions, rng)


def fought(name: str, seed: int) -> Iterator[tuple[str, float, int, int, bool]]:
    """Yield of each battle the foes, the hazard at its start, how many men fought and fell, and if the leader fell."""
    setup = {**GAME.setups["thirty_days"], "days": DAYS}
    rolls = LawSource(LAW, seed)
    record = play(GAME, setup, [Brave(name, seed)], rolls, root=seed, max_steps=300_000)
    begun = None
    for step in record.steps:
        after = step.after
        if after.battle is not None:
            begun = begun or after
        elif begun is not None:
            left = {one.name for one in after.party}
            killed = sum(one.name not in left for one in begun.fighters)
            is_lost = begun.party[0].name not in left
            yield begun.foes, hazard(begun), len(begun.fighters), killed, is_lost
            begun = None


def main() -> None:
    """Print the file."""
    campaigns, name = sys.argv[1:]
    rows = defaultdict[str, list[list[Any]]](list)
    for seed in range(FIRST_SEED, FIRST_SEED + int(campaigns)):
        for foes, *row in fought(name, seed):
            rows[foes].append(row)
    hard, expected = dict[str, float](), 0.0
    print(f"# Battles, men, men killed, leaders killed in {campaigns} campaigns of {name}:")
    for foes in filter(rows.get, trials().foes):
        dangers = sum(danger * men for danger, men, _, _ in rows[foes])
        men, killed, lost = (sum(row[number] for row in rows[foes]) for number in (1, 2, 3))
        hard[foes] = (killed + 0.5) / dangers
        expected += hard[foes] * sum(danger for danger, *_ in rows[foes])
        print(f"# {foes}: {len(rows[foes])}, {men}, {killed}, {lost}")
    lost = sum(lost for battles in rows.values() for *_, lost in battles)
    print(f"\nleader = {lost / expected:.2f}\n\n[foes]")
    for foes, value in hard.items():
        print(f"{foes} = {value:.3f}")


if __name__ == "__main__":
    main()
