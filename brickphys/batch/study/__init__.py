"""Studies: what to run, how often and until when.

- `spec`: a study as it was read from its file and checked.
- `schema`: the schema of a study file.
- `faults`: the faults of a study file, each with its key path.
- `design`: the cells: every combination, a list, or points that fill a space.
"""
