"""Exact odds of Blade & Bow, by the rules of the game itself.

- `clash`: the dice of a melee with their re-rolls, as a dynamic programme.
- `costs`: what hits cost the player of a unit.
- `chain`: the dice of a combat, from a state to the states after their hits.
- `stage`: units as the command line names them, on a small map.
- `fates`: what becomes of a unit by the law of its hits.
- `melee`, `missile`, `commit`: a melee, a volley, the commitment of an attacker.
- `attack`: a melee or a volley, by two names of units.
- `card`: a melee by numbers of dice, for a card.
- `tables`: what the command `odds` offers.
"""
