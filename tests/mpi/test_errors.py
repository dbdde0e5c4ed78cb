"""Wrong arguments."""

from __future__ import annotations

import pytest
from runner import Runner


@pytest.mark.timeout(60)
def test_wrong_arguments_give_the_errors_of_the_host(runner: Runner) -> None:
    runner.both(2, [runner.program("errors")])
