// Executes the rows that cut blocks into heads and tails, with blocks that fit into the room that
// the ranks have agreed on and such that do not, and compares every byte.
#include <algorithm>
#include <gtest/gtest.h>

#include "algorithms/cases.hpp"
#include "contract/contract.hpp"
#include "execute/chunk_sizes.hpp"
#include "execute/step_machine.hpp"
#include "transport/loopback/loopback.hpp"

namespace tasuki::test {
namespace {

/// How many bytes the block has whose size has this number: none, less than fit, as many as fit,
/// one more, or many more.
std::int64_t bytes_of(std::int64_t number, std::int64_t capacity) {
    const std::int64_t sizes[] = {0, std::max<std::int64_t>(capacity - 1, 0), capacity,
                                  capacity + 1, 3 * capacity + 7};
    return sizes[(number * 7 + number / 3) % 5];
}

/// The blocks of one side of a rank, as heads and tails.
class Blocks {
  public:
    Blocks(const Schedule& schedule, std::int32_t rank, Space space, std::int64_t capacity) {
        const Program& program = schedule.programs[rank];
        const auto contract = contract_of(schedule.collective);
        const std::int32_t chunks =
            space == Space::input ? program.input_chunks : program.output_chunks;
        std::vector<std::int64_t> sizes;
        for (std::int32_t block = 0; block < chunks / 2; ++block) {
            const std::int64_t number = contract->size_of(space, rank, block, schedule.instance);
            sizes.push_back(bytes_of(number, capacity));
            for (std::int64_t i = 0; i < sizes.back(); ++i) {
                filled_.push_back(static_cast<std::byte>(number * 31 + i));
            }
        }
        bytes_.assign(filled_.size(), std::byte{0});
        chunks_ = UnevenChunks::packed(sizes);
        split_into_heads_and_tails(chunks_, capacity);
    }

    void fill() { bytes_ = filled_; }
    void expect_filled() const { EXPECT_EQ(bytes_, filled_); }
    Buffer buffer() {
        Buffer buffer = Buffer::contiguous(bytes_.data(), 1);
        buffer.uneven = &chunks_;
        return buffer;
    }

  private:
    std::vector<std::byte> filled_;
    std::vector<std::byte> bytes_;
    UnevenChunks chunks_;
};

void execute(const Schedule& schedule, std::int64_t capacity, LoopbackWorld::Sends sends) {
    LoopbackWorld world(schedule.instance.ranks, sends);
    world.run([&](std::int32_t rank, Transport& transport) {
        StepMachine machine(schedule.programs[rank]);
        Blocks given(schedule, rank, Space::input, capacity);
        Blocks got(schedule, rank, Space::output, capacity);
        given.fill();
        const UnevenChunks room = scratch_of(machine.program(), {&capacity, 1});
        std::vector<std::byte> memory(static_cast<std::size_t>(room.cut.back()));
        Buffer scratch = Buffer::contiguous(memory.data(), 1);
        scratch.uneven = &room;
        machine.run({.input = given.buffer(),
                     .output = got.buffer(),
                     .scratch = scratch,
                     .transport = &transport});
        given.expect_filled();
        got.expect_filled();
    });
}

TEST_P(EveryRow, MovesHeadsAndTails) {
    const Algorithm& row = *GetParam();
    if (!row.needs_capacity) return;
    for (const std::int32_t ranks : {1, 2, 3, 4, 5, 7, 8, 13}) {
        for (const Schedule& schedule : schedules(row, ranks)) {
            for (const std::int64_t capacity : {0, 1, 6, 100}) {
                SCOPED_TRACE(text_of(schedule) + ", room of " + std::to_string(capacity));
                execute(schedule, capacity, LoopbackWorld::Sends::synchronous);
                execute(schedule, capacity, LoopbackWorld::Sends::buffered);
                if (HasFailure()) return;
            }
        }
    }
}

}  // namespace
}  // namespace tasuki::test
