"""Game odds: the exact odds of the rolls that a game offers, as commands made from their functions."""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.command_group import CommandGroup
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import chance_option, law_choice, law_option
from brickphys.cli.shared.output_options import OutputOptions, output_options
from brickphys.errors import InvalidValueError
from brickphys.text import percent, percent_range

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure

    from brickphys.odds.comparison import Roll
    from brickphys.rules.report.odds_report import OddsReport, OddsTable

_DOUBTS = "95 % interval", "90 % range"
"""Headings of the doubts of a report."""


def game_words(words: Sequence[str]) -> list[str]:
    """Return the words of a game's odds, of which the first is the game.

    Two names of sheets stand for the attack of the one on the other in the game that has them.

    Raises
    ------
    InvalidValueError
        If no game has them, or several do.
    """
    from brickphys.rules.registry import games, games_with

    names = [word for word in words[:2] if word.isidentifier()]
    if words[0] in games() or len(names) < 2:
        return list(words)
    owners = games_with(names)
    if len(owners) > 1:
        raise InvalidValueError(
            f"{' and '.join(names)}: {' and '.join(owners)} have them; say which: odds {owners[0]} attack ..."
        )
    return [owners[0], "attack", *words] if owners else list(words)


def game_odds(game_name: str) -> click.Group:
    """Return the commands of a game's odds; InvalidValueError if there is no such game, or it has none."""
    from brickphys.rules.registry import game

    group = CommandGroup(game_name, help=f"Exact odds of {game_name}, by the rules of the game.")
    for name, tell in game(game_name).odds_tables().items():
        group.add_command(_command(game_name, name, tell))
    return group


def _command(game_name: str, name: str, tell: "Callable[..., OddsReport]") -> click.Command:
    """Return the command of a function; its parameters become arguments and options."""
    from brickphys.odds.law import RollLaw

    hints = get_type_hints(tell, include_extras=True)
    takes_law = hints.get("law") is RollLaw

    @output_options("Draw the odds")
    def callback(
        out: OutputOptions,
        chance: "Fraction | None" = None,
        law_file: Path | None = None,
        **values: Any,
    ) -> None:
        out.check({"--law": law_file})
        options = dict(values)
        if takes_law:
            from brickphys.odds.law_choice import named_law

            values["law"], words = named_law(law_choice(chance, law_file))
            options.update(law=words, p=float(values["law"].p))
        report = tell(**values)
        document = partial(_document, game_name, name, options, report)
        out.write("game-odds", document, partial(_print, report, options), partial(_figure, report))

    if takes_law:
        callback = chance_option(law_option(callback))
    return click.command(name, help=inspect.getdoc(tell))(_with_parameters(tell, callback))


def asked_odds(words: Sequence[str]) -> "Roll":
    """Return the chances of the roll of a game that two words or more ask for, as after ``odds``.

    Those of a roll of bricks are a function of the law.

    Raises
    ------
    InvalidValueError
        If there is no such game or roll.
    click.UsageError
        If its arguments or options are wrong.
    """
    from brickphys.rules.catalogue import lookup
    from brickphys.rules.registry import game

    game_name, name, *values = game_words(words)
    tell = lookup(f"roll of {game_name}", name, game(game_name).odds_tables())
    asked: Roll = _parser(name, tell).main(values, prog_name=name, standalone_mode=False)
    return asked


def _parser(name: str, tell: "Callable[..., OddsReport]") -> click.Command:
    """Return the command that reads the parameters of a function, and returns the chances; see `asked_odds`."""
    from brickphys.odds.law import RollLaw

    takes_law = get_type_hints(tell, include_extras=True).get("law") is RollLaw

    def callback(**values: Any) -> "Roll":
        if takes_law:
            return lambda law: tell(law=law, **values).compared
        return tell(**values).compared

    return click.command(name, add_help_option=False)(_with_parameters(tell, callback))


def _with_parameters(tell: "Callable[..., OddsReport]", callback: Any) -> Any:
    """Return a callback of a command with the parameters of a function, except for the law."""
    from brickphys.odds.law import RollLaw

    hints = get_type_hints(tell, include_extras=True)
    for parameter in reversed(list(inspect.signature(tell).parameters.values())):
        if hints[parameter.name] is not RollLaw:
            callback = _parameter(parameter, hints[parameter.name])(callback)
    return callback


def _parameter(parameter: inspect.Parameter, hint: Any) -> Callable[[Any], Any]:
    """Return the decorator that adds an argument, or an option if the parameter has a default."""
    kind, text = get_args(hint)
    if parameter.default is inspect.Parameter.empty:
        return click.argument(parameter.name, type=kind, metavar=parameter.name.upper())
    option, default = f"--{parameter.name.replace('_', '-')}", parameter.default
    if kind is bool:
        return click.option(option, is_flag=True, default=default, help=text)
    is_literal = get_origin(kind) is Literal
    single = kind if is_literal or not get_args(kind) else get_args(kind)[0]
    choices = get_args(single)
    return click.option(
        option,
        type=click.Choice(choices) if choices else single,
        default=default,
        multiple=get_origin(kind) is tuple,
        show_default=default is not None,
        help=text,
    )


def _document(
    game_name: str, name: str, options: dict[str, Any], report: "OddsReport"
) -> dict[str, Any]:
    return {"game": game_name, "odds": name, "options": options, **report.document()}


def _print(report: "OddsReport", options: dict[str, Any]) -> None:
    echo(report.title)
    if "law" in options:
        echo(f"a brick scores in {percent(options['p'])}, by {options['law']}")
    if report.chances:
        echo()
        _print_chances(report)
    if report.table is not None:
        echo()
        _print_table(report.table)
    if report.laws:
        echo()
        _print_laws(report)


def _print_chances(report: "OddsReport") -> None:
    known = [n for n in range(len(_DOUBTS)) if any(both[n] for both in report.doubts.values())]
    rows = []
    for name, chance in report.chances.items():
        doubts = report.doubts.get(name, (None,) * len(_DOUBTS))
        ranges = ["" if (ends := doubts[n]) is None else percent_range(*ends) for n in known]
        rows.append((name, percent(float(chance)), *ranges))
    output.print_table(("event", "chance", *(_DOUBTS[n] for n in known)), rows)


def _print_table(table: "OddsTable") -> None:
    rows = [
        (name, *(percent(float(chance)) for chance in row))
        for name, row in zip(table.rows, table.chances, strict=True)
    ]
    output.print_table(("", *(name.replace(",", "\n") for name in table.columns)), rows)


def _print_laws(report: "OddsReport") -> None:
    numbers = sorted({number for law in report.laws.values() for number in law})
    lines = [
        (str(number), *(_share(law.get(number)) for law in report.laws.values()))
        for number in numbers
    ]
    means = ("mean", *(f"{float(law.mean()):.2f}" for law in report.laws.values()))
    output.print_table(("", *report.laws), [*lines, means])


def _share(chance: "Fraction | None") -> str:
    return "" if chance is None else percent(float(chance))


def _figure(report: "OddsReport") -> "Figure":
    from brickphys.plots.odds_report import odds_report_figure

    return odds_report_figure(report)
