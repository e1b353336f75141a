"""Odds: the exact odds of an attack against a defence, and the success of all usual attacks as a card for the table."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import brickphys
from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.answer import odds_card
from brickphys.odds.law_choice import named_law
from brickphys.odds.opposed import success_table
from brickphys.text import nearest, percent

if TYPE_CHECKING:
    pass

MORE = {"card": "odds", "compare": "odds_compare"}
"""Words that may come first instead of numbers -> the modules of their commands."""


UNIT_OPTIONS = (
    ("--range NUMBER", "Distance between them, in the unit of the game; then only shots count."),
    ("--cover", "The target of a shot has cover."),
    ("--weapon NAME", "Weapon of the attacker (BOW)."),
    ("--help", "After two units: print all options of their game."),
)
"""Options of two units in place of numbers, with their help; a game may have more."""


def command_below(name: str) -> click.Command:
    """Return the command of a name in `MORE`."""
    command: click.Command = getattr(import_module(f"brickphys.cli.{MORE[name]}"), name)
    return command


class _OddsCommand(click.Command):
    """The odds of bricks; of a game, if its name or two of its units come first; or a command of `MORE`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of bricks, then those of two units."""
        super().format_options(ctx, formatter)
        with formatter.section("Options with two units of a game"):
            formatter.write_dl(UNIT_OPTIONS)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if args and args[0] in MORE:
            command = command_below(args[0])
            return command.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        if args and options.is_name(args[0]):
            from brickphys.cli.game_odds import game_odds, game_words

            game, *rest = game_words(args)
            try:
                group = game_odds(game)
            except InvalidValueError:
                if nearest(game, MORE):
                    raise unknown("odds", game, MORE) from None
                raise
            return group.make_context(f"{info_name} {game}", rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=_OddsCommand)
@click.argument("attack", type=int)
@click.argument("defence", type=int)
@options.chance_option
@options.law_option
@click.option("--hp", "health", type=int, help="Health of the target; adds the chance to kill it.")
@click.option("--attacks", default=1, help="Attacks in one turn, with --hp.")
@click.option(
    "--table",
    is_flag=True,
    help="Print the chance of success of all attacks up to these numbers of bricks.",
)
@options.output_options("Draw all attacks against all defences")
def odds(
    chance: Fraction | None,
    law_file: Path | None,
    table: bool,
    out: options.OutputOptions,
    **how: Any,
) -> None:
    """Compute the exact odds of ATTACK bricks against DEFENCE bricks, or of one unit against another.

    The attack succeeds if more of its bricks than of the defence stop on a side. The difference is the damage (BOW
    2.4). For the odds by the sheets of a game, name two of its units in place of the numbers. In BOW, a file of sheets
    is a unit, too: `odds mine.toml trooper`.

    The 90 % range covers nine in ten tables of the law's kind, bricks and hands, if these vary as assumed; for a
    measured law, its own table and hand. The nominal is the chance to play with. The 95 % interval is the error by the
    throws and the engine's steps; for a measured law, it is that of all uncertainties. A brick thrown with others may
    have a different chance than a single brick; the odds use the chance with others.

    Games may have odds of their own; `brickphys odds GAME` lists them. `brickphys odds compare` shows attacks side by
    side, and `brickphys odds card` draws a card for the table; each has its own --help.

    \b
    Examples:
      brickphys odds 3 2
      brickphys odds 6 4 --table
      brickphys odds archer knight --range 20 --cover
      brickphys odds compare "4 3" "knight archer"
      brickphys odds card card.pdf --law mine.json
      brickphys odds pirate_wars
      brickphys odds 4 3 --hp 3 --attacks 2
      brickphys odds 3 2 --p 1/4

    \b
    JSON: attack, defence, law, p (of one brick), p_in_hand (of one of several), engines (who threw),
      outside_200 (how often the share of 200 throws leaves the 90 % range by counting alone),
      success, success_exact (a fraction), success_range90 (lowest and highest while p moves over
      its 90 % range; null if not measured), success_ci95 (by the throws and the engine's steps;
      by all uncertainties for a measured law), damage, expected_damage, hp, attacks, kill,
      extrapolated, law_complete (null for a stated chance), law_contradiction (which data behind
      the law contradict each other; empty if none), table (with --table: a row for each attack
      from 0, in it the success against each defence from 0)
    """
    attacks = how["attacks"]
    if attacks != 1 and how["health"] is None:
        one = f"{how['attack']} {how['defence']}"
        raise InvalidValueError(
            "--attacks needs --hp, the health of the target; for the success and damage of a turn: "
            f'brickphys odds compare "{one}" "{one} --attacks {attacks}"'
        )
    out.check({"--law": law_file})
    answer = brickphys.odds(law=options.law_choice(chance, law_file), **how)
    if not table:
        out.show("odds", answer)
        return

    rows = success_table(answer.attack, answer.defence, answer.law)
    out.write(
        "odds",
        lambda: {**answer.document(), "table": [[float(one) for one in row] for row in rows]},
        partial(_print_table, rows, answer.law_name),
        answer.plot,
    )


def _print_table(table: Sequence[Sequence[Fraction]], law_name: str) -> None:
    """Print ``table[attack][defence]``, both from 0, in per cent, without the row of attack 0."""
    echo(f"success of an attack in per cent, by {law_name}")
    echo("rows: bricks of the attack; columns: bricks of the defence\n")
    columns = ("", *map(str, range(len(table[0]))))
    rows = [
        (str(attack), *(percent(float(chance)).removesuffix(" %") for chance in row))
        for attack, row in enumerate(table)
        if attack
    ]
    output.print_table(columns, rows)


@click.command()
@click.argument("file", type=options.FILE)
@click.option("--game", "game_name", metavar="GAME", help="The game whose usual attacks it shows.")
@options.chance_option
@options.law_option
@click.option(
    "--paper",
    type=click.Choice(("a6", "index")),
    default="a6",
    help="Size: a6 (105 x 148 mm) or index (5 x 3 in).",
)
@options.force_option
@options.json_options
def card(
    file: Path,
    game_name: str | None,
    chance: Fraction | None,
    law_file: Path | None,
    paper: str,
    force: bool,
    as_json: bool,
) -> None:
    """Draw a card of odds for the table to FILE (.svg, .pdf or .png), in true size.

    The card has the chance of success and the expected damage of 1 to 8 bricks against 0 to 6 (an index card only the
    chance). It names the law, its surface and the 90 % range of a brick. Print it at 100 % ("actual size").

    With --game it shows the usual attacks of that game: for minifig whether the defender is eliminated, for pirate_wars
    the hits of cannons, for blade_and_bow the dice of a melee.

    \b
    Examples:
      brickphys odds card card.pdf
      brickphys odds card mine.svg --law mine.json --paper index
      brickphys odds card pirates.pdf --game pirate_wars

    \b
    JSON: law, p and p_in_hand (of one brick, and of one of several; all null without bricks),
      p_range90 (null if not measured), about (the
      question), attacks, defences (the names of the columns), success and expected_damage (a row
      for each attack, in it a value for each column; expected_damage is null if the card has
      none), widest_range90 (by how much the 90 % range moves a chance of the card at most, as a
      share), paper, card (the file)
    """
    from brickphys.rules.registry import game

    output.check_plot(file, force=force, option="FILE")
    output.check_apart({"--law": law_file}, {"FILE": file})
    tell = odds_card if game_name is None else game(game_name).odds_card
    found = tell(*named_law(options.law_choice(chance, law_file)))
    if found.law is None:
        options.refuse_law(chance, law_file)
    if as_json:
        output.print_json("odds-card", {**found.document(), "paper": paper, "card": str(file)})
    else:
        echo(found.text())
    from brickphys.plots.paper import odds_card_figure

    output.save_plot(odds_card_figure(found, paper), file, "card")
