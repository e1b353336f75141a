"""Exact odds of Pirate Wars, by the rolls of the game itself.

- `chain`: the rounds of a boarding, with the tests of morale, as a Markov chain.
- `crew`: crews as the command line names them.
- `stage`: two ships, only for the rolls between them.
- `broadside`: cannons against a ship.
- `board`: a boarding, round by round to its end.
- `morale`: a test of morale.
- `sharks`: minifigs in the water.
- `tables`: what the command `odds` offers.
"""
