#include "schedule/schedule.hpp"

#include <stdexcept>

namespace tasuki {

std::int64_t Parameters::get(std::string_view name) const {
    for (const auto& [key, value] : values_) {
        if (key == name) return value;
    }
    throw std::out_of_range("no parameter " + std::string(name) + " in the row of this algorithm");
}

void Parameters::set(std::string_view name, std::int64_t value) {
    for (auto& [key, old] : values_) {
        if (key == name) {
            old = value;
            return;
        }
    }
    values_.emplace_back(name, value);
}

}  // namespace tasuki
