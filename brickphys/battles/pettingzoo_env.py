"""PettingZoo environment: any game as an AEC environment (Terry et al., NeurIPS 2021); needs the extra `pettingzoo`.

Action k is the k-th action that the game lists for the player who is to act, and the mask says how many there are. What
a player sees is encoded as numbers: its text, unless a better encoder is given. The sizes of both come from the game's
own bounds for the setup. Chance moves by itself, from the seed of `reset`. The only reward is the return, at the end.
"""

from operator import index
from pathlib import Path
from typing import Any, Protocol, SupportsIndex

import numpy as np
import numpy.typing as npt

from brickphys.battles.start import find_setup
from brickphys.errors import InvalidValueError, needing
from brickphys.interface import public
from brickphys.odds.law_choice import LawLike, named_law
from brickphys.odds.law_file import DEFAULT
from brickphys.rules.game import AnyGame, advance
from brickphys.rules.record import CHANCE, OVER, Setup
from brickphys.rules.registry import game as registered
from brickphys.rules.sources import EventSource, LawSource
from brickphys.seeds import MAX_ROOT, chosen_root, generator
from brickphys.text import shown

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
    """Encodes a view as the bytes of its text, with zeros behind it up to the longest; see `Game.most_text`."""

    def __init__(self, game: AnyGame, length: int) -> None:
        self._game = game
        self._length = length
        self.space = spaces.Box(0, 255, (length,), np.uint8)

    def encode(self, view: Any) -> npt.NDArray[np.uint8]:
        """Return the bytes, shape (length,); InvalidValueError if the text is longer."""
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
    game
        Its name (`brickphys.games` lists them), or a game.
    setup
        A shipped setup by its name, a file, or the setup itself.
    law
        The law of a roll of bricks, as of `brickphys.odds`.
    max_actions
        Size of the action space: the most actions that the game may list at once; `Game.most_actions` if None.
    max_steps
        The most actions and outcomes; a longer game is truncated.
    encoder
        Encodes views; the text of the view if None.

    Raises
    ------
    InvalidValueError
        If a name is unknown, or the game cannot begin with the setup. Of all methods: if the environment was not reset,
        or for an agent, an action or a seed that does not exist.
    """

    @public()
    def __init__(
        self,
        game: str | AnyGame,
        setup: str | Path | Setup,
        law: LawLike = DEFAULT,
        *,
        max_actions: int | None = None,
        max_steps: int = MAX_STEPS,
        encoder: ViewEncoder | None = None,
    ) -> None:
        super().__init__()
        self.game = game = registered(game) if isinstance(game, str) else game
        self.metadata = {"name": f"{game.name}_v0", "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self._setup = find_setup(game, str(setup), {}) if isinstance(setup, str | Path) else setup
        self._law, _ = named_law(law)
        self._roots: np.random.Generator | None = None
        self._state = game.initial(self._setup)
        self._max_actions = game.most_actions(self._state) if max_actions is None else max_actions
        self._max_steps = max_steps
        for name, number in (("max_actions", self._max_actions), ("max_steps", max_steps)):
            if number < 1:
                raise InvalidValueError(f"{name}: {number} is below 1")
        if encoder is None:
            encoder = TextEncoder(game, game.most_text(self._state))
        self._encoder = encoder
        if not all(hasattr(self._encoder, name) for name in ("space", "encode")):
            raise InvalidValueError(f"encoder: {shown(encoder)} has no space and no encode(view)")
        self._listed_for: Any = None
        self._listed_actions: list[Any] = []
        self.possible_agents = [f"player_{n}" for n in range(game.players(self._state))]
        self.agents: list[str] = []
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
        return self.observation_spaces[self.possible_agents[self._player(agent)]]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[self.possible_agents[self._player(agent)]]

    @public()
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. Options are not used.

        Chance follows from the seed. Without one it goes on from the last seed: the games after ``reset(seed=1)``
        differ from each other, and are the same in every run. A first reset without a seed draws one.
        """
        if seed is None and self._roots is not None:
            root = int(self._roots.integers(MAX_ROOT))
        else:
            root = chosen_root(seed)
            self._roots = generator(root)
        self._chance: EventSource = LawSource(self._law, root)
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
        player = self._player(agent)
        mask = np.zeros(self._max_actions, np.int8)
        if self.game.actor(self._state) == player:
            mask[: len(self._listed())] = 1
        view = self.game.observe(self._state, player)
        return {"observation": self._encoder.encode(view), "action_mask": mask}

    def action_texts(self) -> list[str]:
        """Return the notation of each action of the agent that is to act, by its number."""
        return [self.game.format_action(action) for action in self._listed()]

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return the observation, reward, end, truncation and further words of the selected agent."""
        self._acting()
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def step(self, action: SupportsIndex | None) -> None:
        """Let the selected agent take the action of this number; None where it is done."""
        agent = self._acting()
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise InvalidValueError(
                    f"action {shown(action)}: the game is over for {agent}; only None is left"
                )
            self._was_dead_step(None)
            return
        listed = self._listed()
        number = _whole(action)
        if not 0 <= number < len(listed):
            raise InvalidValueError(
                f"action {shown(action)}: {agent} has actions 0..{len(listed) - 1}"
            )
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._state = advance(self.game, self._state, listed[number], checked=True)
        self._steps += 1
        self._let_chance_move()
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the whole state in its notation, hidden things too."""
        return self.game.format_state(self._state)

    def close(self) -> None:
        """Release nothing: there is nothing to release."""

    def _acting(self) -> str:
        """Return the selected agent; InvalidValueError if there is none."""
        if not self.agents:
            raise InvalidValueError("no agent is left to act: reset() begins a game")
        agent: str = self.agent_selection
        return agent

    def _player(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self.possible_agents:
            known = ", ".join(self.possible_agents)
            raise InvalidValueError(f"unknown agent {shown(agent)}: there are {known}")
        return self.possible_agents.index(agent)

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


def _whole(action: object) -> int:
    """Return the number of an action, also one of NumPy; -1, which no action has, for anything else."""
    try:
        return index(action)  # type: ignore[arg-type]
    except TypeError:
        return -1
