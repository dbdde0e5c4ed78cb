"""What `tasuki decisions export` writes is read by the hosts, and they do as it says."""

import json
import re

import pytest

from tasuki.decision_export import export


def decisions(*winners, ranks=4, collective="alltoall"):
    return [
        {
            "collective": collective,
            "ranks": ranks,
            "bytes": size,
            "placement": f"1x{ranks}",
            "winner": winner,
            "calls": 1,
        }
        for size, winner in winners
    ]


def receivers_of_first(runner, folder, rules, ranks, call):
    """To whom rank 0 sends at least the bytes of COLLECTIVE:BYTES, by Open MPI's monitoring."""
    file = folder / "rules.conf"
    file.write_text(rules)
    settings = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(file),
        "OMPI_MCA_pml_monitoring_enable": "1",
        "OMPI_MCA_pml_monitoring_enable_output": "1",
    }
    result = runner.native(ranks, [runner.program("exported"), call], settings)
    result.expect_ok()
    assert f"{call} right" in result.output, result.explain()
    # The launcher may put the beginning of a line behind what it has of another rank's.
    if not (lines := re.findall(r"E\t0\t(\d+)\t(\d+) bytes", result.output)):
        pytest.skip("this Open MPI cannot count messages")
    collective, _, size = call.rpartition(":")
    # Parts of a vector count, and those of other calls, of a few bytes, do not.
    least = int(size) if collective in ("", "alltoall") else int(size) // ranks
    return {int(to) for to, count in lines if int(count) >= least}


def test_open_mpi_sends_as_it_is_told(runner, tmp_path):
    """Its monitoring counts messages: Bruck sends none to the rank that is opposite, at four ranks
    to the third; what Open MPI chooses itself at these sizes sends to all."""
    if runner.host.abi != "openmpi":
        pytest.skip("a file of dynamic rules is Open MPI's")
    rules = export("openmpi", decisions((64, "bruck:radix=2"), (1024, "pairwise"))).text

    def receivers(ranks, size):
        return receivers_of_first(runner, tmp_path, rules, ranks, size)

    assert receivers(4, "64") == {1, 2}
    assert receivers(4, "1024") == {1, 2, 3}
    assert receivers(4, "16") == {1, 2, 3}, "a size below what was learnt"
    assert receivers(3, "64") == {1, 2}
    assert receivers(5, "64") == {1, 2, 3, 4}, "a number of ranks that was not learnt"


@pytest.mark.parametrize(
    ("collective", "winner", "receivers"),
    [
        ("allreduce", "recursive-doubling", {1, 2}),
        ("bcast", "binomial", {1, 2}),
        ("bcast", "knomial:radix=4", {1, 2, 3}),
    ],
)
def test_open_mpi_knows_the_algorithms_of_other_collectives(
    runner, tmp_path, collective, winner, receivers
):
    if runner.host.abi != "openmpi":
        pytest.skip("a file of dynamic rules is Open MPI's")
    rules = export("openmpi", decisions((4096, winner), collective=collective)).text
    call = f"{collective}:4096"
    assert receivers_of_first(runner, tmp_path, rules, 4, call) == receivers


def test_open_mpi_is_right_by_all_that_is_exported(runner, tmp_path):
    """Also of operations that do not commute."""
    if runner.host.abi != "openmpi":
        pytest.skip("a file of dynamic rules is Open MPI's")
    program = runner.program("exported")
    file = tmp_path / "rules.conf"
    settings = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(file),
    }
    for winner in ("rabenseifner", "recursive-doubling"):
        file.write_text(
            export("openmpi", decisions((4096, winner), collective="allreduce")).text
            or pytest.fail(winner)
        )
        calls = ["allreduce:4096", "allreduce-in-order:4096"]
        result = runner.native(4, [program, *calls], settings)
        assert all(f"{call} right" in result.output for call in calls), result.explain()

    file.write_text(
        export("openmpi", decisions((4096, "scatter-allgather"), collective="bcast")).text
    )
    result = runner.native(4, [program, "bcast:4096"], settings)
    assert "bcast:4096 right" in result.output, result.explain()


def test_why_some_is_not_exported_to_open_mpi(runner, tmp_path):
    """Its ring is wrong for operations that do not commute, and with rules for allgather ranks wait
    for ever where what is said of a buffer that is not used differs between them."""
    if runner.host.abi != "openmpi":
        pytest.skip("a file of dynamic rules is Open MPI's")
    program = runner.program("exported")
    file = tmp_path / "rules.conf"
    settings = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(file),
    }
    for number, line, call in (
        (2, "4096 4 0 0", "allreduce-in-order:4096"),
        (0, "4096 4 0 0", "allgather-in-place:4096"),
    ):
        file.write_text(f"1\n{number}\n1\n0\n2\n0 0 0 0\n{line}\n")
        result = runner.native(4, [program, call], settings, seconds=8)
        assert f"{call} right" not in result.output, result.explain()
        result = runner.native(4, [program, call])
        assert f"{call} right" in result.output, result.explain()


