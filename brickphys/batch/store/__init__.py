"""The folder of a batch.

- `store`: the folder: opened, written, repaired.
- `manifest`: the study, and the stamps of what has computed its rows.
- `shard`: a file with the rows of chunks, and what in it differs from the journal.
- `rows`: the rows of shards, by cell or all.
- `column`: the values of a column of rows.
- `journal`: the list of shards that were written, line by line in a chain.
- `retry`: the shards that are taken out so that failed runs are done again.
- `ledger`: the runs that are done and those that are missing.
- `lock`: only one runner works in a folder.
"""
