"""The stamp changes with what computes, and with nothing else."""

import os
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from llvmlite.binding import FeatureMap

import brickphys
from brickphys import stamp
from brickphys.errors import InvalidValueError
from brickphys.stamp import kept, sources_in, stamp_here, stamp_now, stamp_of, unless_edited

PACKAGE = Path(brickphys.__file__).parent


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy") / "brickphys"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_a_copy_has_the_sources_of_the_package_wherever_it_is(copy):
    assert sources_in(copy) == stamp_here().sources


def edited(copy, name, old, new):
    """Return the digests of the copy with another text in a file, which is then as before."""
    path = copy / name
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    after = sources_in(copy)
    path.write_text(text, encoding="utf-8")
    return after


@pytest.mark.parametrize(
    ("name", "old", "new", "room"),
    [
        ("units.py", "9.81", "9.82", "base"),
        ("throws/flight.py", " + ", " - ", "throws"),
        ("bow/data/units.toml", "", "\n[more]\n", "bow"),
        ("laws/glass.json", '"2x2"', '"2x3"', "laws"),
    ],
)
def test_a_change_of_what_computes_changes_the_digest_of_its_folder(copy, name, old, new, room):
    before, after = sources_in(copy), edited(copy, name, old, new)
    assert [key for key in before if after[key] != before[key]] == [room]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("throws/flight.py", '"""', '"""Other words: '),
        ("throws/flight.py", "import numpy as np", "import numpy as np, os"),
        ("bow/data/units.toml", "", "\n# a comment\n"),
        ("laws/glass.json", '"stamp": {', '"stamp": {"more": {}, '),
    ],
)
def test_what_computes_nothing_changes_nothing(copy, name, old, new):
    assert edited(copy, name, old, new) == sources_in(copy)


TEXT = """
import numpy as np
from math import pi

HEIGHT: float = 3.0
"""
FUNCTION = """
@cache
def turn(angle: float, times: int = 2) -> float:
    "Turn."
    from math import tau

    turned: float = angle * times + pi
    return turned
"""
CLASS = """
class Turned:
    times: int = 2

    def area(self, side: float) -> float:
        return side**self.times
"""


def digest_of(folder, *texts):
    for path in folder.iterdir():
        path.unlink()
    for number, text in enumerate(texts):
        (folder / f"module_{number}.py").write_text(text, encoding="utf-8")
    return sources_in(folder)["base"]


@pytest.mark.parametrize(
    "texts",
    [
        (TEXT + FUNCTION, CLASS),
        (TEXT, FUNCTION, CLASS),
        (CLASS + FUNCTION + TEXT,),
        ("from math import pi, e\n" + TEXT.replace("import numpy as np", "") + FUNCTION + CLASS,),
        (TEXT + FUNCTION.replace("Turn.", "Other words.") + CLASS,),
        (TEXT + FUNCTION.replace(": float", "").replace(" -> float", "") + CLASS,),
        (TEXT + FUNCTION.replace("tau", "e") + "\n\n# more\n" + CLASS,),
        (TEXT + "if TYPE_CHECKING:\n    from math import e\n" + FUNCTION + CLASS, ""),
    ],
)
def test_where_and_how_a_definition_is_written_does_not_count(tmp_path, texts):
    assert digest_of(tmp_path, *texts) == digest_of(tmp_path, TEXT + FUNCTION + CLASS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3.0", "3.5"),
        ("= 2)", "= 3)"),
        ("angle * times", "angle / times"),
        ("times + pi", "times - pi"),
        ("@cache", ""),
        ("return turned", "return angle"),
        ("times: int = 2\n", "times: float = 2\n"),
        ("def area", "def surface"),
        ("side**self.times", "side**2"),
    ],
)
def test_whatever_changes_a_number_counts(tmp_path, old, new):
    whole = TEXT + FUNCTION + CLASS
    assert old in whole
    assert digest_of(tmp_path, whole.replace(old, new)) != digest_of(tmp_path, whole)


