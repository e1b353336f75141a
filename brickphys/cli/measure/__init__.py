"""The commands that measure one table and one hand.

- `group`: the group `measure`.
- `tilt`, `drop`, `film`: a test each.
- `law`: the law that follows from the tests and from counted bricks.
- `result`: output of the tests, and the file that keeps them.
"""
