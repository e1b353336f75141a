"""Vehicles: what a vehicle hits on its move, where, from which side and how hard. Exact geometry, no dice.

- `scene`: a field, what stands on it, which vehicle moves, and the pieces of its course.
- `scene_file`: scenes as TOML, JSON and GeoJSON; `scene_schema`: the keys of a scene file and their types.
- `geojson`: a FeatureCollection as the tables of a scene file, and back.
- `scene_edit`: a scene with one thing moved, changed, added or taken out.
- `sectors`: front, left, right and rear of a vehicle that is hit.
- `course`: a mover follows pieces, straight ones and turns, and what it hits; the compulsory move; the move of a scene.
- `collision`: a scene with its move, as people see it; how near a mover comes to what it does not hit.
- `chances`: how likely the mover hits what, and on which side, if poses are in doubt.
- `encounter`: vehicles that have trajectories, two by two: first contact in time, and how near they come.
- `commonroad`: scenarios of CommonRoad (traffic in metres and time steps), and the encounters in them.
- `crash`: the same move as rigid bodies in PyBullet; `crash_source`: the source of measured events of games.
- `crash_outcome`: what that comes to, as values and in words, and where rule and bodies disagree.
- `validation`: moves checked by three independent methods.
- `referee`: the collisions that another program finds, judged.
"""
