"""The folder of a batch.

- `store`: the folder: opened, written, repaired.
- `manifest`: the study, the versions and the platform.
- `shard`: a file with the rows of a chunk, and those that differ from the journal.
- `journal`: the list of shards that were written.
- `ledger`: the runs that are done and those that are missing.
- `lock`: only one runner works in a folder.
"""
