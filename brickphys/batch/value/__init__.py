"""Values of units, fitted to battles with drawn armies.

- `unit_value`: the values, with intervals and predictions.
- `fit`: the Bradley-Terry model and its posterior.
- `ranking`: the order of armies that met in pairs.
- `army_draws`: the armies of the battles as counts of units.
"""
