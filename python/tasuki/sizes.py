"""How people write sizes and counts: `64:1M`, `8,64,4K`, `2,4,8`. Sizes are bytes."""

from __future__ import annotations

import re

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
MOST_RANKS = 2**31 - 1
"""Of a communicator: MPI counts them by C's int."""
MOST_BYTES = 2**63 - 1
EXPECTED = "a number of bytes such as 64, 4K or 1M"


def parse_size(text: str) -> int:
    """4K is 4096. ValueError tells what was expected."""
    match = re.fullmatch(r"(\d+)([KMG]?)", text.strip(), re.IGNORECASE)
    size = int(match.group(1)) * UNITS[match.group(2).upper()] if match else 0
    if size < 1:
        raise ValueError(f"'{text}' is no size: expected {EXPECTED}, from 1 on")
    if size > MOST_BYTES:
        raise ValueError(f"'{text}' is more bytes than can be addressed: expected {EXPECTED}")
    return size


def parse_sizes(text: str) -> list[int]:
    """Sizes and ranges, separated by commas, in ascending order without duplicates.

    A range FIRST:LAST is the powers of two from FIRST to LAST, both included. ValueError tells what
    was expected.
    """
    sizes: set[int] = set()
    for part in text.split(","):
        if ":" in part:
            sizes.update(_range(part))
        else:
            sizes.add(parse_size(part))
    return sorted(sizes)


def _range(text: str) -> list[int]:
    ends = text.split(":")
    if len(ends) != 2:
        raise ValueError(f"'{text}' is no range of sizes: expected FIRST:LAST, such as 64:1M")
    first, last = (parse_size(end) for end in ends)
    for size, written in zip((first, last), ends, strict=True):
        if size & (size - 1):
            raise ValueError(
                f"the range '{text}' goes through powers of two, and '{written}' is none: "
                "expected such as 64:1M; separate other sizes by commas"
            )
    if first > last:
        raise ValueError(f"the range '{text}' goes down: write {ends[1]}:{ends[0]}")
    return [1 << power for power in range(first.bit_length() - 1, last.bit_length())]


def size_text(size: int) -> str:
    """The shortest text that parse_size() reads back: 4096 is 4K."""
    for unit in ("G", "M", "K"):
        if size and size % UNITS[unit] == 0:
            return f"{size // UNITS[unit]}{unit}"
    return str(size)


def parse_counts(text: str, what: str = "rank counts") -> list[int]:
    """Whole numbers from 1 on, separated by commas, in the order given without duplicates.

    ValueError tells what was expected; `what` names the numbers in it.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"0*[1-9]\d*", part) for part in parts):
        raise ValueError(f"'{text}' are no {what}: expected whole numbers from 1 on, such as 2,4,8")
    counts = list(dict.fromkeys(int(part) for part in parts))
    if max(counts) > MOST_RANKS:
        raise ValueError(f"'{text}' are no {what}: expected at most {MOST_RANKS}")
    return counts


def duration_text(seconds: float) -> str:
    """A time with its unit, three digits: 12.3 us."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
