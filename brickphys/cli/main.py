"""Main: the command `brickphys`, its groups, and the one place where errors become lines and exit statuses.

`completion` prints scripts that complete commands, options and names in a shell.
"""

import atexit
import gc
import logging
import os
import re
import sys
from importlib import import_module
from traceback import format_exception

import click

from brickphys import COMMANDS as PUBLIC_NAMES
from brickphys import errors
from brickphys.cli.shared.output import CommandGroup, echo
from brickphys.notes import show_notes
from brickphys.signals import ended_by_signals, exit_status, is_terminated, kill_processes
from brickphys.text import nearest

BAD_INPUT = 2
RUN_FAILED = 1
_ALSO_CALLED = {
    "count": "throws",
    "n": "throws",
    "number": "throws",
    "rolls": "throws",
    "floor": "surface",
    "table": "surface",
    "health": "hp",
    "output": "out",
}
"""Options that people try -> the option that is meant."""
_LEAST_MEMORY = 2**29
"""Bytes of address space that the libraries need."""

_FOR_PYTHON = re.compile(r" \(from Python [^)]*\)")
"""What messages say to those who do not use the command line."""
_COMMANDS = {
    "army": "show an army by its sheets: costs, odds, and pages to print in true size",
    "batch": "run studies of thousands of throws, collisions or battles",
    "calibrate": "throw until the chance of a side is known, and write the law",
    "campaign": "play a solo campaign, one day at a time",
    "collide": "compute a vehicle's compulsory move: what it hits, where and how hard",
    "completion": "print the completion script of a shell",
    "drop": "throw one shape under one condition and count the poses",
    "games": "list the games and their setups",
    "infer": "infer the chance of a side from bricks thrown at home",
    "ladder": "let bots play each other, and rank them",
    "laws": "list laws with their chance of a side and its range",
    "measure": "measure your own table and hand, and write their law",
    "odds": "compute the exact odds of an attack",
    "play": "play a game, with bots or people",
    "poses": "compute the stable faces of a shape, without throwing it",
    "predict": "write down how shapes will stop, before anybody counts",
    "replay": "play back and check a recorded game",
    "roll": "roll bricks once, by a law or in the physics engine",
    "scenario": "show or check a scenario: its map, armies and aims",
    "sensitivity": "rank the causes that change the chance of a side",
    "sheet": "show the sheets of units, vehicles and ships, with their costs",
    "shoot": "compute a shot of a bow or catapult at a figure",
    "validate": "compare the physics with real tosses, and the engines with each other",
    "verify": "check laws, replays, saved games and batches",
    "view": "show throws, moves and battles in the browser",
}
_MODULES = {
    "calibrate": "laws",
    "completion": "main",
    "drop": "throws",
    "poses": "throws",
    "predict": "throws",
    "roll": "throws",
    "scenario": "games",
    "sensitivity": "throws",
    "sheet": "games",
}
"""Commands whose module has not their name."""


