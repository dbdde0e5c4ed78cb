#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/builder.hpp"
#include "schedule/line_scanner.hpp"
#include "schedule/text.hpp"

namespace tasuki {

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

Region read_region(LineScanner& line) {
    if (line.take("nothing")) return nothing();
    Space space = Space::input;
    if (line.take("output")) {
        space = Space::output;
    } else if (line.take("scratch")) {
        space = Space::scratch;
    } else if (!line.take("input")) {
        line.fail("input[...], output[...], scratch[...] or nothing");
    }
    const auto number = [&](const char* what, std::int64_t low) {
        return static_cast<std::int32_t>(line.number(what, low, largest));
    };
    line.expect("[");
    Region region;
    if (line.take("first")) {
        line.expect("=");
        region.first = number("the first chunk", 0);
        line.expect("count");
        line.expect("=");
        region.count = number("a number of chunks", 0);
        line.expect("block");
        line.expect("=");
        region.block = number("a block of chunks", 0);
        line.expect("stride");
        line.expect("=");
        region.stride = number("a stride in chunks", -largest);
        region.space = space;
    } else {
        const std::int32_t first = number("a first chunk (or first=)", 0);
        line.expect(":");
        region = chunks(space, first, number("the chunk after the last", first) - first);
    }
    line.expect("]");
    return region;
}

bool begins_program(LineScanner line) {
    return line.take("rank");
}

/// Reads the header and then one program after the other, line by line.
class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    Schedule read() {
        read_header();
        while (line_) read_program();
        if (schedule_.programs.size() != static_cast<std::size_t>(schedule_.instance.ranks)) {
            fail("\"rank " + std::to_string(schedule_.programs.size()) + ":\"");
        }
        return std::move(schedule_);
    }

  private:
    /// Moves to the next line that is not empty.
    void next_line() {
        line_.reset();
        while (!line_ && !rest_.empty()) {
            const std::string_view text = rest_.substr(0, rest_.find('\n'));
            rest_.remove_prefix(text.size());
            if (!rest_.empty()) rest_.remove_prefix(1);
            LineScanner line(text, ++number_);
            if (!line.at_end()) line_ = line;
        }
    }

    [[noreturn]] void fail(const std::string& expected) {
        if (line_) line_->fail(expected);
        throw TextError("line " + std::to_string(number_ + 1) + ": expected " + expected +
                        ", found the end of the text");
    }

    /// Moves to the next line, which must begin with `key`.
    LineScanner& line_of(const std::string& key) {
        next_line();
        if (!line_ || !line_->take(key)) fail("\"" + key + "\"");
        return *line_;
    }

    void read_header() {
        Instance& instance = schedule_.instance;
        schedule_.collective = line_of("collective").word("the name of a collective");
        line_->expect_end();
        schedule_.algorithm = line_of("algorithm").word("the name of an algorithm");
        line_->expect_end();
        instance.ranks =
            static_cast<std::int32_t>(line_of("ranks").number("a number of ranks", 1, largest));
        line_->expect_end();
        instance.root = static_cast<std::int32_t>(
            line_of("root").number("a rank", 0, std::int64_t{instance.ranks} - 1));
        line_->expect_end();
        for (next_line(); line_ && line_->take("parameter"); next_line()) read_parameter();
        if (line_ && line_->take("placement")) {
            const auto text = line_->until_blank("a placement");
            try {
                instance.placement = Placement::parse(text, instance.ranks);
            } catch (const std::invalid_argument& error) {
                line_->refuse(error.what());
            }
            line_->expect_end();
            next_line();
        }
    }

    void read_parameter() {
        const auto name = line_->word("the name of a parameter");
        for (const auto& known : schedule_.instance.parameters.values()) {
            if (known.first == name) line_->refuse("parameter " + known.first + " stands twice");
        }
        schedule_.instance.parameters.set(
            name, line_->number("a value", std::numeric_limits<std::int64_t>::min(),
                                std::numeric_limits<std::int64_t>::max()));
        line_->expect_end();
    }

