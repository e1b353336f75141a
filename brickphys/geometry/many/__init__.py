"""Many: millions of moves, distances and overlaps of convex outlines as arrays, exact to the tolerance.

- `outlines`: many convex outlines between heights, read from arrays and checked.
- `tree`: a tree of boxes, prepared once, which tells what may be met.
- `moves`: what many outlines meet on straight moves, turns and courses; `sweep`.
- `pairs`: distances, depths and overlaps of outlines that stand still.
- `outlines_kernel`, `tree_kernel`, `moves_kernel`, `pairs_kernel`: the compiled loops of these.
"""
