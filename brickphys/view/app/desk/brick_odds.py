"""Brick odds: so many bricks against so many, and what one more brick is worth."""

from collections.abc import Iterator
from functools import partial

from nicegui import ui

from brickphys.odds.answer import Odds, odds
from brickphys.odds.comparison import Comparison
from brickphys.odds.law import Law, RollLaw
from brickphys.rules.report.signed import signed
from brickphys.text import counted, percent, percent_range
from brickphys.view.app.desk.law_field import LawField
from brickphys.view.app.heading import heading
from brickphys.view.app.html_table import Cell, Chance
from brickphys.view.app.jobs import Latest, quick
from brickphys.view.app.number_field import slid_number, whole
from brickphys.view.app.status_line import StatusLine
from brickphys.view.app.table_element import TableElement

MOST_BRICKS, MOST_HEALTH, MOST_ATTACKS = 12, 20, 5
"""More would not be answered within a tenth of a second."""
_Answer = tuple[Odds, list[list[Cell]]]
"""Odds, and what one more brick changes."""


class BrickOdds:
    """Fields of an attack by its numbers of bricks, and its odds, which follow each change."""

    def __init__(self, law: LawField) -> None:
        self._law = law
        with ui.row().classes("w-full"):
            self._attack = slid_number("Attack", 3, 0, MOST_BRICKS, self.refresh)
            self._defence = slid_number("Defence", 2, 0, MOST_BRICKS, self.refresh)
            self._health = slid_number(
                "Health of the target (0: any)", 0, 0, MOST_HEALTH, self.refresh
            )
            self._attacks = slid_number("Attacks in the turn", 1, 1, MOST_ATTACKS, self.refresh)
            self._attacks.props('hint="count once health is above 0"')
        self._line = StatusLine()
        with ui.column() as self._line.results:
            self._success, self._damage, self._kill = TableElement(), TableElement(), TableElement()
            heading("One more brick")
            self._more = TableElement()
        self._latest = Latest[_Answer](quick, self._show, self._line)
        self.refresh()

    def refresh(self) -> None:
        """Tell the odds of what is asked now."""
        self._latest.drop()
        with self._line.telling():
            attack = whole(self._attack, 0, MOST_BRICKS)
            defence = whole(self._defence, 0, MOST_BRICKS)
            health = whole(self._health, 0, MOST_HEALTH) or None
            attacks = whole(self._attacks, 1, MOST_ATTACKS)
            self._attacks.set_enabled(health is not None)
            count = attacks if health else 1
            self._latest.ask(partial(_answer, attack, defence, health, count, self._law.law))

    def _show(self, answer: _Answer) -> None:
        now, more = answer
        self._show_odds(now)
        self._more.show(
            "What one more brick changes, with the same table and hand",
            ("", "one more of the attack", "one more of the defence"),
            more,
        )
        self._line.tell(now.line())

    def _show_odds(self, now: Odds) -> None:
        rows: list[list[Cell]] = [["the attack succeeds", Chance(now.success, now.range90)]]
        law = self._law.law
        columns = ["", "chance, 90 % range" if now.range90 else "chance"]
        if isinstance(law, Law) and now.ci95:
            columns.append(f"95 % interval ({law.interval_meaning})")
            rows[0].append(percent_range(*now.ci95))
        title = f"{counted(now.attack, 'brick')} against {now.defence}"
        self._success.show(title, columns, rows)
        self._damage.show(
            f"Damage, {now.expected_damage:.2f} on average",
            ("damage", "exactly", "at least"),
            (
                [str(points), Chance(float(chance)), percent(float(law_of.at_least(points)))]
                for law_of in [now.opposed.damage]
                for points, chance in law_of.items()
            ),
        )
        self._kill.clear()
        if now.kill_after:
            self._kill.show(
                f"A target of {now.health} health is dead",
                ("after attack", "chance"),
                (
                    [str(number), Chance(float(chance))]
                    for number, chance in enumerate(now.kill_after, 1)
                ),
            )


def _answer(attack: int, defence: int, health: int | None, attacks: int, law: RollLaw) -> _Answer:
    """Return the odds of an attack, and what one more brick of either side changes."""

    def asked(attack: int, defence: int) -> Odds:
        return odds(attack, defence, law, health=health, attacks=attacks)

    now = asked(attack, defence)
    more = now.compare(asked(attack + 1, defence), asked(attack, defence + 1))
    return now, list(_changes(more))


def _changes(found: Comparison) -> Iterator[list[Cell]]:
    """Yield the difference of each quantity by one more brick of either side."""
    for name in found.quantities:
        is_event = found.is_event(name)
        row: list[Cell] = [f"{name}, percentage points" if is_event else name]
        for number in (1, 2):
            more = found.difference(name, number, 0)
            assert more is not None  # all three have the same quantities
            row.append(_changed(float(more.exact), more.range90, is_event))
        yield row


def _changed(value: float, ends: tuple[float, float] | None, is_event: bool) -> str:
    """Write a difference with its range: of chances in percentage points."""
    scale, digits = (100, 1) if is_event else (1, 2)
    told = (
        "" if ends is None else " ({} to {})".format(*(signed(scale * end, digits) for end in ends))
    )
    return f"{signed(scale * value, digits)}{told}"
