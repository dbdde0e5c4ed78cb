"""Draws a schedule in the terminal: who sends to whom in each round."""

from __future__ import annotations

from collections import defaultdict

from rich.table import Table

from tasuki.schedule.timeline import Timeline

MOST_RANKS = 16
MOST_ROUNDS = 12
MOST_PEERS = 4


def fits(timeline: Timeline) -> bool:
    return timeline.ranks <= MOST_RANKS and timeline.rounds <= MOST_ROUNDS


def rounds_table(timeline: Timeline) -> Table:
    """A row for each rank, a column for each round; "→3 (4)" sends 4 chunks to rank 3."""
    cells: dict[tuple[int, int], list[str]] = defaultdict(list)
    for message in sorted(timeline.messages, key=lambda message: message.send_step):
        chunks = f" ({message.chunks})" if message.chunks != 1 else ""
        cells[message.sender, message.round].append(f"→{message.receiver}{chunks}")
    table = Table(
        title="who sends to whom (number of chunks, where it is not 1)", title_justify="left"
    )
    table.add_column("rank", justify="right")
    for number in range(timeline.rounds):
        table.add_column(f"round {number + 1}")
    for rank in range(timeline.ranks):
        table.add_row(str(rank), *(_cell(cells[rank, number]) for number in range(timeline.rounds)))
    return table


def _cell(messages: list[str]) -> str:
    if len(messages) <= MOST_PEERS:
        return " ".join(messages)
    return f"{' '.join(messages[: MOST_PEERS - 1])} … {messages[-1]}"
