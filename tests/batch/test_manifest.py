"""Manifests: what is written is read, what was edited is refused, and differences are told in words."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from brickphys.batch.journal import Manifest, manifest_here, manifest_of
from brickphys.errors import InvalidValueError
from brickphys.files import CHECK, START, sealed
from brickphys.stamp import Stamp
from tests.batch.batches import PEBBLES, spec

FIRST = Stamp({"base": "1", "bow": "2"}, {}, {"name": "x"}, {"system": "Linux"}, {"numpy": "2"})
SECOND = replace(FIRST, sources={"base": "1", "bow": "3"})
FAR = replace(FIRST, sources={"base": "7", "bow": "8"}, versions={"numpy": "3"})


@pytest.fixture(scope="module")
def study():
    return spec(PEBBLES)


@pytest.fixture
def document(study):
    return json.loads(Manifest(study, (FIRST, SECOND)).text())


def resealed(document, **changes):
    body = {key: value for key, value in (document | changes).items() if key != CHECK}
    return sealed(START, body)


def test_what_is_written_is_read(study, document):
    read = manifest_of(document)
    assert read == Manifest(read.spec, (FIRST, SECOND))
    assert (read.spec.content, read.spec.sha256) == (study.content, study.sha256)
    assert read.text() == Manifest(study, (FIRST, SECOND)).text()
    assert read.text() == json.dumps(document, indent=2) + "\n"
    assert (
        manifest_of(json.loads(manifest_here(study).text())).stamps[0]
        == (manifest_here(study).stamps[0])
    )
    assert "pebbles_game" in manifest_here(study).stamps[0].sources


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": "brickphys.batch/3"}, "its schema is not brickphys.batch/2"),
        ({"schema": "brickphys.batch/1"}, "an earlier version wrote it: run the study again in"),
        ({"stamps": []}, "stamps is not a list, or is empty"),
        ({"stamps": {"a": 1}}, "stamps is not a list, or is empty"),
        ({"seed": 6}, "it was edited: its study has another fingerprint or seed"),
        ({"spec_sha256": "0"}, "it was edited: its study has another fingerprint or seed"),
        ({"spec": []}, "spec is not a JSON object"),
        ({"spec": {"document": {}}}, "spec lacks attached"),
        ({"spec": {"document": {"seed": 1}, "attached": {}}}, "spec.document lacks kind"),
        ({"spec": {"document": {"seed": 1, "kind": "x"}, "attached": []}}, "spec.attached is no"),
    ],
)
def test_what_cannot_be_is_refused_even_if_its_check_is_right(changes, words, document):
    with pytest.raises(InvalidValueError, match=words):
        manifest_of(resealed(document, **changes))


def test_an_edited_one_is_refused(document):
    with pytest.raises(InvalidValueError, match=r"^it was edited$"):
        manifest_of(document | {"seed": 6})


def test_differences_are_those_from_the_nearest_stamp(study):
    manifest = Manifest(study, (FAR, FIRST))
    assert manifest.stamp_differences(SECOND) == ["the sources of bow have changed"]
    assert manifest.stamp_differences(FIRST) == manifest.stamp_differences(FAR) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, []),
        ({"seed": 6, "repeats": 61}, ["seed is 6, was 5", "repeats is 61, was 60"]),
        ({"grid": {}, "fixed": {"game": "pebbles", "draw": {}, "bots": "random"}},
         ["fixed.bots is new", "grid.bots is left out"]),
        ({"fixed": {"game": "pebbles", "draw": {"p": 0.5}}}, ["fixed.draw.p is new"]),
        ({"grid": {"bots": [["random", {"a": 1}]]}}, ["grid.bots has changed"]),
    ],
)  # fmt: skip
def test_differences_of_studies_are_told_key_by_key(changes, told, study):
    document = {**study.content["document"], **changes}
    changed = SimpleNamespace(content={**study.content, "document": document})
    assert Manifest(study, (FIRST,)).spec_differences(changed) == told
