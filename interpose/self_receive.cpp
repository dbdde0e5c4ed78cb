#include "interpose/self_receive.hpp"

namespace tasuki::interpose {

namespace {

constexpr int tag_to_self = 0;

/// What is received at the most. A host may take more from itself without an error: Intel MPI
/// (2021.18) where that is nothing, Open MPI (5.0) where it is some bytes.
#if defined(TASUKI_ABI_OPENMPI)
constexpr int most_bytes = 0;
#else
constexpr int most_bytes = 1;
#endif
char received;  // nobody reads it

}  // namespace

SelfReceive::SelfReceive(MPI_Comm communicator) : communicator_(communicator) {
    PMPI_Comm_rank(communicator, &rank_);
    PMPI_Recv_init(&received, most_bytes, MPI_BYTE, rank_, tag_to_self, communicator, &request_);
}

SelfReceive::~SelfReceive() {
    if (is_there() && !is_given_) PMPI_Request_free(&request_);
}

void SelfReceive::end(bool has_failed) const {
    // A byte more than the receive takes is the error that the program's wait returns then,
    // MPI_ERR_TRUNCATE: a receive has no way to end with the code that its sender would like.
    const char bytes[most_bytes + 1] = {};
    const int count = has_failed ? most_bytes + 1 : 0;
    PMPI_Send(bytes, count, MPI_BYTE, rank_, tag_to_self, communicator_);
}

}  // namespace tasuki::interpose
