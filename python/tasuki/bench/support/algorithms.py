"""The names of the algorithms, from the table."""

from __future__ import annotations

import re

from tasuki.bench.support.programs import project_file


def algorithm_names(collective: str) -> list[str]:
    """The names of all algorithms of a collective, in the order of the table."""
    text = project_file("algorithms.toml").read_text()
    rows = re.findall(r'^collective = "(.+)"\nname = "(.+)"$', text, re.MULTILINE)
    return [name for row_collective, name in rows if row_collective == collective]
