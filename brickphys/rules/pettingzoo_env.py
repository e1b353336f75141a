"""PettingZoo environment: any game as an AEC environment (Terry et al., NeurIPS 2021); needs the extra `pettingzoo`.

Action k is the k-th action that the game lists for the player who is to act, and the mask says how many there are. What
a player sees is encoded as numbers: its text, unless a better encoder is given. The sizes of both come from the game's
own bounds for the setup. Chance moves by itself, from the seed of `reset`. The only reward is the return, at the end.
"""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError, needing
from brickphys.odds.law import RollLaw
from brickphys.rules.events.sources import EventSource, LawSource
from brickphys.rules.game import AnyGame
from brickphys.rules.moves import advance
from brickphys.rules.record import CHANCE, OVER, Setup
from brickphys.seeds import fresh_root

with needing("pettingzoo", "PettingZoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

MAX_STEPS = 10_000


class ViewEncoder(Protocol):
    """Turns views into arrays of one shape."""

    @property
    def space(self) -> Any:
        """The `gymnasium.spaces.Box` that holds every such array."""
        ...

    def encode(self, view: Any) -> npt.NDArray[Any]:
        """Return the array of one view."""
        ...


class TextEncoder:
    """Encodes a view as the bytes of its text, with zeros behind it.

    Parameters
    ----------
    game
        Writes the text.
    length
        Bytes of the longest text; see `Game.most_text`.
    """

    def __init__(self, game: AnyGame, length: int) -> None:
        self._game = game
        self._length = length
        self.space = spaces.Box(0, 255, (length,), np.uint8)

    def encode(self, view: Any) -> npt.NDArray[np.uint8]:
        """Return the bytes, shape (length,).

        Raises
        ------
        InvalidValueError
            If the text is longer.
        """
        text = self._game.format_view(view).encode()
        if len(text) > self._length:
            raise InvalidValueError(
                f"a view of {len(text)} bytes, but the encoder has room for {self._length}"
            )
        return np.frombuffer(text.ljust(self._length, b"\0"), np.uint8)


class GameEnv(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game as an AEC environment.

    Parameters
    ----------
    game, setup
        The game, and its setup.
    brick_law
        The law of a roll of bricks.
    max_actions
        Size of the action space: the most actions that the game may list at once; `Game.most_actions` if None.
    max_steps
        The most actions and outcomes; a longer game is truncated.
    encoder
        Encodes views; the text of the view if None.
    """

    def __init__(
        self,
        game: AnyGame,
        setup: Setup,
        brick_law: RollLaw,
        *,
        max_actions: int | None = None,
        max_steps: int = MAX_STEPS,
        encoder: ViewEncoder | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.metadata = {"name": f"{game.name}_v0", "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self._setup = setup
        self._brick_law = brick_law
        self._state = game.initial(setup)
        self._max_actions = game.most_actions(self._state) if max_actions is None else max_actions
        self._max_steps = max_steps
        self._encoder = encoder or TextEncoder(game, game.most_text(self._state))
        self._listed_for: Any = None
        self._listed_actions: list[Any] = []
        self.possible_agents = [f"player_{n}" for n in range(game.players(self._state))]
        mask = spaces.Box(0, 1, (self._max_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": self._encoder.space, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self._max_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; chance follows from the seed, a fresh one if None. Options are not used."""
        self._chance: EventSource = LawSource(
            self._brick_law, fresh_root() if seed is None else seed
        )
        self._steps = 0
        self._state = self.game.initial(self._setup)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._let_chance_move()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return the view of an agent, and a mask of its actions: none unless it is to act."""
        player = self.possible_agents.index(agent)
        mask = np.zeros(self._max_actions, np.int8)
        if self.game.actor(self._state) == player:
            mask[: len(self._listed())] = 1
        view = self.game.observe(self._state, player)
        return {"observation": self._encoder.encode(view), "action_mask": mask}

    def action_texts(self) -> list[str]:
        """Return the notation of each action of the agent that is to act, by its number."""
        return [self.game.format_action(action) for action in self._listed()]

    def step(self, action: int | None) -> None:
        """Let the selected agent take the action of this number; None where it is done.

        Raises
        ------
        InvalidValueError
            If there is no action of this number.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        listed = self._listed()
        if action is None or not 0 <= action < len(listed):
            raise InvalidValueError(f"action {action}: {agent} has actions 0..{len(listed) - 1}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._state = advance(self.game, self._state, listed[action], checked=True)
        self._steps += 1
        self._let_chance_move()
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the whole state in its notation, hidden things too."""
        return self.game.format_state(self._state)

    def close(self) -> None:
        """Release nothing: there is nothing to release."""

    def _listed(self) -> list[Any]:
        """Return the actions of the state, which are asked for by several methods."""
        if self._listed_for is not self._state:
            actions = list(self.game.actions(self._state))
            if len(actions) > self._max_actions:
                raise InvalidValueError(
                    f"{len(actions)} actions, but the action space holds {self._max_actions}"
                )
            self._listed_actions, self._listed_for = actions, self._state
        return self._listed_actions

    def _let_chance_move(self) -> None:
        """Answer chance events until a player is to act, the game is over or its time is up."""
        while (actor := self.game.actor(self._state)) == CHANCE and self._steps < self._max_steps:
            outcome = self._chance.answer(self.game.chance(self._state), (self._steps,))
            self._state = advance(self.game, self._state, outcome)
            self._steps += 1
        if actor == OVER:
            worth = zip(self.agents, self.game.returns(self._state), strict=True)
            self.rewards = {agent: float(value) for agent, value in worth}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._steps >= self._max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[actor]
