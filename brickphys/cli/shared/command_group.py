"""Command group: a group of commands that names the nearest command where an unknown one is typed."""

import click

from brickphys.cli.shared.echo import echo
from brickphys.errors import unknown


class CommandGroup(click.Group):
    """A group of commands; ``help`` shows its help, as ``--help`` does."""

    def meant(self, _name: str) -> str | None:
        """Return the command that is meant by a name that does not look like it; None if there is none."""
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is typed; InvalidValueError names the nearest one if there is none."""
        known = self.list_commands(ctx)
        if args and args[0] == "help":
            echo(ctx.get_help())
            ctx.exit()
        if args and args[0] not in known and not args[0].startswith("-"):
            raise unknown("command", args[0], known, self.meant(args[0]))
        return super().resolve_command(ctx, args)
