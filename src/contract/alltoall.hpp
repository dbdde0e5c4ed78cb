#pragma once

#include "contract/contract.hpp"

namespace tasuki {

/// MPI_Alltoall: output chunk s of rank r is input chunk r of rank s.
class AllToAll : public Contract {
  public:
    std::string_view collective() const override { return "alltoall"; }
    std::string check_shape(const Program& program, std::int32_t rank,
                            const Instance& instance) const override;
    std::vector<Origin> expected(const Program& program, std::int32_t rank, std::int32_t chunk,
                                 const Instance& instance) const override;
};

}  // namespace tasuki
