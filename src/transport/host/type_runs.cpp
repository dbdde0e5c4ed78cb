#include "transport/host/type_runs.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "transport/host/array_runs.hpp"
#include "transport/host/check.hpp"
#include "transport/host/type_contents.hpp"

namespace tasuki::host {

namespace {

/// Where the int of a pair type is.
template <typename First>
struct Pair {
    First first;
    int second;
};

template <typename First>
std::optional<Runs> runs_of_pair() {
    Runs runs;
    const bool fits =
        runs.add({0, sizeof(First)}) && runs.add({offsetof(Pair<First>, second), sizeof(int)});
    return fits ? std::optional(runs) : std::nullopt;
}

std::optional<Runs> runs_of_predefined(MPI_Datatype type) {
    if (type == MPI_SHORT_INT) return runs_of_pair<short>();
    if (type == MPI_LONG_INT) return runs_of_pair<long>();
    if (type == MPI_FLOAT_INT) return runs_of_pair<float>();
    if (type == MPI_DOUBLE_INT) return runs_of_pair<double>();
    if (type == MPI_LONG_DOUBLE_INT) return runs_of_pair<long double>();
    MPI_Count size = 0, lower = 0, extent = 0;
    check(PMPI_Type_size_x(type, &size));
    check(PMPI_Type_get_true_extent_x(type, &lower, &extent));
    Runs runs;
    if (size == 0) return runs;
    if (size != extent || !runs.add({lower, size})) return std::nullopt;
    return runs;
}

/// `lengths` and `places` of blocks, one for each of `count`, in units; equal lengths are given
/// once.
bool add_blocks(Runs& runs, const PartOfType& part, MPI_Count count, const MPI_Count* lengths,
                bool are_equal, const MPI_Count* places, MPI_Count unit) {
    for (MPI_Count block = 0; block < count; ++block) {
        const MPI_Count length = lengths[are_equal ? 0 : block];
        if (!runs.add(part.runs, places[block] * unit, length, part.extent)) return false;
    }
    return true;
}

bool add_strided(Runs& runs, const PartOfType& part, MPI_Count count, MPI_Count length,
                 MPI_Count stride) {
    Runs block;
    return block.add(part.runs, 0, length, part.extent) && runs.add(block, 0, count, stride);
}

bool add_struct(Runs& runs, const std::vector<PartOfType>& parts, const MPI_Count* lengths,
                const MPI_Count* places) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!runs.add(parts[i].runs, places[i], lengths[i], parts[i].extent)) return false;
    }
    return true;
}

bool is_known(int combiner) {
    switch (combiner) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED:
        case MPI_COMBINER_CONTIGUOUS:
        case MPI_COMBINER_VECTOR:
        case MPI_COMBINER_HVECTOR:
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK:
        case MPI_COMBINER_STRUCT:
        case MPI_COMBINER_SUBARRAY:
        case MPI_COMBINER_DARRAY:
            return true;
        default:
            return false;
    }
}

bool add_all(Runs& runs, const Envelope& envelope, const std::vector<MPI_Count>& numbers,
             const std::vector<PartOfType>& parts) {
    const PartOfType& part = parts.front();
    const MPI_Count* n = numbers.data();
    const bool is_large = envelope.counts > 0;
    switch (envelope.combiner) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED:
            return runs.add(part.runs, 0, 1, part.extent);
        case MPI_COMBINER_CONTIGUOUS:
            return runs.add(part.runs, 0, n[0], part.extent);
        case MPI_COMBINER_VECTOR:
            return add_strided(runs, part, n[0], n[1], n[2] * part.extent);
        case MPI_COMBINER_HVECTOR:
            return add_strided(runs, part, n[0], n[1], n[2]);
        case MPI_COMBINER_INDEXED:
            return add_blocks(runs, part, n[0], n + 1, false, n + 1 + n[0], part.extent);
        case MPI_COMBINER_HINDEXED:
            return add_blocks(runs, part, n[0], n + 1, false, n + 1 + n[0], 1);
        case MPI_COMBINER_INDEXED_BLOCK:
            return add_blocks(runs, part, n[0], n + 1, true, n + 2, part.extent);
        case MPI_COMBINER_HINDEXED_BLOCK:
            return add_blocks(runs, part, n[0], n + 1, true, n + 2, 1);
        case MPI_COMBINER_STRUCT:
            return add_struct(runs, parts, n + 1, n + 1 + n[0]);
        case MPI_COMBINER_SUBARRAY:
            return add_subarray(runs, part, numbers, is_large);
        default:
            return add_darray(runs, part, numbers, is_large);
    }
}

}  // namespace

std::optional<Runs> runs_of(MPI_Datatype type) {
    const Envelope envelope(type);
    if (envelope.is_predefined()) return runs_of_predefined(type);
    if (!is_known(envelope.combiner)) return std::nullopt;
    const TypeContents contents(type, envelope);
    Runs runs;
    std::vector<PartOfType> parts;
    for (MPI_Datatype of : contents.types()) {
        std::optional<Runs> part = runs_of(of);
        if (!part) return std::nullopt;
        MPI_Count lower = 0, extent = 0;
        check(PMPI_Type_get_extent_x(of, &lower, &extent));
        parts.push_back({std::move(*part), extent});
    }
    // A struct of nothing.
    if (parts.empty()) return runs;
    if (!add_all(runs, envelope, contents.numbers(), parts)) return std::nullopt;
    return runs;
}

}  // namespace tasuki::host
