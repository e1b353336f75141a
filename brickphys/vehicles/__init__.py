"""Vehicles: what a vehicle hits on its move, where, from which side and how hard. Exact geometry, no dice.

- `scene`: a field, what stands on it, and which vehicle moves; `scene_rules`: what the numbers of a scene file mean.
- `scene_file`: scenes as TOML; `scene_schema`: the keys of a scene file and their types.
- `scene_edit`: a scene with one thing moved, changed, added or taken out.
- `named_obstacles`: the things on a field, prepared once for many moves.
- `course`: a mover follows pieces (`piece`), straight ones and turns, and what it hits.
- `near_miss`: how near a mover comes to what it does not hit.
- `compulsory_move`: a vehicle goes straight ahead.
- `sectors`: front, left, right and rear of a vehicle that is hit.
- `resolve`: the move of a scene, and the relative speed of a hit.
- `collision`: a scene with its move, as people see it.
- `physics`: the same move as rigid bodies; `validation`: moves checked by three independent methods.
"""
