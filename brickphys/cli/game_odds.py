"""Game odds: the exact odds of the rolls that a game offers, as commands made from their functions."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.options import (
    OutputOptions,
    chance_option,
    is_name,
    is_unit_file,
    law_choice,
    law_option,
    output_options,
    unit_name,
)
from brickphys.cli.shared.output import CommandGroup, echo, echo_text
from brickphys.errors import InvalidValueError, unknown
from brickphys.interface import drawer
from brickphys.odds.comparison import Roll
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import chance_in_hand, chance_words, named_law, shortcomings
from brickphys.rules import registry
from brickphys.rules.registry import is_own_class
from brickphys.rules.report.parts import OddsField, OddsReport, OddsTable, odds_fields, takes_law
from brickphys.text import nearest, percent, percent_range, shown

_ATTACK = "attack"
"""The roll that two units stand for."""


def game_words(words: Sequence[str]) -> list[str]:
    """Return the words of a game's odds, of which the first is the game, and the second one of its rolls.

    Two units stand for the attack of the one on the other in the game that has them. InvalidValueError if they are
    units of no game, or of several, or nearly the names of units.
    """
    if words[0] in registry.games():
        is_unit = len(words) > 2 and (
            is_unit_file(words[1]) or unit_name(words[1]) in registry.units(words[0])
        )
        return [words[0], _ATTACK, *words[1:]] if is_unit else list(words)
    if is_own_class(words[0]):
        return list(words)
    named = [unit_name(word) for word in words[:2] if is_name(word)]
    known = {game: registry.units(game) for game in registry.games()}
    if any(map(is_unit_file, named)):
        return [_game_of_file(named, known), _ATTACK, *words]
    owners = [game for game, names in known.items() if names.issuperset(named)]
    if len(named) < 2:
        if owners:
            raise InvalidValueError(f"{words[0]} is a unit of {owners[0]}: name its target, too")
        return list(words)
    if len(owners) > 1:
        raise InvalidValueError(
            f"{' and '.join(named)}: {' and '.join(owners)} have such units; name the game: odds {owners[0]} attack ..."
        )
    if not owners:
        _check_units(named, known)
    return [owners[0], _ATTACK, *words] if owners else list(words)


def _game_of_file(named: Sequence[str], units: Mapping[str, Collection[str]]) -> str:
    """Return the game of two units of which one at least is in a file: the game that has the other one."""
    names = [name for name in named if not is_unit_file(name)]
    (file, *_) = (name for name in named if is_unit_file(name))
    if len(named) < 2:
        raise InvalidValueError(f"{file} is a file of units: name the target of its unit, too")
    owners = [game for game, known in units.items() if known and set(names) <= set(known)]
    if not owners:
        meant = nearest(names[0], {name for known in units.values() for name in known})
        hint = f"did you mean {meant!r}?" if meant else f"write a unit of a file as {file},NAME"
        raise InvalidValueError(f"unknown unit {shown(names[0])}: {hint}")
    if len(owners) > 1:
        raise InvalidValueError(
            f"{' and '.join(named)}: name the game, {', '.join(owners)}: odds GAME ..."
        )
    return owners[0]


def _check_units(named: Sequence[str], units: Mapping[str, Collection[str]]) -> None:
    """Raise InvalidValueError if two words that no game has are nearly units of a game, or one of them is one."""
    for game, known in units.items():
        meant = [name if name in known else nearest(name, known) for name in named]
        if None not in meant:
            wrong = next(name for name in named if name not in known)
            pair = " ".join(map(str, meant))
            raise InvalidValueError(
                f"unknown unit {shown(wrong)}: did you mean {pair!r} of {game}?"
            )
    of = {name: [game for game, known in units.items() if name in known] for name in named}
    one, other = named
    if of[one] and of[other]:
        raise InvalidValueError(
            f"{one} is a unit of {' and '.join(of[one])}, {other} of {' and '.join(of[other])}: "
            "attacker and target must be units of one game"
        )
    for name, games in of.items():
        if games:
            wrong = other if name == one else one
            raise unknown(f"unit of {games[0]}", wrong, sorted(units[games[0]]))


def game_odds(game_name: str) -> click.Group:
    """Return the commands of a game's odds; InvalidValueError if there is no such game, or it has none."""
    group = CommandGroup(game_name, help=f"Exact odds of {game_name}, by the rules of the game.")
    for name, tell in registry.game(game_name).odds_tables().items():
        group.add_command(_command(game_name, name, tell))
    return group


