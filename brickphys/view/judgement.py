"""Judgement: the report page of the referee: the counts, and the worst cases drawn and named."""

from io import BytesIO

from brickphys.batch.report.report import markdown_table, markdown_text, report_html
from brickphys.plots.vehicles import fault_figure
from brickphys.text import counted
from brickphys.vehicles.referee.judge import Judgement

_MOST_PROBLEMS = 200
"""Lines of what could not be judged."""


def judgement_page(found: Judgement, title: str) -> str:
    """Return a judgement as one HTML page that holds its pictures and loads nothing.

    `title` tells whose answers were judged.
    """
    pictures: dict[str, bytes] = {}
    parts = [f"# {markdown_text(title)}", found.reach(), markdown_table(*found.table())]
    for number, case in enumerate(found.cases):
        name, target = f"case-{number}.png", BytesIO()
        fault_figure(case).savefig(target, format="png", dpi=80)
        pictures[name] = target.getvalue()
        heading, *lines = (markdown_text(line) for line in case.lines())
        parts += [f"## {heading}", *lines, f"![{heading}]({name})"]
    if found.problems:
        rest = len(found.problems) - _MOST_PROBLEMS
        lines = [f"- {markdown_text(line)}" for line in found.problems[:_MOST_PROBLEMS]]
        more = [f"- and {counted(rest, 'more problem')}"] if rest > 0 else []
        parts += ["## Not judged", "\n".join([*lines, *more])]
    return report_html("\n\n".join(parts) + "\n", pictures, title)
