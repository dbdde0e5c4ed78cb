"""Which root, hence which LID, each host of a job is reached through: one module per method.

Each is a function (tree, hosts) -> Choice.
"""
