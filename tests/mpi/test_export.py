"""What `tasuki decisions export` writes is read by the hosts, and they do as it says."""

import json
import re

import pytest

from tasuki.decision_export import export_text


def decisions(*winners, ranks=4):
    return [
        {"collective": "alltoall", "ranks": ranks, "bytes": size, "winner": winner, "calls": 1}
        for size, winner in winners
    ]


def test_open_mpi_sends_as_it_is_told(runner, tmp_path):
    """Its monitoring counts messages: Bruck sends none to the rank that is opposite, at four ranks
    to the third; what Open MPI chooses itself at these sizes sends to all."""
    if runner.host.abi != "openmpi":
        pytest.skip("a file of dynamic rules is Open MPI's")
    rules = tmp_path / "rules.conf"
    rules.write_text(export_text("openmpi", decisions((64, "bruck:radix=2"), (1024, "pairwise"))))
    settings = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(rules),
        "OMPI_MCA_pml_monitoring_enable": "1",
        "OMPI_MCA_pml_monitoring_enable_output": "1",
    }
    program = runner.program("exported")

    def receivers(ranks, size):
        result = runner.native(ranks, [program, size], settings)
        result.expect_ok()
        if not (lines := re.findall(r"^E\t0\t(\d+)\t(\d+) bytes", result.output, re.MULTILINE)):
            pytest.skip("this Open MPI cannot count messages")
        return {int(to) for to, count in lines if int(count) >= int(size)}

    assert receivers(4, "64") == {1, 2}
    assert receivers(4, "1024") == {1, 2, 3}
    assert receivers(4, "16") == {1, 2, 3}, "a size below what was learnt"
    assert receivers(3, "64") == {1, 2}
    assert receivers(5, "64") == {1, 2, 3, 4}, "a number of ranks that was not learnt"


def test_mpich_does_as_it_is_told(runner, tmp_path):
    """One leaf is exchanged for an algorithm for MPI_IN_PLACE: a call that comes there goes wrong,
    and no other."""
    if runner.host.abi != "mpich" or runner.host.name == "intel":
        pytest.skip("a file of selections is MPICH's")
    rows = decisions((64, "bruck:radix=2"), (1024, "spread:window=0"), (2048, "pairwise"))
    text = export_text("mpich", rows, runner.host.library)
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


def test_intel_takes_the_algorithms(runner):
    """It says which algorithm it will ignore; which one a call runs it does not tell."""
    if runner.host.name != "intel":
        pytest.skip("I_MPI_ADJUST is Intel's")
    rows = decisions((64, "bruck:radix=2"), (1024, "pairwise"), (4096, "spread:window=0"))
    name, _, value = export_text("intel", rows).strip().partition("=")
    program = runner.program("exported")
    told = runner.native(4, [program, "64", "1024", "4096"], {name: value, "I_MPI_DEBUG": "5"})
    told.expect_ok()
    assert f"{name}={value}" in told.output
    assert "will be ignored" not in told.output
    wrong = runner.native(2, [program, "64"], {name: "77", "I_MPI_DEBUG": "5"})
    assert "will be ignored" in wrong.output, wrong.explain()
