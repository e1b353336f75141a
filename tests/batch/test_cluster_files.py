"""The files of docs/clusters belong together, and give commands that there are."""

import runpy
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from brickphys.batch.spec import parse_spec
from brickphys.cli.batch import batch

FOLDER = Path(__file__).parents[2] / "docs" / "clusters"


def parsed(words: list[str]) -> dict[str, Any]:
    """Return the options of `batch run` in a command."""
    command = batch.commands["run"]
    with command.make_context("run", words[words.index("run") + 1 :]) as context:
        assert isinstance(context, click.Context)
        return context.params


class FakeCluster:
    """What slurm.py asks of dask-jobqueue; of its job 1 all workers are lost, of job 10 none."""

    scheduler_address = "tcp://10.0.0.1:40000"

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.worker_spec: dict[str, int] = {}
        self.scaled: list[int] = []
        self.scheduler_info: dict[str, Any] = {"workers": {}}

    def __enter__(self) -> "FakeCluster":
        return self

    def __exit__(self, *_: object) -> None: ...

    def scale(self, jobs: int) -> None:
        self.scaled.append(jobs)
        self.worker_spec = {"S-1": 1, "S-10": 1}

    def scale_down(self, jobs: list[str]) -> None:
        self.closed = jobs

    def sync(self, call: Any, jobs: list[str]) -> None:
        call(jobs)

    def work(self, *names: str) -> None:
        self.scheduler_info["workers"] = {name: {"name": name} for name in names}


def test_the_slurm_program_runs_the_study_and_replaces_jobs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[FakeCluster] = []
    ran: list[list[str]] = []

    def slurm_cluster(**options: Any) -> FakeCluster:
        made.append(FakeCluster(**options))
        return made[-1]

    class FakeRun:
        """A runner during which workers start, and those of a job are lost."""

        def __init__(self, command: list[str]) -> None:
            ran.append(command)
            self.returncode: int | None = None
            self.left = [("S-1-0", "S-1-1", "S-10-0"), ("S-1-1", "S-10-0"), ("S-10-0",)]

        def poll(self) -> int | None:
            self.returncode = None if self.left else 3
            return self.returncode

        def wait(self, _: float) -> None:
            made[0].work(*self.left.pop(0))

    jobqueue = SimpleNamespace(SLURMCluster=slurm_cluster)
    monkeypatch.setitem(sys.modules, "dask_jobqueue", jobqueue)
    monkeypatch.setattr("subprocess.Popen", FakeRun)
    monkeypatch.setattr(sys, "argv", ["slurm.py", "study.toml", "--out", "there", "--jobs", "2"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(FOLDER / "slurm.py"), run_name="__main__")
    assert ended.value.code == 3
    [cluster], [command] = made, ran
    assert (cluster.scaled, cluster.closed) == ([2, 2], ["S-1"])
    assert cluster.options["cores"] == cluster.options["processes"]  # a thread each
    options = parsed(command)
    assert (options["spec"], options["folder"]) == ("study.toml", Path("there"))
    assert (options["dask"], options["dask_wait"]) == (cluster.scheduler_address, 86_400)


def test_the_kubernetes_objects_fit_together() -> None:
    yaml = pytest.importorskip("yaml", reason="needs the extra cluster")
    text = (FOLDER / "kubernetes.yaml").read_text()
    study, claim, cluster, job = yaml.safe_load_all(text)
    assert [one["kind"] for one in (cluster, job)] == ["DaskCluster", "Job"]
    assert parse_spec(study["data"]["study.toml"], "study.toml", Path()).most_runs == 3_000_000
    roles = [cluster["spec"][role]["spec"] for role in ("scheduler", "worker")]
    pods = [*roles, job["spec"]["template"]["spec"]]
    [scheduler], [worker], [runner] = (pod["containers"] for pod in pods)
    assert scheduler["image"] == worker["image"] == runner["image"]
    assert pods[1]["nodeSelector"] == pods[2]["nodeSelector"]  # the stamp has the processor
    assert all(isinstance(word, str) for each in (scheduler, worker) for word in each["args"])
    options = parsed(runner["command"] + runner["args"])
    assert options["dask"] == f"tcp://{cluster['metadata']['name']}-scheduler:8786"
    volumes = {each["name"]: each for each in pods[2]["volumes"]}
    assert volumes["results"]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    assert volumes["study"]["configMap"]["name"] == study["metadata"]["name"]
    places = [each["mountPath"] for each in runner["volumeMounts"]]
    assert [options["spec"], str(options["folder"])] == [
        f"{places[0]}/study.toml",
        f"{places[1]}/batch",
    ]


def test_the_image_copies_what_there_is() -> None:
    lines = (FOLDER / "Containerfile").read_text().splitlines()
    steps = [shlex.split(line) for line in lines if line and not line.startswith("#")]
    assert steps[0][0] == "FROM"
    assert {step[0] for step in steps} == {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER"}
    copied = [name for step in steps if step[0] == "COPY" for name in step[1:-1]]
    assert all((FOLDER.parents[1] / name).exists() for name in copied)
    assert "requirements.lock" in copied
