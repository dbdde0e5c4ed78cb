#include "contract/collectives.hpp"
#include "contract/operands.hpp"

namespace tasuki {

namespace {

/// MPI_Reduce_scatter and MPI_Reduce_scatter_block: the output chunk of rank r is made of input
/// chunk r of all ranks. The counts of the former are the sizes of the chunks.
class ReduceScatter : public Contract {
  public:
    std::string_view collective() const override { return "reduce-scatter"; }

    std::string check_shape(const Program& program, std::int32_t,
                            const Instance& instance) const override {
        if (program.input_chunks == instance.ranks && program.output_chunks == 1) return {};
        return "a reduce-scatter has one input chunk for each of the " +
               std::to_string(instance.ranks) + " ranks, and one output chunk";
    }

    std::vector<Origin> expected(const Program&, std::int32_t rank, std::int32_t,
                                 const Instance& instance) const override {
        return operands(instance.ranks, rank);
    }

    std::int64_t size_of(Space space, std::int32_t rank, std::int32_t chunk,
                         const Instance&) const override {
        return space == Space::input ? chunk : rank;
    }

    bool reduces() const override { return true; }
};

}  // namespace

std::unique_ptr<Contract> reduce_scatter_contract() {
    return std::make_unique<ReduceScatter>();
}

}  // namespace tasuki
