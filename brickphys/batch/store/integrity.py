"""Integrity: the shards of a batch folder that differ from its journal."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ShardProblems:
    """Names of the shards that differ from the journal.

    Attributes
    ----------
    unlisted
        In the folder, but the journal lists neither them nor their runs.
    missing
        In the journal, but not in the folder.
    damaged
        Their bytes differ from those that were written.
    """

    unlisted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """Shards of the journal whose runs must be done again."""
        return (*self.missing, *self.damaged)
