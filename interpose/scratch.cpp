#include "interpose/scratch.hpp"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "interpose/abort_run.hpp"

namespace tasuki::interpose {

namespace {

struct Kept {
    std::size_t bytes = 0;
    std::unique_ptr<std::byte[]> block;
};
thread_local Kept kept;

}  // namespace

void Scratch::take() {
    exceptions_ = std::uncaught_exceptions();
    if (bytes_ <= kept.bytes) {
        bytes_ = std::exchange(kept.bytes, 0);
        block_ = std::move(kept.block);
        return;
    }
    try {
        block_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
    } catch (const std::bad_alloc&) {
        abort_run("has no memory for the " + std::to_string(bytes_) +
                  " bytes that a collective needs beside the program's own buffers "
                  "(the host MPI's own algorithm asks for none of it: choose native)");
    }
}

void Scratch::end() {
    if (std::uncaught_exceptions() > exceptions_) {
        static_cast<void>(block_.release());
    } else if (bytes_ <= most_kept && bytes_ > kept.bytes) {
        kept = {bytes_, std::move(block_)};
    }
}

}  // namespace tasuki::interpose
