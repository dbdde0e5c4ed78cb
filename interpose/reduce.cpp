// MPI_Reduce.
#include "interpose/handlers.hpp"
#include "interpose/reduced_vector.hpp"

namespace tasuki::interpose {

Handled handle_reduce(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                      MPI_Op operation, int root, MPI_Comm communicator) {
    return handle_vector({.collective = Collective::reduce,
                          .send = send,
                          .receive = receive,
                          .count = count,
                          .type = type,
                          .operation = operation,
                          .root = root,
                          .parent = communicator});
}

}  // namespace tasuki::interpose
