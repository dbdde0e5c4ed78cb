"""The benchmarks of `tasuki bench`, one module each with `register(app)`.

A new benchmark is a new module here; nothing lists them. What they share is in
tasuki.bench.support; their C programs are in the project's folder bench/.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def benchmarks() -> list[ModuleType]:
    """The modules of all benchmarks, by name."""
    return [
        importlib.import_module(f"{__name__}.{module.name}")
        for module in pkgutil.iter_modules(__path__)
        if not module.ispkg
    ]
