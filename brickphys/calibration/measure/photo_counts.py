"""Photo counts: the bricks in photos of a tray, a hand each, as rows of a file of counts and as pictures to check."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from brickphys.calibration.home_counts import BRICKS, POSES, SCORE
from brickphys.calibration.measure.photo import (
    DOWN,
    UNCLEAR,
    UP,
    Photo,
    Seen,
    bricks_in,
    cv2,
    read_photo,
)
from brickphys.errors import InvalidValueError
from brickphys.notes import Progress, steps
from brickphys.odds.roll import MAX_BRICKS, SIDE
from brickphys.text import counted, percent, table

_PICTURE_PX = 1600
_COLOURS = {UP: (0, 160, 0), DOWN: (200, 0, 200), SIDE: (0, 90, 255), UNCLEAR: (0, 0, 0)}
"""Red, green and blue."""


@dataclass(frozen=True)
class PhotoCount:
    """The bricks of one photo."""

    path: Path
    bricks: tuple[Seen, ...]
    fault: str
    """Why it makes no row of counts; empty if it does."""
    picture: bytes
    """The photo with the outline, number and pose of each brick, as JPEG; empty if it was not asked for."""

    @property
    def poses(self) -> Mapping[str, int]:
        """Pose -> number of bricks, with those that are unclear."""
        found = Counter(brick.pose for brick in self.bricks)
        return {pose: found[pose] for pose in (*POSES, UNCLEAR)}


@dataclass(frozen=True)
class PhotoCounts:
    """The bricks of some photos."""

    photos: tuple[PhotoCount, ...]

    @property
    def hands(self) -> list[PhotoCount]:
        """Photos in which all bricks are clear."""
        return [photo for photo in self.photos if not photo.fault]

    @property
    def poses(self) -> Mapping[str, int]:
        """Pose -> number of bricks in all photos."""
        return {pose: sum(photo.poses[pose] for photo in self.photos) for pose in (*POSES, UNCLEAR)}

    @property
    def sides(self) -> tuple[float, float] | None:
        """Share of bricks on a side if no unclear one is, and if all are; None without a clear one."""
        poses = self.poses
        bricks, unclear = sum(poses.values()), poses[UNCLEAR]
        if bricks == unclear:
            return None
        return poses[SIDE] / bricks, (poses[SIDE] + unclear) / bricks

    def csv(self) -> str:
        """Return the file of counts: a row for each photo whose bricks are all clear.

        Raises InvalidValueError if there is none.
        """
        if not self.hands:
            raise InvalidValueError(f"no counts: {self.photos[0].path}: {self.photos[0].fault}")
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow((BRICKS, SCORE, *POSES, "photo"))
        for hand in self.hands:
            poses = [hand.poses[pose] for pose in POSES]
            rows.writerow((sum(poses), hand.poses[SIDE], *poses, hand.path.name))
        return text.getvalue()

    def document(self) -> dict[str, Any]:
        """Return the counts as values of JSON."""
        return {
            "photos": [
                {
                    "file": str(photo.path),
                    "poses": photo.poses,
                    "unclear": [
                        {"number": number, "why": brick.why}
                        for number, brick in enumerate(photo.bricks, start=1)
                        if brick.pose == UNCLEAR
                    ],
                    "fault": photo.fault,
                }
                for photo in self.photos
            ],
            "poses": self.poses,
            "hands": len(self.hands),
            "p_side_from": self.sides and self.sides[0],
            "p_side_to": self.sides and self.sides[1],
        }

    def text(self) -> str:
        """Return a table of the photos, why photos do not count, and the share on a side."""
        names = (*POSES[:3], UNCLEAR)
        lines = [(photo.path.name, *(str(photo.poses[n]) for n in names)) for photo in self.photos]
        lines.append(("all", *(str(self.poses[n]) for n in names)))
        told = [table(("photo", *(n.replace("_", " ") for n in names)), lines)]
        told += [
            f"{photo.path.name}: {photo.fault}: not counted" for photo in self.photos if photo.fault
        ]
        if self.sides is not None:
            low, high = self.sides
            told.append(
                f"on a side: {percent(low)}"
                if low == high
                else f"on a side: {percent(low)} if no unclear brick is, {percent(high)} if all are"
            )
        return "\n".join(told)


def count_photos(
    paths: Sequence[Path],
    width_mm: float,
    camera_mm: float,
    bricks: int | None = None,
    *,
    pictures: bool = False,
    progress: Progress | bool = True,
) -> PhotoCounts:
    """Return the bricks in photos of a tray.

    Parameters
    ----------
    width_mm, camera_mm
        See `brickphys.calibration.measure.photo.bricks_in`; the same for all photos.
    bricks
        Number of bricks in each photo; a photo in which another number is seen has a fault. None does not check it.
    pictures
        Make a picture of each photo to check.

    Raises
    ------
    InvalidValueError
        If a photo cannot be read, has no bricks or is named twice, or a number is outside its range.
    """
    cv2()
    if bricks is not None and not 1 <= bricks <= MAX_BRICKS:
        raise InvalidValueError(f"bricks (--bricks) {bricks} is outside 1..{MAX_BRICKS}")
    names = Counter(path.stem.lower() for path in paths)
    if twice := next((name for name, times in names.items() if times > 1), None):
        raise InvalidValueError(f"{twice}: two photos have this name; each is a hand of its own")
    found = []
    with steps(progress, "photos") as advance:
        for done, path in enumerate(paths):
            advance(done, len(paths))
            photo = read_photo(path)
            try:
                seen = bricks_in(photo, width_mm, camera_mm)
            except InvalidValueError as error:
                raise InvalidValueError(f"{path}: {error}") from None
            picture = _picture(photo, seen) if pictures else b""
            found.append(PhotoCount(path, tuple(seen), _fault(seen, bricks), picture))
    return PhotoCounts(tuple(found))


def _fault(seen: Sequence[Seen], thrown: int | None) -> str:
    unclear: dict[str, list[str]] = {}
    for number, one in enumerate(seen, start=1):
        if one.pose == UNCLEAR:
            unclear.setdefault(one.why, []).append(str(number))
    if unclear:
        return "; ".join(
            f"unclear: {', '.join(numbers)} ({why})" for why, numbers in unclear.items()
        )
    if thrown not in (None, len(seen)):
        return f"{counted(len(seen), 'brick')} seen, but {thrown} were thrown"
    if len(seen) > MAX_BRICKS:
        return f"{len(seen)} bricks; a hand has at most {MAX_BRICKS}"
    return ""


def _picture(photo: Photo, seen: Sequence[Seen]) -> bytes:
    """Return a photo with the outline, number and pose of each brick, as JPEG."""
    library = cv2()
    factor = min(1.0, _PICTURE_PX / photo.shape[1])
    drawn = library.resize(photo, None, fx=factor, fy=factor, interpolation=library.INTER_AREA)
    for number, one in enumerate(seen, start=1):
        corners = (one.outline_px * factor).round().astype(np.int32)
        colour = _COLOURS[one.pose]
        library.polylines(drawn, [corners], True, colour, 2, library.LINE_AA)
        left, top = (int(least) for least in corners.min(axis=0))
        words, font = f"{number} {one.pose.replace('_', ' ')}", library.FONT_HERSHEY_SIMPLEX
        (width, height), _ = library.getTextSize(words, font, 0.5, 1)
        place = (max(left, 2), max(top - 6, height + 2))
        back = (place[0] - 2, place[1] - height - 2), (place[0] + width + 2, place[1] + 3)
        library.rectangle(drawn, *back, (255, 255, 255), library.FILLED)
        library.putText(drawn, words, place, font, 0.5, colour, 1, library.LINE_AA)
    _, content = library.imencode(".jpg", drawn[..., ::-1])
    return bytes(content)
