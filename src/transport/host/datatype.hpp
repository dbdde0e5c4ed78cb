// What the engine must know of an MPI datatype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "transport/buffer.hpp"
#include "transport/host/mpi_header.hpp"
#include "transport/host/own_packing.hpp"

namespace tasuki::host {

/// Sizes in bytes.
struct TypeLayout {
    MPI_Count size = 0;    ///< what is sent of one element
    MPI_Count extent = 0;  ///< between the addresses of neighbouring elements
    /// An array of elements is one run of bytes that is sent in the order in which it lies.
    bool is_plain = false;
    bool is_predefined = false;
};

/// Looks `type` up; false if it is no datatype that can be communicated. Predefined types cost a
/// comparison from the second time on; derived ones are looked up again each time, because a freed
/// handle may come back as another type.
bool layout_of(MPI_Datatype type, TypeLayout& layout);

/// Packs and unpacks by the host MPI, or by our own where that has a fault; one thread at a time.
/// Failures are thrown as TransportError.
class HostElementType : public ElementType {
  public:
    HostElementType(MPI_Datatype type, const TypeLayout& layout) : type_(type), layout_(layout) {}

    MPI_Datatype type() const { return type_; }
    void pack(const std::byte* base, std::int64_t elements, std::byte* packed) const override;
    void unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const override;

  private:
    const OwnPacking* own_packing() const;

    MPI_Datatype type_;
    TypeLayout layout_;
    // Looked up when it is first needed: most elements go to the host without being packed.
    mutable std::shared_ptr<const OwnPacking> own_packing_;
    mutable bool is_looked_up_ = false;
};

/// `type` with all its data `distance` bytes further on.
class MovedType {
  public:
    MovedType(MPI_Datatype type, MPI_Aint distance);
    ~MovedType();
    MovedType(const MovedType&) = delete;
    MovedType& operator=(const MovedType&) = delete;

    MPI_Datatype type() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// `count` elements of `type` as an argument pair of the calls that take an int: itself where it
/// fits, else one element of a type that is made for it and freed with this object (MPI keeps it
/// alive for operations that are still in flight).
class IntCount {
  public:
    IntCount(MPI_Count count, MPI_Datatype type);
    ~IntCount();
    IntCount(const IntCount&) = delete;
    IntCount& operator=(const IntCount&) = delete;

    int count() const { return count_; }
    MPI_Datatype type() const { return type_; }

  private:
    int count_;
    MPI_Datatype type_;
    bool made_ = false;
};

}  // namespace tasuki::host
