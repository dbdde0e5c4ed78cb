// The table of algorithms, as the rest of the program reads it. The rows are in algorithms.toml.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace tasuki {

/// A number that an algorithm can be tuned by.
struct ParameterInfo {
    std::string_view name;
    std::int64_t default_value;
    std::int64_t minimum;
    std::int64_t maximum;
    std::string_view sentence;
    std::span<const std::int64_t> tried;  ///< by selection, beside the default; or number_of_ranks
};

/// In ParameterInfo::tried: as many as the instance has ranks.
inline constexpr std::int64_t number_of_ranks = -1;

/// Conditions that an instance must meet; see `domain` in algorithms.toml.
enum class Condition : std::uint8_t { power_of_two_ranks, few_ranks, several_nodes, known_routes };

/// What Condition::few_ranks means: at most so many.
inline constexpr std::int32_t most_of_few_ranks = 16;

/// As in algorithms.toml: "power-of-two-ranks".
std::string_view name_of(Condition condition);

/// In what order a reduction combines its operands; see `tree` in algorithms.toml. Each has what
/// those before it have.
enum class ReductionTree : std::uint8_t {
    any_order,  ///< right for operations that commute; also what does not reduce
    rank_order,
    canonical_for_powers_of_two,
    canonical,
};

/// One row of algorithms.toml. A generator is pure: equal arguments give equal programs, and it
/// costs what its own rank does.
struct Algorithm {
    std::string_view collective;
    std::string_view name;
    std::string_view sentence;
    std::string_view cost;    ///< its shape in P, m and P-LogP parameters
    std::string_view source;  ///< where it comes from
    std::string_view file;
    std::span<const ParameterInfo> parameters;
    std::span<const Condition> domain;
    bool needs_placement;  ///< otherwise any placement of the ranks gives the same programs
    bool needs_sizes;      ///< blocks pass through ranks that must be told how large they are
    bool needs_capacity;   ///< blocks are heads and tails: all ranks must agree on their capacity
    ReductionTree tree;
    bool gathers;  ///< some rank has the operands of all at the same time: passes are worth while
    Program (*generate)(std::int32_t rank, const Instance& instance);

    /// Empty if the algorithm works for this instance, else why not, as a sentence.
    std::string outside_domain(const Instance& instance) const;
    /// Whether it evaluates the canonical tree on so many ranks: rows that do can take each other's
    /// place, and no bit of a result changes.
    bool is_canonical(std::int32_t ranks) const;
    /// The programs of all ranks.
    Schedule schedule(const Instance& instance) const;
    /// All parameters at their defaults.
    Parameters default_parameters() const;
    /// Those, and then what selection tries beside them on so many ranks: all at their defaults but
    /// one. Some may make the same programs.
    std::vector<Parameters> tried_parameters(std::int32_t ranks) const;
};

/// All rows, in the order of the table.
std::span<const Algorithm> all_algorithms();

/// nullptr if there is no such row.
const Algorithm* find_algorithm(std::string_view collective, std::string_view name);

/// What carries messages between ranks of one node; between nodes it is the host MPI.
enum class Carrier : std::uint8_t { host, memory };

/// What a user asked for: an algorithm with its parameters, or the host MPI's own (nullptr).
struct Choice {
    const Algorithm* algorithm = nullptr;
    Parameters parameters;
    Carrier carrier = Carrier::host;

    /// As parse_choice() reads it back: "bruck:radix=4", "native", "ring:carrier=memory".
    std::string text() const;
};

/// Reads NAME[:parameter=value[,parameter=value...]] or "native", the host's own algorithm; every
/// algorithm has the parameter carrier, which is host or memory. Throws std::invalid_argument with
/// a sentence that names the valid choices.
Choice parse_choice(std::string_view collective, std::string_view text);

}  // namespace tasuki
