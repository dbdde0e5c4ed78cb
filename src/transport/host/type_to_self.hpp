#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::host {

/// `type` for a message of a rank to itself, which hosts make by packing and unpacking: itself, or
/// one of the same bytes that the host packs rightly.
class TypeToSelf {
  public:
    explicit TypeToSelf(MPI_Datatype type);
    ~TypeToSelf();
    TypeToSelf(const TypeToSelf&) = delete;
    TypeToSelf& operator=(const TypeToSelf&) = delete;

    MPI_Datatype type() const { return type_; }

  private:
    MPI_Datatype type_;
    bool is_made_ = false;
};

}  // namespace tasuki::host
