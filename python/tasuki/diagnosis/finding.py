"""One thing that was looked at on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["good", "limited", "missing", "absent"]


@dataclass(frozen=True)
class Finding:
    """`state` is "good", "limited" (works, less well), "missing" (Tasuki cannot run for want of
    it), or "absent" (not here, and not needed unless one wants it)."""

    subject: str
    state: State
    found: str
    """What there is, as short as it can be said."""
    meaning: str
    """What follows from it."""
    action: str = ""
    """What to do to have it better; "" if there is nothing to do."""
