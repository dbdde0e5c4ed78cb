#pragma once

#include "interpose/communicator.hpp"
#include "interpose/scratch.hpp"
#include "interpose/side.hpp"

namespace tasuki::interpose {

/// A side as contiguous bytes: the program's own memory where these lie there, else a copy in
/// memory of ours.
class PackedSide {
  public:
    /// `is_copy`: a copy even where there need be none, because the program's memory is to be
    /// written while it is read. `late_device`: see has_late_device().
    PackedSide(const Communicator& communicator, const Side& side, bool late_device,
               bool is_copy = false);

    PackedSide(const PackedSide&) = delete;
    PackedSide& operator=(const PackedSide&) = delete;

    /// Before the execution, of what is sent. Throws TransportError.
    void fetch();
    /// After the execution, of what is received. Throws TransportError.
    void deliver();
    std::byte* data() const {
        return is_copy_ ? copy_.data() : static_cast<std::byte*>(side_.address());
    }
    /// A chunk for each block, of as many bytes as each has.
    Buffer buffer() const { return Buffer::contiguous(data(), side_.block_bytes()); }
    /// One block, in units of bytes. `chunk` is that one, and stays.
    Buffer buffer(const UnevenChunks& chunk) const {
        Buffer buffer = Buffer::contiguous(data(), 1);
        buffer.uneven = &chunk;
        return buffer;
    }

  private:
    Buffer packed() const { return Buffer::contiguous(copy_.data(), side_.block_bytes()); }

    const Communicator& communicator_;
    const Side& side_;
    bool by_message_;
    bool is_copy_;
    Scratch copy_;
};

}  // namespace tasuki::interpose
