"""Secrecy checks: that no player learns what the rules hide from him."""

from collections.abc import Iterator

from brickphys.rules.checks.state_checks import Fault, Scene
from brickphys.rules.record import OVER


def secrecy_check(scene: Scene) -> Iterator[Fault]:
    """Two states that differ only in what a player may not know look the same to him, and let him do the same."""
    game, state = scene.game, scene.state
    for player in range(game.players(state)):
        other = game.alternative(state, player, scene.rng)
        if game.observe(other, player) != game.observe(state, player):
            yield Fault(
                "something hidden leaks",
                f"player {player} sees that it is not {_text(scene, other)}",
            )
        yield from _same_for(player, scene, other, "alternative")
        if not game.hidden(state) and other != state:
            yield Fault("a state without secrets has alternatives", _text(scene, other))


def imagination_check(scene: Scene) -> Iterator[Fault]:
    """Whatever a bot imagines from a view has that very view."""
    game, state = scene.game, scene.state
    if scene.actor == OVER:
        return
    for player in range(game.players(state)):
        view = game.observe(state, player)
        world = game.imagine(view, scene.rng)
        if game.observe(world, player) != view:
            yield Fault(
                "imagine makes a state of another view",
                f"for player {player}: {_text(scene, world)}",
            )
        yield from _same_for(player, scene, world, "imagine")


def varies(scene: Scene) -> bool:
    """Whether anything is hidden from anybody in this state."""
    players = range(scene.game.players(scene.state))
    return any(
        scene.game.alternative(scene.state, player, scene.rng) != scene.state for player in players
    )


def _same_for(player: int, scene: Scene, other: object, hook: str) -> Iterator[Fault]:
    """Yield where another state, that looks the same to a player, has another actor or other actions for him."""
    game, state = scene.game, scene.state
    if game.actor(other) != scene.actor:
        yield Fault(f"{hook} makes a state of another actor", _text(scene, other))
    elif scene.actor == player and list(game.actions(other)) != list(game.actions(state)):
        yield Fault(
            "the list of actions leaks",
            f"player {player} could not do the same in {_text(scene, other)}",
        )


def _text(scene: Scene, state: object) -> str:
    return repr(scene.game.format_state(state))