def test_mpich_does_as_it_is_told(runner, tmp_path):
    """One leaf is exchanged for an algorithm for MPI_IN_PLACE: a call that comes there goes wrong,
    and no other."""
    if runner.host.abi != "mpich" or runner.host.name == "intel":
        pytest.skip("a file of selections is MPICH's")
    rows = decisions((64, "bruck:radix=2"), (1024, "spread:window=0"), (2048, "pairwise"))
    text = export("mpich", rows, runner.host.library).text
    assert "MPIR_Alltoall_intra_brucks" in text
    program = runner.program("exported")
    file = tmp_path / "selection.json"
    settings = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(file)}
    sizes = ["16", "64", "2048", "1024"]

    file.write_text(text)
    runner.native(4, [program, *sizes], settings).expect_ok()

    selection = json.loads(text)
    four = selection["collective=alltoall"]["comm_type=intra"]["is_sendbuf_inplace=no"]
    assert four["comm_size<=4"]["avg_msg_size<=2047"] == {
        "algorithm=MPIR_Alltoall_intra_scattered": {}
    }
    four["comm_size<=4"]["avg_msg_size<=2047"] = {
        "algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace": {}
    }
    file.write_text(json.dumps(selection))
    trapped = runner.native(4, [program, *sizes], settings).output
    assert [size for size in sizes if f"{size} right" in trapped] == ["16", "64", "2048"], trapped
    for ranks in (3, 5):
        result = runner.native(ranks, [program, *sizes], settings)
        assert "1024 right" in result.output, result.explain()


@pytest.mark.parametrize(
    ("collective", "winner", "wrong"),
    [
        ("allgather", "ring", "MPIR_Allgather_intra_recursive_doubling"),
        ("bcast", "scatter-allgather", "MPIR_Bcast_inter_remote_send_local_bcast"),
    ],
)
def test_mpich_does_other_collectives_as_it_is_told(runner, tmp_path, collective, winner, wrong):
    """As above: of three ranks, which are no power of two, and among which there are no others, a
    call that comes to the leaf ends the program."""
    if runner.host.abi != "mpich" or runner.host.name == "intel":
        pytest.skip("a file of selections is MPICH's")
    rows = decisions((3072, winner), (6144, "native"), ranks=3, collective=collective)
    text = export("mpich", rows, runner.host.library).text
    program = runner.program("exported")
    file = tmp_path / "selection.json"
    settings = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(file)}
    calls = [f"{collective}:{size}" for size in (1536, 6144, 3072)]
    more = ["allgather-in-place:3072"] if collective == "allgather" else []

    file.write_text(text)
    result = runner.native(3, [program, *calls, *more], settings)
    result.expect_ok()
    assert all(f"{call} right" in result.output for call in [*calls, *more]), result.explain()

    selection = json.loads(text)
    by_size = selection[f"collective={collective}"]["comm_type=intra"]["comm_size<=3"]
    (leaf,) = [size for size in by_size if size.endswith("<=6143")]
    assert winner.split("-")[-1].split(":")[0] in next(iter(by_size[leaf]))
    by_size[leaf] = {f"algorithm={wrong}": {}}
    file.write_text(json.dumps(selection))
    trapped = runner.native(3, [program, *calls], settings)
    assert [call for call in calls if f"{call} right" in trapped.output] == calls[:2]
    assert trapped.code != 0, trapped.explain()


def test_intel_takes_the_algorithms(runner):
    """It says which algorithm it will ignore; which one a call runs it does not tell."""
    if runner.host.name != "intel":
        pytest.skip("I_MPI_ADJUST is Intel's")
    rows = decisions((64, "bruck:radix=2"), (1024, "pairwise"), (4096, "spread:window=0"))
    rows += decisions((64, "bruck:radix=2"), (4096, "ring"), collective="allgather")
    rows += decisions((64, "recursive-doubling"), (4096, "rabenseifner"), collective="allreduce")
    rows += decisions((64, "binomial"), collective="bcast")
    lines = export("intel", rows).text.splitlines()
    assert len(lines) == 4
    exported = dict(line.split("=", 1) for line in lines)
    calls = ["64", "1024", "4096", "allgather:64", "allgather:4096", "allgather-in-place:4096"]
    calls += ["allreduce:4096", "allreduce-in-order:64", "allreduce-in-order:4096", "bcast:64"]
    program = runner.program("exported")
    told = runner.native(4, [program, *calls], {**exported, "I_MPI_DEBUG": "5"})
    told.expect_ok()
    assert all(f"{call} right" in told.output for call in calls), told.explain()
    assert all(line in told.output for line in lines), told.explain()
    assert "will be ignored" not in told.output
    for name in exported:
        wrong = runner.native(2, [program, "64"], {name: "77", "I_MPI_DEBUG": "5"})
        assert "will be ignored" in wrong.output, wrong.explain()
