"""Count faults: what cannot be in the counts of a law."""

from collections.abc import Iterator, Mapping, Sequence

from brickphys.odds.roll import MAX_BRICKS


def count_faults(
    counts: Mapping[str, int], scores: Mapping[int, tuple[int, ...]], scoring: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield every fault of the counts of a law as (key, fault).

    Parameters
    ----------
    counts
        Pose -> number of bricks, of those thrown one at a time.
    scores
        Bricks K in a hand -> counts of hands that scored 0, 1, ..., K.
    scoring
        Poses that score.
    """
    if not scoring or len(set(scoring)) < len(scoring):
        yield "scoring", f"{list(scoring)} are not one or more different poses"
    for pose in scoring:
        if pose not in counts:
            yield f"counts.{pose}", "missing"
    for pose, count in counts.items():
        if count < 0:
            yield f"counts.{pose}", f"{count} is negative"
    if not sum(counts.values()):
        yield "counts", "nothing was thrown"
    for bricks, hands in scores.items():
        yield from _score_faults(bricks, hands)
    sides = sum(counts.get(pose, 0) for pose in scoring)
    single = (sum(counts.values()) - sides, sides)
    if scores.get(1, single) != single:
        yield "scores.1.counts", f"{list(scores[1])} disagree with the poses, {list(single)}"


def _score_faults(bricks: int, hands: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    place = f"scores.{bricks}"
    if not 1 <= bricks <= MAX_BRICKS:
        yield place, f"hands of {bricks} bricks are outside 1..{MAX_BRICKS}"
    elif len(hands) != bricks + 1:
        yield (
            f"{place}.counts",
            f"{len(hands)} counts where {bricks} bricks have {bricks + 1} scores",
        )
    if any(count < 0 for count in hands):
        yield f"{place}.counts", f"{min(hands)} is negative"
    elif not sum(hands):
        yield f"{place}.counts", "nothing was thrown"
