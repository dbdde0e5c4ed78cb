#include "select/selection_key.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "schedule/whole_number.hpp"
#include "select/digest.hpp"

namespace tasuki {

namespace {

[[noreturn]] void refuse(std::string_view text) {
    throw std::invalid_argument("\"" + std::string(text) +
                                "\" is no key; expected COLLECTIVE bytes=N ranks=N placement=NxN "
                                "oversubscribed=yes|no");
}

/// Takes " name=value" from the front of `rest`.
std::string_view take(std::string_view& rest, std::string_view name, std::string_view whole) {
    const std::string start = " " + std::string(name) + "=";
    if (!rest.starts_with(start)) refuse(whole);
    rest.remove_prefix(start.size());
    const std::string_view value = rest.substr(0, rest.find(' '));
    if (value.empty()) refuse(whole);
    rest.remove_prefix(value.size());
    return value;
}

template <typename Number>
Number number(std::string_view digits, Number low, std::string_view whole) {
    const auto value = whole_number<Number>(digits);
    if (!value || *value < low) refuse(whole);
    return *value;
}

}  // namespace

std::int64_t size_bucket(std::int64_t bytes) {
    if (bytes <= 0) return 0;
    const auto octave =
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes)));
    const std::int64_t half = octave + octave / 2;
    return bytes >= half ? half : octave;
}

SelectionKey make_key(std::string_view collective, std::int64_t bytes, const Placement& placement,
                      bool oversubscribed, bool with_memory) {
    // Nodes differ from job to job: their routes would keep jobs from learning from each other.
    std::string shape = placement.nodes_text();
    if (shape.find(',') != std::string::npos) {
        shape = "irregular-" + Digest().add(shape).text();
    }
    if (placement.routes() != nullptr) shape += "-with-routes";
    // A run without must not replace what was learnt with memory, which it cannot use.
    if (!with_memory && placement.most_ranks_on_a_node() > 1) shape += "-without-memory";
    return {std::string(collective), size_bucket(bytes), placement.ranks(), shape, oversubscribed};
}

std::string SelectionKey::text() const {
    return collective + " bytes=" + std::to_string(bytes) + " ranks=" + std::to_string(ranks) +
           " placement=" + placement + " oversubscribed=" + (oversubscribed ? "yes" : "no");
}

SelectionKey read_key(std::string_view text) {
    SelectionKey key;
    std::string_view rest = text;
    key.collective = rest.substr(0, rest.find(' '));
    if (key.collective.empty() || !std::ranges::all_of(key.collective, [](char c) {
            return (c >= 'a' && c <= 'z') || c == '-';
        })) {
        refuse(text);
    }
    rest.remove_prefix(key.collective.size());
    key.bytes = number<std::int64_t>(take(rest, "bytes", text), 0, text);
    key.ranks = number<std::int32_t>(take(rest, "ranks", text), 1, text);
    key.placement = take(rest, "placement", text);
    const std::string_view oversubscribed = take(rest, "oversubscribed", text);
    if ((oversubscribed != "yes" && oversubscribed != "no") || !rest.empty() ||
        key.bytes != size_bucket(key.bytes)) {
        refuse(text);
    }
    key.oversubscribed = oversubscribed == "yes";
    return key;
}

}  // namespace tasuki
