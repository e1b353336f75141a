"""Exact odds of Pirate Wars, by the rolls of the game itself.

- `chain`: the rounds of a boarding, with the tests of morale, as a Markov chain.
- `crew`: crews as the command line names them.
- `stage`: two ships, only for the rolls between them.
- `cannons`: which of a ship fire together, and how likely a die hits.
- `broadside`: cannons against a ship.
- `board`: a boarding, round by round to its end.
- `attack`: one ship against another, or one minifig, by two names.
- `morale`: a test of morale.
- `sharks`: minifigs in the water.
- `card`: the hits of cannons, for a card.
- `tables`: what the command `odds` offers.
"""
