"""P-LogP parameters from what bench/plogp answers, after Kielmann, Bal and Verstoep (2000).

Where ranks share cores, a rank that runs is measured, and all its work counts as many times as
there are ranks to a core; what messages wait for, the scheduler's turns among it, is latency.

Times are seconds, sizes are bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tasuki.cache import NO_CACHE
from tasuki.model.program import Measurement
from tasuki.model.refine import Sample, Samples, refine
from tasuki.native import core

FIRST_SIZES = (0, 64, 1024, 8192, 65536, 262144, 1048576)
PLACES = ("on-node", "off-node")

Progress = Callable[[str, int], None]
"""Is told before each question what is asked for: the place and the size."""
Tell = Callable[[str], None]
"""Is told where lines may be farther off than they should, as a sentence."""


@dataclass(frozen=True)
class Link:
    """P-LogP for one kind of pair; functions by name, as points of size and time."""

    latency: float
    functions: dict[str, list[tuple[int, float]]]

    def text(self, place: str) -> str:
        """Lines of src/predict/machine_text.hpp."""
        lines = [f"{place} latency {self.latency:.4g}"]
        lines += [f"{place} {points_text(*item)}" for item in self.functions.items()]
        return "\n".join(lines) + "\n"


def measure_machine(
    measurement: Measurement,
    largest: int,
    progress: Progress,
    tell: Tell = lambda sentence: None,
) -> str:
    """The text of the machine's parameters, without which pairs there are none taken as the other.

    On one node there is nobody to measure across nodes with; the fingerprint tells that it was one.
    """
    links: dict[str, Link] = {}
    for place, pairs in zip(PLACES, measurement.run["pairs"], strict=True):
        if pairs > 0:
            links[place] = measure_link(measurement, place, largest, progress, tell)

    def copy(size: int) -> Samples:
        """By the mean, which is what is kept: where ranks share cores a median tells nothing of
        those that wait."""
        progress("copy", size)
        answer = measurement.ask("copy", size)["copy"]
        return {"copy": Sample(answer.mean, answer.noise, answer.mean)}

    copies = refine(copy, sizes_to(largest), tell=lambda sentence: tell(f"copy: {sentence}"))
    points = [(size, samples["copy"].seconds) for size, samples in copies.items()]
    only = next(iter(links.values()))
    text = f"tasuki-plogp 1\nfingerprint {fingerprint(measurement)}\n"
    text += "".join(links.get(place, only).text(place) for place in PLACES)
    text += points_text("copy", points) + "\nend\n"
    core().read_machine(text)
    return text


def measure_link(
    measurement: Measurement,
    place: str,
    largest: int,
    progress: Progress,
    tell: Tell = lambda sentence: None,
) -> Link:
    """A message there and an empty one back takes 2 latency + gap(m) + gap(0)."""
    progress(place, 0)
    empty = measurement.ask(place, 0)
    load = max(1.0, measurement.run["ranks_per_node"] / measurement.run["cores"])
    answers = {0: functions_of(empty, empty, load)}

    def ask(size: int) -> Samples:
        if size not in answers:
            progress(place, size)
            answers[size] = functions_of(measurement.ask(place, size), empty, load)
        return answers[size]

    known = refine(ask, sizes_to(largest), tell=lambda sentence: tell(f"{place}: {sentence}"))
    round_trip = empty["round_trip"].mean if load > 1 else empty["round_trip"].seconds
    latency = max(0.0, round_trip / 2 - empty["gap"].seconds)
    names = ("send_overhead", "receive_overhead", "gap")
    return Link(latency, {name.replace("_", "-"): points_of(known, name) for name in names})


def functions_of(answer: Samples, empty: Samples, load: float) -> Samples:
    """The overheads and the gap: what a message takes longer than an empty one, added to the gap
    of that. By definition sending is not longer than the gap, and only noise makes a message
    faster than an empty one."""
    longer = max(0.0, answer["round_trip"].seconds - empty["round_trip"].seconds)
    gap = max(empty["gap"].seconds + longer, answer["send_overhead"].seconds)
    return {
        "send_overhead": answer["send_overhead"].times(load),
        "receive_overhead": answer["receive_overhead"].times(load),
        "gap": Sample(gap, answer["round_trip"].noise).times(load),
    }


def sizes_to(largest: int) -> list[int]:
    return [size for size in FIRST_SIZES if size < largest] + [largest]


def points_of(known: dict[int, Samples], name: str) -> list[tuple[int, float]]:
    return [(size, samples[name].seconds) for size, samples in known.items()]


def points_text(name: str, points: list[tuple[int, float]]) -> str:
    return " ".join([name, *(f"{size}:{seconds:.4g}" for size, seconds in points)])


def fingerprint(measurement: Measurement) -> str:
    run = measurement.run
    # Only how many nodes and how full they are counts, not which ranks are where.
    ranks = run["nodes"] * run["ranks_per_node"]
    placement = f"{run['nodes']}x{run['ranks_per_node']}"
    return core().fingerprint_of_run(run["library"], ranks, placement)


def keep(text: str, file: Path | None = None) -> Path:
    """Writes the parameters to `file`, else where runs look for them: all at once, so that a reader
    sees the old file or the new one. OSError if it cannot be written."""
    if file is None:
        told = core().parameters_path(core().read_machine(text)["fingerprint"])
        if not told:
            raise OSError(NO_CACHE)
        file = Path(told)
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}.new")
    new.write_text(text)
    os.replace(new, file)
    return file
