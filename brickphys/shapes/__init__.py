"""What is thrown: bricks and plates, cuboids, coins, dice; their mass, their hull, their models on disk.

`body` is what an engine needs to know of a thing. `catalogue` reads a shape's name. `brick` builds the family of bricks
and plates from the lengths in `dimensions`, `primitives` the cuboid, the coin and the die. `solids` adds up mass
properties in closed form, `hull` makes a polyhedron of points, `mesh` the watertight surface of a brick, and
`export` writes and finds the URDF and OBJ files.
"""
