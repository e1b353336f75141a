"""Odds: exact probability laws of brick rolls and of opposed rolls.

`brickphys.odds` itself is the function `odds` of `answer`; import what else is here from its module.

- `distribution`: an exact distribution over whole numbers; Wilson's and Student's 95 % intervals.
- `roll`: the result of one brick roll; counts of rolled hands: what cannot be in them, and the test and the fit of the
  correlation of bricks thrown together.
- `law`: laws of a roll of n bricks, stated (`BinomialLaw`) or measured (`Law`), behind one protocol (`RollLaw`).
- `provenance`: throw conditions, surface and systematic uncertainty of a measured law.
- `law_file`: reads laws from JSON files, and finds contradictions within them; those that ship.
- `law_schema`: keys and types of these files.
- `law_choice`: a law by its name, its file or its number; what a law is of, in words.
- `opposed`: attack against defence: success, damage, kill, several attacks, the interval; a table of all.
- `sequential`: Wald's test of a mean, which ends a comparison early.
- `comparison`: several attacks side by side, and how well their differences are known.
- `answer`: the answer to one opposed roll, as people see it; the odds of a card for the table.
"""
