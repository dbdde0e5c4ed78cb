"""`tasuki decisions`."""

import json
import re
import shlex

import pytest
from typer.testing import CliRunner

from tasuki.cli import app
from tasuki.decision_export import MARGIN, export
from tasuki.decision_reasons import reason
from tasuki.mpich_selection import own_selection

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "read_decisions"):
    pytest.skip("tasuki._core is older than kept decisions", allow_module_level=True)


def digest(text: str) -> str:
    """The checksum of a file of decisions: FNV-1a, folded to 52 bits."""
    state = 0xCBF29CE484222325
    for byte in [*text.encode(), 0]:
        state = (state ^ byte) * 0x100000001B3 % 2**64
    return f"{(state ^ state >> 52) & 0xFFFFFFFFFFFFF:013x}"


def write_book(path, winners: dict[int, str], ranks: int = 32, margin: str = "0.13"):
    text = "tasuki-decisions 1\nfingerprint Open MPI 5.0.3, xeon\n"
    for size, winner in winners.items():
        text += f"key alltoall bytes={size} ranks={ranks} placement=8x4 oversubscribed=no\n"
        text += f"winner {winner}\nmargin {margin}\ncalls 20000\nswitched-at 42\nrelearnings 1\n"
        text += "common-drifts 0\nlearning-seconds 0.002\nsaved-seconds 1.5\n"
        text += "candidate slower - 2e-05 40 native\n"
        text += f"candidate winner 1e-05 1.2e-05 900 {winner}\n"
        text += "candidate predicted 0.001 - 0 ring\ncandidate waiting 2e-05 1e-05 3 pairwise\n"
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


def test_show_tells_the_parameters_of_predictions(cache):
    """Files that do not tell them are as good."""
    assert "not told" in run("show").stdout
    text = (
        (cache / "decisions-0").read_text().replace("xeon\n", "xeon\nparameters built-in, quick\n")
    )
    body = text[: text.rindex("checksum")]
    (cache / "decisions-0").write_text(f"{body}checksum {digest(body)}\n")
    assert "built-in, quick" in run("show").stdout
    (book,) = json.loads(run("show", "--json", "-").stdout)
    assert book["parameters"] == "built-in, quick"


def test_explain_gives_every_reason(cache):
    text = run("explain", "--size", "64").stdout
    for word in ("bruck:radix=4", "cut by prediction", "20 us", "saved 1.5 s", "after 250 calls"):
        assert word in text, word
    assert "13.0 % ahead of the next" in " ".join(text.split())
    assert run("explain", "--size", "128").exit_code == 1


def test_explain_says_what_was_not_learnt_to_the_end(cache):
    """A candidate that was timed a few times has been measured, and may look better."""
    write_book(cache / "decisions-0", {64: "bruck:radix=4"}, margin="-0.27")
    text = run("explain").stdout
    (line,) = [line for line in text.splitlines() if "pairwise" in line]
    assert "10 us" in line and "not measured in full" in line
    assert "another took 27.0 % less in the calls that were measured" in " ".join(text.split())
    assert "ahead" not in text


def test_diff_names_keys_that_differ(tmp_path):
    first = write_book(tmp_path / "a", {64: "bruck:radix=4", 96: "ring"})
    second = write_book(tmp_path / "b", {64: "spread:window=0", 96: "ring"})
    rows = json.loads(run("diff", str(first), str(second), "--json", "-").stdout)
    assert [(row["first"], row["second"]) for row in rows] == [("bruck:radix=4", "spread:window=0")]
    assert "the same keys" in run("diff", str(first), str(first)).stdout
    strange = write_book(tmp_path / ("[b]" + "long" * 20), {64: "ring"})
    told = run("diff", str(first), str(strange)).stdout
    assert "[b]" in told and "…" not in told


def test_forget_takes_out_keys_or_everything(cache):
    assert run("forget").exit_code == 2
    unknown = run("forget", "--collective", "alltoal")
    assert unknown.exit_code == 1 and "There are keys of" in unknown.output
    assert "forgot 1 keys" in run("forget", "--size", "64").stdout
    assert len(json.loads(run("show", "--json", "-").stdout)[0]["decisions"]) == 1
    assert run("forget", "--all").exit_code == 0
    assert "no decisions are kept" in run("show").output
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(
    "filter_",
    [("--size", "64"), ("--ranks", "32"), ("--collective", "bcast"), ("--placement", "8x4")],
)
def test_whole_files_are_not_forgotten_by_key(cache, filter_):
    result = run("forget", "--all", *filter_)
    assert result.exit_code == 2
    assert "leave it out to forget only these keys" in " ".join(result.stderr.split())
    assert (cache / "decisions-0").exists()


