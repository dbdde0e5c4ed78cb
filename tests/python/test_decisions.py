"""`tasuki decisions`."""

import json

import pytest
from typer.testing import CliRunner

from tasuki.cli import app

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "read_decisions"):
    pytest.skip("tasuki._core is older than kept decisions", allow_module_level=True)


def digest(text: str) -> str:
    """The checksum of a file of decisions: FNV-1a, folded to 52 bits."""
    state = 0xCBF29CE484222325
    for byte in [*text.encode(), 0]:
        state = (state ^ byte) * 0x100000001B3 % 2**64
    return f"{(state ^ state >> 52) & 0xFFFFFFFFFFFFF:013x}"


def write_book(path, winners: dict[int, str], ranks: int = 32):
    text = "tasuki-decisions 1\nfingerprint Open MPI 5.0.3, xeon\n"
    for size, winner in winners.items():
        text += f"key alltoall bytes={size} ranks={ranks} placement=8x4 oversubscribed=no\n"
        text += f"winner {winner}\nmargin 0.13\ncalls 20000\nswitched-at 42\nrelearnings 1\n"
        text += "common-drifts 0\nlearning-seconds 0.002\nsaved-seconds 1.5\n"
        text += "candidate slower - 2e-05 40 native\n"
        text += f"candidate winner 1e-05 1.2e-05 900 {winner}\n"
        text += "candidate predicted 0.001 - 0 ring\n"
    path.write_text(text + f"checksum {digest(text)}\n")
    return path


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TASUKI_CACHE", str(tmp_path))
    write_book(tmp_path / "decisions-0", {64: "bruck:radix=4", 4096: "spread:window=0"})
    return tmp_path


def run(*arguments: str):
    return CliRunner().invoke(app, ["decisions", *arguments])


def test_show_lists_what_is_kept(cache):
    books = json.loads(run("show", "--json", "-").stdout)
    assert [row["winner"] for row in books[0]["decisions"]] == ["bruck:radix=4", "spread:window=0"]
    assert "Open MPI 5.0.3" in run("show", "--size", "4K").stdout


def test_explain_gives_every_reason(cache):
    text = run("explain", "--size", "64").stdout
    for word in ("bruck:radix=4", "cut by prediction", "20 us", "saved 1.5 s", "after 250 calls"):
        assert word in text, word
    assert run("explain", "--size", "128").exit_code == 1


def test_diff_names_keys_that_differ(tmp_path):
    first = write_book(tmp_path / "a", {64: "bruck:radix=4", 96: "ring"})
    second = write_book(tmp_path / "b", {64: "spread:window=0", 96: "ring"})
    rows = json.loads(run("diff", str(first), str(second), "--json", "-").stdout)
    assert [(row["first"], row["second"]) for row in rows] == [("bruck:radix=4", "spread:window=0")]
    assert "the same keys" in run("diff", str(first), str(first)).stdout


def test_forget_takes_out_keys_or_everything(cache):
    assert run("forget").exit_code == 2
    assert "forgot 1 keys" in run("forget", "--size", "64").stdout
    assert len(json.loads(run("show", "--json", "-").stdout)[0]["decisions"]) == 1
    assert run("forget", "--all").exit_code == 0
    assert "no decisions are kept" in run("show").output
    assert list(cache.iterdir()) == []


def test_a_damaged_file_is_explained(cache):
    path = cache / "decisions-0"
    path.write_text(path.read_text().replace("bruck", "brick"))
    result = run("show")
    assert result.exit_code == 1
    assert "the checksum does not fit" in result.output.replace("\n", " ")


def test_export_speaks_the_hosts_words(cache):
    rules = run("export", "openmpi").stdout.splitlines()
    assert rules[-2:] == ["2048 3 0 0", "131072 1 0 0"]
    assert run("export", "intel").stdout == (
        "I_MPI_ADJUST_ALLTOALL=1:64-4095@32-32;2:4096-2147483647@32-32\n"
    )
    assert "no format" in run("export", "mvapich").output
