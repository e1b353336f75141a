"""The corpus: it stays what it is, and whoever judges by it alone accuses nobody whom the referee does not accuse."""

import gzip
import json

import pytest

from brickphys.errors import InvalidValueError
from brickphys.vehicles.referee.answer_schema import answer_of
from brickphys.vehicles.referee.corpus import corpus, corpus_answer
from brickphys.vehicles.referee.judgement import judge_answer
from brickphys.vehicles.scene_file import scene_in, scene_tables
from brickphys.vehicles.validation.corpus_scenes import corpus_scene
from brickphys.vehicles.validation.random_things import SceneKind
from tests.vehicles.referee import checkers

KINDS = list(SceneKind)
ONE_PIECE = {*KINDS[: KINDS.index(SceneKind.SHAPES)]} - {
    SceneKind.COURSE,
    SceneKind.BORDER,
    SceneKind.SWING,
}
"""Kinds that the checkers understand: convex outlines, one piece, far from the border."""


def place(hit):
    at = hit.get("turned_deg")
    return hit["distance"] if at is None else at


def is_right(hits, right):
    """Judge the hits of one piece by an answer of the corpus alone."""
    sure = {hit["id"]: hit for hit in right["hits"] if "within" in hit}
    said = {hit["id"]: hit for hit in hits if hit["id"] not in right["undecided"]}
    return said.keys() == sure.keys() and all(
        abs(place(said[name]) - place(sure[name])) <= sure[name]["within"] for name in sure
    )


@pytest.fixture(scope="module")
def answered():
    """Scenes of kinds that the checkers understand, six of each, with their answers."""
    drawn = (corpus_scene(8, index) for index in range(6 * len(SceneKind)))
    scenes = [one.scene for one in drawn if one.kind in ONE_PIECE and not one.scene.lashed]
    return [(scene, corpus_answer(scene)) for scene in scenes]


def test_it_stays_what_it_is():
    made = corpus(3 * len(SceneKind), 2026)
    assert made.digests() == {"scenes": "49e087877820979a", "answers": "8136d376c40f4a96"}
    kinds = {json.loads(line)["id"].split("-")[0] for line in made.scenes.splitlines()}
    assert kinds == {kind.value for kind in SceneKind}


def test_its_answers_are_right():
    made = corpus(5 * len(SceneKind), 4)
    lines = [[json.loads(line) for line in text.splitlines()] for text in made]
    for scene, answer in zip(*lines, strict=True):
        assert scene.pop("id") == answer.pop("id")
        found = scene_in(scene)
        assert judge_answer("", found, answer_of(answer, "")) == (None, False)
        assert answer == corpus_answer(found)
        assert is_right(answer["hits"], answer)
        ids = {hit["id"] for hit in answer["hits"] if "within" in hit}
        assert ids.isdisjoint(answer["undecided"])
        assert ids.union(answer["undecided"]) <= {thing.id for thing in found.things}


@pytest.mark.parametrize("checker", [checkers.check, *checkers.BUGGY.values()])
def test_the_corpus_alone_accuses_nobody_whom_the_referee_does_not_accuse(checker, answered):
    wrong, accused = 0, 0
    for scene, right in answered:
        hits = checker({"id": "x", **scene_tables(scene)})
        fault = judge_answer("", scene, answer_of({"hits": hits}, "")).fault
        is_accused = not is_right(hits, right)
        assert fault or not is_accused
        wrong, accused = wrong + bool(fault), accused + is_accused
    assert (wrong == 0) == (checker is checkers.check)
    assert accused >= 0.9 * wrong


def test_it_is_written_packed_into_an_empty_folder(tmp_path):
    made = corpus(20, 1)
    paths = made.write(tmp_path / "new")
    assert [path.name for path in paths] == ["scenes.jsonl.gz", "answers.jsonl.gz"]
    assert [gzip.decompress(path.read_bytes()).decode() for path in paths] == list(made)
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in corpus(20, 1).write(tmp_path / "again")] == before


@pytest.mark.parametrize("scenes", [0, 10**7])
def test_an_absurd_number_of_scenes_is_refused(scenes):
    with pytest.raises(InvalidValueError, match=f"scenes {scenes} is outside"):
        corpus(scenes, 1)
