#include "contract/collectives.hpp"
#include "contract/operands.hpp"
#include "contract/vector_reduction.hpp"

namespace tasuki {

namespace {

/// MPI_Scan: output chunk c of rank r is made of input chunk c of the ranks up to r.
class Scan : public VectorReduction {
  public:
    std::string_view collective() const override { return "scan"; }

    std::string check_shape(const Program& program, std::int32_t, const Instance&) const override {
        if (program.input_chunks > 0 && program.output_chunks == program.input_chunks) return {};
        return "a scan has as many output as input chunks";
    }

    std::vector<Origin> expected(const Program&, std::int32_t rank, std::int32_t chunk,
                                 const Instance&) const override {
        return operands(rank + 1, chunk);
    }
};

}  // namespace

std::unique_ptr<Contract> scan_contract() {
    return std::make_unique<Scan>();
}

}  // namespace tasuki
