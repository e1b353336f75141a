"""Aim: which target a shot meets first, how and where, with the scatter of the weapon integrated.

- `sight`: speed and elevation that hit a place.
- `fan`: the paths of a scattered shot, as nodes of a quadrature.
- `standing`: targets on the table, as the shooter sees them.
- `aim_kernel`: the shares of a shot's azimuths that each target takes, compiled.
- `aim_law`: the law of one shot.
"""
