// Packing without the host, of what it packs wrongly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "transport/host/mpi_header.hpp"
#include "transport/host/runs.hpp"

namespace tasuki::host {

/// The packed bytes are the host's own, had it no fault: ranks need not agree on who packs.
class OwnPacking {
  public:
    /// Of elements that are not plain. nullptr: the host is right, or nothing better is known.
    static std::shared_ptr<const OwnPacking> of(MPI_Datatype type, MPI_Count size,
                                                MPI_Count extent);

    OwnPacking(Runs runs, MPI_Count extent) : runs_(std::move(runs)), extent_(extent) {}

    void pack(const std::byte* base, std::int64_t elements, std::byte* packed) const;
    void unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const;

    const Runs& runs() const { return runs_; }

  private:
    Runs runs_;
    MPI_Count extent_;
};

}  // namespace tasuki::host
