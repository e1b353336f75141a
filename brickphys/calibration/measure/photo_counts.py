"""Photo counts: the bricks in photos of a tray, a hand each, as rows of a file of counts and as pictures to check."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from brickphys.calibration.home_counts import BRICKS, POSES, SCORE
from brickphys.calibration.measure import photo as photos
from brickphys.calibration.measure.photo import DOWN, UNCLEAR, UP, Photo, Seen
from brickphys.errors import InvalidValueError, naming
from brickphys.notes import steps
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

    @cached_property
    def poses(self) -> Mapping[str, int]:
        """Pose -> number of bricks, with those that are unclear."""
        found = Counter(brick.pose for brick in self.bricks)
        return {pose: found[pose] for pose in (*POSES, UNCLEAR)}


@dataclass(frozen=True)
class PhotoCounts:
    """The bricks of some photos."""

    photos: tuple[PhotoCount, ...]

    @cached_property
    def poses(self) -> Mapping[str, int]:
        """Pose -> number of bricks in all photos."""
        return {pose: sum(one.poses[pose] for one in self.photos) for pose in (*POSES, UNCLEAR)}

    def csv(self) -> str:
        """Return the file of counts: a row for each photo whose bricks are all clear.

        Raises InvalidValueError if there is none.
        """
        hands = [one for one in self.photos if not one.fault]
        if not hands:
            raise InvalidValueError(f"no counts: {self.photos[0].path}: {self.photos[0].fault}")
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow((BRICKS, SCORE, *POSES, "photo"))
        for hand in hands:
            poses = [hand.poses[pose] for pose in POSES]
            rows.writerow((sum(poses), hand.poses[SIDE], *poses, hand.path.name))
        return text.getvalue()

    def document(self) -> dict[str, Any]:
        """Return the counts as values of JSON."""
        photos = [
            {"file": str(one.path), "poses": one.poses, "fault": one.fault} for one in self.photos
        ]
        return {"photos": photos, "poses": self.poses, "hands": sum(not n["fault"] for n in photos)}

    def text(self) -> str:
        """Return a table of the photos, why photos do not count, and the share on a side."""
        names = (*POSES[:3], UNCLEAR)
        every = [*((one.path.name, one.poses) for one in self.photos), ("all", self.poses)]
        lines = [(name, *(str(poses[pose]) for pose in names)) for name, poses in every]
        faults = [f"{one.path.name}: {one.fault}: not counted" for one in self.photos if one.fault]
        bricks, sides, unclear = sum(self.poses.values()), self.poses[SIDE], self.poses[UNCLEAR]
        share = percent(sides / bricks)
        if unclear:
            share += f" if no unclear brick is, {percent((sides + unclear) / bricks)} if all are"
        columns = ("photo", *(pose.replace("_", " ") for pose in names))
        return "\n".join([table(columns, lines), *faults, f"on a side: {share}"])


def count_photos(
    paths: Sequence[Path], width_mm: float, camera_mm: float, bricks: int | None, pictures: bool
) -> PhotoCounts:
    """Return the bricks in photos of a tray, and pictures of them if `pictures`; see `bricks_in` for the lengths.

    A photo in which another number than `bricks` is seen has a fault; None checks no number. Raises InvalidValueError
    if a photo cannot be read, has no bricks or is named twice, or a number is outside its range.
    """
    photos.cv2()
    if bricks is not None and not 1 <= bricks <= MAX_BRICKS:
        raise InvalidValueError(f"bricks (--bricks) {bricks} is outside 1..{MAX_BRICKS}")
    if len({path.stem.lower() for path in paths}) < len(paths):
        raise InvalidValueError("two photos have the same name; each is a hand of its own")
    found = []
    with steps(True, "photos") as advance:
        for done, path in enumerate(paths):
            advance(done, len(paths))
            photo = photos.read_photo(path)
            with naming(str(path)):
                seen = photos.bricks_in(photo, width_mm, camera_mm)
            picture = _picture(photo, seen) if pictures else b""
            found.append(PhotoCount(path, tuple(seen), _fault(seen, bricks), picture))
    return PhotoCounts(tuple(found))


def _fault(seen: Sequence[Seen], thrown: int | None) -> str:
    unclear: dict[str, list[str]] = {}
    for number, one in enumerate(seen, start=1):
        if one.pose == UNCLEAR:
            unclear.setdefault(one.why, []).append(str(number))
    faults = [f"unclear: {', '.join(numbers)} ({why})" for why, numbers in unclear.items()]
    if not faults and thrown not in (None, len(seen)):
        faults.append(f"{counted(len(seen), 'brick')} seen, but {thrown} were thrown")
    if not faults and len(seen) > MAX_BRICKS:
        faults.append(f"{len(seen)} bricks; a hand has at most {MAX_BRICKS}")
    return "; ".join(faults)


def _picture(photo: Photo, seen: Sequence[Seen]) -> bytes:
    """Return a photo with the outline, number and pose of each brick, as JPEG."""
    library = photos.cv2()
    factor = min(1.0, _PICTURE_PX / photo.shape[1])
    drawn = library.resize(photo, None, fx=factor, fy=factor, interpolation=library.INTER_AREA)
    for number, one in enumerate(seen, start=1):
        corners, colour = (one.outline_px * factor).round().astype(np.int32), _COLOURS[one.pose]
        library.polylines(drawn, [corners], True, colour, 2, library.LINE_AA)
        left, top = corners.min(axis=0).tolist()
        words, font = f"{number} {one.pose.replace('_', ' ')}", library.FONT_HERSHEY_SIMPLEX
        (width, height), _ = library.getTextSize(words, font, 0.5, 1)
        place = (max(left, 2), max(top - 6, height + 2))
        back = (place[0] - 2, place[1] - height - 2), (place[0] + width + 2, place[1] + 3)
        library.rectangle(drawn, *back, (255, 255, 255), library.FILLED)
        library.putText(drawn, words, place, font, 0.5, colour, 1, library.LINE_AA)
    return bytes(library.imencode(".jpg", drawn[..., ::-1])[1])