def _command(game_name: str, name: str, tell: Callable[..., OddsReport]) -> click.Command:
    """Return the command of a function; its parameters become arguments and options."""
    has_law = takes_law(tell)

    @output_options("Draw the odds")
    def callback(
        out: OutputOptions,
        chance: Fraction | None = None,
        law_file: Path | None = None,
        **values: Any,
    ) -> None:
        out.check({"--law": law_file})
        options, words = dict(values), ""
        if has_law:
            law, words = named_law(law_choice(chance, law_file))
            values["law"], in_hand = law, float(chance_in_hand(law))
            options.update(law=words, p=float(law.p), p_in_hand=in_hand)
        report = tell(**values)
        document = partial(_document, game_name, name, options, report)
        out.write(
            "game-odds",
            document,
            partial(_print, report, values.get("law"), words),
            lambda: drawer("odds:odds_report_figure")(report),
        )

    if has_law:
        callback = chance_option(law_option(callback))
    return click.command(name, help=inspect.getdoc(tell))(_with_parameters(tell, callback))


def asked_odds(words: Sequence[str]) -> Roll:
    """Return the chances of the roll of a game that two words or more ask for, as after ``odds``.

    Those of a roll of bricks are a function of the law. Raises InvalidValueError if there is no such game or roll;
    click.UsageError if its arguments or options are wrong.
    """
    from brickphys.rules.setup import lookup

    game_name, name, *values = game_words(words)
    tell = lookup(f"roll of {game_name}", name, registry.game(game_name).odds_tables())
    asked: Roll = _parser(name, tell).main(values, prog_name=name, standalone_mode=False)
    return asked


def _parser(name: str, tell: Callable[..., OddsReport]) -> click.Command:
    """Return the command that reads the parameters of a function, and returns the chances; see `asked_odds`."""
    has_law = takes_law(tell)

    def callback(**values: Any) -> Roll:
        if has_law:
            return lambda law: tell(law=law, **values).compared
        return tell(**values).compared

    return click.command(name, add_help_option=False)(_with_parameters(tell, callback))


def _with_parameters(tell: Callable[..., OddsReport], callback: Any) -> Any:
    """Return a callback of a command with the parameters of a function, except for the law."""
    for field in reversed(odds_fields(tell)):
        callback = _parameter(field)(callback)
    return callback


def _parameter(field: OddsField) -> Callable[[Any], Any]:
    """Return the decorator that adds an argument, or an option if the parameter has a default."""
    kind: Any = click.Choice(field.choices) if field.choices else field.kind
    if field.is_needed:
        return click.argument(field.name, type=kind, metavar=field.name.upper())
    option = f"--{field.name.replace('_', '-')}"
    if field.kind is bool:
        return click.option(option, is_flag=True, default=field.default, help=field.about)
    return click.option(
        option,
        type=kind,
        default=field.default,
        multiple=field.is_many,
        help=field.about,
    )


def _document(
    game_name: str, name: str, options: dict[str, Any], report: OddsReport
) -> dict[str, Any]:
    return {"game": game_name, "odds": name, "options": options, **report.document()}


def _print(report: OddsReport, law: RollLaw | None, law_name: str) -> None:
    echo_text(report.title)
    if law is not None:
        echo(f"a brick scores in {chance_words(law)}, by {law_name}")
    if report.chances:
        echo()
        _print_chances(report, law)
    if report.table is not None:
        echo()
        _print_table(report.table)
    if report.laws:
        echo()
        _print_laws(report)
    if law is not None:
        for note in shortcomings(law, report.bricks):
            echo(f"\n{note}")


def _print_chances(report: OddsReport, law: RollLaw | None) -> None:
    """Print the chance of each event with its range and its interval, if they are known, and what these include."""
    meanings = {}
    if isinstance(law, Law):
        meanings = {"90 % range": law.range_meaning, "95 % interval": law.interval_meaning}
    doubts = {name: both[::-1] for name, both in report.doubts.items()}
    known = [n for n in range(len(meanings)) if any(both[n] for both in doubts.values())]
    rows = []
    for name, chance in report.chances.items():
        ends = [doubts[name][n] if name in doubts else None for n in known]
        ranges = ["" if one is None else percent_range(*one) for one in ends]
        rows.append((name, percent(float(chance)), *ranges))
    headings = [list(meanings)[n] for n in known]
    output.print_table(("event", "chance", *headings), rows)
    if headings:
        echo("\n" + "; ".join(f"{name}: {meanings[name]}" for name in headings))


def _print_table(table: OddsTable) -> None:
    rows = [
        (name, *(percent(float(chance)) for chance in row))
        for name, row in zip(table.rows, table.chances, strict=True)
    ]
    output.print_table(("", *(name.replace(",", "\n") for name in table.columns)), rows)


def _print_laws(report: OddsReport) -> None:
    numbers = sorted({number for law in report.laws.values() for number in law})
    lines = [
        (str(number), *(_share(law.get(number)) for law in report.laws.values()))
        for number in numbers
    ]
    means = ("mean", *(f"{float(law.mean()):.2f}" for law in report.laws.values()))
    output.print_table(("", *report.laws), [*lines, means])


def _share(chance: Fraction | None) -> str:
    return "" if chance is None else percent(float(chance))
