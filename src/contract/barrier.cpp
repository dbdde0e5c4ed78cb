#include "contract/collectives.hpp"

namespace tasuki {

namespace {

/// MPI_Barrier: no rank ends before every rank has begun.
class Barrier : public Contract {
  public:
    std::string_view collective() const override { return "barrier"; }

    std::string check_shape(const Program& program, std::int32_t, const Instance&) const override {
        if (program.input_chunks == 0 && program.output_chunks == 0) return {};
        return "a barrier has no data";
    }

    std::vector<Origin> expected(const Program&, std::int32_t, std::int32_t,
                                 const Instance&) const override {
        return {};
    }

    bool synchronises() const override { return true; }
};

}  // namespace

std::unique_ptr<Contract> barrier_contract() {
    return std::make_unique<Barrier>();
}

}  // namespace tasuki
