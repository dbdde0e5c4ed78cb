#include "contract/collectives.hpp"

namespace tasuki {

namespace {

/// MPI_Alltoallv and MPI_Alltoallw: output chunk s of rank r is input chunk r of rank s, and every
/// pair of ranks has a size of its own, which nobody else knows.
class AllToAllV : public Contract {
  public:
    std::string_view collective() const override { return "alltoallv"; }

    std::string check_shape(const Program& program, std::int32_t,
                            const Instance& instance) const override {
        if (program.input_chunks == instance.ranks && program.output_chunks == instance.ranks)
            return {};
        return "all-to-all-v has one input and one output chunk for each of the " +
               std::to_string(instance.ranks) + " ranks";
    }

    std::vector<Origin> expected(const Program&, std::int32_t rank, std::int32_t chunk,
                                 const Instance&) const override {
        return {{.rank = chunk, .chunk = rank}};
    }

    std::int64_t size_of(Space space, std::int32_t rank, std::int32_t chunk,
                         const Instance& instance) const override {
        const std::int64_t source = space == Space::input ? rank : chunk;
        return source * instance.ranks + (space == Space::input ? chunk : rank);
    }
};

}  // namespace

std::unique_ptr<Contract> alltoallv_contract() {
    return std::make_unique<AllToAllV>();
}

}  // namespace tasuki
