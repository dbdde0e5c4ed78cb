#include "interpose/maximum_of_all.hpp"

#include <climits>

#include "transport/silent_wait.hpp"

namespace tasuki::interpose {

int maximum_of_all(MPI_Comm communicator, std::span<int> values) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int count = static_cast<int>(values.size());
    int code = PMPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_INT, MPI_MAX, communicator,
                               &request);
    if (code != MPI_SUCCESS) return code;
    wait_in_silence(0, [&] {
        int done = 0;
        code = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0 || code != MPI_SUCCESS;
    });
    return code;
}

std::array<int, 4> to_compare(std::uint64_t number) {
    const auto low = static_cast<int>(number & INT_MAX);
    const auto high = static_cast<int>((number >> 32) & INT_MAX);
    return {low, -low, high, -high};
}

bool are_alike(std::span<const int, 4> maxima) {
    return maxima[0] == -maxima[1] && maxima[2] == -maxima[3];
}

}  // namespace tasuki::interpose
