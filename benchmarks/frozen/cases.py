"""Cases: what is frozen. Each is named GROUP/..., and gives texts by names: together a line of the record."""

import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.frozen import contract
from benchmarks.frozen.contract import ROOT

Texts = Iterator[tuple[str, str]]
"""Name -> text."""

IGNORED = {
    *("choice_times", "seconds", "throws_per_s", "elapsed_s", "duration_s", "remaining_s"),
    *("stamp", "stamps", "sources", "versions", "machine", "check", "brickphys"),
}
"""Keys of JSON that another machine, another time or any change of the sources changes."""
MASKS = {
    r"\+laws\.[0-9a-f]+": "+laws",  # in the version of a game
    r"(?s)<metadata>.*?</metadata>": "",  # of a picture
    r"\b(id=|href=|url\()([\"']?#?)([a-z])[0-9a-f]{10}\b": r"\1\2\3",
    r'<script type="importmap">.*': "",
    r"\b[\d,.]+ (throws|runs|scenes|games|rolls) per second": r"N \1 per second",
    r"\b[\d.e-]+ ms \(longest [\d.e-]+ s\)": "N ms",
    r"\bin [\d.,]+ (ms|s|min|h)\b": "in N s",
    r"\bstamp [0-9a-f]{16}: [^\"\n]*": "stamp",
    r"Made with brickphys .*": "Made with brickphys",
    r"(?m)^Traceback \(most recent call last\):\n(?:[ ].*\n)+": "Traceback\n",
    r"\bshards: \d+ files": "shards: N files",  # they are cut by time
    r"(?m)^[a-z ]+: [\d,]+ of [\d,]+ \w+, about \d+ s more\n": "",  # on a slow machine
    r"\bstored \d{4}-\d\d-\d\d \d\d:\d\d": "stored then",
}
"""What is masked in texts."""
FILES = ("tests/reliability/example_files", "tests/corpus", "docs/bodies")
FURTHER_FILES = ("crash.toml", "course.toml", "drive.toml", "simulated_counts.csv", "tray.jpg")
BYTES = {".gif", ".jpg", ".png", ".pdf", ".parquet", ".ply", ".glb"}
"""Of files with these ends only the name is frozen."""
MOST_STEPS = {"random": 240, "greedy1": 40, "lookahead": 4}
SEEDS = {"random": 13, "greedy1": 4, "lookahead": 1}
WALKS, WALK_STEPS, WALK_SAMPLE = 4, 300, 2000
REFUSALS = 12
KEYS = "list map show odds 1 odds 2 why:1 undo redo 1 list 3 odds 1 2 map 1 2 5 list odds 1 3 1 2 1 odds 4 1 why:9 quit"
"""What people type in the sessions at the keyboard."""


def cases() -> dict[str, Callable[[], Texts]]:
    """Return all cases by name."""
    found: dict[str, Callable[[], Texts]] = {"golden": _golden, "help": _help}
    found |= {f"commands/{block}": partial(_block, lines) for block, lines in blocks().items()}
    found |= {f"studies/{name}": partial(_study, text) for name, text in STUDIES.items()}
    for name, game in contract.games().items():
        for setup in game.setups:
            at = f"{name}/{setup}"
            found[f"perft/{at}"] = partial(_perft, name, setup)
            found[f"keyboard/{at}"] = partial(_keyboard, name, setup)
            found[f"pictures/{at}"] = partial(_pictures, name, setup)
            for bots in SEEDS:
                found[f"replays/{at}/{bots}"] = partial(_replays, name, setup, bots)
            for walk in range(WALKS):
                each = WALK_SAMPLE // len(game.setups) // WALKS
                found[f"states/{at}/{walk}"] = partial(_states, name, setup, walk, each)
    return found


def blocks() -> dict[str, list[str]]:
    """Return the lines of `commands.txt` by their blocks."""
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("commands.txt").read_text().splitlines():
        if line.startswith("["):
            lines = found.setdefault(line.strip("[]"), [])
        elif not line.startswith("#") and found:
            lines.append(line)
    return {name: [line for line in lines if line] for name, lines in found.items()}


