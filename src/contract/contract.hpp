// What must hold before and after a collective, apart from how it is done.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace tasuki {

/// An input chunk as it was before the first step.
struct Origin {
    std::int32_t rank = 0;
    std::int32_t chunk = 0;

    friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// The contract of one collective. The number of chunks that a buffer is cut into is the
/// algorithm's choice where the collective leaves it open (all-reduce), and the collective's where
/// it does not (all-to-all: one chunk for each rank).
class Contract {
  public:
    virtual ~Contract() = default;

    virtual std::string_view collective() const = 0;

    /// Empty if the program of `rank` cuts its buffers into the right numbers of chunks; otherwise
    /// what was expected.
    virtual std::string check_shape(const Program& program, std::int32_t rank,
                                    const Instance& instance) const = 0;

    /// Which input chunks output chunk `chunk` of `rank` is made of: one for a collective that
    /// moves data, all operands in rank order for one that reduces, none where anything may stand.
    virtual std::vector<Origin> expected(const Program& program, std::int32_t rank,
                                         std::int32_t chunk, const Instance& instance) const = 0;

    /// Into how many chunks the program cuts what all ranks must cut alike: the vector of an
    /// all-reduce. 1 where nothing is left to the algorithm.
    virtual std::int32_t cuts(const Program&, std::int32_t, const Instance&) const { return 1; }

    /// The number of the size that a chunk of the input or the output has; equal numbers are equal
    /// sizes, on all ranks and in Program::scratch_sizes. What a count or the counts of a v-form
    /// make of it is the caller's. any_size: all chunks are equal.
    virtual std::int64_t size_of(Space, std::int32_t, std::int32_t, const Instance&) const {
        return any_size;
    }

    /// Whether programs may cut blocks into heads and tails (Program::has_tails). Numbers of sizes
    /// and origins of tails follow those of the heads; that heads fit and tails are what is left
    /// of them is up to who binds a program.
    virtual bool may_have_tails() const { return false; }

    /// Whether no rank may end before every rank has begun.
    virtual bool synchronises() const { return false; }
    /// Whether output chunks are made by an operation, in the order of the ranks.
    virtual bool reduces() const { return false; }
    /// Whether one rank differs from the others: the instance's root.
    virtual bool has_root() const { return false; }
};

/// The contract of a collective by its name in algorithms.toml; throws std::invalid_argument that
/// lists the known ones. A v- or w-form keeps the contract of its plain form, with sizes that
/// differ; reduce-scatter stands for MPI_Reduce_scatter and MPI_Reduce_scatter_block.
std::unique_ptr<Contract> contract_of(std::string_view collective);

}  // namespace tasuki
