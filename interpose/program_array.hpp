#pragma once

#include "interpose/communicator.hpp"
#include "interpose/reduction.hpp"
#include "interpose/scratch.hpp"

namespace tasuki::interpose {

/// An array of the program's, of elements that follow each other: where it lies, or a copy in
/// memory of ours.
class ProgramArray {
  public:
    /// `bytes` in all, `count` elements of `type`. `is_copy`: a copy, because the program's memory
    /// is to be written while this is read, or because what lies between parts of its elements is
    /// not to be written. `late_device`: see has_late_device(); such memory is
    /// copied too. `address` may be nullptr where nothing is asked of this rank.
    ProgramArray(const Communicator& communicator, const void* address, MPI_Count count,
                 MPI_Datatype type, MPI_Count bytes, bool is_copy, bool late_device);
    ProgramArray(const ProgramArray&) = delete;
    ProgramArray& operator=(const ProgramArray&) = delete;

    std::byte* data() const { return is_copy_ ? copy_.data() : address_; }
    /// Before the execution, of what is read. Throws TransportError.
    void fetch();
    /// After the execution, of what is written, which are elements of `reduction`. Throws
    /// TransportError.
    void deliver(const Reduction& reduction);

  private:
    const Communicator& communicator_;
    std::byte* address_;
    MPI_Count count_;
    MPI_Datatype type_;
    MPI_Count bytes_;
    bool is_device_;
    bool is_copy_;
    Scratch copy_;
};

}  // namespace tasuki::interpose
