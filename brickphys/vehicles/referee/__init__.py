"""Referee: judges the collisions that another program finds, by the exact geometry.

- `scene_lines`: scenes as JSON Lines, and our own answers to them; `parquet_lines`: the same lines as Parquet.
- `corpus`: scenes of all kinds, and answers that tell what is undecided, for judges without this package.
- `answer_schema`: the keys of an answer and their types.
- `fault`: what is wrong with an answer, by how much, and the kinds of faults.
- `exact_move`: the exact move of a scene, and how that changes within the tolerance.
- `judgement`: one answer against the exact move: right, undecided, or its first fault on the way.
- `asking`: lets a program or a function answer scenes, and survives what hangs, crashes or raises.
- `causes`: what explains a fault: a pivot that is not used, circles for corners, other units.
- `worst_faults`: the worst faults of each kind, explained, with the smallest scene that still shows each.
- `judge`: all answers of a file, a function or a program, and what was found.
"""
