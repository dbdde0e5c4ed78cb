#include "contract/contract.hpp"

#include <stdexcept>
#include <string>

#include "contract/alltoall.hpp"
#include "contract/collectives.hpp"

namespace tasuki {

namespace {

struct Entry {
    std::string_view collective;
    std::unique_ptr<Contract> (*make)();
};

constexpr Entry entries[] = {
    {"barrier", barrier_contract},
    {"bcast", bcast_contract},
    {"reduce", reduce_contract},
    {"allreduce", allreduce_contract},
    {"reduce-scatter", reduce_scatter_contract},
    {"scan", scan_contract},
    {"exscan", exscan_contract},
    {"gather", gather_contract},
    {"scatter", scatter_contract},
    {"allgather", allgather_contract},
    {"alltoall", []() -> std::unique_ptr<Contract> { return std::make_unique<AllToAll>(); }},
    {"alltoallv", alltoallv_contract},
};

}  // namespace

std::unique_ptr<Contract> contract_of(std::string_view collective) {
    std::string known;
    for (const Entry& entry : entries) {
        if (entry.collective == collective) return entry.make();
        known += (known.empty() ? "" : ", ") + std::string(entry.collective);
    }
    throw std::invalid_argument("no contract for \"" + std::string(collective) +
                                "\"; there is one for " + known);
}

}  // namespace tasuki
