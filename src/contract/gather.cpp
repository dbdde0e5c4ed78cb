#include "contract/blocks.hpp"
#include "contract/collectives.hpp"

namespace tasuki {

namespace {

/// MPI_Gather and MPI_Gatherv: output chunk r of the root is the input chunk of rank r. The counts
/// of the latter are the sizes of the chunks. Tails: chunk 1 of each rank, and ranks + r of the
/// root.
class Gather : public Contract {
  public:
    std::string_view collective() const override { return "gather"; }

    std::string check_shape(const Program& program, std::int32_t rank,
                            const Instance& instance) const override {
        const std::int32_t output = rank == instance.root ? instance.ranks : 0;
        if (program.input_chunks == chunks_of(program, 1) &&
            program.output_chunks == chunks_of(program, output)) {
            return {};
        }
        return "a gather has one input chunk, and on the root an output chunk for each of the " +
               std::to_string(instance.ranks) + " ranks";
    }

    std::vector<Origin> expected(const Program&, std::int32_t, std::int32_t chunk,
                                 const Instance& instance) const override {
        return {{.rank = chunk % instance.ranks, .chunk = chunk / instance.ranks}};
    }

    std::int64_t size_of(Space space, std::int32_t rank, std::int32_t chunk,
                         const Instance& instance) const override {
        return space == Space::input ? chunk * std::int64_t{instance.ranks} + rank : chunk;
    }

    bool may_have_tails() const override { return true; }
    bool has_root() const override { return true; }
};

}  // namespace

std::unique_ptr<Contract> gather_contract() {
    return std::make_unique<Gather>();
}

}  // namespace tasuki
