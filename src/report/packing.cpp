#include "report/packing.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tasuki::report {

namespace {

template <typename Value>
concept Plain = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

class Writer {
  public:
    template <Plain Value>
    void operator()(const Value& value) {
        const auto* from = reinterpret_cast<const std::byte*>(&value);
        bytes_.insert(bytes_.end(), from, from + sizeof value);
    }
    template <typename Values>
    std::size_t size(const Values& values) {
        (*this)(static_cast<std::uint64_t>(values.size()));
        return values.size();
    }
    template <typename Value>
    bool has(const std::optional<Value>& value) {
        (*this)(value.has_value());
        return value.has_value();
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <Plain Value>
    void operator()(Value& value) {
        if (rest_.size() < sizeof value) throw std::invalid_argument("a record that is cut off");
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_ = rest_.subspan(sizeof value);
    }
    template <typename Values>
    std::size_t size(Values& values) {
        std::uint64_t size = 0;
        (*this)(size);
        // Nothing is packed into less than a byte.
        if (size > rest_.size()) throw std::invalid_argument("a record that is cut off");
        values.resize(size);
        return size;
    }
    template <typename Value>
    bool has(std::optional<Value>& value) {
        bool has_value = false;
        (*this)(has_value);
        if (has_value) value.emplace();
        return has_value;
    }

  private:
    std::span<const std::byte> rest_;
};

// What a record consists of, once for both directions: `Record` is const where it is written.

template <typename Archive, typename Value>
void walk(Archive& archive, Value& value);

template <typename Archive, typename... Values>
void walk_all(Archive& archive, Values&... values) {
    (walk(archive, values), ...);
}

template <typename Value>
inline constexpr bool is_optional = false;
template <typename Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

template <typename Archive, typename Record>
void walk_record(Archive& archive, Record& r) {
    using Kind = std::remove_const_t<Record>;
    if constexpr (std::is_same_v<Kind, OverRanks>) {
        walk_all(archive, r.sum, r.most);
    } else if constexpr (std::is_same_v<Kind, AlgorithmUse>) {
        walk_all(archive, r.name, r.calls, r.seconds);
    } else if constexpr (std::is_same_v<Kind, Span>) {
        walk_all(archive, r.first, r.calls, r.algorithm);
    } else if constexpr (std::is_same_v<Kind, TimePoint>) {
        walk_all(archive, r.first, r.mean);
    } else if constexpr (std::is_same_v<Kind, CandidateRecord>) {
        walk_all(archive, r.name, r.predicted, r.measured, r.samples, r.fate);
    } else if constexpr (std::is_same_v<Kind, Decision>) {
        walk_all(archive, r.winner, r.margin, r.calls, r.switched_at, r.relearnings,
                 r.common_drifts, r.learning_seconds, r.saved_seconds, r.candidates);
    } else if constexpr (std::is_same_v<Kind, Course>) {
        walk_all(archive, r.spans, r.names, r.points, r.decision, r.phase, r.parameters);
    } else if constexpr (std::is_same_v<Kind, QuickTime>) {
        walk_all(archive, r.pairs, r.bytes, r.seconds);
    } else if constexpr (std::is_same_v<Kind, QuickRecord>) {
        walk_all(archive, r.is_done, r.call, r.paid_by_seconds, r.seconds, r.times);
    } else if constexpr (std::is_same_v<Kind, SizeRecord>) {
        walk_all(archive, r.collective, r.size, r.ranks, r.calls, r.bytes, r.seconds, r.algorithms,
                 r.course);
    } else if constexpr (std::is_same_v<Kind, memory::Counters>) {
        for (auto& messages : r.messages) walk(archive, messages);
        for (auto& bytes : r.bytes) walk(archive, bytes);
        walk_all(archive, r.copied_bytes, r.sleeps, r.asleep_seconds, r.awake_seconds);
    } else if constexpr (std::is_same_v<Kind, Traffic>) {
        walk_all(archive, r.memory, r.host_messages, r.host_bytes);
    } else if constexpr (std::is_same_v<Kind, CommunicatorRecord>) {
        walk_all(archive, r.ranks, r.ordinal, r.communicators, r.first_rank, r.name, r.placement,
                 r.shares_cores, r.quick, r.traffic, r.sizes, r.left_out_seconds);
    } else if constexpr (std::is_same_v<Kind, RefusedCalls>) {
        walk_all(archive, r.collective, r.reason, r.calls);
    } else {
        static_assert(std::is_same_v<Kind, RunRecord>);
        walk_all(archive, r.seconds, r.communicators, r.refused, r.left_out_communicators);
    }
}

template <typename Archive, typename Value>
void walk(Archive& archive, Value& value) {
    using Kind = std::remove_const_t<Value>;
    if constexpr (Plain<Kind>) {
        archive(value);
    } else if constexpr (is_optional<Kind>) {
        if (archive.has(value)) walk(archive, *value);
    } else if constexpr (requires { value.begin(); }) {
        archive.size(value);
        for (auto& element : value) walk(archive, element);
    } else {
        walk_record(archive, value);
    }
}

}  // namespace

std::vector<std::byte> pack(const RunRecord& run) {
    Writer writer;
    walk(writer, run);
    return writer.take();
}

RunRecord unpack(std::span<const std::byte> bytes) {
    RunRecord run;
    Reader reader(bytes);
    walk(reader, run);
    return run;
}

}  // namespace tasuki::report
