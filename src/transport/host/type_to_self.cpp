#include "transport/host/type_to_self.hpp"

#include <climits>
#include <vector>

#include "transport/host/check.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::host {

TypeToSelf::TypeToSelf(MPI_Datatype type) : type_(type) {
    TypeLayout layout;
    if (!layout_of(type, layout) || layout.is_plain) return;
    const auto packing = OwnPacking::of(type, layout.size, layout.extent);
    if (packing == nullptr) return;
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (const Run& run : packing->runs().all()) {
        if (run.bytes > INT_MAX) return;
        lengths.push_back(static_cast<int>(run.bytes));
        places.push_back(static_cast<MPI_Aint>(run.place));
    }
    MPI_Datatype bytes = MPI_DATATYPE_NULL;
    check(PMPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(),
                                    MPI_BYTE, &bytes));
    MPI_Count lower = 0, extent = 0;
    check(PMPI_Type_get_extent_x(type, &lower, &extent));
    check(PMPI_Type_create_resized(bytes, static_cast<MPI_Aint>(lower),
                                   static_cast<MPI_Aint>(extent), &type_));
    check(PMPI_Type_commit(&type_));
    check(PMPI_Type_free(&bytes));
    is_made_ = true;
}

TypeToSelf::~TypeToSelf() {
    if (is_made_) PMPI_Type_free(&type_);
}

}  // namespace tasuki::host