def steady(text: str, folder: Path | None = None) -> str:
    """Return a text without what may differ: see `IGNORED` and `MASKS`; JSON in many lines."""
    for path, name in ((folder, "FOLDER"), (ROOT, "ROOT")):
        text = text.replace(str(path), name) if path else text
    for mask, instead in MASKS.items():
        text = re.sub(mask, instead, text)
    return "\n".join(_laid_out(line) for line in text.splitlines())


def _laid_out(line: str) -> str:
    opening = line.find("{")
    if opening < 0 or not line.rstrip().endswith(("}", "}</script>")):
        return line.rstrip()
    document, ending = line[opening:].rstrip(), ""
    if document.endswith("</script>"):
        document, ending = document.removesuffix("</script>"), "</script>"
    try:
        read = json.loads(document)
    except ValueError:
        return line.rstrip()
    return f"{line[:opening]}{json.dumps(_kept(read), indent=1, ensure_ascii=False)}{ending}"


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _kept(inner) for key, inner in value.items() if key not in IGNORED}
    if isinstance(value, list):
        flat = not any(isinstance(inner, (dict, list)) for inner in value)
        return json.dumps(value) if flat else [_kept(inner) for inner in value]
    return value


def _golden() -> Texts:
    for path in sorted((ROOT / "tests" / "golden").iterdir()):
        yield path.name, path.read_text()


def _help() -> Texts:
    with tempfile.TemporaryDirectory() as name:
        for words, _ in contract.commands():
            yield words, contract.called([*words.split(), "--help"], "", Path(name))


def _block(lines: list[str]) -> Texts:
    """Run the calls of a block one after the other, in a folder with the example files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for source in FILES:
            for path in sorted((ROOT / source).rglob("*.*")):
                shutil.copy(path, folder / path.name)
        for further in FURTHER_FILES:
            shutil.copy(ROOT / "docs" / further, folder / further)
        for number, line in enumerate(lines):
            yield f"{number} {line}", _call(line, folder)


def _call(line: str, folder: Path) -> str:
    """Run a line; return what it prints, and the files that it writes."""
    command, _, typed = line.partition(" <<< ")
    words, typed = shlex.split(command), typed.replace("\\n", "\n")
    if words and words[0] == "write":
        (folder / words[1]).write_text(typed)
        return typed
    if words and words[0] == "swap":
        path = folder / words[1]
        text = path.read_text()
        path.write_text(text.replace(words[2], words[3]))
        return f"{text.count(words[2])} times"
    before = _written(folder)
    told = [contract.called(words, typed, folder)]
    for path, content in _written(folder).items():
        if before.get(path) != content:
            shown = "" if path.suffix in BYTES else content.decode(errors="replace")
            if path.suffix == ".json":
                shown = json.dumps(json.loads(shown))
            told += [f"--- {path.relative_to(folder)}", shown]
    return steady("\n".join(told), folder)


def _written(folder: Path) -> dict[Path, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path: path.read_bytes() for path in files if not _is_inner(path.relative_to(folder))}


def _is_inner(path: Path) -> bool:
    """Whether a file is a batch's own, which depends on time and on stamps, or hidden."""
    hidden = any(part.startswith(".") or part == "shards" for part in path.parts)
    return hidden or path.name in ("journal.jsonl", "manifest.json", "lock")


def _study(text: str) -> Texts:
    query = "select * from rows order by cell, run"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "study.toml").write_text(text)
        run = contract.called(
            shlex.split("batch run study.toml --out results --workers 1 --json"), "", folder
        )
        yield "run", steady(run, folder)
        for words in (["--sql", query, "--json"], ["--json"]):
            told = contract.called(["batch", "report", "results", *words], "", folder)
            yield words[0], steady(told, folder)


