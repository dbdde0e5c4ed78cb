#include "contract/alltoall.hpp"

namespace tasuki {

std::string AllToAll::check_shape(const Program& program, std::int32_t,
                                  const Instance& instance) const {
    if (program.input_chunks == instance.ranks && program.output_chunks == instance.ranks)
        return {};
    return "all-to-all has one input and one output chunk for each of the " +
           std::to_string(instance.ranks) + " ranks";
}

std::vector<Origin> AllToAll::expected(const Program&, std::int32_t rank, std::int32_t chunk,
                                       const Instance&) const {
    return {{.rank = chunk, .chunk = rank}};
}

}  // namespace tasuki
