"""What each message of a schedule carries, by name: the input chunks that it was made of."""

from __future__ import annotations

from typing import Any

from tasuki.schedule.timeline import Node, Timeline, chunk_numbers


def contents(schedule: Any, core: Any, timeline: Timeline) -> dict[Node, list[str]]:
    """For every send, its chunks as "RANK.CHUNK", the input chunk of that rank; a chunk that was
    reduced is the sum of several, joined by +, and "?" is one that nobody wrote.
    """
    columns = [schedule.program(rank).columns() for rank in range(schedule.ranks)]
    held: dict[tuple[int, str, int], str] = {}
    carried: dict[Node, list[str]] = {}
    in_flight: dict[tuple[int, int, int], list[str]] = {}

    def read(rank: int, step: int, end: str) -> list[str]:
        space = core.SPACES[columns[rank][f"{end}_space"][step]]
        names = []
        for chunk in chunk_numbers(columns[rank], end, step):
            default = f"{rank}.{chunk}" if space == "input" else "?"
            names.append(held.get((rank, space, chunk), default))
        return names

    def write(rank: int, step: int, names: list[str]) -> None:
        space = core.SPACES[columns[rank]["to_space"][step]]
        for chunk, name in zip(chunk_numbers(columns[rank], "to", step), names, strict=True):
            held[rank, space, chunk] = name

    for node in timeline.order:
        rank, step = node
        kind = core.STEP_KINDS[columns[rank]["kind"][step]]
        peer, message = int(columns[rank]["peer"][step]), int(columns[rank]["message"][step])
        if kind == "send":
            carried[node] = in_flight[rank, peer, message] = read(rank, step, "from")
        elif kind == "recv":
            write(rank, step, in_flight.pop((peer, rank, message)))
        elif kind == "copy":
            write(rank, step, read(rank, step, "from"))
        else:
            ends = ("from", "to") if columns[rank]["from_is_left"][step] else ("to", "from")
            pairs = zip(*(read(rank, step, end) for end in ends), strict=True)
            write(rank, step, [f"{left}+{right}" for left, right in pairs])
    return carried
