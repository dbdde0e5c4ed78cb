// One side of a call: where the program's blocks lie, and as what.
#pragma once

#include <climits>
#include <memory>

#include "interpose/communicator.hpp"
#include "interpose/device_memory.hpp"
#include "transport/buffer.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

/// `blocks` blocks, one behind the other, of `count` elements of one datatype each.
class Side {
  public:
    Side(void* address, MPI_Count count, MPI_Datatype type, const host::TypeLayout& layout,
         int blocks)
        : address_(address),
          count_(count),
          blocks_(blocks),
          layout_(layout),
          elements_(type, layout) {}

    void* address() const { return address_; }
    bool is_in_device_memory() const { return is_device_memory(address_); }
    bool is_plain() const { return layout_.is_plain; }
    MPI_Count block_bytes() const { return count_ * layout_.size; }
    MPI_Count bytes() const { return blocks_ * block_bytes(); }
    Buffer buffer() const;

    /// Elements that the host cannot pack into a buffer whose size is an int.
    bool has_huge_elements() const { return layout_.size > INT_MAX; }

    /// A null pointer is MPI_BOTTOM, and the type holds addresses; a plain one holds none. Where
    /// there are no elements it may be anything.
    bool is_missing() const { return address_ == nullptr && layout_.is_plain && bytes() > 0; }
    /// Whether the host takes the type in a message: derived ones may not have been committed.
    bool can_be_sent(const Communicator& communicator) const;
    /// From then on the same places are seen from another address than MPI_BOTTOM, which is a null
    /// pointer and as such refused by MPICH's MPI_Pack and MPI_Unpack.
    void leave_bottom();

    /// The `block`th of the blocks, as a side of its own.
    Side block(int block) const {
        return {static_cast<std::byte*>(address_) + block * count_ * layout_.extent, count_,
                elements_.type(), layout_, 1};
    }

    /// Between the blocks and packed bytes of ours. `by_message`: by a message of the
    /// host's to this rank itself, which reaches device memory and has no limit of size. Both throw
    /// TransportError.
    void pack(const Communicator& communicator, bool by_message, const Buffer& packed) const;
    void unpack(const Communicator& communicator, bool by_message, const Buffer& packed) const;

  private:
    void* address_;
    MPI_Count count_;
    int blocks_;
    host::TypeLayout layout_;
    host::HostElementType elements_;
    std::unique_ptr<host::MovedType> moved_;
};

}  // namespace tasuki::interpose
