// The programs of all ranks: what verifying, predicting, routing and showing read.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "schedule/placement.hpp"
#include "schedule/program.hpp"

namespace tasuki {

/// The parameters of an algorithm by name, complete: rows fill in their defaults.
class Parameters {
  public:
    Parameters() = default;
    explicit Parameters(std::vector<std::pair<std::string, std::int64_t>> values)
        : values_(std::move(values)) {}

    /// Throws std::out_of_range for a name that the algorithm's row does not declare.
    std::int64_t get(std::string_view name) const;
    void set(std::string_view name, std::int64_t value);
    const std::vector<std::pair<std::string, std::int64_t>>& values() const { return values_; }

    friend bool operator==(const Parameters&, const Parameters&) = default;

  private:
    std::vector<std::pair<std::string, std::int64_t>> values_;
};

/// What a generator is told beside the rank. Equal on all ranks of the communicator.
struct Instance {
    std::int32_t ranks = 1;
    std::int32_t root = 0;
    Parameters parameters = {};
    Placement placement = {};

    friend bool operator==(const Instance&, const Instance&) = default;
};

/// One collective operation as a whole. Only consumers that look at all ranks make one; a rank that
/// executes builds its own program alone.
struct Schedule {
    std::string collective;
    std::string algorithm;
    Instance instance;
    std::vector<Program> programs;  ///< [rank]

    friend bool operator==(const Schedule&, const Schedule&) = default;
};

}  // namespace tasuki
