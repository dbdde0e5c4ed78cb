"""Where `--json` writes."""

import json
from pathlib import Path

import pytest

from tasuki.output import console, wrote_to_screen

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


def test_scripts_get_lines_whole(capsys: pytest.CaptureFixture[str]):
    line = "/a/folder/with/a/long/name" * 4 + ": forgot 1 keys"
    console.print(line)
    assert capsys.readouterr().out == line + "\n"
