"""Many: millions of moves, distances and overlaps of outlines as arrays, exact to the tolerance.

- `outlines`: many outlines between heights, read from arrays, checked and split.
- `tree`: a tree of boxes, prepared once, which tells what may be met.
- `records`: answers as structured arrays, and the threads that share the work.
- `moves`: what many outlines meet on straight moves, turns and courses; `sweep`.
- `wholes`: what outlines meet, from what their convex parts meet.
- `pairs`: distances, depths and overlaps of outlines that stand still.
- `encounters`: pairs that both move: first contact in time, least gap, and surrogate safety measures.
- `outlines_kernel`, `tree_kernel`, `moves_kernel`, `contacts_kernel`, `pairs_kernel`, `encounters_kernel`: the compiled
  loops of these; for the last one `ways_kernel` tells where bodies are in time, `approach_kernel` how near they come.
"""
