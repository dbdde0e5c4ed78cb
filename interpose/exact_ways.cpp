#include "interpose/exact_ways.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "select/selection_key.hpp"

namespace tasuki::interpose {

namespace {

constexpr std::string_view way_names[] = {"exact-straight", "exact-doubling", "exact-blocks"};

using Part = CompositeRow::Part;

/// The rows that ExactSums runs, one after the other; of prefixes by the host, straight, about half
/// the messages.
std::vector<Part> parts_of(std::string_view collective, ExactWay way) {
    const bool has_root = collective == "reduce";
    const bool has_prefixes = collective == "scan" || collective == "exscan";
    const Algorithm* const exchange = find_algorithm("alltoallv", "spread");
    const Algorithm* const straight =
        has_root ? find_algorithm("gather", "linear") : find_algorithm("allgather", "spread");
    if (way == ExactWay::straight) return {{straight, false}};
    if (way == ExactWay::doubling) {
        return {{has_root ? find_algorithm("gather", "binomial")
                          : find_algorithm("allgather", "recursive-doubling"),
                 false}};
    }
    if (collective == "reduce-scatter") return {{exchange, true}};
    return {{exchange, true}, {has_prefixes ? exchange : straight, true}};
}

std::span<const CompositeRow> rows() {
    static const std::vector<CompositeRow> all = [] {
        std::vector<CompositeRow> made;
        for (const std::string_view collective :
             {"allreduce", "reduce", "scan", "exscan", "reduce-scatter"}) {
            for (const ExactWay way : {ExactWay::straight, ExactWay::doubling, ExactWay::blocks}) {
                Algorithm row{};
                row.collective = collective;
                row.name = way_names[static_cast<std::size_t>(way)];
                made.push_back({row, parts_of(collective, way)});
            }
        }
        return made;
    }();
    return all;
}

/// [collective][way][carrier]
using Choices = std::array<std::array<std::array<Choice, 2>, std::size(way_names)>, collectives>;

const Choice* choice_of(Collective collective, ExactWay way, Carrier carrier) {
    static const Choices choices = [] {
        Choices made;
        for (const CompositeRow& composite : rows()) {
            const auto index = std::ranges::find(collective_names, composite.row.collective) -
                               std::begin(collective_names);
            for (const Carrier by : {Carrier::host, Carrier::memory}) {
                const Choice choice{&composite.row, {}, by};
                made[static_cast<std::size_t>(index)]
                    [static_cast<std::size_t>(exact_way_of(choice))][by == Carrier::memory] =
                        choice;
            }
        }
        return made;
    }();
    return &choices[static_cast<std::size_t>(collective)][static_cast<std::size_t>(way)]
                   [carrier == Carrier::memory];
}

const Choice* instead_of_host(Collective collective, int ranks, std::int64_t bytes,
                              Carrier carrier) {
    return usual_exact_way(collective, ranks, bytes, carrier);
}

const char* why_not_long(const Algorithm& row, int) {
    return row.name == way_names[static_cast<std::size_t>(ExactWay::blocks)]
               ? nullptr
               : "vectors are too long to come together";
}

constexpr RowFilter all_ways{"-exact", every_row.why_not, instead_of_host, rows};
constexpr RowFilter ways_of_long_vectors{"-exact", why_not_long, instead_of_host, rows};

/// Where nothing is learnt, vectors of up to so many bytes come together, as long as all of them
/// have `most_together`; straight between few ranks, or where each posts its own.
constexpr std::int64_t most_whole = std::int64_t{2} << 10;
constexpr std::int64_t most_together = std::int64_t{64} << 10;
constexpr int most_straight = 4;
constexpr int most_straight_in_memory = 16;
/// More is never looked at: half of what a thread keeps of its scratch memory.
constexpr std::int64_t most_learnt_together = std::int64_t{2} << 20;

}  // namespace

ExactWay exact_way_of(const Choice& choice) {
    return static_cast<ExactWay>(std::ranges::find(way_names, choice.algorithm->name) -
                                 std::begin(way_names));
}

const RowFilter& exact_ways(std::int64_t bytes, int ranks) {
    return size_bucket(bytes) <= most_learnt_together / ranks ? all_ways : ways_of_long_vectors;
}

const Choice* usual_exact_way(Collective collective, int ranks, std::int64_t bytes,
                              Carrier carrier) {
    const bool is_straight =
        ranks <= (carrier == Carrier::memory ? most_straight_in_memory : most_straight);
    ExactWay way = ExactWay::blocks;
    if (bytes <= std::min(most_whole, most_together / ranks)) {
        way = is_straight ? ExactWay::straight : ExactWay::doubling;
    }
    return choice_of(collective, way, carrier);
}

}  // namespace tasuki::interpose
