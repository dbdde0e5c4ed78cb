// What a known call of a v- or w-form works on.
#pragma once

#include <cstdint>
#include <vector>

#include "interpose/communicator.hpp"
#include "interpose/known_call.hpp"
#include "transport/buffer.hpp"

namespace tasuki::interpose {

/// The blocks of a call where they lie, by arrays that the program may have changed since the last
/// one: they are read in each call, and nothing of them is kept. What cannot be taken where it
/// lies is left to the handler of the call, which copies.
///
/// Memory: 5 KiB a thread, whatever the number of ranks.
class KnownBlocks {
  public:
    /// Calls of more ranks are handled, and programs of more scratch.
    static constexpr int most_ranks = 32;
    static constexpr int most_scratch_chunks = 64;

    /// Binds a call of `communicator` that runs by `run` to its arrays. It sends nothing. false if
    /// it must be handled.
    bool bind(const CallArguments& arguments, const KnownRun& run, Communicator& communicator,
              const CallBuffers& buffers, const CallArrays& arrays);

    // Of the last bind(), until the next one:
    const Buffer& input() const { return sides_[0].buffer; }
    const Buffer& output() const { return sides_[1].buffer; }
    /// nullptr: a unit for each chunk.
    const UnevenChunks* scratch() const { return has_uneven_scratch_ ? &scratch_ : nullptr; }

  private:
    struct Side {
        UnevenChunks chunks;  // none where this rank has nothing, as all blocks but at the root
        Buffer buffer;

        void clear() {
            chunks.clear();
            buffer = {};
        }
        void begin(const void* address, std::int64_t unit_bytes);
        std::int64_t units(int block) const { return chunks.cut[block + 1] - chunks.cut[block]; }
    };
    struct Call;

    bool bind_sides(const Call& call);
    bool bind_rooted(const Call& call, int all);
    bool bind_reduced(const Call& call);
    bool bind_own(const Call& call, int side);
    bool bind_all(const Call& call, int side, bool in_one_run);
    void lay_out(const Call& call, std::int64_t capacity);

    Side sides_[2];  // of the input and of the output
    UnevenChunks scratch_;
    std::vector<std::int64_t> sizes_;  // that scratch chunks have
    bool has_uneven_scratch_ = false;
};

}  // namespace tasuki::interpose
