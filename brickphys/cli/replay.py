"""Replay: a game that was written with `play --replay`, played back and checked."""

from pathlib import Path

import click

from brickphys.battles.result import result_document, result_text
from brickphys.cli.shared import game_output, output
from brickphys.cli.shared.echo import echo
from brickphys.cli.shared.game_output import PictureOptions, picture_options, story_option
from brickphys.cli.shared.options import FILE, json_option, unused_seed_option


@click.command()
@click.argument("file", type=FILE)
@story_option
@picture_options
@click.option(
    "--viewer",
    metavar="PLAYER",
    help="Tell, draw and film the game as this player may know it, by name.",
)
@unused_seed_option
@json_option
def replay(
    file: Path, story: bool, pictures: PictureOptions, viewer: str | None, as_json: bool
) -> None:
    """Play the replay in FILE back, and check every line of it.

    A file that was cut or edited, or whose game now plays differently, is refused; the message has the
    number of the line.

    \b
    Examples:
      brickphys replay duel.jsonl --story
      brickphys replay duel.jsonl --animate duel.gif
      brickphys replay marathon.jsonl --story --plot marathon.png --viewer persians
    """
    from brickphys.rules import registry
    from brickphys.rules.replay.playback import play_back
    from brickphys.rules.replay.replay_file import read_replay

    output.check_apart({"FILE": file}, pictures.files)
    written = read_replay(file)
    game = registry.game(written.game)
    painter = pictures.painter(game)
    record = play_back(game, written, str(file))
    names = [game.player_name(record.final, player) for player in range(len(written.players))]
    number = None if viewer is None else _number(viewer, names)
    pictures.save(game, record, painter, number)
    if as_json:
        document = result_document(game, record)
        final = game.format_state(record.final)
        if number is not None:
            final = game.format_view(game.observe(record.final, number))
        more = {"story": list(game.story(record, number))} if story else {}
        output.print_json(
            "replay", {"ok": True, **document, "law": written.law, "final": final, **more}
        )
        return
    if story:
        game_output.print_story(game, record, number)
    echo(
        f"ok: {len(record.steps)} steps play back as written; rolls from: {written.law}\n"
        f"{result_text(game, record)}"
    )
    viewers = range(len(names)) if number is None else (number,)
    views = {game.observe(record.final, player): player for player in viewers}
    for view, player in views.items():
        if len(views) > 1:
            echo(f"\nas {names[player]} sees it:", nl=False)
        echo(f"\n{game.describe(view)}")


def _number(viewer: str, names: list[str]) -> int:
    """Return the number of the player of a name; InvalidValueError if there is none."""
    from brickphys.errors import unknown

    if viewer not in names:
        raise unknown("player for --viewer", viewer, names)
    return names.index(viewer)
