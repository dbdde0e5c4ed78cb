#include "interpose/quick_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "interpose/scratch.hpp"
#include "interpose/selection_clock.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

/// The largest that every host has; calls come nowhere near.
constexpr int exchange_tag = 32767;

struct Partner {
    int rank = -1;  ///< -1: nobody
    bool leads = false;
};

Partner partner_of(int rank, PairPlace place, const Placement& placement) {
    const std::int32_t node = placement.node_of(rank);
    const std::int32_t local = placement.local_of(rank);
    if (place == PairPlace::on_node) {
        const std::int32_t other = local ^ 1;
        if (other >= placement.ranks_on(node)) return {};
        return {placement.rank_at(node, other), local % 2 == 0};
    }
    const std::int32_t other = node ^ 1;
    if (other >= placement.nodes() || local >= placement.ranks_on(other)) return {};
    return {placement.rank_at(other, local), node % 2 == 0};
}

void send(void* data, int bytes, int to, MPI_Comm communicator) {
    host::check(PMPI_Send(data, bytes, MPI_BYTE, to, exchange_tag, communicator));
}

void receive(void* data, int bytes, int from, MPI_Comm communicator) {
    host::check(
        PMPI_Recv(data, bytes, MPI_BYTE, from, exchange_tag, communicator, MPI_STATUS_IGNORE));
}

}  // namespace

std::array<bool, 2> pairs_of(const Placement& placement) {
    return {placement.most_ranks_on_a_node() > 1, placement.nodes() > 1};
}

Exchanged exchange(const QuickStep& step, const Placement& placement, MPI_Comm communicator,
                   int rank, bool is_patient) {
    const std::uint64_t began = selection_clock();
    const Partner partner = partner_of(rank, step.place, placement);
    if (partner.rank < 0) return {};
    const auto bytes = static_cast<int>(step.bytes);
    const Scratch data(static_cast<std::size_t>(bytes));
    std::memset(data.data(), 0, static_cast<std::size_t>(bytes));
    double sum = 0;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::int32_t number = 0; number < step.exchanges; ++number) {
        const std::uint64_t sent = selection_clock();
        if (partner.leads) {
            send(data.data(), bytes, partner.rank, communicator);
            receive(data.data(), bytes, partner.rank, communicator);
        } else {
            receive(data.data(), bytes, partner.rank, communicator);
            send(data.data(), bytes, partner.rank, communicator);
        }
        const double there_and_back = seconds_since(sent);
        if (number == 0 && step.exchanges > 1) continue;
        sum += there_and_back;
        shortest = std::min(shortest, there_and_back);
    }
    const std::int32_t timed = std::max(1, step.exchanges - 1);
    const double typical = is_patient ? sum / timed : shortest;
    return {partner.leads ? typical / 2 : 0, partner.leads, seconds_since(began)};
}

}  // namespace tasuki::interpose
