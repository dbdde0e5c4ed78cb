// Executes every row on threads, with and without gaps in the data, with chunks of equal size and
// of any, and compares every byte. Where a row says that it evaluates the canonical tree, the bytes
// are those of that tree, which is made here; elsewhere those of the tree that was proved.
#include <bit>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <span>
#include <unordered_map>

#include "algorithms/arrivals.hpp"
#include "algorithms/cases.hpp"
#include "algorithms/gapped_type.hpp"
#include "contract/contract.hpp"
#include "execute/step_machine.hpp"
#include "transport/loopback/loopback.hpp"
#include "verify/symbolic_run.hpp"

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

/// Neither associative nor commutative, so that it tells every tree from every other.
void mix(const std::byte* from, Operand from_operand, std::byte* to, std::int64_t bytes) {
    for (std::int64_t i = 0; i < bytes; ++i) {
        const bool is_left = from_operand == Operand::left;
        const auto left = static_cast<unsigned>(is_left ? from[i] : to[i]);
        const auto right = static_cast<unsigned>(is_left ? to[i] : from[i]);
        to[i] = static_cast<std::byte>(3 * left + 5 * right + 1);
    }
}

/// How many elements the chunks of an execution have.
class Sizes {
  public:
    /// With `uneven` up to `elements`, for each number of a size as many as a random number says.
    Sizes(std::int64_t elements, bool uneven, std::uint64_t seed)
        : elements_(elements), uneven_(uneven), seed_(seed) {}

    bool uneven() const { return uneven_; }
    std::int64_t elements(std::int64_t number) const {
        if (!uneven_ || number == any_size) return elements_;
        std::uint64_t mixed = (static_cast<std::uint64_t>(number) + seed_) * 0x9E3779B97F4A7C15ULL;
        mixed ^= mixed >> 29;
        return static_cast<std::int64_t>(mixed % static_cast<std::uint64_t>(elements_ + 1));
    }

  private:
    std::int64_t elements_;
    bool uneven_;
    std::uint64_t seed_;
};

/// Memory for chunks whose sizes have these numbers, with a margin on both sides.
class Memory {
  public:
    Memory(const Layout& layout, const std::vector<std::int64_t>& numbers, const Sizes& sizes,
           std::byte fill)
        : uneven_(std::make_unique<UnevenChunks>()) {
        std::vector<std::int64_t> elements;
        for (const std::int64_t number : numbers) elements.push_back(sizes.elements(number));
        *uneven_ = UnevenChunks::packed(elements);
        bytes_.assign(2 * margin + uneven_->cut.back() * extent_of(layout), fill);
        const std::int64_t unit = sizes.uneven() ? 1 : sizes.elements(any_size);
        buffer_ = {.base = bytes_.data() + margin,
                   .chunk_bytes = unit * element_bytes,
                   .chunk_distance = unit * extent_of(layout),
                   .chunk_elements = unit,
                   .type = layout.type.get(),
                   .uneven = sizes.uneven() ? uneven_.get() : nullptr};
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

    std::unique_ptr<UnevenChunks> uneven_;
    std::vector<std::byte> bytes_;
    Buffer buffer_;
};

/// One execution: memory of all ranks, and what must stand there afterwards.
class Execution {
  public:
    Execution(const Schedule& schedule, const SymbolicRun& proof, std::mt19937& random)
        : schedule_(schedule),
          contract_(contract_of(schedule.collective)),
          proof_(proof),
          sizes_(any_sizes(*contract_, random)) {
        const auto any_layout = [&]() -> const Layout& {
            return layouts()[contract_->reduces() ? 0 : random() % 3];
        };
        const Layout& in = any_layout();
        const Layout& out = any_layout();
        text_ = text_of(schedule) + ", " + std::to_string(sizes_.elements(any_size)) +
                (sizes_.uneven() ? " elements at most, input " : " elements, input ") + in.name +
                ", output " + out.name;
        for (std::int32_t rank = 0; rank < schedule.instance.ranks; ++rank) {
            const Program& program = schedule.programs[rank];
            inputs_.emplace_back(in, numbers(Space::input, rank, program.input_chunks), sizes_,
                                 std::byte{0});
            for (std::byte& byte : inputs_.back().bytes()) byte = static_cast<std::byte>(random());
            const auto output_numbers = numbers(Space::output, rank, program.output_chunks);
            outputs_.emplace_back(out, output_numbers, sizes_, std::byte{0xEE});
            expected_.emplace_back(out, output_numbers, sizes_, std::byte{0xEE});
        }
        expect();
    }

    void run(LoopbackWorld::Sends sends) {
        SCOPED_TRACE(text_);
        std::vector<std::vector<std::byte>> before;
        for (Memory& memory : inputs_) before.push_back(memory.bytes());
        LoopbackWorld world(schedule_.instance.ranks, sends);
        const Combine combine = mix;
        Arrivals arrivals(schedule_.instance.ranks);
        world.run([&](std::int32_t rank, Transport& transport) {
            arrivals.arrive(rank);
            StepMachine machine(schedule_.programs[rank]);
            Memory scratch(layouts()[0], scratch_numbers(schedule_.programs[rank]), sizes_,
                           std::byte{0xDD});
            machine.run({.input = inputs_[rank].buffer(),
                         .output = outputs_[rank].buffer(),
                         .scratch = scratch.buffer(),
                         .transport = &transport,
                         .combine = &combine});
            if (contract_->synchronises()) arrivals.expect_all();
        });
        for (std::int32_t rank = 0; rank < schedule_.instance.ranks; ++rank) {
            ASSERT_EQ(outputs_[rank].bytes(), expected_[rank].bytes()) << "rank " << rank;
            ASSERT_EQ(inputs_[rank].bytes(), before[rank]) << "the input of rank " << rank;
        }
    }

