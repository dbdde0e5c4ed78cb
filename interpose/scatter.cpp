// MPI_Scatter and MPI_Scatterv.
#include "interpose/handlers.hpp"
#include "interpose/rooted_blocks.hpp"

namespace tasuki::interpose {

namespace {

constexpr auto run = [](Machine& machine, const auto& blocks) {
    PackedRootedBlocks packed(blocks, machine.program());
    packed.fetch_all();
    execute(*blocks.communicator, machine,
            {.input = packed.all_buffer(),
             .output = packed.own_buffer(),
             .unit_bytes = packed.unit_bytes(),
             .scratch = packed.scratch(),
             .is_whole_call = true});
    if (!blocks.is_in_place) packed.own().deliver();
};

}  // namespace

Handled handle_scatter(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                       void* receive, MPI_Count receive_count, MPI_Datatype receive_type, int root,
                       MPI_Comm parent) {
    return handle_safely(Collective::scatter, parent, [&] {
        const auto make_all = [&](std::optional<Side>& all, int ranks) {
            return make_side(all, send, send_count, send_type, ranks);
        };
        return handle_rooted<Side>(Collective::scatter, parent, root, receive, receive_count,
                                   receive_type, make_all, run);
    });
}

Handled handle_scatterv(const void* send, Integers counts, Integers displacements,
                        MPI_Datatype send_type, void* receive, MPI_Count receive_count,
                        MPI_Datatype receive_type, int root, MPI_Comm parent) {
    return handle_safely(Collective::scatter, parent, [&] {
        const auto make_all = [&](std::optional<UnevenSide>& all, int ranks) {
            return UnevenSide::make(all, send, counts, displacements, send_type, ranks);
        };
        return handle_rooted<UnevenSide>(Collective::scatter, parent, root, receive, receive_count,
                                         receive_type, make_all, run);
    });
}

}  // namespace tasuki::interpose