def _replays(name: str, setup: str, bots: str) -> Texts:
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEEDS[bots]):
            battle = contract.battle(name, setup, bots, seed, MOST_STEPS[bots])
            path = battle.save(Path(folder) / f"{seed}.jsonl")
            yield f"seed {seed}", steady("\n".join([path.read_text(), *battle.story()]))


def _perft(name: str, setup: str) -> Texts:
    """Count the moves from two states of a game, level by level."""
    game, law = contract.games()[name], contract.law()
    states = contract.battle(name, setup, "random", 1, 40).record.states
    for at in (0, len(states) // 2):
        level = [states[at]]
        for depth in range(1, 6):
            moves = [_moves(game, state, law) for state in level]
            after = [
                game.apply(state, move)
                for state, listed in zip(level, moves, strict=True)
                for move in listed[:40]
            ]
            level = list(dict.fromkeys(after))
            text = f"{sum(map(len, moves))} moves to {len(level)} states"
            yield f"step {at} depth {depth}", "\n".join([text, *map(game.format_state, level)])
            level = level[:: max(1, len(level) // 30)]


def _moves(game: Any, state: Any, law: Any) -> list[Any]:
    if game.actor(state) >= 0:
        return list(game.actions(state))
    if not game.actions(state) and game.actor(state) == -2:
        return []
    event = game.chance(state)
    return list(event.law(law.law if hasattr(law, "law") else law)) if event.exact else []


def _states(name: str, setup: str, walk: int, most: int) -> Texts:
    """Describe states of a random game: all that is legal, and why other actions are not."""
    game = contract.games()[name]
    some = _some_states(name, setup, walk, max(2, WALK_STEPS // most))
    states = list(islice(some, most))
    pool = dict.fromkeys(
        game.format_action(action)
        for state in states[:: max(1, most // 40)]
        for action in islice(game.actions(state), 60)
    )
    for number, state in enumerate(states):
        rng = Random(f"{name} {setup} {walk} {number}")
        yield f"state {number}", _state_text(game, state, [*pool], rng)


def _some_states(name: str, setup: str, walk: int, step: int) -> Iterator[Any]:
    """Yield states of random games, one after the other."""
    for seed in count(walk, WALKS):
        record = contract.battle(name, setup, "random", 1000 + seed, WALK_STEPS).record
        yield from record.states[seed % step :: step]


def _state_text(game: Any, state: Any, pool: list[str], rng: Random) -> str:
    actor, players = game.actor(state), range(game.players(state))
    lines = [game.format_state(state), f"actor {actor}, round {game.rounds(state)}"]
    lines += [game.question(state)] if actor == -1 else []
    lines += [game.prompt(state)] if actor >= 0 else []
    for player in players:
        lines.append(f"view {player}: {game.format_view(game.observe(state, player))}")
    lines += game.describe(game.observe(state, max(actor, 0))).splitlines()
    lines += [
        f"legal {game.format_action(action)}; {game.waste(state, action)}"
        for action in game.actions(state)
    ]
    lines += [f"unlisted {game.format_action(action)}" for action in game.unlisted(state)]
    for text in rng.sample(pool, min(REFUSALS, len(pool))):
        problems = game.problems(state, game.parse_action(text))
        lines.append(f"refused {text}: {' | '.join(problems)}")
    lines += game.invariant_problems(state)
    lines.append(f"{dict(game.conserved(state))} {dict(game.shrinking(state))}")
    if actor == -2:
        lines.append(f"returns {game.returns(state)}")
    elif game.settled(state):
        lines.append(f"estimate {[round(worth, 9) for worth in game.estimate(state)]}")
    return "\n".join(lines)


def _keyboard(name: str, setup: str) -> Texts:
    players = contract.games()[name].players(
        contract.battle(name, setup, "random", 1, 1).record.initial
    )
    seats = ",".join(["person"] * players)
    typed = "\\n".join(KEYS.split()).replace(":", " ") + "\\n"
    line = f"play {name} {setup} --bots {seats} --seed 5 <<< {typed}"
    yield from _block([line])


def _pictures(name: str, setup: str) -> Texts:
    """Draw a random game: its course, some of its rounds, and its scene in three dimensions."""
    yield from _block(
        [
            f"play {name} {setup} --bots random --seed 3 --max-steps 120 --replay game.jsonl",
            "replay game.jsonl --plot course.svg --html game.html",
            "replay game.jsonl --plot opening.svg --rounds 1..2",
            "replay game.jsonl --html late.html --rounds 2..3",
            f"scenario {name} {setup} --plot map.svg --json",
        ]
    )


def _battles(fixed: str, repeats: int = 12, grid: str = "") -> str:
    return f'kind = "battle"\nseed = 5\nrepeats = {repeats}\n[fixed]\n{fixed}\n{grid}\n'


STUDIES = {
    "drop": 'kind = "drop"\nseed = 5\nrepeats = 60\n[fixed]\nshape = "2x2"\n'
    '[grid]\nsurface = ["wood", "glass"]\nheight_mm = [[50, 100], [200, 300]]\n',
    "hands": 'kind = "drop"\nseed = 5\nrepeats = 6\n[fixed]\nshape = "2x2"\nengine = "bullet"\n'
    'bricks = 3\n[grid]\nsurface = ["wood", "cloth"]\n',
    "until": 'kind = "drop"\nseed = 5\n[until]\ncolumn = "p_side"\nhalf_width = 0.05\nfirst = 100\n'
    'at_most = 800\n[fixed]\nshape = "1x2"\n[sample]\nmethod = "sobol"\ncells = 2\n'
    "[sample.ranges]\nedge_radius_mm = [0.0, 0.4]\n",
    "collide": 'kind = "collide"\nseed = 5\nrepeats = 30\n[fixed]\nscene = "random"\n'
    '[grid]\nsectors = ["quadrant", "corner"]\nlayout = ["any", "clutter"]\n',
    "crash": 'kind = "collide"\nseed = 5\nrepeats = 10\n[fixed]\nscene = "random"\n'
    'layout = "pair"\nphysics = true\n',
    "bow": _battles('game = "bow"\nscenario = "duel"', 20, '[grid]\nbots = ["random", "greedy"]'),
    "bow_draw": _battles(
        'game = "bow"\nbots = "random"\ndraw = { points = 60, apart = 8, rounds = 6, cover = 2 }'
    ),
    "bow_law": _battles(
        'game = "bow"\nscenario = "rocket"\nbots = "random"', 6, '[grid]\np = [0.2, "low", "high"]'
    ),
    "pirate_wars": _battles(
        'game = "pirate_wars"\nbots = "greedy"\ndraw = { apart = 60, rounds = 8 }', 20
    ),
    "two_against_two": _battles(
        'game = "pirate_wars"\nscenario = "two_against_two"',
        4,
        '[grid]\nbots = ["random", "greedy"]',
    ),
    "minifig": _battles(
        'game = "minifig"\nbots = "greedy"',
        4,
        "[grid]\noptions = [{ no_missiles_in_contact = true }, { no_missiles_in_contact = false }]\n"
        'draw = [{ sides = [["soldier,sword*4"], ["soldier,bow*4"]] }, { figures = 3, rounds = 5 }]',
    ),
    "minifig_siege": _battles('game = "minifig"\nscenario = "siege"\nbots = "random"', 4),
    "blade_and_bow": _battles(
        'game = "blade_and_bow"\nbots = "random"',
        4,
        '[grid]\nscenario = ["marathon", "mycale"]\n'
        "options = [{ free_setup = true }, { free_setup = false }]",
    ),
    "campaign": _battles(
        'game = "campaign"\nscenario = "ten_days"', 6, '[grid]\nbots = ["random", "greedy"]'
    ),
    "wrong": _battles('game = "bow"\nscenario = "chess"\nbots = "random"'),
}
