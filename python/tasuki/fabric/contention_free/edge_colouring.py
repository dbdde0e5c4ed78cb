"""Colours the edges of a bipartite multigraph with as few colours as its largest degree (König)."""

from __future__ import annotations


def colour_edges(
    edges: list[tuple[int, int]], left_count: int, right_count: int, colours: int
) -> list[int]:
    """The colour of each edge (left, right), such that no two edges at a vertex share one.
    `colours` must be at least the largest degree.

    Edges are coloured one by one. Where no colour is free at both ends, the alternating path of
    two colours that starts at the right end is flipped; in a bipartite graph it cannot come back
    to the left end. Cost: O(edges x vertices) at worst, near O(edges) in practice.
    """
    everything = (1 << colours) - 1
    free_left = [everything] * left_count
    free_right = [everything] * right_count
    # [vertex * colours + colour] -> the edge that has it there.
    edge_at_left = [-1] * (left_count * colours)
    edge_at_right = [-1] * (right_count * colours)
    colour_of = [-1] * len(edges)
    for edge, (left, right) in enumerate(edges):
        common = free_left[left] & free_right[right]
        if common:
            colour = (common & -common).bit_length() - 1
        else:
            colour = (free_left[left] & -free_left[left]).bit_length() - 1
            other = (free_right[right] & -free_right[right]).bit_length() - 1
            # Edges of `colour` and `other` alternate; the path begins with `colour` at right.
            path = []
            vertex, at_right, wanted = right, True, colour
            while True:
                at = edge_at_right if at_right else edge_at_left
                following = at[vertex * colours + wanted]
                if following < 0:
                    break
                path.append(following)
                vertex = edges[following][0 if at_right else 1]
                at_right = not at_right
                wanted = other if wanted == colour else colour
            for flipped in path:
                a, b = edges[flipped]
                old = colour_of[flipped]
                edge_at_left[a * colours + old] = -1
                edge_at_right[b * colours + old] = -1
            for flipped in path:
                a, b = edges[flipped]
                new = other if colour_of[flipped] == colour else colour
                colour_of[flipped] = new
                edge_at_left[a * colours + new] = flipped
                edge_at_right[b * colours + new] = flipped
            # Inside the path a vertex keeps both colours; only the ends change.
            swap = (1 << colour) | (1 << other)
            free_right[right] ^= swap
            if path:
                if at_right:
                    free_right[vertex] ^= swap
                else:
                    free_left[vertex] ^= swap
        colour_of[edge] = colour
        edge_at_left[left * colours + colour] = edge
        edge_at_right[right * colours + colour] = edge
        free_left[left] &= ~(1 << colour)
        free_right[right] &= ~(1 << colour)
    return colour_of
