// Executes every row on threads, with and without gaps in the data, and compares every byte.
#include <gtest/gtest.h>
#include <memory>
#include <random>

#include "algorithms/cases.hpp"
#include "algorithms/gapped_type.hpp"
#include "contract/contract.hpp"
#include "execute/step_machine.hpp"
#include "transport/loopback/loopback.hpp"

namespace tasuki::test {

namespace {

/// How one side of the operation lies in memory. All layouts pack an element into 5 bytes.
struct Layout {
    const char* name;
    std::unique_ptr<GappedType> type;  // nullptr: contiguous
};
constexpr std::int64_t element_bytes = 5;

const std::vector<Layout>& layouts() {
    static const std::vector<Layout> list = [] {
        std::vector<Layout> made;
        made.push_back({"contiguous", nullptr});
        made.push_back(
            {"gaps", std::make_unique<GappedType>(std::vector<Piece>{{0, 2}, {4, 3}}, 11)});
        made.push_back({"negative lower bound",
                        std::make_unique<GappedType>(std::vector<Piece>{{3, 1}, {-7, 4}}, 17)});
        return made;
    }();
    return list;
}

/// Memory for `chunks` chunks of `elements` elements, with a margin on both sides.
class Memory {
  public:
    Memory(const Layout& layout, std::int32_t chunks, std::int64_t elements, std::byte fill)
        : bytes_(2 * margin + chunks * elements * extent_of(layout), fill) {
        buffer_ = {.base = bytes_.data() + margin,
                   .chunk_bytes = elements * element_bytes,
                   .chunk_distance = elements * extent_of(layout),
                   .chunk_elements = elements,
                   .type = layout.type.get()};
    }
    Memory(const Memory&) = delete;
    Memory(Memory&&) = default;

    const Buffer& buffer() const { return buffer_; }
    std::vector<std::byte>& bytes() { return bytes_; }

  private:
    static constexpr std::int64_t margin = 32;
    static std::int64_t extent_of(const Layout& layout) {
        return layout.type == nullptr ? element_bytes : layout.type->extent();
    }

    std::vector<std::byte> bytes_;
    Buffer buffer_;
};

/// One execution: memory of all ranks, and what must stand there afterwards.
class Execution {
  public:
    Execution(const Schedule& schedule, std::mt19937& random) : schedule_(schedule) {
        const auto any = [&](std::int64_t below) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
        };
        elements_ = any(4) == 0 ? any(2) : any(40);
        const Layout& in = layouts()[any(3)];
        const Layout& out = layouts()[any(3)];
        text_ = text_of(schedule) + ", " + std::to_string(elements_) + " elements, input " +
                in.name + ", output " + out.name;
        for (const Program& program : schedule.programs) {
            inputs_.emplace_back(in, program.input_chunks, elements_, std::byte{0});
            for (std::byte& byte : inputs_.back().bytes()) byte = static_cast<std::byte>(random());
            outputs_.emplace_back(out, program.output_chunks, elements_, std::byte{0xEE});
            expected_.emplace_back(out, program.output_chunks, elements_, std::byte{0xEE});
        }
        expect();
    }

    void run(LoopbackWorld::Sends sends) {
        SCOPED_TRACE(text_);
        LoopbackWorld world(schedule_.instance.ranks, sends);
        world.run([&](std::int32_t rank, Transport& transport) {
            StepMachine machine(schedule_.programs[rank]);
            Memory scratch(layouts()[0], schedule_.programs[rank].scratch_chunks, elements_,
                           std::byte{0xDD});
            machine.run({.input = inputs_[rank].buffer(),
                         .output = outputs_[rank].buffer(),
                         .scratch = scratch.buffer(),
                         .transport = &transport});
        });
        for (std::int32_t rank = 0; rank < schedule_.instance.ranks; ++rank) {
            ASSERT_EQ(outputs_[rank].bytes(), expected_[rank].bytes()) << "rank " << rank;
        }
    }

  private:
    void expect() {
        const auto contract = contract_of(schedule_.collective);
        std::vector<std::byte> packed(elements_ * element_bytes);
        for (std::int32_t rank = 0; rank < schedule_.instance.ranks; ++rank) {
            for (std::int32_t chunk = 0; chunk < schedule_.programs[rank].output_chunks; ++chunk) {
                const auto origins =
                    contract->expected(schedule_.programs[rank], rank, chunk, schedule_.instance);
                ASSERT_EQ(origins.size(), 1U) << "only collectives that move data are tested here";
                copy_chunks(inputs_[origins[0].rank].buffer(), input(origins[0].chunk),
                            Buffer::contiguous(packed.data(), elements_ * element_bytes),
                            scratch(0));
                copy_chunks(Buffer::contiguous(packed.data(), elements_ * element_bytes),
                            scratch(0), expected_[rank].buffer(), output(chunk));
            }
        }
    }

    const Schedule& schedule_;
    std::string text_;
    std::int64_t elements_ = 0;
    std::vector<Memory> inputs_;
    std::vector<Memory> outputs_;
    std::vector<Memory> expected_;
};

}  // namespace

TEST_P(EveryRow, MovesEveryByteOnLoopback) {
    std::mt19937 random(20090216);
    for (std::int32_t ranks = 1; ranks <= 17; ++ranks) {
        for (const Schedule& schedule : schedules(*GetParam(), ranks)) {
            for (const auto sends :
                 {LoopbackWorld::Sends::synchronous, LoopbackWorld::Sends::buffered,
                  LoopbackWorld::Sends::synchronous}) {
                Execution(schedule, random).run(sends);
                if (HasFatalFailure()) return;
            }
        }
    }
}

}  // namespace tasuki::test
