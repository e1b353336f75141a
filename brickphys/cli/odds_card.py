"""Odds card: the success of all usual attacks by one law, as a card for the table."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.options import (
    FILE,
    chance_option,
    force_option,
    json_option,
    law_choice,
    law_option,
    refuse_law,
    unused_seed_option,
)
from brickphys.cli.shared.output import check_apart, check_plot, print_json, print_table, save_plot

if TYPE_CHECKING:
    from brickphys.odds.card import OddsCard


@click.command()
@click.argument("file", type=FILE)
@click.option("--game", "game_name", metavar="GAME", help="The game whose usual attacks it shows.")
@chance_option
@law_option
@click.option(
    "--paper",
    type=click.Choice(("a6", "index")),
    default="a6",
    show_default=True,
    help="Size: a6 (105 x 148 mm) or index (5 x 3 in).",
)
@force_option
@unused_seed_option
@json_option
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
    from brickphys.odds.card import odds_card
    from brickphys.odds.law_choice import named_law
    from brickphys.rules.registry import game

    check_plot(file, force=force, option="FILE")
    check_apart({"--law": law_file}, {"FILE": file})
    tell = odds_card if game_name is None else game(game_name).odds_card
    found = tell(*named_law(law_choice(chance, law_file)))
    if found.law is None:
        refuse_law(chance, law_file)
    if as_json:
        print_json("odds-card", {**found.document(), "paper": paper, "card": str(file)})
    else:
        _print(found)
    from brickphys.plots.paper.odds_card import odds_card_figure

    save_plot(odds_card_figure(found, paper), file, "card")


def _print(found: "OddsCard") -> None:
    words = found.words
    by = f", by {found.law_name}" if found.law_name else ""
    echo(f"{words.heading} In per cent{by}")
    echo(f"rows: {words.attacks}; columns: {words.defences}\n")
    rows = zip(map(str, found.attacks), found.cells(), strict=True)
    print_table(("", *map(str, found.defences)), [(name, *row) for name, row in rows])
    for note in found.notes:
        echo(f"\n{note}")
