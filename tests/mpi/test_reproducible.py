"""Reductions: every row on every host against trees that the program evaluates itself, and exact
sums against Python's fractions."""

from __future__ import annotations

import functools
import math
import random
import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from runner import ROOT, Runner, setting_of

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

REDUCTIONS = ("allreduce", "reduce", "scan", "exscan", "reduce-scatter")


NATIVE = [f"{name}/native" for name in REDUCTIONS]


def rows(tree: str = "") -> list[str]:
    """COLLECTIVE/NAME of the rows that reduce, by a tree that begins so."""
    table = tomllib.loads((ROOT / "algorithms.toml").read_text())["algorithm"]
    return [
        f"{row['collective']}/{row['name']}"
        for row in table
        if row["collective"] in REDUCTIONS and row.get("tree", "").startswith(tree)
    ]


def canonical_by_memory() -> list[str]:
    """Every row that evaluates the canonical tree, if only on some numbers of ranks."""
    return [f"{row}:carrier=memory" for row in rows("canonical")]


def every_choice() -> list[str]:
    """COLLECTIVE/CHOICE of every row that reduces, of the host's own and of what is learnt."""
    # On several nodes there is no memory that all ranks see: then another must stand in.
    by_memory = [f"{name}/canonical-tree:carrier=memory" for name in REDUCTIONS]
    return rows() + by_memory + NATIVE + [f"{name}/auto" for name in REDUCTIONS]


def ranks_for(runner: Runner) -> int:
    return 3 if runner.spins else 5


@pytest.mark.timeout(150)
@pytest.mark.parametrize(
    ("mode", "nodes", "choices"),
    [
        ("off", "0,0,0,0,0", every_choice()),
        ("placement", "0,1,0,2,1", every_choice()),
        ("placement", "0,0,1,1,1", ["allreduce/node-aware", *NATIVE]),
        ("placement", "0,0,0,0,0", [*canonical_by_memory(), *NATIVE]),
        ("exact", "", NATIVE),
    ],
    ids=["off", "placement", "another placement", "one node", "exact"],
)
def test_bits_are_those_of_the_mode(
    runner: Runner, mode: str, nodes: str, choices: list[str], tmp_path: Path
) -> None:
    ranks = ranks_for(runner)
    settings = {"TASUKI_CACHE": str(tmp_path), "TASUKI_PLACEMENT": nodes[: 2 * ranks - 1]}
    program = runner.program("reproducible")
    result = runner.tasuki(ranks, [program, mode, *choices], settings, 120)
    result.expect_ok()
    told = [line for line in result.lines_of_tasuki() if "but the host MPI does allreduce" in line]
    assert len(told) == (mode != "off"), result.explain()


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.timeout(1000)
@pytest.mark.parametrize(
    "nodes",
    [",".join(str(7 * rank % 4) for rank in range(17)), "3,1,2,0,1,1,0,3,2,4,0,1,3,2,0,4,1", "17"],
    ids=["round robin", "shuffled", "one node"],
)
def test_bits_on_1_to_17_ranks(runner: Runner, nodes: str, tmp_path: Path) -> None:
    """All of 1 to 17 ranks, as parts of one world; blocking, in place, and counts split in two."""
    by_memory = canonical_by_memory() if nodes == "17" else []
    choices, kinds = [*rows("canonical"), *by_memory, *NATIVE], "7"
    if ranks_for(runner) == 3:
        few = ("allreduce/canonical-tree:", "reduce-scatter/canonical-tree:")
        choices, kinds = [*(row for row in by_memory if row.startswith(few)), *NATIVE], "2"
    settings = {"TASUKI_CACHE": str(tmp_path), "TASUKI_PLACEMENT": nodes, "KINDS": kinds}
    program = [runner.program("reproducible"), "placement", *choices]
    runner.tasuki(17, program, settings, 900).expect_ok()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("mode", ["off", "exact"])
@pytest.mark.parametrize("carrier", ["host", "memory"])
@pytest.mark.parametrize("order", [1, -1])
def test_long_vectors_go_through_in_passes(
    runner: Runner, order: int, carrier: str, mode: str
) -> None:
    table = tomllib.loads((ROOT / "algorithms.toml").read_text())["algorithm"]
    gathering = [row for row in table if row.get("gathers")]
    assert {row["collective"] for row in gathering} == set(REDUCTIONS)
    wishes = {
        setting_of(row["collective"]): f"{row['name']}:carrier={carrier}"
        for row in gathering[::order]  # of several of a collective the last, or the first
    }
    settings = {"TASUKI_REPRODUCIBLE": mode, **wishes}
    runner.tasuki(3, [runner.program("passes")], settings).expect_ok()


