// Where the bytes of an element lie, in the order in which they are sent.
#pragma once

#include <cstddef>
#include <vector>

#include "transport/host/mpi_header.hpp"

namespace tasuki::host {

/// Bytes that follow each other in memory and in a message. `place` is their distance from the
/// address of the element.
struct Run {
    MPI_Count place;
    MPI_Count bytes;
};

/// Neighbours are joined. Holds no more than `most`: what has more of them is left to the host, so
/// that no type costs a multiple of the memory that it is about.
class Runs {
  public:
    static constexpr std::size_t most = 65536;

    const std::vector<Run>& all() const { return runs_; }
    MPI_Count bytes() const;

    /// false if there would be too many; then these are of no use any more.
    [[nodiscard]] bool add(Run run);
    /// `runs` so many times, the first time from `place` on, each time `distance` further.
    [[nodiscard]] bool add(const Runs& runs, MPI_Count place, MPI_Count times, MPI_Count distance);

  private:
    std::vector<Run> runs_;
};

}  // namespace tasuki::host
