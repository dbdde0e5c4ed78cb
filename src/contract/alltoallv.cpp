#include "contract/blocks.hpp"
#include "contract/collectives.hpp"

namespace tasuki {

namespace {

/// MPI_Alltoallv and MPI_Alltoallw: output chunk s of rank r is input chunk r of rank s, and every
/// pair of ranks has a size of its own, which nobody else knows. Tails: chunks from ranks on.
class AllToAllV : public Contract {
  public:
    std::string_view collective() const override { return "alltoallv"; }

    std::string check_shape(const Program& program, std::int32_t,
                            const Instance& instance) const override {
        const std::int32_t chunks = chunks_of(program, instance.ranks);
        if (program.input_chunks == chunks && program.output_chunks == chunks) return {};
        return "all-to-all-v has one input and one output chunk for each of the " +
               std::to_string(instance.ranks) + " ranks";
    }

    std::vector<Origin> expected(const Program&, std::int32_t rank, std::int32_t chunk,
                                 const Instance& instance) const override {
        const std::int32_t source = chunk % instance.ranks;
        return {{.rank = source, .chunk = chunk - source + rank}};
    }

    std::int64_t size_of(Space space, std::int32_t rank, std::int32_t chunk,
                         const Instance& instance) const override {
        const std::int64_t ranks = instance.ranks;
        const std::int64_t peer = chunk % ranks;
        const std::int64_t pair = space == Space::input ? rank * ranks + peer : peer * ranks + rank;
        return chunk / ranks * ranks * ranks + pair;
    }

    bool may_have_tails() const override { return true; }
};

}  // namespace

std::unique_ptr<Contract> alltoallv_contract() {
    return std::make_unique<AllToAllV>();
}

}  // namespace tasuki
