#include "interpose/check_sides.hpp"

namespace tasuki::interpose {

bool make_side(std::optional<Side>& side, const void* address, MPI_Count count, MPI_Datatype type,
               int blocks) {
    host::TypeLayout layout;
    if (count < 0 || address == MPI_IN_PLACE || !host::layout_of(type, layout)) return false;
    side.emplace(const_cast<void*>(address), count, type, layout, blocks);
    return true;
}

const RowFilter rows_of_known_sizes{
    "",
    [](const Algorithm& row, int) -> const char* {
        return row.needs_capacity ? "the sizes of blocks in this call are known, and need no room"
                                  : nullptr;
    },
    nullptr};

const RowFilter rows_of_unknown_sizes{
    "v",
    [](const Algorithm& row, int) -> const char* {
        return row.needs_sizes
                   ? "only the two ends of a message know the sizes of blocks in this call"
                   : nullptr;
    },
    nullptr};

}  // namespace tasuki::interpose
