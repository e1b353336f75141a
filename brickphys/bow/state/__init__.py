"""State of BOW.

- `setting`: what never changes during a battle: field, players, units, vehicles, gear, aims, options.
- `pieces`: a unit and a vehicle at one moment.
- `state`: a battle at one moment: what units and vehicles do, whose turn it is, what is pending.
"""
