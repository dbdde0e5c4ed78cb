"""What all pictures share."""

from pathlib import Path

import pytest
import typer

from tasuki.output import BAD_USAGE
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
