#include "interpose/scratch.hpp"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "interpose/abort_run.hpp"

namespace tasuki::interpose {

namespace {

/// Trivial: a program may call MPI once more when the thread-local variables of its thread are
/// gone, as in destructors of global ones.
struct Kept {
    std::size_t bytes;
    std::byte* block;
};
constinit thread_local Kept kept{0, nullptr};

/// What is kept after that stays until the process ends.
[[gnu::cold]] void drop_at_end_of_thread() {
    struct End {
        ~End() { delete[] std::exchange(kept, Kept{0, nullptr}).block; }
    };
    thread_local const End end;
    static_cast<void>(end);
}

}  // namespace

void Scratch::take() {
    exceptions_ = std::uncaught_exceptions();
    if (bytes_ <= kept.bytes) {
        bytes_ = std::exchange(kept.bytes, 0);
        block_.reset(std::exchange(kept.block, nullptr));
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
        drop_at_end_of_thread();
        delete[] std::exchange(kept, Kept{bytes_, block_.release()}).block;
    }
}

}  // namespace tasuki::interpose
