"""What makes a run use a choice: files for the launchers, and the environment of each host."""

from __future__ import annotations

from tasuki.fabric.choices.choice import Choice
from tasuki.fabric.topology import Fabric

UCX_VARIABLE = "UCX_IB_LID_PATH_BITS"

HONOURED_BY = f"""\
Who honours a LID offset (read in the sources, not tried on hardware):
- UCX (Open MPI's pml/ucx, MPICH's ch4:ucx): {UCX_VARIABLE}=k makes a process send to "base LID of
  the peer | k" (openucx/ucx src/uct/ib/base/ib_iface.c: ah_attr->dlid = lid | path_bits, where
  path_bits is the process's own setting and lid the peer's base LID). The SENDER chooses: use
  --chosen-by sender.
- Open MPI 1.x to 4.x btl/openib: btl_openib_max_lmc makes it use several LIDs of each port; it
  cannot name one for a host. The paper changed this component so that the RECEIVER chose:
  --chosen-by receiver.
- Other stacks: not known. Without LID offsets use --method contention-free-stock:
  the schedule alone helps.
"""


def hostfile(fabric: Fabric, choice: Choice, slots: list[int]) -> str:
    """For Open MPI: the hosts in the order in which ranks must fill them."""
    return _lines(
        f"{fabric.hosts[host].name} slots={count}"
        for host, count in zip(choice.hosts.tolist(), slots, strict=True)
    )


def machinefile(fabric: Fabric, choice: Choice, slots: list[int]) -> str:
    """For Hydra (MPICH, Intel MPI)."""
    return _lines(
        f"{fabric.hosts[host].name}:{count}"
        for host, count in zip(choice.hosts.tolist(), slots, strict=True)
    )


def rankfile(fabric: Fabric, choice: Choice, slots: list[int]) -> str:
    """For Open MPI's --map-by rankfile: rank by rank, where the order is all that matters."""
    lines, rank = [], 0
    for host, count in zip(choice.hosts.tolist(), slots, strict=True):
        for slot in range(count):
            lines.append(f"rank {rank}={fabric.hosts[host].name} slot={slot}")
            rank += 1
    return _lines(lines)


def environment(fabric: Fabric, choice: Choice, offsets: list[int]) -> str:
    """A shell script that each rank is started through: it sets the offset of its own host."""
    cases = "".join(
        f"    {fabric.hosts[host].name}) {UCX_VARIABLE}={offset} ;;\n"
        for host, offset in zip(choice.hosts.tolist(), offsets, strict=True)
    )
    return f"""\
#!/bin/sh
# Start each rank through this script: mpirun ... THIS ./application
# It gives every host its own LID offset; see docs/how-to/fabric.md.
case "${{TASUKI_HOSTNAME:-$(hostname -s)}}" in
{cases}    *) echo "$0: host $(hostname -s) is not in this job" >&2; exit 2 ;;
esac
export {UCX_VARIABLE}
exec "$@"
"""


def _lines(lines) -> str:
    return "\n".join(lines) + "\n"
