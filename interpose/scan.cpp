// MPI_Scan.
#include "interpose/handlers.hpp"
#include "interpose/reduced_vector.hpp"

namespace tasuki::interpose {

Handled handle_scan(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                    MPI_Op operation, MPI_Comm communicator) {
    return handle_vector({.collective = Collective::scan,
                          .send = send,
                          .receive = receive,
                          .count = count,
                          .type = type,
                          .operation = operation,
                          .parent = communicator});
}

}  // namespace tasuki::interpose
