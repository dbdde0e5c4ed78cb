"""What is proved of the results of reductions, as a table."""

from __future__ import annotations

from typing import Any

from rich.table import Table

_COLUMNS = {
    "same_on_all_ranks": "ranks",
    "same_for_all_placements": "nodes",
    "same_for_all_roots": "roots",
    "same_for_all_parameters": "tuned",
    "same_for_all_chunks": "split",
}

LEGEND = (
    "yes: the same expression tree, so the same bits, on all ranks; however the ranks are placed "
    "on nodes; for every root; for every value of the parameters; in every part of the vector, "
    "so that a count may be split.\n"
    "swaps: right only for operations that commute.\n"
    "canon: evaluates the canonical tree, which cuts the ranks at powers of two, so that rows of "
    "the same collective give the same bits as each other; 2^n: where the number of ranks is a "
    "power of two.\n"
    "Computed from symbolic runs of up to 17 ranks. Nothing is known of native."
)
"""What the columns mean."""


def reductions_table(rows: list[dict[str, Any]]) -> Table:
    """A line for each row of tasuki._core.reductions()."""
    table = Table(title="What is proved of the trees of reductions", title_justify="left")
    table.add_column("algorithm", no_wrap=True)
    for heading in (*_COLUMNS.values(), "swaps", "canon"):
        table.add_column(heading, no_wrap=True)
    for collective in dict.fromkeys(row["collective"] for row in rows):
        table.add_section()
        table.add_row(collective, style="bold")
        for row in rows:
            if row["collective"] == collective:
                table.add_row(
                    f"  {row['name']}",
                    *(_answer(row[key]) for key in _COLUMNS),
                    _answer(row["needs_commutativity"]),
                    _canonical(row),
                )
    return table


def _answer(holds: bool) -> str:
    return "yes" if holds else "no"


def _canonical(row: dict[str, Any]) -> str:
    if row["canonical"]:
        return "yes"
    return "2^n" if row["canonical_for_powers_of_two"] else "no"
