#include "interpose/staging.hpp"

#include "transport/host/check.hpp"
#include "transport/host/datatype.hpp"
#include "transport/host/type_to_self.hpp"

namespace tasuki::interpose {

namespace {

/// A message to oneself: the one way to copy that every host does on every kind of memory.
void copy(const Communicator& communicator, const void* from, MPI_Count from_count,
          MPI_Datatype from_type, void* to, MPI_Count to_count, MPI_Datatype to_type) {
    const host::TypeToSelf type_sent(from_type);
    const host::TypeToSelf type_received(to_type);
    const host::IntCount sent(from_count, type_sent.type());
    const host::IntCount received(to_count, type_received.type());
    host::check(PMPI_Sendrecv(from, sent.count(), sent.type(), communicator.rank(), 0, to,
                              received.count(), received.type(), communicator.rank(), 0,
                              communicator.own(), MPI_STATUS_IGNORE));
}

}  // namespace

void pack_by_host(const Communicator& communicator, const void* from, MPI_Count count,
                  MPI_Datatype type, std::byte* packed, MPI_Count bytes) {
    copy(communicator, from, count, type, packed, bytes, MPI_PACKED);
}

void unpack_by_host(const Communicator& communicator, const std::byte* packed, MPI_Count bytes,
                    void* to, MPI_Count count, MPI_Datatype type) {
    copy(communicator, packed, bytes, MPI_PACKED, to, count, type);
}

void copy_by_host(const Communicator& communicator, const void* from, void* to, MPI_Count count,
                  MPI_Datatype type) {
    copy(communicator, from, count, type, to, count, type);
}

}  // namespace tasuki::interpose
