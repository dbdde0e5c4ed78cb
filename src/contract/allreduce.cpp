#include "contract/collectives.hpp"
#include "contract/operands.hpp"
#include "contract/vector_reduction.hpp"

namespace tasuki {

namespace {

/// MPI_Allreduce: output chunk c of every rank is made of input chunk c of all ranks. The vector is
/// cut into as many chunks as the algorithm likes.
class Allreduce : public VectorReduction {
  public:
    std::string_view collective() const override { return "allreduce"; }

    std::string check_shape(const Program& program, std::int32_t, const Instance&) const override {
        if (program.input_chunks > 0 && program.output_chunks == program.input_chunks) return {};
        return "an all-reduce has as many output as input chunks";
    }

    std::vector<Origin> expected(const Program&, std::int32_t, std::int32_t chunk,
                                 const Instance& instance) const override {
        return operands(instance.ranks, chunk);
    }
};

}  // namespace

std::unique_ptr<Contract> allreduce_contract() {
    return std::make_unique<Allreduce>();
}

}  // namespace tasuki
