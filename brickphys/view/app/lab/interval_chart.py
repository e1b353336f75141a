"""Interval chart: how the interval of a chance closes around it while bodies are thrown."""

from typing import Any

from nicegui import ui

from brickphys.calibration.throw import Throws

COLOURS = ("#0a4f8f", "#d98200")
"""Of the first and of the second table: the one is darker."""
_LINES = ("solid", "dashed")


class IntervalChart:
    """A chart of shares and their 95 % intervals over the number of throws, for one table or two."""

    def __init__(self) -> None:
        self._chart = ui.echart({}, renderer="svg").classes("w-full max-w-3xl h-72")
        self._chart.set_visibility(False)
        self._points: list[list[tuple[int, float, float, float]]] = []

    def begin(self, names: list[str], hands: int, what: str) -> None:
        """Show an empty chart.

        Parameters
        ----------
        names
            Of the tables.
        hands
            How many will be thrown.
        what
            Whose share is shown.
        """
        self._points = [[] for _ in names]
        self._chart.props(f'role=img aria-label="Share of {what} and its 95 % interval"')
        self._chart.options.clear()
        self._chart.options.update(_options(names, hands, what))
        self._chart.set_visibility(True)

    def add(self, number: int, throws: Throws) -> None:
        """Add what one of the tables has come to."""
        if throws.p_side is None or throws.ci95 is None:
            return
        low, high = throws.ci95
        self._points[number].append((throws.result.tally.hands, throws.p_side, low, high))
        points = self._points[number]
        series = self._chart.options["series"][3 * number : 3 * number + 3]
        series[0]["data"] = [(n, round(100 * low, 3)) for n, _, low, _ in points]
        series[1]["data"] = [(n, round(100 * (high - low), 3)) for n, _, low, high in points]
        series[2]["data"] = [(n, round(100 * p, 3)) for n, p, _, _ in points]

    def draw(self) -> None:
        """Send what was added to the browser."""
        self._chart.update()

    def hide(self) -> None:
        """Show no chart."""
        self._chart.set_visibility(False)


def _options(names: list[str], hands: int, what: str) -> dict[str, Any]:
    series = [one for number, name in enumerate(names) for one in _series(number, name)]
    return {
        "animation": False,
        "legend": {"data": names, "top": 0},
        "grid": {"left": 56, "right": 24, "top": 34, "bottom": 44},
        "xAxis": {
            "type": "log",
            "name": "throws",
            "nameLocation": "middle",
            "nameGap": 26,
            "min": 10,
            "max": max(hands, 100),
        },
        "yAxis": {"type": "value", "name": f"{what}, %", "min": 0, "nameLocation": "end"},
        "series": series,
    }


def _series(number: int, name: str) -> list[dict[str, Any]]:
    """Return the lower end, the band up to the higher one, and the line of the share."""
    colour, line = COLOURS[number], _LINES[number]
    plain = {"type": "line", "symbol": "none", "data": [], "silent": True}
    band = {**plain, "stack": f"band {number}", "lineStyle": {"opacity": 0}}
    return [
        {**band, "name": f"{name}: low"},
        {**band, "name": f"{name}: band", "areaStyle": {"color": colour, "opacity": 0.28}},
        {
            **plain,
            "name": name,
            "itemStyle": {"color": colour},
            "lineStyle": {"color": colour, "type": line, "width": 2},
        },
    ]