class _LazyGroup(CommandGroup):
    """Loads the module of a command only when the command runs."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; SIGTERM does not print the empty line that click prints after Ctrl-C."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            if is_terminated():
                raise click.Abort from None
            raise

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def meant(self, name: str) -> str | None:
        return next((command for command, public in PUBLIC_NAMES.items() if public == name), None)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command = getattr(import_module(f"brickphys.cli.{_MODULES.get(name, name)}"), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"brickphys.cli.{name} has no command {name}")
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(package_name="brickphys", message="brickphys %(version)s")
@click.option(
    "--traceback", is_flag=True, help="Print the traceback of an error too, to mend a game or bot."
)
@click.pass_context
def cli(ctx: click.Context, *, traceback: bool) -> None:
    """Measure how often a thrown brick stops on its side, and compute the odds.

    brickphys is a physics laboratory for brick wargames. It throws bricks in a rigid-body engine until the
    chance of a side is known. The exact odds of any roll follow from this chance.

    \b
    Examples:
      brickphys odds 3 2            the odds of attack 3 against defence 2
      brickphys drop 2x2            throw 2,000 bricks on a wooden table
      brickphys COMMAND --help      more on one command, with an example
    """
    ctx.ensure_object(dict)["traceback"] = traceback


def main() -> None:
    """Run the command line.

    Bad input is one line and exit status 2, a failed run one line and 1, Ctrl-C 130 and SIGTERM 143.
    """
    # imports make many objects and no garbage: to look for some costs a tenth of a second, and to look among all of
    # Numba's objects at the end a quarter
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    show_notes()
    os.environ.pop("MPLBACKEND", None)  # pictures are drawn into files: no window opens
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it works without a folder of its own
    chosen: dict[str, bool] = {}
    try:
        with ended_by_signals():
            _check_memory()
            cli.main(prog_name="brickphys", standalone_mode=False, obj=chosen)
    except (click.Abort, KeyboardInterrupt):
        _print_error("terminated" if is_terminated() else "interrupted")
        kill_processes()  # else Python waits for them
        atexit._run_exitfuncs()
        os._exit(exit_status())  # a module may be half imported: Python can crash as it ends
    except Exception as error:
        if chosen.get("traceback"):
            echo("".join(format_exception(error)), err=True)
        _report(error)


def _report(error: Exception) -> None:
    """Print an error as one line, and exit with its status; raise it if it is none of the user or the machine."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        echo(error.format_message())
    elif isinstance(error, click.UsageError):
        where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        _fail(f"{_usage(error)}{where}", BAD_INPUT)
    elif isinstance(error, errors.InvalidValueError):
        _fail(str(error), BAD_INPUT)
    elif isinstance(error, BrokenPipeError):  # the reader of the output has closed it
        if sys.stderr is not None:
            sys.stderr.close()
        sys.exit(RUN_FAILED)
    elif isinstance(error, errors.CancelledRunError):
        _fail(str(error), exit_status())
    elif isinstance(error, errors.BrickphysError):
        _fail(str(error), RUN_FAILED)
    elif errors.is_short_of_memory(error):
        _fail(f"memory is short: {errors.in_words(error)}", RUN_FAILED)
    elif isinstance(error, OSError):
        _fail(errors.system_fault(error), RUN_FAILED)
    elif told := _own_fault(error):
        _fail(f"{told}; the whole traceback: brickphys --traceback COMMAND ...", RUN_FAILED)
    else:
        raise error


def _own_fault(error: Exception) -> str:
    """Return an error in one line, if code of somebody else raised it."""
    from brickphys.rules.registry import own_fault

    return own_fault(error)


def _check_memory() -> None:
    """Raise ShortOfMemoryError under a limit of memory with which libraries crash or hang instead of saying so."""
    try:
        import resource
    except ImportError:  # no such limits here
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < _LEAST_MEMORY:
        raise errors.ShortOfMemoryError(
            f"memory is short: it is limited to {limit / 2**20:.0f} MiB (ulimit -v); "
            f"at least {_LEAST_MEMORY / 2**20:.0f} MiB are needed"
        )


def _usage(error: click.UsageError) -> str:
    """Return the message on a wrong command line."""
    if not isinstance(error, click.NoSuchOption):
        return error.format_message()
    if re.fullmatch(r"-\d", error.option_name):  # a word that begins like an option
        word = next(word for word in sys.argv if word.startswith(error.option_name))
        return f"{word} is not an option; a number of bricks or the like cannot be negative"
    if error.option_name == "--traceback":
        return f"{error.option_name} stands before the command: brickphys --traceback COMMAND ..."
    name, near = error.option_name.lstrip("-"), [o.lstrip("-") for o in error.possibilities or ()]
    meant = _ALSO_CALLED.get(name)
    if error.ctx is None or f"--{meant}" not in _options(error.ctx):
        meant = nearest(name, near)
    return error.message + (f" Did you mean --{meant}?" if meant else "")


def _options(ctx: click.Context) -> set[str]:
    """Return the options of a command."""
    return {option for parameter in ctx.command.params for option in parameter.opts}


def _fail(message: str, status: int) -> None:
    _print_error(message)
    sys.exit(status)


def _print_error(message: str) -> None:
    line = _FOR_PYTHON.sub("", " ".join(message.split()))
    echo(f"brickphys: {line}", err=True)


SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example:
      brickphys completion bash >> ~/.bashrc
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    if script is None:  # click knows all of SHELLS
        raise click.BadParameter(f"no completion for {shell}")
    click.echo(script(cli, {}, "brickphys", "_BRICKPHYS_COMPLETE").source())
