"""Vehicles: who is hit by what moves, where, from which side and how hard. Exact geometry: no dice, no game.

- `polygon`: convex footprints, and the one tolerance.
- `sweep`: the time of impact of a footprint that moves straight ahead; `kernel_sweep`: its compiled loop.
- `swing`: the angle of impact of a footprint that turns about a pivot; `kernel_swing`: its compiled loop.
- `sectors`: front, left, right and rear of a vehicle that is hit, and the relative speed.
- `scene`: a field and what stands on it; `scene_file`: its files; `scene_table`: it as tables.
- `scene_faults`: everything that is wrong with a scene; `scene_schema`: what each key may hold.
- `resolve`: one compulsory move, as an ordered list of hits.
- `crash`: the same move as rigid bodies; `outcome`: what comes of it; `masses`: what they weigh.
- `aftermath`: where those who were hit lie.
- `random_scenes`: scenes of every kind, by address; `random_things`, `lane`: what stands in them, and where.
- `bisection`: the same moves by another library's geometry; `witness`: by PyBullet's contacts.
- `validation`: answers that are doubted; `comparison`, `testimony`: what shapely and PyBullet say against them.
- `approach`: what each scheme of sectors says of a vehicle that comes from anywhere.
"""
