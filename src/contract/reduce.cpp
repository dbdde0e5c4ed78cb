#include "contract/collectives.hpp"
#include "contract/operands.hpp"
#include "contract/vector_reduction.hpp"

namespace tasuki {

namespace {

/// MPI_Reduce: output chunk c of the root is made of input chunk c of all ranks. The vector is cut
/// into as many chunks as the algorithm likes.
class Reduce : public VectorReduction {
  public:
    std::string_view collective() const override { return "reduce"; }

    std::string check_shape(const Program& program, std::int32_t rank,
                            const Instance& instance) const override {
        const std::int32_t output = rank == instance.root ? program.input_chunks : 0;
        if (program.input_chunks > 0 && program.output_chunks == output) return {};
        return "a reduce has input on all ranks, and as much output on the root only";
    }

    std::vector<Origin> expected(const Program&, std::int32_t, std::int32_t chunk,
                                 const Instance& instance) const override {
        return operands(instance.ranks, chunk);
    }

    bool has_root() const override { return true; }
};

}  // namespace

std::unique_ptr<Contract> reduce_contract() {
    return std::make_unique<Reduce>();
}

}  // namespace tasuki
