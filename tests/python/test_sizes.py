"""Sizes and counts as people write them."""

import pytest

from tasuki.sizes import (
    MOST_RANKS,
    duration_text,
    parse_counts,
    parse_size,
    parse_sizes,
    size_text,
)


@pytest.mark.parametrize(
    ("text", "size"), [("1", 1), ("64", 64), ("4K", 4096), ("4k", 4096), ("1M", 1 << 20)]
)
def test_a_size(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1", "K", "4KB", "1.5K", "0x10", "4 K"])
def test_no_size(text: str) -> None:
    with pytest.raises(ValueError, match="expected a number of bytes such as 64, 4K or 1M"):
        parse_size(text)


def test_a_range_is_powers_of_two_with_both_ends() -> None:
    assert parse_sizes("64:1K") == [64, 128, 256, 512, 1024]
    assert len(parse_sizes("64:1M")) == 15
    assert parse_sizes("8:8") == [8]


def test_sizes_and_ranges_are_sorted_and_merged() -> None:
    assert parse_sizes("100,16:64,32,8") == [8, 16, 32, 64, 100]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3:64", "'3' is none: expected such as 64:1M"),
        ("64:100", "'100' is none"),
        ("1M:64", "goes down: write 64:1M"),
        ("1:2:4", "expected FIRST:LAST"),
        ("64:", "'' is no size"),
        ("8,,16", "'' is no size"),
    ],
)
def test_wrong_ranges_say_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_sizes(text)


@pytest.mark.parametrize("size", [1, 63, 64, 1023, 1024, 1536, 1 << 20, 3 << 30])
def test_a_size_is_read_back(size: int) -> None:
    assert parse_size(size_text(size)) == size


def test_nothing_has_no_unit() -> None:
    assert size_text(0) == "0"


def test_counts_keep_their_order() -> None:
    assert parse_counts("8,2, 4,2") == [8, 2, 4]


@pytest.mark.parametrize("text", ["", "0", "2,", "a", "2:8", "-2", "1.0"])
def test_wrong_counts_say_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match="are no rank counts: expected whole numbers from 1 on"):
        parse_counts(text)


def test_what_no_machine_can_count_is_refused() -> None:
    assert parse_counts(str(MOST_RANKS)) == [MOST_RANKS]
    with pytest.raises(ValueError, match=f"are no rank counts: expected at most {MOST_RANKS}"):
        parse_counts("2,2147483648")
    with pytest.raises(ValueError, match="is more bytes than can be addressed"):
        parse_size("8589934592G")


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.0, "2 s"), (0.0123, "12.3 ms"), (4.5e-6, "4.5 us"), (3e-8, "30 ns")]
)
def test_times_have_a_unit(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
