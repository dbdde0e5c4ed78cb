"""Where `--json` writes."""

import json
from pathlib import Path

import pytest
import typer
from rich.table import Table

from tasuki.output import (
    LEAST_WIDTH,
    LineConsole,
    check_json,
    console,
    fail,
    write_json,
    wrote_to_screen,
)
from tasuki.picture import check_picture
from tasuki.temporary import temporary_folder

DOCUMENT = {"rows": [1, 2]}


def test_a_file_is_written_in_new_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "new" / "result.json"
    assert not wrote_to_screen(DOCUMENT, file)
    assert json.loads(file.read_text()) == DOCUMENT
    assert capsys.readouterr().out == ""


def test_a_dash_is_the_screen(capsys: pytest.CaptureFixture[str]):
    assert wrote_to_screen(DOCUMENT, Path("-"))
    assert json.loads(capsys.readouterr().out) == DOCUMENT


def test_without_the_option_nothing_is_written(capsys: pytest.CaptureFixture[str]):
    assert not wrote_to_screen(DOCUMENT, None)
    assert capsys.readouterr().out == ""


def test_a_folder_is_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(typer.Exit):
        check_json(tmp_path)
    assert "expected a file in it" in capsys.readouterr().err
    assert check_json(tmp_path / "new.json") == tmp_path / "new.json"
    assert check_json(None) is None


def test_what_cannot_be_a_file_is_told_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "file").touch()
    for check, name in ((check_json, "x.json"), (check_picture, "x.png")):
        with pytest.raises(typer.Exit):
            check(tmp_path / "file" / "new" / name)
        assert "file is no folder that files could be in" in capsys.readouterr().err
        assert check(tmp_path / "new" / name) == tmp_path / "new" / name
    assert not (tmp_path / "new").exists()


def test_json_has_null_for_what_is_no_number(tmp_path: Path):
    write_json({"ratio": float("nan"), "rows": [(1.5, float("inf"))]}, tmp_path / "result.json")
    text = (tmp_path / "result.json").read_text()
    assert json.loads(text) == {"ratio": None, "rows": [[1.5, None]]}


def test_folders_of_commands_tell_whose_they_are():
    with temporary_folder() as folder:
        assert Path(folder).name.startswith("tasuki-command-")
    assert not Path(folder).exists()


def test_what_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(typer.Exit):
        wrote_to_screen(DOCUMENT, Path("/dev/full"))
    assert "/dev/full cannot be written: No space left" in capsys.readouterr().err


def test_scripts_get_lines_whole(capsys: pytest.CaptureFixture[str]):
    line = "/a/folder/with/a/long/name" * 4 + ": forgot 1 keys"
    console.print(line)
    assert capsys.readouterr().out == line + "\n"


def test_what_names_hold_is_no_markup(capsys: pytest.CaptureFixture[str]):
    console.print("/tmp/[b]/:x:/[/b]")
    console.print(Table("[red]", title=":smile:"))
    told = capsys.readouterr().out
    assert "/tmp/[b]/:x:/[/b]\n" in told
    assert "[red]" in told and ":smile:" in told
    with pytest.raises(typer.Exit):
        fail("[/x] :x:")
    assert capsys.readouterr().err == "tasuki: [/x] :x:\n"


@pytest.mark.parametrize("columns", ["0", "20"])
def test_a_narrow_screen_loses_nothing(monkeypatch: pytest.MonkeyPatch, columns: str):
    monkeypatch.setenv("COLUMNS", columns)
    assert LineConsole().width == LEAST_WIDTH
    monkeypatch.setenv("COLUMNS", "132")
    assert LineConsole().width == 132
