#include <charconv>
#include <stdexcept>

#include "fabric/node_routes.hpp"

namespace tasuki {

namespace {

constexpr std::string_view by_sender = "sender:";

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
    throw std::invalid_argument("routes \"" + std::string(text.substr(0, 80)) + "\": " + why +
                                "; expected GROUP/ROOT of every node (0/0,0/1,1/2)");
}

/// "3.1" as numbers, appended to `values`; returns how many.
std::int32_t append_numbers(std::string_view text, std::string_view whole,
                            std::vector<std::int32_t>& values) {
    std::int32_t count = 1;
    for (;; ++count) {
        const auto dot = text.find('.');
        const std::string_view digits = text.substr(0, dot);
        std::int32_t value = -1;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size() || value < 0) {
            refuse(whole, "\"" + std::string(digits) + "\" is not a number");
        }
        values.push_back(value);
        if (dot == std::string_view::npos) return count;
        text.remove_prefix(dot + 1);
    }
}

}  // namespace

std::shared_ptr<const NodeRoutes> NodeRoutes::parse(std::string_view text) {
    std::string_view rest = text;
    const bool is_by_sender = rest.starts_with(by_sender);
    if (is_by_sender) rest.remove_prefix(by_sender.size());
    std::vector<std::int32_t> groups, roots;
    std::int32_t height = 0;
    for (;;) {
        const auto comma = rest.find(',');
        const std::string_view node = rest.substr(0, comma);
        const auto slash = node.find('/');
        if (slash == std::string_view::npos) {
            refuse(text, "\"" + std::string(node) + "\" has no slash");
        }
        const std::int32_t levels = append_numbers(node.substr(0, slash), text, groups);
        if (height == 0) height = levels;
        if (levels != height || append_numbers(node.substr(slash + 1), text, roots) != height) {
            refuse(text, "\"" + std::string(node) +
                             "\" has not as many groups and roots as the first node has groups");
        }
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    return std::make_shared<const NodeRoutes>(height, std::move(groups), std::move(roots),
                                              is_by_sender ? ChosenBy::sender : ChosenBy::receiver);
}

std::string NodeRoutes::text_of(std::int32_t node) const {
    std::string text;
    for (const auto* values : {&groups_, &roots_}) {
        for (std::int32_t level = 0; level < height_; ++level) {
            text += level > 0 ? "." : text.empty() ? "" : "/";
            text += std::to_string((*values)[static_cast<std::size_t>(node) * height_ + level]);
        }
    }
    return text;
}

std::string NodeRoutes::text() const {
    std::string text;
    for (std::int32_t node = 0; node < nodes(); ++node) {
        text += (node == 0 ? "" : ",") + text_of(node);
    }
    return (chosen_by_ == ChosenBy::sender ? std::string(by_sender) : "") + text;
}

}  // namespace tasuki
