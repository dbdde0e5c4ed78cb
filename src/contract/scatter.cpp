#include "contract/blocks.hpp"
#include "contract/collectives.hpp"

namespace tasuki {

namespace {

/// MPI_Scatter and MPI_Scatterv: the output chunk of rank r is input chunk r of the root. The
/// counts of the latter are the sizes of the chunks. Tails: chunk 1 of each rank, and ranks + r of
/// the root.
class Scatter : public Contract {
  public:
    std::string_view collective() const override { return "scatter"; }

    std::string check_shape(const Program& program, std::int32_t rank,
                            const Instance& instance) const override {
        const std::int32_t input = rank == instance.root ? instance.ranks : 0;
        if (program.input_chunks == chunks_of(program, input) &&
            program.output_chunks == chunks_of(program, 1)) {
            return {};
        }
        return "a scatter has one output chunk, and on the root an input chunk for each of the " +
               std::to_string(instance.ranks) + " ranks";
    }

    std::vector<Origin> expected(const Program&, std::int32_t rank, std::int32_t chunk,
                                 const Instance& instance) const override {
        return {{.rank = instance.root, .chunk = chunk * instance.ranks + rank}};
    }

    std::int64_t size_of(Space space, std::int32_t rank, std::int32_t chunk,
                         const Instance& instance) const override {
        return space == Space::input ? chunk : chunk * std::int64_t{instance.ranks} + rank;
    }

    bool may_have_tails() const override { return true; }
    bool has_root() const override { return true; }
};

}  // namespace

std::unique_ptr<Contract> scatter_contract() {
    return std::make_unique<Scatter>();
}

}  // namespace tasuki
