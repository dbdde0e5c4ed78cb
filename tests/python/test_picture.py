"""What all pictures share."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from tasuki.output import BAD_USAGE, FAILED
from tasuki.picture import KINDS, check_picture, new_figure, save_figure


@pytest.mark.parametrize("kind", [*KINDS, ".PNG"])
def test_a_kind_that_can_be_drawn_is_drawn(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "new" / f"figure{kind}"
    assert check_picture(file) == file
    figure = new_figure(2, 1)
    figure.subplots().plot([1, 2])
    save_figure(figure, file)
    assert file.stat().st_size > 1000


def test_no_picture_is_no_error() -> None:
    assert check_picture(None) is None


@pytest.mark.parametrize("name", ["figure", "figure.gif", "png"])
def test_another_kind_ends_the_command(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with pytest.raises(typer.Exit) as ended:
        check_picture(Path(name))
    assert ended.value.exit_code == BAD_USAGE
    told = " ".join(capsys.readouterr().err.split())
    assert f"{name} tells no kind" in told and ", ".join(KINDS) in told


def test_a_picture_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(typer.Exit) as ended:
        save_figure(new_figure(2, 1), tmp_path / "taken.png")
    assert ended.value.exit_code == FAILED
    assert "taken.png cannot be written: Is a directory" in capsys.readouterr().err


@pytest.mark.parametrize("has_cache", [True, False])
def test_the_users_settings_are_let_alone(tmp_path: Path, has_cache: bool) -> None:
    """Also where no folder can be made there: matplotlib's warnings are in no picture's way."""
    pytest.importorskip("tasuki._core")
    home, cache = tmp_path / "home", tmp_path / "cache"
    home.mkdir()
    if not has_cache:
        cache.touch()
    names = ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    others = {name: value for name, value in os.environ.items() if name not in names}
    drawn = subprocess.run(
        [
            sys.executable,
            "-m",
            "tasuki",
            "fabric",
            "show",
            "2-ary-2-tree",
            "--picture",
            str(tmp_path / "fabric.png"),
        ],
        env=others | {"HOME": str(home), "TASUKI_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert drawn.stderr == ""
    assert list(home.iterdir()) == []
    assert (cache / "matplotlib").is_dir() == has_cache
