#include "interpose/scratch.hpp"

#include <utility>

namespace tasuki::interpose {

namespace {

struct Kept {
    std::size_t bytes = 0;
    std::unique_ptr<std::byte[]> block;
};
thread_local Kept kept;

}  // namespace

void Scratch::take() {
    if (bytes_ <= kept.bytes) {
        bytes_ = std::exchange(kept.bytes, 0);
        block_ = std::move(kept.block);
    } else {
        block_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
    }
}

void Scratch::give_back() {
    if (bytes_ <= most_kept && bytes_ > kept.bytes) kept = {bytes_, std::move(block_)};
}

}  // namespace tasuki::interpose
