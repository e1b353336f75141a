"""Options: arguments and options that several commands share, with their parsing and completion.

Output options say where the results of a command go: a picture, JSON or text. Units have names on the command line:
``2*archers``, ``soldier,sword``, ``mine.toml``.
"""

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, wraps
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from brickphys.cli.shared.output import check_apart, check_plot, echo, print_json, save_plot
from brickphys.errors import InvalidValueError, naming
from brickphys.files import is_there
from brickphys.text import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.odds.law import Law
    from brickphys.odds.law_choice import LawLike

F = TypeVar("F", bound=Callable[..., Any])


class _File(click.Path):
    """A path of a file. An empty one is refused: it would be the folder in which the command runs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail("the name of the file is empty", param, ctx)
        return super().convert(value, param, ctx)


FILE = _File(path_type=Path)
MANY_SCENES = (".jsonl", ".ndjson", ".parquet")
"""Endings of files of many scenes; another file has one."""
MANY_READ = (*MANY_SCENES, ".gz")
"""Those of files that are read: JSON Lines may be packed."""
OptionDecorators = dict[str, Callable[[Any], Any]]
"""Decorators that add an option each, by the parameter of the command."""


def name_list(text: str) -> tuple[str, ...]:
    """Return names with commas between them; empty and repeated names are refused."""
    names = tuple(word.strip() for word in text.split(","))
    if "" in names:
        raise click.BadParameter(f"{text!r} has an empty name")
    if len(set(names)) < len(names):
        raise click.BadParameter(f"{text!r} has a name twice")
    return names


def names_option(option: str, default: str, about: str, *parameter: str) -> Callable[[F], F]:
    """Return an option of names with commas between them."""
    return click.option(
        option, *parameter, type=name_list, metavar="A,B", default=default, help=about
    )


def height_range(text: str) -> tuple[float, float]:
    """Return a range of millimetres from ``LO:HI``, or one height; the conditions check its ends."""
    return _two_numbers(text, ":", "a range of millimetres such as 100:300")


def table_size(text: str) -> tuple[float, float]:
    """Return the lengths of a table in millimetres from ``WIDTHxDEPTH``, or from one, of a square; see `throw`."""
    return _two_numbers(text.lower(), "x", "a table in millimetres such as 1200x800")


def _two_numbers(text: str, between: str, what: str) -> tuple[float, float]:
    words = text.split(between)
    try:
        low, high = (float(words[0]), float(words[-1]))
    except ValueError:
        words = []
    if len(words) not in (1, 2):
        raise click.BadParameter(f"{text!r} is not {what}")
    return low, high


def round_range(text: str) -> tuple[int, int]:
    """Return the first and the last round from ``A..B``, or one round."""
    first, dots, last = text.partition("..")
    words = (first, last if dots else first)
    if not all(re.fullmatch("[0-9]{1,9}", word) for word in words) or int(words[0]) > int(words[1]):
        raise click.BadParameter(f"{text!r} is neither a round such as 3 nor a range such as 2..4")
    return int(words[0]), int(words[1])


def exact_chance(text: str) -> Fraction:
    """Return a chance from a decimal, a percentage or a fraction, without rounding: 0.3 and 30% are 3/10."""
    try:
        # an exponent could ask for more digits than there is memory
        found = re.fullmatch(r"([-+0-9./]{1,40}?) ?(%?)", text)
        if found is None:
            raise ValueError
        return Fraction(found[1]) / (100 if found[2] else 1)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(
            f"{text!r} is no chance: write a decimal (0.3), a percentage (30%) or a fraction (3/10)"
        ) from None


def most_bricks(text: str) -> int:
    """Return K from ``1..K`` or ``K``: hands of one to K bricks."""
    first, dots, last = text.rpartition("..")
    if (dots and first != "1") or not last.isdecimal():
        raise click.BadParameter(f"{text!r} is not of the form 1..6")
    return int(last)


def _names(load: Callable[[], Iterable[str]]) -> Callable[..., list[CompletionItem]]:
    def complete(
        _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in load() if name.startswith(incomplete)]

    return complete


def _names_in(place: str) -> Callable[..., list[CompletionItem]]:
    """Return the completion of the names in ``module:NAME``; the module is loaded when one is asked for."""
    return _names(lambda: resolve_name(f"brickphys.{place}"))


def _names_of_game(load: Callable[[Any], Iterable[str]]) -> Callable[..., list[CompletionItem]]:
    """Return the completion of names that the game on the same command line has."""

    def complete(
        ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from brickphys.rules.registry import filed_game

        try:
            names = load(filed_game(ctx.params["game_name"]))
        except InvalidValueError:  # no such game, or a game without such a part
            return []
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    return complete


game_argument = click.argument(
    "game_name",
    metavar="GAME",
    shell_complete=_names(lambda: resolve_name("brickphys.rules.registry:games")()),
)
sheet_names = _names_of_game(lambda game: (sheet.name for sheet in game.sheets().sheets))
unit_names = _names_of_game(lambda game: game.unit_names())
scenario_names = _names_of_game(lambda game: game.scenarios())


def cores() -> int:
    """Return how many processors this process may use."""
    from brickphys.workers import cores as count  # takes time to load

    return count()


_MOST_A_CORE, _MOST_ANYWHERE = 4, 16


def _check_workers(_ctx: click.Context, _param: click.Parameter, count: int) -> int:
    """Refuse many more processes than there are cores: each takes memory, and none makes the cores faster."""
    most = max(_MOST_A_CORE * cores(), _MOST_ANYWHERE)
    if not 1 <= count <= most:
        raise InvalidValueError(
            f"workers {count} is outside 1..{most}: there are {counted(cores(), 'core')}"
        )
    return count


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
seed_option = click.option(
    "--seed", type=int, help="Root seed, 0 to 2**53-1.  [default: drawn, and printed]"
)


unused_seed_option = click.option(
    "--seed",
    type=int,
    expose_value=False,
    hidden=True,
    callback=lambda _ctx, _param, seed: seed if seed is None else root_seed(seed),
)
"""Takes a seed, checks it and does nothing: programs may give one to every command."""


def json_options(command: F) -> F:
    """Add ``--json``, and ``--seed`` without effect, to a command that draws nothing."""
    return unused_seed_option(json_option(command))


def command_line() -> str:
    """Return the command line that runs, as a law stores it."""
    return shlex.join(["brickphys", *sys.argv[1:]])


def _trust(ctx: click.Context, _param: click.Parameter, is_trusted: bool) -> None:
    from brickphys.rules.registry import trusting

    ctx.with_resource(trusting(is_trusted))


trust_option = click.option(
    "--trust",
    is_flag=True,
    expose_value=False,
    callback=_trust,
    help="Run the code of games and bots, module:Class, that the file names. A file alone never runs code.",
)
"""Lets a command load what the files that it reads name, for as long as it runs."""
chance_option = click.option(
    "--p",
    "chance",
    type=exact_chance,
    metavar="P",
    help="Chance of a side: a decimal, a percentage or a fraction.",
)


def _check_law(ctx: click.Context, _param: click.Parameter, name: Path | None) -> Path | None:
    """Refuse what is neither a file nor a shipped law; the faults of a file are told when it is read."""
    if name is not None and not is_there(name):
        from brickphys.odds.law_file import find_law

        has_chance = any(one.name == "chance" for one in ctx.command.params)
        if has_chance and re.fullmatch(r"[\d./]+ ?%?", str(name)):
            raise InvalidValueError(f"--law: {name} is a number: write --p {name}")
        with naming("--law"):
            find_law(name)
    return name


law_option = click.option(
    "--law",
    "law_file",
    type=FILE,
    callback=_check_law,
    help="Law file, or a shipped law: default (or wood), baseplate (or plastic), cloth, glass, pybullet.  "
    "[default: default]",
)


def chosen_law(law_file: Path | None) -> "Law":
    """Return the law of `law_option`, the default if none is named."""
    from brickphys.odds.law_file import default_law, find_law

    return default_law() if law_file is None else find_law(law_file)


def law_choice(chance: Fraction | None, law_file: Path | None) -> "LawLike":
    """Return what `chance_option` or `law_option` chooses, the default law if nothing; the two exclude each other."""
    from brickphys.odds.law_file import DEFAULT

    if chance is not None and law_file is not None:
        raise InvalidValueError("--p and --law exclude each other")
    return chance if chance is not None else law_file or DEFAULT


def refuse_law(chance: Fraction | None, law_file: Path | None) -> None:
    """Raise InvalidValueError if a law of bricks is chosen where dice are rolled."""
    if chance is not None or law_file is not None:
        raise InvalidValueError("--p and --law are for bricks, but this game rolls dice")


def preset_option(default: str = "") -> Callable[[F], F]:
    """Return the option for the kind of throw: ``hand`` by default, or none, if something is told of it."""
    return click.option(
        "--preset",
        default=None if default else "hand",
        shell_complete=_names_in("throws.conditions:PRESETS"),
        help="Kind of throw: hand, gentle, toss, roll, drop, cup or flip."
        + (f"  [default: {default}]" if default else ""),
    )


surface_option = click.option(
    "--surface",
    shell_complete=_names_in("throws.conditions:SURFACES"),
    help="Surface: wood, glass, cloth, plastic or a surface file (.toml).  [default: wood; plastic on a baseplate]",
)
floor_option = click.option(
    "--floor",
    default="plane",
    shell_complete=_names_in("throws.release:FLOORS"),
    help="Floor: plane, baseplate (with studs) or tray (walls 25 cm apart).",
)
engine_option = click.option(
    "--engine",
    shell_complete=_names_in("engines.registry:ENGINES"),
    help="Physics engine: compiled (default for single bodies, but not on studs), bullet (default otherwise), mujoco.",
)
workers_option = click.option(
    "--workers",
    type=int,
    default=cores,
    show_default="all cores",
    callback=_check_workers,
    help="Worker processes.",
)
edge_radius_option = click.option(
    "--edge-radius-mm",
    type=float,
    help="Radius of the rounded edges; SHAPE may contain it, as in 2x2:r0.3.  [default: 0.2 for bricks and "
    "plates, 0 for other shapes]",
)
weapon_option = click.option(
    "--weapon",
    required=True,
    shell_complete=_names(lambda: resolve_name("brickphys.projectiles.weapons:weapons")()),
    help="Weapon: bow, crossbow, spear, small_catapult or big_catapult.",
)
body_option = click.option(
    "--body",
    default="foot",
    shell_complete=_names(lambda: resolve_name("brickphys.projectiles.target:targets")()),
    help="Target: foot, rider or dog; foot:wall2 is a figure behind a wall of two bricks.",
)
think_option = click.option(
    "--yes",
    is_flag=True,
    help="Allow bots that think for more than a minute or a million states a decision.",
)
force_option = click.option("--force", is_flag=True, help="Overwrite files that exist.")
shape_argument = click.argument(
    "shape", shell_complete=_names_in("shapes.catalogue:SHAPE_EXAMPLES")
)


def grouped(name: str, group: type, options: OptionDecorators) -> Callable[[F], F]:
    """Return the decorator that adds options to a command, which gets their values as one parameter, `name`.

    The options are given by the fields of the dataclass `group`, in the order of the help.
    """

    def decorate(command: F) -> F:
        @wraps(command)
        def called(**given: Any) -> Any:
            values = {key: given.pop(key) for key in options}
            return command(**{name: group(**values)}, **given)

        for option in reversed(options.values()):
            called = option(called)
        return cast("F", called)

    return decorate


def plot_option(what: str = "Draw") -> Callable[[F], F]:
    """Return the option of a picture, such as of `what` "Draw a tornado"."""
    text = f"{what} to this .png, .svg or .pdf file."
    return click.option("--plot", type=FILE, help=text)


def html_option(what: str) -> Callable[[F], F]:
    """Return the option of a page that shows something in three dimensions, such as `what` "the crash"."""
    text = f"Write a page that shows {what} in three dimensions to this .html file; any browser opens it."
    return click.option("--html", type=FILE, help=text)


def root_seed(seed: int | None) -> int:
    """Return the seed if it is a valid root, or a fresh one if none was given."""
    from brickphys.seeds import chosen_root

    return chosen_root(seed)


class Result(Protocol):
    """What a command can show."""

    def document(self) -> Mapping[str, Any]:
        """Return its JSON."""

    def text(self) -> str:
        """Return it for people."""

    def plot(self) -> "Figure":
        """Return its picture."""


@dataclass(frozen=True)
class OutputOptions:
    """The file of the picture, if one is wanted; whether it may replace a file; whether JSON is printed."""

    plot: Path | None
    force: bool
    as_json: bool

    def check(
        self,
        read: Mapping[str, Path | str | None] | None = None,
        written: Mapping[str, Path | None] | None = None,
    ) -> None:
        """Raise InvalidValueError, before any work, if the picture cannot be written or is another file.

        The files that are read, and the others that are written, are given by the words that name them on the command
        line.
        """
        check_plot(self.plot, force=self.force)
        check_apart(read or {}, {"--plot": self.plot, **(written or {})})

    def show(self, kind: str, found: "Result", **more: Any) -> None:
        """Print a result as JSON, in which `more` follows, or as text; then save its picture if one is wanted."""
        self.write(
            kind, lambda: {**found.document(), **more}, lambda: echo(found.text()), found.plot
        )

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


_NAME = re.compile(r"(?:[0-9]+\*)?([^\W\d]\w*)")
"""A name, maybe after how many there are."""


def is_name(word: str) -> bool:
    """Tell whether a word begins with the name of a unit, of a game or of a file of units, and is not a number."""
    return _NAME.match(word) is not None or is_unit_file(word)


def is_unit_file(word: str) -> bool:
    """Tell whether a word begins with a file of units: ``mine.toml`` or ``mine.toml,gladiator``."""
    return word.partition(",")[0].endswith(".toml")


def unit_name(word: str) -> str:
    """Return the name with which a word begins; the whole word if it begins with none, or with a file."""
    found = None if is_unit_file(word) else _NAME.match(word)
    return found[1] if found else word
