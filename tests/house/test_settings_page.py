"""The page of settings has what the library knows as one."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = re.compile(r"TASUKI_[A-Z_]+")


def test_every_setting_stands_in_the_reference() -> None:
    lists = re.findall(
        r"read_(?:here|elsewhere)\[\] = \{(.*?)\}",
        (ROOT / "interpose/settings.cpp").read_text(),
        re.DOTALL,
    )
    assert len(lists) == 2
    calls = (ROOT / "interpose/calls.toml").read_text()
    collectives = re.findall(r'^collective = "(.+)"', calls, re.MULTILINE)
    known = set(VARIABLE.findall("".join(lists)))
    known |= {"TASUKI_" + name.upper().replace("-", "_") for name in collectives}
    assert known == set(VARIABLE.findall((ROOT / "docs/reference/README.md").read_text()))
