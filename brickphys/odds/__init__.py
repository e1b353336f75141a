"""Odds: exact probability laws of brick rolls and of opposed rolls.

`brickphys.odds` itself is the function `odds` of `answer`; import what else is here from its module.

- `roll`: the result of one brick roll.
- `distribution`: an exact distribution over whole numbers.
- `law`: laws of a roll of n bricks, stated (`BinomialLaw`) or measured (`Law`), behind one protocol (`RollLaw`).
- `intervals`: Wilson's and Student's 95 % intervals.
- `provenance`: throw conditions, surface and systematic uncertainty of a measured law.
- `hand_fit`: share of sides and correlation of bricks thrown together, fitted to all hands of a law.
- `overdispersion`: the test for correlation of bricks thrown together.
- `law_file`: reads laws from JSON files; those that ship.
- `count_faults`: what cannot be in the counts of a law.
- `law_faults`: contradictions within these files; what follows from the counts is computed again.
- `law_schema`: keys and types of these files.
- `opposed`: attack against defence: success, damage, kill, several attacks, the interval.
- `law_choice`: a law by its name, its file or its number.
- `law_words`: what a law is of, and the chance of a side by it, in words.
- `comparison`: several attacks side by side, and how well their differences are known.
- `answer`: the answer to one opposed roll, as people see it.
- `card`: the odds of a card for the table.
- `table`: the success of every attack against every defence.
"""
