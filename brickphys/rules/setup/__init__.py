"""Setups: what the start of every game has.

- `setup_schema`: the form of players, teams and headings.
- `rule_options`: the options of the rules.
- `setup_reader`: players, names and aims, and their faults of meaning.
- `random_armies`: armies drawn by the prices of their units, for studies.
- `random_armies_schema`: the options of such a draw.
"""
