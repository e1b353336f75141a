"""Sheets of Minifig battles: the numbers of the book, from ``data/figures.toml``.

They are the kinds of figures, arms and things, and the rows of movement, bricks and missiles. By these rows, a figure
that the command line names has its bricks of attack and defence (MF Resolving Combat, MF Experience). The command
`sheet` shows them, each with its reason.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from brickphys.errors import InvalidValueError, unknown
from brickphys.files import shipped_tables
from brickphys.projectiles.weapons import Weapon, weapon
from brickphys.rules.report.sheets import Paint
from brickphys.text import columns, counted, spoken

BASE_RADIUS_IN = 0.315
"""Of the round base of a figure, two studs wide."""
TOUCH_IN = 0.05
"""Bases touch if they are at most this far apart."""
INCH_MM = 25.4
RIDER = "rider"
"""The target of `brickphys.projectiles` that a mounted figure is."""


@dataclass(frozen=True)
class Kind:
    """A kind of figure."""

    name: str
    """Its name."""
    move: str
    """Its row of the chart of movement on foot."""
    attack: tuple[str, ...]
    """Its rows of attack bricks, besides a weapon."""
    body: str
    """Its target on foot for missiles, as in `brickphys.projectiles`."""
    hands: int
    """How many arms it can hold."""
    unarmed: tuple[str, ...] | None = None
    """Its rows of attack bricks without a weapon, if they differ; else None."""


@dataclass(frozen=True)
class Arm:
    """A weapon, shield or piece of armour."""

    name: str
    """Its name."""
    attack: tuple[str, ...] = ()
    """Its rows of attack bricks."""
    defence: tuple[str, ...] = ()
    """Its rows of defence bricks."""
    missile: str | None = None
    """What it shoots: a row of the chart of missiles; None if it does not."""
    leaves_hand: bool = False
    """Whether it is thrown."""
    reloads: bool = False
    """Whether a shot takes a round of reloading (MF Reloading)."""
    is_worn: bool = False
    """Whether it is worn: it stays with the figure and takes no hand."""


@dataclass(frozen=True)
class ThingKind:
    """A kind of thing with a base of its own: a horse, a wagon, a catapult."""

    name: str
    """Its name."""
    radius_in: float
    """The radius of its base."""
    size_mm: tuple[float, float, float]
    """The box that stops missiles: length, width, height."""
    missile: str | None = None
    """What it shoots: a row of the chart of missiles; None if it does not."""
    reloads: bool = False
    """Whether a shot takes a round of reloading (MF Reloading)."""
    is_ridden: bool = False
    """Whether it is a horse."""
    is_hauled: bool = False
    """Whether figures haul it."""


@dataclass(frozen=True)
class MissileRow:
    """What happens after a hit (MF Projectiles)."""

    weapon: Weapon  # how it flies
    bricks: int  # unopposed; one on its side or more eliminates
    knocks_over: bool = False  # whether who is knocked over is eliminated without bricks
    bounced: int | None = None  # change after a bounce; None if it does not matter how it came
    besieges: bool = False  # whether it takes bricks out of walls
    indirect: float | None = (
        None  # times the scatter at who is hidden by a wall (ours); None if it cannot
    )

    def flight(self, *, is_hidden: bool) -> Weapon:
        """Return how it flies at a figure that a wall hides, or at what the shooter sees."""
        return self.weapon.scattered(self.indirect) if is_hidden and self.indirect else self.weapon

    def bricks_after(self, phase: str) -> int:
        """Return the bricks after a hit that was ``direct``, ``bounced`` or ``rolled``."""
        if self.bounced is None or phase == "direct":
            return self.bricks
        return self.bricks + self.bounced if phase == "bounced" else 0


@dataclass(frozen=True)
class Charts:
    """All of them, by name."""

    kinds: Mapping[str, Kind]
    arms: Mapping[str, Arm]
    things: Mapping[str, ThingKind]
    move_in: Mapping[str, float]  # inches a round by row
    attack: Mapping[str, int]  # bricks by row; ``mounted`` is a factor
    defence: Mapping[str, int]
    missiles: Mapping[str, MissileRow]
    colours: tuple[str, ...]  # of bases, by experience

    @property
    def most_experience(self) -> int:
        """The highest level of experience."""
        return len(self.colours) - 1


@lru_cache
def charts() -> Charts:
    """Return the charts of the book."""
    found = shipped_tables("brickphys.minifig", "figures")
    return Charts(
        kinds={name: Kind(name, **frozen(table)) for name, table in found["kind"].items()},
        arms={name: Arm(name, **frozen(table)) for name, table in found["arm"].items()},
        things={name: ThingKind(name, **frozen(table)) for name, table in found["thing"].items()},
        move_in=found["move"],
        attack=found["attack"],
        defence=found["defence"],
        missiles={
            name: MissileRow(weapon(name), **table) for name, table in found["missile"].items()
        },
        colours=tuple(found["experience"]["colours"]),
    )


def frozen(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of a data file with tuples for its arrays."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


MOUNTED = "mounted"
WALL = "wall"


def attack_rows(kind: Kind, arms: Iterable[Arm]) -> set[str]:
    """Return the rows of attack bricks that a figure has by its kind and its arms; one weapon counts."""
    armed = {row for arm in arms for row in arm.attack}
    return armed.union(kind.attack if armed or kind.unarmed is None else kind.unarmed)


def defence_rows(arms: Iterable[Arm]) -> set[str]:
    """Return the rows of defence bricks that a figure has by its arms; of two alike one counts."""
    return {row for arm in arms for row in arm.defence}


def attack_chart(rows: Collection[str]) -> dict[str, int]:
    """Return the bricks of some rows of the chart; the row of riders doubles the sum of those above it."""
    found: dict[str, int] = {}
    for row, bricks in charts().attack.items():
        if row in rows:
            found[row] = sum(found.values()) * (bricks - 1) if row == MOUNTED else bricks
    return found


def defence_chart(rows: Collection[str]) -> dict[str, int]:
    """Return the bricks of some rows of the chart."""
    return {row: bricks for row, bricks in charts().defence.items() if row in rows}


DOWNWARD, REAR, HIGHER = "downward", "rear", "higher"
EXPERIENCE = "experience"
_Rows = Callable[[Kind, Iterable[Arm]], set[str]]


@dataclass(frozen=True)
class SideChart:
    """The chart of a side: the rows by place, those by kind and arms, and the bricks of rows."""

    places: tuple[str, ...]
    rows: _Rows
    chart: Callable[[Collection[str]], dict[str, int]]


ATTACK = SideChart((MOUNTED, WALL, DOWNWARD, REAR), attack_rows, attack_chart)
DEFENCE = SideChart((MOUNTED, HIGHER, WALL), lambda _kind, arms: defence_rows(arms), defence_chart)


@dataclass(frozen=True)
class Fighter:
    """A figure on one side of a fight: what it is, what it has, and its level of experience."""

    text: str
    """The words that it was made from."""
    kind: Kind
    arms: tuple[Arm, ...]
    experience: int
    places: frozenset[str]
    """The rows by its place."""
    bricks: Mapping[str, int]
    """Its bricks by row."""
    points: int
    """What experience adds to its score."""

    @property
    def total(self) -> int:
        """Its bricks together."""
        return sum(self.bricks.values())

    @property
    def words(self) -> str:
        """The figure with its bricks, row by row, and its experience."""
        rows = ", ".join(f"{spoken(row)} {bricks}" for row, bricks in self.bricks.items())
        more = f" and {self.points} of experience" if self.points else ""
        return f"{self.text}, {counted(self.total, 'brick')}{f' ({rows})' if rows else ''}{more}"


def fighter_kind(text: str) -> str:
    """Return the word that says what kind of figure words name."""
    return text.partition(",")[0]


_HANDLESS = ", so it can neither ride nor wear anything"


def fighter(text: str, side: SideChart, *, experience_bricks: bool = False) -> Fighter:
    """Return the figure that words with commas between them name.

    The words are its kind; then in any order its arms, its places, and the colour of its base: its experience.
    InvalidValueError if one is unknown, or the figure cannot hold its arms or ride. With `experience_bricks`
    experience adds bricks, and not points.
    """
    chart, (first, *words) = charts(), text.split(",")
    if first not in chart.kinds:
        raise InvalidValueError(f"figure {text!r}: {unknown('kind', first, chart.kinds)}")
    known = (*chart.arms, *side.places, *chart.colours)
    for word in words:
        if word not in known:
            raise InvalidValueError(f"figure {text!r}: {unknown('word', word, known)}")
    kind = chart.kinds[first]
    arms = tuple(chart.arms[word] for word in words if word in chart.arms)
    places = frozenset(words).intersection(side.places)
    held = sum(not arm.is_worn for arm in arms)
    if held > kind.hands or (not kind.hands and (arms or MOUNTED in places)):
        raise InvalidValueError(
            f"figure {text!r}: a {first} has {counted(kind.hands, 'hand')}{_HANDLESS * (not kind.hands)} "
            "(MF Resolving Combat)"
        )
    colours = [word for word in words if word in chart.colours]
    if len(colours) > 1:
        raise InvalidValueError(
            f"figure {text!r}: a base has one colour, not {len(colours)} (MF Experience)"
        )
    level = chart.colours.index(colours[0]) if colours else 0
    bricks = side.chart(side.rows(kind, arms) | places)
    points = level
    if experience_bricks and level:
        bricks, points = {**bricks, EXPERIENCE: level}, 0
    return Fighter(text, kind, arms, level, places, bricks, points)


_SIDES = {"attack": ATTACK, "defence": DEFENCE}
REASONS = {
    "attack": {
        WALL: "fights from a wall or barricade",
        DOWNWARD: "stands a brick higher or more",
        REAR: "comes from behind the defender",
    },
    "defence": {
        HIGHER: "stands a brick higher or more",
        WALL: "stands behind a wall",
    },
}
"""The rows that depend on where figures stand (MF Resolving Combat)."""


@dataclass(frozen=True)
class FigureSheet:
    """A figure with its arms, on foot or on a horse."""

    name: str
    """Its words, as `brickphys.minifig.sheets` reads them."""
    sides: Mapping[str, Fighter]
    """The figure as an attacker and as a defender."""

    @property
    def figure(self) -> Fighter:
        """The figure as an attacker."""
        return self.sides["attack"]

    @property
    def is_mounted(self) -> bool:
        """Whether it rides."""
        return MOUNTED in self.figure.places

    @property
    def title(self) -> str:
        """Its words as a text: ``soldier with sword, shield``."""
        kind, *rest = self.name.split(",")
        return f"{kind} with {', '.join(rest)}" if rest else kind

    @property
    def about(self) -> str:
        """Its bricks, in a line."""
        sums = (f"{side} {one.total}" for side, one in self.sides.items())
        return ", ".join(
            [*sums, *(f"shoots ({arm.name})" for arm in self.figure.arms if arm.missile)]
        )

    @property
    def cost_points(self) -> None:
        """None: the book has no prices."""

    def marked(self, marks: Mapping[str, int]) -> "FigureSheet":
        """Raise InvalidValueError: nothing is marked."""
        raise InvalidValueError(f"{self.name} has nothing to mark: {', '.join(marks)}")

    def rows(self, side: str) -> list[tuple[str, int, str]]:
        """Return the rows of its attack or defence: name, bricks and reason (MF Resolving Combat)."""
        return [
            (row, bricks, self._reason(side, row))
            for row, bricks in self.sides[side].bricks.items()
        ]

    def more(self, side: str) -> list[tuple[str, int, str]]:
        """Return the rows that depend on where it stands, with the bricks that each of them adds."""
        one = self.sides[side]
        return [
            (row, fighter(f"{self.name},{row}", _SIDES[side]).total - one.total, reason)
            for row, reason in REASONS[side].items()
            if row not in one.places
        ]

    def _reason(self, side: str, row: str) -> str:
        """Return why it has the bricks of a row."""
        if row == MOUNTED:
            return "rides: doubles the rows above" if side == "attack" else "rides"
        given = [arm.name for arm in self.figure.arms if row in getattr(arm, side)]
        return ", ".join(given) or REASONS[side].get(row, self.figure.kind.name)

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Yield the names and values of its numbers."""
        rows, figure = charts().move_in, self.figure
        level = figure.experience
        yield "base", f"{charts().colours[level]}: experience adds {level} to its score"
        yield "holds", f"{sum(not arm.is_worn for arm in figure.arms)} in {figure.kind.hands} hands"
        if self.is_mounted:
            late, pulls = rows["cavalry"] - rows["mounting"], rows["pulling"]
            yield (
                "moves",
                f"{rows['cavalry']:g} in; {late:g} if it mounts first, {pulls:g} with a wagon",
            )
        else:
            pushes = f"; {rows['pushing']:g} with a wagon" * (figure.kind.hands > 0)
            yield "moves", f"{rows[figure.kind.move]:g} in{pushes}"
        for arm in figure.arms:
            if arm.missile:
                row = charts().missiles[arm.missile]
                reloads = "; a round to reload" * arm.reloads
                text = f"knocks over, or {counted(row.bricks, 'brick')}"
                yield f"{arm.name}", f"{row.weapon.range_in:g} in: {text}{reloads}"

    def text(self, paint: Paint) -> str:
        """Return the numbers, and each row of attack and defence with its reason."""
        lines = [f"{self.name}: {self.about}", *columns(self.numbers(), "  ")]
        for side, one in self.sides.items():
            table = [(spoken(row), f"{bricks}", why) for row, bricks, why in self.rows(side)]
            table += [(spoken(row), f"+{n}", f"where it {why}") for row, n, why in self.more(side)]
            lines += ["", f"{side}, {counted(one.total, 'brick')}:", *columns(table, "  ")]
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON; ``more`` are the bricks that a place adds."""
        sides = {
            side: {
                "bricks": dict(one.bricks),
                "more": {row: bricks for row, bricks, _ in self.more(side)},
            }
            for side, one in self.sides.items()
        }
        return {
            "name": self.name,
            "kind": self.figure.kind.name,
            "arms": [arm.name for arm in self.figure.arms],
            "mounted": self.is_mounted,
            "experience": self.figure.experience,
            **sides,
        }


def figure_sheet(words: str) -> FigureSheet:
    """Return the sheet of a figure.

    The words are its kind, its arms, ``mounted`` and the colour of its base: ``peasant,spear,mounted``.
    """
    return FigureSheet(words, {name: fighter(words, side) for name, side in _SIDES.items()})


def usual_figures() -> list[str]:
    """Return the words of all kinds, and of a soldier with each arm and on a horse."""
    return [*charts().kinds, *(f"soldier,{word}" for word in (*charts().arms, MOUNTED))]
