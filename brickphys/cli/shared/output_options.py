"""Output options: where the results of a command go: a picture, JSON or text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.cli.shared.options import (
    force_option,
    grouped,
    json_option,
    plot_option,
    root_seed,
    seed_option,
    unused_seed_option,
    workers_option,
)
from brickphys.cli.shared.output import check_apart, check_plot, print_json, save_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class OutputOptions:
    """The file of the picture, if one is wanted; whether it may replace a file; whether JSON is printed."""

    plot: Path | None
    force: bool
    as_json: bool

    def check(self, read: Mapping[str, Path | str | None] | None = None) -> None:
        """Raise InvalidValueError, before any work, if the picture cannot be written or is a file that is read.

        The files that are read are given by the words that name them on the command line.
        """
        check_plot(self.plot, force=self.force)
        check_apart(read or {}, {"--plot": self.plot})

    def write(
        self,
        kind: str,
        document: Callable[[], Mapping[str, Any]],
        print_text: Callable[[], None],
        figure: "Callable[[], Figure]",
    ) -> None:
        """Print the document as JSON, or the text; then save the picture if one is wanted."""
        if self.as_json:
            print_json(kind, document())
        else:
            print_text()
        if self.plot is not None:
            save_plot(figure(), self.plot)


@dataclass(frozen=True)
class RunOptions(OutputOptions):
    """The options of a command that throws: also the number of worker processes and the seed."""

    workers: int
    seed: int | None

    @cached_property
    def root(self) -> int:
        """The root seed, drawn if none was given; InvalidValueError if it is impossible."""
        return root_seed(self.seed)


def output_options(what: str = "Draw") -> Callable[..., Any]:
    """Return the decorator that adds ``--plot``, ``--force``, an unused ``--seed`` and ``--json``, as `out`."""
    options = {
        "plot": plot_option(what),
        "force": lambda command: force_option(unused_seed_option(command)),
        "as_json": json_option,
    }
    return grouped("out", OutputOptions, options)


def run_options(what: str = "Draw") -> Callable[..., Any]:
    """Return the decorator that adds ``--workers``, ``--seed``, ``--plot``, ``--force`` and ``--json``, as `out`."""
    options = {
        "workers": workers_option,
        "seed": seed_option,
        "plot": plot_option(what),
        "force": force_option,
        "as_json": json_option,
    }
    return grouped("out", RunOptions, options)
