"""The cache directory, where it is not as it should be."""

import os

import pytest
from typer.testing import CliRunner

from tasuki.cache import NO_CACHE
from tasuki.cli import app

core = pytest.importorskip("tasuki._core")

READING = (("decisions", "show"), ("decisions", "forget", "--all"), ("model", "list"))


def run(*arguments: str):
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize("arguments", READING)
def test_without_one_the_current_folder_is_let_alone(tmp_path, monkeypatch, arguments):
    for name in ("HOME", "XDG_CACHE_HOME", "TASUKI_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decisions-of-the-board").write_text("foreign")
    (tmp_path / "plogp-notes").write_text("foreign")
    result = run(*arguments)
    assert result.exit_code == 1
    assert NO_CACHE in " ".join(result.stderr.split())
    assert len(list(tmp_path.iterdir())) == 2
    assert run("model", "predict", "alltoall", "--sizes", "64", "--ranks", "4").exit_code == 0


@pytest.mark.parametrize("arguments", READING)
def test_one_that_cannot_be_entered_is_told(tmp_path, monkeypatch, arguments):
    folder = tmp_path / "cache"
    folder.write_text("a file in its place")
    monkeypatch.setenv("TASUKI_CACHE", str(folder))
    result = run(*arguments)
    assert result.exit_code == 1
    assert "cannot be looked into: Not a directory" in " ".join(result.stderr.split())
    folder.unlink()
    folder.mkdir()
    if os.geteuid() == 0:
        return  # whom no permission keeps out
    folder.chmod(0o400)
    result = run(*arguments)
    assert result.exit_code == 1
    assert "cannot be looked into: Permission denied" in " ".join(result.stderr.split())


def test_one_damaged_file_of_parameters_does_not_hide_the_others(tmp_path, monkeypatch):
    monkeypatch.setenv("TASUKI_CACHE", str(tmp_path))
    (tmp_path / "plogp-good").write_text(core.described_machines()[0]["parameters"])
    os.utime(tmp_path / "plogp-good", (1, 1))
    damaged = tmp_path / "plogp-new"
    damaged.write_text("rubbish")
    listed, shown = run("model", "list"), run("model", "show")
    assert (listed.exit_code, shown.exit_code) == (1, 0)
    assert str(tmp_path / "plogp-good") in listed.stdout
    assert "on-node latency" in shown.stdout
    for result in (listed, shown):
        assert f"`rm {damaged}` removes it" in " ".join(result.stderr.split())
    damaged.unlink()
    assert run("model", "list").exit_code == 0
