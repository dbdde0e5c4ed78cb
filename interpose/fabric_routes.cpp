#include "interpose/fabric_routes.hpp"

#include <algorithm>
#include <unistd.h>
#include <vector>

#include "interpose/process.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

using host::check;

constexpr int longest_name = 256;

struct HostName {
    char text[longest_name] = {};
};

HostName own_name() {
    HostName name;
    gethostname(name.text, longest_name - 1);
    return name;
}

/// Where every host of the fabric is; nullptr if that is not known.
const NodeRoutes* known_routes() {
    const auto& asked = process().placement;
    if (asked && asked->routes() != nullptr) return asked->routes();
    return process().fabric ? &process().fabric->routes() : nullptr;
}

/// The number of this rank's host there, -1 if it has none.
int own_host(const NodeRoutes& routes) {
    const auto& asked = process().placement;
    if (!asked) return process().fabric->find(own_name().text);
    const int node = asked->node_of(process().world_rank);
    return node < routes.nodes() ? node : -1;
}

std::string unknown_host(int lost, MPI_Comm communicator) {
    HostName name = own_name();
    check(PMPI_Bcast(name.text, longest_name, MPI_CHAR, lost, communicator));
    const std::string file = process().settings.fabric;
    const std::string rank = " of rank " + std::to_string(lost) + " of the communicator is not in ";
    if (process().placement) return "the node" + rank + file + ", which has fewer hosts";
    return std::string("host ") + name.text + rank + file;
}

}  // namespace

Placement on_fabric(const Placement& placement, MPI_Comm communicator, int rank) {
    const NodeRoutes* routes = known_routes();
    if (routes == nullptr) return placement;
    std::vector<int> hosts(placement.ranks());
    hosts[rank] = own_host(*routes);
    check(PMPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, hosts.data(), 1, MPI_INT, communicator));
    const auto lost = std::ranges::find(hosts, -1);
    if (lost != hosts.end()) {
        const auto who = static_cast<int>(lost - hosts.begin());
        return placement.without_routes(unknown_host(who, communicator));
    }
    std::vector<std::int32_t> host_of_node(placement.nodes(), -1);
    std::vector<bool> is_taken(routes->nodes(), false);
    for (std::int32_t other = 0; other < placement.ranks(); ++other) {
        std::int32_t& host = host_of_node[placement.node_of(other)];
        if (host == hosts[other]) continue;
        if (host >= 0 || is_taken[hosts[other]]) {
            return placement.without_routes(
                "nodes, as they were found, are not hosts of the fabric one to one "
                "(rank " +
                std::to_string(other) + " of the communicator); TASUKI_PLACEMENT tells them right");
        }
        host = hosts[other];
        is_taken[host] = true;
    }
    return placement.with_routes(routes->of(host_of_node));
}

}  // namespace tasuki::interpose
