#include "contract/collectives.hpp"

namespace tasuki {

namespace {

/// MPI_Allgather and MPI_Allgatherv: output chunk r of every rank is the input chunk of rank r. The
/// counts of the latter are the sizes of the chunks.
class Allgather : public Contract {
  public:
    std::string_view collective() const override { return "allgather"; }

    std::string check_shape(const Program& program, std::int32_t,
                            const Instance& instance) const override {
        if (program.input_chunks == 1 && program.output_chunks == instance.ranks) return {};
        return "an all-gather has one input chunk, and an output chunk for each of the " +
               std::to_string(instance.ranks) + " ranks";
    }

    std::vector<Origin> expected(const Program&, std::int32_t, std::int32_t chunk,
                                 const Instance&) const override {
        return {{.rank = chunk, .chunk = 0}};
    }

    std::int64_t size_of(Space space, std::int32_t rank, std::int32_t chunk,
                         const Instance&) const override {
        return space == Space::input ? rank : chunk;
    }
};

}  // namespace

std::unique_ptr<Contract> allgather_contract() {
    return std::make_unique<Allgather>();
}

}  // namespace tasuki
