#include "interpose/maximum_of_all.hpp"

namespace tasuki::interpose {

int maximum_of_all(MPI_Comm communicator, std::span<int> values) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int count = static_cast<int>(values.size());
    const int code = PMPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_INT, MPI_MAX,
                                     communicator, &request);
    return code == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

}  // namespace tasuki::interpose
