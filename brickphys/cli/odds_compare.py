"""Odds compare: several attacks side by side, by bricks or by the rules of a game."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo, echo_text
from brickphys.errors import InvalidValueError, naming
from brickphys.odds import comparison
from brickphys.odds.answer import bricks_title
from brickphys.odds.comparison import compare as compared
from brickphys.odds.distribution import Distribution
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import chance_words, named_law, shortcomings, stops
from brickphys.text import cut, percent, percent_range, shown, signed

_LONGEST = 200
"""Letters of a fault of an attack."""
_DIGITS = {True: 1, False: 2}
"""Digits behind the point of a chance in percent, and of a mean."""
_MORE_DIGITS = 4
_RARE = 0.0005
"""Values of a number that are less likely together are printed as one row."""


@click.command()
@click.argument("attacks", nargs=-1, required=True, metavar="ATTACK ATTACK...")
@options.chance_option
@options.law_option
@options.output_options("Draw the attacks side by side")
def compare(
    attacks: tuple[str, ...],
    chance: Fraction | None,
    law_file: Path | None,
    out: options.OutputOptions,
) -> None:
    """Compare two to six attacks by the same law.

    Write each ATTACK in quotes, as after `brickphys odds`: "3 2", "4 3 --hp 2 --attacks 2", "archer knight --cover",
    "minifig attack soldier,sword peasant".

    Success in the turn: at least one of its attacks succeeds. The damage is that of the whole turn, too. The 90 % range
    of a difference covers nine in ten tables, bricks and hands of the law's kind, if these vary as assumed, with the
    same in both attacks.

    \b
    Examples:
      brickphys odds compare "4 3" "3 2 --attacks 2"
      brickphys odds compare "archer knight --range 10" "archer knight --range 20" --plot far.png
      brickphys odds compare "knight archer" "knight jedi" "knight wizard" --law glass

    \b
    JSON: law, p and p_in_hand (of one brick, and of one of several; all null without bricks),
      p_range90 (null if not measured), attacks (words,
      title, events and numbers with exact fractions, expected), differences (each from the first
      attack: quantity, attack, more, exact, range90), verdict (quantity, attack, over, more, exact,
      range90, sure; attack is null if the first two are equal)
    """
    out.check({"--law": law_file})
    law, name = named_law(options.law_choice(chance, law_file))
    found = compared([_asked(text) for text in attacks], law, name)
    out.write("comparison", partial(_document, found, attacks), partial(_print, found), found.plot)


@click.command(add_help_option=False)
@click.argument("attack", type=int)
@click.argument("defence", type=int)
@click.option("--hp", type=int)
@click.option("--attacks", default=1)
def _bricks(
    attack: int, defence: int, hp: int | None, attacks: int
) -> Callable[[RollLaw], comparison.Chances]:
    """Return the chances of an attack by its numbers of bricks, as a function of the law."""
    title = bricks_title(attack, defence, hp, attacks)
    return lambda law: comparison.turn_chances(
        title, (attack, defence), law, health=hp, attacks=attacks
    )


def _asked(text: str) -> comparison.Roll:
    """Return the chances of an attack in words, or a function of the law; its errors name the words."""
    with _told(text):
        roll = _read(text)
    if isinstance(roll, comparison.Chances):
        return roll

    def chances(law: RollLaw) -> comparison.Chances:
        with _told(text):
            return roll(law)

    return chances


def _read(text: str) -> comparison.Roll:
    try:
        words = shlex.split(text)
    except ValueError:
        raise InvalidValueError("a quote is not closed") from None
    if len(words) < 2:
        raise InvalidValueError('an attack is several words in quotes, such as "3 2"')
    if options.is_name(words[0]):
        from brickphys.cli.game_odds import asked_odds

        return asked_odds(words)
    roll: comparison.Roll = _bricks.main(words, prog_name="odds", standalone_mode=False)
    return roll


@contextmanager
def _told(text: str) -> Iterator[None]:
    """Name an attack in front of what is wrong with it."""
    with naming(shown(text)):
        try:
            yield
        except click.UsageError as error:
            raise InvalidValueError(cut(error.format_message(), _LONGEST)) from None


def _document(found: comparison.Comparison, words: Sequence[str]) -> dict[str, Any]:
    document = found.document()
    attacks = zip(words, document["attacks"], strict=True)
    return {**document, "attacks": [{"words": text, **one} for text, one in attacks]}


def _print(found: comparison.Comparison) -> None:
    for number, one in enumerate(found.attacks, start=1):
        echo_text(f"{number}  {one.title}")
    for line in _law_lines(found.law, found.law_name):
        echo(line)
    echo()
    _print_quantities(found)
    for name in found.numbers:
        echo()
        _print_number(found, name)
    echo()
    for line in _verdict(found):
        echo(line)
    if found.law is not None:
        for note in shortcomings(
            found.law, {count for one in found.attacks for count in one.bricks}
        ):
            echo(f"\n{note}")


def _law_lines(law: RollLaw | None, name: str) -> Iterator[str]:
    """Yield the chance of a brick and its 90 % range; nothing if no bricks are thrown."""
    if law is None:
        return
    yield f"a brick stops {stops(law)} in {chance_words(law)}, by {name}"
    if isinstance(law, Law):
        known = "not measured with this law"
        if law.p_range90 is not None:
            known = f"{percent_range(*law.p_range90)}: {law.range_meaning}"
        yield f"90 % range of a brick {known}"


def _print_quantities(found: comparison.Comparison) -> None:
    others, is_known = range(1, len(found.attacks)), bool(found.moved[0])
    columns = ["", *(str(n + 1) for n in range(len(found.attacks)))]
    for n in others:
        columns += [f"{n + 1} minus 1", *["90 % range"] * is_known]
    rows = []
    for name in found.quantities:
        is_event, values = found.is_event(name), [one.quantities.get(name) for one in found.attacks]
        digits = _digits(values, is_event)
        row = [
            name,
            *("" if value is None else _value(value, is_event, digits) for value in values),
        ]
        for n in others:
            row += _difference_cells(found.difference(name, n, 0), is_event, is_known, digits)
        rows.append(row)
    output.print_table(columns, rows)
    echo(
        "\na difference below 0: less than attack 1; differences of chances are in percentage points"
    )


def _digits(values: Sequence[Fraction | None], is_event: bool) -> int:
    """Return with how many digits the differences from the first value are those of the values as they are written."""
    scaled = [(100 if is_event else 1) * value for value in values if value is not None]
    usual = _DIGITS[is_event]

    def adds_up(digits: int) -> bool:
        return all(
            round(value, digits) - round(scaled[0], digits) == round(value - scaled[0], digits)
            for value in scaled[1:]
        )

    return next(filter(adds_up, range(usual, usual + _MORE_DIGITS)), usual)


def _value(value: Fraction, is_event: bool, digits: int) -> str:
    return percent(float(value), digits) if is_event else f"{float(value):.{digits}f}"


def _difference_cells(
    found: comparison.Difference | None, is_event: bool, is_known: bool, digits: int
) -> list[str]:
    if found is None:
        return ["", *[""] * is_known]
    cells = [_signed(float(found.exact), is_event, digits)]
    if found.range90 is not None:
        cells.append(" to ".join(_signed(end, is_event, digits) for end in found.range90))
    return cells


def _signed(value: float, is_event: bool, digits: int | None = None) -> str:
    """Write a difference: of chances in percentage points."""
    shown = _DIGITS[is_event] if digits is None else digits
    return signed(100 * value if is_event else value, shown)


def _print_number(found: comparison.Comparison, name: str) -> None:
    """Print the chance of each value of a number; the rare high ones are one row."""
    laws = [one.numbers.get(name) for one in found.attacks]
    values = sorted({value for law in laws if law for value in law})
    rare = [
        value for value in values if all(law is None or law.at_least(value) < _RARE for law in laws)
    ]
    shown = [value for value in values if len(rare) < 2 or value < rare[0]]
    rows = [[str(value), *(_share(law, value, "probability") for law in laws)] for value in shown]
    if len(shown) < len(values):
        last = f"{rare[0]} or more"
        rows.append([last, *(_share(law, rare[0], "at_least") for law in laws)])
    output.print_table((name, *(str(n + 1) for n in range(len(laws)))), rows)


def _share(law: Distribution | None, value: int, of: str) -> str:
    return "" if law is None else percent(float(getattr(law, of)(value)))


def _verdict(found: comparison.Comparison) -> Iterator[str]:
    """Yield which attack is ahead, and by how much; then the other quantities of a turn by which another one is."""
    yield _lead(found, found.first)
    ahead = found.ranking(found.first)[0]
    for name in (comparison.KILL, f"{comparison.EXPECTED} {comparison.DAMAGE}"):
        ranked = found.ranking(name)
        if len(ranked) == len(found.attacks) and ranked[0] != ahead:
            yield _lead(found, name)


def _lead(found: comparison.Comparison, quantity: str) -> str:
    """Return which attack has the most of a quantity, and how far it is ahead of the next one."""
    first, second, *_ = found.ranking(quantity)
    more = found.difference(quantity, first, second)
    assert more is not None  # both have it
    is_event = found.is_event(quantity)
    if not more.exact:
        return f"{quantity}: {first + 1} and {second + 1} are equal"
    by = _size(float(more.exact), is_event)
    text = f"{quantity}: {first + 1} is ahead of {second + 1} by {by}"
    if more.range90 is None:
        return text
    ends = " to ".join(_signed(end, is_event) for end in more.range90)
    if more.is_sure:
        return f"{text} (90 % range {ends})"
    return f"{text}, but not for every table and hand (90 % range {ends})"


def _size(value: float, is_event: bool) -> str:
    """Write a positive difference with its unit."""
    scale, digits, unit = (100, 1, " percentage points") if is_event else (1, 2, "")
    least = 10.0**-digits
    if scale * value < least / 2:
        return f"less than {least:g}{unit}"
    return f"{scale * value:.{digits}f}{unit}"
