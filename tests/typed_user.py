"""A program of a user: `make lint` checks its types with mypy --strict, and a test runs it."""

from pathlib import Path

import brickphys


def main(folder: Path) -> None:
    """Use the public functions as the documentation does."""
    found = brickphys.odds(3, 2, "glass", health=2, attacks=2)
    kill: float | None = found.kill
    odds_document: dict[str, object] = found.document()
    law = brickphys.law("glass")
    file: Path = law.save(folder / "glass.json")
    law.save(file, force=True)
    law_document: dict[str, object] = brickphys.law(file).document()
    thrown = brickphys.throw("2x2", 100, surface="cloth", seed=1)
    throws_document: dict[str, object] = thrown.document()
    battle = brickphys.play("bow", "duel", "random", seed=1, max_steps=20)
    replay: Path = battle.save(folder / "duel.jsonl")
    names: list[str] = [*brickphys.laws(), *brickphys.games()]
    documents = (odds_document, law_document, throws_document, battle.document())
    (folder / "seen.txt").write_text(f"{kill} {replay} {names} {documents}", encoding="utf-8")
