"""The commands of `batch`.

- `group`: run, status, report, studies.
- `studies`: worth of units, pairs of cells.
- `status`, `report`: their output.
"""
