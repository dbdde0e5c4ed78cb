#include "contract/collectives.hpp"

namespace tasuki {

namespace {

/// MPI_Bcast: output chunk c of every rank but the root is input chunk c of the root. MPI has one
/// buffer; here the root reads it as input, and the others write it as output.
class Bcast : public Contract {
  public:
    std::string_view collective() const override { return "bcast"; }

    std::string check_shape(const Program& program, std::int32_t rank,
                            const Instance& instance) const override {
        const bool is_root = rank == instance.root;
        const std::int32_t filled = is_root ? program.input_chunks : program.output_chunks;
        const std::int32_t empty = is_root ? program.output_chunks : program.input_chunks;
        if (filled > 0 && empty == 0) return {};
        return is_root ? "the root of a bcast has input and no output"
                       : "a rank that is not the root of a bcast has output and no input";
    }

    std::vector<Origin> expected(const Program&, std::int32_t, std::int32_t chunk,
                                 const Instance& instance) const override {
        return {{.rank = instance.root, .chunk = chunk}};
    }

    std::int32_t cuts(const Program& program, std::int32_t rank,
                      const Instance& instance) const override {
        return rank == instance.root ? program.input_chunks : program.output_chunks;
    }

    std::int64_t size_of(Space, std::int32_t, std::int32_t chunk, const Instance&) const override {
        return chunk;
    }

    bool has_root() const override { return true; }
};

}  // namespace

std::unique_ptr<Contract> bcast_contract() {
    return std::make_unique<Bcast>();
}

}  // namespace tasuki
