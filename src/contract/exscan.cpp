#include "contract/collectives.hpp"
#include "contract/operands.hpp"
#include "contract/vector_reduction.hpp"

namespace tasuki {

namespace {

/// MPI_Exscan: output chunk c of rank r is made of input chunk c of the ranks below r; rank 0 has
/// no output.
class Exscan : public VectorReduction {
  public:
    std::string_view collective() const override { return "exscan"; }

    std::string check_shape(const Program& program, std::int32_t rank,
                            const Instance&) const override {
        const std::int32_t output = rank == 0 ? 0 : program.input_chunks;
        if (program.input_chunks > 0 && program.output_chunks == output) return {};
        return "an exscan has as many output as input chunks, and no output on rank 0";
    }

    std::vector<Origin> expected(const Program&, std::int32_t rank, std::int32_t chunk,
                                 const Instance&) const override {
        return operands(rank, chunk);
    }
};

}  // namespace

std::unique_ptr<Contract> exscan_contract() {
    return std::make_unique<Exscan>();
}

}  // namespace tasuki
