"""The stamp changes with what computes, and with nothing else."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from llvmlite.binding import FeatureMap

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.stamp import sources_in, stamp_here, stamp_of

PACKAGE = Path(brickphys.__file__).parent


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy") / "brickphys"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_a_copy_has_the_sources_of_the_package_wherever_it_is(copy):
    assert sources_in(copy) == stamp_here().sources


@pytest.mark.parametrize(
    ("name", "room"),
    [("units.py", "base"), ("throws/conditions.py", "throws"), ("bow/data/units.toml", "bow")],
)
def test_a_change_of_what_computes_changes_the_digest_of_its_folder(copy, name, room):
    before, path = sources_in(copy), copy / name
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n", encoding="utf-8")
    after = sources_in(copy)
    path.write_text(text, encoding="utf-8")
    assert [key for key in before if after[key] != before[key]] == [room]


def test_a_file_under_another_name_changes_the_digest(copy):
    before = sources_in(copy)
    (copy / "grid" / "grid.py").rename(copy / "grid" / "other.py")
    after = sources_in(copy)
    (copy / "grid" / "other.py").rename(copy / "grid" / "grid.py")
    assert after["grid"] != before["grid"]


def test_a_picture_or_a_command_changes_nothing(copy):
    before = sources_in(copy)
    for name in ("plots", "cli"):
        (copy / name / "new.py").write_text("", encoding="utf-8")
    assert sources_in(copy) == before


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


@pytest.mark.parametrize("document", [None, {}, {"sources": {}}, {"sources": 1}])
def test_what_is_no_stamp_is_refused(document):
    with pytest.raises(InvalidValueError, match="stamp"):
        stamp_of(document)
