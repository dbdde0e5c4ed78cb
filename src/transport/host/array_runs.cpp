#include "transport/host/array_runs.hpp"

#include <algorithm>
#include <utility>

namespace tasuki::host {

namespace {

/// What is taken of an array so far, of the dimensions that vary fastest. They are added one after
/// the other.
class Slab {
  public:
    explicit Slab(const PartOfType& part) : runs_(part.runs), distance_(part.extent) {}

    /// One more dimension of `size`, of which `add_indices(to, add)` calls add(to, first, count)
    /// for the indices that are taken, in ascending order.
    template <typename AddIndices>
    [[nodiscard]] bool add_dimension(MPI_Count size, const AddIndices& add_indices) {
        Runs more;
        const auto add = [&](MPI_Count first, MPI_Count count) {
            return more.add(runs_, first * distance_, count, distance_);
        };
        if (!add_indices(add)) return false;
        runs_ = std::move(more);
        distance_ *= size;
        return true;
    }

    const Runs& runs() const { return runs_; }

  private:
    Runs runs_;
    MPI_Count distance_;  ///< between neighbours in the next dimension
};

/// Calls `visit` for the dimensions from the one that varies fastest on, until it returns false.
template <typename Visit>
bool for_each_dimension(MPI_Count dimensions, MPI_Count order, const Visit& visit) {
    for (MPI_Count i = 0; i < dimensions; ++i) {
        if (!visit(order == MPI_ORDER_C ? dimensions - 1 - i : i)) return false;
    }
    return true;
}

/// Where a process is in the grid of processes, whose last dimension always varies fastest.
std::vector<MPI_Count> place_in_grid(MPI_Count rank, const MPI_Count* sizes, MPI_Count dimensions) {
    std::vector<MPI_Count> place(static_cast<std::size_t>(dimensions));
    for (MPI_Count d = dimensions - 1; d >= 0; --d) {
        place[d] = rank % sizes[d];
        rank /= sizes[d];
    }
    return place;
}

/// The indices of one dimension that a process has.
struct Share {
    MPI_Count size;          ///< of the array
    MPI_Count distribution;  ///< MPI_DISTRIBUTE_*
    MPI_Count argument;      ///< the size of a block, or MPI_DISTRIBUTE_DFLT_DARG
    MPI_Count processes;
    MPI_Count place;  ///< of the process among them

    template <typename Add>
    [[nodiscard]] bool add_to(const Add& add) const {
        if (distribution == MPI_DISTRIBUTE_NONE || processes == 1) return add(0, size);
        const bool is_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
        const bool is_cyclic = distribution == MPI_DISTRIBUTE_CYCLIC;
        const MPI_Count even = is_cyclic ? 1 : (size + processes - 1) / processes;
        const MPI_Count block = is_default ? even : argument;
        // Blocks of a block distribution suffice for all: there is no second round.
        for (MPI_Count first = place * block; first < size; first += processes * block) {
            if (!add(first, std::min(block, size - first))) return false;
        }
        return true;
    }
};

}  // namespace

bool add_subarray(Runs& runs, const PartOfType& part, const std::vector<MPI_Count>& numbers,
                  bool is_large) {
    const MPI_Count dimensions = numbers[0];
    const MPI_Count* sizes = &numbers[is_large ? 2 : 1];
    const MPI_Count* taken = sizes + dimensions;
    const MPI_Count* starts = taken + dimensions;
    const MPI_Count order = is_large ? numbers[1] : starts[dimensions];
    Slab slab(part);
    return for_each_dimension(dimensions, order,
                              [&](MPI_Count d) {
                                  return slab.add_dimension(sizes[d], [&](const auto& add) {
                                      return add(starts[d], taken[d]);
                                  });
                              }) &&
           runs.add(slab.runs(), 0, 1, 0);
}

bool add_darray(Runs& runs, const PartOfType& part, const std::vector<MPI_Count>& numbers,
                bool is_large) {
    const MPI_Count dimensions = numbers[2];
    const MPI_Count* distributions = &numbers[3] + (is_large ? 0 : dimensions);
    const MPI_Count* arguments = distributions + dimensions;
    const MPI_Count* processes = arguments + dimensions;
    const MPI_Count order = processes[dimensions];
    const MPI_Count* sizes = is_large ? processes + dimensions + 1 : &numbers[3];
    const std::vector<MPI_Count> place = place_in_grid(numbers[1], processes, dimensions);
    Slab slab(part);
    return for_each_dimension(dimensions, order,
                              [&](MPI_Count d) {
                                  const Share share{sizes[d], distributions[d], arguments[d],
                                                    processes[d], place[d]};
                                  return slab.add_dimension(
                                      sizes[d], [&](const auto& add) { return share.add_to(add); });
                              }) &&
           runs.add(slab.runs(), 0, 1, 0);
}

}  // namespace tasuki::host
