"""Completion: scripts that complete commands, options and names in a shell."""

import click

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

    from brickphys.cli.main import cli

    script = get_completion_class(shell)
    if script is None:  # click knows all of SHELLS
        raise click.BadParameter(f"no completion for {shell}")
    click.echo(script(cli, {}, "brickphys", "_BRICKPHYS_COMPLETE").source())