@pytest.mark.timeout(100)
def test_the_program_is_right_without_tasuki(runner: Runner) -> None:
    runner.native(3, [runner.program("reproducible"), "off", *NATIVE]).expect_ok()


@pytest.mark.timeout(60)
def test_every_type_and_operation(runner: Runner) -> None:
    options = ["-I", str(ROOT / "src")]
    program = [runner.program("types", options=options)]
    result = runner.tasuki(3, program, {"TASUKI_REPRODUCIBLE": "placement"})
    result.expect_ok()
    (told,) = [line.split() for line in result.output.splitlines() if line[:6] == "pairs "]
    assert int(told[1]) >= 340, result.explain()


def awkward_numbers(draw: random.Random, count: int, ranks: int) -> list[list[float]]:
    """[rank] numbers of all sizes; many cancel, and some are no numbers."""
    rows: list[list[float]] = [[] for _ in range(ranks)]
    for _ in range(count):
        least = draw.choice((-1074, -300, -60, 0, 900))
        spread = draw.choice((0, 5, 60, 900))
        column = [
            math.ldexp(draw.uniform(-1, 1), min(1023, least + draw.randint(0, spread)))
            for _ in range(ranks)
        ]
        if draw.random() < 0.4 and ranks > 1:
            column[1] = -column[0]
        if draw.random() < 0.02:
            column[draw.randrange(ranks)] = draw.choice((math.inf, -math.inf, math.nan, 0.0, -0.0))
        for row, value in zip(rows, column, strict=True):
            row.append(value)
    return rows


def to_float(value: float) -> float:
    """As C rounds a double to a float."""
    if math.isnan(value) or math.isinf(value):
        return value
    return math.copysign(rounded(Fraction(value), 24, -149, 128), value)


def rounded(value: Fraction, digits: int, least: int, beyond: int) -> float:
    """The nearest number of so many binary digits, even where two are; the last digit is worth
    2^least at least, and from 2^beyond on everything is infinite."""
    size = abs(value)
    if size == 0:
        return 0.0
    leading = size.numerator.bit_length() - size.denominator.bit_length()
    leading -= size < Fraction(2) ** leading
    unit = Fraction(2) ** max(leading - digits + 1, least)
    nearest = round(size / unit) * unit
    result = math.inf if nearest >= Fraction(2) ** beyond else float(nearest)
    return math.copysign(result, -1 if value < 0 else 1)


def exact_sum(terms: tuple[float, ...], digits: int, least: int, beyond: int) -> float:
    return exact_sum_of(struct.pack(f"{len(terms)}d", *terms), digits, least, beyond)


@functools.cache
def exact_sum_of(packed: bytes, digits: int, least: int, beyond: int) -> float:
    """Of doubles as they lie in memory, so that -0 is another key than 0."""
    terms = struct.unpack(f"{len(packed) // 8}d", packed)
    infinities = {term for term in terms if math.isinf(term)}
    if any(math.isnan(term) for term in terms) or len(infinities) == 2:
        return math.nan
    if infinities:
        return infinities.pop()
    if all(term == 0 and math.copysign(1, term) < 0 for term in terms):
        return -0.0
    return rounded(sum(map(Fraction, terms), Fraction(0)), digits, least, beyond)


ORDERS = (lambda rank: rank, lambda rank: -rank, lambda rank: 7 * rank % 19)
"""By what the ranks of a communicator are sorted."""


