"""A fabric out of network namespaces, to run schedules on: each switch is a router with static
routes, each cable a veth pair with limited rate."""
