"""Harm: what in a batch folder is not as its journal tells."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ShardProblems:
    """Names of shards.

    Attributes
    ----------
    unlisted
        Lie there, several of them, but neither they nor their runs are in the journal.
    missing
        Are in the journal, but do not lie there.
    damaged
        Are not as they were written.
    """

    unlisted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """Those that the journal tells of, and whose runs must be done again."""
        return (*self.missing, *self.damaged)