  private:
    static Sizes any_sizes(const Contract& contract, std::mt19937& random) {
        const auto elements =
            static_cast<std::int64_t>(random() % 4 == 0 ? random() % 2 : random() % 40);
        const bool has_sizes = contract.size_of(Space::input, 0, 0, Instance{}) != any_size;
        return {elements, has_sizes && random() % 2 == 0, random()};
    }

    std::vector<std::int64_t> numbers(Space space, std::int32_t rank, std::int32_t chunks) const {
        std::vector<std::int64_t> list;
        for (std::int32_t chunk = 0; chunk < chunks; ++chunk) {
            list.push_back(contract_->size_of(space, rank, chunk, schedule_.instance));
        }
        return list;
    }

    static std::vector<std::int64_t> scratch_numbers(const Program& program) {
        const std::vector<std::int32_t> numbers = program.scratch_size_numbers();
        return {numbers.begin(), numbers.end()};
    }

    /// The bytes that a value has, packed.
    const std::vector<std::byte>& bytes_of(Value value) {
        const auto [place, is_new] = values_.try_emplace(value);
        if (!is_new) return place->second;
        const Expressions& expressions = proof_.expressions();
        std::vector<std::byte> bytes;
        if (expressions.is_leaf(value)) {
            bytes = bytes_of_input(expressions.origin_of(value));
        } else {
            bytes = combined(bytes_of(expressions.left_of(value)),
                             bytes_of(expressions.right_of(value)));
        }
        return values_[value] = std::move(bytes);
    }

    std::vector<std::byte> bytes_of_input(const Origin& origin) const {
        const Buffer& from = inputs_[origin.rank].buffer();
        std::vector<std::byte> bytes(from.bytes(from.units(origin.chunk, 1)));
        Buffer packed = from;
        packed.base = bytes.data();
        packed.chunk_distance = from.chunk_bytes;
        packed.type = nullptr;
        const auto whole = UnevenChunks::packed(std::vector{from.units(origin.chunk, 1)});
        if (from.uneven != nullptr) packed.uneven = &whole;
        copy_chunks(from, input(origin.chunk), packed, scratch(0));
        return bytes;
    }

    static std::vector<std::byte> combined(const std::vector<std::byte>& left,
                                           std::vector<std::byte> right) {
        mix(left.data(), Operand::left, right.data(), static_cast<std::int64_t>(right.size()));
        return right;
    }

    /// Both sides of the largest power of two below their number, and so both of these.
    std::vector<std::byte> canonical(std::span<const Origin> operands) const {
        if (operands.size() == 1) return bytes_of_input(operands.front());
        const std::size_t half = std::bit_floor(operands.size() - 1);
        return combined(canonical(operands.first(half)), canonical(operands.subspan(half)));
    }

    bool is_canonical() const {
        const std::int32_t ranks = schedule_.instance.ranks;
        return contract_->reduces() &&
               find_algorithm(schedule_.collective, schedule_.algorithm)->is_canonical(ranks);
    }

    std::vector<std::byte> expected_bytes(std::int32_t rank, std::int32_t chunk) {
        const Program& program = schedule_.programs[rank];
        const auto operands = contract_->expected(program, rank, chunk, schedule_.instance);
        if (is_canonical() && !operands.empty()) return canonical(operands);
        return bytes_of(proof_.output(rank, chunk));
    }

    void expect() {
        for (std::int32_t rank = 0; rank < schedule_.instance.ranks; ++rank) {
            const Buffer& to = expected_[rank].buffer();
            for (std::int32_t chunk = 0; chunk < schedule_.programs[rank].output_chunks; ++chunk) {
                std::vector<std::byte> bytes = expected_bytes(rank, chunk);
                Buffer packed = Buffer::contiguous(bytes.data(), to.chunk_bytes);
                const auto whole = UnevenChunks::packed(std::vector{to.units(chunk, 1)});
                if (to.uneven != nullptr) packed.uneven = &whole;
                copy_chunks(packed, scratch(0), to, output(chunk));
            }
        }
    }

    const Schedule& schedule_;
    std::unique_ptr<Contract> contract_;
    const SymbolicRun& proof_;
    Sizes sizes_;
    std::string text_;
    std::unordered_map<Value, std::vector<std::byte>> values_;
    std::vector<Memory> inputs_;
    std::vector<Memory> outputs_;
    std::vector<Memory> expected_;
};

/// The thread sanitizer, which takes 20 times as long, looks for races: those of 10 to 15 threads
/// are the ones of 9 and 16.
bool is_looked_at(std::int32_t ranks) {
#if defined(__SANITIZE_THREAD__)
    return ranks < 10 || ranks > 15;
#else
    return ranks > 0;
#endif
}

}  // namespace

TEST_P(EveryRow, MovesEveryByteOnLoopback) {
    std::mt19937 random(20090216);
    for (std::int32_t ranks = 1; ranks <= 17; ++ranks) {
        if (!is_looked_at(ranks)) continue;
        for (const Schedule& schedule : schedules(*GetParam(), ranks)) {
            const SymbolicRun proof(schedule);
            for (const auto sends :
                 {LoopbackWorld::Sends::synchronous, LoopbackWorld::Sends::buffered,
                  LoopbackWorld::Sends::synchronous}) {
                Execution(schedule, proof, random).run(sends);
                if (HasFatalFailure()) return;
            }
        }
    }
}

}  // namespace tasuki::test
