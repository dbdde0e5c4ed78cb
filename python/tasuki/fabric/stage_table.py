"""The stage table: a schedule in a file, for people and other tools.

    tasuki-stage-table 1
    chosen-by receiver          who decides about the LID offset of a message
    hosts 3
    node4 2                     host name, LID offset; hosts are numbered in this order
    node0 0
    node7 1
    stages 2
    1 2 0                       stage 0: host 0 sends to host 1, host 1 to host 2, host 2 to host 0
    2 0 1                       "-" is a host that rests

Equal jobs on equal fabrics give equal bytes. A run needs no such file: it builds the stages from
the routes of its hosts (host_routes.py).
"""

from __future__ import annotations

import numpy as np

from tasuki.fabric.link_loads import REST


def stage_table(
    host_names: tuple[str, ...], offsets: np.ndarray, stages: np.ndarray, by_sender: bool = False
) -> str:
    lines = [
        "tasuki-stage-table 1",
        f"chosen-by {'sender' if by_sender else 'receiver'}",
        f"hosts {len(host_names)}",
    ]
    lines += [f"{name} {offset}" for name, offset in zip(host_names, offsets.tolist(), strict=True)]
    lines.append(f"stages {len(stages)}")
    for stage in stages.tolist():
        lines.append(" ".join("-" if place == REST else str(place) for place in stage))
    return "\n".join(lines) + "\n"
