"""The stage table: a schedule in a file, as the run-time reads it.

    tasuki-stage-table 1
    chosen-by receiver          who decides about the LID offset of a message
    hosts 3
    node4 2                     host name, LID offset; hosts are numbered in this order
    node0 0
    node7 1
    stages 2
    1 2 0                       stage 0: host 0 sends to host 1, host 1 to host 2, host 2 to host 0
    2 0 1                       "-" is a host that rests

Equal jobs on equal fabrics give equal bytes. A line is never more than one stage, so the table can
be read without holding it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tasuki.fabric.contention_free.leaf_stages import REST
from tasuki.fabric.error import FabricError, error_in_line

_TITLE = "tasuki-stage-table 1"


@dataclass(frozen=True)
class StageTable:
    host_names: tuple[str, ...]
    offsets: np.ndarray
    stages: np.ndarray
    by_sender: bool = False

    def text(self) -> str:
        lines = [
            _TITLE,
            f"chosen-by {'sender' if self.by_sender else 'receiver'}",
            f"hosts {len(self.host_names)}",
        ]
        lines += [
            f"{name} {offset}"
            for name, offset in zip(self.host_names, self.offsets.tolist(), strict=True)
        ]
        lines.append(f"stages {len(self.stages)}")
        for stage in self.stages.tolist():
            lines.append(" ".join("-" if place == REST else str(place) for place in stage))
        return "\n".join(lines) + "\n"


def read_stage_table(path: Path) -> StageTable:
    """Raises FabricError that names the line where the file is no stage table, or where a stage
    is no partial permutation."""
    try:
        lines = path.read_text().splitlines()
    except OSError as error:
        raise FabricError(f"{path}: cannot read it: {error.strerror}") from error
    reader = _Reader(str(path), lines)
    reader.expect(_TITLE)
    by_sender = reader.keyword("chosen-by", ("receiver", "sender")) == "sender"
    hosts = reader.count("hosts")
    names, offsets = [], []
    for _ in range(hosts):
        name, offset = reader.words(2)
        names.append(name)
        offsets.append(reader.number(offset, 0, 127))
    stages = np.full((reader.count("stages"), hosts), REST, dtype=np.int32)
    for stage in stages:
        for place, word in enumerate(reader.words(hosts)):
            if word != "-":
                stage[place] = reader.number(word, 0, hosts - 1)
        used = stage[stage != REST]
        if np.unique(used).size != used.size:
            raise reader.error("two hosts send to the same host")
    return StageTable(tuple(names), np.array(offsets, dtype=np.int64), stages, by_sender)


class _Reader:
    def __init__(self, source: str, lines: list[str]):
        self.source, self.lines, self.line = source, lines, 0

    def error(self, message: str) -> FabricError:
        return error_in_line(self.source, self.line, message)

    def next(self) -> str:
        self.line += 1
        if self.line > len(self.lines):
            raise self.error("the file ends too early")
        return self.lines[self.line - 1].strip()

    def expect(self, text: str) -> None:
        if self.next() != text:
            raise self.error(f"expected {text!r}")

    def words(self, count: int) -> list[str]:
        words = self.next().split()
        if len(words) != count:
            raise self.error(f"expected {count} words, found {len(words)}")
        return words

    def keyword(self, name: str, values: tuple[str, ...]) -> str:
        words = self.words(2)
        if words[0] != name or words[1] not in values:
            raise self.error(f"expected {name} and one of {', '.join(values)}")
        return words[1]

    def count(self, name: str) -> int:
        words = self.words(2)
        if words[0] != name:
            raise self.error(f"expected {name!r} and a number")
        return self.number(words[1], 0, 1 << 20)

    def number(self, word: str, least: int, most: int) -> int:
        if not word.isdigit() or not least <= int(word) <= most:
            raise self.error(f"{word!r}: expected a number from {least} to {most}")
        return int(word)
