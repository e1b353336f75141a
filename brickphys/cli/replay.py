"""Replay: a game that was written with `play --replay`, played back and checked."""

from pathlib import Path

import click

from brickphys.cli.shared import game_output, output
from brickphys.cli.shared.game_output import PictureOptions, picture_options, story_option
from brickphys.cli.shared.options import FILE, json_option, unused_seed_option


@click.command()
@click.argument("file", type=FILE)
@story_option
@picture_options
@unused_seed_option
@json_option
def replay(file: Path, story: bool, pictures: PictureOptions, as_json: bool) -> None:
    """Play the replay in FILE back, and check every line of it.

    A file that was cut or edited, or whose game now plays differently, is refused; the message has the
    number of the line.

    \b
    Examples:
      brickphys replay duel.jsonl --story
      brickphys replay duel.jsonl --animate duel.gif
    """
    from brickphys.rules import registry
    from brickphys.rules.replay.playback import play_back
    from brickphys.rules.replay.replay_file import read_replay

    output.check_apart({"FILE": file}, pictures.files)
    written = read_replay(file)
    game = registry.game(written.game)
    painter = pictures.painter(game)
    record = play_back(game, written, str(file))
    pictures.save(game, record, painter)
    if as_json:
        document = game_output.result_document(game, record)
        final = game.format_state(record.final)
        more = {"story": list(game.story(record))} if story else {}
        output.print_json(
            "replay", {"ok": True, **document, "law": written.law, "final": final, **more}
        )
        return
    if story:
        game_output.print_story(game, record)
    click.echo(
        f"ok: {len(record.steps)} steps play back as written; rolls from: {written.law}\n"
        f"{game_output.result_text(game, record)}"
    )
    views = {game.observe(record.final, player): player for player in range(len(written.players))}
    for view, player in views.items():
        if len(views) > 1:
            click.echo(f"\nas {game.player_name(record.final, player)} sees it:", nl=False)
        click.echo(f"\n{game.describe(view)}")