def test_the_same_constant_in_two_files_counts_twice(tmp_path):
    assert digest_of(tmp_path, "A = 1", "A = 2", "A = 2") != digest_of(tmp_path, "A = 1", "A = 2")


def test_a_definition_that_moves_to_another_folder_is_no_difference(copy):
    here = stamp_here()
    path = copy / "throws" / "faces.py"
    path.rename(copy / "engines" / "faces.py")
    moved = replace(here, sources=sources_in(copy))
    (copy / "engines" / "faces.py").rename(path)
    assert moved.sources != here.sources
    assert here.differences(moved) == []
    assert here.of({"throws"}).differences(moved.of({"throws"}))


def test_digests_are_found_again_in_the_cache_or_made_anew(copy, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before, path = kept("a", lambda: "1"), tmp_path / "brickphys" / "stamps.json"
    assert (before, kept("a", lambda: "2")) == ("1", "1")
    for damage in ('{"a"', '["a"]', '{"a": 3}', ""):
        path.write_text(damage, encoding="utf-8")
        assert kept("a", lambda: "3") == "3"
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert kept("a", lambda: "4") == "4"


def test_what_only_shows_numbers_and_what_tools_leave_changes_nothing(copy):
    before = sources_in(copy)
    for name in (
        *("plots/new.py", "cli/new.py", "view/new.py", "batch/report/new.py"),
        *("batch/studies/new.py", ".hidden.py", "law.py~", "engines/.compiled.py.swp"),
        *("odds/law.py~", "rules/#game.py#", "rules/game.py.orig"),
        "throws/__pycache__/surfaces.cpython-311.pyc",
        "throws/.ipynb_checkpoints/surfaces-checkpoint.py",
        "emptied/__pycache__/gone.cpython-311.pyc",
    ):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("NEW = 1\n", encoding="utf-8")
    assert sources_in(copy) == before
    new = copy / "throws" / "new.py"
    (copy / "plots" / "new.py").rename(new)
    after = sources_in(copy)
    new.unlink()
    assert after != before


def test_every_file_that_the_package_has_is_a_source():
    """But those of pages, from which nothing is computed."""
    files = [path for path in PACKAGE.rglob("*") if not path.is_relative_to(PACKAGE / "view")]
    left = {path.suffix for path in files if path.is_file()} - {".pyc", ".nbi", ".nbc", ".zip"}
    assert left - {".lock", ".swp"} - {path.suffix for path in PACKAGE.rglob("py.typed")} == {
        ".json",
        ".py",
        ".toml",
    }


def test_an_edit_since_a_package_was_stamped_is_seen_now_only(tmp_path, monkeypatch):
    path = tmp_path / "edited_later.py"
    path.write_text("HEIGHT = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    before = stamp_here("edited_later")
    assert stamp_now("edited_later") == before
    path.write_text("HEIGHT = 20\n", encoding="utf-8")
    assert stamp_here("edited_later") == before
    assert before.differences(stamp_now("edited_later")) == [
        "the sources of edited_later have changed"
    ]


def test_no_stamp_is_given_to_numbers_of_sources_that_were_edited_meanwhile(caplog):
    here = stamp_here().of({"throws", "units"})
    assert set(here.sources) == {"throws"}
    assert unless_edited(here) == here
    assert not caplog.records
    before = replace(here, sources={"throws": "0" * 16})
    assert unless_edited(before) is None
    assert caplog.messages == [
        "no stamp is written: the sources of throws have changed while they were computing"
    ]


def test_sources_that_are_newer_than_the_process_give_no_stamp(monkeypatch, caplog, tmp_path):
    """Whatever was imported before the stamp was first asked for may be older than the files."""
    (tmp_path / "edited_early.py").write_text("HEIGHT = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert unless_edited(stamp_here("edited_early"), "edited_early") is None
    assert caplog.messages[0].endswith(
        "edited_early.py is newer than this process while they were computing"
    )
    monkeypatch.setattr(stamp, "STARTED_NS", 0)
    assert unless_edited(stamp_here()) is None
    assert "newer than this process" in caplog.messages[1]


def test_a_backup_that_is_put_back_while_a_process_runs_is_newer_than_it(
    monkeypatch, caplog, tmp_path
):
    path = tmp_path / "put_back.py"
    path.write_text("HEIGHT = 1\n", encoding="utf-8")
    os.utime(path, (0, 0))
    monkeypatch.syspath_prepend(tmp_path)
    assert unless_edited(stamp_here("put_back"), "put_back") is None
    assert "put_back.py is newer than this process" in caplog.messages[0]


@pytest.mark.parametrize(("room", "path"), [("base", PACKAGE), ("grid", PACKAGE / "grid")])
def test_a_newer_file_counts_in_the_folders_of_a_stamp_alone(monkeypatch, caplog, room, path):
    """A law that is written takes no stamp from one that is measured beside it."""
    here = stamp_here()
    monkeypatch.setattr(stamp, "STARTED_NS", 0)
    assert unless_edited(here.of(())) == here.of(())
    assert unless_edited(here.of({room})) is None
    (told,) = caplog.messages
    found = re.findall(r"(\S+) is newer than this process", told)
    assert found
    assert {Path(name).parent for name in found} == {path}


def test_what_libraries_choose_by_the_environment_is_in_the_stamp(monkeypatch):
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    usual = stamp_here()
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Nehalem")
    assert usual.differences(stamp_here()) == [
        "processor OPENBLAS_CORETYPE is Nehalem, was not there"
    ]


def test_a_package_without_an_init_has_a_digest_of_its_files(tmp_path, monkeypatch):
    path = tmp_path / "open_game" / "rules.py"
    path.parent.mkdir()
    path.write_text("PEBBLES = 7\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    before = stamp_now("open_game")
    path.write_text("PEBBLES = 70\n", encoding="utf-8")
    assert before.differences(stamp_now("open_game")) == ["the sources of open_game have changed"]


def test_a_linked_folder_of_a_package_is_in_its_digest(tmp_path, monkeypatch):
    """Imports follow links; one that leads back to the package is no endless way."""
    package, elsewhere = tmp_path / "linked_game", tmp_path / "elsewhere"
    for folder in (package / "own", elsewhere):
        folder.mkdir(parents=True)
    (elsewhere / "rules.py").write_text("PEBBLES = 7\n", encoding="utf-8")
    (package / "rules").symlink_to(elsewhere)
    for link, target in (("own/all", package), ("own/rules", elsewhere)):
        (package / link).symlink_to(target)
    monkeypatch.syspath_prepend(tmp_path)
    before = stamp_now("linked_game")
    assert stamp_now("linked_game") == before
    (elsewhere / "rules.py").write_text("PEBBLES = 70\n", encoding="utf-8")
    assert before.differences(stamp_now("linked_game")) == [
        "the sources of linked_game have changed"
    ]


def test_a_module_has_a_digest_of_the_modules_beside_it_that_it_imports(tmp_path, monkeypatch):
    """A bot may be in several files; those that it does not import may change."""
    texts = {
        "own_bot": "import own_plans.far, numpy",
        "own_plans": "def plan():\n    from own_words import WORD",
        "own_words": "WORD = 1; import own_bot",
        "others": "",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(f"{text}\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = stamp_now("own_bot")
    assert set(before.sources) - set(stamp_now().sources) == {"own_bot"}
    (tmp_path / "others.py").write_text("edited = 1\n")
    assert stamp_now("own_bot") == before
    for name in ("own_words", "own_plans"):
        (tmp_path / f"{name}.py").write_text(f"{texts[name]}\nedited = 1\n")
        assert before.differences(stamp_now("own_bot")) == ["the sources of own_bot have changed"]
        (tmp_path / f"{name}.py").write_text(f"{texts[name]}\n")
        assert stamp_now("own_bot") == before


@pytest.mark.parametrize("name", ["sys", "nonesuch_game", "typed_in"])
def test_a_package_without_files_is_refused(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "typed_in", ModuleType("typed_in"))
    with pytest.raises(InvalidValueError, match=f"{name}: its source files are not found"):
        stamp_here(name)


def test_a_program_is_the_file_that_was_started(tmp_path, monkeypatch):
    program = ModuleType("__main__")
    program.__file__ = str(tmp_path / "program.py")
    (tmp_path / "program.py").write_text("", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "__main__", program)
    assert "__main__" in stamp_now("__main__").sources


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("NUMBA_CPU_NAME", "skylake", "processor name is skylake"),
        ("NUMBA_CPU_FEATURES", "+sse2", "processor features is"),
        ("NUMBA_OPT", "1", "kernels NUMBA_OPT is 1, was not there"),
    ],
)
def test_settings_of_the_compiler_change_the_stamp(monkeypatch, name, value, told):
    before = stamp_here()
    monkeypatch.setenv(name, value)
    (difference,) = before.differences(stamp_here())
    assert difference.startswith(told)


def test_settings_that_are_as_by_default_change_nothing(monkeypatch):
    before = stamp_here()
    for name in ("DISABLE_JIT", "SLP_VECTORIZE", "BOUNDSCHECK", "DISABLE_INTEL_SVML"):
        monkeypatch.setenv(f"NUMBA_{name}", "0")
    monkeypatch.setenv("NUMBA_LOOP_VECTORIZE", "1")
    monkeypatch.setenv("NUMBA_OPT", "3")
    assert stamp_here() == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("opt: '1'", "kernels NUMBA_OPT is 1"),
        ("slp_vectorize: 1", "kernels NUMBA_SLP_VECTORIZE is 1"),
        ("cpu_name: generic", "processor name is generic"),
        ("enable_avx: 0", "kernels NUMBA_ENABLE_AVX is 0"),
    ],
)
def test_the_settings_file_of_the_compiler_changes_the_stamp(monkeypatch, tmp_path, text, told):
    before = stamp_here()
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".numba_config.yaml").write_text(text, encoding="utf-8")
    assert any(one.startswith(told) for one in before.differences(stamp_here()))


@pytest.mark.parametrize("text", ["opt: [", "- 1"])
def test_a_settings_file_that_the_compiler_cannot_read_is_refused(monkeypatch, tmp_path, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".numba_config.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidValueError, match=r"\.numba_config\.yaml: Numba cannot read it"):
        stamp_here()


def test_generic_code_has_the_same_stamp_on_any_processor(monkeypatch):
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    here = stamp_here().processor
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "another")
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", FeatureMap)
    assert stamp_here().processor == here


def test_a_stamp_is_read_as_it_was_written():
    stamp = stamp_here("json")
    assert stamp_of(stamp.document()) == stamp
    assert "json" in stamp.sources


def test_differences_are_told_in_words():
    here = stamp_here()
    other = replace(
        here,
        sources={**here.sources, "throws": "0" * 16},
        versions={**here.versions, "numba": "0.1"},
    )
    assert here.differences(here) == []
    assert here.differences(other) == [
        "the sources of throws have changed",
        f"versions numba is 0.1, was {here.versions['numba']}",
    ]
    assert here.digest != other.digest


def test_sources_of_an_older_stamp_or_another_python_are_not_compared():
    here = stamp_here()
    older = stamp_of({name: table for name, table in here.document().items() if name != "results"})
    assert older.differences(here) == [
        "its stamp is of an older form, so its sources cannot be compared with these"
    ]
    later = replace(here, sources={}, platform={**here.platform, "python": "3.99.1"})
    assert [one[:25] for one in here.differences(later)] == ["platform python is 3.99.1"]


def test_results_that_come_out_otherwise_are_counted():
    here = replace(stamp_here(), results={"throws by compiled": "0123", "throws by gone": "4"})
    assert here.other_results({"throws by compiled": "0123"}) == []
    assert here.other_results({"throws by compiled": "0423f"}) == [
        "2 of 4 fixed throws by compiled come out otherwise"
    ]


@pytest.mark.parametrize("document", [None, {}, {"sources": {}}, {"sources": 1}])
def test_what_is_no_stamp_is_refused(document):
    with pytest.raises(InvalidValueError, match="stamp"):
        stamp_of(document)
