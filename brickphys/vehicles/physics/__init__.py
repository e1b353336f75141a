"""Physics: a compulsory move as rigid bodies in PyBullet.

- `masses`: what the things on a field weigh; `blocks`: the things and their crew as bodies.
- `crash`: the move of a scene with bodies; `outcome`: what it comes to, as values;
  `aftermath`: when it has come to rest, and what it has done.
- `differences`: where the rule and the bodies disagree.
- `crash_source`: answers the measured events of games, whose subject is a scene.
- `landing_spot`: the free studs nearest to where figures came to rest.
"""
