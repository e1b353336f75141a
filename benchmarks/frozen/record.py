"""Record: the digests of all cases, compared with those of the sources, and what differs, shown as text.

``python -m benchmarks.frozen.record`` compares; ``--record`` writes. The texts themselves are not kept: for a
difference the cases run again in the sources of the commit that wrote the record.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from difflib import unified_diff
from fnmatch import fnmatch
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from benchmarks.frozen.cases import cases
from benchmarks.frozen.contract import ROOT

HERE = Path(__file__).parent
DIGESTS, ACCEPTED = HERE / "digests.txt", HERE / "accepted.txt"
OUT = ROOT / "out" / "frozen"
QUICK = 11
"""A quick run takes one case of so many of each group; of commands all but these."""
_LONG = {"army", "batch", "batch-battles", "measure", "play-games", "rolls", "throws", "validate"}
SHOWN_CASES, SHOWN_PARTS, SHOWN_LINES = 8, 2, 40
_SLOW_FIRST = ("studies", "commands", "replays")


def texts_of(name: str) -> dict[str, str]:
    """Return the texts of a case by name."""
    return dict(cases()[name]())


def digests_of(texts: dict[str, str]) -> dict[str, str]:
    """Return the digests of texts by their names."""
    return {
        part: sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]
        for part, text in texts.items()
    }


def judged(name: str, old: list[str]) -> tuple[dict[str, str], list[str], float]:
    """Return the digests of a case, the names of texts that differ, and the processor time of it.

    The texts of a case that differs are kept in ``out/frozen``.
    """
    begun = os.times()[:4]
    texts = texts_of(name)
    new = digests_of(texts)
    parts = differing(old, new)
    if parts:
        kept = _kept_texts(name)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(texts))
    return new, parts, sum(os.times()[:4]) - sum(begun)


def _kept_texts(name: str) -> Path:
    return OUT / "differing" / f"{name.replace('/', '-')}.json"


def read() -> dict[str, list[str]]:
    """Return the recorded digests by case."""
    lines = DIGESTS.read_text().splitlines() if DIGESTS.exists() else []
    return {name: found for name, *found in map(str.split, lines)}


def write(found: dict[str, list[str]]) -> None:
    """Write digests, a line for each case."""
    DIGESTS.write_text("".join(f"{name} {' '.join(of)}\n" for name, of in sorted(found.items())))


def accepted() -> dict[str, str]:
    """Return patterns of cases that are meant to differ, and why."""
    lines = ACCEPTED.read_text().splitlines()
    pairs = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {pattern: reason for pattern, _, reason in pairs}


def chosen(names: Iterable[str], patterns: Iterable[str], quick: bool) -> list[str]:
    """Return the cases that are to run, those that take long first."""
    found = [name for name in names if not patterns or any(fnmatch(name, one) for one in patterns)]
    if quick:
        groups: dict[str, list[str]] = {}
        for name in found:
            groups.setdefault(name.partition("/")[0], []).append(name)
        calls = groups.pop("commands", [])
        found = [name for group in groups.values() for name in group[::QUICK]]
        found += [name for name in calls if name.partition("/")[2] not in _LONG]
    return sorted(found, key=lambda name: name.partition("/")[0] not in _SLOW_FIRST)


def differing(old: list[str], new: dict[str, str]) -> list[str]:
    """Return the names of the texts whose digests are not those of the record."""
    changed = [
        part
        for number, (part, digest) in enumerate(new.items())
        if number >= len(old) or old[number] != digest
    ]
    return changed or (["(fewer texts)"] if len(old) > len(new) else [])


def recorded_commit() -> str:
    """Return the commit that wrote the record."""
    words = ["git", "log", "-1", "--format=%H", "--", str(DIGESTS)]
    return subprocess.run(
        words, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def recorded_texts(commit: str, names: list[str]) -> dict[str, dict[str, str]]:
    """Return the texts of cases by the sources of a commit, which are unpacked in ``out/frozen``."""
    tree = OUT / commit[:12]
    if not tree.exists():
        archive = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, check=True, capture_output=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
            packed.extractall(tree, filter="data")
        _name_entry_points(tree)
    words = [sys.executable, "-m", "benchmarks.frozen.record", "--texts", *names]
    told = subprocess.run(words, cwd=tree, check=True, capture_output=True, text=True).stdout
    found: dict[str, dict[str, str]] = json.loads(told)
    return found


def _name_entry_points(tree: Path) -> None:
    """Write the entry points of unpacked sources, which go before those of the installation."""
    project = tomllib.loads((tree / "pyproject.toml").read_text())["project"]
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    folder = tree / f"brickphys-{project['version']}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: brickphys\nVersion: {project['version']}\n"
    )
    (folder / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
            for group, entries in groups.items()
        )
    )


def _short(text: str) -> list[str]:
    """Return the lines of a text, long ones in several."""
    return [
        line[at : at + 200] for line in text.splitlines() for at in range(0, len(line) or 1, 200)
    ]


def show(found: dict[str, list[str]]) -> None:
    """Print the differences of cases, and of which texts, as unified differences."""
    names = list(found)[:SHOWN_CASES]
    print(f"\n{len(found)} cases differ from the record: {', '.join(found)}")
    commit = recorded_commit()
    if not commit:
        print("no commit has a record yet: there are no texts to compare")
        return
    print(f"{len(names)} of them, against {commit[:12]}:")
    before = recorded_texts(commit, names)
    for name in names:
        after = json.loads(_kept_texts(name).read_text())
        print(f"\n=== {name}: {len(found[name])} of {len(after)} texts")
        for part in found[name][:SHOWN_PARTS]:
            old, new = before.get(name, {}).get(part, ""), after.get(part, "")
            lines = unified_diff(_short(old), _short(new), "record", part, n=1, lineterm="")
            shown = [*lines]
            print(
                "\n".join(
                    shown[:SHOWN_LINES]
                    or [f"{part}: the sources of the record give the same text here"]
                )
            )
            if len(shown) > SHOWN_LINES:
                print(f"... {len(shown) - SHOWN_LINES} further lines")


def main() -> int:
    """Compare or record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", help="patterns of cases, as commands/odds*")
    parser.add_argument("--record", action="store_true", help="write the record")
    parser.add_argument("--quick", action="store_true", help="run few cases of each group")
    parser.add_argument("--texts", action="store_true", help="print texts as JSON")
    parser.add_argument("--times", action="store_true", help="print when each case is done")
    given = parser.parse_args()
    if given.texts:
        print(json.dumps({name: texts_of(name) for name in cases() if name in given.cases}))
        return 0
    known, record, meant = cases(), read(), accepted()
    names = chosen(known, given.cases, given.quick)
    begun, found, wrong = monotonic(), dict[str, list[str]](), dict[str, list[str]]()
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        jobs = {pool.submit(judged, name, record.get(name, [])): name for name in names}
        for done, job in enumerate(as_completed(jobs), start=1):
            name, (new, parts, seconds) = jobs[job], job.result()
            found[name] = [*new.values()]
            wrong |= {name: parts} if parts else {}
            told = f"{done} of {len(names)} cases, {monotonic() - begun:.0f} s, {len(wrong)} differ"
            print(f"{told}: {name} took {seconds:.1f} s" if given.times else f"\r{told}", end="")
            print(end="\n" if given.times else "", flush=True)
    if given.record:
        write({name: of for name, of in {**record, **found}.items() if name in known})
    print(f"\n{len(found)} cases in {monotonic() - begun:.0f} s")
    if given.record:
        return 0
    for name in [*wrong]:
        for pattern, reason in meant.items():
            if name in wrong and fnmatch(name, pattern):
                del wrong[name]
                print(f"accepted: {name}: {reason}")
    if not given.cases and (gone := sorted(record.keys() - known.keys())):
        print(f"of the record, but no longer cases: {', '.join(gone)}")
        return 1
    if wrong:
        show(dict(sorted(wrong.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