def expected_results(
    numbers: list[list[float]], floats: list[list[float]], ranks: int, order: int
) -> Iterator[bytes]:
    """What the program writes for one communicator, result by result; `floats` are the numbers as
    C rounds them."""
    senders = sorted(range(ranks), key=ORDERS[order])
    count = len(numbers[0])
    for values, pattern, form, counts in (
        (numbers, "d", (53, -1074, 1024), (count, count // 2 * 2)),
        (floats, "f", (24, -149, 128), (count,)),
    ):
        columns = list(zip(*(values[rank] for rank in senders), strict=True))
        whole = [exact_sum(column, *form) for column in columns]
        below = [exact_sum(column[:-1], *form) for column in columns] if ranks > 1 else []
        for first in counts:
            packed = struct.pack(f"{first}{pattern}", *whole[:first])
            yield from (packed, packed, packed, packed)
            yield struct.pack(f"{first}{pattern}", *below[:first]) if below else bytes(len(packed))


def numbers_of(count: int, ranks: int) -> list[list[float]]:
    """[rank] numbers, the same for every host and choice."""
    return awkward_numbers(random.Random(count), count, ranks)


@functools.cache
def expected_output(count: int, ranks: int) -> list[tuple[str, bytes]]:
    """What the program writes for these numbers, with a name for each result. Fractions take
    seconds, so they are added once for all hosts."""
    numbers = numbers_of(count, ranks)
    floats = [[to_float(value) for value in row] for row in numbers]
    return [
        (f"result {at} of {number} ranks, order {order}", result)
        for number in range(1, ranks + 1)
        for order in range(len(ORDERS))
        for at, result in enumerate(expected_results(numbers, floats, number, order))
    ]


@pytest.mark.timeout(150)
@pytest.mark.parametrize(
    ("wish", "nodes"),
    [
        ("native", "0,0,0,0,0,0"),
        ("canonical-tree:carrier=memory", "0,0,0,0,0,0"),
        ("canonical-tree:carrier=memory", "0,0,1,0,1,1"),
    ],
    ids=["native", "memory", "memory inside nodes"],
)
@pytest.mark.parametrize("count", [6, 2400], ids=["short", "long"])
def test_exact_sums_are_pythons_fractions(
    runner: Runner, count: int, wish: str, nodes: str, tmp_path: Path
) -> None:
    ranks = 6 if ranks_for(runner) > 3 else 4
    numbers = numbers_of(count, ranks)
    (tmp_path / "input").write_bytes(b"".join(struct.pack(f"{count}d", *row) for row in numbers))
    arguments = [runner.program("exact_sums"), tmp_path / "input", tmp_path / "output", str(count)]
    settings = {setting_of(name): wish for name in REDUCTIONS}
    settings |= {"TASUKI_REPRODUCIBLE": "exact", "TASUKI_PLACEMENT": nodes[: 2 * ranks - 1]}
    runner.tasuki(ranks, arguments, settings, 100).expect_ok()
    found = (tmp_path / "output").read_bytes()
    place = 0
    for where, result in expected_output(count, ranks):
        assert found[place : place + len(result)] == result, where
        place += len(result)
    assert place == len(found)


@pytest.mark.timeout(100)
@pytest.mark.parametrize("ranks", [2, 3])
def test_every_way_of_exact_sums_is_learnt_and_exact(
    runner: Runner, ranks: int, tmp_path: Path
) -> None:
    ran = set()
    # What is predicted to be slow is not tried, where there is a model.
    for wish in ("auto:kept=0", "auto:kept=0,model=0,budget=100"):
        settings = {
            "TASUKI_REPRODUCIBLE": "exact",
            "TASUKI_COLLECTIVES": wish,
            "TASUKI_CACHE": str(tmp_path),
        }
        result = runner.tasuki(ranks, [runner.program("exact_ways")], settings, 45)
        result.expect_ok()
        lines = result.output.splitlines()
        ran |= {line.split(maxsplit=1)[1] for line in lines if line[:4] == "ran "}
    ways = ("straight", "doubling", "blocks")
    carriers = ("", ":carrier=memory")
    expected = {f"exact-{way}{carrier}" for way in ways for carrier in carriers}
    assert ran >= expected if ranks > 2 else any("memory" in name for name in ran), ran


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("kinds", "lines"), [("without rounding", 0), ("product", 1), ("own operation", 1), ("all", 1)]
)
def test_what_has_no_exact_sum_is_said_once(runner: Runner, kinds: str, lines: int) -> None:
    settings = {"TASUKI_REPRODUCIBLE": "exact"}
    result = runner.tasuki(3, [runner.program("exact_notice"), kinds], settings)
    result.expect_ok()
    told = [line for line in result.lines_of_tasuki() if "but not on another number" in line]
    assert len(told) == lines, result.explain()


@pytest.mark.timeout(60)
def test_modes_have_names(runner: Runner) -> None:
    result = runner.tasuki(2, [runner.program("reproducible")], {"TASUKI_REPRODUCIBLE": "exakt"})
    assert result.code == 2, result.explain()
    assert any(
        'TASUKI_REPRODUCIBLE (--reproducible): no mode "exakt" of reductions' in line
        and "placement" in line
        for line in result.lines_of_tasuki()
    ), result.explain()
