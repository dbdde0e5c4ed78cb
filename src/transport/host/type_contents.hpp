// What a datatype was made of.
#pragma once

#include <vector>

#include "transport/host/mpi_header.hpp"

namespace tasuki::host {

/// How a type was made.
struct Envelope {
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    int combiner = MPI_COMBINER_NAMED;

    explicit Envelope(MPI_Datatype type);

    /// Types that are not made of others and may not be freed.
    bool is_predefined() const;
};

/// The arguments that a type was made with, which is not a predefined one.
class TypeContents {
  public:
    TypeContents(MPI_Datatype type, const Envelope& envelope);
    ~TypeContents();
    TypeContents(const TypeContents&) = delete;
    TypeContents& operator=(const TypeContents&) = delete;

    /// Integers, then addresses, then large counts. Those of most types have one order, whichever
    /// of the three they were given as: count, lengths of blocks, displacements.
    const std::vector<MPI_Count>& numbers() const { return numbers_; }
    /// They live as long as this does.
    const std::vector<MPI_Datatype>& types() const { return types_; }

  private:
    std::vector<MPI_Count> numbers_;
    std::vector<MPI_Datatype> types_;
};

}  // namespace tasuki::host
