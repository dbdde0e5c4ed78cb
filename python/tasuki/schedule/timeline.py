"""Puts the steps of a schedule in time: every message takes one round, the rest takes none."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np


class NeverEnds(ValueError):
    """Steps that wait for each other, or a message that nothing meets."""


class Node(NamedTuple):
    """A step of the program of a rank."""

    rank: int
    step: int


@dataclass
class Message:
    sender: int
    receiver: int
    send_step: int
    recv_step: int
    chunks: int
    round: int
    """0 is the first round."""


@dataclass
class Move:
    """A copy or a reduction; it happens before the messages of its round."""

    rank: int
    step: int
    kind: str
    chunks: int
    round: int


@dataclass
class Timeline:
    ranks: int
    rounds: int = 0
    messages: list[Message] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    order: list[Node] = field(default_factory=list)
    """All steps, each after what it depends on; a send stands before the recv that it meets."""


class _Steps:
    """The fields of all steps as lists, and which send meets which recv."""

    def __init__(self, schedule: Any, kinds: tuple[str, ...]) -> None:
        self.columns = [schedule.program(rank).columns() for rank in range(schedule.ranks)]
        self.kinds = [[kinds[kind] for kind in columns["kind"]] for columns in self.columns]
        self.meets = self._match()

    def _match(self) -> dict[Node, Node]:
        ends: dict[tuple[int, int, int], dict[str, Node]] = defaultdict(dict)
        for rank, columns in enumerate(self.columns):
            for step, kind in enumerate(self.kinds[rank]):
                peer, message = int(columns["peer"][step]), int(columns["message"][step])
                if kind == "send":
                    ends[rank, peer, message]["send"] = Node(rank, step)
                elif kind == "recv":
                    ends[peer, rank, message]["recv"] = Node(rank, step)
        meets = {}
        for (sender, receiver, _), pair in ends.items():
            if len(pair) != 2:
                raise NeverEnds(f"a message from rank {sender} to rank {receiver} has one end only")
            meets[pair["send"]], meets[pair["recv"]] = pair["recv"], pair["send"]
        return meets

    def after(self, node: Node) -> list[Node]:
        columns = self.columns[node.rank]
        begin = columns["after_begin"][node.step]
        end = begin + columns["after_count"][node.step]
        return [Node(node.rank, int(step)) for step in columns["after_steps"][begin:end]]

    def all(self) -> list[Node]:
        return [Node(r, step) for r, kinds in enumerate(self.kinds) for step in range(len(kinds))]


def timeline(schedule: Any, kinds: tuple[str, ...]) -> Timeline:
    """The rounds of a tasuki._core.Schedule; `kinds` is tasuki._core.STEP_KINDS.

    A message travels when both its ends are ready, as if no send were buffered. Raises NeverEnds if
    that leaves steps waiting for ever.
    """
    steps = _Steps(schedule, kinds)
    result = Timeline(schedule.ranks)
    waits_for: dict[Node, int] = {}
    dependents: dict[Node, list[Node]] = defaultdict(list)
    ready_round: dict[Node, int] = defaultdict(int)
    for node in steps.all():
        before = steps.after(node)
        waits_for[node] = len(before)
        for earlier in before:
            dependents[earlier].append(node)
    ready = [node for node, count in waits_for.items() if count == 0]
    posted: set[Node] = set()

    def finish(node: Node, at_round: int) -> None:
        result.order.append(node)
        for later in dependents[node]:
            ready_round[later] = max(ready_round[later], at_round)
            waits_for[later] -= 1
            if waits_for[later] == 0:
                ready.append(later)

    for node in ready:
        kind = steps.kinds[node.rank][node.step]
        columns = steps.columns[node.rank]
        if kind in ("send", "recv"):
            other = steps.meets[node]
            if other not in posted:
                posted.add(node)
                continue
            send, recv = (node, other) if kind == "send" else (other, node)
            at_round = max(ready_round[send], ready_round[recv])
            chunks = int(steps.columns[send.rank]["from_count"][send.step])
            result.messages.append(
                Message(send.rank, recv.rank, send.step, recv.step, chunks, at_round)
            )
            finish(send, at_round + 1)
            finish(recv, at_round + 1)
        else:
            at_round = ready_round[node]
            chunks = int(columns["to_count"][node.step])
            result.moves.append(Move(node.rank, node.step, kind, chunks, at_round))
            finish(node, at_round)
    if len(result.order) != len(waits_for):
        stuck = next(node for node in waits_for if node not in set(result.order))
        raise NeverEnds(f"step {stuck.step} of rank {stuck.rank} waits for ever")
    result.rounds = max((message.round + 1 for message in result.messages), default=0)
    return result


def chunk_numbers(columns: dict[str, np.ndarray], end: str, step: int) -> list[int]:
    """The chunks of the region `end` ("from" or "to") of a step, in their order."""
    first, count, block, stride = (
        int(columns[f"{end}_{part}"][step]) for part in ("first", "count", "block", "stride")
    )
    return [first + position // block * stride + position % block for position in range(count)]