    void read_program() {
        line_->expect("rank");
        const auto rank = static_cast<std::int64_t>(schedule_.programs.size());
        if (rank == schedule_.instance.ranks) {
            line_->refuse("expected no more than " + std::to_string(rank) + " ranks");
        }
        line_->number("the rank", rank, rank);
        line_->expect(":");
        const auto chunks_of = [&](const char* space) {
            line_->expect(space);
            return static_cast<std::int32_t>(line_->number("a number of chunks", 0, largest));
        };
        const std::int32_t input_chunks = chunks_of("input");
        ProgramBuilder program(input_chunks, chunks_of("output"));
        if (line_->take("tails")) program.split_blocks();
        read_scratch(program, chunks_of("scratch"));
        line_->expect_end();

        messages_.clear();
        std::int64_t step = 0;
        for (next_line(); line_ && !begins_program(*line_); next_line()) {
            line_->number("the step's number", step, step);
            line_->expect(":");
            try {
                read_step(program);
            } catch (const TextError&) {
                throw;
            } catch (const std::invalid_argument& refused) {
                line_->refuse(refused.what());
            }
            ++step;
        }
        schedule_.programs.push_back(program.finish());
    }

    void read_scratch(ProgramBuilder& program, std::int32_t scratch_chunks) {
        std::int32_t rest = scratch_chunks;
        if (line_->take("sizes")) {
            do {
                std::int64_t first = any_size;
                if (!line_->take("any")) first = line_->number("any, or a first size", 0, largest);
                line_->expect(":");
                const std::int64_t before = first == any_size ? 0 : first;
                const std::int64_t end =
                    line_->number("a size after the first, and chunks of scratch to have them",
                                  before + 1, std::min(before + rest, largest));
                const auto count = static_cast<std::int32_t>(end - before);
                program.reserve_scratch(count, static_cast<std::int32_t>(first));
                rest -= count;
            } while (!line_->at_end());
        }
        program.reserve_scratch(rest);
    }

    void read_step(ProgramBuilder& program) {
        if (line_->take("send")) {
            line_->expect("to");
            const std::int32_t peer = read_message(StepKind::send);
            const Region from = read_region(*line_);
            program.send(peer, from, read_after());
        } else if (line_->take("recv")) {
            line_->expect("from");
            const std::int32_t peer = read_message(StepKind::recv);
            const Region to = read_region(*line_);
            program.recv(peer, to, read_after());
        } else if (line_->take("copy")) {
            const Region from = read_region(*line_);
            line_->expect("to");
            const Region to = read_region(*line_);
            program.copy(from, to, read_after());
        } else if (line_->take("reduce")) {
            const bool left = line_->take("left");
            if (!left && !line_->take("right")) line_->fail("left or right");
            const Region from = read_region(*line_);
            line_->expect("into");
            const Region to = read_region(*line_);
            program.reduce(from, left ? Operand::left : Operand::right, to, read_after());
        } else {
            line_->fail("send, recv, copy or reduce");
        }
    }

    /// The peer; the number that follows must be the one that the builder will count.
    std::int32_t read_message(StepKind kind) {
        const std::int64_t peer =
            line_->number("a rank", 0, std::int64_t{schedule_.instance.ranks} - 1);
        line_->expect("message");
        std::int64_t& message = messages_[2 * peer + (kind == StepKind::send ? 1 : 0)];
        line_->number("the message's number", message, message);
        ++message;
        return static_cast<std::int32_t>(peer);
    }

    After read_after() {
        after_.clear();
        if (line_->at_end()) return {};
        line_->expect("after");
        do {
            after_.push_back(static_cast<StepId>(line_->number("an earlier step", 0, largest)));
        } while (!line_->at_end());
        return after_;
    }

    std::string_view rest_;
    std::size_t number_ = 0;
    std::optional<LineScanner> line_;
    Schedule schedule_;
    std::unordered_map<std::int64_t, std::int64_t> messages_;  // by 2 * peer + (sends ? 1 : 0)
    std::vector<StepId> after_;
};

}  // namespace

Schedule read_text(std::string_view text) {
    return Reader(text).read();
}

}  // namespace tasuki
