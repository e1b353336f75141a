"""Events: the questions to chance, and the sources of answers.

- `event`: what all events have in common (`ChanceEvent`, `Outcome`).
- `bricks`: rolls of bricks.
- `dice`: dice, by what they show or counted by classes of faces.
- `draw`: a name of several: a card, a side, the target of a shot.
- `measured`: numbers without a law.
- `sampler`: outcomes of a law by address.
- `law_roll`: one brick roll from a law.
- `sources`: sources of answers: a law, a script, a person, live throws, or a mix of them (`EventSource`).
"""