def test_only_files_of_decisions_are_forgotten(cache, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    foreign = elsewhere / "decisions-of-the-board"
    foreign.write_text('{"rows": []}\n')
    result = run("forget", "--all", "--file", str(foreign))
    assert result.exit_code == 2
    assert "as files of decisions do" in " ".join(result.stderr.split())
    assert foreign.exists()
    assert "forget --all" not in run("show", "--file", str(foreign)).stderr
    damaged = elsewhere / "monday.dec"
    damaged.write_text("tasuki-decisions 1\nrubbish\n")
    assert "forget --all" in run("show", "--file", str(damaged)).stderr
    assert run("forget", "--all", "--file", str(damaged)).exit_code == 0
    empty = cache / "decisions-1"
    empty.touch()
    assert run("forget", "--all", "--file", str(empty)).exit_code == 0
    assert not damaged.exists() and not empty.exists()


def test_a_damaged_file_is_explained(cache):
    path = cache / "decisions-0"
    path.write_text(path.read_text().replace("bruck", "brick"))
    result = run("show")
    assert result.exit_code == 1
    assert "the checksum does not fit" in result.output.replace("\n", " ")


def test_one_damaged_file_does_not_hide_the_others(cache):
    """Scripts know by the exit code that they were not told all."""
    (cache / "decisions-1").write_text("tasuki-decisions 1\nrubbish\n")
    write_book(cache / "decisions-2", {96: "ring"})
    for command in (("show",), ("explain",), ("forget", "--size", "4K")):
        result = run(*command)
        assert result.exit_code == 1, command
        assert "decisions-1" in result.stderr
        (hint,) = re.findall("`tasuki decisions (.*?)`", result.stderr)
        assert hint == f"forget --all --file {cache / 'decisions-1'}"
        assert result.stdout
    books = json.loads(run("show", "--json", "-").stdout)
    assert [[row["bytes"] for row in book["decisions"]] for book in books] == [[64], [96]]
    assert run(*shlex.split(hint)).exit_code == 0
    assert not (cache / "decisions-1").exists()
    assert run("explain", "--size", "96", "--file", str(cache / "decisions-2")).exit_code == 0


def write_keys(path, *keys):
    text = "tasuki-decisions 1\nfingerprint Open MPI 5.0.3, xeon\n"
    for key in keys:
        text += f"key {key}\nwinner native\nmargin 0\ncalls 9\nswitched-at 4\nrelearnings 0\n"
        text += "common-drifts 0\nlearning-seconds 0\nsaved-seconds 0\n"
        text += "candidate winner - 2e-05 40 native\n"
    path.write_text(text + f"checksum {digest(text)}\n")


def test_one_key_of_many_can_be_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("TASUKI_CACHE", str(tmp_path))
    keys = [
        f"{collective} bytes=4096 ranks=8 placement={placement} oversubscribed=no"
        for collective in ("allreduce", "bcast")
        for placement in ("1x8", "2x4")
    ]
    write_keys(tmp_path / "decisions-0", *keys)

    def found(*arguments):
        return [row["key"] for row in json.loads(run(*arguments, "--json", "-").stdout)]

    assert found("explain", "--collective", "bcast", "--placement", "2x4") == [keys[3]]
    assert found("explain", "--collective", "allreduce") == keys[:2]
    assert found("explain", "--placement", "1x8", "--size", "5K") == [keys[0], keys[2]]
    assert run("explain", "--size", "6K").exit_code == 1, "is in the next bucket"
    assert run("explain", "--size", "many").exit_code == 2
    assert "forgot 1 keys" in run("forget", "--collective", "bcast", "--placement", "2x4").stdout
    assert found("explain") == keys[:3]


def candidate(name, fate, predicted, measured=None):
    return {"name": name, "fate": fate, "predicted": predicted, "measured": measured}


def test_explain_tells_the_limit_that_a_candidate_was_over():
    decision = {
        "oversubscribed": False,
        "candidates": [
            candidate("native", "slower", None, 20e-6),
            candidate("bruck", "winner", 10e-6, 5e-6),
            candidate("spread", "hopeless", 12e-6, 9e-6),
            candidate("ring", "predicted", 30e-6),
            candidate("pairwise", "predicted", 41e-6),
            candidate("node-aware", "predicted", 11e-6),
        ],
    }
    told = {each["name"]: reason(each, decision) for each in decision["candidates"]}
    assert told["bruck"] == "in use"
    assert told["spread"] == "given up after the first look: over 1.5 x the best until then"
    assert told["pairwise"] == "cut by prediction: over 4 x the shortest prediction, 40 us"
    assert told["ring"] == (
        "cut by prediction: 15 us with the luck of the luckiest, over 2 x the best measured, 10 us"
    )
    assert told["node-aware"] == "cut by prediction, never measured in full"
    shared = reason(decision["candidates"][2], {**decision, "oversubscribed": True})
    assert "over 2 x the best" in shared
    shared = reason(decision["candidates"][3], {**decision, "oversubscribed": True})
    assert shared.endswith("over 1.5 x the best measured, 7.5 us")


def test_explain_reckons_the_luck_of_each_carrier_alone():
    candidates = [
        candidate("native", "slower", None, 20e-6),
        candidate("bruck:carrier=memory", "winner", 10e-6, 4e-6),
        candidate("bruck", "hopeless", 20e-6, 18e-6),
        candidate("ring", "predicted", 30e-6),
    ]
    told = reason(candidates[3], {"oversubscribed": False, "candidates": candidates})
    assert told == (
        "cut by prediction: 27 us with the luck of the luckiest, over 2 x the best measured, 8 us"
    )


def test_explain_tells_the_wider_limit_where_none_of_the_carrier_was_measured():
    candidates = [
        candidate("native", "winner", None, 20e-6),
        candidate("bruck", "predicted", 45e-6),
        candidate("ring", "predicted", 100e-6),
    ]
    told = reason(candidates[2], {"oversubscribed": True, "candidates": candidates})
    assert told == (
        "cut by prediction: 44.4 us with the luck of the luckiest, "
        "over 2 x the best measured, 40 us"
    )


def test_what_export_asks_of_another_is_what_a_run_asks():
    assert core.selection_limits(False)["margin"] == MARGIN


def test_export_speaks_the_hosts_words(tmp_path, monkeypatch):
    monkeypatch.setenv("TASUKI_CACHE", str(tmp_path))
    kept = write_book(tmp_path / "decisions-0", {64: "bruck:radix=2", 4096: "spread:window=0"})
    rules = run("export", "openmpi").stdout
    numbers = [line.partition("#")[0].split() for line in rules.splitlines()]
    assert numbers == [
        ["1"], ["3"], ["3"],
        ["0"], ["1"], ["0", "0", "0", "0"],
        ["32"], ["3"], ["0", "0", "0", "0"], ["2048", "3", "0", "0"], ["131072", "1", "0", "0"],
        ["33"], ["1"], ["0", "0", "0", "0"],
    ]  # fmt: skip
    assert run("export", "intel", "--file", str(kept)).stdout == (
        "I_MPI_ADJUST_ALLTOALL=1:64-4095@32-32;2:4096-2147483647@32-32\n"
    )
    assert "no format" in run("export", "mvapich").output


def test_decisions_of_another_mpi_are_not_exported(cache):
    assert run("export", "intel").exit_code == 1
    assert "no decision that the host has" in run("export", "intel").output


def test_what_the_host_cannot_do_better_stays_its_own(tmp_path):
    file = write_book(tmp_path / "d", {64: "bruck:radix=2", 256: "native", 4096: "ring"}, ranks=8)
    result = run("export", "openmpi", "--file", str(file))
    assert "512 3 0 0\n2048 0 0 0\n32768 0 0 0\n" in result.stdout
    (told,) = [line for line in result.stderr.splitlines() if "left to the host" in line]
    assert "bytes=4096" in told
    assert "ring has no counterpart in Open MPI" in told
    assert run("export", "intel", "--file", str(file)).stdout == (
        "I_MPI_ADJUST_ALLTOALL=1:64-255@8-8\n"
    )


OWN = {"algorithm=their_own": {}}


@pytest.fixture
def mpich_library(tmp_path):
    """A library with what MPICH's holds: several tables, the largest for all collectives."""
    tables = [
        {"collective=bcast": {}},
        {
            "collective=bcast": {},
            "collective=alltoall": {
                "comm_type=intra": {"is_sendbuf_inplace=yes": {}, "is_sendbuf_inplace=no": OWN}
            },
        },
    ]
    library = tmp_path / "libmpi.so.12"
    texts = ['{"collective=', *(json.dumps(table, separators=(",", ":")) for table in tables)]
    library.write_bytes(b"\x7fELF" + b"".join(text.encode() + b"\0" for text in texts) + b"\xff")
    return library


def test_export_to_mpich_keeps_what_it_decides_by_itself(mpich_library):
    def row(ranks, size, winner):
        return {
            "collective": "alltoall", "ranks": ranks, "bytes": size, "winner": winner, "calls": 1,
        }  # fmt: skip

    rows = [row(4, 64, "bruck:radix=2"), row(4, 1024, "native"), row(4, 8192, "pairwise")]
    rows += [row(5, 0, "spread:window=0"), row(9, 64, "native")]
    tree = json.loads(export("mpich", rows, mpich_library).text)
    assert tree["collective=bcast"] == {}
    intra = tree["collective=alltoall"]["comm_type=intra"]
    assert intra["is_sendbuf_inplace=yes"] == {}
    assert intra["is_sendbuf_inplace=no"] == {
        "comm_size<=3": OWN,
        "comm_size<=4": {
            "avg_msg_size<=63": OWN,
            "avg_msg_size<=1023": {"algorithm=MPIR_Alltoall_intra_brucks": {}},
            "avg_msg_size<=8191": OWN,
            "avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_pairwise": {}},
        },
        "comm_size<=5": {"avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_scattered": {}}},
        "comm_size=any": OWN,
    }
    assert export("mpich", [row(4, 64, "native")], mpich_library).text == ""


def test_a_library_without_a_table_is_no_mpich(tmp_path):
    library = tmp_path / "libmpi.so"
    library.write_bytes(b"\x7fELF")
    with pytest.raises(ValueError, match="holds no table"):
        own_selection(library)
