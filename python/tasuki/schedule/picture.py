"""Draws a schedule in space and time: a row for each rank, rounds from left to right."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tasuki.picture import new_figure, save_figure
from tasuki.schedule.timeline import Message, Node, Timeline

MOST_RANKS = 64
"""More rows than this cannot be read."""
_LABELLED_RANKS = 16
_LABELLED_CHUNKS = 3
_LABELLED_MESSAGES = 2  # of one rank in one round: more would write over each other
_DEPART, _SPREAD, _ARRIVE = 0.36, 0.4, 0.94  # within a round of width 1


def draw(
    timeline: Timeline, contents: dict[Node, list[str]], title: str, destination: Path
) -> None:
    """Write the picture; the ending of `destination` says in which format.

    Raises ValueError for too many ranks.
    """
    if timeline.ranks > MOST_RANKS:
        raise ValueError(
            f"a picture of {timeline.ranks} ranks cannot be read; at most {MOST_RANKS} are drawn"
        )
    rounds = max(timeline.rounds, 1)
    figure = new_figure(min(max(7, 3 + 1.6 * rounds), 40), min(1.6 + 0.5 * timeline.ranks, 24))
    from matplotlib import colormaps

    axes = figure.subplots()
    for rank in range(timeline.ranks):
        axes.axhline(rank, color="0.85", linewidth=1, zorder=0)
    for boundary in range(rounds + 1):
        axes.axvline(boundary, color="0.92", linewidth=1, zorder=0)
    colours = colormaps["viridis"]
    for message, departure, has_label in _departures(timeline.messages):
        colour = colours(0.85 * message.sender / max(timeline.ranks - 1, 1))
        arrival = message.round + _ARRIVE
        axes.annotate(
            "",
            xy=(arrival, message.receiver),
            xytext=(departure, message.sender),
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "linewidth": 1.2,
                "linestyle": "-" if message.chunks else ":",
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )
        if timeline.ranks <= _LABELLED_RANKS and message.chunks and has_label:
            axes.annotate(
                _label(contents[Node(message.sender, message.send_step)]),
                xy=(departure, message.sender),
                xytext=(-2, 3),
                textcoords="offset points",
                horizontalalignment="right",
                fontsize=6,
                color=colour,
                bbox={"color": "white", "alpha": 0.7, "pad": 0.3},
            )
    _draw_moves(axes, timeline)
    axes.set_xlim(-0.1, rounds + 0.2)
    axes.set_ylim(timeline.ranks - 0.5, -0.6)
    axes.set_xticks([r + 0.5 for r in range(rounds)], [str(r + 1) for r in range(rounds)])
    axes.set_yticks(range(timeline.ranks))
    axes.tick_params(length=0)
    axes.set(xlabel="round        (3.5: input chunk 5 of rank 3)", ylabel="rank")
    axes.set_title(title, loc="left")
    for side in axes.spines.values():
        side.set_visible(False)
    save_figure(figure, destination)


def _departures(messages: list[Message]) -> list[tuple[Message, float, bool]]:
    """The messages, when each leaves (those of one rank in one round fan out), and whether there is
    room for its label.
    """
    together: dict[tuple[int, int], list[Message]] = defaultdict(list)
    for message in messages:
        together[message.sender, message.round].append(message)
    placed = []
    for group in together.values():
        group.sort(key=lambda message: message.send_step)
        for number, message in enumerate(group):
            departure = message.round + _DEPART + _SPREAD * number / len(group)
            placed.append((message, departure, len(group) <= _LABELLED_MESSAGES))
    return placed


def _draw_moves(axes, timeline: Timeline) -> None:
    """A square for copies, a diamond for reductions, as many as there are in that round."""
    together: dict[tuple[int, int, str], int] = defaultdict(int)
    for move in timeline.moves:
        together[move.rank, move.round, move.kind] += 1
    for kind, marker in (("copy", "s"), ("reduce", "D")):
        places = [
            (at_round + 0.05 + 0.12 * number / count, rank)
            for (rank, at_round, which), count in together.items()
            if which == kind
            for number in range(count)
        ]
        if places:
            across, down = zip(*places, strict=True)
            axes.scatter(across, down, s=9, marker=marker, color="0.35", label=kind, zorder=3)
            axes.legend(loc="upper right", fontsize=7, frameon=False, bbox_to_anchor=(1, 1.06))


def _label(names: list[str]) -> str:
    if len(names) <= _LABELLED_CHUNKS:
        return " ".join(names)
    return f"{' '.join(names[: _LABELLED_CHUNKS - 1])} … ({len(names)})"
